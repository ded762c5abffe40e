"""Load pools from files: a folder of layouts, or a list with their weights."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from undercroft.errors import BadInput, FileTrouble, Place
from undercroft.inputs import files, toml
from undercroft.inputs.json import parse_json_document
from undercroft.inputs.values import CheckedValue
from undercroft.limits import LAYOUT_BYTES, LAYOUT_WEIGHT, TOML_BYTES
from undercroft.templates.layouts import layout_files
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.pool import Pool

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
    whole = toml.parse_toml(files.read_text(path, TOML_BYTES), str(path)).root()
    whole.table(POOL_KEYS)
    listed = whole.key("layouts")
    if not isinstance(listed.value, dict):
        raise BadInput(
            "a pool has a table of layouts",
            place=listed.key_place(),
            fix="write [layouts], and below it lines such as donut = 2",
        )
    pool = _load_weighted(path, listed, listed.key_place())
    fallback = whole.key("fallback", "")
    if not isinstance(fallback.value, str):
        raise fallback.error("the fallback is the name of a layout", 'for example fallback = "rectangle"')
    return Pool(pool, _load_layout(path, fallback.value, fallback.place()) if fallback.value else None)


def _load_json(path: Path) -> Pool:
    listed = parse_json_document(files.read_text(path, LAYOUT_BYTES), str(path), LAYOUT_BYTES).root()
    listed.table(what="a list of layouts")
    return Pool(_load_weighted(path, listed, listed.place()))


def _load_weighted(path: Path, listed: CheckedValue, place: Place) -> list[tuple[Layout, int]]:
    """The layouts of a list, each with its weight."""
    if not listed.value:
        raise BadInput("a pool without a layout", place=place, fix="name at least one, with its weight")
    found = []
    for name, weight in listed.value.items():
        if type(weight) is not int or not 1 <= weight <= LAYOUT_WEIGHT.value:
            raise listed.key(name).error(
                f"the weight of {name[:40]!r} is not a whole number from 1 to {LAYOUT_WEIGHT.value:,}",
                "leave it out if it shall never be drawn",
            )
        found.append((_load_layout(path, name, listed.key(name).key_place()), weight))
    return found


def _load_layout(path: Path, name: str, place: Place) -> Layout:
    """Load a layout from the folder of the list; without a suffix it is a .layout file."""
    try:
        return layout_files.load(files.safe_join(path.parent, name if Path(name).suffix else f"{name}.layout"))
    except FileTrouble as error:
        error.place = place
        raise
