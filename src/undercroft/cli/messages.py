"""Everything that the commands print goes through here: to the terminal as text, never as commands to it.

Names, titles and messages may come from files that anybody has written. A sign that cannot be seen is printed as its
escape, so that no text can move the cursor, set the terminal's title or hide what stands before it.
"""

from __future__ import annotations

import re
import sys
from typing import Any

import click

from undercroft.core.level import Level
from undercroft.errors import FileTrouble

_COLOUR = re.compile("(\x1b\\[[0-9;]*m)")
"""The codes that set colours: the only ones that a coloured text of ours holds."""


def clean_text(text: str) -> str:
    r"""The text with an escape for each sign that cannot be seen; line ends and tabs stay.

    >>> print(clean_text("a\x1b]0;b\x07"))
    a\x1b]0;b\x07
    """
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign in "\n\t" else _escape(sign) for sign in text)


def _escape(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


def print_message(text: str) -> None:
    """Print a message to standard error: never into the data."""
    print_output(f"undercroft: {text}", to_stderr=True)


def print_output(text: str, *, newline: bool = True, coloured: bool = False, to_stderr: bool = False) -> None:
    """Print a text. With `coloured`, codes for colours in it are kept."""
    if to_stderr and sys.stderr is None:
        return
    if not to_stderr:
        require_stdout()
    if coloured:
        pieces = _COLOUR.split(text)  # every second piece is a code
        text = "".join(piece if index % 2 else clean_text(piece) for index, piece in enumerate(pieces))
    else:
        text = clean_text(text)
    click.echo(text, nl=newline, err=to_stderr, color=coloured or None)


def require_stdout() -> None:
    """Raise if standard output is closed."""
    if sys.stdout is None:
        raise FileTrouble("standard output is closed", fix="name a file with -o")


def print_json(value: Any) -> None:
    """Print plain data as indented JSON."""
    from undercroft.inputs.json import format_json_indented

    require_stdout()
    text = format_json_indented(value)
    if not text.replace("\n", "").isprintable():
        text = "".join(sign if sign.isprintable() or sign == "\n" else _escape_json(sign) for sign in text)
    click.echo(text, nl=False)


def _escape_json(sign: str) -> str:
    r"""An unprintable sign within a JSON string.

    >>> _escape_json("\x9b"), _escape_json("\U000e0001")
    ('\\u009b', '\\udb40\\udc01')
    """
    pairs = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(pairs[at : at + 2]):04x}" for at in range(0, len(pairs), 2))


def warn_of_editions(level: Level) -> None:
    """Print a note if a level was made by steps that have changed since."""
    from undercroft.recipe.document import list_changed_steps

    if changed := list_changed_steps(level):
        print_message(
            f"note: made by another edition of {', '.join(changed)}; the same recipe and seed give another level now"
        )
