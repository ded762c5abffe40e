"""What a field of a step can be chosen from, with a picture or a sample of each: layouts, drawn rooms, sets, files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, TypeVar

import numpy as np

from undercroft import limits
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, UndercroftError
from undercroft.inputs import files
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.document import Recipe
from undercroft.recipe.plans import build_step
from undercroft.steps import STEPS
from undercroft.steps.step import describe_step
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.requests import ChoicesRequest
from undercroft.templates.layouts import layout_files, sizes
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.pool_files import ANY_POOL
from undercroft.templates.prefabs import prefab
from undercroft.templates.prefabs.prefab import RoomType, RoomTypes
from undercroft.templates.template import OUTSIDE, Template
from undercroft.things import shipped
from undercroft.things.thing_set import RoomKind, ThingSet
from undercroft.things.words import WordGrammar

MAX_CHOICES = 200
"""The most rows of an answer: a longer list is no help in choosing."""
MAX_SHEET_ROOMS, MAX_SAMPLES = 6, 4
"""The most rooms on the picture of a file of room types, and the most lines of a sample."""
WORD_MARKS, THING_MARKS = ("title", "room", "word"), ("thing", "kind")
"""The tables of which a file of words, and a file of things, has at least one."""
Row = dict[str, Any]
T = TypeVar("T")


def do_choices(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:  # noqa: ARG001
    """Return what can be chosen for a kind of field, and where it comes from: ours, or a file of the project."""
    request = requests.read_request(ask, ChoicesRequest)
    if request.of not in LISTS:
        raise BadInput(f"the page asked for {request.of[:40]!r}, which nothing is chosen from", fix="reload the page")
    return Answer({"choices": LISTS[request.of](sources, request)[:MAX_CHOICES]})


def list_layout_choices(sources: LevelSources, request: ChoicesRequest) -> list[Row]:
    """The shipped layouts, all of them together, and the layouts of the project."""
    names = layout_files.list_layouts()
    about = f"all {len(names)} layouts of ours, mixed"
    found: list[Row] = [
        {"value": name, "title": name, "about": _first_comment(layout_files.load_layout_text(name)[0]), "mine": False}
        | draw_layout(layout_files.load(name))
        for name in names
    ]
    mixed = _join_pictures([row["rows"] for row in found[:MAX_SHEET_ROOMS]])
    found.insert(0, {"value": ANY_POOL, "title": ANY_POOL, "about": about, "mine": False, "alone": True, "rows": mixed})
    for value, path in _list_files(sources, request.file, (".layout", ".json"), "layout"):
        row = {"value": value, "title": PurePosixPath(value).stem, "mine": True}
        try:
            text = sources.project.read_text(path, limits.LAYOUT_BYTES)
            found.append({**row, "about": _first_comment(text)} | draw_layout(layout_files.parse(text, path)))
        except UndercroftError as error:
            found.append({**row, "about": error.problem})
    return found


def list_room_file_choices(sources: LevelSources, request: ChoicesRequest) -> list[Row]:
    """The files of room types that the recipe can name: those of the project, or ours if it is a recipe of ours."""
    texts = _read_files(sources, request.file, (".txt",), limits.PREFAB_BYTES, "prefabs")
    rooms = ((value, text) for value, text in texts if prefab.begins_like_rooms(text))
    found = _describe_files(rooms, prefab.parse, draw_room_types)
    mine = sources.origins.folder(request.file) != SHIPPED_FOLDER
    return [{**row, "mine": mine} for row in found]


def list_room_choices(sources: LevelSources, request: ChoicesRequest) -> list[Row]:
    """The room types of the recipe's step that joins drawn rooms."""
    found: dict[str, Row] = {}
    for step in _build_steps(sources, request, "attach"):
        for kind in step.room_types.types:
            name = kind.template.name
            about = f"weight {kind.weight}" + ("" if kind.most is None else f", at most {kind.most}")
            found.setdefault(name, {"value": name, "title": name, "about": about, "mine": False})
            found[name].setdefault("rows", draw_template(kind.template, step.room_types.palette))
    return list(found.values())


def list_thing_choices(sources: LevelSources, request: ChoicesRequest) -> list[Row]:  # noqa: ARG001
    """The shipped sets of things."""
    return [
        {"value": name, "title": name, "mine": False} | describe_things(shipped.load_things(name))
        for name in shipped.list_names("things")
    ]


def list_thing_file_choices(sources: LevelSources, request: ChoicesRequest) -> list[Row]:
    """The files of things."""
    from undercroft.things.read_things import parse_things

    def read(text: str, value: str) -> ThingSet:
        return parse_things(text, value, shipped.load_things)

    return _describe_files(_read_tables(sources, request.file, THING_MARKS), read, describe_things)


def list_kind_choices(sources: LevelSources, request: ChoicesRequest) -> list[Row]:
    """The kinds of rooms in the recipe's set of things."""
    found: dict[str, Row] = {}
    for step in _build_steps(sources, request, "furnish"):
        for kind in step.things.kinds.values():
            found.setdefault(kind.name, {"value": kind.name, "title": kind.name, "mine": False} | describe_kind(kind))
    return list(found.values())


def list_word_choices(sources: LevelSources, request: ChoicesRequest) -> list[Row]:  # noqa: ARG001
    """The shipped sets of words."""
    return [
        {"value": name, "title": name, "mine": False} | describe_words(shipped.load_words(name))
        for name in shipped.list_names("names")
    ]


def list_word_file_choices(sources: LevelSources, request: ChoicesRequest) -> list[Row]:
    """The files of words."""
    from undercroft.things.read_words import parse_words

    def read(text: str, value: str) -> WordGrammar:
        return parse_words(text, value, shipped.load_words)

    return _describe_files(_read_tables(sources, request.file, WORD_MARKS), read, describe_words)


def list_rule_choices(sources: LevelSources, request: ChoicesRequest) -> list[Row]:
    """The rule files of the project, with their first lines."""
    found = []
    for value, text in _read_files(sources, request.file, (".rules",), limits.RULES_BYTES, "grammar"):
        lines = [line for line in text.split("\n") if line.strip() and not line.startswith(";")]
        row = {"value": value, "title": PurePosixPath(value).stem, "mine": True, "about": _first_comment(text)}
        found.append({**row, "sample": [line[:60] for line in lines[:MAX_SAMPLES]]})
    return found


LISTS: dict[str, Callable[[LevelSources, ChoicesRequest], list[Row]]] = {
    "layouts": list_layout_choices,
    "room files": list_room_file_choices,
    "rooms": list_room_choices,
    "things": list_thing_choices,
    "thing files": list_thing_file_choices,
    "kinds": list_kind_choices,
    "words": list_word_choices,
    "word files": list_word_file_choices,
    "rules": list_rule_choices,
}
"""What can be chosen from; `catalogue.PICKS` names the fields."""


def draw_layout(layout: Layout) -> Row:
    """The picture of a layout: its room one step larger than the smallest, so that the way it grows can be seen."""
    try:
        room = layout.scaled(1, 1)
    except UndercroftError:
        room = layout.room(layout.smallest)
    return {"rows": draw_template(room, layout.palette), "note": sizes.describe_sizes(layout)}


def draw_room_types(types: RoomTypes) -> Row:
    """The picture of a file of room types: some of them, beside each other."""
    kinds: Sequence[RoomType] = types.types
    pictures = [draw_template(kind.template, types.palette) for kind in kinds[:MAX_SHEET_ROOMS]]
    names = ", ".join(kind.template.name for kind in kinds[:MAX_SHEET_ROOMS]) + " ..." * (len(kinds) > MAX_SHEET_ROOMS)
    return {"rows": _join_pictures(pictures), "about": f"{len(kinds)} room types: {names}"}


def draw_template(room: Template, palette: Palette) -> list[str]:
    """A room as rows of the glyphs of the standard palette, with doors in its sockets.

    >>> types = prefab.parse("room cell\\n    #+##\\n    #..#\\n    ####", "x.txt")
    >>> draw_template(types.types[0].template, types.palette)
    ['#+##', '#..#', '####']
    """
    glyph_of = {tile.role: tile.glyph for tile in STANDARD.tiles}
    glyphs = np.full(256, " ")
    glyphs[: len(palette.tiles)] = [glyph_of[tile.role] for tile in palette.tiles]
    glyphs[OUTSIDE] = " "
    drawn = glyphs[room.tiles]
    for socket in room.sockets:
        across, down = (0, 1) if socket.side in "EW" else (1, 0)
        for step in range(socket.width):
            drawn[socket.y + step * down, socket.x + step * across] = glyph_of["door"]
    return ["".join(row) for row in drawn.tolist()]


def _join_pictures(pictures: Sequence[list[str]]) -> list[str]:
    """Pictures beside each other, in two lines."""
    found: list[str] = []
    half = -(-len(pictures) // 2)
    for line in (pictures[:half], pictures[half:]):
        widths = [max(map(len, picture)) for picture in line]
        found += [""] * bool(found and line)
        for y in range(max(map(len, line), default=0)):
            parts = [
                (picture[y] if y < len(picture) else "").ljust(width)
                for picture, width in zip(line, widths, strict=True)
            ]
            found.append(" ".join(parts))
    width = max(map(len, found), default=0)
    return [row.ljust(width) for row in found]


def describe_things(things: ThingSet) -> Row:
    """A set of things, with the kinds of rooms it furnishes."""
    count = f"{len(things.types)} things, {len(things.kinds)} kinds of rooms"
    sample = [f"{kind.name}: {_list_things(kind)}" for kind in list(things.kinds.values())[:MAX_SAMPLES]]
    return {"about": things.about, "note": count, "sample": sample}


def describe_kind(kind: RoomKind) -> Row:
    """A kind of room, with its things."""
    return {"about": kind.rarity, "sample": _list_things(kind).split(", ")}


def _list_things(kind: RoomKind) -> str:
    return ", ".join([*dict.fromkeys([*kind.always, *kind.things])][:MAX_SAMPLES])


def describe_words(words: WordGrammar) -> Row:
    """A set of words, with some names of levels that it gives."""
    rng, sample = Rng.root(1).stream("sample"), []
    for choice in list(words.titles.values())[:MAX_SAMPLES]:
        phrase = choice.pick(rng)
        if phrase is not None:
            sample.append(words.expand(phrase, rng))
    return {"about": words.about, "sample": sample}


def _describe_files(
    texts: Iterable[tuple[str, str]], parse: Callable[[str, str], T], describe: Callable[[T], Row]
) -> list[Row]:
    """The row of each file, or why it cannot be used."""
    found = []
    for value, text in texts:
        row = {"value": value, "title": PurePosixPath(value).stem, "mine": True}
        try:
            found.append(row | describe(parse(text, value)))
        except UndercroftError as error:
            found.append(row | {"about": error.problem})
    return found


def _build_steps(sources: LevelSources, request: ChoicesRequest, use: str) -> Iterator[Any]:
    """The recipe's steps of one kind, with the defaults of its parameters; none if it has a mistake."""
    try:
        recipe = Recipe.parse(request.text, request.file, sources.origins.folder(request.file))
        defaults = {name: param.default for name, param in recipe.params.items()}
        for index, plan in enumerate(recipe.plans):
            if plan.use == use:
                folders = {key: recipe.folder_of(index, key) for key in describe_step(STEPS[use]).reads}
                yield build_step(plan, index, defaults, recipe.document, folders)
    except UndercroftError:
        return


def _list_files(
    sources: LevelSources, recipe: str, suffixes: tuple[str, ...], kind: str = ""
) -> Iterator[tuple[str, str]]:
    """The files that a recipe of the project can name: those beside it and below, as it writes them, and their paths
    in the project.
    """
    above = PurePosixPath(recipe.replace("\\", "/")).parent
    for row in sources.project.list_files():
        path = PurePosixPath(row.path)
        if path.suffix.casefold() in suffixes and path.is_relative_to(above) and kind in ("", row.kind):
            yield path.relative_to(above).as_posix(), row.path


def _read_files(
    sources: LevelSources, recipe: str, suffixes: tuple[str, ...], limit: limits.Limit, ours: str
) -> Iterator[tuple[str, str]]:
    """The texts of files that a recipe can name. The text of a recipe of ours names files of ours, in the folder
    `ours`.
    """
    if sources.origins.folder(recipe) == SHIPPED_FOLDER:
        for name in files.list_files(SHIPPED_FOLDER / ours, suffixes[0]):
            yield f"{ours}/{name}", files.read_text(SHIPPED_FOLDER / ours / name, limit)
        return
    for value, path in _list_files(sources, recipe, suffixes):
        try:
            yield value, sources.project.read_text(path, limit)
        except UndercroftError:
            continue  # it cannot be read, so it cannot be chosen


def _read_tables(sources: LevelSources, recipe: str, marks: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The TOML files that have one of these tables, and no steps."""
    for value, path in _list_files(sources, recipe, (".toml",), "other"):
        try:
            text = sources.project.read_text(path, limits.TOML_BYTES)
        except UndercroftError:
            continue
        if any(f"[{mark}." in text or f"[{mark}]" in text for mark in marks):
            yield value, text


def _first_comment(text: str) -> str:
    """The comment that a text begins with."""
    line = text.split("\n", 1)[0]
    return line.lstrip("; ").rstrip() if line.startswith(";") else ""
