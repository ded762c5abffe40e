"""The expressive range of measured recipes, by two of their measures: as numbers and as a picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from undercroft.analysis.expressive_range import BinGrid, Spread, build_bin_grid, build_spread, measure_overlap
from undercroft.analysis.measures.table import MEASURES
from undercroft.bulk.measure.measure_recipe import Measuring
from undercroft.bulk.measure.measured_files import simplify_number, summarise_measures
from undercroft.wording import plural


class MeasureRange(NamedTuple):
    """The ranges of recipes, on the same bins."""

    names: tuple[str, str]
    """The two measures."""
    whole: tuple[bool, bool]
    """Whether each measure has whole numbers only."""
    box: BinGrid
    spreads: list[Spread]
    seeds: list[list[int]]
    """For each recipe, the seeds of the levels that have both numbers."""


def build_expressive_range(measured: Sequence[Measuring], x: str, y: str) -> MeasureRange | None:
    """The range of recipes by two measures; None if one was not measured, or if a recipe has no level with both."""
    if not all(name in each.columns for name in (x, y) for each in measured):
        return None
    xs, ys, seeds = [], [], []
    for each in measured:
        across, along = each.columns[x].numbers, each.columns[y].numbers
        both = ~np.isnan(across) & ~np.isnan(along)
        if not both.any():
            return None
        xs.append(across[both])
        ys.append(along[both])
        seeds.append(np.array(each.seeds, np.uint64)[both].tolist())
    whole_x, whole_y = (
        MEASURES[name].kind != "share" and all(each.columns[name].whole for each in measured) for name in (x, y)
    )
    around = build_bin_grid(xs, ys, whole=(whole_x, whole_y))
    return MeasureRange(
        (x, y), (whole_x, whole_y), around, [build_spread(*pair, around) for pair in zip(xs, ys, strict=True)], seeds
    )


def build_range_data(
    measured: Sequence[Measuring], found: MeasureRange | None, *, interrupted: bool = False
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A summary of the whole range, and of each recipe, as plain data. Seeds are strings: many JSON readers have no
    integers that large.
    """
    recipes = [
        {
            "recipe": each.recipe.name,
            "params": each.params,
            "size": list(each.size),
            "seeds": [str(each.range[0]), str(each.range[-1])],
            "tried": each.tried,
            "levels": len(each.seeds),
            "without_a_level": each.nothing,
            "measures": summarise_measures(each),
        }
        for each in measured
    ]
    if found is None:
        return {"interrupted": interrupted}, recipes
    for about, one, seeds in zip(recipes, found.spreads, found.seeds, strict=True):
        about["range"] = {
            "levels": len(seeds),
            "counts": one.counts.tolist(),
            "empty": round(one.empty_share, 6),
            "correlation": one.correlation,
            "corners": [
                {"seed": str(seeds[at]), "x": simplify_number(one.x[at]), "y": simplify_number(one.y[at])}
                for at in (corner.place for corner in one.corners)
            ],
        }
    axes = {
        word: {"measure": name, "edges": edges.round(12).tolist()}
        for word, name, edges in zip(("x", "y"), found.names, (found.box.x, found.box.y), strict=True)
    }
    overlap = (
        {"overlap": round(measure_overlap(*(one.counts for one in found.spreads)), 6)}
        if len(found.spreads) == 2
        else {}
    )
    return {"interrupted": interrupted, **axes, **overlap}, recipes


def render_range_png(measured: Sequence[Measuring], found: MeasureRange, footer: str = "") -> bytes:
    """Render the range as a PNG file."""
    from undercroft.draw.plots.histogram_plot import MeasureAxis
    from undercroft.draw.plots.range_plot import CornerLevel, Series, render_range_plot
    from undercroft.draw.sheets.contact_sheet import encode_png

    series = [
        Series(
            each.label,
            _describe_levels(each),
            one,
            [CornerLevel(seeds[corner.place], each.level(seeds[corner.place])) for corner in one.corners],
            _describe_hidden(each, found, len(seeds)),
        )
        for each, one, seeds in zip(measured, found.spreads, found.seeds, strict=True)
    ]
    rows = [MEASURES[name] for name in found.names]
    x, y = (
        MeasureAxis(row.name, re.split(r"[;:(]", row.about)[0].strip(), row.kind, whole)
        for row, whole in zip(rows, found.whole, strict=True)
    )
    return encode_png(render_range_plot(series, found.box, (x, y), footer))


def _describe_levels(each: Measuring) -> str:
    """The number and size of the levels, and their seeds."""
    count = plural(len(each.seeds), "level")
    ends = (
        f"seed {each.range[0]}" if each.tried == 1 else f"seeds {each.range[0]} to {each.range[max(0, each.tried - 1)]}"
    )
    return f"{count} of {each.size[0]}x{each.size[1]}, {ends}"


def _describe_hidden(each: Measuring, found: MeasureRange, shown_count: int) -> list[str]:
    """Notes on the levels that the picture leaves out."""
    hidden = len(each.seeds) - shown_count
    notes = (
        [f"{hidden:,} without {' or '.join(name for name in found.names if each.columns[name].missing)} not shown"]
        if hidden
        else []
    )
    without = sum(each.nothing.values())
    return notes + ([f"{plural(without, 'seed')} without a level"] if without else [])
