"""Format values and sections of Godot's text files."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

UNSAFE_SIGN_PATTERN = re.compile(r'["\\\x00-\x1f\x7f]')
"""Characters that must be escaped in a text."""
ESCAPE_PATTERN = re.compile(
    r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{6})|((?:\\(?!u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}).){1,1000})", re.DOTALL
)
"""A character by its number, or a run of escapes of one letter, of which a text may hold millions."""
ESCAPED_SIGNS = str.maketrans({"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"})
INTEGER_BOUND = 1 << 63
"""Godot's integers have 64 bits."""


class RawValue(NamedTuple):
    """A value that is written verbatim, such as `Vector2(8, 8)`."""

    text: str


def quote(text: str) -> str:
    r"""A text in quotes. Godot's texts cannot hold NUL.

    >>> print(quote('"A\\B"\n'))
    "\"A\\B\"\u000a"
    """
    return f'"{UNSAFE_SIGN_PATTERN.sub(_escape_sign, text)}"'


def _escape_sign(found: re.Match[str]) -> str:
    sign = found[0]
    return f"\\{sign}" if sign in '"\\' else "\ufffd" if sign == "\0" else f"\\u{ord(sign):04x}"


def unquote(text: str) -> str:
    r"""Decode a text from between quotes.

    >>> unquote(quote('"A\\B"\n')[1:-1])
    '"A\\B"\n'
    """
    return ESCAPE_PATTERN.sub(
        lambda found: (
            found[3][1::2].translate(ESCAPED_SIGNS) if found[3] else chr(min(int(found[1] or found[2], 16), 0x10FFFF))
        ),
        text,
    )


def format_value(value: Any) -> str:
    """A value as Godot writes it.

    >>> print(format_value({"gold": 40, "lit": True, "tags": ["a"]}))
    {"gold": 40, "lit": true, "tags": ["a"]}
    """
    if isinstance(value, RawValue):
        return value.text
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if -INTEGER_BOUND <= value < INTEGER_BOUND else quote(str(value))
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{quote(key)}: {format_value(held)}' for key, held in value.items())}}}"
    return f"[{', '.join(map(format_value, value))}]"


def format_vector(x: float, y: float) -> RawValue:
    """A point in pixels as a Vector2.

    >>> format_vector(8.0, 1000000.5).text
    'Vector2(8, 1000000.5)'
    """
    return RawValue(f"Vector2({', '.join(str(int(side)) if side == int(side) else repr(side) for side in (x, y))})")


def format_cell(x: int, y: int) -> RawValue:
    """A cell as a Vector2i."""
    return RawValue(f"Vector2i({x}, {y})")


def format_bytes(data: bytes) -> RawValue:
    """Bytes, as Godot 4.3 and later read them."""
    return RawValue(f'PackedByteArray("{b64encode(data).decode()}")')


def format_section(head: str, values: Mapping[str, Any] | Sequence[tuple[str, Any]] = (), **more: Any) -> str:
    """A section: its header, and the values set in it."""
    told = "".join(f" {name}={format_value(value)}" for name, value in more.items())
    rows = values.items() if isinstance(values, Mapping) else values
    return f"[{head}{told}]\n" + "".join(f"{name} = {format_value(value)}\n" for name, value in rows)


def format_node(
    name: str,
    kind: str,
    parent: str | None,
    values: Mapping[str, Any] | None = None,
    meta: Mapping[str, Any] | None = None,
    groups: Sequence[str] = (),
) -> str:
    """A node below another; `parent` is None for the root, and `.` for its direct children. Games read `meta` with
    `get_meta`.
    """
    head = (
        {"name": name, "type": kind}
        | ({} if parent is None else {"parent": parent})
        | ({"groups": groups} if groups else {})
    )
    return format_section(
        "node", {**(values or {}), **{f"metadata/{key}": value for key, value in (meta or {}).items()}}, **head
    )


def to_node_name(text: str, otherwise: str) -> str:
    """A text as a valid Godot node name.

    >>> to_node_name("iron key", "Thing"), to_node_name("%/.", "Thing")
    ('IronKey', 'Thing')
    """
    return "".join(word[0].upper() + word[1:] for word in re.findall(r"\w+", text, re.ASCII)) or otherwise
