"""A contact sheet with as many levels as fit on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from undercroft.bulk.search.search_sheet import render_search_sheet
from undercroft.errors import TooBig

if TYPE_CHECKING:
    from undercroft.bulk.search.search import Search

MAX_CARDS = 600
"""The most cards that are tried: no sheet holds more."""


def render_fitting_sheet(search: Search, command: str = "") -> tuple[bytes, int]:
    """The sheet as a PNG, and how many of the hits are on it, the first ones. Its footer shows the command that made
    it.
    """
    every = search.kept
    count = min(len(every), MAX_CARDS)
    try:
        while True:
            search.kept = every[:count]
            try:
                return render_search_sheet(search, command), count
            except TooBig as error:
                if count == 1 or not error.asked:
                    error.fix = "search for levels of a smaller --size"
                    raise
                count = max(1, min(count - 1, count * error.most // error.asked))
    finally:
        search.kept = every
