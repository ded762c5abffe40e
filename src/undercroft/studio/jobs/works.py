"""Works: read those that the page opens, give it the maps that it saves in them, and find those of finished levels."""

from __future__ import annotations

import json
from typing import Any

from undercroft import limits
from undercroft.core.level import Level
from undercroft.errors import BadInput, UndercroftError
from undercroft.formats.native import native
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.requests import LevelSource, RecipeRef, WorkRequest
from undercroft.works.kept_cells import list_runs
from undercroft.works.level_work import LevelWork, format_work, read_work
from undercroft.works.load_work import describe_as_work, load_work_recipe

EMPTY_PARTS: tuple[Any, ...] = ({}, [], None)
"""What the reader of levels takes a missing part for."""


def do_work(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """The data of a work, checked: of a file of the project, or of the text of a link."""
    del job
    request = requests.read_request(ask, WorkRequest)
    if (request.path is None) == (request.text is None):
        raise BadInput("a work is opened from a file or from a text: one of these", fix="reload the page")
    text = sources.project.read_text(request.path, limits.WORK_BYTES) if request.path is not None else request.text
    work = read_work(str(text), request.path or "the link")
    return Answer({"work": work.data, "notes": list_changes(work, sources)})


def list_changes(work: LevelWork, sources: LevelSources) -> list[str]:
    """What is different now, so that the work gives another level."""
    if work.map is not None:
        return []
    try:
        editions = load_work_recipe(work, sources.project.folder).editions
    except UndercroftError:
        return []  # the page shows what is wrong with the recipe
    changed = [name for name, edition in editions.items() if work.editions.get(name, edition) != edition]
    return [f"made by another edition of {', '.join(changed)}: the level is another one now"] if changed else []


def do_again(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """The data of the work that gives a level of a file again, by the name of its recipe."""
    del job
    ref = requests.read_request(ask.get("recipe"), RecipeRef)
    level, name = sources.origins.resolve(ref)
    if not isinstance(level, Level):
        raise BadInput(f"{name} is no level from a file", fix="choose one")
    data = describe_as_work(level.provenance, str(level.provenance.get("recipe")))
    return Answer({"work": read_work(format_work(data), name).data})


def do_base_maps(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """The maps that a level is made on, so that its work can be saved without them: the one with the kept cells, which
    are all that belongs to kept rooms too, and the map itself if it comes from a file.
    """
    source = requests.read_request(ask, LevelSource)
    kept = sources.build_start_map(source, job.is_cancelled)
    origin, _ = sources.origins.resolve(source.recipe)
    return Answer(
        {
            "kept": None if kept is None else {"cells": list_runs(kept.mask), "map": describe_map(kept.begin)},
            "map": describe_map(origin) if isinstance(origin, Level) else None,
        }
    )


def describe_map(level: Level) -> dict[str, Any]:
    """A level as `undercroft-level`, without its empty parts."""
    data = json.loads(native.dump(level))
    if not any(data["regions"].values()):
        data["regions"] = {}
    return {key: value for key, value in data.items() if value not in EMPTY_PARTS}
