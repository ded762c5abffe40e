"""Levels of a batch: read from its rows and files, or made again from their seeds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from undercroft import formats
from undercroft.bulk.batch.level_files import level_file_name
from undercroft.bulk.batch.level_rows import build_level
from undercroft.bulk.batch.request import OLD_LAYOUT, BatchRequest
from undercroft.core.frozen import thaw
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.errors import BadInput
from undercroft.recipe.run import run_request
from undercroft.version import VERSION

LEVEL_COLUMNS = (
    "seed",
    "attempt",
    "width",
    "height",
    "palette",
    "tiles",
    "labels",
    "start_x",
    "start_y",
    "end_x",
    "end_y",
    "regions",
    "door_cells",
    "links",
    "things",
    "problem",
)
"""The columns that a level is built from."""
MEASURED_PARTS = frozenset(("tiles", "palette", "regions", "doors", "links", "things", "ends"))
"""What measures need to know of a level."""


def generate_level(order: BatchRequest, seed: int, combination: int, attempt: int) -> Level:
    """The whole level of a row, made again."""
    return run_request(order.request_for(seed, combination, attempt=attempt)).unwrap().level


def generate_same_level(order: BatchRequest, row: Mapping[str, Any], combination: int, version: str) -> Level:
    """The whole level of a row, made again and compared with the stored tiles. `version` made the batch."""
    level = generate_level(order, row["seed"], combination, row["attempt"])
    if order.has_chunk_files and level.tiles.tobytes() != row["tiles"]:
        raise BadInput(
            f"the level of seed {row['seed']} is generated differently now",
            fix=f"it was made by Undercroft {version}, and this is {VERSION}",
        )
    return level


def read_level(
    order: BatchRequest, folder: Path, row: Mapping[str, Any], combination: int, palettes: Mapping[str, Palette]
) -> Level:
    """The level of a row, as the files hold it. Levels in formats that cannot be read, such as pictures, are made
    again.
    """
    if order.has_chunk_files:
        return build_level(row, palettes[row["palette"]], build_provenance(order, row, combination))
    form = formats.FORMATS[order.form]
    if form.load is None:
        return generate_level(order, row["seed"], combination, row["attempt"])
    known = {"palette": palettes[row["palette"]], **order.options}  # values that the file may not hold
    options = {name: known[name] for name in form.read_options if name in known}
    return formats.load(folder / level_file_name(order, row["seed"], combination), order.form, **options)


def holds_whole_levels(order: BatchRequest) -> bool:
    """Whether the files hold all that measures need to know."""
    if order.has_chunk_files:
        return order.layout != OLD_LAYOUT
    form = formats.FORMATS[order.form]
    return form.load is not None and frozenset(form.keeps) >= MEASURED_PARTS


def read_measurable_level(
    order: BatchRequest, folder: Path, row: Mapping[str, Any], combination: int, palettes: Mapping[str, Palette]
) -> Level:
    """The level of a row with all that measures need to know: read, or else made again."""
    if holds_whole_levels(order):
        return read_level(order, folder, row, combination, palettes)
    return generate_same_level(order, row, combination, VERSION)


def build_provenance(order: BatchRequest, row: Mapping[str, Any], combination: int) -> dict[str, Any]:
    """How the level of a row was made."""
    request = order.request_for(row["seed"], combination) if order.vary.names else order.request
    made_by = order.made_by or order.data
    params = thaw(request.values) if order.vary.names else made_by["params"]
    return {
        "recipe": request.recipe.name,
        "seed": str(row["seed"]),
        "attempt": row["attempt"],
        "size": list(request.size),
        "params": params,
        "version": made_by["version"],
        "editions": made_by["editions"],
        **{key: made_by["recipe"][key] for key in ("files", "extends") if key in made_by["recipe"]},
    }
