"""Check the text of a recipe while the user types."""

from __future__ import annotations

import re
from typing import Any

from undercroft.errors import UndercroftError
from undercroft.recipe.document import Recipe
from undercroft.studio.jobs.catalogue import build_recipe_card
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.messages import build_problem
from undercroft.studio.protocol.requests import TextRequest


def do_recipe(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:  # noqa: ARG001
    """The card of the recipe, or the problems of its text."""
    request = requests.read_request(ask, TextRequest)
    try:
        recipe = Recipe.parse(request.text, request.file, sources.origins.folder(request.file))
    except UndercroftError as error:
        return Answer({"card": None, "problems": [build_problem(error)], "steps": [], "requirements": []})
    first_line = 1 if recipe.base is None else recipe.document.place("extends").line
    steps = [
        {"id": plan.id, "use": plan.use, "line": _find_line(recipe, first_line, "step", index)}
        for index, plan in enumerate(recipe.plans)
    ]
    lines = {name: _find_line(recipe, first_line, "require", name) for name in recipe.document.data.get("require", {})}
    required = [{"text": requirement.text, "line": lines.get(requirement.measure, 1)} for requirement in recipe.require]
    card = build_recipe_card(recipe, None if not re.search(r"[/\\]", request.file) else request.file)
    return Answer({"card": card, "problems": [], "steps": steps, "requirements": required})


def _find_line(recipe: Recipe, other: int, *path: str | int) -> int:
    """The line of a key in the text; another one if a recipe that it extends has the key."""
    place = recipe.find_own_place(*path)
    return other if place is None else place.line
