"""Parse option values: sizes, ranges of seeds, shares, settings."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable
from typing import Any

import click

from undercroft import limits
from undercroft.core.rng import MASK64, seed_number
from undercroft.errors import BadInput
from undercroft.inputs import toml

STEP_LIMIT_TYPE = click.IntRange(0, limits.RULE_TIMES.value)
"""The type of a limit on rewrites: 0 for no limit."""


def parse_size(text: str) -> tuple[int, int]:
    """`80x50` as (80, 50).

    >>> parse_size("80x50")
    (80, 50)
    """
    match = re.fullmatch(r"\s*(-?\d{1,9})\s*[xX×*,]\s*(-?\d{1,9})\s*", text)
    if not match:
        raise BadInput(f"a size is WIDTHxHEIGHT, not {text!r}", fix="for example --size 80x50")
    return int(match[1]), int(match[2])


def parse_seeds(text: str, *, limited: bool = True) -> range:
    """`1..20` as the seeds 1 to 20, the last one included; a number alone is one seed. A command that takes them lazily
    sets `limited=False`.

    >>> parse_seeds("1..20"), len(parse_seeds("7"))
    (range(1, 21), 1)
    """
    match = re.fullmatch(r"\s*(\d{1,20})\s*(?:\.\.\s*(\d{1,20})\s*)?", text)
    if not match:
        for part in text.split(".."):
            if re.fullmatch(r"\s*-\d+\s*", part):
                seed_number(part)  # refused in the same words as a single seed
        raise BadInput(f"seeds are FIRST..LAST, not {text!r}", fix="for example 1..100")
    first, last = int(match[1]), int(match[2] or match[1])
    if max(first, last) > MASK64:
        raise BadInput(
            f"{max(first, last)} is no seed: the largest is {MASK64}, which is 2^64-1",
            fix="end with that one, or sooner",
        )
    if last < first:
        raise BadInput(
            f"there are no seeds from {first} to {last}", fix=f"write the smaller number first: {last}..{first}"
        )
    if limited:
        limits.TRIES._replace(raise_by="ask for fewer seeds").check(last - first + 1, "the number of seeds")
    return range(first, last + 1)


def parse_share(text: str) -> float:
    """A share as a number from 0 to 1, or in per cent.

    >>> parse_share("0.9"), parse_share("90%")
    (0.9, 0.9)
    """
    match = re.fullmatch(r"\s*(\d{1,3}(?:\.\d{1,12})?|\.\d{1,12})\s*(%?)\s*", text)
    value = float(match[1]) / (100 if match[2] else 1) if match else -1.0
    if not 0 <= value <= 1:
        raise BadInput(f"a share is a number from 0 to 1, or in per cent, not {text!r}", fix="for example 0.9 or 90%")
    return value


RECIPE_WORDS = re.compile(r"(.*?)((?:\s+\w+=\S+)*)\s*", re.DOTALL)


def split_recipe(text: str) -> tuple[str, tuple[str, ...]]:
    """A recipe and the settings after it. The name of a file may hold blanks; settings hold a `=`.

    >>> split_recipe("cave fill_prob=0.4 nrepeats=3"), split_recipe("my cave.toml")
    (('cave', ('fill_prob=0.4', 'nrepeats=3')), ('my cave.toml', ()))
    """
    match = RECIPE_WORDS.fullmatch(text)
    assert match is not None
    return match[1], tuple(match[2].split())


def parse_settings(texts: Iterable[str], option: str = "--set", paths: Container[str] = ()) -> dict[str, Any]:
    """`NAME=VALUE` pairs of an option; a value is written as in TOML, and a bare word is a text. The values of `paths`
    are names of files, which need no quotes.
    """
    given: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        name = name.strip()
        if not sign or not name or not value.strip():
            fix = "for example --set fill_prob=0.4" if option == "--set" else f"for example {option} encoding=zlib"
            raise BadInput(f"a setting is NAME=VALUE, not {text!r}", fix=fix)
        if name in given:
            raise BadInput(f"{name} is set twice", fix="give it once")
        is_path = name in paths and value.strip()[0] not in "\"'"
        given[name] = value.strip() if is_path else toml.parse_value(value, f"{option} {name}")
    return given


def parse_measures(texts: Iterable[str]) -> list[str]:
    """The names of measures in an option, with commas between them.

    >>> parse_measures(["loops, rooms", "density"])
    ['loops', 'rooms', 'density']
    """
    return [name.strip() for text in texts for name in text.split(",") if name.strip()]


def parse_range(text: str) -> tuple[float, float]:
    """`0..1` as (0.0, 1.0).

    >>> parse_range("0..1"), parse_range("-2.5..1e3")
    ((0.0, 1.0), (-2.5, 1000.0))
    """
    low, dots, high = text.partition("..")
    try:
        ends = float(low), float(high)
    except ValueError:
        ends = math.nan, math.nan
    if not dots or not all(map(math.isfinite, ends)):
        raise BadInput(f"a range is LOW..HIGH, not {text!r}", fix="for example 0..1")
    limits.RANGE_END.check(math.ceil(max(map(abs, ends))), f"the greater end of {text}")
    if ends[0] >= ends[1]:
        raise BadInput(f"nothing lies between {low} and {high}", fix="write the smaller number first")
    return ends


def parse_bins(text: str) -> tuple[int, int]:
    """`20x10` as (20, 10), and `20` as (20, 20).

    >>> parse_bins("20x10"), parse_bins("20")
    ((20, 10), (20, 20))
    """
    match = re.fullmatch(r"\s*(\d{1,9})\s*(?:[xX×]\s*(\d{1,9})\s*)?", text)
    across, along = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not across or not along:
        raise BadInput(f"bins are a whole number from 1, or two as in 20x10, not {text!r}", fix="for example --bins 20")
    limits.PLOT_BINS.check(max(across, along), "the number of bins along a measure")
    return across, along
