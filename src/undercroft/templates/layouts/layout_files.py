"""Layouts in files."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

from undercroft.errors import unknown
from undercroft.inputs import files
from undercroft.inputs.files import SHIPPED
from undercroft.limits import LAYOUT_BYTES
from undercroft.templates.layouts import cozy_json, drawn_text, write_text
from undercroft.templates.layouts.layout import Layout

LAYOUTS = SHIPPED / "layouts"
"""The folder of our own layouts."""


@functools.cache
def names() -> tuple[str, ...]:
    """What our own layouts are called."""
    return tuple(name.removesuffix(".layout") for name in files.listed(LAYOUTS, ".layout"))


@functools.cache
def _shipped(name: str) -> str:
    return files.text(LAYOUTS / f"{name}.layout", LAYOUT_BYTES)


def text_of(name: str) -> tuple[str, str]:
    """The text of one of our own layouts, or of a file; and what to call it in errors."""
    if not Path(name).suffix:
        if name not in names():
            raise unknown("layout", name[:60], names())
        return _shipped(name), f"{name}.layout"
    return files.text(name, LAYOUT_BYTES), name


def load(path: str | Path) -> Layout:
    """One of our own layouts by its name, or a layout from a file: the JSON of Cozy Caves if its name says so, else our
    drawn text.

    One without a name is called as its file is.
    """
    name = str(path)
    return parse(*text_of(name)) if name in names() else parse(files.text(path, LAYOUT_BYTES), name)


def parse(text: str, file: str) -> Layout:
    """The layout of a text; how it is read goes by the file's name."""
    found = cozy_json.parse(text, file) if Path(file).suffix.casefold() == ".json" else drawn_text.parse(text, file)
    return found if found.name else replace(found, name=Path(file).stem)


def save(layout: Layout, path: str | Path) -> None:
    """Write a layout: as JSON if the name ends in .json, else as drawn text."""
    text = cozy_json.write(layout) if Path(path).suffix.casefold() == ".json" else write_text.write(layout)
    files.write(path, text.encode())
