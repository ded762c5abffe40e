"""The first thing that a page asks: what is there?"""

from __future__ import annotations

from typing import Any

from undercroft.studio.jobs.catalogue import hello
from undercroft.studio.jobs.levels import Sources
from undercroft.studio.jobs.work import Answer, Teller


def do_hello(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:  # noqa: ARG001
    """Recipes, steps, measures, formats and styles."""
    return Answer(data=hello(sources))
