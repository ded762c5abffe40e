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


def do_recipe(sources: LevelSources, ask: dict[str, Any], teller: JobContext) -> Answer:  # noqa: ARG001
    """The card of the recipe, or the problems of its text."""
    asked = requests.read_request(ask, TextRequest)
    try:
        recipe = Recipe.parse(asked.text, asked.file, sources.origins.folder(asked.file))
    except UndercroftError as error:
        return Answer({"card": None, "problems": [build_problem(error)], "steps": [], "requirements": []})
    from undercroft.inputs import toml

    document = toml.parse_toml(asked.text, asked.file)
    steps = [
        {"id": plan.id, "use": plan.use, "line": document.place("step", index).line}
        for index, plan in enumerate(recipe.plans)
    ]
    lines = {name: document.place("require", name).line for name in document.data.get("require", {})}
    required = [{"text": requirement.text, "line": lines.get(requirement.measure, 1)} for requirement in recipe.require]
    shown = build_recipe_card(recipe, None if not re.search(r"[/\\]", asked.file) else asked.file)
    return Answer({"card": shown, "problems": [], "steps": steps, "requirements": required})
