"""The words that recipes and rules are written in, each with its help: what the page completes and explains."""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import itertools
import textwrap
from typing import Any

from undercroft.core.palette import STANDARD
from undercroft.errors import UndercroftError
from undercroft.steps import STEPS
from undercroft.studio.jobs import level_json
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import Answer, JobContext

RECIPE_KEYS: dict[str, dict[str, str]] = {
    "": {
        "about": "a sentence for people: what the recipe makes",
        "tags": 'words to choose by, such as ["cave", "forest"]',
        "size": "[width, height] in cells; [80, 50] if left out",
        "extends": "the recipe that this one builds on: a name, or a file",
        "begins": 'facts that the map to begin with must have, such as ["tiles"]; without it: rock',
    },
    "param": {
        "default": "the value if the user sets none; it determines the type too. Must be given",
        "range": "[least, greatest] of a number, both included",
        "choices": "the list of values that are allowed",
        "about": "a sentence for people: the help of its slider",
    },
    "step": {
        "use": "which step it is. Must be given",
        "id": "a name of its own, if the recipe has the step twice",
        "before": "in a recipe that extends another: the id of the step that it stands before",
    },
}
"""The keys of a recipe's text, by the table they stand in; "" is above all tables."""
RECIPE_TABLES = {
    "[[step]]": "a step; steps run in the order of the text",
    "[param.NAME]": 'a parameter: it gets a slider, and a step takes it as "$NAME"',
    "[require]": 'what every level must meet: a line such as loops = ">= 3" for each measure',
    "[change.ID]": "in a recipe that extends another: parameters of the step with that id",
}
RULE_LINES = {
    "one": "a node: in each turn it takes one match at random, and applies it",
    "all": "a node: in each turn it applies all matches in random order that do not overwrite each other",
    "parallel": "a node: in each turn it applies all matches at once",
    "markov": "a block: in each turn the first of its nodes that has a match works",
    "sequence": "a block: its nodes work one after the other, each until it is done",
    "repeat": "a block that runs again and again: as a sequence, until nothing in it matches or as often as it says",
    "rule": "a rule of the node above, with a name and options of its own",
    "expect": "a test: what a rule must do with a small drawing, or how often",
    "program": "the name of the file's program, at the top",
    "palette": "which tiles the signs mean: standard, or letters",
    "tile": "a tile of its own: its sign, name, and what it is like",
    "thing": "a sign for a thing that a rule puts on a tile",
    "set": "a sign for several tiles: a pattern matches any of them",
    "outside": "the tile that every cell beyond the border counts as; none: patterns stay inside",
    "positions": "the positions of all rules that name none",
    "include": "the rules of another file, put in here",
}
"""The words that lines of a rules text begin with."""
RULE_OPTIONS = {
    "once": "at most one turn of a node, or one rewrite of a rule",
    "up to 3 times": "at most so many turns of a node, or rewrites of a rule",
    "until nothing matches": "no limit: the default of a node",
    "as drawn": "in the position in which it is drawn, and no other: the default",
    "turned": "in the four positions that quarter turns give",
    "mirrored": "as drawn, and with left and right swapped",
    "mirrored left-right": "as drawn, and with left and right swapped",
    "mirrored up-down": "as drawn, and with top and bottom swapped",
    "mirrored both ways": "as drawn, mirrored one way, the other, and both",
    "turned and mirrored": "in all eight positions",
    "mirrored and turned": "in all eight positions",
    "in all positions": "in all eight positions",
    "turned and mirrored twice": "in all eight positions, each of them twice",
    "positions 0 2 4": "in these: 0 to 3 are quarter turns clockwise, 4 to 7 the same with left and right swapped",
    "weight 2": "taken twice as often as a rule of weight 1; 0 switches it off",
    "results 3:1": "the weights of the results, in order",
    "chance 0.5": "each match is used with this chance, in each turn anew",
    "outside X": "patterns reach over the border, where every cell counts as this tile",
    "pick by match": "in a `one` node each match is equally likely: the default",
    "keep duplicates": "positions in which a rule looks the same are counted separately",
    "keep connected(floor, door)": "a rewrite is refused if it would disconnect these tiles",
    "keep count(door) <= 12": "the number of these tiles stays within a bound",
    "keep distance(door, door) >= 5": "no two of these tiles are nearer than so many steps",
    "each room": "the node works room by room",
    "in rooms": "all cells that the rule writes are in one room",
    "in rooms tagged library": "all cells that the rule writes are in one room with this tag",
}
"""What follows after commas, with examples of numbers and names."""


def do_vocabulary(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:  # noqa: ARG001
    """Return keys and tables of recipes, what the fields of steps do, tiles, and the words of the rules language."""
    return Answer(build_vocabulary())


def build_vocabulary() -> dict[str, Any]:
    """The whole vocabulary. Steps with their fields, and measures, stand in the catalogue already."""
    return {
        "keys": [
            {"table": table, "name": name, "about": about}
            for table, keys in RECIPE_KEYS.items()
            for name, about in keys.items()
        ],
        "tables": [{"name": name, "about": about} for name, about in RECIPE_TABLES.items()],
        "fields": {name: describe_fields(step) for name, step in STEPS.items()},
        "tiles": level_json.list_tiles(STANDARD),
        "lines": [{"name": name, "about": about} for name, about in RULE_LINES.items()],
        "options": [{"name": name, "about": about} for name, about in RULE_OPTIONS.items()],
    }


@functools.cache
def describe_fields(step: type) -> dict[str, str]:
    """What the fields of a step do: the texts below them in its source. None of a class whose source is not there.

    >>> describe_fields(STEPS["fill"])["role"]
    'The role of the tile.'
    """
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(step))).body[0]
    except (OSError, TypeError, SyntaxError, UndercroftError):
        return {}
    found: dict[str, str] = {}
    known = {field.name for field in dataclasses.fields(step)} if dataclasses.is_dataclass(step) else set()
    members = body.body if isinstance(body, ast.ClassDef) else []
    for field, text in itertools.pairwise(members):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and field.target.id in known
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        ):
            found[field.target.id] = " ".join(text.value.value.split())
    return found
