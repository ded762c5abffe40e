"""Undercroft: a recipe and a seed become a level.

>>> import undercroft as uc
>>> level = uc.generate("cave", seed=7, size=(60, 30), fill_prob=0.4)
>>> uc.measure(level, "components")
{'components': 1}
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from undercroft.analysis.measures.table import measure
from undercroft.analysis.survey import surveyed as survey
from undercroft.core.draft import Draft
from undercroft.core.graph import Graph
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette, Tile
from undercroft.core.region import Door, Link, Region, Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import (
    BadInput,
    Cancelled,
    FileTrouble,
    NotMet,
    OutOfBudget,
    Place,
    PluginTrouble,
    TooBig,
    UndercroftError,
)
from undercroft.recipe.document import Recipe
from undercroft.recipe.generate import generate
from undercroft.recipe.outcome import Result
from undercroft.version import VERSION

if TYPE_CHECKING:
    from undercroft.analysis.compare import compare
    from undercroft.analysis.flows import compare_flow
    from undercroft.analysis.room_grids import to_pixels
    from undercroft.analysis.solver.solve import Solution, prove, solve
    from undercroft.analysis.step_distances import distances
    from undercroft.bulk.batch.batch import batch
    from undercroft.bulk.batch.reader import open_batch
    from undercroft.bulk.search.search import search
    from undercroft.core.dungeon import Dungeon, Floor
    from undercroft.core.dungeon_stairs import Stairs
    from undercroft.core.flow import Flow, FlowApart, FlowLink, FlowRoom, FlowThing
    from undercroft.core.timeline import Timeline
    from undercroft.draw.autotile.autotile import autotile
    from undercroft.recipe.dungeon.descend import descend
    from undercroft.recipe.dungeon.document import DungeonRecipe
    from undercroft.registration import register, unregister
    from undercroft.rewrite.rules import Rules
    from undercroft.rewrite.templates import blit, match, slices
    from undercroft.rewrite.themes import theme
    from undercroft.steps.caves.hilbert import hilbert
    from undercroft.templates.layouts.layout import Layout
    from undercroft.templates.layouts.no_layout_fits import NoLayoutFits
    from undercroft.templates.layouts.partition import Axis, Partition
    from undercroft.templates.layouts.pool import Pool

__version__ = VERSION


def load(path: str | Path, read_as: str | None = None, **options: Any) -> Level:
    """A level from a file, in the format its suffix says, or in the one named. Some formats can be told how to read,
    such as with which palette.
    """
    from undercroft import formats

    return formats.load(path, read_as, **options)


_LAZY_IMPORTS = {
    "compare": "undercroft.analysis.compare",
    "compare_flow": "undercroft.analysis.flows",
    "to_pixels": "undercroft.analysis.room_grids",
    "Solution": "undercroft.analysis.solver.solve",
    "prove": "undercroft.analysis.solver.solve",
    "solve": "undercroft.analysis.solver.solve",
    "distances": "undercroft.analysis.step_distances",
    "descend": "undercroft.recipe.dungeon.descend",
    "Dungeon": "undercroft.core.dungeon",
    "Floor": "undercroft.core.dungeon",
    "Stairs": "undercroft.core.dungeon_stairs",
    "DungeonRecipe": "undercroft.recipe.dungeon.document",
    **dict.fromkeys(("Flow", "FlowApart", "FlowLink", "FlowRoom", "FlowThing"), "undercroft.core.flow"),
    "batch": "undercroft.bulk.batch.batch",
    "open_batch": "undercroft.bulk.batch.reader",
    "search": "undercroft.bulk.search.search",
    "Timeline": "undercroft.core.timeline",
    "Axis": "undercroft.templates.layouts.partition",
    "Layout": "undercroft.templates.layouts.layout",
    "NoLayoutFits": "undercroft.templates.layouts.no_layout_fits",
    "Partition": "undercroft.templates.layouts.partition",
    "Pool": "undercroft.templates.layouts.pool",
    "autotile": "undercroft.draw.autotile.autotile",
    "register": "undercroft.registration",
    "unregister": "undercroft.registration",
    "Rules": "undercroft.rewrite.rules",
    "blit": "undercroft.rewrite.templates",
    "match": "undercroft.rewrite.templates",
    "slices": "undercroft.rewrite.templates",
    "theme": "undercroft.rewrite.themes",
    "hilbert": "undercroft.steps.caves.hilbert",
}


def __getattr__(name: str) -> Any:
    """What has to do with rules, layouts, curves, tilesets or timelines is imported when it is first used: a level that
    needs none does not wait for it.
    """
    if name in _LAZY_IMPORTS:
        return getattr(import_module(_LAZY_IMPORTS[name]), name)
    raise AttributeError(f"module 'undercroft' has no attribute {name!r}")


def __dir__() -> list[str]:
    """All public names, those too that are imported later."""
    return __all__


__all__ = [
    "STANDARD", "Axis", "BadInput", "Cancelled", "Door", "Draft", "Dungeon", "DungeonRecipe", "FileTrouble",
    "Floor", "Flow", "FlowApart", "FlowLink", "FlowRoom", "FlowThing", "Graph", "Layout", "Level", "Link",
    "NoLayoutFits", "NotMet", "OutOfBudget", "Palette", "Partition", "Place", "PluginTrouble", "Pool", "Recipe",
    "Region", "Result", "Rng", "Rules", "Run", "Solution", "Stairs", "Thing", "Tile", "Timeline", "TooBig",
    "UndercroftError", "__version__", "autotile", "batch", "blit", "compare", "compare_flow", "descend", "distances",
    "generate", "hilbert", "load", "match", "measure", "open_batch", "prove", "register", "search", "slices", "solve",
    "survey", "theme", "to_pixels", "unregister",
]  # fmt: skip
