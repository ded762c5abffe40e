"""What a level must be: `loops >= 2`, `3 <= rooms <= 9`, `density between 0.35 and 0.5`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from undercroft.analysis.measures import MEASURES, Facts, Number
from undercroft.errors import BadInput, Place, unknown

_TOKEN = re.compile(r"\s*(?:(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<word>[A-Za-z_][A-Za-z_0-9]*)|(?P<sign><=|>=|==|!=|<|>|=)|(?P<bad>\S))")
_FLIPPED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "==", "!=": "!="}
_FORMS = "write 'loops >= 2', '3 <= rooms <= 9' or 'density between 0.35 and 0.5'"


class Bound(NamedTuple):
    """One comparison of the measure with a number."""

    sign: str
    number: float

    def holds(self, value: float) -> bool:
        return {
            "<=": value <= self.number,
            ">=": value >= self.number,
            "<": value < self.number,
            ">": value > self.number,
            "==": value == self.number,
            "!=": value != self.number,
        }[self.sign]


class Requirement(NamedTuple):
    """A measure and the comparisons it must pass."""

    text: str
    measure: str
    tests: tuple[Bound, ...]

    def met(self, facts: Facts) -> bool:
        """Whether the level is so; a number that does not exist meets nothing."""
        value = self.value(facts)
        return value is not None and all(test.holds(value) for test in self.tests)

    def value(self, facts: Facts) -> Number:
        return MEASURES[self.measure].of(facts)

    def distance(self, facts: Facts) -> float:
        """0 if met, else how far off, from 0 to 1: the gap to the nearest allowed number, set against the size of that number."""
        value = self.value(facts)
        if value is None:
            return 1.0
        worst = 0.0
        for test in self.tests:
            if not test.holds(value):
                gap = abs(value - test.number)
                worst = max(worst, (gap + 1e-6) / (gap + 1e-6 + abs(test.number) + 1))
        return worst


def parse(text: str, place: Place | None = None) -> Requirement:
    """A requirement from its text.

    >>> parse("3 <= rooms <= 9").tests
    (Bound(sign='>=', number=3.0), Bound(sign='<=', number=9.0))
    """
    tokens = _tokens(text, place)
    kinds = "".join(kind for kind, _, _ in tokens)
    words = [word for _, word, _ in tokens]

    def bad(problem: str, at: int) -> BadInput:
        return BadInput(problem, place=_shifted(place, text, at), fix=_FORMS)

    measure, tests = 0, tuple[Bound, ...]()
    if kinds == "wsn":
        measure, tests = 0, (Bound(words[1], float(words[2])),)
    elif kinds == "nsw":
        measure, tests = 2, (Bound(_FLIPPED[words[1]], float(words[0])),)
    elif kinds == "nswsn":
        measure, tests = 2, (Bound(_FLIPPED[words[1]], float(words[0])), Bound(words[3], float(words[4])))
        if words[1][0] not in "<>" or words[1][0] != words[3][0]:
            raise bad("both signs of a double comparison point the same way", tokens[3][2])
    elif kinds == "wwnwn" and words[1] == "between" and words[3] == "and":
        measure, tests = 0, (Bound(">=", float(words[2])), Bound("<=", float(words[4])))
    else:
        raise bad(f"{text.strip()!r} is not a requirement", tokens[0][2] if tokens else 0)
    if words[measure] not in MEASURES:
        raise unknown("measure", words[measure], MEASURES, place=_shifted(place, text, tokens[measure][2]))
    if len(tests) == 2:
        least, most = sorted(tests, key=lambda bound: bound.sign[0] == "<")
        if least.number > most.number or (least.number == most.number and (least.sign, most.sign) != (">=", "<=")):
            raise bad("no number is in that range", tokens[measure][2])
    return Requirement(" ".join(text.split()), words[measure], tests)


def _tokens(text: str, place: Place | None) -> list[tuple[str, str, int]]:
    """Each word as (n number / w word / s sign, text, column)."""
    tokens = []
    at = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
        if match["bad"]:
            raise BadInput(f"unexpected {match['bad']!r} in a requirement", place=_shifted(place, text, match.start("bad")), fix=_FORMS)
        kind = "n" if match["number"] else "w" if match["word"] else "s"
        word = match["number"] or match["word"] or match["sign"]
        tokens.append((kind, "==" if word == "=" else word, match.end() - len(match["number"] or match["word"] or match["sign"])))
    return tokens


def _shifted(place: Place | None, text: str, column: int) -> Place:
    """The place of a column of the requirement, in its file if it stands in one."""
    if place is None:
        return Place("requirement", 1, column + 1, text)
    at = place.text.find(text, place.column - 1)
    return place._replace(column=at + 1 + column) if at >= 0 else place


def check(facts: Facts, requirements: Sequence[Requirement]) -> list[Requirement]:
    """Those that are not met."""
    return [requirement for requirement in requirements if not requirement.met(facts)]
