"""The keys of the studio, read from the one table of its page, as a table of docs/studio.md.

python docs/making/studio_keys.py      writes the table of the page anew
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "studio" / "src" / "shell" / "keys.ts"
PAGE = ROOT / "docs" / "studio.md"
BEGIN, END = "<!-- keys: written by docs/making/studio_keys.py -->\n", "<!-- end of keys -->\n"
VIEWS = ("make", "understand", "explore", "author")

_LIST = r"\[((?:\"[^\"]*\"(?:, )?)*)\]"
_STRING = r'"([^"]*)"'


class Key(NamedTuple):
    """An entry that the key map shows: what it does, its keys, and in which views; in all if that is empty."""

    label: str
    keys: tuple[str, ...]
    views: tuple[str, ...]


def keys() -> list[Key]:
    """All entries of the table that are shown, in its order."""
    text = SOURCE.read_text(encoding="utf-8")
    table = text[text.index("export const KEYS") : text.index("} as const satisfies")]
    found = []
    for entry in re.findall(r"^  \w+: (\{.*\}),$", table, re.MULTILINE):
        label = re.search(rf"label: {_STRING}", entry)
        shown = re.search(rf"show: {_LIST}", entry) or re.search(rf"press: {_LIST}", entry)
        views = re.search(rf"in: {_LIST}", entry)
        if label is None or shown is None:
            raise ValueError(f"no label or no keys: {entry}")
        if label[1] and "with:" not in entry:
            found.append(
                Key(
                    label[1],
                    tuple(re.findall(_STRING, shown[1])),
                    tuple(re.findall(_STRING, views[1])) if views else (),
                )
            )
    return found


def table() -> str:
    """The table as the page has it: first the keys that work everywhere, then view by view."""
    rows = ["| where | keys | do |", "|---|---|---|"]
    everything = keys()
    groups = [("everywhere", [key for key in everything if not key.views])]
    groups += [(view.capitalize(), [key for key in everything if view in key.views]) for view in VIEWS]
    for where, group in groups:
        rows += [
            f"| {where if at == 0 else ''} | {' '.join(f'`{name}`' for name in key.keys)} | {key.label} |"
            for at, key in enumerate(group)
        ]
    return "\n".join(rows) + "\n"


def page(text: str) -> str:
    """The page with the table as it should be."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + "\n" + table() + "\n" + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
