"""Render the hits of a search on one picture: a card for each level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from undercroft.analysis.measures.table import MEASURES, measure
from undercroft.bulk.study_record import RECORD_KEY, build_study_record
from undercroft.core.level import Level
from undercroft.draw.scene.png_file import encode_png_file
from undercroft.draw.sheets.card_map import render_card_map
from undercroft.draw.sheets.contact_sheet import Card, build_bars, render_sheet
from undercroft.draw.view.tint import distances_from_start
from undercroft.inputs.json import format_json
from undercroft.wording import plural

if TYPE_CHECKING:
    from undercroft.bulk.search.search import Search

MAX_LARGE_CARDS = 4
"""The most cards with large pictures."""
LARGE_CARD_PIXELS, SMALL_CARD_PIXELS = (400, 280), (240, 168)
"""Pixels for a level, across and down."""
SHORT_NAMES = {"path_length": "path", "dead_ends": "dead", "density": "open"}
"""Measures with a shorter name on the cards, where there is little room."""


def render_search_sheet(search: Search, command: str = "") -> bytes:
    """The contact sheet as a PNG, with the command that made it in its footer. The levels are made again."""
    found = search.kept
    room = LARGE_CARD_PIXELS if len(found) <= MAX_LARGE_CARDS else SMALL_CARD_PIXELS
    farthest = max(int(distances_from_start(one.level).max()) for one in found)
    formats = {_shorten_name(name): "{:.0%}" for name in search.measures if MEASURES[name].kind == "share"}
    rows = build_bars([{_shorten_name(name): value for name, value in one.measures.items()} for one in found], formats)
    cards = [
        Card(render_card_map(one.level, room, farthest), f"#{one.seed}", _describe_level(one.level, one.params), bars)
        for one, bars in zip(found, rows, strict=True)
    ]
    title = _format_title(search)
    record = build_study_record(search.measures, [search.request], vary=search.vary.format_texts(), command=command)
    notes = {"title": title, RECORD_KEY: format_json(record)}
    return encode_png_file(render_sheet(cards, title, describe_search(search), command), notes)


def _format_title(search: Search) -> str:
    count = len(search.kept)
    return f"{plural(count, 'seed')} of “{search.recipe.name}”"


def describe_search(search: Search) -> str:
    """The request of the search, and how to read the cards."""
    width, height = search.size
    requirements = [requirement.text for requirement in search.wanted if requirement not in search.recipe.require]
    tried = f"{plural(search.tried, 'level')} looked at"
    names = [
        f"{_shorten_name(name)} ({_format_name(name)})" if name in SHORT_NAMES else _format_name(name)
        for name in search.measures
    ]
    measures = f"bars from the least to the greatest on this sheet: {', '.join(names)}"
    return " · ".join(
        [f"{width} × {height}", *requirements, tried, "colour is steps from the start, one scale for all", measures]
    )


def _describe_level(level: Level, params: dict[str, object]) -> str:
    """A short description of a level, after the parameters that varied.

    >>> _describe_level(Level.parse("#####\\n#<.>#\\n#####"), {"wall": 0.4})
    'wall 0.4 · path 2 · 20% open'
    """
    parts = [f"{name} {value}" for name, value in params.items()]
    rooms, path, density = measure(level, "rooms", "path_length", "density").values()
    if rooms and rooms > 1:
        parts.append(f"{rooms:,} rooms")
    if path is not None:
        parts.append(f"path {path:,}")
    return " · ".join([*parts, f"{density:.0%} open"])


def _shorten_name(name: str) -> str:
    """The name of a measure below its bar.

    >>> _shorten_name("path_length"), _shorten_name("graph_loops")
    ('path', 'graph loops')
    """
    return SHORT_NAMES.get(name, _format_name(name))


def _format_name(name: str) -> str:
    return name.replace("_", " ")
