"""Read TOML with checks, and keep the place of every key.

`tomllib` parses the text. It does not report where a key stands, and a small hostile text can stall it. So a scanner of
our own reads the text first: it counts dots and brackets, and records where each key and each value starts. The scanner
is never stricter than `tomllib`: where it fails, `tomllib` fails as well, at the same spot or before it, and reports
what is wrong.
"""

from __future__ import annotations

import math
import re
from typing import Any

from undercroft import limits
from undercroft.errors import BadInput, Place
from undercroft.inputs.arguments import require_text
from undercroft.inputs.lines import locate, replace_unprintable
from undercroft.inputs.values import Document, KeyMark, Path, format_path

_BASIC_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
_LITERAL_STRING = r"'[^'\n]*'"
_MULTILINE_BASIC_STRING = r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*""""{0,2}'
_MULTILINE_LITERAL_STRING = r"'''.*?''''{0,2}"

_BLANKS_AND_COMMENTS = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_LINE_END = re.compile(r"[ \t\r]*(?:#[^\n]*)?(?:\n|\Z)")
_KEY_PART = re.compile(rf"[A-Za-z0-9_-]+|{_BASIC_STRING}|{_LITERAL_STRING}")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_EQUALS = re.compile(r"[ \t]*=[ \t]*")
_STRING = re.compile(
    rf"{_MULTILINE_BASIC_STRING}|{_MULTILINE_LITERAL_STRING}|(?!\"{{3}}|'{{3}})(?:{_BASIC_STRING}|{_LITERAL_STRING})",
    re.DOTALL,
)
_BARE_VALUE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.+Zz-]+|[^\s,\[\]{}#=\"']+")

_WORD = r"[^\W\d][\w.-]*"
_TOML_WORDS = frozenset({"true", "false", "inf", "nan"})
_TOMLLIB_MESSAGE = r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)"

_CLASH_MESSAGES = (
    "Cannot declare",
    "Cannot overwrite",
    "Cannot redefine",
    "Cannot mutate",
    "Duplicate inline table key",
)
_OPEN_STRING_MESSAGES = (
    "Unterminated string",
    "Illegal character '\\n'",
    "Found invalid character '\\n'",
    "Expected \"'",
)
_ESCAPE_MESSAGES = ("Unescaped '\\'", "Invalid hex value", "Escaped character")

_TYPE_FIXES: dict[type, str] = {str: 'put it in quotes: "..."', bool: "write true or false"}
_FIXES = (
    ("Expected '=' after a key", "write key = value, and put a key that has blanks or signs in quotes"),
    ("Expected ']' at the end", "write [name], and put a name that has blanks or signs in quotes"),
    ("Expected ']]' at the end", "write [[name]], and put a name that has blanks or signs in quotes"),
    ("Expected newline", "write one key = value on a line, and put quotes around text"),
    ("Unclosed array", "put a comma between values and ']' after the last"),
    ("Unclosed inline table", "put a comma between the entries and '}' after the last, all on one line"),
    (
        "Invalid initial character",
        "a key is made of letters, digits, '-' and '_'; put any other in quotes, and no comma before '}'",
    ),
    ("Invalid statement", "a line is key = value, [table], [[list]] or # comment"),
    ("Unescaped '\\'", "write \\\\ for a backslash, or put the text in 'single quotes'"),
    ("Invalid hex value", "write four hexadecimal digits after \\u, eight after \\U"),
    ("Escaped character", "write the code of a character: \\u0000 to \\uD7FF or \\uE000 to \\U0010FFFF"),
    ("Invalid date", "write a day that exists, as in 2024-02-29"),
    ("Illegal character", "remove the control character, or write it as \\uXXXX"),
    ("Found invalid character", "remove the control character"),
)


class TomlDocument(Document):
    """The values of a TOML text, and their places.

    >>> cave = parse_toml('[[step]]\\nuse = "noise"\\n', "cave.toml")
    >>> cave.data
    {'step': [{'use': 'noise'}]}
    >>> print(cave.place("step", 0, "use"), cave.value_place("step", 0, "use"))
    cave.toml:2:1 cave.toml:2:7
    """

    __slots__ = ()
    data: dict[str, Any]

    def type_fix(self, kind: type, path: Path) -> str:
        if kind is dict:
            return f"write [{format_path(path)}] on a line of its own"
        return _TYPE_FIXES.get(kind) or super().type_fix(kind, path)


def parse_toml(text: str, file: str) -> TomlDocument:
    """Parse a TOML text; `file` is its name in errors."""
    require_text("text", text)
    require_text("file", file, "give the name that errors show, for example 'cave.toml'")
    _check_characters(text, file)
    return _parse_document(text, file)


def parse_value(text: str, file: str) -> Any:
    """Parse one TOML value; a bare word that is no TOML value is read as text.

    >>> parse_value("[[5, 2, 4]]", "--set"), parse_value("0.4", "--set"), parse_value("largest", "--set")
    ([[5, 2, 4]], 0.4, 'largest')
    """
    _check_characters(text, file)
    word = text.strip()
    if re.fullmatch(_WORD, word) and word not in _TOML_WORDS:
        return word
    start = "value = "
    try:
        document = _parse_document(start + text, file)
    except BadInput as error:
        if error.place and error.place.line == 1:
            error.place = error.place._replace(
                column=max(1, error.place.column - len(start)), text=error.place.text.removeprefix(start)
            )
        raise
    if len(document.data) > 1:
        raise BadInput(
            "this is more than one value",
            place=document.place(list(document.data)[1]),
            fix="give one value, such as 0.4 or [1, 2]",
        )
    return document.data["value"]


def _check_characters(text: str, file: str) -> None:
    size = len(text) if len(text) > limits.TOML_BYTES.value else len(text.encode("utf-8", "surrogatepass"))
    _check_limit(limits.TOML_BYTES, size, "the size of this TOML text in bytes", text[:200], file, 0)
    try:
        text.encode()
    except UnicodeEncodeError as broken:
        raise BadInput(
            "this is half of a character (a lone surrogate)",
            place=locate(text, file, broken.start),
            fix="save the text as UTF-8",
        ) from None


def _parse_document(text: str, file: str) -> TomlDocument:
    import tomllib  # only commands that read a recipe pay for it

    scan = _Scanner(text, file)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise BadInput(
            "this TOML nests too deeply for Python's stack", place=Place(file, 1, 1), fix="nest less"
        ) from None
    except ValueError as error:
        raise _build_error(scan, str(error)) from None
    if scan.lost:  # a newer tomllib may know more TOML than we can guard
        raise BadInput("this is not TOML 1.0", place=locate(text, file, scan.at), fix="see https://toml.io/en/v1.0.0")
    _check_values(data, scan)
    return TomlDocument(data, file, text, scan.root)


def _check_values(data: dict[str, Any], scan: _Scanner) -> None:
    """Refuse numbers that other programs read differently, and tables and arrays so deep that a recursive walk over
    them overflows the stack.
    """
    left: list[tuple[Any, KeyMark, int]] = [(data, scan.root, 0)]
    while left:
        found, mark, depth = left.pop()
        if isinstance(found, dict | list):
            _check_limit(limits.TOML_DEPTH, depth, "the nesting of tables and arrays", scan.text, scan.file, mark.key)
            named = found.items() if isinstance(found, dict) else enumerate(found)
            left.extend((element, mark.inside[name], depth + 1) for name, element in named)
        elif isinstance(found, int) and not -(2**63) <= found < 2**63:
            raise BadInput(
                "this whole number does not fit in 64 bits", place=scan.place(mark.value), fix="write a smaller number"
            )
        elif isinstance(found, float) and not math.isfinite(found):
            raise BadInput(
                "this number is not finite", place=scan.place(mark.value), fix="write a number with an end, such as 1e9"
            )


class _LostError(Exception):
    """The scanner met something that is not TOML."""


class _Scanner:
    """Scans the text once, as far as it is TOML. Arrays and inline tables are kept on a list, not on Python's stack."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.at = 0
        self.root = KeyMark(0, "header")
        self.table = self.root
        """The table of the last header."""
        self.opened: list[tuple[KeyMark, str]] = []
        """The arrays and inline tables around `at`, each with the sign that closes it."""
        self.clash: tuple[str, int, int, bool] | None = None
        """The first key that is defined twice: its name, where it stands again and where first, and whether it is in a
        header.
        """
        self.lost = False
        try:
            self.take(_BLANKS_AND_COMMENTS)
            while self.at < len(text):
                self.scan_statement()
                self.take(_BLANKS_AND_COMMENTS)
        except _LostError:
            self.lost = True

    def place(self, at: int) -> Place:
        return locate(self.text, self.file, at)

    def take(self, pattern: re.Pattern[str]) -> str | None:
        """Step over what the pattern matches here, if it does."""
        found = pattern.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found.group()

    def expect(self, pattern: re.Pattern[str]) -> str:
        found = self.take(pattern)
        if found is None:
            raise _LostError
        return found

    def skip(self, sign: str) -> bool:
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def scan_statement(self) -> None:
        if self.skip("[["):
            self.scan_header("]]")
        elif self.skip("["):
            self.scan_header("]")
        else:
            self.scan_value(self.mark_key(self.table))
        self.expect(_LINE_END)

    def scan_header(self, closing: str) -> None:
        self.take(_BLANK)
        names = self.scan_dotted_key()
        name, at = names[-1]
        parent = self.resolve_parent(self.root, names, "parent", refused=("value",))
        mark = parent.inside.get(name)
        if mark is not None and mark.kind != ("list" if closing == "]]" else "parent"):
            self.note_clash(names, mark, in_header=True)
            mark = None
        if mark is None:
            mark = parent.inside[name] = KeyMark(at, "header")
        mark.kind = "list" if closing == "]]" else "header"
        self.table = mark.add(at) if closing == "]]" else mark
        self.take(_BLANK)
        if not self.skip(closing):
            raise _LostError

    def mark_key(self, table: KeyMark) -> KeyMark:
        """Step over `key =` and mark the key in this table."""
        names = self.scan_dotted_key()
        self.expect(_EQUALS)
        name, at = names[-1]
        parent = self.resolve_parent(table, names, "dotted", refused=("value", "header", "list"))
        if name in parent.inside:
            self.note_clash(names, parent.inside[name])
        parent.inside[name] = mark = KeyMark(at, "value")
        return mark

    def scan_dotted_key(self) -> list[tuple[str, int]]:
        """The parts of a dotted key, each with where it starts."""
        names: list[tuple[str, int]] = []
        while not names or self.take(_DOT):
            at = self.at
            _check_limit(
                limits.TOML_DOTS, len(names), "the number of dots in this key, up to here,", self.text, self.file, at
            )
            names.append((_unquote_key(self.expect(_KEY_PART)), at))
        return names

    def resolve_parent(
        self, mark: KeyMark, names: list[tuple[str, int]], made: str, refused: tuple[str, ...]
    ) -> KeyMark:
        """The table that holds the last of these names; creates the tables on the way."""
        for depth, (name, at) in enumerate(names[:-1], 1):
            known = mark.inside.get(name)
            if known is None:
                known = mark.inside[name] = KeyMark(at, made)
            elif known.kind in refused:
                self.note_clash(names[:depth], known)
            elif known.kind == "parent":
                known.kind = made
            mark = known.inside[len(known.inside) - 1] if known.kind == "list" else known
        return mark

    def note_clash(self, names: list[tuple[str, int]], first: KeyMark, *, in_header: bool = False) -> None:
        if self.clash is None:
            self.clash = replace_unprintable(".".join(name for name, _ in names)), names[-1][1], first.key, in_header

    def scan_value(self, mark: KeyMark) -> None:
        """Step over the value of this key, and mark all that is in it."""
        while True:
            mark.value = self.at
            closing = {"[": "]", "{": "}"}.get(self.text[self.at : self.at + 1])
            if closing:
                self.at += 1
                self.opened.append((mark, closing))
                _check_limit(
                    limits.TOML_DEPTH,
                    len(self.opened),
                    "the nesting of brackets here",
                    self.text,
                    self.file,
                    mark.value,
                )
            else:
                self.scan_scalar()
            while self.opened:  # close all that ends here, then go on with the next element
                holder, closing = self.opened[-1]
                self.take(_BLANKS_AND_COMMENTS)
                if self.skip(","):  # tomllib knows where a comma must be
                    self.take(_BLANKS_AND_COMMENTS)
                if not self.skip(closing):
                    mark = self.mark_key(holder) if closing == "}" else holder.add(self.at, "value")
                    break
                self.opened.pop()
            else:
                return

    def scan_scalar(self) -> None:
        at = self.at
        if self.take(_STRING) is None and len(self.expect(_BARE_VALUE)) > limits.TOML_VALUE_LENGTH.value:
            # Python refuses to read integers of thousands of digits, and says so without a place
            problem = f"this value has {self.at - at:,} characters and no quotes"
            raise BadInput(problem, place=self.place(at), fix=limits.TOML_VALUE_LENGTH.raise_by)


def _unquote_key(word: str) -> str:
    """The name that a part of a key stands for."""
    if word[0] not in "\"'":
        return word
    if "\\" not in word:
        return word[1:-1]
    import tomllib

    try:
        return next(iter(tomllib.loads(f"{word}=0")))
    except tomllib.TOMLDecodeError:
        raise _LostError from None


def _build_error(scan: _Scanner, said: str) -> BadInput:
    """The error of `tomllib` as one of ours: with the place to look at, and a fix."""
    text, parts = scan.text, re.fullmatch(_TOMLLIB_MESSAGE, said)
    if parts is None:
        return BadInput(
            f"this is not TOML: {said}", place=scan.place(0), fix="see https://toml.io for how TOML is written"
        )
    said, line, column = parts.groups()
    at = len(text)
    if line:
        at = sum(len(row) + 1 for row in text.split("\n")[: int(line) - 1]) + int(column) - 1
    if said.startswith(_CLASH_MESSAGES) and scan.clash:
        name, at, first, in_header = scan.clash
        more = f", or write [[{name}]] for each entry of a list" if in_header else ""
        fix = f"it is first defined on line {scan.place(first).line}; keep one{more}"
        return BadInput(f"the key {name!r} is already defined", place=scan.place(at), fix=fix)
    before = _Scanner(text[:at], scan.file)
    if said.startswith(_OPEN_STRING_MESSAGES):
        quote, long = text[before.at], text[before.at] * 3  # the scanner is lost where the string starts
        fix = f"close it with {quote} on the same line, or write {long} around a text of several lines"
        if text.startswith(long, before.at):
            fix = f"close it with {long}"
        return BadInput("this is not TOML: a string is not closed", place=before.place(before.at), fix=fix)
    fix = _suggest_fix(text, at, said)
    if before.opened:
        holder, closing = before.opened[-1]
        opening = scan.place(holder.value)
        if not text[at:].strip():
            return BadInput(
                "this is not TOML: a bracket is not closed", place=opening, fix=f"close it with '{closing}'"
            )
        if opening.line < scan.place(at).line:  # a bracket left open on an earlier line is often the true mistake
            fix += f"; or close the bracket of line {opening.line} with '{closing}'"
    if said.startswith(_ESCAPE_MESSAGES):
        at = text.rindex("\\", 0, at)
    error = BadInput(f"this is not TOML: {said}", place=scan.place(at), fix=fix)
    error.instead = _find_replacement(text, at) if said.startswith("Invalid value") else None
    return error


def _find_replacement(text: str, at: int) -> tuple[str, str] | None:
    """The text that is no value, and how to write it: in lower case, with a digit before the point, or in quotes."""
    words = re.split(r"[\n#,\]}]", text[at : at + 100])[0].strip()
    if not words or not words.isprintable() or '"' in words or "\\" in words:
        return None
    if words.lower() in {"true", "false"}:
        return words, words.lower()
    return (words, words.replace(".", "0.", 1)) if words.lstrip("+-").startswith(".") else (words, f'"{words}"')


def _suggest_fix(text: str, at: int, said: str) -> str:
    """The fix for the mistake that `tomllib` found here."""
    if said.startswith("Invalid value"):
        words = replace_unprintable(re.split(r"[\n#,\]}]", text[at : at + 40])[0].strip())
        if not words:
            return 'write a value here, such as 0.4, true or "text"'
        if words.lower() in {"true", "false"}:
            return f"write {words.lower()}, in small letters"
        return (
            "write a digit before the point, as in 0.5"
            if words.lstrip("+-").startswith(".")
            else f'put quotes around text: "{words}"'
        )
    if said.startswith("Expected newline") and re.match(r"0[0-9]", text[at - 1 : at + 1]):
        return "write the number without zeros before it"
    if said.startswith("Invalid statement") and text[at] == "\ufeff":
        return "save the file as UTF-8 without a byte order mark"
    return next((fix for start, fix in _FIXES if said.startswith(start)), "see https://toml.io for how TOML is written")


def _check_limit(limit: limits.Limit, asked: int, what: str, text: str, file: str, at: int) -> None:
    if asked > limit.value:  # to find a place takes time
        limit.check(asked, what, locate(text, file, at))


def format_setting(value: Any) -> str:
    """A value as `--set` takes it: a text is quoted if it would mean something else without quotes.

    >>> format_setting("rounded"), format_setting("true"), format_setting(True), format_setting("a b")
    ('rounded', '"true"', 'true', '"a b"')
    """
    is_word = isinstance(value, str) and re.fullmatch(r"(?!(?:true|false|inf|nan)$)[A-Za-z_][\w-]*", value)
    if is_word:
        return str(value)
    from undercroft.inputs.json import format_json  # imported late: most programs write no settings

    return format_json(value)
