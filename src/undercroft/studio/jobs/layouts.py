"""Layouts in the editor: parse a text, write the text of edited data, and make the room at every size."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from undercroft.draw.sheets.layout_parts import choose_colours
from undercroft.errors import BadInput, UndercroftError
from undercroft.studio.jobs import level_json
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.messages import MessagePart, build_problem
from undercroft.studio.protocol.requests import AllowRequest, LayoutTextRequest, SizesRequest, TextRequest
from undercroft.templates.layouts import (
    cozy_json,
    drawn_text,
    layout_files,
    room_faults,
    sizes,
    suggestions,
    text_edits,
    write_text,
)
from undercroft.templates.layouts.cell_origins import read_part_numbers, sign_parts
from undercroft.templates.layouts.drawn_text import PARTITION_SIGNS
from undercroft.templates.layouts.layout import BASE, OVERLAY, Layout
from undercroft.templates.layouts.partition import Axis
from undercroft.templates.template import OUTSIDE, Template

DIRECTION_NAMES = (("left", "both", "right"), ("up", "both", "down"))
OWNER_CODES = {BASE: 254, OVERLAY: 253}
"""The values of the part `owner`: the index of the partition of each cell, or one of these; 255 where the room has no
cell.
"""
FAULT_LABELS = {
    "open": "open to the outside",
    "parts": "in parts",
    "empty": "no floor",
    "stray": "stray wall",
    "socket": "no socket",
}


def do_layout(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:  # noqa: ARG001
    """Parse the text of a layout."""
    request = requests.read_request(ask, TextRequest)
    try:
        layout = layout_files.parse(request.text, request.file)
    except UndercroftError as error:
        empty: dict[str, Any] = {
            "name": "",
            "size": (0, 0),
            "tiles": [],
            "partitions": [],
            "flips": [],
            "tags": [],
            "data": None,
            "notes": [],
        }
        return Answer({**empty, "problems": [build_problem(error)]})
    return Answer({"problems": [], **build_layout_data(layout)})


def build_layout_data(layout: Layout) -> dict[str, Any]:
    """A layout as data for the editor."""
    hues, survey = choose_colours(layout), room_faults.survey_sizes(layout, 4)
    return {
        "name": layout.name,
        "size": layout.smallest,
        "next": _next_size(layout),
        "sizes": sizes.describe_sizes(layout),
        "tiles": level_json.list_tiles(layout.palette),
        "marks": [
            {"what": mark.what, "kind": mark.kind, "tile": layout.palette.tiles[mark.tile].name}
            for mark in layout.marks
        ],
        "partitions": [
            {
                "letter": PARTITION_SIGNS[number],
                "name": partition.name,
                "colour": hues[number],
                "cells": _list_cells(layout, number),
                "across": _build_scaling(partition.x, 0),
                "down": _build_scaling(partition.y, 1),
                "lock_ratio": partition.lock_ratio,
            }
            for number, partition in enumerate(layout.partitions)
        ],
        "base": _list_cells(layout, BASE),
        "overlay": _list_cells(layout, OVERLAY),
        "flips": [name for name, allowed in (("across", layout.flip_x), ("down", layout.flip_y)) if allowed],
        "tags": layout.tags,
        "data": msgspec.json.decode(cozy_json.format_layout(layout)),
        "notes": [
            {"level": "warning", "text": f"{room_faults.FAULTS[kind][0]}: {first.size[0]}x{first.size[1]}"}
            for kind in room_faults.FAULTS
            if (first := survey.first_fault(kind))
        ],
    }


def _next_size(layout: Layout) -> tuple[int, int] | None:
    """The size after one step of growth along both axes; None if nothing grows."""
    try:
        room = layout.scaled(1, 1)
    except UndercroftError:
        return None
    return None if (room.width, room.height) == layout.smallest else (room.width, room.height)


def _list_cells(layout: Layout, number: int) -> list[tuple[int, int]]:
    return [(x, y) for x, y, _ in layout.part(number)]


def _build_scaling(axis: Axis, along: int) -> dict[str, Any]:
    return {
        "locked": axis.locked,
        "by": axis.type,
        "amount": axis.amount,
        "direction": DIRECTION_NAMES[along][axis.direction + 1],
    }


def do_layout_text(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:  # noqa: ARG001
    """The text of a layout that the editor holds as data. If there is an old text, only the changed parts are
    edited.
    """
    request = requests.read_request(ask, LayoutTextRequest)
    layout = cozy_json.parse(json.dumps(request.data, ensure_ascii=False), "the drawing")
    file = request.file or "the drawing.layout"
    if Path(file).suffix.casefold() == ".json":
        return Answer(data={"text": cozy_json.format_layout(layout)})
    if request.text is None:
        return Answer(data={"text": write_text.format_layout(layout)})
    if layout.name == Path(file).stem and not _parse_name(request.text, file):
        layout = replace(layout, name="")  # its name is that of its file: the text need not repeat it
    return Answer(data={"text": text_edits.edit_text(request.text, layout, file)})


def _parse_name(text: str, file: str) -> str:
    """The name of a layout in its text."""
    try:
        return drawn_text.parse(text, file).name
    except UndercroftError:
        return ""


def do_layouts(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:  # noqa: ARG001
    """The shipped layouts, as starting points."""
    found = []
    for name in layout_files.list_layouts():
        text, file = layout_files.load_layout_text(name)
        layout = layout_files.parse(text, file)
        about = text.split("\n")[0].lstrip("; ") if text.startswith(";") else ""
        data = msgspec.json.decode(cozy_json.format_layout(layout))
        found.append(
            {
                "name": name,
                "about": about,
                "text": text,
                "tags": layout.tags,
                "sizes": sizes.describe_sizes(layout),
                "data": data,
            }
        )
    return Answer({"layouts": found})


def do_allow(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:  # noqa: ARG001
    """The smallest changes that would allow a room of some size."""
    request = requests.read_request(ask, AllowRequest)
    layout = layout_files.parse(request.text, request.file)
    found = suggestions.suggest_changes(layout, request.size, request.leniency, request.overgrow)
    return Answer({"ways": [_build_suggestion(way, layout) for way in found]})


def _build_suggestion(way: suggestions.Suggestion, layout: Layout) -> dict[str, Any]:
    data = None if way.layout == layout else msgspec.json.decode(cozy_json.format_layout(way.layout))
    plain = {"kind": way.kind, "label": way.label, "about": way.about, "made": way.made}
    return {**plain, "data": data, "leniency": way.leniency, "overgrow": way.overgrow}


def do_sizes(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:  # noqa: ARG001
    """Make the room of each size, or report why there is none and which sizes would work."""
    request = requests.read_request(ask, SizesRequest)
    layout = layout_files.parse(request.text, request.file)
    parts_of = [partition.name for partition in layout.partitions]
    part_layout = sign_parts(layout)
    for size in request.sizes:
        job.is_cancelled()
        try:
            found = layout.fits(size, leniency=request.leniency, overgrow=request.overgrow)
        except BadInput as error:
            job.send_part({"size": size, "made": None, "exact": False, "refused": error.problem, "works": error.fix})
            continue
        if isinstance(found, str):
            near = _find_neighbour_sizes(layout, size) or sizes.find_nearest_sizes([layout], size)
            works = " or ".join(map(sizes.format_size, near))
            job.send_part({"size": size, "made": None, "exact": False, "refused": found, "works": works, "near": near})
            continue
        room, owners = layout.room(found), part_layout.room(found)
        faults = list(room_faults.find_faults(room, layout))
        head = {
            "size": size,
            "made": found,
            "exact": found == tuple(size),
            "parts_of": parts_of,
            "faults": [FAULT_LABELS[kind] for kind, _ in faults],
            "corner": layout.corner(size, leniency=request.leniency, overgrow=request.overgrow),
            "sockets": [
                {"at": (one.x, one.y), "side": one.side, "width": one.width, "kind": one.kind} for one in room.sockets
            ],
            "slots": [{"at": (one.x, one.y), "kind": one.kind} for one in room.slots],
        }
        grids: dict[str, MessagePart] = {
            "tiles": _tiles_with_doors(room),
            "owner": _encode_owners(read_part_numbers(owners)),
        }
        if faults:
            grids["wrong"] = np.logical_or.reduce([cells for _, cells in faults]).astype(np.uint8)
        job.send_part(head, grids)
    return Answer({})


def _find_neighbour_sizes(layout: Layout, size: tuple[int, int]) -> list[tuple[int, int]]:
    """The next smaller and the next larger room that differ only in width, or only in height."""
    for axis in (0, 1):
        sides = [
            range(size[axis] - 1, max(0, layout.smallest[axis] - 1), -1),
            range(size[axis] + 1, size[axis] + 1 + sizes.SEARCH_RADIUS),
        ]
        others = [[(side, size[1]) if axis == 0 else (size[0], side) for side in some] for some in sides]
        found = [next((other for other in some if not isinstance(layout.fits(other), str)), None) for some in others]
        if any(found):
            return [other for other in found if other]
    return []


def _tiles_with_doors(room: Template) -> NDArray[np.uint8]:
    """The tiles of a room with doors in its sockets; 255 where it has no cell."""
    tiles = room.tiles.copy()
    for socket in room.sockets:
        across, down = (0, 1) if socket.side in "EW" else (1, 0)
        for step in range(socket.width):
            tiles[socket.y + step * down, socket.x + step * across] = socket.tile
    return tiles


def _encode_owners(parts: NDArray[np.int16]) -> NDArray[np.uint8]:
    found = parts.copy()
    for number, code in OWNER_CODES.items():
        found[parts == number] = code
    found[parts == OUTSIDE] = OUTSIDE
    return found.astype(np.uint8)
