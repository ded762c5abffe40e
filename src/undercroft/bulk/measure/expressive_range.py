"""The expressive range of measured recipes, by two of their measures: as numbers and as a picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from undercroft.analysis.expressive_range import (
    AxisBins,
    BinGrid,
    Spread,
    build_bin_grid,
    build_spread,
    measure_overlap,
)
from undercroft.analysis.measures.table import MEASURES
from undercroft.bulk.measure.measured_files import simplify_number, summarise_measures
from undercroft.bulk.measure.measured_levels import MeasuredLevels
from undercroft.bulk.study_record import RECORD_KEY, build_study_record
from undercroft.core.frozen import thaw
from undercroft.inputs.json import format_json
from undercroft.wording import plural


class MeasureRange(NamedTuple):
    """The ranges of recipes, on the same bins."""

    names: tuple[str, str]
    """The two measures."""
    whole: tuple[bool, bool]
    """Whether each measure has whole numbers only."""
    box: BinGrid
    spreads: list[Spread]
    rows: list[list[int]]
    """For each recipe, the rows of the levels that have both numbers, and lie in the box."""
    outside: list[int]
    """For each recipe, how many levels with both numbers lie outside of the box."""


def build_expressive_range(
    measured: Sequence[MeasuredLevels], x: str, y: str, axes: tuple[AxisBins, AxisBins] = (AxisBins(), AxisBins())
) -> MeasureRange | None:
    """The range of recipes by two measures; None if one was not measured, or if a recipe has no level with both, or
    none in the bins that `axes` sets.
    """
    if not all(name in each.columns for name in (x, y) for each in measured):
        return None
    columns = [[each.columns[name].numbers for name in (x, y)] for each in measured]
    both = [np.flatnonzero(~np.isnan(across) & ~np.isnan(along)) for across, along in columns]
    if not all(map(len, both)):
        return None
    whole_x, whole_y = (
        MEASURES[name].kind != "share" and all(each.columns[name].whole for each in measured) for name in (x, y)
    )
    xs, ys = ([pair[axis][rows] for pair, rows in zip(columns, both, strict=True)] for axis in (0, 1))
    around = build_bin_grid(xs, ys, whole=(whole_x, whole_y), axes=axes)
    inside = [around.is_inside(*pair) for pair in zip(xs, ys, strict=True)]
    if not all(mask.any() for mask in inside):
        return None
    spreads = [
        build_spread(across[mask], along[mask], around) for across, along, mask in zip(xs, ys, inside, strict=True)
    ]
    return MeasureRange(
        (x, y),
        (whole_x, whole_y),
        around,
        spreads,
        [rows[mask].tolist() for rows, mask in zip(both, inside, strict=True)],
        [int((~mask).sum()) for mask in inside],
    )


def list_overlaps(measured: Sequence[MeasuredLevels], found: MeasureRange) -> list[tuple[str, str, float]]:
    """The overlap of each two recipes."""
    return [
        (measured[a].label, measured[b].label, measure_overlap(found.spreads[a].counts, found.spreads[b].counts))
        for a, b in combinations(range(len(measured)), 2)
    ]


def build_range_data(
    measured: Sequence[MeasuredLevels], found: MeasureRange | None, *, interrupted: bool = False
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A summary of the whole range, and of each recipe, as plain data. Seeds are strings: many JSON readers have no
    integers that large.
    """
    recipes = [
        {
            "recipe": each.recipe.name,
            "label": each.label,
            "params": thaw(each.params),
            "vary": each.vary.format_texts(),
            "size": list(each.size),
            "version": each.version,
            "editions": each.step_editions,
            "digest": each.editions_digest,
            "seeds": [str(each.range[0]), str(each.range[-1])],
            "tried": each.tried,
            "levels": len(each.seeds),
            "without_a_level": each.nothing,
            "measures": summarise_measures(each),
        }
        for each in measured
    ]
    head: dict[str, Any] = {RECORD_KEY: build_study_record(measured[0].measures), "interrupted": interrupted}
    if found is None:
        return head, recipes
    for about, each, one, rows, outside in zip(
        recipes, measured, found.spreads, found.rows, found.outside, strict=True
    ):
        about["range"] = {
            "levels": len(rows),
            "outside": outside,
            "counts": one.counts.tolist(),
            "empty": round(one.empty_share, 6),
            "correlation": one.correlation,
            "corners": [
                {"seed": each.name_at(rows[at]), "x": simplify_number(one.x[at]), "y": simplify_number(one.y[at])}
                for at in (corner.place for corner in one.corners)
            ],
        }
    axes: dict[str, Any] = {
        word: {"measure": name, "edges": edges.round(12).tolist()}
        for word, name, edges in zip(("x", "y"), found.names, (found.box.x, found.box.y), strict=True)
    }
    overlaps = list_overlaps(measured, found)
    if len(overlaps) == 1:
        axes["overlap"] = round(overlaps[0][2], 6)
    if overlaps:
        axes["overlaps"] = [{"recipes": [a, b], "overlap": round(share, 6)} for a, b, share in overlaps]
    return {**head, **axes}, recipes


def render_range_file(measured: Sequence[MeasuredLevels], found: MeasureRange, file: str, footer: str = "") -> bytes:
    """Render the range as a PNG, SVG or PDF file, by the suffix of its name. The file holds the record of the study."""
    from undercroft.draw.plots.histogram_plot import MeasureAxis
    from undercroft.draw.plots.plot_files import encode_plot
    from undercroft.draw.plots.range_plot import CornerLevel, Series, draw_range_plot

    series = [
        Series(
            each.label,
            _describe_levels(each),
            one,
            [
                CornerLevel(each.name_at(rows[corner.place]), each.level_at(rows[corner.place]))
                for corner in one.corners
            ],
            _describe_hidden(each, found, place),
        )
        for place, (each, one, rows) in enumerate(zip(measured, found.spreads, found.rows, strict=True))
    ]
    x, y = (
        MeasureAxis(row.name, re.split(r"[;:(]", row.about)[0].strip(), row.kind, whole)
        for row, whole in zip(map(MEASURES.__getitem__, found.names), found.whole, strict=True)
    )
    head, recipes = build_range_data(measured, found)
    record = {**head[RECORD_KEY], "recipes": [{key: one[key] for key in RECORD_KEYS} for one in recipes]}
    record |= {"axes": list(found.names), "command": footer}
    notes = {"title": ", ".join(each.label for each in measured), RECORD_KEY: format_json(record)}
    return encode_plot(lambda page: draw_range_plot(page, series, found.box, (x, y), footer), file, notes)


RECORD_KEYS = ("recipe", "params", "vary", "size", "version", "editions", "seeds", "levels")
"""What the record in a picture tells of each recipe."""


def _describe_levels(each: MeasuredLevels) -> str:
    """The number and size of the levels, and their seeds."""
    count = plural(len(each.seeds), "level")
    first, last = each.range[0], each.last_seed
    ends = f"seed {first}" if first == last else f"seeds {first} to {last}"
    return f"{count} of {each.size[0]}x{each.size[1]}, {ends}"


def _describe_hidden(each: MeasuredLevels, found: MeasureRange, place: int) -> list[str]:
    """Notes on the levels that the picture leaves out."""
    outside = found.outside[place]
    hidden = len(each.seeds) - len(found.rows[place]) - outside
    notes = (
        [f"{hidden:,} without {' or '.join(name for name in found.names if each.columns[name].missing)} not shown"]
        if hidden
        else []
    )
    notes += [f"{outside:,} outside of the axes not shown"] if outside else []
    without = sum(each.nothing.values())
    return notes + ([f"{plural(without, 'seed')} without a level"] if without else [])
