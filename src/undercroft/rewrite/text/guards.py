"""Guards as they are written: `keep connected(floor, door)`, `keep count(door) <= 12`,
`keep distance(door, door) >= 5`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable

from undercroft.errors import BadInput, nearest
from undercroft.rewrite.model.program import Guard
from undercroft.rewrite.text.alphabet import Alphabet
from undercroft.rewrite.text.lines import Part, bad, closed, number, split

MOST_COUNT = 1_000_000_000
MOST_DISTANCE = 10_000
MOST_GUARDS = 16
EXAMPLES = {
    "connected": "keep connected(floor, door)",
    "count": "keep count(door) <= 12",
    "distance": "keep distance(door, door) >= 5",
}
_MEANT = re.compile(rf"(?:[\w.+-]* *[<>=]+ *)?(?:(?:{'|'.join(EXAMPLES)}) *|[^\W\d][\w-]*)\(")
_LETTERS = string.ascii_letters + string.digits + "_-"
_SIGNS = "<>=!≤≥"
_MEANT_SIGNS = {"<": "<=", ">": ">=", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">="}


def is_guard(text: str) -> bool:
    """Whether a text without `keep` is a guard, or was meant as one.

    >>> is_guard("count(door) <= 12"), is_guard("3 <= count (door)"), is_guard("conected(door)"), is_guard("room (2)")
    (True, True, True, False)
    """
    return bool(_MEANT.match(text))


def guard(part: Part, alphabet: Alphabet) -> Guard:
    """Read one guard, with or without `keep` before it."""
    said = part.cut(len("keep")) if part.text.startswith("keep ") else part
    opening = said.text.find("(")
    lead = (said.text if opening < 0 else said.text[:opening]).rstrip(" ")
    before = said.cut(0, len(lead.rstrip(_LETTERS)))
    kind = lead[len(lead.rstrip(_LETTERS)) :]
    if kind not in EXAMPLES:
        raise _unknown(said, kind or said.text)
    if opening < 0:
        raise bad(said, f"{kind!r} is followed by its tiles in parentheses", f"write {EXAMPLES[kind]}")
    closing = closed(said.text, opening)
    if closing < 0:
        raise bad(said, "this parenthesis is not closed", f"write {EXAMPLES[kind]}", offset=opening)
    after = said.cut(closing + 1)
    sets = _sets(kind, said.cut(opening, opening + 1), said.cut(opening + 1, closing), alphabet)
    if kind == "connected":
        return _connected(before if before.text else after, sets, alphabet, part)
    least, most = _bounds(kind, before, after)
    if kind == "count":
        if least is not None and most is not None and least > most:
            raise bad(before, f"no number is at least {least:,} and at most {most:,}", "write the smaller number first")
        return Guard(kind, _union(sets), least=least or 0, most=-1 if most is None else most, place=part.place())
    if most is not None or least is None:
        raise bad(after, "a distance has a lower bound, and no upper one", f"write {EXAMPLES[kind]}")
    return Guard(kind, sets[0], sets[1], least=least, place=part.place())


def _unknown(said: Part, word: str) -> BadInput:
    known = EXAMPLES | {"duplicates": "keep duplicates"}
    near = nearest(word, known)
    return bad(
        said,
        f"unknown guard {word[:40]!r}",
        f"did you mean {known[near]!r}?"
        if near
        else f"write {' or '.join(EXAMPLES.values())}; a name stands in quotes",
    )


def _sets(kind: str, opening: Part, inside: Part, alphabet: Alphabet) -> list[int]:
    """The sets of tiles between the parentheses."""
    if not inside.text:
        raise bad(opening, f"{kind!r} names no tiles", f"write {EXAMPLES[kind]}")
    arguments = split(inside)
    sets = []
    for argument in arguments:
        if not argument.text:
            raise bad(
                argument,
                "a tile is missing before or after a comma",
                "take the comma out, or write the tile ',' by its name",
            )
        tiles = alphabet.expression(argument)
        if not tiles:
            raise bad(argument, "there is no tile in this set", "name at least one tile")
        sets.append(tiles)
    if kind == "distance" and len(sets) != 2:
        raise bad(
            arguments[-1],
            f"'distance' stands between two tiles or sets, not {len(sets)}",
            "write distance(a, b), and 'or' between the tiles of a set",
        )
    return sets


def _union(sets: Iterable[int]) -> int:
    tiles = 0
    for each in sets:
        tiles |= each
    return tiles


def _connected(bound: Part, sets: list[int], alphabet: Alphabet, part: Part) -> Guard:
    if bound.text:
        raise bad(bound, "'connected' has no bound", f"write {EXAMPLES['connected']} and nothing else")
    tiles = _union(sets)
    if not tiles & ~alphabet.things:
        raise bad(part, "a thing is no way to go: it counts as the tile that it stands on", "name that tile")
    return Guard("connected", tiles, place=part.place())


def _bounds(kind: str, before: Part, after: Part) -> tuple[int | None, int | None]:
    """The least and the greatest number: `>= 3`, `<= 9`, or both as in `3 <= count(door) <= 9`."""
    if not before.text and not after.text:
        raise bad(after, f"{kind!r} needs a bound", f"write {EXAMPLES[kind]}")
    least: int | None = None
    if before.text:
        if not before.text.endswith("<=") or before.text[:-2].endswith(tuple(_SIGNS)):
            raise bad(before, f"before {kind!r} stands a number and '<=', or nothing", f"write {EXAMPLES[kind]}")
        least = _number(kind, before.cut(0, -2))
        if not after.text:
            return least, None
    sign = after.text[: len(after.text) - len(after.text.lstrip(_SIGNS))]
    bound = after.cut(len(sign))
    if sign not in {"<=", ">="} or (least is not None and sign == ">="):
        raise _wrong_sign(kind, after, sign, bound.text, one_more=least is not None)
    value = _number(kind, bound)
    return (least, value) if sign == "<=" else (value, None)


def _number(kind: str, part: Part) -> int:
    return number(part, 0, MOST_COUNT, "a count") if kind == "count" else number(part, 1, MOST_DISTANCE, "a distance")


def _wrong_sign(kind: str, part: Part, sign: str, bound: str, *, one_more: bool) -> BadInput:
    allowed = (">=",) if kind == "distance" else ("<=",) if one_more else ("<=", ">=")
    problem = f"after {kind!r} stands {' or '.join(allowed)} and a number, not {part.text[:20]!r}"
    meant = _MEANT_SIGNS.get(sign, "")
    if re.fullmatch(r"[0-9]{1,9}", bound) and meant in allowed:
        value = int(bound) + {"<": -1, ">": 1}.get(sign, 0)
        return bad(part, problem, f"write {meant} {max(value, 0)}")
    if re.fullmatch(r"[0-9]{1,9}", bound) and sign in {"=", "=="} and kind == "count":
        return bad(part, problem, f"write {bound} <= count(...) <= {bound}")
    return bad(part, problem, f"write {EXAMPLES[kind]}")


def joined(*groups: Iterable[Guard]) -> tuple[Guard, ...]:
    """All guards, those that say the same once. There are only so many, and counts of the same tiles must be possible
    together.
    """
    found: dict[Guard, Guard] = {}
    bounds: dict[int, tuple[int, int]] = {}
    for each in (guard for group in groups for guard in group):
        found.setdefault(each._replace(place=None), each)
        if each.kind == "count":
            least, most = bounds.get(each.tiles, (0, MOST_COUNT))
            least, most = max(least, each.least), min(most, each.most if each.most >= 0 else MOST_COUNT)
            if least > most:
                raise BadInput(
                    f"a count must be at least {least:,} and at most {most:,} at once",
                    place=each.place,
                    fix="change one of the two bounds",
                )
            bounds[each.tiles] = least, most
        if len(found) > MOST_GUARDS:
            raise BadInput(
                f"a rule has more than {MOST_GUARDS} guards",
                place=each.place,
                fix="join some of them, or split the rule",
            )
    return tuple(found.values())


def written(guard: Guard, names: Callable[[int, str], str]) -> str:
    """A guard as it is read. `names` gives the tiles of a set in words, with a text between them."""
    kind, tiles, others, least, most, _ = guard
    if kind not in EXAMPLES or not tiles or bool(others) != (kind == "distance"):
        raise BadInput(
            f"a guard is one of {', '.join(EXAMPLES)}, and names tiles",
            fix="give it such a kind, and as many sets of tiles as it wants",
        )
    bounds = {"connected": (0, 0, -1), "count": (0, MOST_COUNT, MOST_COUNT), "distance": (1, MOST_DISTANCE, -1)}[kind]
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
