"""Pools in files: a folder of layouts, or a list that says how often each is drawn."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from undercroft.errors import BadInput, FileTrouble, Place, unknown
from undercroft.inputs import files, json, toml
from undercroft.limits import LAYOUT_BYTES, TOML_BYTES
from undercroft.templates.layouts import layout_files
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.pool import MOST, Pool

ANY = "any"
"""Stands for the pool of our own layouts."""
LISTS = ("pool.toml", "layout-list.json")
"""Files of a folder that say how often each of its layouts is drawn."""
KEYS = ("about", "layouts", "fallback")


def load(path: str | Path) -> Pool:
    """The pool of a folder, or of a list: TOML with a table [layouts], or JSON with file names and weights.

    In a folder without a list every layout has the weight 1: all .layout files, and those .json files that hold a
    layout.
    """
    if path == ANY:
        return shipped()
    path = Path(path)
    if path.suffix.casefold() == ".toml":
        return _from_toml(path)
    if path.suffix.casefold() == ".json":
        return _from_json(path)
    there = {suffix: files.listed(path, suffix) for suffix in (".layout", ".json", ".toml")}
    for name in LISTS:
        if name in there[Path(name).suffix]:
            return load(path / name)
    found = [*there[".layout"], *(name for name in there[".json"] if is_layout(path / name))]
    if not found:
        raise BadInput(f"no layout is in {path}", fix="put .layout files there, or name another folder")
    return Pool([(layout_files.load(path / name), 1) for name in sorted(found)])


def is_layout(path: str | Path) -> bool:
    """Whether a JSON file holds a layout, and not a level or something else."""
    try:
        return '"scalePartitions"' in files.text(path, LAYOUT_BYTES)
    except (FileTrouble, BadInput):
        return False


def shipped() -> Pool:
    """The pool of our own layouts."""
    return load(layout_files.LAYOUTS)


@functools.cache
def shipped_weights() -> Mapping[str, int]:
    """How often each of our own layouts is drawn."""
    path = layout_files.LAYOUTS / "pool.toml"
    weights: dict[str, int] = toml.read(files.text(path, TOML_BYTES), str(path)).data["layouts"]
    return MappingProxyType(weights)


def _from_toml(path: Path) -> Pool:
    document = toml.read(files.text(path, TOML_BYTES), str(path))
    for key in document.data:
        if key not in KEYS:
            raise unknown("key", key[:40], KEYS, place=document.place(key))
    table = document.data.get("layouts")
    if not isinstance(table, dict):
        raise BadInput(
            "a pool has a table of layouts",
            place=document.place("layouts"),
            fix="write [layouts], and below it lines such as donut = 2",
        )
    found = [
        _weighted(path, name, weight, document.place("layouts", name), document.value_place("layouts", name))
        for name, weight in table.items()
    ]
    name = document.data.get("fallback")
    if name is not None and not isinstance(name, str):
        raise BadInput(
            "the fallback is the name of a layout",
            place=document.value_place("fallback"),
            fix='for example fallback = "rectangle"',
        )
    return _pool(
        found, document.place("layouts"), _layout(path, name, document.value_place("fallback")) if name else None
    )


def _from_json(path: Path) -> Pool:
    whole = json.read(files.text(path, LAYOUT_BYTES), str(path), LAYOUT_BYTES)
    table = whole.object("a list of layouts")
    found = [_weighted(path, name, weight.value, weight.place(), weight.place()) for name, weight in table.items()]
    return _pool(found, whole.place(), None)


def _pool(found: list[tuple[Layout, int]], place: Place, fallback: Layout | None) -> Pool:
    if not found:
        raise BadInput("a pool without a layout", place=place, fix="name at least one, with its weight")
    return Pool(found, fallback)


def _weighted(path: Path, name: str, weight: Any, key: Place, value: Place) -> tuple[Layout, int]:
    if type(weight) is not int or not 1 <= weight <= MOST:
        raise BadInput(
            f"the weight of {name[:40]!r} is not a whole number from 1 to {MOST:,}",
            place=value,
            fix="leave it out if it shall never be drawn",
        )
    return _layout(path, name, key), weight


def _layout(path: Path, name: str, place: Place) -> Layout:
    """A layout beside the list; without a suffix it is a .layout file."""
    try:
        return layout_files.load(files.within(path.parent, name if Path(name).suffix else f"{name}.layout"))
    except FileTrouble as error:
        error.place = place
        raise
