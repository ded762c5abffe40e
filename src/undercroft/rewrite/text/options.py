"""The words after a name: how often, in which positions, with what weight."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from undercroft.errors import BadInput, nearest
from undercroft.rewrite.model import symmetry_flags as grammar_flags
from undercroft.rewrite.model.program import (
    BOTH_MIRRORS,
    EIGHT,
    LEFT_RIGHT,
    NONE,
    PICKS,
    TURNS,
    UP_DOWN,
    Area,
    Guard,
    Rule,
)
from undercroft.rewrite.text import areas, guards
from undercroft.rewrite.text.alphabet import Alphabet
from undercroft.rewrite.text.lines import Part, bad, number, phrases, split
from undercroft.rewrite.text.names import spoken

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
    "turned and mirrored twice": grammar_flags.POSITIONS["R,H,V"],
}
NAMED_POSITIONS = {"all": EIGHT, "none": NONE}
LEADS = ("weight", "results", "chance", "outside", "pick", "positions", "keep", "each", "in")
KNOWN = (
    *(
        *POSITIONS,
        "once",
        "up to 3 times",
        "weight 2",
        "results 3:1",
        "chance 0.5",
        "outside X",
        "pick by match",
        "positions 0 2 4",
        "keep duplicates",
    ),
    *(*guards.EXAMPLES.values(), "each room", "in rooms", "in rooms tagged library"),
)
_TIMES = re.compile(r"(?:up +to +)?(\S+) +times?")
_CHANCE = re.compile(r"(\d{1,20}(?:\.\d{1,20})?(?:e-?\d{1,3})?)(%?)")

ABOUT_NODE = ("limit", "outside", "pick", "merge", "each")
ABOUT_RULE = ("limit", "positions", "weight", "results", "chance", "guards", "area")


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
    each: Area | None = None
    area: Area | None = None
    guards: tuple[Guard, ...] = ()
    said: dict[str, Part] = field(default_factory=dict)

    def joined(self, other: Options) -> Options:
        """Both together; nothing is said twice."""
        for key, part in other.said.items():
            self.add(key, getattr(other, key), part)
        return self

    def add(self, key: str, value: object, part: Part) -> None:
        """Note one thing that was said. Of guards there can be several."""
        if key == "guards" and isinstance(value, tuple):
            many = guards.joined(self.guards, value)
            if len(many) < len(self.guards) + len(value):
                raise bad(part, f"{part.text[:40]!r} is said twice", "keep one of them")
            value = many
        elif key in self.said:
            raise bad(
                part,
                f"{self.said[key].text[:40]!r} and {part.text[:40]!r} are about the same thing",
                "keep one of them",
            )
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
        or guards.is_guard(text)
        or areas.is_tagged(text)
        or bool(re.fullmatch(r"\S+ times?", text))
    )


def named(part: Part, what: str) -> tuple[Part | None, str, list[Part]]:
    """The name at the beginning of a header (its part, or nothing, and the name itself) and the options after it."""
    if not part.text:
        return None, "", []
    pieces = phrases(part)
    first, options = pieces[0], pieces[1:]
    if not first.text and part.text.startswith(","):
        return None, "", options
    if is_option(" ".join(first.text.split())):
        return None, "", pieces
    if not first.text.startswith('"') and first.text.count("(") != first.text.count(")"):
        raise bad(
            first,
            f"the name of the {what} has a parenthesis that is not closed, or not opened",
            "put the name in quotes",
        )
    return first, spoken(first, f"name of the {what}"), options


def options(parts: list[Part], allowed: tuple[str, ...], what: str, alphabet: Callable[[], Alphabet]) -> Options:
    """Read options. `what` names the line they stand on, and `alphabet` knows the tiles."""
    found = Options()
    for part in parts:
        if not part.text:
            raise bad(
                part,
                "there is nothing between two commas, or after the last",
                "take the comma out, or say something after it",
            )
        key, value = _read(part, alphabet)
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


def _read(part: Part, alphabet: Callable[[], Alphabet]) -> tuple[str, object]:
    text = " ".join(part.text.split())
    lead, _, more = text.partition(" ")
    if text in POSITIONS:
        return "positions", POSITIONS[text]
    if text == "once":
        return "limit", 1
    if text == "keep duplicates":
        return "merge", False
    if text.startswith("up to") or re.fullmatch(r"\S+ times?", text):
        return "limit", _times(part)
    if (lead == "keep" and more) or guards.is_guard(text):
        return "guards", (guards.guard(part, alphabet()),)
    value = part.cut(len(lead))
    if lead == "each" and more:
        return lead, areas.area(value, areas.EACH)
    if lead == "in" and more and "position" not in more:
        return "area", areas.area(value, areas.IN)
    if areas.is_tagged(text):
        return "area", areas.area(part, areas.IN)
    if not more or lead not in LEADS or lead == "in":
        raise _unknown(part, text)
    if lead == "outside":
        return lead, -1 if value.text == "none" else alphabet().tile(value)
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
    if text in LEADS:
        return bad(
            part,
            f"something is missing after {text!r}",
            f"write {' or '.join(known for known in KNOWN if known.startswith(f'{text} '))}",
        )
    near = nearest(text, KNOWN)
    return bad(
        part, f"unknown word {text[:40]!r}", f"did you mean {near!r}?" if near else f"one of: {', '.join(KNOWN)}"
    )


def _times(part: Part) -> int:
    found = _TIMES.fullmatch(part.text)
    if not found:
        raise bad(part, f"{part.text[:40]!r} does not say how often", "write up to N times, for example up to 20 times")
    return number(part.cut(found.start(1), found.end(1)), 1, MOST_TIMES, "how often")


def _pick(part: Part) -> str:
    words = part.text.split()
    if len(words) != 2 or words[0] != "by" or words[1] not in PICKS:
        near = nearest(words[-1], PICKS)
        raise bad(
            part, f"a match is picked by {', '.join(PICKS)}, not {part.text[:40]!r}", f"write pick by {near or 'match'}"
        )
    return words[1]


def _chance(part: Part) -> float:
    found = _CHANCE.fullmatch(part.text)
    value = float(found[1]) / (100 if found[2] else 1) if found else -1.0
    if not 0 <= value <= 1:
        raise bad(
            part,
            f"a chance is a number from 0 to 1, or a share like 30%, not {part.text[:20]!r}",
            "write such a number",
        )
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
        raise bad(
            part,
            f"unknown positions {text[:40]!r}",
            f"did you mean {near!r}?" if near else "write all, none, turned, mirrored, or numbers from 0 to 7",
        )
    found: list[int] = []
    for word in part.words():
        found.append(number(word, 0, 7, "a position"))
        if found[-1] in found[:-1]:
            raise bad(word, f"the position {word.text} stands there twice", "write each position once")
    if not found:
        raise bad(part, "no positions are named", "write all, none, turned, mirrored, or numbers from 0 to 7")
    return tuple(found)


# --- back to text


def times_words(limit: int, *, passes: bool = False) -> str:
    """How often; nothing if there is no limit."""
    if not limit:
        return ""
    if not 0 < limit <= MOST_TIMES:
        raise BadInput(
            f"a limit is a whole number from 1 to {MOST_TIMES:,}, not {limit}", fix="give such a number, or none"
        )
    if passes:
        return f"{limit} times"
    return "once" if limit == 1 else f"up to {limit} times"


def positions_words(positions: tuple[int, ...], usual: tuple[int, ...]) -> str:
    """In which positions; nothing for the usual ones."""
    if positions == usual:
        return ""
    for phrase, named in POSITIONS.items():
        if named == positions:
            return phrase
    if not positions or len(set(positions)) != len(positions) or not set(positions) <= set(range(8)):
        raise BadInput(f"positions are different numbers from 0 to 7, not {positions}", fix="give at least one")
    return f"positions {' '.join(map(str, positions))}"


def rule_words(rule: Rule) -> list[str]:
    """What is said of a rule beside its positions and its limit."""
    weights = [result.weight for result in rule.results]
    for weight in (rule.weight, *weights):
        if not 0 <= weight <= MOST_WEIGHT:
            raise BadInput(
                f"a weight is a whole number from 0 to {MOST_WEIGHT:,}, not {weight}", fix="give such a number"
            )
    if not 0 <= rule.chance <= 1:
        raise BadInput(f"a chance is a number from 0 to 1, not {rule.chance}", fix="give such a number")
    said = [
        "" if rule.weight == 1 else f"weight {rule.weight}",
        "" if rule.chance == 1 else f"chance {float(rule.chance)!r}",
    ]
    return [*said, "" if set(weights) == {1} else f"results {':'.join(map(str, weights))}"]
