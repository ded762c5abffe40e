"""Import a level from a file that the user gives to the page."""

from __future__ import annotations

from typing import Any

from undercroft.core.level import Level
from undercroft.formats.shared.checked import to_json_value
from undercroft.recipe.document import list_changed_steps
from undercroft.recipe.outcome import Result
from undercroft.studio.jobs import level_json
from undercroft.studio.jobs.levels import LevelRecord, LevelSources
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.requests import RecipeRef


def do_import(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """Describe an imported level. Its bytes are read here; from then on its digest names it."""
    ref = requests.read_request(ask.get("recipe"), RecipeRef)
    level, name = sources.origins.resolve(ref)
    assert isinstance(level, Level)
    head = level_json.build_head(
        LevelRecord(level, name, Result(level, 0, {}, ()), [], 0.0), "all", (), job.is_cancelled
    )
    notes = (
        [f"made by another edition of {', '.join(changed)}: the same recipe and seed give another level now"]
        if (changed := list_changed_steps(level))
        else []
    )
    return Answer(
        data={
            "level": head,
            "notes": notes,
            "origin": to_json_value(level.provenance, "provenance"),
            "source": {"imported": ref.imported, "file": sources.origins.imports[str(ref.imported)]["file"]},
        }
    )
