"""Parse and format names: bare, or in quotes."""

from __future__ import annotations

import re

from undercroft.inputs.lines import QUOTED, LinePart

_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|.)")


def parse_name(part: LinePart, what: str) -> str:
    """A name: as it stands, or in quotes.

    >>> from undercroft.rewrite.text.lines import split_lines
    >>> parse_name(split_lines('"a, \\\\"b\\\\""', "x.rules")[0].cut(), "name")
    'a, "b"'
    """
    if not part.text.startswith('"'):
        return " ".join(part.text.split())
    found = QUOTED.match(part.text)
    if not found:
        raise part.error("quotes that are not closed", 'end the text with a second "')
    if found.end() < len(part.text):
        raise part.error(
            f"the {what} ends where its quotes end, but more follows", "put a comma after it", offset=found.end()
        )
    return _ESCAPE.sub(lambda escape: _unescape(part, escape), found[1])


def _unescape(part: LinePart, escape: re.Match[str]) -> str:
    sign = escape[1]
    if sign in {'"', "\\"}:
        return sign
    if len(sign) > 1:
        point = int(sign[2:-1], 16)
        if point < 0x110000 and not 0xD800 <= point < 0xE000:
            return chr(point)
    raise part.error(
        f"{escape[0]!r} stands for nothing",
        r"in quotes write \" and \\ for these two signs, and \u{E9} for any by its number",
        offset=1 + escape.start(),
    )


def quoted(text: str) -> str:
    r"""A name in quotes, as `parse_name` reads it. A `;` is escaped: on some lines it starts a comment even in quotes.

    >>> print(quoted('5" \\ pipe; bent'))
    "5\" \\ pipe\u{3B} bent"
    """
    inside = "".join(
        "\\" + sign if sign in '"\\' else sign if sign.isprintable() and sign != ";" else f"\\u{{{ord(sign):X}}}"
        for sign in text
    )
    return f'"{inside}"'


def is_bare_name(name: str) -> bool:
    """Whether a name without quotes reads back unchanged."""
    return (
        bool(name)
        and name == " ".join(name.split())
        and name.isprintable()
        and not set(name) & set(',;"{}=()')
        and name != "?"
    )


def format_tile_name(name: str) -> str:
    """The name of a tile in a list: bare if it reads back unchanged, else in quotes.

    >>> print(format_tile_name("stairs up"), format_tile_name("do or die"))
    stairs up "do or die"
    """
    return name if is_bare_name(name) and not set(name.split()) & {"or", "not"} and name != "none" else quoted(name)
