"""Parse and format the options after a name: how often, in which positions, with what weight."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from undercroft import limits
from undercroft.errors import OTHER_WORDS, BadInput, find_similar_word
from undercroft.inputs.lines import LinePart, skip_quotes
from undercroft.rewrite.model import symmetry_flags
from undercroft.rewrite.model.program import (
    ALL_POSITIONS,
    AS_DRAWN,
    BOTH_MIRRORS,
    LEFT_RIGHT,
    PICKS,
    QUARTER_TURNS,
    UP_DOWN,
    Area,
    Guard,
    Rule,
)
from undercroft.rewrite.text import areas, guards
from undercroft.rewrite.text.alphabet import Alphabet
from undercroft.rewrite.text.lines import split_phrases
from undercroft.rewrite.text.names import parse_name

POSITION_PHRASES: dict[str, tuple[int, ...]] = {
    "as drawn": AS_DRAWN,
    "turned": QUARTER_TURNS,
    "mirrored": LEFT_RIGHT,
    "mirrored left-right": LEFT_RIGHT,
    "mirrored up-down": UP_DOWN,
    "mirrored both ways": BOTH_MIRRORS,
    "turned and mirrored": ALL_POSITIONS,
    "mirrored and turned": ALL_POSITIONS,
    "in all positions": ALL_POSITIONS,
    "turned and mirrored twice": symmetry_flags.POSITIONS_BY_FLAGS["R,H,V"],
}
POSITION_WORDS = {"all": ALL_POSITIONS, "none": AS_DRAWN}
LEAD_WORDS = ("weight", "results", "chance", "outside", "pick", "positions", "keep", "each", "in")
UNTIL_NOTHING_MATCHES = "until nothing matches"
OPTION_EXAMPLES = (
    *(
        *POSITION_PHRASES,
        "once",
        "up to 3 times",
        UNTIL_NOTHING_MATCHES,
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

NODE_OPTIONS = ("limit", "outside", "pick", "merge", "each")
RULE_OPTIONS = ("limit", "positions", "weight", "results", "chance", "guards", "area")


@dataclass
class Options:
    """The given options; `None` for those not given. `said` holds their source text."""

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
    said: dict[str, LinePart] = field(default_factory=dict)

    def add_all(self, other: Options) -> Options:
        """Add all options of another; refuses an option given twice."""
        for key, part in other.said.items():
            self.add(key, getattr(other, key), part)
        return self

    def add(self, key: str, value: object, part: LinePart) -> None:
        """Add one option. Only guards may be given several times."""
        if key == "guards" and isinstance(value, tuple):
            many = guards.merge_guards(self.guards, value)
            if len(many) < len(self.guards) + len(value):
                raise part.error(f"{part.text[:40]!r} is given twice", "keep one of them")
            value = many
        elif key in self.said:
            raise part.error(
                f"{self.said[key].text[:40]!r} and {part.text[:40]!r} are about the same thing",
                "keep one of them",
            )
        self.said[key] = part
        setattr(self, key, value)


def is_option(text: str) -> bool:
    """Whether the text is an option, or looks like one; such a name needs quotes.

    >>> is_option("turned"), is_option("weight x"), is_option("turned rooms")
    (True, True, False)
    """
    lead, _, more = text.partition(" ")
    return (
        text in POSITION_PHRASES
        or text in {"once", UNTIL_NOTHING_MATCHES, "keep duplicates"}
        or (lead in LEAD_WORDS and bool(more))
        or text.startswith("up to ")
        or guards.is_guard(text)
        or areas.is_tagged(text)
        or bool(re.fullmatch(r"\S+ times?", text))
    )


def parse_name_and_options(part: LinePart, what: str) -> tuple[LinePart | None, str, list[LinePart]]:
    """Parse the name at the beginning of a line (its part or None, and the name) and the options after it."""
    if not part.text:
        return None, "", []
    pieces = split_phrases(part)
    first, options = pieces[0], pieces[1:]
    if not first.text and part.text.startswith(","):
        return None, "", options
    if is_option(" ".join(first.text.split())):
        return None, "", pieces
    if not first.text.startswith('"') and first.text.count("(") != first.text.count(")"):
        raise first.error(
            f"the name of the {what} has a parenthesis that is not closed, or not opened",
            "put the name in quotes",
        )
    return first, parse_name(first, f"name of the {what}"), options


def parse_options(
    parts: list[LinePart], allowed: tuple[str, ...], what: str, alphabet: Callable[[], Alphabet]
) -> Options:
    """Parse options. `what` names the line they stand on for errors, and `alphabet` resolves tiles."""
    found = Options()
    for part in parts:
        if not part.text:
            raise part.error(
                "there is nothing between two commas, or after the last",
                "take the comma out, or say something after it",
            )
        key, value = _parse_option(part, alphabet)
        if key not in allowed:
            raise part.error(f"{part.text[:40]!r} says nothing about {what}", _suggest_line(key, what))
        found.add(key, value, part)
    return found


def _suggest_line(key: str, what: str) -> str:
    if "rule" in what:
        return "write it on the line of the node"
    if key == "limit":
        return "write it on a 'repeat' line, or on a node in the block"
    return "write it on the nodes in the block" if "block" in what else "leave it out"


def _parse_option(part: LinePart, alphabet: Callable[[], Alphabet]) -> tuple[str, object]:
    text = " ".join(part.text.split())
    lead, _, more = text.partition(" ")
    if text in POSITION_PHRASES:
        return "positions", POSITION_PHRASES[text]
    if text in {"once", UNTIL_NOTHING_MATCHES}:
        return "limit", int(text == "once")
    if text == "keep duplicates":
        return "merge", False
    if text.startswith("up to") or re.fullmatch(r"\S+ times?", text):
        return "limit", _parse_times(part)
    if (lead == "keep" and more) or guards.is_guard(text):
        return "guards", (guards.parse_guard(part, alphabet()),)
    value = part.cut(len(lead))
    if lead == "each" and more:
        return lead, areas.parse_area(value, areas.EACH_WORDS)
    if lead == "in" and more and "position" not in more:
        return "area", areas.parse_area(value, areas.IN_WORDS)
    if areas.is_tagged(text):
        return "area", areas.parse_area(part, areas.IN_WORDS)
    if not more or lead not in LEAD_WORDS or lead == "in":
        raise _unknown_option_error(part, text)
    if lead == "outside":
        return lead, -1 if value.text == "none" else alphabet().parse_tile(value)
    if lead == "pick":
        return lead, _parse_pick(value)
    if lead == "positions":
        return lead, parse_positions(value)
    if lead == "weight":
        return lead, value.parse_number("a weight", 0, limits.RULE_WEIGHT.value)
    if lead == "chance":
        return lead, _parse_chance(value)
    return lead, tuple(
        weight.parse_number("the weight of a result", 0, limits.RULE_WEIGHT.value)
        for weight in value.split(":", skip_quotes)
    )


def _unknown_option_error(part: LinePart, text: str) -> BadInput:
    if text in LEAD_WORDS:
        return part.error(
            f"something is missing after {text!r}",
            f"write {' or '.join(known for known in OPTION_EXAMPLES if known.startswith(f'{text} '))}",
        )
    near = find_similar_word(text, OPTION_EXAMPLES)
    lead, _, more = text.partition(" ")
    if more and any(word in LEAD_WORDS for word in OTHER_WORDS.get(lead, ())):  # probability 0.3
        near = f"{find_similar_word(lead, LEAD_WORDS)} {more[:40]}"
    return part.error(
        f"unknown word {text[:40]!r}",
        f"did you mean {near!r}?" if near else f"one of: {', '.join(OPTION_EXAMPLES)}",
    )


def _parse_times(part: LinePart) -> int:
    found = _TIMES.fullmatch(part.text)
    if not found:
        raise part.error(
            f"{part.text[:40]!r} does not say how often", "write up to N times, for example up to 20 times"
        )
    return part.cut(*found.span(1)).parse_number("how often", 1, limits.RULE_TIMES.value)


def _parse_pick(part: LinePart) -> str:
    words = part.text.split()
    if len(words) != 2 or words[0] != "by" or words[1] not in PICKS:
        near = find_similar_word(words[-1], PICKS)
        raise part.error(
            f"a match is picked by {', '.join(PICKS)}, not {part.text[:40]!r}", f"write pick by {near or 'match'}"
        )
    return words[1]


def _parse_chance(part: LinePart) -> float:
    found = _CHANCE.fullmatch(part.text)
    value = float(found[1]) / (100 if found[2] else 1) if found else -1.0
    if not 0 <= value <= 1:
        raise part.error(
            f"a chance is a number from 0 to 1, or a share like 30%, not {part.text[:20]!r}",
            "write such a number",
        )
    return value


def parse_positions(part: LinePart) -> tuple[int, ...]:
    """Parse positions: `all`, `none`, a phrase such as `turned`, or numbers."""
    text = " ".join(part.text.split())
    if text in POSITION_WORDS:
        return POSITION_WORDS[text]
    if text in POSITION_PHRASES:
        return POSITION_PHRASES[text]
    if text and not text[0].isdigit():
        near = find_similar_word(text, (*POSITION_PHRASES, *POSITION_WORDS))
        raise part.error(
            f"unknown positions {text[:40]!r}",
            f"did you mean {near!r}?" if near else "write all, none, turned, mirrored, or numbers from 0 to 7",
        )
    found: list[int] = []
    for word in part.split_words():
        found.append(word.parse_number("a position", 0, 7))
        if found[-1] in found[:-1]:
            raise word.error(f"the position {word.text} stands there twice", "write each position once")
    if not found:
        raise part.error("no positions are named", "write all, none, turned, mirrored, or numbers from 0 to 7")
    return tuple(found)


# --- back to text


def format_times(limit: int, *, passes: bool = False) -> str:
    """The option for a limit; empty if there is none."""
    if not limit:
        return ""
    if not 0 < limit <= limits.RULE_TIMES.value:
        raise BadInput(
            f"a limit is a whole number from 1 to {limits.RULE_TIMES.value:,}, not {limit}",
            fix="give such a number, or none",
        )
    if passes:
        return f"{limit} times"
    return "once" if limit == 1 else f"up to {limit} times"


def format_positions(positions: tuple[int, ...], usual: tuple[int, ...]) -> str:
    """The option for positions; empty for the default ones."""
    if positions == usual:
        return ""
    for phrase, named in POSITION_PHRASES.items():
        if named == positions:
            return phrase
    if not positions or len(set(positions)) != len(positions) or not set(positions) <= set(range(8)):
        raise BadInput(f"positions are different numbers from 0 to 7, not {positions}", fix="give at least one")
    return f"positions {' '.join(map(str, positions))}"


def format_rule_options(rule: Rule) -> list[str]:
    """The options of a rule besides its positions and its limit; empty where the default holds."""
    weights = [result.weight for result in rule.results]
    for weight in (rule.weight, *weights):
        if not 0 <= weight <= limits.RULE_WEIGHT.value:
            raise BadInput(
                f"a weight is a whole number from 0 to {limits.RULE_WEIGHT.value:,}, not {weight}",
                fix="give such a number",
            )
    if not 0 <= rule.chance <= 1:
        raise BadInput(f"a chance is a number from 0 to 1, not {rule.chance}", fix="give such a number")
    said = [
        "" if rule.weight == 1 else f"weight {rule.weight}",
        "" if rule.chance == 1 else f"chance {float(rule.chance)!r}",
    ]
    return [*said, "" if set(weights) == {1} else f"results {':'.join(map(str, weights))}"]
