"""`--storyboard`: how a level was made, on one page."""

from __future__ import annotations

import inspect
import io
from collections.abc import Collection
from typing import TYPE_CHECKING

from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.recipe.document import Recipe
from undercroft.steps import STEPS

if TYPE_CHECKING:
    from undercroft.core.timeline import Timeline


def storyboard_timeline(path: str | None, others: Collection[str]) -> Timeline | None:
    """The timeline to record with, if a storyboard is requested. Raises for mistakes before any work is done."""
    if path is None:
        return None
    if not path.casefold().endswith(".png"):
        raise BadInput(f"{path}: a storyboard is a PNG picture", fix="end the name in .png")
    if path in others:
        raise BadInput(f"{path} is asked for twice", fix="give the storyboard another name")
    from undercroft.core.timeline import Timeline  # only needed to record

    return Timeline()


def render_storyboard(timeline: Timeline, level: Level, recipe: Recipe, style: str | None) -> bytes:
    """Render the page as a PNG."""
    from undercroft.draw.sheets.storyboard import storyboard

    about = {
        plan.id: (inspect.getdoc(STEPS[plan.use]) or "").partition(".")[0].replace("\n", " ") for plan in recipe.plans
    }
    file = io.BytesIO()
    storyboard(timeline, level, style=style or "ink", about=about).save(file, "PNG")
    return file.getvalue()
