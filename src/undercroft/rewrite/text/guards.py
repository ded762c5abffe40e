"""Parse and format guards: `keep connected(floor, door)`, `keep count(door) <= 12`,
`keep distance(door, door) >= 5`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable

from undercroft import limits
from undercroft.errors import BadInput, find_similar_word
from undercroft.inputs.lines import LinePart, skip_quotes
from undercroft.rewrite.model.program import Guard
from undercroft.rewrite.text.alphabet import Alphabet
from undercroft.rewrite.text.lines import find_closing

EXAMPLES = {
    "connected": "keep connected(floor, door)",
    "count": "keep count(door) <= 12",
    "distance": "keep distance(door, door) >= 5",
}
_GUARD_LIKE = re.compile(rf"(?:[\w.+-]* *[<>=]+ *)?(?:(?:{'|'.join(EXAMPLES)}) *|[^\W\d][\w-]*)\(")
_NAME_CHARACTERS = string.ascii_letters + string.digits + "_-"
_COMPARISON_SIGNS = "<>=!≤≥"
_CORRECTED_SIGNS = {"<": "<=", ">": ">=", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">="}


def is_guard(text: str) -> bool:
    """Whether a text without `keep` is a guard, or looks like one.

    >>> is_guard("count(door) <= 12"), is_guard("3 <= count (door)"), is_guard("conected(door)"), is_guard("room (2)")
    (True, True, True, False)
    """
    return bool(_GUARD_LIKE.match(text))


def parse_guard(part: LinePart, alphabet: Alphabet) -> Guard:
    """Parse one guard, with or without `keep` before it."""
    said = part.cut(len("keep")) if part.text.startswith("keep ") else part
    opening = said.text.find("(")
    lead = (said.text if opening < 0 else said.text[:opening]).rstrip(" ")
    before = said.cut(0, len(lead.rstrip(_NAME_CHARACTERS)))
    kind = lead[len(lead.rstrip(_NAME_CHARACTERS)) :]
    if kind not in EXAMPLES:
        raise _unknown_guard_error(said, kind or said.text)
    if opening < 0:
        raise said.error(f"{kind!r} is followed by its tiles in parentheses", f"write {EXAMPLES[kind]}")
    closing = find_closing(said.text, opening)
    if closing < 0:
        raise said.error("this parenthesis is not closed", f"write {EXAMPLES[kind]}", offset=opening)
    after = said.cut(closing + 1)
    sets = _parse_sets(kind, said.cut(opening, opening + 1), said.cut(opening + 1, closing), alphabet)
    if kind == "connected":
        return _build_connected(before if before.text else after, sets, alphabet, part)
    least, most = _parse_bounds(kind, before, after)
    if kind == "count":
        if least is not None and most is not None and least > most:
            raise before.error(
                f"no number is at least {least:,} and at most {most:,}", "write the smaller number first"
            )
        return Guard(kind, _union(sets), least=least or 0, most=-1 if most is None else most, place=part.place())
    if most is not None or least is None:
        raise after.error("a distance has a lower bound, and no upper one", f"write {EXAMPLES[kind]}")
    return Guard(kind, sets[0], sets[1], least=least, place=part.place())


def _unknown_guard_error(said: LinePart, word: str) -> BadInput:
    known = EXAMPLES | {"duplicates": "keep duplicates"}
    near = find_similar_word(word, known)
    return said.error(
        f"unknown guard {word[:40]!r}",
        f"did you mean {known[near]!r}?"
        if near
        else f"write {' or '.join(EXAMPLES.values())}; a name stands in quotes",
    )


def _parse_sets(kind: str, opening: LinePart, inside: LinePart, alphabet: Alphabet) -> list[int]:
    """The sets of tiles between the parentheses."""
    if not inside.text:
        raise opening.error(f"{kind!r} names no tiles", f"write {EXAMPLES[kind]}")
    arguments = inside.split(skip=skip_quotes)
    sets = []
    for argument in arguments:
        if not argument.text:
            raise argument.error(
                "a tile is missing before or after a comma",
                "take the comma out, or write the tile ',' by its name",
            )
        tiles = alphabet.parse_expression(argument)
        if not tiles:
            raise argument.error("there is no tile in this set", "name at least one tile")
        sets.append(tiles)
    if kind == "distance" and len(sets) != 2:
        raise arguments[-1].error(
            f"'distance' stands between two tiles or sets, not {len(sets)}",
            "write distance(a, b), and 'or' between the tiles of a set",
        )
    return sets


def _union(sets: Iterable[int]) -> int:
    tiles = 0
    for each in sets:
        tiles |= each
    return tiles


def _build_connected(bound: LinePart, sets: list[int], alphabet: Alphabet, part: LinePart) -> Guard:
    if bound.text:
        raise bound.error("'connected' has no bound", f"write {EXAMPLES['connected']} and nothing else")
    tiles = _union(sets)
    if not tiles & ~alphabet.things:
        raise part.error("a thing is no way to go: it counts as the tile that it stands on", "name that tile")
    return Guard("connected", tiles, place=part.place())


def _parse_bounds(kind: str, before: LinePart, after: LinePart) -> tuple[int | None, int | None]:
    """Parse the least and the greatest number: `>= 3`, `<= 9`, or both as in `3 <= count(door) <= 9`."""
    if not before.text and not after.text:
        raise after.error(f"{kind!r} needs a bound", f"write {EXAMPLES[kind]}")
    least: int | None = None
    if before.text:
        if not before.text.endswith("<=") or before.text[:-2].endswith(tuple(_COMPARISON_SIGNS)):
            raise before.error(f"before {kind!r} stands a number and '<=', or nothing", f"write {EXAMPLES[kind]}")
        least = _parse_bound(kind, before.cut(0, -2))
        if not after.text:
            return least, None
    sign = after.text[: len(after.text) - len(after.text.lstrip(_COMPARISON_SIGNS))]
    bound = after.cut(len(sign))
    if sign not in {"<=", ">="} or (least is not None and sign == ">="):
        raise _wrong_sign_error(kind, after, sign, bound.text, one_more=least is not None)
    value = _parse_bound(kind, bound)
    return (least, value) if sign == "<=" else (value, None)


def _parse_bound(kind: str, part: LinePart) -> int:
    return (
        part.parse_number("a count", 0, limits.GUARD_COUNT.value)
        if kind == "count"
        else part.parse_number("a distance", 1, limits.GUARD_DISTANCE.value)
    )


def _wrong_sign_error(kind: str, part: LinePart, sign: str, bound: str, *, one_more: bool) -> BadInput:
    allowed = (">=",) if kind == "distance" else ("<=",) if one_more else ("<=", ">=")
    problem = f"after {kind!r} stands {' or '.join(allowed)} and a number, not {part.text[:20]!r}"
    meant = _CORRECTED_SIGNS.get(sign, "")
    if re.fullmatch(r"[0-9]{1,9}", bound) and meant in allowed:
        value = int(bound) + {"<": -1, ">": 1}.get(sign, 0)
        return part.error(problem, f"write {meant} {max(value, 0)}")
    if re.fullmatch(r"[0-9]{1,9}", bound) and sign in {"=", "=="} and kind == "count":
        return part.error(problem, f"write {bound} <= count(...) <= {bound}")
    return part.error(problem, f"write {EXAMPLES[kind]}")


def merge_guards(*groups: Iterable[Guard]) -> tuple[Guard, ...]:
    """All guards without duplicates. Refuses too many guards, and contradictory counts of the same tiles."""
    found: dict[Guard, Guard] = {}
    bounds: dict[int, tuple[int, int]] = {}
    for each in (guard for group in groups for guard in group):
        found.setdefault(each._replace(place=None), each)
        if each.kind == "count":
            least, most = bounds.get(each.tiles, (0, limits.GUARD_COUNT.value))
            least, most = max(least, each.least), min(most, each.most if each.most >= 0 else limits.GUARD_COUNT.value)
            if least > most:
                raise BadInput(
                    f"a count must be at least {least:,} and at most {most:,} at once",
                    place=each.place,
                    fix="change one of the two bounds",
                )
            bounds[each.tiles] = least, most
        if len(found) > limits.RULE_GUARDS.value:
            raise BadInput(
                f"a rule has more than {limits.RULE_GUARDS.value} guards",
                place=each.place,
                fix=limits.RULE_GUARDS.raise_by,
            )
    return tuple(found.values())


def format_guard(guard: Guard, names: Callable[[int, str], str]) -> str:
    """A guard as text that the parser reads. `names` formats the tiles of a set, with a separator between them."""
    kind, tiles, others, least, most, _ = guard
    if kind not in EXAMPLES or not tiles or bool(others) != (kind == "distance"):
        raise BadInput(
            f"a guard is one of {', '.join(EXAMPLES)}, and names tiles",
            fix="give it such a kind, and as many sets of tiles as it wants",
        )
    bounds = {
        "connected": (0, 0, -1),
        "count": (0, limits.GUARD_COUNT.value, limits.GUARD_COUNT.value),
        "distance": (1, limits.GUARD_DISTANCE.value, -1),
    }[kind]
    if not bounds[0] <= least <= bounds[1] or not -1 <= most <= bounds[2]:
        raise BadInput(
            f"'{kind}' cannot have the bounds {least} and {most}", fix=f"give it such as {EXAMPLES[kind]!r} has"
        )
    if kind == "connected":
        return f"keep connected({names(tiles, ', ')})"
    if kind == "distance":
        return f"keep distance({names(tiles, ' or ')}, {names(others, ' or ')}) >= {least}"
    counted = f"count({names(tiles, ', ')})"
    return f"keep {counted} >= {least}" if most < 0 else f"keep {f'{least} <= ' if least else ''}{counted} <= {most}"
