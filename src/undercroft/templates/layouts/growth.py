"""Parse and format how a partition scales: `right by 1`, `up and down doubling`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from undercroft.errors import BadInput, find_similar_word
from undercroft.inputs.lines import LinePart
from undercroft.limits import LAYOUT_AMOUNT
from undercroft.templates.layouts.partition import Axis, Partition

DIRECTION_WORDS: dict[str, tuple[int, int]] = {
    "right": (0, 1),
    "left": (0, -1),
    "left and right": (0, 0),
    "down": (1, 1),
    "up": (1, -1),
    "up and down": (1, 0),
}
"""The words for an axis and its direction of growth."""

_GROWTH_PHRASE = re.compile(
    r"(?P<locked>locked )?(?P<way>[a-z]+(?: and [a-z]+)?)(?P<doubling> doubling)?(?: by (?P<amount>\S+))?"
)
_PLAIN_NAME = re.compile(r"[^\s\",;=](?:[^\",;=]*[^\s\",;=])?")
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+')
_PHRASES = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^,"])+')


def quote_if_needed(text: str) -> str:
    """A name for a text, in quotes if it has special characters.

    >>> print(quote_if_needed("west wing"), quote_if_needed("a, b; c"))
    west wing "a, b\\u003b c"
    """
    return text if _PLAIN_NAME.fullmatch(text) and text.isprintable() and "  " not in text else quote(text)


def quote(text: str) -> str:
    """A text in quotes, with special characters escaped."""
    return json.dumps(text).replace(";", "\\u003b")


def parse_name(part: LinePart) -> str:
    """Parse a name, bare or in quotes."""
    if not part.text.startswith('"'):
        return part.text
    try:
        name = json.loads(part.text)
        name.encode()
    except ValueError:
        raise part.error(
            "a name in quotes that does not end, or holds something strange", 'write it as "name", with \\" for a quote'
        ) from None
    assert isinstance(name, str)
    return name


def split_words(part: LinePart) -> Iterator[LinePart]:
    """The parts between blanks, except inside quotes."""
    return (part.cut(found.start(), found.end()) for found in _WORD.finditer(part.text))


def split_phrases(part: LinePart) -> list[LinePart]:
    """The parts between commas, except inside quotes."""
    spans = [found.span() for found in _PHRASES.finditer(part.text)]
    covered = sum(end - start for start, end in spans) + max(0, len(spans) - 1)
    if covered < len(part.text):
        raise part.error(
            "a comma with nothing on one side of it, or a quote that does not end",
            'write names in "..." if they have commas',
        )
    return [part.cut(*span) for span in spans] or [part]


def parse_partition(parts: list[LinePart], name: str) -> Partition:
    """Parse the partition that phrases describe; an axis that they do not mention is locked."""
    ratio = False
    axes: dict[int, Axis] = {}
    where: dict[int, LinePart] = {}
    for part in parts:
        if part.text == "ratio":
            ratio = True
            continue
        axis, growth = _parse_growth(part)
        if axis in axes:
            raise part.error(f"{'X' if axis == 0 else 'Y'} is spoken of twice", "keep one of them")
        axes[axis], where[axis] = growth, part
    still = Axis(locked=True)
    for axis, growth in axes.items():
        build_partition(where[axis], x=growth if axis == 0 else still, y=growth if axis else still, lock_ratio=False)
    return build_partition(
        parts[0] if parts else None, x=axes.get(0, still), y=axes.get(1, still), lock_ratio=ratio, name=name
    )


def build_partition(part: LinePart | None, **settings: Any) -> Partition:
    """Build a partition; errors get the place of `part`."""
    try:
        return Partition(**settings)
    except BadInput as error:
        error.place = part.place() if part else None
        raise


def _parse_growth(part: LinePart) -> tuple[int, Axis]:
    """Parse one phrase into an axis number and how that axis scales."""
    found = _GROWTH_PHRASE.fullmatch(part.text)
    if not found or found["way"] not in DIRECTION_WORDS:
        said = found["way"] if found else part.text
        near = find_similar_word(said, [*DIRECTION_WORDS, "ratio"])
        raise part.error(
            f"unknown words {part.text[:40]!r} about scaling",
            f"did you mean {near!r}?" if near else "for example: right by 1, up and down doubling, ratio",
        )
    if not found["doubling"] and not found["amount"]:
        raise part.error(f"{found['way']!r} by how much?", f"write {found['way']} by 1, or {found['way']} doubling")
    amount = 1
    if found["amount"]:
        amount = part.cut(found.start("amount")).parse_number(
            "by", 1, LAYOUT_AMOUNT.value, "write one, for example by 1"
        )
    axis, direction = DIRECTION_WORDS[found["way"]]
    return axis, Axis(bool(found["locked"]), "multiples" if found["doubling"] else "amount", amount, direction)  # type: ignore[arg-type]


def format_phrases(partition: Partition) -> list[str]:
    """The phrases that describe a partition.

    >>> format_phrases(Partition(x=Axis(amount=2, direction=0), y=Axis(type="multiples", direction=-1)))
    ['ratio', 'left and right by 2', 'up doubling']
    """
    said = ["ratio"] if partition.lock_ratio else []
    for number, axis in enumerate((partition.x, partition.y)):
        if axis == Axis(locked=True):
            continue
        way = next(way for way, meant in DIRECTION_WORDS.items() if meant == (number, axis.direction))
        doubling = " doubling" if axis.type == "multiples" else ""
        amount = f" by {axis.amount}" if axis.amount != 1 or not doubling else ""
        said.append(f"{'locked ' if axis.locked else ''}{way}{doubling}{amount}")
    return said
