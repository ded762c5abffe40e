"""The passes a recipe is made of. A step is parameters and one method; `STEPS` is the list somebody wrote."""

from __future__ import annotations

from collections.abc import Mapping

from undercroft.steps.automaton import Automaton
from undercroft.steps.connect import Connect
from undercroft.steps.fill import Fill, Noise
from undercroft.steps.join import Join
from undercroft.steps.maze import Maze, Prune
from undercroft.steps.rewrite import Rewrite
from undercroft.steps.rooms import Rooms
from undercroft.steps.step import Step, name_of
from undercroft.steps.survey import Ends, Interest, Survey

STEPS: Mapping[str, type[Step]] = {name_of(step): step for step in (Fill, Noise, Automaton, Join, Rooms, Maze, Connect, Prune, Rewrite, Survey, Ends, Interest)}

__all__ = ["STEPS", "Step"]
