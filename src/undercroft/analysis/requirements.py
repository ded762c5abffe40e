"""Requirements on the measures of a level: `loops >= 2`, `3 <= rooms <= 9`, `density between 0.35 and 0.5`.

A requirement is met or not, and has a distance: how far off a level is. The distance is 0 where the requirement is met
and grows on both sides, so its graph over the measure is an inverted trapezoid. It has no unit, so the distances of
several requirements can be added:

    gap / (gap + unit)

    gap     the difference to the nearest number that passes
    unit    the required number, at least 1; 0.1 for shares

For example, it is 1/2 for no loop where 10 are required, for 20 where 10 is the maximum, and for a density of 0.25
instead of 0.35. It stays below 1. A measure without a value (the length of a path where there is none) has the greatest
distance: 1.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

from undercroft.analysis.measures.dungeon_measures import DungeonFacts
from undercroft.analysis.measures.facts import Facts, Number
from undercroft.analysis.measures.measure import Measure
from undercroft.analysis.measures.table import MEASURES
from undercroft.errors import BadInput, Place, PluginTrouble, unknown_name_error
from undercroft.inputs.arguments import is_list
from undercroft.wording import format_value_briefly

_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<word>[A-Za-z_][A-Za-z_0-9]*(?:\[[A-Za-z0-9_-]+\])?)|(?P<slip>=>|=<)|(?P<sign><=|>=|==|!=|<|>|=)|(?P<bad>\S))"
)
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}
_FLIPPED_SIGNS = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "==", "!=": "!="}
SYNTAX_HINT = "write 'loops >= 2', '3 <= rooms <= 9' or 'density between 0.35 and 0.5'"
_SEVERAL_REQUIREMENTS = "(wsn|nsw|nswsn|wwnwn)(?:w(?:wsn|nsw|nswsn|wwnwn))+"
"""Requirements with a word between them: w word, s sign, n number."""

ORDERED_MEASURES = (
    ("room_area_min", "room_area_mean"),
    ("room_area_min", "room_area_max"),
    ("room_area_mean", "room_area_max"),
    ("longest_path", "diameter"),
    ("path_length", "diameter"),
    ("path_length", "solution_length"),
    ("backtrack", "solution_length"),
)
"""Of a level that has both numbers, the first is never more than the second."""


class Bound(NamedTuple):
    """A comparison of the measure with a number."""

    sign: str
    number: float

    def holds(self, value: float) -> bool:
        return _COMPARISONS[self.sign](value, self.number)

    def nearest_passing(self, kind: NumberKind) -> float:
        """The nearest number to the bound, of that kind, that passes."""
        if self.sign in ("==", "!="):
            return self.number
        if abs(self.number) * kind.parts >= 1 << 52:  # floats lie farther apart here
            return (
                self.number
                if self.holds(self.number)
                else math.nextafter(self.number, math.inf if self.sign == ">" else -math.inf)
            )
        middle = round(self.number * kind.parts)
        held = [
            number
            for number in ((middle + further) / kind.parts for further in (-2, -1, 0, 1, 2))
            if self.holds(number)
        ]
        return min(held) if self.sign in (">", ">=") else max(held)


class NumberKind(NamedTuple):
    """The numbers that a measure can return."""

    least: float
    most: float
    whole: bool
    unit: float
    """The gap that counts as large when the required number is small."""
    words: str

    @property
    def parts(self) -> int:
        """The number of parts that 1 is divided into: measures that are not integers have six decimals."""
        return 1 if self.whole else 10**6

    @property
    def step(self) -> float:
        """The difference between neighbouring numbers."""
        return 1 / self.parts


NUMBER_KINDS = {
    "count": NumberKind(0, math.inf, True, 1, "a whole number from 0"),
    "flag": NumberKind(0, 1, True, 1, "0 or 1"),
    "share": NumberKind(0, 1, False, 0.1, "a number from 0 to 1"),
    "amount": NumberKind(0, math.inf, False, 1, "a number from 0"),
    "number": NumberKind(-math.inf, math.inf, False, 1, "a number"),
}


class Requirement(NamedTuple):
    """A measure and the comparisons it must pass.

    >>> parse("loops >= 10").value_distance(0), parse("density < 0.5").value_distance(0.25)
    (0.5, 0.0)
    >>> parse("path_length > 3").value_distance(None)
    1.0
    """

    text: str
    measure: str
    tests: tuple[Bound, ...]
    row: Measure | None = None
    """The measure, if it is one of dungeons."""

    @property
    def computed(self) -> Measure:
        """The measure, with its function."""
        return MEASURES[self.measure] if self.row is None else self.row

    @property
    def kind(self) -> NumberKind:
        return NUMBER_KINDS[self.computed.kind]

    def is_met(self, facts: Facts | DungeonFacts) -> bool:
        """Whether the level meets the requirement. A measure without a value meets none."""
        return self.holds(self.value(facts))

    def value(self, facts: Facts | DungeonFacts) -> Number:
        return self.computed.of(facts)

    def distance(self, facts: Facts | DungeonFacts) -> float:
        """How far off the level is: 0 if it meets the requirement, else up to 1."""
        return self.value_distance(self.value(facts))

    def holds(self, value: Number) -> bool:
        """Whether this number meets the requirement."""
        return value is not None and all(test.holds(value) for test in self.tests)

    def value_distance(self, value: Number) -> float:
        """How far off this number is."""
        if value is None:
            return 1.0
        kind = self.kind
        worst = 0.0
        for test in self.tests:
            if not test.holds(value):
                gap = abs(value - test.nearest_passing(kind)) or kind.step
                # the unit does not grow for measures that are at most 1
                unit = kind.unit if kind.most == 1 else max(kind.unit, abs(test.number))
                worst = max(worst, gap / (gap + unit))
        return worst

    def describe_value(self, value: Number) -> str:
        """Say what is wrong with this number."""
        if value is None:
            return f"there is no {self.measure}"
        return f"{self.measure} is {'at least ' if self.computed.at_least else ''}{value:g}"

    @property
    def meaning(self) -> tuple[str, tuple[Bound, ...]]:
        """The measure and its bounds, in a form independent of the spelling."""
        return self.measure, tuple(sorted(self.tests))


def parse(text: str, place: Place | None = None, known: Mapping[str, Measure] = MEASURES) -> Requirement:
    """Parse a requirement from text. `known` are the measures that it may name: those of levels, or of dungeons.

    >>> parse("3 <= rooms <= 9").tests
    (Bound(sign='>=', number=3.0), Bound(sign='<=', number=9.0))
    """
    tokens = _split_tokens(text, place)
    kinds = "".join(kind for kind, _, _ in tokens)
    words = [word for _, word, _ in tokens]

    def error_at(problem: str, at: int) -> BadInput:
        return BadInput(problem, place=_column_place(place, text, at), fix=SYNTAX_HINT)

    measure, tests = 0, tuple[Bound, ...]()
    if kinds == "wsn":
        measure, tests = 0, (Bound(words[1], float(words[2])),)
    elif kinds == "nsw":
        measure, tests = 2, (Bound(_FLIPPED_SIGNS[words[1]], float(words[0])),)
    elif kinds == "nswsn":
        measure, tests = 2, (Bound(_FLIPPED_SIGNS[words[1]], float(words[0])), Bound(words[3], float(words[4])))
        if words[1][0] not in "<>" or words[1][0] != words[3][0]:
            raise error_at("both signs of a double comparison point the same way", tokens[3][2])
    elif kinds == "wwnwn" and words[1] == "between" and words[3] == "and":
        measure, tests = 0, (Bound(">=", float(words[2])), Bound("<=", float(words[4])))
    elif (several := re.fullmatch(_SEVERAL_REQUIREMENTS, kinds)) and words[several.end(1)] == "and":
        at = tokens[several.end(1)][2]
        error = error_at("that is more than one requirement", at)
        error.fix = (
            f"give each an --until or a line of its own: {text[:at].strip()!r} and {text[at + len('and') :].strip()!r}"
        )
        raise error
    else:
        raise error_at(f"{text.strip()!r} is not a requirement", tokens[0][2] if tokens else 0)
    if not all(math.isfinite(test.number) for test in tests):
        raise error_at(
            "that number is too large", next(at for kind, word, at in tokens if kind == "n" and math.isinf(float(word)))
        )
    if words[measure] not in known:
        raise unknown_name_error("measure", words[measure], known, place=_column_place(place, text, tokens[measure][2]))
    try:
        row = known[words[measure]]
    except PluginTrouble as trouble:  # a package that cannot be used
        trouble.place = _column_place(place, text, tokens[measure][2])
        raise
    if len(tests) == 2:
        least, most = sorted(tests, key=lambda bound: bound.sign[0] == "<")
        if least.number > most.number or (least.number == most.number and (least.sign, most.sign) != (">=", "<=")):
            error = error_at("no number is in that range", tokens[measure][2])
            if least.number > most.number:
                error.fix = (
                    f"write the smaller number first: {words[measure]} between {most.number:g} and {least.number:g}"
                )
            raise error
    found = Requirement(" ".join(text.split()), words[measure], tests, None if known is MEASURES else row)
    if _is_impossible([found]):
        places = (
            ", to six places"
            if not found.kind.whole and not _is_impossible([found._replace(tests=_rounded(tests))])
            else ""
        )
        raise BadInput(
            f"no {_subject(found)} can be so: {found.measure} is {found.kind.words}{places}",
            place=_column_place(place, text, tokens[measure][2]),
            fix=f"ask for what {found.measure} can be",
        )
    return found


def parse_requirements(until: Any, known: Mapping[str, Measure] = MEASURES) -> list[Requirement]:
    """Parse the requirements of an argument: one or several, as texts or already parsed; for `known` see `parse`."""
    if type(until) is tuple and not until:  # most callers ask for nothing
        return []
    every = list(until) if is_list(until) and not isinstance(until, Requirement) else [until]
    if not all(isinstance(one, (str, Requirement)) for one in every):
        raise BadInput(
            f"a requirement is a text, or several of them in a list, not {format_value_briefly(until)}",
            fix=SYNTAX_HINT,
        )
    return [parse(one, known=known) if isinstance(one, str) else one for one in every]


def drop_duplicates(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The requirements without duplicates; the spelling does not matter."""
    found: dict[object, Requirement] = {}
    for requirement in requirements:
        found.setdefault(requirement.meaning, requirement)
    return tuple(found.values())


def _rounded(tests: Iterable[Bound]) -> tuple[Bound, ...]:
    return tuple(test._replace(number=round(test.number, 6)) for test in tests)


def check_contradictions(wanted: Sequence[Requirement], own: Sequence[Requirement] = ()) -> None:
    """Raise `BadInput` if no level can meet all the requirements. `own` are those of the recipe itself."""

    def describe_requirement(requirement: Requirement) -> str:
        return f"{requirement.text!r}{' of the recipe' if requirement in own else ''}"

    names = [requirement.measure for requirement in wanted]
    # parsing has checked that each alone can be met
    for measure in dict.fromkeys(names) if len(set(names)) < len(names) else ():
        about = [requirement for requirement in wanted if requirement.measure == measure]
        for first, second in combinations(about, 2):
            if _is_impossible([first, second]):
                raise BadInput(
                    f"no {_subject(first)} can be both: {describe_requirement(first)} and "
                    f"{describe_requirement(second)}",
                    fix="leave one of them out, or ask for less",
                )
        if _is_impossible(about):
            raise BadInput(
                f"no {_subject(about[0])} can be all of it: {', '.join(map(describe_requirement, about))}",
                fix="leave one of them out, or ask for less",
            )
    for first, second in permutations(wanted, 2):
        if first.row or second.row:  # of several floors, one may have the first number, and another one the second
            continue
        if (first.measure, second.measure) in ORDERED_MEASURES and _value_range([first])[0] > _value_range([second])[1]:
            raise BadInput(
                f"no level can be both: {describe_requirement(first)} and {describe_requirement(second)}, "
                f"for {first.measure} is never more than {second.measure}",
                fix="leave one of them out, or ask for less",
            )


def _subject(requirement: Requirement) -> str:
    return "level" if requirement.row is None else "dungeon"


def _value_range(requirements: Sequence[Requirement]) -> tuple[float, float]:
    """The least and the greatest number that can meet them."""
    kind = requirements[0].kind
    tests = [test for requirement in requirements for test in requirement.tests]
    low = max((test.nearest_passing(kind) for test in tests if test.sign in (">", ">=", "==")), default=kind.least)
    high = min((test.nearest_passing(kind) for test in tests if test.sign in ("<", "<=", "==")), default=kind.most)
    return max(low, kind.least), min(high, kind.most)


def _is_impossible(requirements: Sequence[Requirement]) -> bool:
    """Whether no number that their measure can return passes all their comparisons."""
    kind = requirements[0].kind
    tests = [test for requirement in requirements for test in requirement.tests]
    low, high = _value_range(requirements)
    if low > high:
        return True
    begin, step = (low, 1) if math.isfinite(low) else (high, -1) if math.isfinite(high) else (0, 1)
    shut = sum(test.sign == "!=" for test in tests)
    if abs(begin) * kind.parts >= 1 << 52:
        return False
    candidates = ((round(begin * kind.parts) + step * further) / kind.parts for further in range(shut + 1))
    return not any(low <= number <= high and all(test.holds(number) for test in tests) for number in candidates)


def _split_tokens(text: str, place: Place | None) -> list[tuple[str, str, int]]:
    """Split a text into tokens (n number / w word / s sign, text, column)."""
    tokens = []
    at = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
        if match["slip"]:
            right = match["slip"][::-1]
            error = BadInput(
                f"unexpected {match['slip']!r} in a requirement",
                place=_column_place(place, text, match.start("slip")),
                fix=f"write {right}",
            )
            error.instead = (match["slip"], right)
            raise error
        if match["bad"]:
            raise BadInput(
                f"unexpected {match['bad']!r} in a requirement",
                place=_column_place(place, text, match.start("bad")),
                fix=SYNTAX_HINT,
            )
        kind = "n" if match["number"] else "w" if match["word"] else "s"
        word = match["number"] or match["word"] or match["sign"]
        tokens.append(
            (kind, "==" if word == "=" else word, match.end() - len(match["number"] or match["word"] or match["sign"]))
        )
    return tokens


def _column_place(place: Place | None, text: str, column: int) -> Place:
    """The place of a column of the requirement, in its file if it has one."""
    if place is None:
        return Place("requirement", 1, column + 1, text)
    at = place.text.find(text, place.column - 1)
    return place._replace(column=at + 1 + column) if at >= 0 else place
