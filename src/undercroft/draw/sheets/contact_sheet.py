"""Contact sheets: many small pictures on one page, each on a card with a heading, a note and bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from PIL import Image, ImageDraw

from undercroft.draw.scene import lettering
from undercroft.draw.scene.colour import RAMP_STEPS, colour_ramp, rgb
from undercroft.draw.scene.pixel_text import draw_text
from undercroft.draw.styles.printed.paragraphs import wrap_text
from undercroft.errors import BadInput
from undercroft.limits import PICTURE_PIXELS, PICTURE_SIDE

GROUND, PANEL, RIM, TRACK = "#0d0f16", "#151926", "#20263a", "#242b3e"
TEXT, QUIET, FAINT = "#e9edf7", "#8690a8", "#525c74"
TITLE_SIZE, LINE_SIZE, HEADING_SIZE, NOTE_SIZE, SMALL_SIZE = 34, 15, 16, 12, 10
"""Letter sizes, in pixels."""
STRONG, SANS = "strong", "sans"
SHEET_MARGIN, CARD_GAP, CARD_PADDING, CORNER_RADIUS = 28, 14, 12, 9
"""The margin of the sheet, the gaps between cards and within them, and the radius of their corners."""
DEFAULT_SHEET_WIDTH = 1720
"""The width of a sheet in pixels, if it has enough cards and the number of columns is not given."""
MIN_CARD_WIDTH = 112
"""The minimum width of a card, in pixels."""
BAR_GAP = 8
"""Pixels between two bars."""
CORNER_OVERSAMPLING = 4
"""The oversampling factor of the corners of cards, for smoothness."""
MIN_LINE_WIDTH = 480
"""The minimum width of the lines above and below the cards, in pixels."""
NO_FORMATS: Mapping[str, str] = MappingProxyType({})
"""Show numbers without a format."""


class MeasureBar(NamedTuple):
    """A measure: its name, its formatted value, and its position in the sheet's range from 0 to 1."""

    name: str
    value: str
    share: float


class Card(NamedTuple):
    """One picture and its texts."""

    picture: Image.Image | None
    heading: str
    note: str = ""
    bars: tuple[MeasureBar, ...] = ()
    mark: str = ""
    """The colour of its rim and note if it is highlighted; else empty."""


class ColourKey(NamedTuple):
    """The meaning of a colour on the pictures."""

    colour: str
    text: str


def build_bars(
    rows: Sequence[Mapping[str, float | None]], said: Mapping[str, str] = NO_FORMATS
) -> list[tuple[MeasureBar, ...]]:
    """The bars of each card, each relative to the range of all cards. Missing values have no bar.

    `said` are formats, such as "{:.0%}".

    >>> build_bars([{"loops": 2, "open": 0.25}, {"loops": 4, "open": 0.5}], {"open": "{:.0%}"})[1]
    (MeasureBar(name='loops', value='4', share=1.0), MeasureBar(name='open', value='50%', share=1.0))
    """
    ranges: dict[str, tuple[float, float]] = {}
    for name in rows[0] if rows else ():
        known = [value for row in rows if (value := row[name]) is not None]
        ranges[name] = min(known, default=0), max(known, default=0)

    def build_bar(name: str, value: float | None) -> MeasureBar:
        low, high = ranges[name]
        if value is None:
            return MeasureBar(name, "none", 0.0)
        return MeasureBar(
            name, said.get(name, "{:g}").format(value), (value - low) / (high - low) if high > low else 0.0
        )

    return [tuple(build_bar(name, row[name]) for name in ranges) for row in rows]


def render_sheet(
    cards: Sequence[Card],
    title: str,
    subtitle: str = "",
    footer: str = "",
    *,
    keys: Sequence[ColourKey] = (),
    columns: int | None = None,
) -> Image.Image:
    """The cards in rows, all as wide as the widest picture needs; a row is as high as its highest card. Limits are
    checked before anything is drawn.

    >>> render_sheet([Card(Image.new("RGB", (60, 40)), "1"), Card(None, "2", "no such room")], "Two").size
    (342, 198)
    """
    if not cards:
        raise BadInput("a sheet without a card", fix="give at least one")
    plan = _CardGrid(cards, columns)
    room = max(plan.width, lettering.text_width(title, TITLE_SIZE, STRONG), MIN_LINE_WIDTH if subtitle or footer else 0)
    above, below = wrap_text(subtitle, room, LINE_SIZE, SANS), wrap_text(footer, room, NOTE_SIZE, SANS)
    said = max(
        (
            lettering.text_width(line, size, SANS)
            for lines, size in ((above, LINE_SIZE), (below, NOTE_SIZE))
            for line in lines
        ),
        default=0,
    )
    across = round(max(plan.width, lettering.text_width(title, TITLE_SIZE, STRONG), said))
    bands = list(_wrap_keys(keys, across))
    top = SHEET_MARGIN + TITLE_SIZE + (len(above) * (LINE_SIZE + 7) + 5 if above else 0) + len(bands) * 24 + 22
    size = (
        across + 2 * SHEET_MARGIN,
        top + plan.height + (len(below) * (NOTE_SIZE + 6) + 10 if below else 0) + SHEET_MARGIN,
    )
    PICTURE_SIDE.check(max(size), "the longer side of the sheet")
    PICTURE_PIXELS.check(size[0] * size[1], "the number of pixels of the sheet")
    image = Image.new("RGB", size, rgb(GROUND))
    draw_text(image, SHEET_MARGIN, SHEET_MARGIN + TITLE_SIZE - 6, title, TITLE_SIZE, TEXT, STRONG)
    for number, words in enumerate(above):
        draw_text(
            image,
            SHEET_MARGIN,
            SHEET_MARGIN + TITLE_SIZE + LINE_SIZE + 8 + number * (LINE_SIZE + 7),
            words,
            LINE_SIZE,
            QUIET,
        )
    for number, band in enumerate(bands):
        _draw_keys(image, band, top - len(bands) * 24 + number * 24)
    for card, left, down, high in plan.iterate_cards():
        _draw_card(image, card, (SHEET_MARGIN + left, top + down, plan.card, high), plan)
    for number, words in enumerate(reversed(below)):
        draw_text(image, SHEET_MARGIN, size[1] - SHEET_MARGIN - number * (NOTE_SIZE + 6), words, NOTE_SIZE, FAINT)
    return image


class _CardGrid:
    """The sizes and positions of cards."""

    def __init__(self, cards: Sequence[Card], columns: int | None) -> None:
        self.cards = cards
        pictures = max((card.picture.width for card in cards if card.picture), default=0)
        words = max(
            max(
                lettering.text_width(card.heading, HEADING_SIZE, STRONG),
                lettering.text_width(card.note, NOTE_SIZE, SANS),
            )
            for card in cards
        )
        bar = max(
            (lettering.text_width(bar.name + bar.value, SMALL_SIZE, SANS) + 4 for card in cards for bar in card.bars),
            default=0.0,
        )
        room = round(max(MIN_CARD_WIDTH, pictures, words, bar))
        self.card = room + 2 * CARD_PADDING
        count = max(len(card.bars) for card in cards)
        fit = max(1, int((room + BAR_GAP) // (bar + BAR_GAP)))
        lines = -(-count // fit)
        self.bars = -(-count // lines) if lines else 1
        """The number of bars in a line: as many as fit, with lines of about equal length."""
        self.two_lines = any(
            card.note
            and lettering.text_width(card.heading, HEADING_SIZE, STRONG)
            + lettering.text_width(card.note, NOTE_SIZE, SANS)
            + 10
            > room
            for card in cards
        )
        """Whether notes are below the headings."""
        fit = max(1, (DEFAULT_SHEET_WIDTH - 2 * SHEET_MARGIN + CARD_GAP) // (self.card + CARD_GAP))
        self.columns = min(len(cards), columns or -(-len(cards) // -(-len(cards) // fit)))
        rows = [cards[first : first + self.columns] for first in range(0, len(cards), self.columns)]
        self.pictures = [max((card.picture.height for card in row if card.picture), default=0) for row in rows]
        self.below = 26 + (18 if self.two_lines else 0) + 30 * lines
        """The height of the texts below a picture, in pixels."""
        self.heights = [CARD_PADDING + high + self.below + (8 if high else 0) for high in self.pictures]
        self.width = self.columns * (self.card + CARD_GAP) - CARD_GAP
        self.height = sum(self.heights) + CARD_GAP * (len(rows) - 1)

    def iterate_cards(self) -> Iterator[tuple[Card, int, int, int]]:
        """Each card, its left and top edge and its height."""
        down = 0
        for row, high in enumerate(self.heights):
            for column, card in enumerate(self.cards[row * self.columns : (row + 1) * self.columns]):
                yield card, column * (self.card + CARD_GAP), down, high
            down += high + CARD_GAP


def _draw_card(image: Image.Image, card: Card, box: tuple[int, int, int, int], plan: _CardGrid) -> None:
    left, top, width, height = box
    image.paste(_render_panel(width, height, card.mark or RIM, 2 if card.mark else 1), (left, top))
    if card.picture:
        free = height - plan.below - CARD_PADDING - 8
        image.paste(
            card.picture,
            (left + (width - card.picture.width) // 2, top + CARD_PADDING + (free - card.picture.height) // 2),
        )
    line = top + height - plan.below + 14
    draw_text(image, left + CARD_PADDING, line, card.heading, HEADING_SIZE, TEXT, STRONG)
    if plan.two_lines:
        line += 18
        draw_text(image, left + CARD_PADDING, line, card.note, NOTE_SIZE, card.mark or QUIET)
    else:
        draw_text(image, left + width - CARD_PADDING, line, card.note, NOTE_SIZE, card.mark or QUIET, at="right")
    wide = (width - 2 * CARD_PADDING + BAR_GAP) // plan.bars - BAR_GAP
    for number, bar in enumerate(card.bars):
        row, column = divmod(number, plan.bars)
        _draw_bar(image, bar, left + CARD_PADDING + column * (wide + BAR_GAP), line + 12 + 30 * row, wide)


def _draw_bar(image: Image.Image, bar: MeasureBar, left: int, top: int, width: int) -> None:
    draw = ImageDraw.Draw(image)
    share = min(1.0, max(0.0, bar.share))
    r, g, b = colour_ramp()[round((0.25 + 0.7 * share) * (RAMP_STEPS - 1))].tolist()
    draw.rectangle((left, top, left + width - 1, top + 3), fill=rgb(TRACK))
    draw.rectangle((left, top, left + max(3, round(width * share)) - 1, top + 3), fill=(r, g, b))
    draw_text(image, left, top + 17, bar.name, SMALL_SIZE, QUIET)
    draw_text(image, left + width, top + 17, bar.value, SMALL_SIZE, TEXT, at="right")


def _wrap_keys(keys: Sequence[ColourKey], width: float) -> Iterator[list[ColourKey]]:
    """The keys in lines, as many as fit in each."""
    line: list[ColourKey] = []
    used = 0.0
    for key in keys:
        length = lettering.text_width(key.text, NOTE_SIZE, SANS) + 38
        if line and used + length > width:
            yield line
            line, used = [], 0.0
        line.append(key)
        used += length
    if line:
        yield line


def _draw_keys(image: Image.Image, keys: Sequence[ColourKey], line: int) -> None:
    left = float(SHEET_MARGIN)
    for key in keys:
        ImageDraw.Draw(image).rectangle((round(left), line - 10, round(left) + 11, line + 1), fill=rgb(key.colour))
        draw_text(image, round(left) + 18, line, key.text, NOTE_SIZE, QUIET)
        left += lettering.text_width(key.text, NOTE_SIZE, SANS) + 38


@cache
def _render_panel(width: int, height: int, rim: str, thick: int) -> Image.Image:
    """An empty card."""
    large = Image.new("RGB", (width * CORNER_OVERSAMPLING, height * CORNER_OVERSAMPLING), rgb(GROUND))
    box = (0, 0, width * CORNER_OVERSAMPLING - 1, height * CORNER_OVERSAMPLING - 1)
    ImageDraw.Draw(large).rounded_rectangle(
        box, CORNER_RADIUS * CORNER_OVERSAMPLING, fill=rgb(PANEL), outline=rgb(rim), width=thick * CORNER_OVERSAMPLING
    )
    return large.reduce(CORNER_OVERSAMPLING)
