"""What a search found on one picture: a card for each level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from undercroft.analysis.measures.table import MEASURES, measure
from undercroft.core.level import Level
from undercroft.draw.sheets.card_map import card_map
from undercroft.draw.sheets.contact_sheet import Card, bars, png, sheet
from undercroft.draw.view.tint import distances

if TYPE_CHECKING:
    from undercroft.bulk.search.search import Search

FEW = 4
"""Cards up to which pictures are large."""
LARGE, SMALL = (400, 280), (240, 168)
"""Pixels that a level has, across and down."""
SHORT = {"path_length": "path", "dead_ends": "dead", "density": "open"}
"""Measures that are called by a shorter name, since there is little room."""


def drawn(search: Search, command: str = "") -> bytes:
    """The contact sheet as a PNG, with the command that made it at its foot. The levels are made again."""
    found = search.kept
    room = LARGE if len(found) <= FEW else SMALL
    farthest = max(int(distances(one.level).max()) for one in found)
    said = {_short(name): "{:.0%}" for name in search.measures if MEASURES[name].kind == "share"}
    rows = bars([{_short(name): value for name, value in one.measures.items()} for one in found], said)
    cards = [
        Card(card_map(one.level, room, farthest), f"#{one.seed}", _noted(one.level, one.params), bars)
        for one, bars in zip(found, rows, strict=True)
    ]
    return png(sheet(cards, _title(search), subtitle(search), command))


def _title(search: Search) -> str:
    count = len(search.kept)
    return f"{count:,} {'seed' if count == 1 else 'seeds'} of “{search.recipe.name}”"


def subtitle(search: Search) -> str:
    """What was asked for, and how to read the cards."""
    width, height = search.size
    asked = [requirement.text for requirement in search.wanted if requirement not in search.recipe.require]
    tried = f"{search.tried:,} {'level' if search.tried == 1 else 'levels'} looked at"
    names = [f"{_short(name)} ({_spoken(name)})" if name in SHORT else _spoken(name) for name in search.measures]
    measures = f"bars from the least to the greatest on this sheet: {', '.join(names)}"
    return " · ".join(
        [f"{width} × {height}", *asked, tried, "colour is steps from the start, one scale for all", measures]
    )


def _noted(level: Level, params: dict[str, object]) -> str:
    """A level in a few words, after the parameters that varied.

    >>> _noted(Level.drawn("#####\\n#<.>#\\n#####"), {"wall": 0.4})
    'wall 0.4 · path 2 · 20% open'
    """
    told = [f"{name} {value}" for name, value in params.items()]
    rooms, path, density = measure(level, "rooms", "path_length", "density").values()
    if rooms and rooms > 1:
        told.append(f"{rooms:,} rooms")
    if path is not None:
        told.append(f"path {path:,}")
    return " · ".join([*told, f"{density:.0%} open"])


def _short(name: str) -> str:
    """What a measure is called below its bar.

    >>> _short("path_length"), _short("graph_loops")
    ('path', 'graph loops')
    """
    return SHORT.get(name, _spoken(name))


def _spoken(name: str) -> str:
    return name.replace("_", " ")
