"""The passes a recipe is made of. A step is parameters and one method. `STEPS` lists every step, in the order of the
docs; those of other packages follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from undercroft.plugins.table import LOWER_CASE_WORDS, PluginTable
from undercroft.steps.step import Step, step_name

if TYPE_CHECKING:
    from undercroft.plugins.provider import Provider


class StepTable(Mapping[str, type[Step]]):
    """Our steps by their names in recipes. A step's module is imported when the step is first used: a cave does not
    wait for the rules.
    """

    def __init__(self, **modules: str) -> None:
        self._rows = {step_name(kind): (module, kind) for kind, module in modules.items()}
        self.loaded: dict[str, type[Step]] = {}

    def __getitem__(self, name: str) -> type[Step]:
        if name not in self.loaded:
            module, kind = self._rows[name]
            self.loaded[name] = vars(import_module(module))[kind]
        return self.loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


_OWN_STEPS = StepTable(
    Fill="undercroft.steps.start.fill",
    Noise="undercroft.steps.start.noise",
    Automaton="undercroft.steps.caves.automaton",
    Join="undercroft.steps.caves.join",
    Rooms="undercroft.steps.rooms.rooms",
    Maze="undercroft.steps.mazes.maze",
    Connect="undercroft.steps.links.connect",
    Prune="undercroft.steps.mazes.maze",
    Split="undercroft.steps.rooms.split",
    Scatter="undercroft.steps.rooms.scatter",
    Separate="undercroft.steps.rooms.scatter",
    Chambers="undercroft.steps.rooms.chambers",
    Siblings="undercroft.steps.rooms.split",
    Triangulate="undercroft.steps.links.triangulate",
    Hallways="undercroft.steps.links.hallways",
    RoomGrid="undercroft.steps.grids.room_grid",
    Expand="undercroft.steps.grids.expand",
    Attach="undercroft.steps.rooms.attach",
    Hilbert="undercroft.steps.caves.hilbert",
    Walk="undercroft.steps.start.walk",
    Labyrinth="undercroft.steps.mazes.labyrinth",
    Loops="undercroft.steps.links.loops",
    Lakes="undercroft.steps.finish.lakes",
    Pits="undercroft.steps.finish.lakes",
    Roughen="undercroft.steps.finish.roughen",
    Roles="undercroft.steps.finish.roles",
    Secrets="undercroft.steps.finish.secrets",
    Locks="undercroft.steps.locks.locks",
    Rewrite="undercroft.steps.finish.rewrite",
    Survey="undercroft.steps.facts.survey",
    Ends="undercroft.steps.facts.ends",
    Interest="undercroft.steps.facts.interest",
    Areas="undercroft.steps.facts.areas",
    Number="undercroft.steps.facts.number",
    Chokes="undercroft.steps.facts.chokes",
    Furnish="undercroft.steps.furnish.furnish",
    Names="undercroft.steps.furnish.names",
)


def _check_step(part: Any, name: str, provider: Provider) -> type[Step]:
    from undercroft.steps.foreign_step import check_step  # only needed for steps of others

    return check_step(part, name, provider)


STEPS: PluginTable[type[Step]] = PluginTable(
    "step",
    _OWN_STEPS,
    _check_step,
    form=LOWER_CASE_WORDS,
    name_of=lambda part: step_name(getattr(part, "__name__", "")),
    loaded=_OWN_STEPS.loaded,
)

__all__ = ["STEPS", "Step"]
