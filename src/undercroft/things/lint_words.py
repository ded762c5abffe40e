"""Find what is probably wrong in words for names: words that no phrase uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from undercroft.inputs import toml
from undercroft.inputs.values import CheckedValue
from undercroft.things.remarks import SetRemark
from undercroft.things.words import Choice, WordGrammar

Check = Callable[[WordGrammar, CheckedValue], Iterator[SetRemark]]


def find_word_remarks(words: WordGrammar, text: str, file: str) -> list[SetRemark]:
    """The remarks on words, in the order of the checks. Only what their own text says is judged."""
    whole = toml.parse_toml(text, file).root()
    return [remark for check in CHECKS.values() for remark in check(words, whole)]


def _find_unused_words(words: WordGrammar, whole: CheckedValue) -> Iterator[SetRemark]:
    """Words that no title, no room and no note leads to."""
    used: set[str] = set()
    todo: list[Choice] = [choice for table in (words.titles, words.rooms, words.notes) for choice in table.values()]
    while todo:
        for phrase in todo.pop().phrases:
            new = {name for name in phrase.names if name in words.words} - used
            used |= new
            todo += [words.words[name] for name in new]
    for name in whole.value.get("word", {}):
        if name not in used:
            yield SetRemark(
                "unused word",
                "warning",
                whole.at("word", name).key_place(),
                f"{name!r} is never said: no title, room or note leads to it",
                f"write {{{name}}} in a phrase, or take it out",
            )


def _find_replaced(words: WordGrammar, whole: CheckedValue) -> Iterator[SetRemark]:  # noqa: ARG001
    """Own phrases that replace those of the words that are extended."""
    from undercroft.things import shipped

    base = whole.value.get("extends")
    if not base:
        return
    known = shipped.load_words(base)
    tables: dict[str, Mapping[str, Choice]] = {
        "word": known.words,
        "title": known.titles,
        "room": known.rooms,
        "note": known.notes,
    }
    for key, old in tables.items():
        for name in whole.value.get(key, {}):
            if name in old:
                yield SetRemark(
                    "replaced part",
                    "note",
                    whole.at(key, name).key_place(),
                    f"the phrases of {name!r} in [{key}] replace those of {base!r}",
                )


CHECKS: Mapping[str, Check] = {"unused word": _find_unused_words, "replaced part": _find_replaced}
"""All checks, in the order of their remarks."""
