"""The passes a recipe is made of. A step is parameters and one method; `STEPS` is the list somebody wrote."""

from __future__ import annotations

from collections.abc import Mapping

from undercroft.steps.attach import Attach
from undercroft.steps.automaton import Automaton
from undercroft.steps.chambers import Chambers
from undercroft.steps.chokes import Chokes
from undercroft.steps.connect import Connect
from undercroft.steps.expand import Expand
from undercroft.steps.fill import Fill, Noise
from undercroft.steps.furnish import Furnish
from undercroft.steps.hallways import Hallways
from undercroft.steps.hilbert import Hilbert
from undercroft.steps.join import Join
from undercroft.steps.labyrinth import Labyrinth
from undercroft.steps.lakes import Lakes, Pits
from undercroft.steps.locks import Locks
from undercroft.steps.loops import Loops
from undercroft.steps.maze import Maze, Prune
from undercroft.steps.names import Names
from undercroft.steps.rewrite import Rewrite
from undercroft.steps.roles import Roles
from undercroft.steps.room_grid import RoomGrid
from undercroft.steps.rooms import Rooms
from undercroft.steps.roughen import Roughen
from undercroft.steps.scatter import Scatter, Separate
from undercroft.steps.secrets import Secrets
from undercroft.steps.split import Siblings, Split
from undercroft.steps.step import Step, name_of
from undercroft.steps.survey import Ends, Interest, Survey
from undercroft.steps.triangulate import Triangulate
from undercroft.steps.walk import Walk

STEPS: Mapping[str, type[Step]] = {
    name_of(step): step
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
