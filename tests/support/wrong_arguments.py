"""Every public function, and the values of wrong types that are given to each of its arguments in turn."""

from __future__ import annotations

import functools
import math
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import undercroft as uc

LEVEL = uc.Level.parse(
    """
    ########
    #11+,22#
    #11#,22#
    ########
    """
).replace(start=(1, 1), end=(6, 2), things=[uc.Thing("chest", 2, 1)])
FOUND = uc.survey(LEVEL)
RECIPE = uc.Recipe.load("cave")
RULES = uc.Rules.parse("one  . -> #", "fill.rules")
GRAPH = uc.Graph(3, [uc.Link(1, 2, "open"), uc.Link(2, 3, "door", 0)], [uc.Door(1, 1, 2, 3, "closed")])
_FLOW = uc.Flow.parse("link a - b, locked by red\nkey red in a\napart a b, by 3")
RESULT = RECIPE.generate(seed=1, size=(9, 7))
TILE = uc.Tile("moss", "floor", "m", "m", "#00ff00", walkable=True, opaque=False)
SMALL: dict[str, Any] = {"seed": 1, "size": (9, 7), "tries": 2}

WRONG: list[object] = [
    *(None, True, 3, -1, 2**70, 10**5000, 1.5, math.nan, math.inf, 1j, np.float32(1), np.int64(-5)),
    *("x", "", "-1", "a\0b", "\ud800", b"x", Path("nowhere"), object(), int, len, lambda: 0, range(3), iter("ab")),
    *([], (), {}, set(), [1], [None], (1, 2, 3), (1, None), ("a", "b"), {"a": 1}, {1: 2}, {"a", 3}, [[1, 2], [3]]),
    *(np.array([1, 2]), np.array([20, 10]), np.zeros((2, 3)), np.zeros((4, 8), bool), np.array("x"), np.array([])),
    *(LEVEL, LEVEL.regions, uc.STANDARD, uc.Thing("a", 1, 1), RECIPE, RULES, uc.Rng.root(1), uc.Run()),
]  # fmt: skip


def _new_timeline() -> uc.Timeline:
    timeline = uc.Timeline()
    timeline("begin", np.zeros((2, 3), np.uint8))
    timeline("dig", np.ones((2, 3), np.uint8))
    return timeline


_timeline = functools.cache(_new_timeline)


@functools.cache
def _layout() -> uc.Layout:
    return uc.Layout.load("L")


@functools.cache
def _pool() -> uc.Pool:
    return uc.Pool([(_layout(), 1)])


@functools.cache
def _batch_folder() -> str:
    folder = tempfile.mkdtemp(prefix="wrong-arguments-")
    uc.batch("cave", 2, f"{folder}/caves", size=(9, 7), measures=["loops"], as_="npz", workers=1, memory=None)
    return f"{folder}/caves"


@functools.cache
def _opened() -> Any:
    return uc.open_batch(_batch_folder())


Call = Callable[[Any], object]


def _keywords(name: str, function: Callable[..., object], keywords: str, *, base: Any = None) -> dict[str, Call]:
    """A call for each keyword; `base` are the others."""

    def call(keyword: str, value: object) -> object:
        return function(**{**(base or {}), keyword: value})

    return {f"{name}({keyword}=)": functools.partial(call, keyword) for keyword in keywords.split()}


def _callbacks(name: str, function: Callable[..., object], keywords: str, *, base: Any = None) -> dict[str, Call]:
    """The same for functions that are called back: what a function of the caller raises is its own."""

    def call(keyword: str, value: object) -> object:
        return None if callable(value) else function(**{**(base or {}), keyword: value})

    return {f"{name}({keyword}=)": functools.partial(call, keyword) for keyword in keywords.split()}


def _for_each(form: str, names: Iterable[str], call: Callable[[str, Any], object]) -> dict[str, Call]:
    """A call with each of these names."""
    return {form.format(name): functools.partial(call, name) for name in names}


def _generate(**keywords: object) -> object:
    return uc.generate("cave", **keywords)  # type: ignore[arg-type]


def _search(**keywords: Any) -> object:
    options: dict[str, Any] = {"seeds": range(2), "size": (9, 7), "workers": 1, "take": 1}
    return list(uc.search("cave", **{**options, **keywords}))


def _batch(**keywords: Any) -> object:
    options: dict[str, Any] = {"count": 1, "out": "out", "size": (9, 7), "workers": 1, "memory": None, "as_": "npz"}
    return uc.batch(**{"recipe": "cave", **options, **keywords})


_FLOOR = uc.Floor("1", "", 1, LEVEL)


def _dungeon(**keywords: Any) -> object:
    return uc.Dungeon.generate("delve", **{"seed": 1, "size": (20, 12), "deep": 2, **keywords})


def _descend(**keywords: Any) -> object:
    return next(uc.descend("cave", **{"seed": 1, "size": (20, 12), **keywords}))


def _level(**keywords: Any) -> object:
    return uc.Level(**{"tiles": LEVEL.tiles, **keywords})


def _log(**keywords: Any) -> object:
    timeline = uc.Timeline()
    timeline("begin", np.zeros((1, 3), np.uint8))
    parts: dict[str, Any] = {
        "names": ["dig"],
        "who": np.array([0]),
        "ends": np.array([1]),
        "cells": np.array([0]),
        "old": np.array([0]),
        "new": np.array([5]),
    }
    timeline.log(**{**parts, **keywords})
    return timeline.turns


_REQUEST = "seed size params until tries pick attempt first_attempt ends begin frozen max_steps max_cells"
_HOOKS = "watcher cancelled progress tick on_step"
_PARTS = "tiles palette regions doors links things start end path layers provenance title flow"

CALLS: dict[str, Call] = {
    # Make a level.
    "generate": lambda v: uc.generate(v, seed=1, size=(9, 7)),
    **_keywords("generate", _generate, f"{_REQUEST} fill_prob", base=SMALL),
    **_callbacks("generate", _generate, _HOOKS, base=SMALL),
    "Recipe.load": uc.Recipe.load,
    "Recipe.parse": lambda v: uc.Recipe.parse(v, "a.toml"),
    "Recipe.parse(file=)": lambda v: uc.Recipe.parse('[[step]]\nuse = "noise"', v),
    "Recipe.parse(folder=)": lambda v: uc.Recipe.parse('[[step]]\nuse = "noise"', "a.toml", v),
    **_keywords("Recipe.generate", RECIPE.generate, _REQUEST, base=SMALL),
    **_callbacks("Recipe.generate", RECIPE.generate, _HOOKS, base=SMALL),
    "Recipe.values": RECIPE.values,
    "Recipe.reads": RECIPE.reads,
    "Recipe.confine_params": RECIPE.confine_params,
    "Recipe.combine_requirements": RECIPE.combine_requirements,
    "Recipe.prepare": lambda v: RECIPE.prepare(v, 9, 7),
    "Recipe.prepare(width=)": lambda v: RECIPE.prepare({}, v, 7),
    "Recipe.prepare(ends=)": lambda v: RECIPE.prepare({}, 9, 7, v),
    "Result in measure": lambda v: uc.measure(RESULT.facts or LEVEL, v),
    "load": uc.load,
    "load(read_as=)": lambda v: uc.load("a.json", v),
    "load(palette=)": lambda v: uc.load("a.txt", palette=v),
    # A level and its parts.
    **_keywords("Level", _level, _PARTS),
    **_keywords("Level.replace", LEVEL.replace, _PARTS),
    "Level.parse": uc.Level.parse,
    "Level.parse(palette=)": lambda v: uc.Level.parse("#.#", v),
    "Level.passable_with": LEVEL.passable_with,
    "Level.room_at(x=)": lambda v: LEVEL.room_at(v, 1),
    "Level.room_at": lambda v: LEVEL.room_at(v, v),
    "Level.cells": LEVEL.cells,
    "Level.centre": LEVEL.centre,
    "Level.save": LEVEL.save,
    "Level.save(format=)": lambda v: LEVEL.save("a.json", v),
    "Level.save(style=)": lambda v: LEVEL.save("a.svg", style=v),
    "Level.save(cell=)": lambda v: LEVEL.save("a.svg", cell=v),
    "Level.save(show=)": lambda v: LEVEL.save("a.svg", show=v),
    "Level.save(hide=)": lambda v: LEVEL.save("a.svg", hide=v),
    "Level.save(hide=) of a tabletop": lambda v: LEVEL.save("a.uvtt", hide=v),
    "Level.save(show=) of a tabletop": lambda v: LEVEL.save("a.uvtt", show=v),
    "Level.to_tcod": LEVEL.to_tcod,
    "level.regions.at": lambda v: LEVEL.regions.at(v, v),
    "level.regions[]": lambda v: LEVEL.regions[v],
    "level.doors[]": lambda v: FOUND.doors[v],
    "level.links[]": lambda v: FOUND.links[v],
    "Thing": lambda v: uc.Thing(v, 1, 1),
    "Thing(x=)": lambda v: LEVEL.replace(things=[uc.Thing("a", v, 1)]),
    "Thing(data=)": lambda v: uc.Thing("a", 1, 1, v),
    "Thing(data={})": lambda v: uc.Thing("a", 1, 1, {"a": v}),
    "Graph": lambda v: uc.Graph(v, []),
    "Graph(links=)": lambda v: uc.Graph(3, v),
    "Graph([link])": lambda v: uc.Graph(3, [v]),
    "Graph(doors=)": lambda v: uc.Graph(3, [uc.Link(1, 2, "door", 0)], v).door(uc.Link(1, 2, "door", 0)),
    "Graph.neighbours": GRAPH.neighbours,
    "Graph.degree": GRAPH.degree,
    "Graph.door": GRAPH.door,
    "Flow": lambda v: uc.Flow(rooms=v),
    **_keywords("Flow", uc.Flow, "name rooms links things apart made places ways"),
    **_for_each(
        "FlowRoom({}=)", uc.FlowRoom._fields, lambda name, v: uc.Flow(rooms=(_FLOW.rooms[0]._replace(**{name: v}),))
    ),
    **_for_each(
        "FlowLink({}=)",
        uc.FlowLink._fields,
        lambda name, v: replace(_FLOW, links=(_FLOW.links[0]._replace(**{name: v}),)),
    ),
    **_for_each(
        "FlowThing({}=)",
        uc.FlowThing._fields,
        lambda name, v: replace(_FLOW, things=(_FLOW.things[0]._replace(**{name: v}),)),
    ),
    **_for_each(
        "FlowApart({}=)",
        uc.FlowApart._fields,
        lambda name, v: replace(_FLOW, apart=(_FLOW.apart[0]._replace(**{name: v}),)),
    ),
    "Flow.parse": uc.Flow.parse,
    "Flow.parse(file=)": lambda v: uc.Flow.parse("link a - b", v),
    "Flow.load": uc.Flow.load,
    "Flow.load(read_as=)": lambda v: uc.Flow.load("a.flow", v),
    "Flow.of": uc.Flow.of,
    "Flow.save": _FLOW.save,
    "Flow.save(format=)": lambda v: _FLOW.save("a.flow", v),
    "Flow.room": _FLOW.room,
    "compare_flow": uc.compare_flow,
    "compare_flow(run=)": lambda v: uc.compare_flow(LEVEL.replace(flow=_FLOW), run=v),
    "survey": uc.survey,
    "survey(kind=)": lambda v: uc.survey(LEVEL, kind=v),
    # Tiles and palettes.
    "Palette": uc.Palette,
    "Palette([])": lambda v: uc.Palette([v]),
    "Palette(name=)": lambda v: uc.Palette([TILE], v),
    "Palette(things=)": lambda v: uc.Palette([TILE], "moor", v),
    "palette[]": lambda v: uc.STANDARD[v],
    "in palette": lambda v: v in uc.STANDARD,
    "Palette.code": uc.STANDARD.code,
    "Palette.role": uc.STANDARD.role,
    "Palette.role_mask": uc.STANDARD.role_mask,
    "Palette.merged": uc.STANDARD.merged,
    "Palette.load": uc.Palette.load,
    "Palette.parse": lambda v: uc.Palette.parse(v, "a.toml"),
    "Palette.parse(file=)": lambda v: uc.Palette.parse("[[tile]]\nname = 'a'\nrole = 'floor'\nglyph = '.'", v),
    **_for_each("Tile({}=)", uc.Tile._fields, lambda name, v: uc.Palette([TILE._replace(**{name: v})])),
    # Measures and proofs.
    "measure": uc.measure,
    "measure(one)": lambda v: uc.measure(v, "loops"),
    "measure(names)": lambda v: uc.measure(LEVEL, v),
    "compare": lambda v: uc.compare(v, LEVEL),
    "compare(b=)": lambda v: uc.compare(LEVEL, v),
    "distances": lambda v: uc.distances(v, (1, 1)),
    "distances(cells=)": lambda v: uc.distances(LEVEL, v),
    "distances(over=)": lambda v: uc.distances(LEVEL, (1, 1), over=v),
    "solve": uc.solve,
    "prove": uc.prove,
    **_keywords("solve", functools.partial(uc.solve, LEVEL), "keys run"),
    **_keywords("prove", functools.partial(uc.prove, LEVEL), "keys run"),
    # Many levels.
    "search": lambda v: uc.search(v, range(2)),
    **_keywords(
        "search",
        _search,
        "seeds until take sort measures vary size params tries workers memory max_steps max_cells",
    ),
    **_callbacks("search", _search, "cancelled progress"),
    "search([seed])": lambda v: _search(seeds=[v]),
    "search(vary={})": lambda v: _search(vary={"fill_prob": v}),
    "batch": lambda v: _batch(recipe=v),
    **_keywords(
        "batch",
        _batch,
        "count out first size params until tries pick measures as_ options chunk max_steps max_cells vary workers "
        "memory seconds dask shared",
    ),
    **_callbacks("batch", _batch, "cancelled progress"),
    "open_batch": uc.open_batch,
    "open_batch(recipe=)": lambda v: uc.open_batch(_batch_folder(), v),
    "open_batch.column": lambda v: _opened().column(v),
    "open_batch.rows": lambda v: list(_opened().rows(v)),
    "open_batch.level": lambda v: _opened().level(v),
    "open_batch.level(combination=)": lambda v: _opened().level(0, v),
    "open_batch.stored_level": lambda v: _opened().stored_level(v),
    "open_batch.request_of": lambda v: _opened().request_of(v),
    "open_batch.add_measures": lambda v: uc.open_batch(_batch_folder()).add_measures(v, workers=1, memory=None),
    # Rewriting.
    "Rules.load": uc.Rules.load,
    "Rules.load(palette=)": lambda v: uc.Rules.load("a.rules", palette=v),
    "Rules.parse": lambda v: uc.Rules.parse(v, "a.rules"),
    "Rules.parse(file=)": lambda v: uc.Rules.parse("one  . -> #", v),
    "Rules.parse_map": lambda v: RULES.parse_map(v, "a.txt"),
    "Rules.parse_map(file=)": lambda v: RULES.parse_map("##", v),
    "Rules.apply": lambda v: RULES.apply(v, 1),
    **_keywords(
        "Rules.apply",
        lambda **options: RULES.apply(LEVEL, **{"steps": 1, **options}),
        "seed steps max_steps mask notes",
    ),
    **_callbacks("Rules.apply", functools.partial(RULES.apply, LEVEL), "watcher cancelled"),
    "Rules.rewrite": lambda v: RULES.rewrite(v, uc.Rng.root(1), uc.Run()),
    "Rules.rewrite(rng=)": lambda v: RULES.rewrite(uc.Draft(9, 7, fill="floor"), v, uc.Run()),
    "Rules.rewrite(run=)": lambda v: RULES.rewrite(uc.Draft(9, 7, fill="floor"), uc.Rng.root(1), v),
    "Rules.explain": RULES.explain,
    "Rules.explain(rule=)": lambda v: RULES.explain(LEVEL, rule=v),
    "Rules.explain(at=)": lambda v: RULES.explain(LEVEL, at=v),
    "Rules.lint(size=)": lambda v: RULES.lint(size=v),
    "Rules.program_with": RULES.program_with,
    "Rules.palette_with": RULES.palette_with,
    "slices": lambda v: uc.slices(v, 1, 1),
    **_keywords(
        "slices",
        lambda **options: uc.slices(["ab", "ab"], **{"width": 1, "height": 1, **options}),
        "width height min_x min_y max_x max_y step_x step_y corner",
    ),
    "match": lambda v: uc.match(v, ["#"]),
    "match(reference=)": lambda v: uc.match(LEVEL, v),
    "match(reference=) in text": lambda v: uc.match(["ab"], v),
    "match(positions=)": lambda v: uc.match(LEVEL, ["#."], positions=v),
    "match(sets=)": lambda v: uc.match(LEVEL, ["#."], sets=v),
    "match(sets={})": lambda v: uc.match(LEVEL, ["#."], sets={"#": v}),
    "blit": lambda v: uc.blit(v, 0, 0, ["#"]),
    "blit(x=)": lambda v: uc.blit(LEVEL, v, 1, ["#"]),
    "blit(result=)": lambda v: uc.blit(LEVEL, 1, 1, v),
    "blit(result=) in text": lambda v: uc.blit(["ab"], 0, 0, v),
    "theme": lambda v: uc.theme(v, ["#"], ["."]),
    "theme(reference=)": lambda v: uc.theme(LEVEL, v, ["."]),
    "theme(results)": lambda v: uc.theme(LEVEL, ["#"], v),
    **_keywords(
        "theme",
        lambda **options: uc.theme(LEVEL, ["#."], ["##"], **options),
        "how times seed positions weights sets",
    ),
    # Rooms that scale.
    **_for_each(
        "Layout({}=)",
        ["name", "tags", "base", "partitions", "overlay", "palette", "marks"],
        lambda name, v: uc.Layout(**{"base": _layout().base, name: v}),
    ),
    **_for_each(
        "Partition({}=)",
        ["tiles", "x", "y", "lock_ratio", "name", "colour", "icon"],
        lambda name, v: uc.Layout(partitions=(uc.Partition(**{"tiles": _layout().part(0), name: v}),)).room(
            (9, 9), leniency=9
        ),
    ),
    **_for_each("Axis({}=)", uc.Axis._fields, lambda name, v: uc.Partition(x=uc.Axis(**{name: v}), lock_ratio=False)),
    "Layout.load": uc.Layout.load,
    "Layout.save": lambda v: _layout().save(v),
    "Layout.part_name": lambda v: _layout().part_name(v),
    "Layout.tile": lambda v: _layout().tile(v, 1),
    "Layout.part": lambda v: _layout().part(v),
    "Layout.with_part": lambda v: _layout().with_part(v, _layout().base),
    "Layout.with_part(tiles=)": lambda v: _layout().with_part(0, v),
    "Layout.with_tile": lambda v: _layout().with_tile(v, 1, 1),
    "Layout.with_tile(code=)": lambda v: _layout().with_tile(1, 1, v),
    "Layout.with_tile(number=)": lambda v: _layout().with_tile(1, 1, 1, v),
    "Layout.without_tile": lambda v: _layout().without_tile(v, 1),
    "Layout.with_tags": lambda v: _layout().with_tags(v),
    "Layout.without_tags": lambda v: _layout().without_tags(v),
    "Layout.with_partition": lambda v: _layout().with_partition(v),
    "Layout.with_partition(number=)": lambda v: _layout().with_partition(_layout().partitions[0], v),
    "Layout.without_partition": lambda v: _layout().without_partition(v),
    "Layout.room": lambda v: _layout().room(v),
    "Layout.room(side)": lambda v: _layout().room((v, 9)),
    **_keywords("Layout.room", functools.partial(lambda **o: _layout().room((9, 9), **o)), "leniency flip odd_centre"),
    "Layout.try_room": lambda v: _layout().try_room(v),
    **_keywords("Layout.try_room", functools.partial(lambda **o: _layout().try_room((9, 9), **o)), "leniency flip"),
    "Layout.scaled": lambda v: _layout().scaled(v, 1),
    "Layout.fits": lambda v: _layout().fits(v),
    "Layout.fits(leniency=)": lambda v: _layout().fits((9, 9), leniency=v),
    "Layout.corner": lambda v: _layout().corner(v),
    "Pool": uc.Pool,
    "Pool([])": lambda v: uc.Pool([v]),
    "Pool([()])": lambda v: uc.Pool([(v, 1)]),
    "Pool(weight)": lambda v: uc.Pool([(_layout(), v)]),
    "Pool(fallback=)": lambda v: uc.Pool([(_layout(), 1)], v),
    "Pool.load": uc.Pool.load,
    "Pool.room": lambda v: _pool().room(v, (9, 9)),
    "Pool.room(size=)": lambda v: _pool().room(uc.Rng.root(1), v),
    "Pool.room(leniency=)": lambda v: _pool().room(uc.Rng.root(1), (9, 9), leniency=v),
    "Pool.try_room": lambda v: _pool().try_room(v, (9, 9)),
    "Pool.try_room(size=)": lambda v: _pool().try_room(uc.Rng.root(1), v),
    # Curves, room grids and tilesets.
    "hilbert": uc.hilbert,
    "to_pixels": lambda v: uc.to_pixels(v, (9, 9)),
    "to_pixels(room=)": lambda v: uc.to_pixels((1, 1), v),
    "autotile": uc.autotile,
    **_keywords("autotile", functools.partial(uc.autotile, LEVEL), "kind joins outside of seed shares"),
    "autotile(joins={})": lambda v: uc.autotile(LEVEL, joins={"door": v}),
    # Watch the work.
    "Timeline()": lambda v: uc.Timeline()(v, np.zeros((2, 3), np.uint8)),
    "Timeline()(tiles)": lambda v: uc.Timeline()("dig", v),
    "Timeline.codes_mean": lambda v: uc.Timeline().codes_mean(v),
    **_keywords("Timeline.log", _log, "names who ends cells old new shown"),
    "Timeline.log_later": lambda v: _new_timeline().log_later(v, _new_timeline().all_turns),
    **_callbacks("Timeline.log_later", functools.partial(_new_timeline().log_later, 1), "work"),
    **_callbacks("Timeline.first_turn", _timeline().first_turn, "holds"),
    **_for_each("Timeline.{}", ("palette", "change", "at"), lambda name, v: getattr(_timeline(), name)(v)),
    "Timeline.go": lambda v: _timeline().go(v, 0, 1),
    "Timeline.go(here=)": lambda v: _timeline().go(_timeline().at(0), v, 1),
    "Timeline.step": lambda v: _timeline().step(_timeline().at(0), v),
    "Timeline.step_back": lambda v: _timeline().step_back(_timeline().at(1), v),
    "Timeline.writer": lambda v: _timeline().writer(v, 0),
    "Timeline.writer(turn=)": lambda v: _timeline().writer(0, 0, v),
    "Run": lambda v: uc.Run(budget=v),
    **_callbacks("Run", uc.Run, "cancelled watcher tick"),
    "Run.spend": lambda v: uc.Run().spend(v),
    **_callbacks("Run.drive", uc.Run().drive, "bite"),
    # Steps of your own.
    "Draft": lambda v: uc.Draft(v, 3),
    "Draft(palette=)": lambda v: uc.Draft(3, 3, v),
    "Draft(fill=)": lambda v: uc.Draft(3, 3, fill=v),
    "Draft.of": uc.Draft.of,
    "Draft.forget": lambda v: uc.Draft(3, 3).forget(v),
    "Draft.level": lambda v: uc.Draft(3, 3).level(v),
    "Draft.begin_anew": lambda v: uc.Draft(3, 3).begin_anew(v, uc.STANDARD),
    "Draft.begin_anew(palette=)": lambda v: uc.Draft(3, 3).begin_anew(np.zeros((3, 3), np.uint8), v),
    "Rng": lambda v: uc.Rng(v, 1),
    "Rng.root": uc.Rng.root,
    "Rng.root(attempt=)": lambda v: uc.Rng.root(1, v),
    "Rng.stream": lambda v: uc.Rng.root(1).stream(v),
    "Rng.below": lambda v: uc.Rng.root(1).below(v),
    "Rng.between": lambda v: uc.Rng.root(1).between(v, 9),
    "Rng.between(high=)": lambda v: uc.Rng.root(1).between(1, v),
    "Rng.chance": lambda v: uc.Rng.root(1).chance(v),
    "Rng.shuffle": lambda v: uc.Rng.root(1).shuffle(v),
    "Rng.choose": lambda v: uc.Rng.root(1).choose(v),
    "Rng.weighted_index": lambda v: uc.Rng.root(1).weighted_index(v),
    # Dungeons.
    **_keywords("Dungeon", uc.Dungeon, "floors title provenance start end", base={"floors": [_FLOOR]}),
    "Dungeon.of": uc.Dungeon.of,
    **_keywords("Dungeon.of", uc.Dungeon.of, "stairs title", base={"levels": [LEVEL, LEVEL]}),
    "Dungeon.load": uc.Dungeon.load,
    "Dungeon.save": lambda v: uc.Dungeon([_FLOOR]).save(v),
    "Dungeon.save(format=)": lambda v: uc.Dungeon([_FLOOR]).save("a.json", v),
    "Dungeon[]": lambda v: uc.Dungeon([_FLOOR])[v],
    "Dungeon.floor": lambda v: uc.Dungeon([_FLOOR]).floor(v),
    "Dungeon.stairs_of": lambda v: uc.Dungeon([_FLOOR]).stairs_of(v),
    "Dungeon.replace_levels": lambda v: uc.Dungeon([_FLOOR]).replace_levels(v),
    "Dungeon.generate": lambda v: uc.Dungeon.generate(v, seed=1, size=(20, 12)),
    **_keywords("Dungeon.generate", _dungeon, "seed size params tries attempt workers max_steps max_cells deep"),
    **_callbacks("Dungeon.generate", _dungeon, "cancelled progress"),
    "DungeonRecipe.load": uc.DungeonRecipe.load,
    "DungeonRecipe.parse": lambda v: uc.DungeonRecipe.parse(v, "a.toml"),
    "DungeonRecipe.parse(file=)": lambda v: uc.DungeonRecipe.parse("", v),
    "DungeonRecipe.parse(folder=)": lambda v: uc.DungeonRecipe.parse("", "a.toml", v),
    "DungeonRecipe.values": uc.DungeonRecipe.load("delve").values,
    "DungeonRecipe.plan": lambda v: uc.DungeonRecipe.load("delve").plan(v, uc.Rng.root(1)),
    "DungeonRecipe.plan(rng=)": lambda v: uc.DungeonRecipe.load("delve").plan({}, v),
    "descend": lambda v: next(uc.descend(v, seed=1, size=(20, 12))),
    **_keywords("descend", _descend, "seed size reach params fill_prob"),
    "register": uc.register,
    "unregister": uc.unregister,
}
