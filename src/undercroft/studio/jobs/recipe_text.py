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
    from undercroft.inputs import toml

    document = toml.parse_toml(request.text, request.file)
    steps = [
        {"id": plan.id, "use": plan.use, "line": document.place("step", index).line}
        for index, plan in enumerate(recipe.plans)
    ]
    lines = {name: document.place("require", name).line for name in document.data.get("require", {})}
    required = [{"text": requirement.text, "line": lines.get(requirement.measure, 1)} for requirement in recipe.require]
    card = build_recipe_card(recipe, None if not re.search(r"[/\\]", request.file) else request.file)
    return Answer({"card": card, "problems": [], "steps": steps, "requirements": required})
