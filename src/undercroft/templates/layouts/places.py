"""Find the places of a layout's parts in a file."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from undercroft.errors import Place
from undercroft.inputs.json import parse_json_document
from undercroft.inputs.lines import split_lines
from undercroft.limits import LAYOUT_BYTES


class LayoutPlaces(NamedTuple):
    """The place of the layout as a whole, and of each partition."""

    whole: Place
    partitions: tuple[Place, ...]


def find_places(text: str, file: str) -> LayoutPlaces:
    """The places in a text that holds a valid layout.

    >>> found = find_places("layout a\\nscale w = walls, right by 1\\n\\n    #  |  w\\n", "a.layout")
    >>> print(found.whole, found.partitions[0])
    a.layout:4:5 a.layout:2:1
    """
    if Path(file).suffix.casefold() == ".json":
        whole = parse_json_document(text, file, LAYOUT_BYTES).root()
        partitions = whole.key("scalePartitions").items()
        return LayoutPlaces(whole.place()._replace(text=""), tuple(one.place() for one in partitions))
    drawing = Place(file, 1, 1)
    scales: list[Place] = []
    for line in split_lines(text, file, LAYOUT_BYTES):
        if line.text.partition(" ")[0] == "scale":
            scales.append(line.place())
        elif line.text.startswith(" "):
            drawing = line.cut(0).place()._replace(text="")
            break
    return LayoutPlaces(drawing, tuple(scales))
