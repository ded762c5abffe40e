"""Find provable reasons why a rule is not applied: it is switched off or too large, tiles are missing, or other rules
come first.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import Palette
from undercroft.rewrite.explain import wording
from undercroft.rewrite.explain.explanation import Reason
from undercroft.rewrite.explain.near_misses import MatchScan
from undercroft.rewrite.model.program import ANY, KEEP, LEAF_KINDS, Area, Node, Program, Rule
from undercroft.rewrite.model.symmetry import Variant, list_variants
from undercroft.rewrite.text import tile_wording
from undercroft.wording import plural

MAX_WRITERS = 4


class RuleContext(NamedTuple):
    """A rule in its program: its number from 1, its leaf, and the earlier leaves of the same `markov`."""

    number: int
    rule: Rule
    leaf: Node
    earlier: tuple[Node, ...]

    @property
    def name(self) -> str:
        return wording.format_rule_name(self.rule, self.number)

    @property
    def area(self) -> Area | None:
        """The area it acts in; None for anywhere."""
        return self.leaf.each or self.rule.area


def list_rule_contexts(program: Program) -> list[RuleContext]:
    """All rules of a program, in order."""
    found: list[RuleContext] = []

    def walk(node: Node, earlier: tuple[Node, ...]) -> None:
        for rule in node.rules:
            found.append(RuleContext(len(found) + 1, rule, node, earlier))
        for index, child in enumerate(node.children):
            walk(
                child,
                tuple(other for other in node.children[:index] if other.kind in LEAF_KINDS)
                if node.kind == "markov"
                else (),
            )

    walk(program.root, ())
    return found


class WrittenTiles:
    """Which tiles the rules of a program can write. It is computed once, since every rule asks for those of all."""

    def __init__(self, rules: list[RuleContext], palette: Palette) -> None:
        self._rules, self._palette = rules, palette
        self._writers: dict[int, list[RuleContext]] = {}

    @functools.cached_property
    def by_number(self) -> dict[int, int]:
        """The tiles of each rule, as a set."""
        return {seat.number: writable_tiles(seat, self._palette) for seat in self._rules}

    def list_writers(self, mask: int) -> list[RuleContext]:
        """The rules that can write one of the tiles."""
        if mask not in self._writers:
            self._writers[mask] = [seat for seat in self._rules if self.by_number[seat.number] & mask]
        return self._writers[mask]


def find_reasons(
    seat: RuleContext,
    written: WrittenTiles,
    looks: list[MatchScan],
    palette: Palette,
    census: NDArray[np.int64],
    size: tuple[int, ...],
) -> Iterator[Reason]:
    """All reasons that need no drawing, the most certain first."""
    matches = sum(look.matches for look in looks)
    if find_disabled_reason(seat.rule):
        yield Reason("off", f"it is switched off: {find_disabled_reason(seat.rule)}")
    if not any(look.places for look in looks):
        yield Reason(
            "larger",
            f"it is larger than the map in every position: {seat.rule.width}x{seat.rule.height} on {size[1]}x{size[0]}",
        )
    if not matches:
        yield from _find_missing_tiles(seat, written, looks, palette, census)
    first = find_consumer(seat, palette)
    if first:
        yield Reason(
            "consumed",
            f"it is always consumed before: wherever it matches, {first} matches too, and that comes first in the "
            "markov",
        )
    if not matches:
        yield from _find_border_places(looks, palette, size)
    for condition in wording.describe_conditions(seat.leaf, seat.rule, palette):
        yield Reason("also", f"{'there' if matches else 'where it matches'} it must also {condition}")


def find_disabled_reason(rule: Rule) -> str:
    """The reason why a rule can never be applied on any map; empty if it can."""
    if rule.is_enabled():
        return ""
    return "its weight is 0" if not rule.weight else "its chance is 0" if not rule.chance else "all its results weigh 0"


def _find_missing_tiles(
    seat: RuleContext, written: WrittenTiles, looks: list[MatchScan], palette: Palette, census: NDArray[np.int64]
) -> Iterator[Reason]:
    """Reasons for sets of tiles that the pattern needs and the map lacks, with the rules that could write them."""
    present = _present_tiles(census)
    if seat.leaf.outside >= 0:
        present |= 1 << seat.leaf.outside
    lacking: dict[int, list[int]] = {}
    for look in looks:
        for mask in dict.fromkeys(look.variant.pattern):
            if mask != ANY and not mask & present:
                lacking.setdefault(mask, []).append(look.variant.position)
    for mask, positions in lacking.items():
        if not mask:
            yield Reason("missing", "a cell of its pattern admits no tile at all: it can never match")
            continue
        often = (
            "it needs"
            if len(positions) == len(looks)
            else f"{' or '.join(wording.POSITION_NAMES[position] for position in positions)} it needs"
        )
        writers = list(dict.fromkeys(other.name for other in written.list_writers(mask) if other.number != seat.number))
        if writers:
            more = f" and {len(writers) - MAX_WRITERS} more" if len(writers) > MAX_WRITERS else ""
            who = f"; {', '.join(writers[:MAX_WRITERS])}{more} can write it"
        elif written.by_number[seat.number] & mask:
            who = ", and only this rule itself writes it: so it can never match here"
        else:
            who = ", and this tile is never written by any rule: so it can never match here"
        yield Reason(
            "missing", f"{often} `{tile_wording.format_tile_set(mask, palette)}`, which does not stand on the map{who}"
        )


def _present_tiles(census: NDArray[np.int64]) -> int:
    """The tiles that occur on the map, as a set."""
    return sum(1 << code for code in np.flatnonzero(census).tolist())


def writable_tiles(seat: RuleContext, palette: Palette) -> int:
    """All tiles that a rule can write in any position, as a set."""
    mask = 0
    if seat.rule.is_enabled():
        for variant in list_variants([seat.rule], palette):
            for result in variant.results:
                for code in result.cells if result.weight else ():
                    mask |= 1 << code if code != KEEP else 0
    return mask


def _find_border_places(looks: list[MatchScan], palette: Palette, size: tuple[int, ...]) -> Iterator[Reason]:
    """Reasons for places that fail only because of the border, with the tile that would be needed outside."""
    count = sum(look.leaving for look in looks)
    if not count:
        return
    places = [(look.variant, x, y) for look in looks for x, y in look.left]
    known = (1 << len(palette)) - 1
    needed = [_outside_tiles(variant, x, y, size) & known for variant, x, y in places]
    index = next((index for index, mask in enumerate(needed) if mask), 0)
    variant, x, y = places[index]
    mend = (
        f"; 'outside {tile_wording.format_any_tile(needed[index], palette)}' would let it match there"
        if needed[index]
        else ""
    )
    yield Reason(
        "leaves",
        f"{plural(count, 'place')} at the border would do, "
        "but there the pattern leaves the map, "
        f"for example with its top left at ({x},{y}), {wording.POSITION_NAMES[variant.position]}{mend}",
    )


def _outside_tiles(variant: Variant, x: int, y: int, size: tuple[int, ...]) -> int:
    """The tiles that match all cells of a placement outside the map."""
    fit = ANY
    for index, mask in enumerate(variant.pattern):
        row, column = divmod(index, variant.width)
        if not (0 <= y + row < size[0] and 0 <= x + column < size[1]):
            fit &= mask
    return fit


# --- rules that come first


def find_consumer(seat: RuleContext, palette: Palette) -> str:
    """The earlier rule or rules of the same `markov` that can act wherever this one could, so that this one never gets
    a turn; empty if there is no proof.
    """
    if seat.leaf.outside >= 0:  # nothing is written outside the border, so a match there need not be a turn
        return ""
    others = [rule for leaf in seat.earlier for rule in leaf.rules if _acts_always(leaf, rule)]
    takers: list[str] = []
    for variant in list_variants([seat.rule], palette):
        taker = next(
            (rule for rule in others for other in list_variants([rule], palette) if _fits_within(other, variant)), None
        )
        if taker is None:
            return ""
        takers.append(taker.name or "an earlier rule")
    return " or ".join(dict.fromkeys(takers))


def _acts_always(leaf: Node, rule: Rule) -> bool:
    """Whether a match of this rule is always a turn of its leaf: nothing limits it, and every result surely changes
    something.
    """
    free = (
        rule.is_enabled()
        and rule.chance >= 1
        and not (rule.limit or leaf.limit or rule.guards or rule.area or leaf.each)
    )
    return free and all(
        any(code != KEEP and not mask >> code & 1 for mask, code in zip(rule.pattern, result.cells, strict=True))
        for result in rule.results
        if result.weight
    )


def _fits_within(general: Variant, special: Variant) -> bool:
    """Whether, wherever the special pattern matches, the general one matches somewhere within it."""
    for down in range(special.height - general.height + 1):
        for right in range(special.width - general.width + 1):
            start = down * special.width + right
            if all(
                special.pattern[start + index // general.width * special.width + index % general.width] & ~mask == 0
                for index, mask in enumerate(general.pattern)
                if mask != ANY
            ):
                return True
    return False
