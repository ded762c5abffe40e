"""The passes a recipe is made of. A step is parameters and one method; `STEPS` is the list somebody wrote."""

from __future__ import annotations

from collections.abc import Mapping

from undercroft.steps.caves.automaton import Automaton
from undercroft.steps.caves.hilbert import Hilbert
from undercroft.steps.caves.join import Join
from undercroft.steps.facts.chokes import Chokes
from undercroft.steps.facts.survey import Ends, Interest, Survey
from undercroft.steps.finish.lakes import Lakes, Pits
from undercroft.steps.finish.rewrite import Rewrite
from undercroft.steps.finish.roles import Roles
from undercroft.steps.finish.roughen import Roughen
from undercroft.steps.finish.secrets import Secrets
from undercroft.steps.furnish.furnish import Furnish
from undercroft.steps.furnish.names import Names
from undercroft.steps.grids.expand import Expand
from undercroft.steps.grids.room_grid import RoomGrid
from undercroft.steps.links.connect import Connect
from undercroft.steps.links.hallways import Hallways
from undercroft.steps.links.loops import Loops
from undercroft.steps.links.triangulate import Triangulate
from undercroft.steps.locks.locks import Locks
from undercroft.steps.mazes.labyrinth import Labyrinth
from undercroft.steps.mazes.maze import Maze, Prune
from undercroft.steps.rooms.attach import Attach
from undercroft.steps.rooms.chambers import Chambers
from undercroft.steps.rooms.rooms import Rooms
from undercroft.steps.rooms.scatter import Scatter, Separate
from undercroft.steps.rooms.split import Siblings, Split
from undercroft.steps.start.fill import Fill, Noise
from undercroft.steps.start.walk import Walk
from undercroft.steps.step import Step, step_name_of

STEPS: Mapping[str, type[Step]] = {
    step_name_of(step): step
    for step in (
        Fill,
        Noise,
        Automaton,
        Join,
        Rooms,
        Maze,
        Connect,
        Prune,
        Split,
        Scatter,
        Separate,
        Chambers,
        Siblings,
        Triangulate,
        Hallways,
        RoomGrid,
        Expand,
        Attach,
        Hilbert,
        Walk,
        Labyrinth,
        Loops,
        Lakes,
        Pits,
        Roughen,
        Roles,
        Secrets,
        Locks,
        Rewrite,
        Survey,
        Ends,
        Interest,
        Chokes,
        Furnish,
        Names,
    )
}

__all__ = ["STEPS", "Step"]
