"""The first request of a page."""

from __future__ import annotations

from typing import Any

from undercroft.studio.jobs.catalogue import build_catalogue
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import Answer, JobContext


def do_hello(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:  # noqa: ARG001
    """Return recipes, steps, measures, formats and styles."""
    return Answer(data=build_catalogue(sources))
