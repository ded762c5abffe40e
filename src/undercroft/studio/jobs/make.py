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
from undercroft.studio.jobs.catalogue import MARGINAL
from undercroft.studio.jobs.levels import Made, Sources
from undercroft.studio.jobs.work import Answer, Teller
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.messages import Part
from undercroft.studio.protocol.requests import Make, Picture, Source, Wall


def do_make(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """A level and all about it."""
    asked = requests.read(ask, Make)
    made = with_nearest(sources, asked, asked.measures, teller)
    return Answer(
        level_json.head_of(made, asked.measures, asked.until, teller.cancelled), level_json.grids_of(made.level)
    )


def with_nearest(sources: Sources, asked: Source, measures: Any, teller: Teller) -> Made:
    """The level; if none is as required, the error has the head of the nearest with it."""
    try:
        return sources.made(asked, teller.cancelled, **teller.hooks(sources.steps(asked)))
    except NotMet as error:
        if isinstance(error.best, Level) and "attempt" in error.best.provenance:
            recipe = sources.recipe(asked)
            near = Made(
                recipe, recipe.name, Result(error.best, error.best.provenance["attempt"], error.rejected, ()), [], 0.0
            )
            head = level_json.head_of(near, measures, asked.until, teller.cancelled)
            error.near = {**head, "rejected": asked.tries}, level_json.grids_of(error.best)  # type: ignore[attr-defined]
        raise


def do_picture(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """The picture of a level: exactly the map, so that cell (x, y) begins at cell * (x, y)."""
    from undercroft.draw.styles import table

    asked = requests.read(ask, Picture)
    level = sources.made(asked, teller.cancelled, **teller.hooks([])).level
    limits.STUDIO_PIXELS.check(
        level.width * level.height * max(asked.cell, 1) ** 2, "the number of pixels of the picture"
    )
    hide = sorted({*asked.hide, *MARGINAL}.difference(asked.show))
    image = table.picture(
        level,
        asked.style,
        cell=asked.cell,
        show=[part for part in asked.show if part not in MARGINAL],
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


def do_wall(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """Small levels, each as soon as it is made."""
    asked = requests.read(ask, Wall)
    requests.checked_seeds(len(asked.seeds))
    source = requests.read(ask, Source)
    for seed in asked.seeds:
        source.seed = seed
        teller.part(*thumb(sources, source, asked.measures, teller))
    return Answer({})


def thumb(
    sources: Sources, source: Source, measures: list[str], teller: Teller
) -> tuple[Mapping[str, Any], Mapping[str, Part]]:
    """One of them; the nearest if none is as required, with a word about it."""
    problem, level = "", None
    try:
        made = sources.fresh(source, teller.cancelled)
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
    numbers = level_json.measured(Facts(level, Run(cancelled=teller.cancelled)), measures)
    head = {
        "seed": source.seed,
        "attempt": attempt,
        "size": level.size,
        "measures": numbers,
        "start": level.start,
        "end": level.end,
    }
    palette = {} if level.palette == STANDARD else {"palette": level_json.tiles_of(level.palette)}
    grids = level_json.grids_of(level)
    return {**head, **palette, **({"problem": problem} if problem else {})}, {
        "tiles": grids["tiles"],
        "path": grids["path"],
    }


def do_range(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """Only the numbers, of some seeds: the server asks for a few at a time, and puts them together."""
    asked = requests.read(ask, Wall)
    requests.checked_seeds(len(asked.seeds))
    source = requests.read(ask, Source)
    values: dict[str, list[float | int | None]] = {name: [] for name in asked.measures}
    for seed in asked.seeds:
        source.seed = seed
        try:
            facts = Facts(sources.fresh(source, teller.cancelled).level, Run(cancelled=teller.cancelled))
            numbers = level_json.measured(facts, asked.measures)
        except (NotMet, OutOfBudget):
            numbers = {}
        for name in asked.measures:
            values[name].append(numbers.get(name))
    return Answer(data={"seeds": asked.seeds, "values": values})
