"""Parse the phrases after a room's name: how often it stands, how it may be turned, its tags."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from undercroft.errors import find_similar_word
from undercroft.inputs.lines import LinePart
from undercroft.limits import PREFAB_NUMBER

PHRASES = ("weight", "at least", "at most", "exactly", "tagged", "turned", "mirrored", "turned and mirrored", "fixed")

_TURNED, _MIRRORED = (0, 1, 2, 3), (0, 4)
_ALL = (0, 1, 2, 3, 4, 5, 6, 7)


class RoomPhrases(NamedTuple):
    """The parsed phrases of a room."""

    positions: tuple[int, ...]
    weight: int = 1
    least: int = 0
    most: int | None = None
    tags: tuple[str, ...] = ()

    @classmethod
    def parse(cls, parts: Sequence[LinePart], usual: tuple[int, ...]) -> RoomPhrases:
        """Parse phrases; `usual` is the default for the positions."""
        told: dict[str, LinePart] = {}
        turns: list[LinePart] = []
        for part in parts:
            key = next(
                (phrase for phrase in PHRASES[:5] if part.text == phrase or part.text.startswith(f"{phrase} ")), ""
            )
            if not key and part.text not in PHRASES:
                raise _unknown_phrase(part)
            if not key:
                turns.append(part)
                continue
            if (
                key in told
                or (key == "exactly" and told.keys() & {"at least", "at most"})
                or (key in ("at least", "at most") and "exactly" in told)
            ):
                raise part.error(
                    "the number of rooms is given twice" if key.startswith(("at", "ex")) else f"{key!r} is given twice",
                    "keep one of them",
                )
            told[key] = part.cut(len(key))
        least = _parse_number(told, "at least", _parse_number(told, "exactly", 0) or 0) or 0
        most = _parse_number(told, "at most", _parse_number(told, "exactly", None))
        if most is not None and least > most:
            raise told["at most"].error(
                f"at least {least} and at most {most} cannot both be", "make the first one smaller"
            )
        if "tagged" in told and not told["tagged"].text:
            raise told["tagged"].error("no tag after 'tagged'", "name some, with blanks between them: tagged great lit")
        tags = tuple(dict.fromkeys(told["tagged"].text.split())) if "tagged" in told else ()
        return cls(parse_positions(turns) if turns else usual, _parse_number(told, "weight", 1) or 1, least, most, tags)


def parse_positions(parts: Sequence[LinePart]) -> tuple[int, ...]:
    """The positions for words such as `turned`: 0 to 3 are quarter turns clockwise, 4 to 7 the same mirrored."""
    words = [part.text for part in parts]
    for part in parts:
        if part.text not in PHRASES[5:]:
            near = find_similar_word(part.text, PHRASES[5:])
            raise part.error(
                f"unknown position {part.text[:40]!r}",
                f"did you mean {near!r}?" if near else f"one of: {', '.join(PHRASES[5:])}",
            )
        if part.text == "fixed" and len(words) > 1:
            raise part.error("a room that is fixed is neither turned nor mirrored", "leave one of them out")
    turned, mirrored = "turned" in words, "mirrored" in words
    if "turned and mirrored" in words or (turned and mirrored):
        return _ALL
    return _TURNED if turned else _MIRRORED if mirrored else (0,)


def _parse_number(told: dict[str, LinePart], key: str, usual: int | None) -> int | None:
    return (
        told[key].parse_number(key, 1 if key == "weight" else 0, PREFAB_NUMBER.value, f"write one, for example {key} 1")
        if key in told
        else usual
    )


def _unknown_phrase(part: LinePart) -> Exception:
    near = find_similar_word(part.text, PHRASES) or find_similar_word(part.text.rstrip("0123456789 "), PHRASES)
    return part.error(
        f"unknown words {part.text[:40]!r} about a room",
        f"did you mean {near!r}?" if near else f"one of: {', '.join(PHRASES)}",
    )
