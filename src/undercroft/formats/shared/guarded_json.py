"""JSON from a stranger: bounded, not too deep, no key twice, no number that is none."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from undercroft import limits
from undercroft.errors import BadInput, Place

CHUNK_BYTES = 1 << 20
DEPTH_CHANGES = np.zeros(256, np.int8)
DEPTH_CHANGES[[ord("["), ord("{")]] = 1
DEPTH_CHANGES[[ord("]"), ord("}")]] = -1


def parse_json(data: bytes, file: str, kept: Callable[[dict[str, Any]], Any] | None = None) -> Any:
    """What the text says, as dicts, lists, texts, numbers, truth values and None. `kept` may put something smaller in
    the place of each dict.

    >>> parse_json(b'{"size": [3, 1]}', "a.json")
    {'size': [3, 1]}
    """
    limits.JSON_BYTES.check(len(data), f"{file}: its size in bytes")
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.strip():
        raise BadInput("the file is empty", place=Place(file, 1, 1), fix="name a file that holds a level")
    limits.JSON_DEPTH.check(measure_depth(data), f"{file}: its nesting")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise BadInput(
            "this byte is not UTF-8 text",
            place=Place(file, line, column),
            fix="save the file as UTF-8; is it JSON at all?",
        ) from error
    hook = _build_unique_dict if kept is None else lambda pairs: kept(_build_unique_dict(pairs))
    try:
        return json.loads(text, object_pairs_hook=hook, parse_constant=_reject_constant)
    except json.JSONDecodeError as error:
        shown = text.split("\n", error.lineno)[error.lineno - 1].rstrip("\r")
        place = Place(file, error.lineno, error.colno, shown)
        raise BadInput(
            f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}",
            place=place,
            fix="mend the text there, or save the level anew",
        ) from None
    except RecursionError:  # the check above makes this impossible, as long as Python's own limit is not lowered
        raise BadInput(f"{file}: the nesting is too deep", fix="nest less") from None
    except ValueError as error:
        problem = str(error)
        if "set_int_max_str_digits" in problem:  # Python's advice to its programmers
            problem = f"a number in it has more than {sys.get_int_max_str_digits():,} digits"
        raise BadInput(f"{file}: {problem}", fix="mend the text, or save the level anew") from None


def measure_depth(data: bytes) -> int:
    """How deep brackets nest, those inside strings not counted. Stops at the first megabyte that is too deep.

    >>> measure_depth(b'[{"a": "[[["}]')
    2
    """
    if b"\\" in data:
        data = data.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    level = deepest = quotes = 0
    for start in range(0, len(data), CHUNK_BYTES):
        part = np.frombuffer(data, np.uint8, min(CHUNK_BYTES, len(data) - start), start)
        quoted = (np.cumsum(part == ord('"'), dtype=np.uint32) + quotes) & 1
        steps = DEPTH_CHANGES[part]
        steps[quoted == 1] = 0
        levels = np.cumsum(steps, dtype=np.int32)
        deepest = max(deepest, level + int(levels.max()))
        if deepest > limits.JSON_DEPTH.value:
            break
        level += int(levels[-1])
        quotes = int(quoted[-1])
    return deepest


def _build_unique_dict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return table


def _reject_constant(word: str) -> Any:
    raise ValueError(f"{word} is not a number that JSON knows")
