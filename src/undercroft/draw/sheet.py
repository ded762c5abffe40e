"""Contact sheets: many small pictures on one, each on a card with a heading, a note and bars."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from undercroft.draw.colour import STEPS, ramp, rgb
from undercroft.errors import BadInput
from undercroft.limits import PICTURE_SIDE, PIXELS

GROUND, PANEL, RIM, TRACK = "#0d0f16", "#151926", "#20263a", "#242b3e"
TEXT, QUIET, FAINT = "#e9edf7", "#8690a8", "#525c74"
TITLE, LINE, HEADING, NOTE, SMALL = 34, 15, 15, 12, 10
"""Heights of letters, in pixels."""
EDGE, GAP, INSIDE, ROUND = 28, 14, 12, 9
"""The margin of the sheet, the space between cards and within them, and the radius of their corners."""
WIDTH = 1400
"""Pixels that a sheet is wide, if its cards are many enough and nobody says how many stand in a row."""
NARROWEST = 112
"""Pixels of a card whose picture is smaller."""
BETWEEN = 10
"""Pixels between two bars."""
FINE = 4
"""How many times too large cards' corners and bold letters are drawn, so that they are smooth."""


class Bar(NamedTuple):
    """A measure: its name, its value as it is shown, and its place in the sheet's range from 0 to 1."""

    name: str
    value: str
    share: float


class Card(NamedTuple):
    """One of the pictures and what is said about it."""

    picture: Image.Image | None
    heading: str
    note: str = ""
    bars: tuple[Bar, ...] = ()
    mark: str = ""
    """A colour for its rim and note if it is to stand out."""


class Key(NamedTuple):
    """What a colour on the pictures means."""

    colour: str
    text: str


def bars(rows: Sequence[dict[str, float]], said: dict[str, str] | None = None) -> list[tuple[Bar, ...]]:
    """The bars of each card, each measured against the range that all have. `said` are formats, such as "{:.0%}".

    >>> bars([{"loops": 2, "open": 0.25}, {"loops": 4, "open": 0.5}], {"open": "{:.0%}"})[1]
    (Bar(name='loops', value='4', share=1.0), Bar(name='open', value='50%', share=1.0))
    """
    ranges = {name: (min(row[name] for row in rows), max(row[name] for row in rows)) for name in (rows[0] if rows else ())}

    def bar(name: str, value: float) -> Bar:
        low, high = ranges[name]
        return Bar(name, (said or {}).get(name, "{:g}").format(value), (value - low) / (high - low) if high > low else 0.0)

    return [tuple(bar(name, row[name]) for name in ranges) for row in rows]


def sheet(cards: Sequence[Card], title: str, subtitle: str = "", footer: str = "", *, keys: Sequence[Key] = (), columns: int | None = None) -> Image.Image:
    """The cards in rows, all as wide as the widest picture needs; a row is as high as its highest. Limits are checked before anything is drawn.

    >>> sheet([Card(Image.new("RGB", (60, 40)), "1"), Card(None, "2", "no such room")], "Two").size
    (342, 198)
    """
    if not cards:
        raise BadInput("a sheet without a card", fix="give at least one")
    plan = _Plan(cards, columns)
    bands = list(_lines(keys, max(plan.width, _length(title, TITLE, bold=True), _length(subtitle, LINE))))
    width = round(max([plan.width, _length(title, TITLE, bold=True), _length(subtitle, LINE), _length(footer, NOTE)])) + 2 * EDGE
    top = EDGE + TITLE + (LINE + 12 if subtitle else 0) + len(bands) * 24 + 22
    height = top + plan.height + (NOTE + 16 if footer else 0) + EDGE
    PICTURE_SIDE.check(max(width, height), "the longer side of the sheet")
    PIXELS.check(width * height, "the number of pixels of the sheet")
    image = Image.new("RGB", (width, height), rgb(GROUND))
    _write(image, EDGE, EDGE + TITLE - 6, title, TITLE, TEXT, bold=True)
    _write(image, EDGE, EDGE + TITLE + LINE + 8, subtitle, LINE, QUIET)
    line = EDGE + TITLE + (LINE + 12 if subtitle else 0) + 22
    for band in bands:
        _draw_keys(image, band, line)
        line += 24
    for card, left, down, high in plan.places():
        _draw_card(image, card, (EDGE + left, top + down, plan.card, high), plan)
    _write(image, EDGE, height - EDGE, footer, NOTE, FAINT)
    return image


def png(image: Image.Image) -> bytes:
    """The sheet as a file."""
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


class _Plan:
    """How large cards are, and where they lie."""

    def __init__(self, cards: Sequence[Card], columns: int | None) -> None:
        self.cards = cards
        pictures = max((card.picture.width for card in cards if card.picture), default=0)
        words = max(max(_length(card.heading, HEADING, bold=True), _length(card.note, NOTE)) for card in cards)
        bar = max((_length(bar.name + bar.value, SMALL) + 6 for card in cards for bar in card.bars), default=0.0)
        room = round(max(NARROWEST, pictures, words, bar))
        self.card = room + 2 * INSIDE
        count = max(len(card.bars) for card in cards)
        self.bars = max(1, min(count, int((room + BETWEEN) // (bar + BETWEEN))))
        """How many bars stand in a line."""
        self.two_lines = any(card.note and _length(card.heading, HEADING, bold=True) + _length(card.note, NOTE) + 10 > room for card in cards)
        """Whether notes stand below the headings."""
        self.columns = min(len(cards), columns or max(1, (WIDTH - 2 * EDGE + GAP) // (self.card + GAP)))
        rows = [cards[first : first + self.columns] for first in range(0, len(cards), self.columns)]
        self.pictures = [max((card.picture.height for card in row if card.picture), default=0) for row in rows]
        self.below = 26 + (18 if self.two_lines else 0) + 30 * -(-count // self.bars)
        """Pixels of what is said below a picture."""
        self.heights = [INSIDE + high + self.below + (8 if high else 0) for high in self.pictures]
        self.width = self.columns * (self.card + GAP) - GAP
        self.height = sum(self.heights) + GAP * (len(rows) - 1)

    def places(self) -> Iterator[tuple[Card, int, int, int]]:
        """Each card, its left and upper edge and its height."""
        down = 0
        for row, high in enumerate(self.heights):
            for column, card in enumerate(self.cards[row * self.columns : (row + 1) * self.columns]):
                yield card, column * (self.card + GAP), down, high
            down += high + GAP


def _draw_card(image: Image.Image, card: Card, box: tuple[int, int, int, int], plan: _Plan) -> None:
    left, top, width, height = box
    image.paste(_panel(width, height, card.mark or RIM, 2 if card.mark else 1), (left, top))
    if card.picture:
        free = height - plan.below - INSIDE - 8
        image.paste(card.picture, (left + (width - card.picture.width) // 2, top + INSIDE + (free - card.picture.height) // 2))
    line = top + height - plan.below + 14
    _write(image, left + INSIDE, line, card.heading, HEADING, TEXT, bold=True)
    if plan.two_lines:
        line += 18
        _write(image, left + INSIDE, line, card.note, NOTE, card.mark or QUIET)
    else:
        _write(image, left + width - INSIDE, line, card.note, NOTE, card.mark or QUIET, right=True)
    wide = (width - 2 * INSIDE + BETWEEN) // plan.bars - BETWEEN
    for number, bar in enumerate(card.bars):
        row, column = divmod(number, plan.bars)
        _draw_bar(image, bar, left + INSIDE + column * (wide + BETWEEN), line + 12 + 30 * row, wide)


def _draw_bar(image: Image.Image, bar: Bar, left: int, top: int, width: int) -> None:
    draw = ImageDraw.Draw(image)
    share = min(1.0, max(0.0, bar.share))
    r, g, b = ramp()[round((0.25 + 0.7 * share) * (STEPS - 1))].tolist()
    draw.rectangle((left, top, left + width - 1, top + 3), fill=rgb(TRACK))
    draw.rectangle((left, top, left + max(3, round(width * share)) - 1, top + 3), fill=(r, g, b))
    _write(image, left, top + 17, bar.name, SMALL, QUIET)
    _write(image, left + width, top + 17, bar.value, SMALL, TEXT, right=True)


def _lines(keys: Sequence[Key], width: float) -> Iterator[list[Key]]:
    """The keys, as many in a line as fit."""
    line: list[Key] = []
    used = 0.0
    for key in keys:
        length = _length(key.text, NOTE) + 38
        if line and used + length > width:
            yield line
            line, used = [], 0.0
        line.append(key)
        used += length
    if line:
        yield line


def _draw_keys(image: Image.Image, keys: Sequence[Key], line: int) -> None:
    left = float(EDGE)
    for key in keys:
        ImageDraw.Draw(image).rectangle((round(left), line - 10, round(left) + 11, line + 1), fill=rgb(key.colour))
        _write(image, round(left) + 18, line, key.text, NOTE, QUIET)
        left += _length(key.text, NOTE) + 38


@cache
def _panel(width: int, height: int, rim: str, thick: int) -> Image.Image:
    """An empty card."""
    large = Image.new("RGB", (width * FINE, height * FINE), rgb(GROUND))
    box = (0, 0, width * FINE - 1, height * FINE - 1)
    ImageDraw.Draw(large).rounded_rectangle(box, ROUND * FINE, fill=rgb(PANEL), outline=rgb(rim), width=thick * FINE)
    return large.reduce(FINE)


@cache
def _font(height: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(height)


def _length(words: str, height: int, *, bold: bool = False) -> float:
    """How many pixels wide words are."""
    return float(_font(height).getlength(words)) + bold


def _write(image: Image.Image, x: int, line: int, words: str, height: int, colour: str, *, bold: bool = False, right: bool = False) -> None:
    """Words on a line, from x on or up to x. Bold ones get a stroke around them."""
    if not words:
        return
    if right:
        x -= round(_length(words, height, bold=bold))
    if not bold:
        ImageDraw.Draw(image).text((x, line), words, fill=rgb(colour), font=_font(height), anchor="ls")
        return
    wide, high = round(_length(words, height)) + 4, 2 * height
    mask = Image.new("L", (wide * FINE, high * FINE))
    ImageDraw.Draw(mask).text(
        (FINE, (high - height // 2) * FINE), words, fill=255, font=_font(height * FINE), anchor="ls", stroke_width=max(1, height * FINE // 40)
    )
    image.paste(rgb(colour), (x - 1, line - high + height // 2), mask.reduce(FINE))
