"""Word grammars: phrases that refer to words. Each reference is replaced by a drawn phrase until only text is left.

In a phrase, `{beast}` stands for a word of that name, `{Beast}` for the same with capitals, `{a beast}` and `{A beast}`
for the same with its article.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from undercroft.core.rng import Rng

SYMBOL = re.compile(r"[a-z][a-z0-9_-]*")
REFERENCE = re.compile(r"\{(?:(?P<article>[aA]) )?(?P<name>[A-Za-z][a-z0-9_-]*)\}")
_SENTENCE_STARTS = re.compile(r"^\w|(?<=[.!?] )\w")
LOWERCASE_WORDS = frozenset({"a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})
"""Words that stay lowercase in a name."""
GIVEN_NAMES = ("room", "here", "title")
"""Words that only notes may refer to: another named room of the level, the note's own room, and the level's title."""


class Reference(NamedTuple):
    """A reference to a word in a phrase."""

    name: str
    capital: bool = False
    article: str = ""


class Phrase(NamedTuple):
    """Text and references, in order."""

    parts: tuple[str | Reference, ...]

    @property
    def names(self) -> set[str]:
        """The words it refers to."""
        return {part.name for part in self.parts if isinstance(part, Reference)}


class Choice:
    """Phrases, each with its weight."""

    __slots__ = ("ends", "phrases")

    def __init__(self, phrases: Mapping[Phrase, int]) -> None:
        self.phrases = tuple(phrases)
        self.ends = tuple(accumulate(phrases.values()))

    def pick(self, rng: Rng, has: Collection[str] = GIVEN_NAMES) -> Phrase | None:
        """One of the phrases, drawn among those that need no given name outside `has`; None if there is none."""
        lacks = set(GIVEN_NAMES).difference(has)
        if not lacks or not any(phrase.names & lacks for phrase in self.phrases):
            return self.phrases[bisect_right(self.ends, rng.below(self.ends[-1]))]
        weights = [
            0 if phrase.names & lacks else end - begin
            for phrase, begin, end in zip(self.phrases, (0, *self.ends), self.ends, strict=False)
        ]
        return self.phrases[rng.weighted_index(weights)] if any(weights) else None


@dataclass(frozen=True)
class WordGrammar:
    """The words of a file, and the phrases for titles by theme, for rooms by kind, and for notes by the kind of their
    room.
    """

    words: Mapping[str, Choice]
    titles: Mapping[str, Choice]
    rooms: Mapping[str, Choice]
    notes: Mapping[str, Choice]
    about: str = field(default="", compare=False)

    def expand(self, phrase: Phrase, rng: Rng, given: Mapping[str, str] = {}) -> str:
        """A phrase with all its words drawn."""
        said = ""
        for part in phrase.parts:
            if isinstance(part, str):
                said += part
                continue
            if part.name in given:
                word = put_in_sentence(given[part.name])
            else:
                drawn = self.words[part.name].pick(rng)
                assert drawn is not None
                word = self.expand(drawn, rng)
            if part.capital:
                word = capitalise_name(word)
            if part.article:
                word = f"{part.article}{'n' * (word[:1].lower() in 'aeiou')} {word}" if word else word
            said += word
        return said


def capitalise_name(text: str) -> str:
    """A part of a name with capitals, except for small words.

    >>> capitalise_name("hall of the nine candles")
    'Hall of the Nine Candles'
    """
    return " ".join(word if word in LOWERCASE_WORDS else word[:1].upper() + word[1:] for word in text.split(" "))


def put_in_sentence(name: str) -> str:
    """A name as used inside a sentence.

    >>> [put_in_sentence(name) for name in ("The Silent Hall", "Hall of Nine Candles", "Edda's Camp")]
    ['the Silent Hall', 'the Hall of Nine Candles', "Edda's Camp"]
    """
    if name.startswith("The "):
        return "the " + name[4:]
    before, of, _ = name.partition(" of ")
    return f"the {name}" if of and "'s" not in before else name


def capitalise_sentences(text: str) -> str:
    """The text with a capital at the start of each sentence.

    >>> capitalise_sentences("nine marks. a name! the end")
    'Nine marks. A name! The end'
    """
    return _SENTENCE_STARTS.sub(lambda found: found[0].upper(), text)
