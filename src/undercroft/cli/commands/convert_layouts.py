"""Convert layouts between the JSON of Cozy Caves and drawn text."""

from __future__ import annotations

from pathlib import Path

from undercroft.cli.stdio import write_stdout
from undercroft.errors import BadInput
from undercroft.inputs import files
from undercroft.templates.layouts import cozy_json, layout_files, write_text

WRITERS = {"layout": write_text.format_layout, "json": cozy_json.format_layout}
"""The writers by their formats, which are also the suffixes."""
LAYOUT_FIX = "name a file that ends so; rooms of a layout are made by 'undercroft scale'"


def convert(source: str, target: str, form: str | None) -> None:
    """Convert a layout file, or a shipped layout, to a file."""
    if source == "-":
        raise BadInput("a layout is read from a file", fix="name a .layout or a .json file")
    suffix = Path(target).suffix.casefold().removeprefix(".")
    name = form or ("" if target == "-" else suffix)
    if name not in WRITERS or (form and suffix in WRITERS and suffix != form):
        what, fix = (
            ("nothing says which", "add --format layout or --format json")
            if target == "-" and not form
            else (f"{form or target} is neither", LAYOUT_FIX)
        )
        raise BadInput(f"a layout becomes drawn text (.layout) or JSON (.json), and {what}", fix=fix)
    data = WRITERS[name](layout_files.parse(*layout_files.load_layout_text(source))).encode()
    if target == "-":
        write_stdout(data)
    else:
        files.write_file(target, data)
