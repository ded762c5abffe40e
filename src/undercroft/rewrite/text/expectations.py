"""Check the expectations in a rule file: a map, and every outcome of one application of a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.palette import Palette
from undercroft.errors import Place, TooBig
from undercroft.rewrite.model.guards_slow import build_tile_table, label_area, refuses
from undercroft.rewrite.model.program import ANY, KEEP, Node, Rule, ThingTile
from undercroft.rewrite.model.symmetry import Variant, list_variants
from undercroft.rewrite.text import areas
from undercroft.rewrite.text.alphabet import choose_signs
from undercroft.rewrite.text.tile_wording import describe_guard
from undercroft.wording import join_words

if TYPE_CHECKING:
    from undercroft.rewrite.text.parse import ParsedRules

MAX_DRAWN_MAPS = 3


class Expectation(NamedTuple):
    """A map, row by row, and all maps that one application of a node or a rule can turn it into."""

    name: str
    about: str
    width: int
    height: int
    before: tuple[int, ...]
    outcomes: tuple[tuple[int, ...], ...]
    place: Place
    leaf: Node
    rules: tuple[Rule, ...]
    """The rules that are applied: all of the leaf's, or one of them."""


class ExpectationProblem(NamedTuple):
    """An expectation that does not hold."""

    place: Place
    problem: str
    picture: str
    fix: str = "correct the rule, or draw what it really does"

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}\n{self.picture}"


def find_problems(parsed: ParsedRules) -> list[ExpectationProblem]:
    """All expectations that do not hold, with the outcomes that are missing and those that are not drawn."""
    problems = []
    for expect in parsed.expects:
        palette = parsed.program.palette
        refused: dict[tuple[int, ...], str] = {}
        try:
            real = find_outcomes(expect, palette, parsed.program.things, refused)
        except TooBig as error:
            problems.append(
                ExpectationProblem(
                    expect.place, f"{_describe_expectation(expect)}: {error.problem}", f"    {error.fix}"
                )
            )
            continue
        wanted = set(expect.outcomes)
        missing = [outcome for outcome in expect.outcomes if outcome not in real]
        unexpected = [outcome for outcome in real if outcome not in wanted]
        if missing or unexpected:
            problems.append(_build_problem(expect, palette, missing, unexpected, refused))
    return problems


def _build_problem(
    expect: Expectation,
    palette: Palette,
    missing: list[tuple[int, ...]],
    unexpected: list[tuple[int, ...]],
    refused: Mapping[tuple[int, ...], str],
) -> ExpectationProblem:
    """What does not hold: outcomes that never happen, some of which a guard or an area refuses, and outcomes that are
    not drawn.
    """
    by_reason: dict[str, list[tuple[int, ...]]] = {}
    for outcome in missing:
        by_reason.setdefault(refused.get(outcome, ""), []).append(outcome)
    reasons = [reason for reason in by_reason if reason]
    parts, picture = [], []
    if missing:
        count = sum(len(by_reason[reason]) for reason in reasons)
        some = "" if count == len(missing) else f"{count} of them "
        why = f" ({some}because {join_words(reasons)} {'refuses' if len(reasons) == 1 else 'refuse'} it)"
        parts.append(f"{len(missing)} outcome(s) never happen{why if reasons else ''}")
    for reason, outcomes in by_reason.items():
        title = f"never happens, {reason} refuses it:" if reason else "never happens:"
        picture += _render_maps(title, outcomes, expect, palette)
    if unexpected:
        parts.append(f"{len(unexpected)} outcome(s) are not drawn")
        picture += _render_maps("is not drawn:", unexpected, expect, palette)
    problem = ExpectationProblem(
        expect.place, f"{_describe_expectation(expect)}: {' and '.join(parts)}", "\n".join(picture)
    )
    if not reasons:
        return problem
    return problem._replace(fix=f"take {join_words(reasons)} out or loosen it, or draw what really happens")


def _describe_expectation(expect: Expectation) -> str:
    return f"expected of {expect.name!r}" + f" ({expect.about})" * bool(expect.about)


def _render_maps(title: str, maps: list[tuple[int, ...]], expect: Expectation, palette: Palette) -> list[str]:
    """The first few maps, drawn one below the other."""
    drawn: list[str] = []
    shown = [sign or tile.glyph for sign, tile in zip(choose_signs(palette), palette.tiles, strict=True)]
    for cells in maps[:MAX_DRAWN_MAPS]:
        drawn.append(f"  {title}")
        drawn += (
            "    " + "".join(shown[code] for code in cells[start : start + expect.width])
            for start in range(0, len(cells), expect.width)
        )
    if len(maps) > MAX_DRAWN_MAPS:
        drawn.append(f"  and {len(maps) - MAX_DRAWN_MAPS} more")
    return drawn


def find_outcomes(
    expect: Expectation,
    palette: Palette,
    things: Sequence[ThingTile] = (),
    refused: dict[tuple[int, ...], str] | None = None,
) -> dict[tuple[int, ...], Variant]:
    """Every map that one application can give, with a variant that gives it. Maps that a guard or an area would refuse
    are left out; they are added to `refused`, each with what refuses it.
    """
    refused = {} if refused is None else refused
    found: dict[tuple[int, ...], Variant] = {}
    before = np.array(expect.before, np.uint8).reshape(expect.height, expect.width)
    working = [rule for rule in expect.rules if rule.is_enabled()]
    matches = _find_matches(before, expect.leaf, working, palette)
    first_only = expect.leaf.pick == "first" and len(expect.rules) == len(expect.leaf.rules)
    if first_only:
        matches = iter(sorted(matches, key=lambda match: (match[2], match[1])))
    regions = {area: label_area(area, before, palette) for rule in working if (area := expect.leaf.each or rule.area)}
    looked = 0
    for variant, x, y in matches:
        rule = working[variant.rule]
        area = expect.leaf.each or rule.area
        for result in variant.results:
            if not result.weight:
                continue
            after, changed = apply_result(before, variant, result.cells, x, y)
            if area and not _lies_in_one_region(regions[area], variant, result.cells, x, y):
                _keep_refused(refused, after, areas.format_area(area, "each" if expect.leaf.each else "in"))
                continue
            looked += sum(before.size * (1 if guard.kind != "distance" else changed) for guard in rule.guards)
            if looked > limits.EXPECTATION_CELLS.value:
                raise TooBig(
                    "it takes too long to test the guards at every place", fix=limits.EXPECTATION_CELLS.raise_by
                )
            guard = next((guard for guard in rule.guards if refuses(guard, before, after, palette, things)), None)
            if guard is None:
                found.setdefault(tuple(after.reshape(-1).tolist()), variant)
            else:
                _keep_refused(refused, after, describe_guard(guard, palette))
        if len(found) > limits.EXPECTED_OUTCOMES.value:
            raise TooBig(
                f"there are more than {limits.EXPECTED_OUTCOMES.value:,} outcomes",
                fix=limits.EXPECTED_OUTCOMES.raise_by,
            )
        if first_only and found:
            break
    return found


def _keep_refused(refused: dict[tuple[int, ...], str], after: NDArray[np.uint8], by: str) -> None:
    """Add a refused map with what refuses it, unless there are too many."""
    if len(refused) < limits.EXPECTED_OUTCOMES.value:
        refused.setdefault(tuple(after.reshape(-1).tolist()), f"`{by}`")


def _find_matches(
    before: NDArray[np.uint8], leaf: Node, rules: list[Rule], palette: Palette
) -> Iterator[tuple[Variant, int, int]]:
    """All placements of all rules, as (variant, x, y) of the top left cell; also over the border, if the leaf has a
    tile outside.
    """
    over = leaf.outside >= 0
    for variant in list_variants(rules, palette):
        wide, high = (variant.width - 1, variant.height - 1) if over else (0, 0)
        padded = np.pad(before, ((high, high), (wide, wide)), constant_values=max(leaf.outside, 0))
        rows, columns = padded.shape[0] - variant.height + 1, padded.shape[1] - variant.width + 1
        if rows < 1 or columns < 1:
            continue
        fits = np.ones((rows, columns), bool)
        for index, mask in enumerate(variant.pattern):
            if mask != ANY:
                y, x = divmod(index, variant.width)
                fits &= build_tile_table(mask)[padded[y : y + rows, x : x + columns]]
                if not fits.any():
                    break
        for y, x in np.argwhere(fits).tolist():
            yield variant, x - wide, y - high


def _clip_placement(
    variant: Variant, cells: tuple[int, ...], left: int, top: int, shape: tuple[int, ...]
) -> tuple[tuple[slice, slice], NDArray[np.int64]]:
    """The part of a map that a placement covers, and the codes to write there; cells outside the map are left out."""
    rows, columns = (
        slice(max(top, 0), min(top + variant.height, shape[0])),
        slice(max(left, 0), min(left + variant.width, shape[1])),
    )
    new = np.array(cells, np.int64).reshape(variant.height, variant.width)
    return (rows, columns), new[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]


def apply_result(
    before: NDArray[np.uint8], variant: Variant, cells: tuple[int, ...], left: int, top: int
) -> tuple[NDArray[np.uint8], int]:
    """The map after a result is written, and the number of cells that changed."""
    after = before.copy()
    here, new = _clip_placement(variant, cells, left, top, before.shape)
    np.copyto(after[here], new.astype(np.uint8), where=new != KEEP)
    return after, int((after != before).sum())


def _lies_in_one_region(
    regions: NDArray[np.int32], variant: Variant, cells: tuple[int, ...], left: int, top: int
) -> bool:
    """Whether all written cells lie in one region."""
    here, new = _clip_placement(variant, cells, left, top, regions.shape)
    labels = regions[here][new != KEEP]
    return not labels.size or bool(labels[0] and (labels == labels[0]).all())
