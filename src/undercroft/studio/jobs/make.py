"""Make levels for the page: one with all its data, its picture in a style, thumbnails of many seeds, or only the
measures of many.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping
from typing import Any

from undercroft import limits
from undercroft.analysis.measures.table import Facts
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.run import Run
from undercroft.errors import NotMet, OutOfBudget, UndercroftError
from undercroft.studio.jobs import level_json
from undercroft.studio.jobs.catalogue import PARTS_BESIDE_MAP
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import Answer, JobContext, answer_error
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.messages import MessagePart
from undercroft.studio.protocol.requests import LevelSource, MakeRequest, PictureRequest, WallRequest


def do_make(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """A level with all its data. If none meets the requirements, the problem and the nearest level."""
    request = requests.read_request(ask, MakeRequest)
    record = sources.make_or_nearest(request, job.is_cancelled, **job.progress_hooks(sources.list_step_ids(request)))
    head = level_json.build_head(record, request.measures, request.until, job.is_cancelled)
    grids = level_json.build_grids(record.level)
    if record.unmet is None:
        return Answer(head, grids)
    return answer_error(record.unmet, {"nearest": {**head, "rejected": request.tries}}, grids)


def do_picture(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """The picture of a level: exactly the map, so that cell (x, y) begins at pixel cell * (x, y)."""
    from undercroft.draw.styles import table

    request = requests.read_request(ask, PictureRequest)
    level = sources.make_cached(request, job.is_cancelled, **job.progress_hooks([])).level
    limits.STUDIO_PIXELS.check(
        level.width * level.height * max(request.cell, 1) ** 2, "the number of pixels of the picture"
    )
    hide = sorted({*request.hide, *PARTS_BESIDE_MAP}.difference(request.show))
    image = table.render_picture(
        level,
        request.style,
        cell=request.cell,
        show=[part for part in request.show if part not in PARTS_BESIDE_MAP],
        hide=hide,
        margin=0,
    )
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    cell = image.width / level.width
    head = {
        "style": request.style,
        "cell": int(cell) if cell.is_integer() else cell,
        "origin": (0, 0),
        "size": image.size,
    }
    return Answer(head, {"png": file.getvalue()})


def do_wall(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """Thumbnails of levels, each sent as soon as it is made."""
    request = requests.read_request(ask, WallRequest)
    requests.check_seed_count(len(request.seeds))
    source = requests.read_request(ask, LevelSource)
    for seed in request.seeds:
        source.seed = seed
        job.send_part(*make_thumbnail(sources, source, request.measures, job))
    return Answer({})


def make_thumbnail(
    sources: LevelSources, source: LevelSource, measures: list[str], job: JobContext
) -> tuple[Mapping[str, Any], Mapping[str, MessagePart]]:
    """One thumbnail; the nearest level, with the problem, if none meets the requirements."""
    level: Level | None
    error: UndercroftError | None
    try:
        record = sources.make_uncached(source, job.is_cancelled)
        level, attempt, error = record.level, record.result.attempt, record.unmet
    except (NotMet, OutOfBudget) as gave_up:  # the unfinished map, if there is one
        level, attempt, error = gave_up.best if isinstance(gave_up, NotMet) else None, 0, gave_up
    problem = "" if error is None else error.problem.partition("\n")[0]
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
    numbers = level_json.measure_facts(Facts(level, Run(cancelled=job.is_cancelled)), measures)
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


def do_range(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """The measures alone, of some seeds: the server splits a large request, and joins the answers."""
    request = requests.read_request(ask, WallRequest)
    requests.check_seed_count(len(request.seeds))
    source = requests.read_request(ask, LevelSource)
    values: dict[str, list[float | int | None]] = {name: [] for name in request.measures}
    for seed in request.seeds:
        source.seed = seed
        numbers: Mapping[str, float | int | None] = {}
        with contextlib.suppress(NotMet, OutOfBudget):
            record = sources.make_uncached(source, job.is_cancelled)
            if record.unmet is None:
                facts = Facts(record.level, Run(cancelled=job.is_cancelled))
                numbers = level_json.measure_facts(facts, request.measures)
        for name in request.measures:
            values[name].append(numbers.get(name))
    return Answer(data={"seeds": request.seeds, "values": values})
