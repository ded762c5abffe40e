"""Parse and format where rules act: `each room`, `in rooms tagged library`."""

from __future__ import annotations

import re

from undercroft.core.region import REGION_KINDS
from undercroft.errors import BadInput, find_similar_word
from undercroft.inputs.lines import LinePart
from undercroft.rewrite.model.program import Area
from undercroft.rewrite.text.names import parse_name, quoted

EACH_WORDS = {"region": ""} | {kind: kind for kind in REGION_KINDS}
"""The words that may follow `each`, and the kind of region for each; an empty kind means any."""
IN_WORDS = {f"{word}s": kind for word, kind in EACH_WORDS.items()}
"""The words that may follow `in`, and the kind of region for each."""
_TAGGED = re.compile(r"\S+ +tagged(?: |$)")
_BARE_TAG = re.compile(r"[\w-]+")


def is_tagged(text: str) -> bool:
    """Whether a text names regions by a tag, without the word `in`.

    >>> is_tagged("rooms tagged library"), is_tagged("library")
    (True, False)
    """
    return bool(_TAGGED.match(text))


def parse_area(part: LinePart, words: dict[str, str]) -> Area:
    """Parse the regions: a word of the table, and a tag if one follows."""
    word, _, _ = part.text.partition(" ")
    if word not in words:
        near = find_similar_word(word, words)
        raise part.error(
            f"unknown kind of region {word[:40]!r}",
            f"did you mean {near!r}?" if near else f"one of: {', '.join(words)}; a name stands in quotes",
        )
    more = part.cut(len(word))
    lead, _, _ = more.text.partition(" ")
    if not lead:
        return Area(words[word])
    if lead != "tagged":
        raise more.error(
            f"{more.text[:40]!r} says nothing about {'regions' if words is IN_WORDS else 'a region'}",
            f"write {word}, or {word} tagged library",
        )
    return Area(words[word], _parse_tag(more.cut(len(lead))))


def _parse_tag(part: LinePart) -> str:
    tag = parse_name(part, "tag")
    if not tag:
        raise part.error("the tag is missing", "write a word after 'tagged', or leave both out")
    if not part.text.startswith('"') and not _BARE_TAG.fullmatch(tag):
        raise part.error(f"{tag[:40]!r} is more than one word", f"put the tag in quotes: {quoted(tag[:40])}")
    return tag


def format_area(area: Area, lead: str) -> str:
    """The area as text that the parser reads, with `each` or `in` before it."""
    words = EACH_WORDS if lead == "each" else IN_WORDS
    word = next((word for word, kind in words.items() if kind == area.kind), "")
    if not word:
        raise BadInput(
            f"unknown kind of region {area.kind!r}", fix=f"one of: {', '.join(REGION_KINDS)}, or none for any"
        )
    tag = area.tag if _BARE_TAG.fullmatch(area.tag) else quoted(area.tag)
    return f"{lead} {word} tagged {tag}" if area.tag else f"{lead} {word}"
