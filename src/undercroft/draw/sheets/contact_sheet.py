"""Contact sheets: many small pictures on one, each on a card with a heading, a note and bars."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from PIL import Image, ImageDraw

from undercroft.draw.scene import lettering
from undercroft.draw.scene.colour import STEPS, ramp, rgb
from undercroft.draw.scene.pixel_text import write
from undercroft.draw.styles.printed.paragraphs import wrapped
from undercroft.errors import BadInput
from undercroft.limits import PICTURE_SIDE, PIXELS

GROUND, PANEL, RIM, TRACK = "#0d0f16", "#151926", "#20263a", "#242b3e"
TEXT, QUIET, FAINT = "#e9edf7", "#8690a8", "#525c74"
TITLE, LINE, HEADING, NOTE, SMALL = 34, 15, 16, 12, 10
"""Sizes of letters, in pixels."""
STRONG, SANS = "strong", "sans"
EDGE, GAP, INSIDE, ROUND = 28, 14, 12, 9
"""The margin of the sheet, the space between cards and within them, and the radius of their corners."""
WIDTH = 1720
"""Pixels that a sheet is wide, if its cards are many enough and nobody says how many stand in a row."""
NARROWEST = 112
"""Pixels of a card whose picture is smaller."""
BETWEEN = 8
"""Pixels between two bars."""
FINE = 4
"""How many times too large cards' corners are drawn, so that they are smooth."""
SHORTEST = 480
"""Pixels that lines above and below the cards may be long at least, if these are fewer."""
PLAIN: Mapping[str, str] = MappingProxyType({})
"""Numbers as they are."""


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


def bars(rows: Sequence[Mapping[str, float | None]], said: Mapping[str, str] = PLAIN) -> list[tuple[Bar, ...]]:
    """The bars of each card, each measured against the range that all have; of a number that there is not there is
    nothing to show.

    `said` are formats, such as "{:.0%}".

    >>> bars([{"loops": 2, "open": 0.25}, {"loops": 4, "open": 0.5}], {"open": "{:.0%}"})[1]
    (Bar(name='loops', value='4', share=1.0), Bar(name='open', value='50%', share=1.0))
    """
    ranges: dict[str, tuple[float, float]] = {}
    for name in rows[0] if rows else ():
        known = [value for row in rows if (value := row[name]) is not None]
        ranges[name] = min(known, default=0), max(known, default=0)

    def bar(name: str, value: float | None) -> Bar:
        low, high = ranges[name]
        if value is None:
            return Bar(name, "none", 0.0)
        return Bar(name, said.get(name, "{:g}").format(value), (value - low) / (high - low) if high > low else 0.0)

    return [tuple(bar(name, row[name]) for name in ranges) for row in rows]


def sheet(
    cards: Sequence[Card],
    title: str,
    subtitle: str = "",
    footer: str = "",
    *,
    keys: Sequence[Key] = (),
    columns: int | None = None,
) -> Image.Image:
    """The cards in rows, all as wide as the widest picture needs; a row is as high as its highest. Limits are checked
    before anything is drawn.

    >>> sheet([Card(Image.new("RGB", (60, 40)), "1"), Card(None, "2", "no such room")], "Two").size
    (342, 198)
    """
    if not cards:
        raise BadInput("a sheet without a card", fix="give at least one")
    plan = _Plan(cards, columns)
    room = max(plan.width, lettering.width(title, TITLE, STRONG), SHORTEST if subtitle or footer else 0)
    above, below = wrapped(subtitle, room, LINE, SANS), wrapped(footer, room, NOTE, SANS)
    said = max(
        (lettering.width(line, size, SANS) for lines, size in ((above, LINE), (below, NOTE)) for line in lines),
        default=0,
    )
    across = round(max(plan.width, lettering.width(title, TITLE, STRONG), said))
    bands = list(_lines(keys, across))
    top = EDGE + TITLE + (len(above) * (LINE + 7) + 5 if above else 0) + len(bands) * 24 + 22
    size = across + 2 * EDGE, top + plan.height + (len(below) * (NOTE + 6) + 10 if below else 0) + EDGE
    PICTURE_SIDE.check(max(size), "the longer side of the sheet")
    PIXELS.check(size[0] * size[1], "the number of pixels of the sheet")
    image = Image.new("RGB", size, rgb(GROUND))
    write(image, EDGE, EDGE + TITLE - 6, title, TITLE, TEXT, STRONG)
    for number, words in enumerate(above):
        write(image, EDGE, EDGE + TITLE + LINE + 8 + number * (LINE + 7), words, LINE, QUIET)
    for number, band in enumerate(bands):
        _draw_keys(image, band, top - len(bands) * 24 + number * 24)
    for card, left, down, high in plan.places():
        _draw_card(image, card, (EDGE + left, top + down, plan.card, high), plan)
    for number, words in enumerate(reversed(below)):
        write(image, EDGE, size[1] - EDGE - number * (NOTE + 6), words, NOTE, FAINT)
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
        words = max(
            max(lettering.width(card.heading, HEADING, STRONG), lettering.width(card.note, NOTE, SANS))
            for card in cards
        )
        bar = max(
            (lettering.width(bar.name + bar.value, SMALL, SANS) + 4 for card in cards for bar in card.bars), default=0.0
        )
        room = round(max(NARROWEST, pictures, words, bar))
        self.card = room + 2 * INSIDE
        count = max(len(card.bars) for card in cards)
        fit = max(1, int((room + BETWEEN) // (bar + BETWEEN)))
        lines = -(-count // fit)
        self.bars = -(-count // lines) if lines else 1
        """How many bars stand in a line: as many as fit, but all lines are about equally long."""
        self.two_lines = any(
            card.note
            and lettering.width(card.heading, HEADING, STRONG) + lettering.width(card.note, NOTE, SANS) + 10 > room
            for card in cards
        )
        """Whether notes stand below the headings."""
        fit = max(1, (WIDTH - 2 * EDGE + GAP) // (self.card + GAP))
        self.columns = min(len(cards), columns or -(-len(cards) // -(-len(cards) // fit)))
        rows = [cards[first : first + self.columns] for first in range(0, len(cards), self.columns)]
        self.pictures = [max((card.picture.height for card in row if card.picture), default=0) for row in rows]
        self.below = 26 + (18 if self.two_lines else 0) + 30 * lines
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
        image.paste(
            card.picture, (left + (width - card.picture.width) // 2, top + INSIDE + (free - card.picture.height) // 2)
        )
    line = top + height - plan.below + 14
    write(image, left + INSIDE, line, card.heading, HEADING, TEXT, STRONG)
    if plan.two_lines:
        line += 18
        write(image, left + INSIDE, line, card.note, NOTE, card.mark or QUIET)
    else:
        write(image, left + width - INSIDE, line, card.note, NOTE, card.mark or QUIET, at="right")
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
    write(image, left, top + 17, bar.name, SMALL, QUIET)
    write(image, left + width, top + 17, bar.value, SMALL, TEXT, at="right")


def _lines(keys: Sequence[Key], width: float) -> Iterator[list[Key]]:
    """The keys, as many in a line as fit."""
    line: list[Key] = []
    used = 0.0
    for key in keys:
        length = lettering.width(key.text, NOTE, SANS) + 38
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
        write(image, round(left) + 18, line, key.text, NOTE, QUIET)
        left += lettering.width(key.text, NOTE, SANS) + 38


@cache
def _panel(width: int, height: int, rim: str, thick: int) -> Image.Image:
    """An empty card."""
    large = Image.new("RGB", (width * FINE, height * FINE), rgb(GROUND))
    box = (0, 0, width * FINE - 1, height * FINE - 1)
    ImageDraw.Draw(large).rounded_rectangle(box, ROUND * FINE, fill=rgb(PANEL), outline=rgb(rim), width=thick * FINE)
    return large.reduce(FINE)
