"""Load pools from files: a folder of layouts, or a list with their weights."""

from __future__ import annotations

import functools
import re
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
_LIST_START = re.compile(r"\s*(?:\{|\[)")


def load(path: str | Path) -> Pool:
    """Load the pool of a folder, or of a list: TOML with a table [layouts], or the JSON of Cozy Caves.

    In a folder without a list every layout has the weight 1: all .layout files, and those .json files that hold a
    layout. The list of a folder is called `pool.toml` or `layout-list.json`.
    """
    if isinstance(path, str) and path == ANY_POOL:
        return load_shipped()
    path = files.as_path(path)
    if path.suffix.casefold() == ".toml":
        return _load_toml(path)
    if path.suffix.casefold() == ".json":
        return _load_json(path)
    there = {suffix: files.list_files(path, suffix) for suffix in (".layout", ".json", ".toml")}
    for known in LIST_FILES:
        for name in there[Path(known).suffix]:
            if name.casefold() == known:
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


def is_layout_list(path: str | Path) -> bool:
    """Whether a JSON file holds a list of layouts: by its name, or because it is a list or has a key "layouts"."""
    if Path(path).name.casefold() == LIST_FILES[1]:
        return True
    try:
        text = files.read_text(path, LAYOUT_BYTES)
        if '"scalePartitions"' in text or not _LIST_START.match(text):
            return False
        whole = parse_json_document(text, str(path), LAYOUT_BYTES).root().value
        return isinstance(whole, list) or (isinstance(whole, dict) and "layouts" in whole)
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
    """Load a list of Cozy Caves: `{"layouts": {"hall.json": 3}}`. Older ones are lists of names, `{"layouts":
    ["hall.json"]}`, where a name counts as often as it stands there. `{"hall.json": 3}` and `["hall.json"]` are read
    too.
    """
    whole = parse_json_document(files.read_text(path, LAYOUT_BYTES), str(path), LAYOUT_BYTES).root()
    listed = _find_entries(whole)
    if listed is None:
        whole.table(what="a list of layouts")
        return Pool(_load_weighted(path, whole, whole.place()))
    if isinstance(listed.value, dict):
        return Pool(_load_weighted(path, listed, listed.place()))
    return Pool(_load_named(path, listed))


def _find_entries(whole: CheckedValue) -> CheckedValue | None:
    """The table or the list of layouts in a JSON file; None if the file itself may be the table."""
    if isinstance(whole.value, list):
        return whole
    if not isinstance(whole.value, dict) or not isinstance(whole.value.get("layouts"), dict | list):
        return None
    whole.table(("layouts",), what="a list of layouts")
    return whole.key("layouts")


def _load_named(path: Path, listed: CheckedValue) -> list[tuple[Layout, int]]:
    """The layouts of a list of names, each with the number of times that it is listed."""
    if not listed.value:
        raise listed.error("a pool without a layout", "name at least one")
    places: dict[str, list[Place]] = {}
    for entry in listed.items():
        places.setdefault(entry.text("a layout"), []).append(entry.place())
    for name, found in places.items():
        LAYOUT_WEIGHT.check(len(found), f"the number of times that {name[:40]!r} is listed", found[-1])
    return [(_load_layout(path, name, found[0]), len(found)) for name, found in places.items()]


def _load_weighted(path: Path, listed: CheckedValue, place: Place) -> list[tuple[Layout, int]]:
    """The layouts of a table, each with its weight."""
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
