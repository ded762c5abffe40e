"""The words after a name: how often, in which positions, with what weight."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from undercroft.errors import BadInput, nearest
from undercroft.rewrite.lines import Part, bad, split, spoken
from undercroft.rewrite.program import BOTH_MIRRORS, EIGHT, LEFT_RIGHT, NONE, PICKS, TURNS, UP_DOWN

MOST_TIMES = 1_000_000_000
MOST_WEIGHT = 1_000_000
POSITIONS: dict[str, tuple[int, ...]] = {
    "as drawn": NONE,
    "turned": TURNS,
    "mirrored": LEFT_RIGHT,
    "mirrored left-right": LEFT_RIGHT,
    "mirrored up-down": UP_DOWN,
    "mirrored both ways": BOTH_MIRRORS,
    "turned and mirrored": EIGHT,
    "mirrored and turned": EIGHT,
    "in all positions": EIGHT,
}
NAMED_POSITIONS = {"all": EIGHT, "none": NONE}
LEADS = ("weight", "results", "chance", "outside", "pick", "positions")
KNOWN = (*POSITIONS, "once", "up to 3 times", "weight 2", "results 3:1", "chance 0.5", "outside X", "pick by match", "positions 0 2 4", "keep duplicates")
NOT_YET = re.compile(r"(keep +(?!duplicates\b)\w+ *\(|each |rooms? tagged |in each |count *\(|distance *\()")
_TIMES = re.compile(r"(?:up +to +)?(\S+) +times?")
_CHANCE = re.compile(r"(\d{1,20}(?:\.\d{1,20})?(?:e-?\d{1,3})?)(%?)")

ABOUT_NODE = ("limit", "outside", "pick", "merge")
ABOUT_RULE = ("limit", "positions", "weight", "results", "chance")


@dataclass
class Options:
    """What was said; `None` for what was not. `said` holds where."""

    limit: int | None = None
    positions: tuple[int, ...] | None = None
    weight: int | None = None
    results: tuple[int, ...] | None = None
    chance: float | None = None
    outside: int | None = None
    pick: str | None = None
    merge: bool | None = None
    said: dict[str, Part] = field(default_factory=dict)

    def joined(self, other: Options) -> Options:
        """Both together; nothing is said twice."""
        for key, part in other.said.items():
            self.add(key, getattr(other, key), part)
        return self

    def add(self, key: str, value: object, part: Part) -> None:
        """Note one thing that was said."""
        if key in self.said:
            raise bad(part, f"{self.said[key].text[:40]!r} and {part.text[:40]!r} are about the same thing", "keep one of them")
        self.said[key] = part
        setattr(self, key, value)


def is_option(text: str) -> bool:
    """Whether the text is an option, or was meant as one: such a name must stand in quotes.

    >>> is_option("turned"), is_option("weight x"), is_option("turned rooms")
    (True, True, False)
    """
    lead, _, more = text.partition(" ")
    return (
        text in POSITIONS
        or text in {"once", "keep duplicates"}
        or (lead in LEADS and bool(more))
        or text.startswith("up to ")
        or bool(NOT_YET.match(text))
        or bool(re.fullmatch(r"\S+ times?", text))
    )


def named(part: Part, what: str) -> tuple[Part | None, str, list[Part]]:
    """The name at the beginning of a header (its part, or nothing, and the name itself) and the options after it."""
    if not part.text:
        return None, "", []
    pieces = split(part)
    first, options = pieces[0], pieces[1:]
    if not first.text and part.text.startswith(","):
        return None, "", options
    if is_option(" ".join(first.text.split())):
        return None, "", pieces
    return first, spoken(first, f"name of the {what}"), options


def options(parts: list[Part], allowed: tuple[str, ...], what: str, tile: Callable[[Part], int]) -> Options:
    """Read options. `what` names the line they stand on."""
    found = Options()
    for part in parts:
        if not part.text:
            raise bad(part, "there is nothing between two commas, or after the last", "take the comma out, or say something after it")
        key, value = _read(part, tile)
        if key not in allowed:
            raise bad(part, f"{part.text[:40]!r} says nothing about {what}", _where(key, what))
        found.add(key, value, part)
    return found


def _where(key: str, what: str) -> str:
    if "rule" in what:
        return "write it on the line of the node"
    if key == "limit":
        return "write it on a 'repeat' line, or on a node in the block"
    return "write it on the nodes in the block" if "block" in what else "leave it out"


def _read(part: Part, tile: Callable[[Part], int]) -> tuple[str, object]:
    text = " ".join(part.text.split())
    lead, _, more = text.partition(" ")
    if text in POSITIONS:
        return "positions", POSITIONS[text]
    if text == "once":
        return "limit", 1
    if text == "keep duplicates":
        return "merge", False
    if NOT_YET.match(text):
        raise bad(part, f"guards and masks are not there yet: {text.partition('(')[0][:40]!r}", "leave it out; the words are kept for them")
    if text.startswith("up to") or re.fullmatch(r"\S+ times?", text):
        return "limit", _times(part)
    if not more or lead not in LEADS:
        raise _unknown(part, text)
    value = part.cut(len(lead))
    if lead == "outside":
        return lead, -1 if value.text == "none" else tile(value)
    if lead == "pick":
        return lead, _pick(value)
    if lead == "positions":
        return lead, positions(value)
    if lead == "weight":
        return lead, number(value, 0, MOST_WEIGHT, "a weight")
    if lead == "chance":
        return lead, _chance(value)
    return lead, tuple(number(weight, 0, MOST_WEIGHT, "the weight of a result") for weight in split(value, ":"))


def _unknown(part: Part, text: str) -> BadInput:
    near = nearest(text, KNOWN)
    return bad(part, f"unknown word {text[:40]!r}", f"did you mean {near!r}?" if near else f"one of: {', '.join(KNOWN)}")


def number(part: Part, least: int, most: int, what: str) -> int:
    """A whole number within bounds."""
    if not re.fullmatch(r"[0-9]{1,12}", part.text) or not least <= int(part.text) <= most:
        raise bad(part, f"{what} is a whole number from {least} to {most:,}, not {part.text[:20]!r}", "write such a number")
    return int(part.text)


def _times(part: Part) -> int:
    found = _TIMES.fullmatch(part.text)
    if not found:
        raise bad(part, f"{part.text[:40]!r} does not say how often", "write up to N times, for example up to 20 times")
    return number(part.cut(found.start(1), found.end(1)), 1, MOST_TIMES, "how often")


def _pick(part: Part) -> str:
    words = part.text.split()
    if len(words) != 2 or words[0] != "by" or words[1] not in PICKS:
        near = nearest(words[-1], PICKS)
        raise bad(part, f"a match is picked by {', '.join(PICKS)}, not {part.text[:40]!r}", f"write pick by {near or 'match'}")
    return words[1]


def _chance(part: Part) -> float:
    found = _CHANCE.fullmatch(part.text)
    value = float(found[1]) / (100 if found[2] else 1) if found else -1.0
    if not 0 <= value <= 1:
        raise bad(part, f"a chance is a number from 0 to 1, or a share like 30%, not {part.text[:20]!r}", "write such a number")
    return value


def positions(part: Part) -> tuple[int, ...]:
    """`all`, `none`, a phrase such as `turned`, or numbers."""
    text = " ".join(part.text.split())
    if text in NAMED_POSITIONS:
        return NAMED_POSITIONS[text]
    if text in POSITIONS:
        return POSITIONS[text]
    if text and not text[0].isdigit():
        near = nearest(text, (*POSITIONS, *NAMED_POSITIONS))
        raise bad(part, f"unknown positions {text[:40]!r}", f"did you mean {near!r}?" if near else "write all, none, turned, mirrored, or numbers from 0 to 7")
    found: list[int] = []
    for word in part.words():
        found.append(number(word, 0, 7, "a position"))
        if found[-1] in found[:-1]:
            raise bad(word, f"the position {word.text} stands there twice", "write each position once")
    if not found:
        raise bad(part, "no positions are named", "write all, none, turned, mirrored, or numbers from 0 to 7")
    return tuple(found)
