"""Values that the data of a thing may not hold, each with its place, its problem and how its fix begins."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from undercroft import limits

ENTRIES, LETTERS = limits.THING_ENTRIES.value, limits.THING_TEXT_LENGTH.value
NESTED = "keep lists and tables flat: give it a key of its own in the data"

DATA_MISTAKES: list[tuple[Any, str, str, str]] = [
    (None, "loot", "a text, a number, a truth value, a list or a table belongs here, not null", "leave the key out"),
    (b"x", "loot", "a list or a table belongs here, not bytes", "decode it to a text"),
    ({1}, "loot", "a list or a table belongs here, not a set", "write a sorted list"),
    (frozenset("a"), "loot", "not a frozenset", "write a sorted list"),
    (np.zeros(2), "loot", "not a ndarray", "write a list: values.tolist()"),
    (object(), "loot", "not an object", "write a text, a number or a truth value"),
    (1j, "loot", "not a complex", "write a text"),
    (range(3), "loot", "not a range", "write a text"),
    (np.datetime64("2020-01-01"), "loot", "not a date", "write a text"),
    (math.nan, "loot", "the number is not finite: nan", "leave it out, or write it as text"),
    (math.inf, "loot", "the number is not finite: inf", "leave it out"),
    (np.float32("-inf"), "loot", "the number is not finite: -inf", "leave it out"),
    ([1, math.nan], "loot[1]", "the number is not finite: nan", "leave it out"),
    (10**39, "loot", "the number has more than 39 digits", "write a shorter one"),
    (-(10**5000), "loot", "the number has more than 39 digits", "write a shorter one"),
    ([[1]], "loot[0]", "a text, a number, a truth value or a flat table belongs here, not a list", NESTED),
    (["a", ()], "loot[1]", "a flat table belongs here, not a list", NESTED),
    ([None], "loot[0]", "a flat table belongs here, not null", "leave the key out"),
    ({"a": []}, "loot.a", "a text, a number or a truth value belongs here, not a list", NESTED),
    ({"a": {}}, "loot.a", "a truth value belongs here, not a table", NESTED),
    ([{"a": {"b": 1}}], "loot[0].a", "a truth value belongs here, not a table", NESTED),
    ([{"a": [1]}], "loot[0].a", "a truth value belongs here, not a list", NESTED),
    ([0] * (ENTRIES + 1), "loot", "the list has 65 entries; the limit is 64", "give the rest a key of its own"),
    (dict.fromkeys(map(str, range(65)), 0), "loot", "the table has 65 entries; the limit is 64", "give the rest"),
    ([{str(k): 0 for k in range(65)}], "loot[0]", "the table has 65 entries; the limit is 64", "give the rest"),
    ("x" * (LETTERS + 1), "loot", "the text has 65,537 letters; the limit is 65,536", "write less"),
    (["é" * (LETTERS + 1)], "loot[0]", "the text has 65,537 letters; the limit is 65,536", "write less"),
    ({"a": "\ud800"}, "loot.a", r'the text "\ud800" holds half a character', "write it as UTF-8"),
    ({3: 1}, "loot", "the key 3 is not a text", "write it as text"),
    ([{"\udfff": 1}], "loot[0]", "holds half a character", "write it as UTF-8"),
]
