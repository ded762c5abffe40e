"""A recipe for every step whose own description draws nothing, to be run and shown in the reference."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """What to run with seed 1, and which fact of the `level` to show; the level itself is drawn unless a fact is
    named.
    """

    recipe: str
    shows: str = ""


def _recipe(size: tuple[int, int], *steps: str) -> str:
    """A recipe of steps, each written as its name and the lines after it."""
    tables = []
    for step in steps:
        name, *values = step.split("; ")
        tables.append("\n".join(["[[step]]", f'use = "{name}"', *values]))
    return "\n\n".join([f"size = [{size[0]}, {size[1]}]", *tables])


EXAMPLES = {
    "fill": Example(_recipe((30, 3), 'fill; role = "water"')),
    "noise": Example(_recipe((40, 9), "noise; wall = 0.3")),
    "automaton": Example(_recipe((40, 9), "noise", "automaton; rounds = 4")),
    "join": Example(_recipe((40, 13), "noise; wall = 0.5", "automaton", 'join; connect = "nearest"')),
    "rooms": Example(_recipe((41, 11), "fill", "rooms; tries = 20")),
    "maze": Example(_recipe((41, 11), "fill", "rooms; tries = 20", "maze; winding = 0.3")),
    "connect": Example(_recipe((41, 11), "fill", "rooms; tries = 20", "maze; winding = 0.3", "connect; extra = 0.1")),
    "prune": Example(
        _recipe((41, 11), "fill", "rooms; tries = 20", "maze; winding = 0.3", "connect; extra = 0.1", "prune")
    ),
    "scatter": Example(
        _recipe((40, 20), "fill", "scatter; cells = 5"),
        "[(cell.x, cell.y, cell.width, cell.height) for cell in level.regions]",
    ),
    "pits": Example(_recipe((40, 9), "noise; wall = 0.0", "pits; share = 0.1")),
    "rewrite": Example(
        _recipe((41, 9), "labyrinth", 'rewrite; rules = """\none  lawns, up to 4 times\n    ,#, -> ...\n"""')
    ),
    "survey": Example(
        _recipe((41, 9), "fill", "rooms", "maze", "connect", "prune", "survey"), "len(level.rooms), level.doors[0]"
    ),
    "ends": Example(_recipe((40, 9), "noise", "automaton", "join", "ends"), "level.start, level.end, len(level.path)"),
    "interest": Example(
        _recipe((41, 9), "fill", "rooms", "maze", "connect", "prune", "interest; room = 9"),
        "level.start, level.end, len(level.path)",
    ),
}
"""By the name of the step."""
