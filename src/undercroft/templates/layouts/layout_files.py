"""Load and save layouts."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

from undercroft.errors import unknown_name_error
from undercroft.inputs import files
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.limits import LAYOUT_BYTES
from undercroft.templates.layouts import cozy_json, drawn_text, write_text
from undercroft.templates.layouts.layout import Layout

LAYOUTS_FOLDER = SHIPPED_FOLDER / "layouts"
"""The folder of the shipped layouts."""


@functools.cache
def list_layouts() -> tuple[str, ...]:
    """The names of the shipped layouts."""
    return tuple(name.removesuffix(".layout") for name in files.list_files(LAYOUTS_FOLDER, ".layout"))


@functools.cache
def _read_shipped(name: str) -> str:
    return files.read_text(LAYOUTS_FOLDER / f"{name}.layout", LAYOUT_BYTES)


def load_layout_text(name: str) -> tuple[str, str]:
    """The text of a shipped layout or of a file, and its name for errors."""
    if not Path(name).suffix:
        if name not in list_layouts():
            raise unknown_name_error("layout", name[:60], list_layouts())
        return _read_shipped(name), f"{name}.layout"
    return files.read_text(name, LAYOUT_BYTES), name


def load(path: str | Path) -> Layout:
    """A shipped layout by name, or a layout from a file: the JSON of Cozy Caves if the suffix is .json, else our drawn
    text.

    A layout without a name gets the name of its file.
    """
    name = str(files.as_path(path)) if not isinstance(path, str) else path
    return (
        parse(*load_layout_text(name)) if name in list_layouts() else parse(files.read_text(path, LAYOUT_BYTES), name)
    )


def parse(text: str, file: str) -> Layout:
    """Parse the layout in a text; the file's suffix decides its format."""
    found = cozy_json.parse(text, file) if Path(file).suffix.casefold() == ".json" else drawn_text.parse(text, file)
    return found if found.name else replace(found, name=Path(file).stem)


def save(layout: Layout, path: str | Path) -> None:
    """Write a layout to a file: as JSON if the name ends in .json, else as drawn text."""
    text = (
        cozy_json.format_layout(layout)
        if files.as_path(path).suffix.casefold() == ".json"
        else write_text.format_layout(layout)
    )
    files.write_file(path, text.encode())
