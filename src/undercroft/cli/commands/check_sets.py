"""Lint sets of things and words for names, for `undercroft lint`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from undercroft.cli.commands.lint import LintReport
from undercroft.inputs.files import SHIPPED_FOLDER, is_file

THINGS, WORDS = "things", "names"
"""The two kinds of sets, by the names of their folders."""
_KEYS_OF = {THINGS: ("thing", "item", "kind", "any"), WORDS: ("word", "title", "room", "note")}
_RECIPE_KEYS = ("step", "param", "begins", "size", "require", "change")


def can_lint(what: str) -> bool:
    """Whether this is a set of things, or of words: a TOML file with their keys, or the name of a shipped one."""
    return _find_set(what) is not None


def lint_file(what: str) -> LintReport:
    """The findings about a set, each with its place. Raises if it holds a mistake."""
    from undercroft.rewrite.lint.finding import Finding
    from undercroft.things import lint_things, lint_words, shipped
    from undercroft.things.read_things import parse_things
    from undercroft.things.read_words import parse_words
    from undercroft.wording import plural

    found = _find_set(what)
    assert found is not None
    kind, path = found
    text, label = _read_text(path), path.name if path.parent.parent == SHIPPED_FOLDER else what
    if kind == THINGS:
        things = parse_things(text, label, shipped.load_things)
        remarks, checks = lint_things.find_thing_remarks(things, text, label), len(lint_things.CHECKS)
        parts = {"things": len(things.types), "items": len(things.items), "room kinds": len(things.kinds)}
        counts = ", ".join(
            plural(count, noun) for noun, count in zip(("thing", "item", "room kind"), parts.values(), strict=True)
        )
    else:
        words = parse_words(text, label, shipped.load_words)
        remarks, checks = lint_words.find_word_remarks(words, text, label), len(lint_words.CHECKS)
        parts = {"words": len(words.words)}
        counts = plural(len(words.words), "word")
    return LintReport(
        label,
        0,
        tuple(Finding(*remark) for remark in remarks),
        True,
        f"{counts}, {checks} checks",
        parts,
    )


def _find_set(what: str) -> tuple[str, Path] | None:
    """The kind of set that a word names, and its file; None if it names none."""
    from undercroft.errors import UndercroftError
    from undercroft.inputs import toml
    from undercroft.things.shipped import list_names

    if not what.casefold().endswith(".toml"):
        kind = next((kind for kind in _KEYS_OF if what in list_names(kind)), None)
        return (kind, SHIPPED_FOLDER / kind / f"{what}.toml") if kind and not is_file(what) else None
    try:
        kind = detect_set(toml.parse_toml(_read_text(Path(what)), what).data)
    except (OSError, UndercroftError):  # a file that cannot be read, or is no TOML, is reported elsewhere
        return None
    return (kind, Path(what)) if kind else None


def detect_set(data: Mapping[str, Any]) -> str | None:
    """The kind of set that these tables are; None if they are none, or a recipe.

    >>> detect_set({"thing": {}}), detect_set({"extends": "english", "title": {}}), detect_set({"step": [], "note": {}})
    ('things', 'names', None)
    """
    from undercroft.things.shipped import list_names

    if any(key in data for key in _RECIPE_KEYS):
        return None
    for kind, keys in _KEYS_OF.items():
        if any(key in data for key in keys):
            return kind
    return next((kind for kind in _KEYS_OF if data.get("extends") in list_names(kind)), None)


def _read_text(path: Path) -> str:
    from undercroft import limits
    from undercroft.inputs import files

    return files.read_text(path, limits.TOML_BYTES)
