"""A level from a file that somebody gives to the page."""

from __future__ import annotations

from typing import Any

from undercroft.core.level import Level
from undercroft.formats.shared.checked import plain
from undercroft.recipe.document import Result, other_editions
from undercroft.studio.jobs import level_json
from undercroft.studio.jobs.levels import Made, Sources
from undercroft.studio.jobs.work import Answer, Teller
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.requests import RecipeRef


def do_import(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """What is in it. The bytes are read here; from then on the level is named by their digest."""
    ref = requests.read(ask.get("recipe"), RecipeRef)
    level, name = sources.origins.origin(ref)
    assert isinstance(level, Level)
    head = level_json.head_of(Made(level, name, Result(level, 0, {}, ()), [], 0.0), "all", (), teller.cancelled)
    notes = (
        [f"made by another edition of {', '.join(changed)}: the same recipe and seed give another level now"]
        if (changed := other_editions(level))
        else []
    )
    return Answer(
        data={
            "level": head,
            "notes": notes,
            "origin": plain(level.provenance, "provenance"),
            "source": {"imported": ref.imported, "file": sources.origins.imports[str(ref.imported)]["file"]},
        }
    )
