"""A level as the page needs it: a head of plain data, and its grids."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from undercroft.analysis.measures.table import MEASURES, Facts, Number, measure_one
from undercroft.analysis.requirements import Requirement
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.region import DOOR_STATES, LINK_KINDS
from undercroft.core.run import Run
from undercroft.errors import BadInput, OutOfBudget, PluginTrouble, unknown_name_error
from undercroft.recipe.document import Recipe
from undercroft.recipe.outcome import Result
from undercroft.steps import STEPS
from undercroft.studio.jobs.levels import LevelRecord
from undercroft.studio.protocol.messages import MessagePart

MAX_CELLS_FOR_SLOW = 512 * 512
"""Above this many cells, slow measures are left out unless they are requested by name."""
SLOW_MEASURES = {"diameter", "longest_path"}


def list_tiles(palette: Palette) -> list[dict[str, Any]]:
    """The tiles of a palette."""
    return [
        {
            "name": tile.name,
            "glyph": tile.glyph,
            "colour": tile.colour,
            "walkable": tile.walkable,
            "opaque": tile.opaque,
            "role": tile.role,
        }
        for tile in palette.tiles
    ]


def build_head(
    record: LevelRecord, measures: Sequence[str] | str, until: Sequence[str], cancelled: Callable[[], bool]
) -> dict[str, Any]:
    """All data of a level except its grids."""
    level, result = record.level, record.result
    facts = reuse_facts(result, cancelled)
    return {
        "title": level.title,
        "recipe": record.name,
        "seed": level.provenance.get("seed_text", level.provenance.get("seed", "")),
        "attempt": result.attempt,
        "size": level.size,
        "palette": list_tiles(level.palette),
        "start": level.start,
        "end": level.end,
        "rooms": list_rooms(level),
        "doors": [
            {"at": (x, y), "kind": DOOR_STATES[state], "between": (a, b)}
            for x, y, a, b, state in level.doors.table.tolist()
        ],
        "links": [{"a": a, "b": b, "kind": LINK_KINDS[kind]} for a, b, kind, *_ in level.links.table.tolist()],
        "things": [
            {"kind": thing.kind, "at": (thing.x, thing.y), "name": str(thing.data.get("name", ""))}
            for thing in level.things
        ],
        "measures": measure_facts(facts, measures),
        "requirements": list_requirements(facts, record.list_requirements(until), result.rejected),
        "rejected": result.attempt,
        "causes": result.rejected,
        # the user knows the kept cells
        "notes": [note for note in result.notes if "put back after" not in note],
        "moved": record.moved,
        "milliseconds": round(record.milliseconds, 1),
        "steps": list_steps(record.recipe) if record.recipe else [],
        "editions": record.recipe.editions if record.recipe else {},
    }


def build_grids(level: Level) -> dict[str, MessagePart]:
    """The grids of a level: tiles, the labels of regions, and the path as x, y, x, y ..."""
    labels = level.regions.labels
    return {
        "tiles": level.tiles,
        "labels": labels.astype(np.uint16 if len(level.regions) < 1 << 16 else np.uint32),
        "path": level.path.astype(np.int32),
    }


def list_rooms(level: Level) -> list[dict[str, Any]]:
    """The regions; rooms are numbered as on pictures, corridors have the number 0."""
    spots = find_middle_cells(level)
    number, found = 0, []
    for region, spot in zip(level.regions, spots, strict=True):
        number += region.kind != "corridor"
        found.append(
            {
                "id": region.label,
                "number": number if region.kind != "corridor" else 0,
                "kind": region.kind,
                "name": region.name,
                "area": region.area,
                "at": spot,
                "tags": region.tags,
            }
        )
    return found


def find_middle_cells(level: Level) -> list[tuple[int, int]]:
    """For each region the cell nearest to the middle of its box, as a place for a label."""
    table, labels = level.regions.table, level.regions.labels
    x = (table["x"] + (table["width"] - 1) // 2).clip(0, level.width - 1)
    y = (table["y"] + (table["height"] - 1) // 2).clip(0, level.height - 1)
    off_centre = labels[y, x] != np.arange(1, len(table) + 1)  # where the middle belongs to another region
    if off_centre.any():
        ys, xs = np.nonzero(np.append(False, off_centre)[labels])
        of = labels[ys, xs] - 1
        off = np.abs(2 * xs + 1 - (2 * table["x"] + table["width"])[of]) + np.abs(
            2 * ys + 1 - (2 * table["y"] + table["height"])[of]
        )
        order = np.lexsort((off, of))
        first = order[np.flatnonzero(np.diff(of[order], prepend=-1))]
        x[of[first]], y[of[first]] = xs[first], ys[first]
    return list(zip(x.tolist(), y.tolist(), strict=True))


def reuse_facts(result: Result, cancelled: Callable[[], bool]) -> Facts:
    """The facts computed when the level was made, for a new request."""
    known = result.facts if result.facts is not None and result.facts.given is result.level else Facts(result.level)
    known.run, before = Run(cancelled=cancelled), known.run
    known.run.swept = before.swept
    return known


def measure_facts(facts: Facts, names: Sequence[str] | str) -> dict[str, Number]:
    """Measures of a level. If all are requested, those that take too long or do not apply are left out."""
    if isinstance(names, str):
        if names != "all":
            raise BadInput(f"measures are a list of names or 'all', not {names!r}", fix="reload the page")
        large = facts.level.tiles.size > MAX_CELLS_FOR_SLOW
        selection: Sequence[str] = [name for name in MEASURES if not (large and name in SLOW_MEASURES)]
    else:
        selection = names
    found: dict[str, Number] = {}
    for name in selection:
        if name not in MEASURES:
            raise unknown_name_error("measure", name, MEASURES)
        try:
            found[name] = measure_one(name, facts)
        except (OutOfBudget, BadInput, PluginTrouble):
            if not isinstance(names, str):
                found[name] = None
    return found


def list_requirements(
    facts: Facts, requirements: Sequence[Requirement], rejected: dict[str, int]
) -> list[dict[str, Any]]:
    """Each requirement, whether it is met, and how often it failed."""
    rows = []
    for requirement in requirements:
        value = requirement.value(facts)
        met = requirement.holds(value)
        row = {"text": requirement.text, "measure": requirement.measure, "met": met, "value": value}
        rows.append(
            {
                **row,
                "why": "" if met else requirement.describe_value(value),
                "rejected": rejected.get(requirement.text, 0),
            }
        )
    return rows


def list_steps(recipe: Recipe) -> list[dict[str, str]]:
    """The steps of a recipe, each with its first sentence."""
    return [{"id": plan.id, "use": plan.use, "about": summarise_step(STEPS[plan.use])} for plan in recipe.plans]


def summarise_step(step: type) -> str:
    """The first paragraph of a step's docstring."""
    return (inspect.getdoc(step) or "").split("\n\n")[0].replace("\n", " ")
