"""Small inputs that would cost gigabytes or minutes are refused, or read, within 300 MB and three seconds of a core."""

from __future__ import annotations

import json
import random
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import undercroft as uc
from undercroft import formats

MAX_MEGABYTES, MAX_SECONDS = 300, 3.0
MEASURED = """
import pathlib, sys, time
from undercroft.cli import main
try:
    main()
finally:
    status = pathlib.Path("/proc/self/status").read_text().splitlines()
    (most,) = [line.split()[1] for line in status if line.startswith("VmHWM")]
    print(f"MEASURED {time.process_time()} {most}", file=sys.stderr)
"""
"""The program, which reports its processor time and its greatest memory at the end. (getrusage would count what the
process had before the program was loaded.)
"""


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def head(width: int, height: int) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))


def picture_with_two_heads(path: Path) -> list[str]:
    """The first head tells of 16 cells; Pillow takes the last one, of 400 million."""
    side = 20_000
    pack = zlib.compressobj(9)
    rows = b"".join(pack.compress(bytes(1 + side // 8) * 1000) for _ in range(side // 1000)) + pack.flush()
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head(4, 4) + head(side, side) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))
    return ["convert", str(path), str(path.with_suffix(".json")), "--read-as", "png:tiles"]


def project_with_one_long_text(path: Path) -> list[str]:
    """NumPy would make every number as long as the text."""
    level = uc.generate("cave", seed=1, size=(300, 300))
    whole = json.loads(formats.dump(level, "ldtk"))
    (layer,) = [one for one in whole["levels"][0]["layerInstances"] if len(one["intGridCsv"]) == 90_000][:1]
    layer["intGridCsv"][7] = "x" * 8_000
    path.write_text(json.dumps(whole))
    return ["convert", str(path), str(path.with_suffix(".json"))]


def note_without_end(path: Path) -> list[str]:
    path.write_bytes(b"%PDF-1.7\n<< /undercroft (" + b"\\a" * 16_000_000)
    return ["generate", "--from", str(path)]


def pdf_note_of_escapes(path: Path) -> list[str]:
    path.write_bytes(b"%PDF-1.7\n<< /undercroft (" + b"\\a" * 16_000_000 + b") >>")
    return ["generate", "--from", str(path)]


def pdf_note_at_the_limit(path: Path) -> list[str]:
    path.write_bytes(b"%PDF-1.7\n<< /undercroft (" + b"\\a" * 8_000_000 + b") >>")
    return ["generate", "--from", str(path)]


def dot_note_of_escapes(path: Path) -> list[str]:
    path.write_bytes(b'graph {\n  undercroft="' + b"\\a" * 33_000_000 + b'";\n}\n')
    return ["generate", "--from", str(path)]


def dot_note_at_the_limit(path: Path) -> list[str]:
    path.write_bytes(b'graph {\n  undercroft="' + b"\\a" * 8_000_000 + b'";\n}\n')
    return ["generate", "--from", str(path)]


def scene_note_of_escapes(path: Path) -> list[str]:
    path.write_bytes(b'[gd_scene format=3]\nmetadata/undercroft = "' + b"\\a" * 33_000_000 + b'"\n')
    return ["generate", "--from", str(path)]


def scene_note_at_the_limit(path: Path) -> list[str]:
    path.write_bytes(b'[gd_scene format=3]\nmetadata/undercroft = "' + b"\\a" * 8_000_000 + b'"\n')
    return ["generate", "--from", str(path)]


def note_of_pairs(path: Path) -> list[str]:
    path.write_bytes(b"%PDF-1.7\n<< /undercroft <" + b"7 B\n" * 8_000_000 + b"> >>")
    return ["generate", "--from", str(path)]


def base_of_one_row(path: Path) -> list[str]:
    path.mkdir()
    (path / "rules").mkdir()
    (path / "base.txt").write_text("1,16777216\n=\n...\n")
    (path / "rules" / "a.txt").write_text("1,1\n=\n.\n=\nc\n")
    return ["rewrite", str(path), "--lenient", "--seed", "1"]


def words_on_one_line(path: Path) -> list[str]:
    """1,900 words on one line, each of which refers to a list that stands below."""
    count = 1900
    path.parent.joinpath("names.toml").write_text(
        'about = "x"\n[word]\nmood = ['
        + ",".join(f'"{{w{one}}}"' for one in range(count))
        + "]\n"
        + "".join(f'w{one} = ["b"]\n' for one in range(count))
        + '[title]\nany = ["{mood}"]\n[room]\nany = ["x"]\n[note]\nany = ["y"]\n'
    )
    path.write_text('[[step]]\nuse = "fill"\n[[step]]\nuse = "survey"\n[[step]]\nuse = "names"\nfile = "names.toml"\n')
    return ["lint", str(path)]


def long_names(path: Path) -> list[str]:
    """Two names of 15,000 letters each, which difflib would compare for eleven seconds."""
    letters = "".join([sign for sign in map(chr, range(0x430, 0x600)) if sign.islower()][:105])
    known, unknown = letters * 140, letters[::-1] * 140
    lines = [f'[param."{known}"]', "default = 0.4", "[[step]]", 'use = "noise"', f'wall = "${unknown}"']
    path.write_text("\n".join(lines))
    return ["generate", str(path)]


def title_of_a_book(path: Path) -> list[str]:
    path.write_text(json.dumps(json.loads(formats.dump(uc.Level.parse("#.#"), "json")) | {"title": "Ag " * 330_000}))
    return ["convert", str(path), str(path.with_suffix(".pdf"))]


def many_rules(path: Path) -> list[str]:
    """900 rules on a map of 40x30: why did each of them not fire?"""
    rng = random.Random(5)
    signs = "#.~+o"
    rules = [
        "one  r{}, turned\n    {}{}  ->  {}#\n    {}#      {}#\n".format(number, *rng.choices(signs, k=5))
        for number in range(900)
    ]
    path.write_text("\n".join(rules))
    ground = "\n".join("".join(rng.choices("#.+", k=40)) for _ in range(30))
    path.with_suffix(".txt").write_text(ground)
    return ["explain", str(path), "--on", str(path.with_suffix(".txt"))]


BOMBS: list[tuple[Callable[[Path], list[str]], str, int, str]] = [
    (picture_with_two_heads, "a.png", 2, "the picture"),
    (project_with_one_long_text, "a.ldtk", 2, "a whole number belongs here"),
    (note_without_end, "a.pdf", 2, "does not record how it was made"),
    (note_of_pairs, "b.pdf", 2, "16,777,216"),
    (pdf_note_of_escapes, "c.pdf", 2, "16,777,216"),
    (pdf_note_at_the_limit, "d.pdf", 2, "4,194,304"),
    (dot_note_of_escapes, "a.dot", 2, "16,777,216"),
    (dot_note_at_the_limit, "b.dot", 2, "4,194,304"),
    (scene_note_of_escapes, "a.tscn", 2, "16,777,216"),
    (scene_note_at_the_limit, "b.tscn", 2, "4,194,304"),
    (base_of_one_row, "grammar", 2, "the longer side of the map"),
    (words_on_one_line, "words.toml", 0, ""),
    (many_rules, "many.rules", 0, ""),
    (long_names, "names.toml", 2, "…"),
    (title_of_a_book, "title.json", 0, ""),
]


@pytest.mark.skipif(sys.platform != "linux", reason="the memory is read from /proc")
@pytest.mark.parametrize(("make", "name", "code", "says"), BOMBS, ids=[row[0].__name__ for row in BOMBS])
def test_a_small_input_costs_little(
    make: Callable[[Path], list[str]], name: str, code: int, says: str, tmp_path: Path
) -> None:
    line = make(tmp_path / name)
    done = subprocess.run([sys.executable, "-c", MEASURED, *line], capture_output=True, text=True, check=False)
    told, _, measured = done.stderr.rpartition("MEASURED ")
    seconds, kilobytes = map(float, measured.split())
    assert done.returncode == code, told
    assert says in told
    assert "Traceback" not in told
    assert kilobytes / 1024 <= MAX_MEGABYTES
    assert seconds <= MAX_SECONDS
