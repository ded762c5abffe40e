"""Mutations of files: bytes and text changed at random, and the parts of JSON, XML, zip, npy, PNG, gzip and glTF files.

Every function takes its choices from the generator it is given, so the same generator gives the same bytes.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import gzip
import io
import json
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple
from xml.etree import ElementTree


class Mutated(NamedTuple):
    """What a mutation gives: the bytes, and what was done to them."""

    data: bytes
    how: str


Mutation = Callable[[bytes, Random], Mutated | None]
"""Takes bytes and a generator; None if there is nothing in these bytes that it could change."""

EXTREME_NUMBERS = (
    *("0", "-1", "1", "2147483648", "-2147483649", "4294967295", "9223372036854775808", "1" + "0" * 400, "9" * 5000),
    *("1e308", "1e999", "-1e308", "1e-320", "NaN", "Infinity", "-Infinity", "0.5", "-0", "65536", "16777217"),
)
STRANGE_TEXTS = (
    *("", "x" * 5000, "-1", "NaN", "../../etc/passwd", "undercroft", "\x1b[31m", "a\nb", "\u202e", "漢字", "#12345"),
    *("a b", "$", "%s", "{0}", "\\", "'", "&amp;", "<", ",", ";", "\t", "\r", "1" * 50, "é" * 300),
)
STRANGE_VALUES = (
    *("null", "true", "false", "[]", "{}", '""', "[1]", '{"a": 1}', "[null]", '[["a"]]', "[" * 200 + "]" * 200),
    *('"\\ud800"', '"\\u0000"', '"a\\nb"', '{"": ""}', "[[1, 2], [3]]", '["", ""]'),
    *EXTREME_NUMBERS,
    *(json.dumps(text) for text in STRANGE_TEXTS),
)
"""JSON texts to put in the place of any value."""

STRANGE_WORDS = tuple(struct.pack("<I", word) for word in (0, 1, 255, 65535, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF))
STRANGE_DTYPES = (
    *("'|O'", "'<f8'", "'<i8'", "'|b1'", "'>i4'", "'<U400000000'", "[('a', '<i4')]", "'<m8[s]'", "'|V0'", "'<f2'", "5"),
    *("'<c16'", "'|S0'", "[]", "'<i4,<i4'", "'|u1'", "'<u2'"),
)
STRANGE_SHAPES = (
    *("()", "(0,)", "(1, 0)", "(-1, 5)", "(1099511627776, 4)", "(2, 2, 2)", "(True, 3)", "(1.5,)", "5", "(3,)"),
    *("(4294967296, 4294967296)", "(1048577, 1)", "(1, 1048577)", "(9223372036854775807,)", "(1, 1)"),
)
MARK = b"undercroft"
"""The word that our files have where the provenance stands."""
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_UNPACKED_BYTES = 1 << 22
"""The most bytes that are unpacked from a starting file to be changed."""

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
QUOTED = re.compile(rb'"[^"\n]*"')
PACKED = re.compile(rb"[A-Za-z0-9+/]{40,}={0,2}")
ATTRIBUTE = re.compile(rb'\s[\w:.-]+="[^"]*"')


def mutate(data: bytes, others: Sequence[bytes], chance: Random) -> Mutated:
    """Change the bytes in one to three places; `others` are files that pieces are taken from."""
    steps: list[str] = []
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        families = find_families(data)
        family = chance.choice(families)
        found = None
        if chance.random() < 0.05 and others:
            found = splice(data, chance.choice(others), chance)
        for _ in range(4):
            found = found or try_mutation(chance.choice(family), data, chance)
        data, how = found or replace_bytes(data, chance)
        steps.append(how)
    return Mutated(data, ", then ".join(steps))


def try_mutation(mutation: Mutation, data: bytes, chance: Random) -> Mutated | None:
    """What the mutation gives; None if an earlier one damaged the file so that its parts cannot be found."""
    try:
        return mutation(data, chance)
    except Exception:  # noqa: BLE001  # libraries that unpack broken files do not say what they raise
        return None


def find_families(data: bytes) -> list[tuple[Mutation, ...]]:
    """The mutations for a file of that kind, in groups that are equally likely. The content tells the kind."""
    for begin, family in SIGNATURES:
        if data.startswith(begin):
            return [family, family, BYTE_MUTATIONS]
    if b"\0" in data[:1024]:
        return [BYTE_MUTATIONS]
    begin = data.lstrip()[:1]
    if begin in (b"{", b"["):
        return [JSON_MUTATIONS, JSON_MUTATIONS, TEXT_MUTATIONS, BYTE_MUTATIONS]
    if begin == b"<":
        return [XML_MUTATIONS, XML_MUTATIONS, TEXT_MUTATIONS, BYTE_MUTATIONS]
    return [TEXT_MUTATIONS, TEXT_MUTATIONS, BYTE_MUTATIONS]


# --- bytes ---


def pick_place(data: bytes, chance: Random) -> int:
    """An index into the bytes: anywhere, near an end, or near our mark."""
    way = chance.random()
    if way < 0.2 and MARK in data:
        first = data.find(MARK, chance.randrange(len(data)))
        near = data.find(MARK) if first < 0 else first
        return min(max(0, near + chance.randrange(-20, 200)), len(data))
    if way < 0.4:
        return chance.randrange(min(len(data), 200) + 1)
    if way < 0.5:
        return max(0, len(data) - chance.randrange(200))
    return chance.randrange(len(data) + 1)


def pick_slice(data: bytes, chance: Random, longest: int = 64) -> tuple[int, int]:
    """Begin and end of a piece of the bytes, mostly a short one."""
    first = pick_place(data, chance)
    length = chance.choice((1, 2, 4, chance.randrange(1, longest + 1), chance.randrange(1, max(2, len(data)))))
    return first, min(len(data), first + length)


def flip_bits(data: bytes, chance: Random) -> Mutated:
    changed = bytearray(data or b" ")
    places = [min(pick_place(data, chance), len(changed) - 1) for _ in range(chance.choice((1, 1, 3, 20)))]
    for place in places:
        changed[place] ^= 1 << chance.randrange(8)
    return Mutated(bytes(changed), f"flip a bit at {places}")


def replace_bytes(data: bytes, chance: Random) -> Mutated:
    first, end = pick_slice(data, chance, 8)
    fresh = bytes([chance.randrange(256)]) * (end - first) if chance.random() < 0.5 else chance.randbytes(end - first)
    return Mutated(data[:first] + fresh + data[end:], f"replace bytes {first}..{end}")


def insert_bytes(data: bytes, chance: Random) -> Mutated:
    place = pick_place(data, chance)
    fresh = chance.choice(
        (b"\0", b"\n", b"\xff", b"\xef\xbb\xbf", b"\x1b[2J", b'"', b",", b"[" * 300, b"0" * 400, chance.randbytes(8))
    )
    return Mutated(data[:place] + fresh + data[place:], f"insert {fresh[:8]!r}, {len(fresh)} bytes, at {place}")


def delete_bytes(data: bytes, chance: Random) -> Mutated:
    first, end = pick_slice(data, chance)
    return Mutated(data[:first] + data[end:], f"delete bytes {first}..{end}")


def truncate(data: bytes, chance: Random) -> Mutated:
    end = pick_place(data, chance)
    return Mutated(data[:end], f"cut off at {end} of {len(data)}")


def duplicate_slice(data: bytes, chance: Random) -> Mutated:
    first, end = pick_slice(data, chance)
    place, times = pick_place(data, chance), chance.choice((1, 1, 2, 50))
    fresh = data[first:end][:20_000] * times
    return Mutated(data[:place] + fresh + data[place:], f"repeat bytes {first}..{end} {times} times at {place}")


def copy_slice(data: bytes, chance: Random) -> Mutated:
    """Write a short piece over another place: what stands there is of the right kind, and wrong."""
    first, place, length = pick_place(data, chance), pick_place(data, chance), chance.choice((1, 1, 2, 4, 8))
    piece = data[first : first + length]
    return Mutated(
        data[:place] + piece + data[place + len(piece) :], f"copy bytes {first}..{first + length} to {place}"
    )


def swap_slices(data: bytes, chance: Random) -> Mutated:
    a, b, c, d = sorted(pick_place(data, chance) for _ in range(4))
    return Mutated(data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:], f"swap bytes {a}..{b} and {c}..{d}")


def replace_word(data: bytes, chance: Random) -> Mutated | None:
    """Put an extreme number in the place of four bytes, little or big end first."""
    if len(data) < 8:
        return None
    place = min(pick_place(data, chance), len(data) - 4)
    place -= place % 4 if chance.random() < 0.5 else 0
    word = chance.choice(STRANGE_WORDS)
    word = word[::-1] if chance.random() < 0.3 else word
    return Mutated(data[:place] + word + data[place + 4 :], f"write {word.hex()} at {place}")


def splice(data: bytes, other: bytes, chance: Random) -> Mutated:
    """Put a piece of another file into this one."""
    first, end = pick_slice(other, chance, 400)
    begin, rest = pick_slice(data, chance)
    piece = other[first:end][:50_000]
    return Mutated(
        data[:begin] + piece + data[rest:], f"bytes {begin}..{rest} become {first}..{end} of a file of {len(other)}"
    )


# --- text ---


def find_match(pattern: re.Pattern[bytes], data: bytes, chance: Random) -> re.Match[bytes] | None:
    """A match of the pattern: the first one from a place on."""
    place = pick_place(data, chance)
    return pattern.search(data, place) or pattern.search(data)


def replace_number(data: bytes, chance: Random) -> Mutated | None:
    found = find_match(NUMBER, data, chance)
    if found is None:
        return None
    number = chance.choice(EXTREME_NUMBERS).encode()
    if chance.random() < 0.4 and found[0].isdigit() and len(found[0]) < 18:
        number = str(int(found[0]) + chance.choice((-1, 1, 2, 10))).encode()
    elif chance.random() < 0.3:
        other = find_match(NUMBER, data, chance)
        number = number if other is None else other[0]
    return Mutated(
        data[: found.start()] + number + data[found.end() :],
        f"the number {found[0][:20]!r} at {found.start()} becomes {number[:24]!r}, {len(number)} signs",
    )


def replace_quoted(data: bytes, chance: Random) -> Mutated | None:
    found = find_match(QUOTED, data, chance)
    if found is None:
        return None
    text = chance.choice(STRANGE_TEXTS).encode()
    other = find_match(QUOTED, data, chance)
    if other is not None and chance.random() < 0.4:
        text = other[0][1:-1]
    return Mutated(
        data[: found.start()] + b'"' + text + b'"' + data[found.end() :],
        f"the text {found[0][:20]!r} at {found.start()} becomes {text[:24]!r}, {len(text)} bytes",
    )


def mutate_packed_text(data: bytes, chance: Random) -> Mutated | None:
    """Change what a base64 text holds, unpacked if it is compressed."""
    found = find_match(PACKED, data, chance)
    if found is None:
        return None
    try:
        held = base64.b64decode(found[0], validate=True)
    except binascii.Error:
        return None
    inner = mutate_compressed(held, chance) or chance.choice(BYTE_MUTATIONS)(held, chance)
    if inner is None:
        return None
    text = base64.b64encode(inner.data)
    return Mutated(data[: found.start()] + text + data[found.end() :], f"in the base64 at {found.start()}: {inner.how}")


def mutate_lines(data: bytes, chance: Random) -> Mutated | None:
    """Repeat, delete, swap, shorten or lengthen lines."""
    lines = data.split(b"\n")
    if len(lines) < 3:
        return None
    a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
    how = chance.choice(("repeat", "delete", "swap", "shorten", "lengthen", "empty", "indent", "repeat often"))
    if how == "repeat":
        lines.insert(b, lines[a])
    elif how == "delete":
        del lines[a]
    elif how == "swap":
        lines[a], lines[b] = lines[b], lines[a]
    elif how == "shorten":
        lines[a] = lines[a][: len(lines[a]) // 2]
    elif how == "lengthen":
        lines[a] += lines[b]
    elif how == "empty":
        lines[a] = b""
    elif how == "indent":
        lines[a] = b" \t"[chance.randrange(2) :] + lines[a]
    else:
        lines[a:a] = [lines[b][:1000]] * 300
    return Mutated(b"\n".join(lines), f"{how} line {a}")


def recode(data: bytes, chance: Random) -> Mutated | None:
    """Write the text in another encoding, or with other ends of lines."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    way = chance.choice(("utf-16", "utf-32-le", "latin-1", "bom", "crlf", "cr", "line separator", "upper case", "NUL"))
    if way == "bom":
        return Mutated(codecs.BOM_UTF8 * chance.choice((1, 2)) + data, "begin with a byte order mark")
    ends = {"crlf": "\r\n", "cr": "\r", "line separator": "\u2028"}
    if way in ends:
        return Mutated(text.replace("\n", ends[way]).encode(), f"ends of lines become {ends[way]!r}")
    if way == "upper case":
        return Mutated(text.upper().encode(), "all letters become large")
    if way == "NUL":
        return Mutated(text.replace("\n", "\0").encode(), "ends of lines become NUL")
    return Mutated(text.encode(way, "replace"), f"write it as {way}")


# --- JSON ---

_TWICE = "\ue000"
"""Ends a key that is to stand twice."""
_RAW = "\ue001"
"""Begins a text that stands for an entry of `STRANGE_VALUES`."""
_RAW_TEXT = re.compile(f'"{_RAW}([0-9]+)"')


def mutate_json(data: bytes, chance: Random) -> Mutated | None:
    """Replace, delete, repeat or swap values and keys of a JSON text."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(whole, dict | list) or not whole:
        return None
    holder, key, path = pick_node(whole, chance)
    how = chance.choice(("value", "value", "value", "near", "near", "delete", "repeat", "swap", "rename", "inside"))
    told = f"{how} {path}"
    if how == "value":
        number = chance.randrange(len(STRANGE_VALUES))
        holder[key] = f"{_RAW}{number}"
        told = f"{path} becomes {STRANGE_VALUES[number][:24]}, {len(STRANGE_VALUES[number])} signs"
    elif how == "near":
        if isinstance(holder[key], int | float):
            holder[key] += chance.choice((-1, 1, 2, 10, 0.5, 1000))
        else:
            other, place, second = pick_node(whole, chance)
            holder[key] = other[place]
            told = f"{path} becomes {second}"
    elif how == "delete":
        del holder[key]
    elif how == "repeat" and isinstance(holder, dict):
        holder[f"{key}{_TWICE}"] = holder[key]
    elif how == "repeat":
        holder[key:key] = [holder[key]] * chance.choice((1, 1, 3, 100))
    elif how == "swap":
        other, place, second = pick_node(whole, chance)
        holder[key], other[place] = other[place], holder[key]
        told = f"swap {path} and {second}"
    elif how == "rename" and isinstance(holder, dict):
        name = chance.choice([*holder, *STRANGE_TEXTS])
        holder[name] = holder.pop(key)
    else:
        text = holder[key]
        inner = (
            chance.choice((mutate_json, mutate_packed_text))(text.encode("utf-8", "replace"), chance)
            if (isinstance(text, str))
            else None
        )
        if inner is None:
            return None
        holder[key] = inner.data.decode("utf-8", "replace")
        told = f"inside {path}: {inner.how}"
    return Mutated(format_json(whole), told)


def format_json(whole: Any) -> bytes:
    """The JSON text, with keys that stand twice and raw values filled in."""
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    if _RAW in text:
        text = _RAW_TEXT.sub(lambda found: STRANGE_VALUES[int(found[1])], text)
    return text.replace(f'{_TWICE}"', '"').encode("utf-8", "replace")


def pick_node(whole: Any, chance: Random) -> tuple[Any, Any, str]:
    """A value of a JSON text: what holds it, its key or index there, and its path. Each level is as likely."""
    holder, path = whole, ""
    while True:
        key = chance.choice([*holder]) if isinstance(holder, dict) else chance.randrange(len(holder))
        path += f".{key}"[:40] if isinstance(key, str) else f"[{key}]"
        inner = holder[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.25:
            return holder, key, path
        holder = inner


# --- XML ---


def mutate_attribute(data: bytes, chance: Random) -> Mutated | None:
    """Change, drop, empty, rename or repeat an attribute."""
    found = find_match(ATTRIBUTE, data, chance)
    if found is None:
        return None
    name, _, value = found[0].partition(b"=")
    number = chance.choice(EXTREME_NUMBERS).encode()
    text = chance.choice(STRANGE_TEXTS).encode("utf-8").replace(b"<", b"&lt;").replace(b'"', b"&quot;")
    how, fresh = chance.choice(
        (
            ("drop", b""),
            ("empty", name + b'=""'),
            (f"write {number[:24]!r} in", name + b'="' + number + b'"'),
            (f"write {text[:24]!r} in", name + b'="' + text + b'"'),
            ("rename", name + b"x=" + value),
            ("repeat", found[0] + found[0]),
        )
    )
    return Mutated(data[: found.start()] + fresh + data[found.end() :], f"{how} {found[0].strip()[:40]!r}")


def mutate_elements(data: bytes, chance: Random) -> Mutated | None:
    """Repeat, move, drop, empty or rename an element, or put it into itself."""
    root = ElementTree.fromstring(data)
    parents = [element for element in root.iter() if len(element)]
    if not parents:
        return None
    parent = chance.choice(parents)
    place = chance.randrange(len(parent))
    child = parent[place]
    how = chance.choice(("repeat", "repeat often", "move", "drop", "empty", "rename", "text", "nest"))
    if how == "repeat":
        parent.insert(place, child)
    elif how == "repeat often":
        parent[place:place] = [child] * 100
    elif how == "move":
        parent.remove(child)
        chance.choice([*root.iter()]).append(child)
    elif how == "drop":
        parent.remove(child)
    elif how == "empty":
        parent[place] = ElementTree.Element(child.tag)
    elif how == "rename":
        child.tag = chance.choice([*root.iter()]).tag
    elif how == "text":
        child.text = chance.choice([*STRANGE_TEXTS, *EXTREME_NUMBERS]).replace("\x1b", "")
    else:
        for _ in range(chance.choice((1, 100))):
            outer = ElementTree.Element(child.tag, child.attrib)
            outer.append(parent[place])
            parent[place] = outer
    if root.tag.startswith("{"):
        ElementTree.register_namespace("", root.tag[1:].partition("}")[0])
    fresh: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return Mutated(fresh, f"{how} the element {child.tag} in {parent.tag}")


# --- compressed content ---


def mutate_compressed(data: bytes, chance: Random) -> Mutated | None:
    """Unpack gzip or zlib, change the content, and pack it again."""
    packed_by_gzip = data.startswith(b"\x1f\x8b")
    try:
        unpacker = zlib.decompressobj(wbits=31 if packed_by_gzip else 15)
        held = unpacker.decompress(data, MAX_UNPACKED_BYTES)
    except zlib.error:
        return None
    if chance.random() < 0.03:
        held += bytes(30_000_000)
        inner = Mutated(held, "30,000,000 zeros at the end")
    else:
        inner = chance.choice(BYTE_MUTATIONS)(held, chance) or flip_bits(held, chance)
    if packed_by_gzip != (chance.random() < 0.05):
        return Mutated(gzip.compress(inner.data, 1, mtime=0), f"in the gzip: {inner.how}")
    return Mutated(zlib.compress(inner.data, 1), f"in the zlib: {inner.how}")


def mutate_zip(data: bytes, chance: Random) -> Mutated | None:
    """Pack the archive anew: with a changed, renamed, missing or repeated member, or other compression."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(entry.filename, archive.read(entry)) for entry in archive.infolist()]
    if not members:
        return None
    place = chance.randrange(len(members))
    name, held = members[place]
    method = chance.choice((zipfile.ZIP_DEFLATED,) * 3 + (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    how = chance.choice(("change", "change", "change", "repeat", "rename", "drop", "swap", "repack"))
    if how == "change":
        inner = mutate_npy(held, chance) or chance.choice(BYTE_MUTATIONS)(held, chance) or flip_bits(held, chance)
        members[place] = (name, inner.data)
        how = inner.how
    elif how == "repeat":
        members.append(members[place])
    elif how == "rename":
        members[place] = (chance.choice(("../x.npy", "x", "layer a.npy", "tiles.npy", "", "a/b.npy", "x" * 300)), held)
    elif how == "drop":
        del members[place]
    elif how == "swap":
        other = chance.randrange(len(members))
        members[place], members[other] = (name, members[other][1]), (members[other][0], held)
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", method) as archive:
        warnings.simplefilter("ignore")  # zipfile warns of a name that stands twice
        for member, content in members:
            archive.writestr(zipfile.ZipInfo(member), content, method)
    return Mutated(file.getvalue(), f"in {name}: {how}; packed by method {method}")


def mutate_npy(data: bytes, chance: Random) -> Mutated | None:
    """Change the header of a NumPy array, or put a number of another size into its cells."""
    if not data.startswith(b"\x93NUMPY\x01") or len(data) < 12:
        return None
    end = 10 + struct.unpack_from("<H", data, 8)[0]
    header, cells = data[10:end].decode("latin-1"), data[end:]
    way = chance.random()
    if way < 0.3:
        fresh = chance.choice(STRANGE_DTYPES)
        header = re.sub(r"('descr': ).*?(, 'fortran)", lambda found: found[1] + fresh + found[2], header)
    elif way < 0.6:
        fresh = chance.choice(STRANGE_SHAPES)
        header = re.sub(r"('shape': )\(.*?\)", lambda found: found[1] + fresh, header)
    elif way < 0.7:
        fresh = "a header of other text"
        header = chance.choice(
            ("{}", "[]", "__import__('os')", "{'descr': '<i4'}", "(" * 300, header.replace("False", "True"))
        )
    else:
        inner = replace_word(cells, chance)
        return inner and Mutated(data[:end] + inner.data, f"in the cells: {inner.how}")
    written = header.strip().ljust(end - 11).encode("latin-1") + b"\n"
    return Mutated(data[:8] + struct.pack("<H", len(written)) + written + cells, f"the npy header gets {fresh}")


# --- PNG ---


def read_chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """The chunks of a PNG picture: type and content."""
    chunks, place = [], len(PNG_SIGNATURE)
    while place + 12 <= len(data):
        length = struct.unpack_from(">I", data, place)[0]
        chunks.append((data[place + 4 : place + 8], data[place + 8 : place + 8 + length]))
        place += 12 + length
    return chunks


def write_chunks(chunks: Sequence[tuple[bytes, bytes]]) -> bytes:
    """A PNG picture of these chunks, with true checksums."""
    return PNG_SIGNATURE + b"".join(
        struct.pack(">I", len(held)) + kind + held + struct.pack(">I", zlib.crc32(kind + held)) for kind, held in chunks
    )


STRANGE_CHUNKS = (
    *(
        (b"iCCP", b""),
        (b"iCCP", b"x\0\0" + zlib.compress(b"x")),
        (b"tRNS", b""),
        (b"tRNS", b"\0" * 300),
        (b"PLTE", b""),
    ),
    *((b"PLTE", b"\0\0\0" * 300), (b"zTXt", b"undercroft\0\0" + zlib.compress(bytes(3_000_000))), (b"zTXt", b"")),
    *(
        (b"tEXt", b"undercroft\0{}"),
        (b"iTXt", b"undercroft\0\1\0\0\0" + zlib.compress(b"{}")),
        (b"iTXt", b"undercroft"),
    ),
    *(
        (b"acTL", struct.pack(">II", 3, 0)),
        (b"acTL", bytes(8)),
        (b"acTL", b""),
        (b"fcTL", bytes(26)),
        (b"fdAT", b"\0\0"),
        (b"sBIT", b""),
    ),
    *((b"gAMA", b""), (b"pHYs", b""), (b"eXIf", b"x"), (b"IEND", b""), (b"IDAT", b""), (b"aaaa", b""), (b"AAAA", b"")),
    *((b"sRGB", b""), (b"cHRM", b"x"), (b"\0\0\0\0", b""), (b"iTXt", b"undercroft\0\0\0\0\0" + b"[" * 500)),
)


def mutate_png(data: bytes, chance: Random) -> Mutated | None:
    """Repeat, move, drop, add or change chunks, all with true checksums."""
    chunks = read_chunks(data)
    if len(chunks) < 2:
        return None
    place, other = chance.randrange(len(chunks)), chance.randrange(len(chunks) + 1)
    kind, held = chunks[place]
    how = chance.choice(("repeat", "move", "drop", "header", "second header", "add", "add", "pixels", "change"))
    if how == "repeat":
        chunks.insert(other, (kind, held))
    elif how == "move":
        chunks.insert(other, chunks.pop(place))
    elif how == "drop":
        del chunks[place]
    elif "header" in how:
        sides = [chance.choice((0, 1, 2, 20, 5000, 65_535, 1 << 30, 0xFFFFFFFF)) for _ in range(2)]
        rest = (
            chunks[0][1][8:] if chance.random() < 0.5 else bytes(chance.choice((0, 1, 2, 3, 6, 8, 16)) for _ in "12345")
        )
        head = (b"IHDR", struct.pack(">II", *sides) + rest)
        if how == "header":
            chunks[0] = head
        else:
            chunks.insert(other, head)
        how = f"{how} of {sides[0]}x{sides[1]} {rest.hex()}"
    elif how == "add":
        kind, held = chance.choice(STRANGE_CHUNKS)
        chunks.insert(other, (kind, held))
        how = f"add {len(held)} bytes before chunk {other}:"
    elif how == "pixels":
        place = next((at for at, (word, _) in enumerate(chunks) if word == b"IDAT"), 0)
        inner = mutate_compressed(chunks[place][1], chance)
        if inner is None:
            return None
        chunks[place] = (chunks[place][0], inner.data)
        how = inner.how
    else:
        inner = chance.choice(BYTE_MUTATIONS)(held, chance) or flip_bits(held, chance)
        chunks[place] = (kind, inner.data)
        how = inner.how
    return Mutated(write_chunks(chunks), f"chunk {place}: {how} {kind!r}")


# --- glTF ---


def mutate_gltf(data: bytes, chance: Random) -> Mutated | None:
    """Change the JSON chunk of a binary glTF model, with true lengths."""
    if len(data) < 20:
        return None
    length = struct.unpack_from("<I", data, 12)[0]
    inner = chance.choice(JSON_MUTATIONS + TEXT_MUTATIONS)(data[20 : 20 + length], chance)
    if inner is None:
        return None
    text = inner.data + b" " * (-len(inner.data) % 4)
    rest = data[20 + length :]
    head = b"glTF" + struct.pack("<II", 2, 20 + len(text) + len(rest)) + struct.pack("<I", len(text)) + b"JSON"
    return Mutated(head + text + rest, f"in the JSON chunk: {inner.how}")


BYTE_MUTATIONS: tuple[Mutation, ...] = (
    flip_bits,
    replace_bytes,
    insert_bytes,
    delete_bytes,
    truncate,
    duplicate_slice,
    copy_slice,
    copy_slice,
    swap_slices,
    replace_word,
)
TEXT_MUTATIONS: tuple[Mutation, ...] = (
    replace_number,
    replace_number,
    replace_quoted,
    mutate_packed_text,
    mutate_lines,
    recode,
)
JSON_MUTATIONS: tuple[Mutation, ...] = (mutate_json,)
XML_MUTATIONS: tuple[Mutation, ...] = (mutate_attribute, mutate_attribute, mutate_elements)
SIGNATURES: tuple[tuple[bytes, tuple[Mutation, ...]], ...] = (
    (PNG_SIGNATURE, (mutate_png,)),
    (b"PK\x03\x04", (mutate_zip,)),
    (b"\x1f\x8b", (mutate_compressed,)),
    (b"glTF", (mutate_gltf,)),
    (b"%PDF", (replace_number, replace_word, *BYTE_MUTATIONS)),
)
"""How files of a kind begin, and the mutations for them."""
