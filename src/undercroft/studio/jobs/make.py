"""Levels for the page: one with all about it, its picture in a style, small ones by the dozen, and only the numbers of
many.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from undercroft import limits
from undercroft.analysis.measures.table import Facts
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.run import Run
from undercroft.errors import NotMet, OutOfBudget
from undercroft.recipe.document import Result
from undercroft.studio.jobs import level_json
from undercroft.studio.jobs.catalogue import PARTS_BESIDE_MAP
from undercroft.studio.jobs.levels import LevelRecord, LevelSources
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.messages import MessagePart
from undercroft.studio.protocol.requests import LevelSource, MakeRequest, PictureRequest, WallRequest


def do_make(sources: LevelSources, ask: dict[str, Any], teller: JobContext) -> Answer:
    """A level and all about it."""
    asked = requests.read_request(ask, MakeRequest)
    made = make_with_nearest(sources, asked, asked.measures, teller)
    return Answer(
        level_json.build_head(made, asked.measures, asked.until, teller.is_cancelled),
        level_json.build_grids(made.level),
    )


def make_with_nearest(sources: LevelSources, asked: LevelSource, measures: Any, teller: JobContext) -> LevelRecord:
    """The level; if none is as required, the error has the head of the nearest with it."""
    try:
        return sources.make_cached(asked, teller.is_cancelled, **teller.progress_hooks(sources.list_step_ids(asked)))
    except NotMet as error:
        if isinstance(error.best, Level) and "attempt" in error.best.provenance:
            recipe = sources.recipe(asked)
            near = LevelRecord(
                recipe, recipe.name, Result(error.best, error.best.provenance["attempt"], error.rejected, ()), [], 0.0
            )
            head = level_json.build_head(near, measures, asked.until, teller.is_cancelled)
            error.near = {**head, "rejected": asked.tries}, level_json.build_grids(error.best)  # type: ignore[attr-defined]
        raise


def do_picture(sources: LevelSources, ask: dict[str, Any], teller: JobContext) -> Answer:
    """The picture of a level: exactly the map, so that cell (x, y) begins at cell * (x, y)."""
    from undercroft.draw.styles import table

    asked = requests.read_request(ask, PictureRequest)
    level = sources.make_cached(asked, teller.is_cancelled, **teller.progress_hooks([])).level
    limits.STUDIO_PIXELS.check(
        level.width * level.height * max(asked.cell, 1) ** 2, "the number of pixels of the picture"
    )
    hide = sorted({*asked.hide, *PARTS_BESIDE_MAP}.difference(asked.show))
    image = table.render_picture(
        level,
        asked.style,
        cell=asked.cell,
        show=[part for part in asked.show if part not in PARTS_BESIDE_MAP],
        hide=hide,
        margin=0,
    )
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    cell = image.width / level.width
    head = {
        "style": asked.style,
        "cell": int(cell) if cell.is_integer() else cell,
        "origin": (0, 0),
        "size": image.size,
    }
    return Answer(head, {"png": file.getvalue()})


def do_wall(sources: LevelSources, ask: dict[str, Any], teller: JobContext) -> Answer:
    """Small levels, each as soon as it is made."""
    asked = requests.read_request(ask, WallRequest)
    requests.check_seed_count(len(asked.seeds))
    source = requests.read_request(ask, LevelSource)
    for seed in asked.seeds:
        source.seed = seed
        teller.send_part(*make_thumbnail(sources, source, asked.measures, teller))
    return Answer({})


def make_thumbnail(
    sources: LevelSources, source: LevelSource, measures: list[str], teller: JobContext
) -> tuple[Mapping[str, Any], Mapping[str, MessagePart]]:
    """One of them; the nearest if none is as required, with a word about it."""
    problem, level = "", None
    try:
        made = sources.make_uncached(source, teller.is_cancelled)
        level, attempt = made.level, made.result.attempt
    except NotMet as error:
        problem = error.problem.partition("\n")[0]
        if isinstance(error.best, Level):
            level, attempt = error.best, int(error.best.provenance.get("attempt", 0))
    except OutOfBudget as error:
        problem = error.problem
    if level is None:
        return {
            "seed": source.seed,
            "attempt": 0,
            "size": (0, 0),
            "measures": {},
            "start": None,
            "end": None,
            "problem": problem,
        }, {}
    numbers = level_json.measure_facts(Facts(level, Run(cancelled=teller.is_cancelled)), measures)
    head = {
        "seed": source.seed,
        "attempt": attempt,
        "size": level.size,
        "measures": numbers,
        "start": level.start,
        "end": level.end,
    }
    palette = {} if level.palette == STANDARD else {"palette": level_json.list_tiles(level.palette)}
    grids = level_json.build_grids(level)
    return {**head, **palette, **({"problem": problem} if problem else {})}, {
        "tiles": grids["tiles"],
        "path": grids["path"],
    }


def do_range(sources: LevelSources, ask: dict[str, Any], teller: JobContext) -> Answer:
    """Only the numbers, of some seeds: the server asks for a few at a time, and puts them together."""
    asked = requests.read_request(ask, WallRequest)
    requests.check_seed_count(len(asked.seeds))
    source = requests.read_request(ask, LevelSource)
    values: dict[str, list[float | int | None]] = {name: [] for name in asked.measures}
    for seed in asked.seeds:
        source.seed = seed
        try:
            facts = Facts(sources.make_uncached(source, teller.is_cancelled).level, Run(cancelled=teller.is_cancelled))
            numbers = level_json.measure_facts(facts, asked.measures)
        except (NotMet, OutOfBudget):
            numbers = {}
        for name in asked.measures:
            values[name].append(numbers.get(name))
    return Answer(data={"seeds": asked.seeds, "values": values})
