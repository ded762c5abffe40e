"""A level from a file that somebody gives to the page."""

from __future__ import annotations

from typing import Any

from undercroft.core.level import Level
from undercroft.formats.shared.checked import plain
from undercroft.recipe.document import Result, other_editions
from undercroft.studio import asks, heads
from undercroft.studio.asks import RecipeRef
from undercroft.studio.sources import Made, Sources
from undercroft.studio.work import Answer, Teller


def do_import(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """What is in it. The bytes are read here; from then on the level is named by their digest."""
    ref = asks.read(ask.get("recipe"), RecipeRef)
    level, name = sources.origins.origin(ref)
    assert isinstance(level, Level)
    head = heads.head_of(Made(level, name, Result(level, 0, {}, ()), [], 0.0), "all", (), teller.cancelled)
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
