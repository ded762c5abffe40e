"""The catalogue for the page: recipes with their parameters, steps, measures, formats and styles."""

from __future__ import annotations

import dataclasses
import re
import typing
from typing import Any

from undercroft import kernels, limits
from undercroft.analysis.measures.table import MEASURES
from undercroft.draw.styles.table import PICTURE_PARTS, STYLES, Style
from undercroft.errors import UndercroftError
from undercroft.formats.table import FORMATS, LEVEL_PARTS, Format
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.recipe.params import Param, describe_type
from undercroft.steps import STEPS
from undercroft.studio.jobs.level_json import summarise_step
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.protocol.file_kinds import FILE_KINDS, known_suffixes
from undercroft.studio.protocol.messages import build_problem
from undercroft.version import VERSION

PARTS_BESIDE_MAP = ("legend", "title", "scale", "measures")
"""Parts of a picture that lie beside the map; the page has no room for them."""
PARAM_KINDS: dict[type, str] = {bool: "switch", int: "whole", float: "number", str: "text", list: "list", tuple: "list"}
PICKS = {
    ("rooms", "layouts"): "layouts",
    ("chambers", "layouts"): "layouts",
    ("expand", "layouts"): "layouts",
    ("attach", "file"): "room files",
    ("attach", "root"): "rooms",
    ("furnish", "set"): "things",
    ("furnish", "file"): "thing files",
    ("furnish", "kinds"): "kinds",
    ("names", "set"): "words",
    ("names", "file"): "word files",
    ("rewrite", "file"): "rules",
}
"""What the fields of steps are chosen from: names in `choices.LISTS`."""
ANIMATION_FORMATS = ("gif", "webp", "apng")
FORMAT_GROUPS = {
    "engines": ("tmx", "tmj", "ldtk", "godot", "godot:rooms", "glb", "vox", "xp"),
    "tabletops": ("uvtt", "foundry", "png:gm", "png:player", "pdf", "pdf:page", "pdf:player"),
    "pictures": ("png", "svg", "png:graph", "png:tiles", "text:box"),
}
"""Formats by their purpose; the others are data."""
FORMAT_TITLES = {
    "tmx": "Tiled map",
    "tmj": "Tiled map as JSON",
    "ldtk": "LDtk project",
    "godot": "Godot scene",
    "godot:rooms": "Godot scene of rooms",
    "glb": "3D model (glTF)",
    "vox": "MagicaVoxel",
    "xp": "REXPaint",
    "uvtt": "Universal VTT",
    "foundry": "Foundry scene",
    "png": "Picture (PNG)",
    "png:gm": "Map for the game master",
    "png:player": "Map for players",
    "png:graph": "Graph over the map",
    "png:tiles": "Pixel a cell",
    "pdf": "PDF to print",
    "pdf:page": "PDF, one page",
    "pdf:player": "PDF for players",
    "svg": "Drawing (SVG)",
    "json": "Undercroft level",
    "json:rooms": "Rooms as JSON",
    "npz": "NumPy arrays",
    "csv": "Table (CSV)",
    "graphml": "Graph (GraphML)",
    "dot": "Graph (Graphviz)",
    "text": "Text",
    "text:box": "Text with lines",
    "text:cave": "Text, rock and ground",
    "text:rooms": "Text, rooms and path",
    "text:grid": "Text, a room a digit",
    "text:tinykeep": "Text, as TinyKeep is drawn",
    "watabou": "Watabou's One Page Dungeon",
    "donjon": "donjon map",
    "donjon:tsv": "donjon table",
}


def build_catalogue(sources: LevelSources) -> dict[str, Any]:
    """The whole catalogue."""
    return {
        "version": VERSION,
        "project": str(sources.project.folder),
        "compiled": all(kernels.list_compiled().values()),
        "recipes": [*(build_recipe_card(Recipe.load(name)) for name in names()), *list_project_cards(sources)],
        "steps": [
            {"name": name, "about": summarise_step(step), "params": list_step_params(step, name)}
            for name, step in STEPS.items()
        ],
        "measures": [
            {"name": name, "about": entry.about, "unit": entry.kind, "whole": entry.kind in ("count", "flag")}
            for name, entry in MEASURES.items()
        ],
        "formats": [build_format_card(row) for row in FORMATS.values()],
        "styles": [build_style_card(style) for style in STYLES.values()],
        "animations": list(ANIMATION_FORMATS),
        "kinds": [kind.data() for kind in FILE_KINDS.values()],
        "suffixes": sorted(known_suffixes()),
        "limits": {
            "cells": limits.STUDIO_CELLS.value,
            "seconds": limits.STUDIO_SECONDS.value,
            "upload": limits.STUDIO_UPLOAD_BYTES.value,
            "request": limits.STUDIO_REQUEST_BYTES.value,
        },
    }


def build_style_card(style: Style) -> dict[str, Any]:
    """A style, the parts that it can show on the map, and those that it shows by default."""
    available = [part for part in PICTURE_PARTS if part not in style.lacks]
    parts = [part for part in available if part not in PARTS_BESIDE_MAP]
    beside = {part: part in style.shown for part in available if part in PARTS_BESIDE_MAP}
    return {
        "name": style.name,
        "about": style.about,
        "parts": parts,
        "shown": [part for part in parts if part in style.shown],
        "beside": beside,
    }


def list_project_cards(sources: LevelSources) -> list[dict[str, Any]]:
    """The recipes in the project's folder; the card of one that cannot be read holds the reason."""
    try:
        rows = sources.project.list_files()
    except UndercroftError:
        return []  # too many files: listing the files reports it
    return [build_file_card(sources, row.path) for row in rows if row.kind == "recipe"]


def build_file_card(sources: LevelSources, path: str) -> dict[str, Any]:
    """The card of a recipe in the project."""
    text = ""
    try:
        text = sources.project.read_text(path, limits.TOML_BYTES)
        return build_recipe_card(Recipe.parse(text, path, sources.origins.folder(path)), path)
    except UndercroftError as error:
        name = path.rpartition("/")[2].removesuffix(".toml")
        empty = {"name": name, "about": "", "tags": [], "size": (80, 50), "text": text, "params": []}
        return {**empty, "origin": "mine", "path": path, "problem": build_problem(error)}


def build_recipe_card(recipe: Recipe, path: str | None = None) -> dict[str, Any]:
    """A recipe, with the places of its parameters' defaults in its text."""
    text = recipe.source[0]
    places = find_default_places(recipe)
    found = {
        "name": recipe.name,
        "about": recipe.about,
        "tags": recipe.tags,
        "size": recipe.size,
        "text": text,
        "params": [
            {
                **find_picks(recipe, name),
                **build_param_data(param),
                **({"place": places[name]} if name in places else {}),
            }
            for name, param in recipe.params.items()
        ],
        "origin": "ours" if path is None else "mine",
    }
    return found if path is None else {**found, "path": path}


def find_picks(recipe: Recipe, name: str) -> dict[str, Any]:
    """What a parameter is chosen from: that of the first field that takes it.

    >>> find_picks(Recipe.load("cozy"), "layouts"), find_picks(Recipe.load("cozy"), "loops")
    ({'picks': 'layouts'}, {})
    """
    for plan in recipe.plans:
        for row in list_step_params(STEPS[plan.use], plan.use):
            if plan.parameter(row["name"]) == name:
                found: dict[str, Any] = {key: row[key] for key in ("picks", "choices") if key in row}
                if found and row["kind"] != "choice":
                    return found
    return {}


def build_param_data(param: Param) -> dict[str, Any]:
    """A parameter, with its kind of control."""
    kind = "choice" if param.choices else PARAM_KINDS.get(type(param.default), "text")
    found: dict[str, Any] = {"name": param.name, "about": param.about, "default": param.default, "kind": kind}
    if param.low is not None:
        found |= {"low": param.low, "high": param.high}
    return found | ({"choices": param.choices} if param.choices else {})


_TEXT_PATTERN = r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'"
_LIST_PATTERN = rf"""\[(?:[^\[\]\n#"']|{_TEXT_PATTERN})*\]"""
_VALUE_PATTERN = re.compile(
    rf"""[+-]?[0-9][0-9A-Za-z_.+-]*|true|false|{_TEXT_PATTERN}|{_LIST_PATTERN}|\[(?:[^\[\]\n#"']|{_TEXT_PATTERN}|{_LIST_PATTERN})*\]"""
)
"""A value on one line; it may be a list of lists."""


def find_default_places(recipe: Recipe) -> dict[str, dict[str, int]]:
    """The places of the defaults that stand on one line."""
    text = recipe.source[0]
    found = {}
    for name in recipe.params:
        if recipe.find_own_place("param", name, "default") is None:
            continue  # a recipe that it extends has the parameter
        place = recipe.document.value_place("param", name, "default")
        line = text.split("\n")[place.line - 1]
        if match := _VALUE_PATTERN.match(line, place.column - 1):
            found[name] = {"line": place.line, "column": place.column, "length": match.end() - match.start()}
    return found


def list_step_params(step: Any, name: str = "") -> list[dict[str, Any]]:
    """The parameters of a step; with its name also what they are chosen from."""
    hints = typing.get_type_hints(step, include_extras=True)
    found = []
    for field in dataclasses.fields(step):
        default = list(field.default) if isinstance(field.default, tuple) else field.default
        row: dict[str, Any] = {
            "name": field.name,
            "about": describe_type(hints[field.name]),
            "default": default,
            "kind": PARAM_KINDS.get(type(default), "text"),
        }
        if typing.get_origin(hints[field.name]) is typing.Literal:
            row |= {"kind": "choice", "choices": typing.get_args(hints[field.name])}
        if words := _list_literals(hints[field.name]):
            row |= {"choices": words}
        if picks := PICKS.get((name, field.name)):
            row |= {"picks": picks}
        for meta in (
            typing.get_args(hints[field.name])[1:] if typing.get_origin(hints[field.name]) is typing.Annotated else ()
        ):
            if getattr(meta, "ge", None) is not None and getattr(meta, "le", None) is not None:
                row |= {"low": meta.ge, "high": meta.le}
        found.append(row)
    return found


def _list_literals(hint: Any) -> tuple[Any, ...]:
    """The words that a list may hold, if they are counted out."""
    members = typing.get_args(hint) if typing.get_origin(hint) is tuple else ()
    literal = len(members) == 2 and members[1] is ... and typing.get_origin(members[0]) is typing.Literal
    return typing.get_args(members[0]) if literal else ()


def build_format_card(row: Format) -> dict[str, Any]:
    """A format, the parts of a level that it keeps, and those that it loses."""
    group = next((name for name, members in FORMAT_GROUPS.items() if row.name in members), "data")
    picture = group == "pictures" or "tiles" not in row.keeps
    return {
        "name": row.name,
        "title": FORMAT_TITLES.get(row.name, row.name),
        "about": row.about,
        "group": group,
        "suffixes": list_suffixes(row),
        "reads": row.load is not None,
        "writes": row.dump is not None,
        "keeps": row.keeps,
        "loses": [] if picture else [part for part in LEVEL_PARTS if part not in row.keeps],
        "options": [option for option in row.options if option != "stem"],
        "tested": row.tested,
    }


def list_suffixes(row: Format) -> tuple[str, ...]:
    """The suffixes of a format; a variant without suffixes of its own has that of its format.

    >>> list_suffixes(FORMATS["png:gm"]), list_suffixes(FORMATS["text:rooms"]), list_suffixes(FORMATS["watabou"])
    (('.png',), ('.txt',), ('.json',))
    """
    kind = row.name.partition(":")[0]
    return row.suffixes or (FORMATS[kind].suffixes[:1] if kind in FORMATS and kind != row.name else (".json",))
