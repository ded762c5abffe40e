"""Formulas of dungeon recipes, such as `= 8 + 6*depth`, worked out in exact fractions."""

from __future__ import annotations

import operator
import re
import sys
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.errors import BadInput, Place, unknown_name_error
from undercroft.wording import join_words, shorten

Number = Fraction
FLOOR_NAMES = ("depth", "floors")
"""What every formula may name: the depth of the floor, and the greatest depth of the dungeon."""
FUNCTIONS: Mapping[str, tuple[int, int]] = {"min": (2, 16), "max": (2, 16), "floor": (1, 1)}
"""How many values each function takes, at least and at most."""
TAKEN_NAMES = (*FLOOR_NAMES, "area", *FUNCTIONS)
"""Names that mean something in formulas: no parameter of a dungeon recipe is called so."""
LARGEST_VALUE = Fraction(sys.float_info.max)
"""The largest value of a formula, as that of a parameter is a decimal in the end."""
SYNTAX = "numbers, names, + - * /, comparisons, min, max, floor and brackets"

_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?|\.[0-9]+)|([A-Za-z_]\w*)|(<=|>=|==|!=|[-+*/<>(),]))")
_COMPARISONS: Mapping[str, Callable[[Number, Number], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
_Evaluate = Callable[[Mapping[str, Number]], Number]


class _Mistake(Exception):
    """A mistake in a formula, at an index of its text."""

    def __init__(self, problem: str, at: int, fix: str) -> None:
        super().__init__(problem)
        self.problem, self.at, self.fix = problem, at, fix


class Formula(NamedTuple):
    """A formula, checked. `value` works it out.

    >>> Formula.parse("= 0.36 + depth/100", ("depth",)).value({"depth": 4})
    Fraction(2, 5)
    >>> Formula.parse("= 2 <= depth < 5", ("depth",)).value({"depth": 5})
    Fraction(0, 1)
    """

    text: str
    names: frozenset[str]
    """The names that it uses."""
    evaluate: _Evaluate
    place: Place | None = None

    @classmethod
    def parse(cls, text: str, known: Collection[str], place: Place | None = None) -> Formula:
        """The formula of a text that begins with `=`; `known` are the names that it may use, and `place` is where the
        text begins.

        >>> Formula.parse("= 3 * dept", ("depth",))
        Traceback (most recent call last):
        undercroft.errors.BadInput: unknown name 'dept' in a formula
          fix: did you mean 'depth'?
        """
        limits.FORMULA_LENGTH.check(len(text), "the length of a formula", place)
        try:
            return cls(text, *_FormulaParser(text, known).parse(), place)
        except _Mistake as mistake:
            raise BadInput(mistake.problem, place=_shift(place, text, mistake.at), fix=mistake.fix) from None

    def value(self, values: Mapping[str, Any]) -> Number:
        """The value of the formula, given those of its names. Raises if it divides by zero, or gets too large."""
        try:
            return _fitting(self.evaluate({name: Fraction(values[name]) for name in self.names}))
        except _Mistake as mistake:
            with_values = join_words([f"{name} = {values[name]}" for name in sorted(self.names)])
            raise BadInput(
                f"{mistake.problem}{f' ({with_values})' if with_values else ''}",
                place=_shift(self.place, self.text, mistake.at),
                fix=mistake.fix,
            ) from None


def is_formula(value: object) -> bool:
    """Whether a value of a recipe is a formula: a text that begins with `=`."""
    return isinstance(value, str) and value.lstrip().startswith("=")


def round_down(value: Number) -> int:
    """The greatest whole number that is not above the value.

    >>> round_down(Fraction(7, 2)), round_down(Fraction(-7, 2))
    (3, -4)
    """
    return value.numerator // value.denominator


def nearest_double(value: Number) -> float:
    """The double nearest to the value: Python divides whole numbers exactly, and rounds once.

    >>> nearest_double(Fraction(1, 10))
    0.1
    """
    return value.numerator / value.denominator


def _shift(place: Place | None, text: str, at: int) -> Place | None:
    """The place of a sign of a text that stands in quotes at `place`. A text with escapes is pointed at as a whole."""
    if place is None or place.text[place.column : place.column + len(text)] != text:
        return place
    return place._replace(column=place.column + 1 + at)


def _bounded(value: Number, at: int) -> Number:
    """The value, if it is not too long: a chain of products would grow without end."""
    bits = max(abs(value.numerator).bit_length(), value.denominator.bit_length())
    if bits > limits.FORMULA_BITS.value:
        raise _Mistake(
            f"a value of the formula has more than {limits.FORMULA_BITS.value:,} binary digits",
            at,
            "use smaller numbers, or bound it with min(...)",
        )
    return value


def _fitting(value: Number) -> Number:
    """The value of a whole formula, if it is no larger than the largest decimal."""
    if abs(value) > LARGEST_VALUE:
        raise _Mistake("the value of the formula is beyond 1e308", 0, "use smaller numbers, or bound it with min(...)")
    return value


class _FormulaParser:
    """A parser by recursive descent: comparison, sum, product, sign, atom."""

    def __init__(self, text: str, known: Collection[str]) -> None:
        self.text, self.known = text, known
        self.names: set[str] = set()
        self.at = text.index("=") + 1 if is_formula(text) else 0
        self.depth = 0
        self.token, self.start = "", 0
        self._advance()

    def parse(self) -> tuple[frozenset[str], _Evaluate]:
        """The names that the formula uses, and its function."""
        if not self.token:
            raise _Mistake("the formula is empty", self.start, "write a value after '=', for example '= 2*depth'")
        value = self._parse_comparison()
        if self.token:
            raise self._unexpected()
        return frozenset(self.names), value

    def _advance(self) -> None:
        """Read the next token; an empty one at the end."""
        rest = self.text[self.at :]
        blanks = len(rest) - len(rest.lstrip())
        self.start = self.at + blanks
        if self.start == len(self.text):
            self.token = ""
            return
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            sign = self.text[self.start]
            power = self.text.startswith(("**", "^", "%"), self.start)
            raise _Mistake(
                f"{sign!r} has no meaning in a formula",
                self.start,
                "write out the product" if power else f"use {SYNTAX}",
            )
        self.token, self.at = found[0].strip(), found.end()

    def _unexpected(self) -> _Mistake:
        if not self.token:
            return _Mistake("the formula ends too soon", len(self.text), "write a value there")
        if self.text[self.start : self.start + 2] == "**":
            return _Mistake("'**' has no meaning in a formula", self.start, "write out the product")
        return _Mistake(f"{shorten(self.token, 40)!r} does not belong here", self.start, f"use {SYNTAX}")

    def _parse_comparison(self) -> _Evaluate:
        parts = [self._parse_sum()]
        signs: list[str] = []
        while self.token in _COMPARISONS:
            signs.append(self.token)
            self._advance()
            parts.append(self._parse_sum())
        if not signs:
            return parts[0]

        def compare(values: Mapping[str, Number]) -> Number:
            numbers = [part(values) for part in parts]
            return Fraction(
                all(
                    _COMPARISONS[sign](one, other)
                    for sign, one, other in zip(signs, numbers, numbers[1:], strict=False)
                )
            )

        return compare

    def _parse_sum(self) -> _Evaluate:
        value = self._parse_product()
        while self.token and self.token in "+-":
            sign, at = self.token, self.start
            self._advance()
            value = _combine(operator.add if sign == "+" else operator.sub, value, self._parse_product(), at)
        return value

    def _parse_product(self) -> _Evaluate:
        value = self._parse_sign()
        while self.token and self.token in "*/":
            sign, at = self.token, self.start
            self._advance()
            value = _combine(operator.mul if sign == "*" else operator.truediv, value, self._parse_sign(), at)
        return value

    def _parse_sign(self) -> _Evaluate:
        minus = False
        while self.token and self.token in "+-":
            minus ^= self.token == "-"
            self._advance()
        value = self._parse_atom()
        return (lambda values: -value(values)) if minus else value

    def _parse_atom(self) -> _Evaluate:
        token, at = self.token, self.start
        if token[:1].isdigit() or token[:1] == ".":
            number = Fraction(token)
            self._advance()
            return lambda _: number
        if token == "(":
            self._advance()
            return self._parse_inside()
        if token.isidentifier():
            self._advance()
            if token in FUNCTIONS:
                return self._parse_call(token, at)
            if token not in self.known:
                error = unknown_name_error("name", token, self.known)
                raise _Mistake(f"{error.problem} in a formula", at, error.fix)
            self.names.add(token)
            return lambda values: values[token]
        raise self._unexpected()

    def _parse_inside(self) -> _Evaluate:
        """What stands in brackets, up to the closing one."""
        self.depth += 1
        if self.depth > limits.FORMULA_BRACKETS.value:
            raise _Mistake("the brackets are nested too deep", self.start, "write it with fewer brackets")
        value = self._parse_comparison()
        self._close()
        self.depth -= 1
        return value

    def _close(self) -> None:
        if self.token != ")":
            if not self.token:
                raise _Mistake("a bracket is not closed", len(self.text), "add ')'")
            raise self._unexpected()
        self._advance()

    def _parse_call(self, name: str, at: int) -> _Evaluate:
        least, most = FUNCTIONS[name]
        if self.token != "(":
            raise _Mistake(f"{name} takes its values in brackets", at, f"write {name}(...)")
        self._advance()
        self.depth += 1
        if self.depth > limits.FORMULA_BRACKETS.value:
            raise _Mistake("the brackets are nested too deep", self.start, "write it with fewer brackets")
        parts = [self._parse_comparison()]
        while self.token == ",":
            self._advance()
            parts.append(self._parse_comparison())
        self._close()
        self.depth -= 1
        if not least <= len(parts) <= most:
            wanted = "one value" if most == 1 else f"{least} to {most} values"
            raise _Mistake(f"{name} takes {wanted}, not {len(parts)}", at, f"write {name}(...) with {wanted}")
        if name == "floor":
            return lambda values: Fraction(round_down(parts[0](values)))
        choose = min if name == "min" else max
        return lambda values: choose(part(values) for part in parts)


def _combine(apply: Callable[[Number, Number], Number], one: _Evaluate, other: _Evaluate, at: int) -> _Evaluate:
    def evaluate(values: Mapping[str, Number]) -> Number:
        first, second = one(values), other(values)
        if apply is operator.truediv and not second:
            raise _Mistake("the formula divides by zero", at, "make sure that what stands below the line is never 0")
        return _bounded(apply(first, second), at)

    return evaluate
