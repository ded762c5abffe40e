"""The options of rooms and links in the language of flows."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.core.flow import (
    ENDS,
    RESERVED_WORDS,
    WORD_FIX,
    Point,
    is_word,
)
from undercroft.errors import BadInput, find_similar_word, unknown_name_error
from undercroft.inputs.lines import LinePart
from undercroft.wording import shorten

SIDE_WORDS = {"north": "N", "east": "E", "south": "S", "west": "W"}
ROOM_OPTIONS = (*ENDS, "tagged", "size", "uses", "floor")
LINK_KIND_WORDS = ("open", "door", "locked", "secret", "one-way")
LINK_OPTIONS = (*LINK_KIND_WORDS, "length", *SIDE_WORDS)
_SIZE = re.compile(r"([0-9]{1,4})x([0-9]{1,4})")


class Option(NamedTuple):
    """An option: what it sets, to which value, and where it stands."""

    field: str
    value: Any
    part: LinePart


def read_room_option(part: LinePart) -> Option:
    """What an option of a room says."""
    words = part.split_words()
    word = require_option(part, words, "option of a room", ROOM_OPTIONS)
    if word in ENDS:
        _require_count(part, words, 1, word)
        return Option("ends", word, part)
    if word == "size":
        return Option("size", _read_size(part, words), part)
    if word == "floor":
        _require_count(part, words, 2, "floor 2")
        return Option("floor", words[1].parse_number("a floor", 0, limits.FLOORS.value), part)
    field = "tags" if word == "tagged" else "uses"
    rest = words[1:]
    if word == "uses" and rest and rest[0].text == "tagged":
        field, rest = "uses_tagged", rest[1:]
    if not rest:
        raise part.error(f"no word stands after {part.text!r}", "name some, with blanks between them")
    names = tuple(read_word(one, "a word") for one in rest)
    for index, one in enumerate(rest):
        if one.text in names[:index]:
            raise one.error(f"{one.text!r} is said twice", "say it once")
    return Option(field, names, part)


def read_link_option(part: LinePart) -> Option:
    """What an option of a link says. A locked link gives the pair of its kind and the name of its lock."""
    words = part.split_words()
    word = require_option(part, words, "option of a link", LINK_OPTIONS)
    if word == "length":
        return Option("length", _read_length(part, words), part)
    if word == "locked":
        if len(words) != 3 or words[1].text != "by":
            raise part.error("a locked link names its lock", "write: locked by red; and: key red in ROOM")
        return Option("kind", ("locked", read_word(words[2], "the name of a lock")), part)
    _require_count(part, words, 1, word)
    return Option("side", SIDE_WORDS[word], part) if word in SIDE_WORDS else Option("kind", (word, ""), part)


def require_option(part: LinePart, words: list[LinePart], what: str, known: tuple[str, ...]) -> str:
    """The first word of an option. Raises if it is none of the known ones."""
    if not words:
        raise part.error("an option is missing after the comma", f"write one of {', '.join(known)}, or take it out")
    if words[0].text not in known:
        raise place_error(unknown_name_error(what, words[0].text, known), words[0])
    return words[0].text


def place_error(error: BadInput, part: LinePart) -> BadInput:
    """The error with its place."""
    error.place = part.place()
    return error


def read_word(part: LinePart, what: str) -> str:
    """The word, if it may be a name."""
    if not is_word(part.text):
        raise part.error(
            f"{what} is a word of at most {limits.FLOW_WORD_LENGTH.value} letters, not {shorten(part.text, 40)!r}",
            WORD_FIX,
        )
    return part.text


def read_room_name(part: LinePart) -> str:
    """The word, if it may be the name of a room."""
    if part.text in RESERVED_WORDS:
        raise part.error(f"{part.text!r} is a word of the language, and no name of a room", "name the room otherwise")
    return read_word(part, "the name of a room")


def check_repetition(options: list[Option], new: Option) -> None:
    """Raise if the same is said twice."""
    old = next((one for one in options if one.field == new.field), None)
    if old is None:
        return
    if new.field == "ends" and old.value != new.value:
        raise new.part.error(
            f"this room is both the {old.value} and the {new.value}", "leave one of them to another room"
        )
    raise new.part.error(
        f"{new.part.text!r} comes after {old.part.text!r}, which says the same", "leave one of them out"
    )


def _require_count(part: LinePart, words: list[LinePart], count: int, example: str) -> None:
    if len(words) == count:
        return
    if len(words) > count:
        guess = find_similar_word(words[count].text, (*ROOM_OPTIONS, *LINK_OPTIONS))
        fix = f"put a comma before {guess!r}" if guess == words[count].text else f"write: {example}"
        raise words[count].error(f"{words[count].text!r} is too much here", fix)
    raise part.error(f"something is missing after {part.text!r}", f"write: {example}")


def _read_size(part: LinePart, words: list[LinePart]) -> tuple[Point, Point]:
    """`size 5x5` or `size 5x5 to 9x7`."""
    example = "size 5x5 to 9x7"
    if len(words) not in (2, 4) or (len(words) == 4 and words[2].text != "to"):
        raise part.error("a size is width x height, or from one to another", f"write: {example}")
    ends: list[Point] = []
    for word in words[1::2]:
        found = _SIZE.fullmatch(word.text)
        if not found or not all(1 <= int(side) <= limits.FLOW_SIDE.value for side in found.groups()):
            raise word.error(
                f"a size is width x height, each from 1 to {limits.FLOW_SIDE.value}, not {shorten(word.text, 20)!r}",
                f"write: {example}",
            )
        ends.append((int(found[1]), int(found[2])))
    least, greatest = ends[0], ends[-1]
    if least[0] > greatest[0] or least[1] > greatest[1]:
        low, high = (tuple(map(one, least, greatest)) for one in (min, max))
        raise part.error(
            "the least size is larger than the greatest", f"write: size {low[0]}x{low[1]} to {high[0]}x{high[1]}"
        )
    return least, greatest


def _read_length(part: LinePart, words: list[LinePart]) -> tuple[int, int]:
    """`length 3` or `length 1 to 8`."""
    if len(words) not in (2, 4) or (len(words) == 4 and words[2].text != "to"):
        raise part.error("a length is a number, or from one to another", "write: length 1 to 8")
    low, high = (word.parse_number("a length", 0, limits.FLOW_DISTANCE.value) for word in (words[1], words[-1]))
    if low > high:
        raise part.error(f"the length is from {low} to {high}", f"swap them: length {high} to {low}")
    return low, high
