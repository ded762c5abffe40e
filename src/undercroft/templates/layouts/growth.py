"""How a partition scales, in words: `right by 1`, `up and down doubling`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from undercroft.errors import BadInput, nearest
from undercroft.templates.layouts.layout import MOST, Axis, Partition
from undercroft.templates.lines import Part

DIRECTIONS: dict[str, tuple[int, int]] = {
    "right": (0, 1),
    "left": (0, -1),
    "left and right": (0, 0),
    "down": (1, 1),
    "up": (1, -1),
    "up and down": (1, 0),
}
"""The words for an axis and the direction in which it grows."""

_PHRASE = re.compile(
    r"(?P<locked>locked )?(?P<way>[a-z]+(?: and [a-z]+)?)(?P<doubling> doubling)?(?: by (?P<amount>\S+))?"
)
_PLAIN = re.compile(r"[^\s\",;=](?:[^\",;=]*[^\s\",;=])?")
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+')
_PHRASES = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^,"])+')


def quoted(text: str) -> str:
    """A name as it is written: in quotes if it has signs that mean something else.

    >>> print(quoted("west wing"), quoted("a, b; c"))
    west wing "a, b\\u003b c"
    """
    return text if _PLAIN.fullmatch(text) and text.isprintable() and "  " not in text else in_quotes(text)


def in_quotes(text: str) -> str:
    """In quotes, with signs that would end a line's sense written by their numbers."""
    return json.dumps(text).replace(";", "\\u003b")


def unquoted(part: Part) -> str:
    """The name that was written."""
    if not part.text.startswith('"'):
        return part.text
    try:
        name = json.loads(part.text)
        name.encode()
    except ValueError:
        raise part.bad(
            "a name in quotes that does not end, or holds something strange", 'write it as "name", with \\" for a quote'
        ) from None
    assert isinstance(name, str)
    return name


def words(part: Part) -> Iterator[Part]:
    """What blanks separate, but not inside quotes."""
    return (part.cut(found.start(), found.end()) for found in _WORD.finditer(part.text))


def phrases(part: Part) -> list[Part]:
    """What commas separate, but not inside quotes."""
    spans = [found.span() for found in _PHRASES.finditer(part.text)]
    covered = sum(end - start for start, end in spans) + max(0, len(spans) - 1)
    if covered < len(part.text):
        raise part.bad(
            "a comma with nothing on one side of it, or a quote that does not end",
            'write names in "..." if they have commas',
        )
    return [part.cut(*span) for span in spans] or [part]


def partition(parts: list[Part], name: str) -> Partition:
    """The partition that some phrases describe; an axis of which they say nothing is locked."""
    ratio = False
    axes: dict[int, Axis] = {}
    where: dict[int, Part] = {}
    for part in parts:
        if part.text == "ratio":
            ratio = True
            continue
        axis, growth = _growth(part)
        if axis in axes:
            raise part.bad(f"{'X' if axis == 0 else 'Y'} is spoken of twice", "keep one of them")
        axes[axis], where[axis] = growth, part
    still = Axis(locked=True)
    for axis, growth in axes.items():
        with_place(where[axis], x=growth if axis == 0 else still, y=growth if axis else still, lock_ratio=False)
    return with_place(
        parts[0] if parts else None, x=axes.get(0, still), y=axes.get(1, still), lock_ratio=ratio, name=name
    )


def with_place(part: Part | None, **settings: Any) -> Partition:
    """A partition, or the error about it with its place."""
    try:
        return Partition(**settings)
    except BadInput as error:
        error.place = part.place() if part else None
        raise


def _growth(part: Part) -> tuple[int, Axis]:
    """What one phrase says: of which axis, and how that scales."""
    found = _PHRASE.fullmatch(part.text)
    if not found or found["way"] not in DIRECTIONS:
        said = found["way"] if found else part.text
        near = nearest(said, [*DIRECTIONS, "ratio"])
        raise part.bad(
            f"unknown words {part.text[:40]!r} about scaling",
            f"did you mean {near!r}?" if near else "for example: right by 1, up and down doubling, ratio",
        )
    if not found["doubling"] and not found["amount"]:
        raise part.bad(f"{found['way']!r} by how much?", f"write {found['way']} by 1, or {found['way']} doubling")
    amount = 1
    if found["amount"]:
        amount = part.cut(found.start("amount")).number_of("by", 1, MOST)
    axis, direction = DIRECTIONS[found["way"]]
    return axis, Axis(bool(found["locked"]), "multiples" if found["doubling"] else "amount", amount, direction)  # type: ignore[arg-type]


def told(partition: Partition) -> list[str]:
    """The phrases that describe a partition.

    >>> told(Partition(x=Axis(amount=2, direction=0), y=Axis(type="multiples", direction=-1)))
    ['ratio', 'left and right by 2', 'up doubling']
    """
    said = ["ratio"] if partition.lock_ratio else []
    for number, axis in enumerate((partition.x, partition.y)):
        if axis == Axis(locked=True):
            continue
        way = next(way for way, meant in DIRECTIONS.items() if meant == (number, axis.direction))
        doubling = " doubling" if axis.type == "multiples" else ""
        amount = f" by {axis.amount}" if axis.amount != 1 or not doubling else ""
        said.append(f"{'locked ' if axis.locked else ''}{way}{doubling}{amount}")
    return said
