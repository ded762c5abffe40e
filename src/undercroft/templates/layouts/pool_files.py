"""Load pools from files: a folder of layouts, or a list with their weights."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from undercroft.errors import BadInput, FileTrouble, Place, unknown_name_error
from undercroft.inputs import files, json, toml
from undercroft.limits import LAYOUT_BYTES, TOML_BYTES
from undercroft.templates.layouts import layout_files
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.pool import MAX_WEIGHT, Pool

ANY_POOL = "any"
"""Stands for the pool of the shipped layouts."""
LIST_FILES = ("pool.toml", "layout-list.json")
"""Files of a folder that hold the weights of its layouts."""
POOL_KEYS = ("about", "layouts", "fallback")


def load(path: str | Path) -> Pool:
    """Load the pool of a folder, or of a list: TOML with a table [layouts], or JSON with file names and weights.

    In a folder without a list every layout has the weight 1: all .layout files, and those .json files that hold a
    layout.
    """
    if path == ANY_POOL:
        return load_shipped()
    path = Path(path)
    if path.suffix.casefold() == ".toml":
        return _load_toml(path)
    if path.suffix.casefold() == ".json":
        return _load_json(path)
    there = {suffix: files.list_files(path, suffix) for suffix in (".layout", ".json", ".toml")}
    for name in LIST_FILES:
        if name in there[Path(name).suffix]:
            return load(path / name)
    found = [*there[".layout"], *(name for name in there[".json"] if is_layout(path / name))]
    if not found:
        raise BadInput(f"no layout is in {path}", fix="put .layout files there, or name another folder")
    return Pool([(layout_files.load(path / name), 1) for name in sorted(found)])


def is_layout(path: str | Path) -> bool:
    """Whether a JSON file holds a layout."""
    try:
        return '"scalePartitions"' in files.read_text(path, LAYOUT_BYTES)
    except (FileTrouble, BadInput):
        return False


def load_shipped() -> Pool:
    """Load the pool of the shipped layouts."""
    return load(layout_files.LAYOUTS_FOLDER)


@functools.cache
def load_shipped_weights() -> Mapping[str, int]:
    """The weights of the shipped layouts."""
    path = layout_files.LAYOUTS_FOLDER / "pool.toml"
    weights: dict[str, int] = toml.parse_toml(files.read_text(path, TOML_BYTES), str(path)).data["layouts"]
    return MappingProxyType(weights)


def _load_toml(path: Path) -> Pool:
    document = toml.parse_toml(files.read_text(path, TOML_BYTES), str(path))
    for key in document.data:
        if key not in POOL_KEYS:
            raise unknown_name_error("key", key[:40], POOL_KEYS, place=document.place(key))
    table = document.data.get("layouts")
    if not isinstance(table, dict):
        raise BadInput(
            "a pool has a table of layouts",
            place=document.place("layouts"),
            fix="write [layouts], and below it lines such as donut = 2",
        )
    found = [
        _load_weighted(path, name, weight, document.place("layouts", name), document.value_place("layouts", name))
        for name, weight in table.items()
    ]
    name = document.data.get("fallback")
    if name is not None and not isinstance(name, str):
        raise BadInput(
            "the fallback is the name of a layout",
            place=document.value_place("fallback"),
            fix='for example fallback = "rectangle"',
        )
    return _build_pool(
        found, document.place("layouts"), _load_layout(path, name, document.value_place("fallback")) if name else None
    )


def _load_json(path: Path) -> Pool:
    whole = json.parse_json(files.read_text(path, LAYOUT_BYTES), str(path), LAYOUT_BYTES)
    table = whole.expect_object("a list of layouts")
    found = [_load_weighted(path, name, weight.value, weight.place(), weight.place()) for name, weight in table.items()]
    return _build_pool(found, whole.place(), None)


def _build_pool(found: list[tuple[Layout, int]], place: Place, fallback: Layout | None) -> Pool:
    if not found:
        raise BadInput("a pool without a layout", place=place, fix="name at least one, with its weight")
    return Pool(found, fallback)


def _load_weighted(path: Path, name: str, weight: Any, key: Place, value: Place) -> tuple[Layout, int]:
    if type(weight) is not int or not 1 <= weight <= MAX_WEIGHT:
        raise BadInput(
            f"the weight of {name[:40]!r} is not a whole number from 1 to {MAX_WEIGHT:,}",
            place=value,
            fix="leave it out if it shall never be drawn",
        )
    return _load_layout(path, name, key), weight


def _load_layout(path: Path, name: str, place: Place) -> Layout:
    """Load a layout from the folder of the list; without a suffix it is a .layout file."""
    try:
        return layout_files.load(files.safe_join(path.parent, name if Path(name).suffix else f"{name}.layout"))
    except FileTrouble as error:
        error.place = place
        raise
