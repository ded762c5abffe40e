"""Update a layout's text after the layout was edited elsewhere. Comments, signs and the order of lines are kept as far
as possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from undercroft.errors import UndercroftError
from undercroft.templates.layouts import drawn_text, write_text
from undercroft.templates.layouts.drawn_text import LINE_WORDS
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.marks import LayoutMark
from undercroft.templates.layouts.partition import Partition

_PARTITION_SIGN = re.compile(r"(?:scale|colour|icon)\s+(\S)\s*=")
_MARK_SIGN = re.compile(r"(?:slot|socket)\s+.*?=\s*(\S)")


def edit_text(text: str, layout: Layout, file: str = "it.layout") -> str:
    """The text, edited so that it describes this layout.

    >>> hut = '''
    ... ; a hut
    ... scale  w = walls, right by 1   ; and no further
    ...
    ...     #.#  |  w=w
    ... '''
    >>> layout = drawn_text.parse(hut, "hut.layout")
    >>> print(edit_text(hut, layout.with_tile(1, 0, layout.palette["door"]).with_tags("small")))
    <BLANKLINE>
    layout  tagged small
    ; a hut
    scale  w = walls, right by 1   ; and no further
    <BLANKLINE>
        #+#  |  w=w
    <BLANKLINE>
    """
    plain = write_text.format_layout(layout)
    try:
        before = drawn_text.parse(text, file, layout.palette)
        if before == layout:
            return text
        changed = _EditableText(text).update(layout, before)
        return changed if drawn_text.parse(changed, file, layout.palette) == layout else plain
    except UndercroftError:
        return plain  # the old text cannot be reused


@dataclass(eq=False)
class _CommentedLine:
    """A line with content, with the comments right above it."""

    word: str
    line: str
    above: list[str] = field(default_factory=list)

    @property
    def body(self) -> str:
        return self.line.partition(";")[0].rstrip()

    def lines(self) -> list[str]:
        return [*self.above, self.line]

    def with_body(self, body: str) -> _CommentedLine:
        """The line with other content; a trailing comment keeps its column if there is room."""
        words, sign, comment = self.line.partition(";")
        return _CommentedLine(self.word, f"{body.ljust(len(words) - 1)} ;{comment}" if sign else body, self.above)


class _EditableText:
    """A text split into commented lines."""

    def __init__(self, text: str) -> None:
        self.ends = "\r\n" if "\r\n" in text else "\n"
        self.pieces: list[_CommentedLine] = []
        above: list[str] = []
        for line in text.removeprefix("\ufeff").split("\n"):
            written = line.removesuffix("\r")
            body = written.partition(";")[0].rstrip()
            if not body and written.strip():
                above.append(written)
                continue
            word = body.partition(" ")[0]
            self.pieces.append(
                _CommentedLine("" if not body else word if word in LINE_WORDS else "row", written, above)
            )
            above = []
        if above:
            self.pieces.append(_CommentedLine("", "", above))

    def update(self, layout: Layout, before: Layout) -> str:
        """Edit the text to describe another layout, and return it."""
        self._update_head(layout, before)
        glyphs = self._update_marks(layout, before)
        signs = self._update_partitions(layout, before)
        self._update_drawing(list(write_text.format_rows(layout, signs, glyphs)))
        return self.ends.join(line for piece in self.pieces for line in piece.lines())

    def _find_lines(self, *words: str) -> list[_CommentedLine]:
        return [piece for piece in self.pieces if piece.word in words]

    def _insert(self, new: Sequence[_CommentedLine], after: Sequence[_CommentedLine]) -> None:
        """Insert lines after the last of `after`, or before the first line with content."""
        places = [self.pieces.index(piece) + 1 for piece in after]
        at = max(places) if places else next(at for at, piece in enumerate(self.pieces) if piece.word)
        self.pieces[at:at] = new

    def _replace(self, old: _CommentedLine, *new: _CommentedLine) -> None:
        at = next(at for at, piece in enumerate(self.pieces) if piece is old)
        self.pieces[at : at + 1] = new

    def _update_head(self, layout: Layout, before: Layout) -> None:
        head = write_text.format_head(layout)
        there = self._find_lines("layout")
        if head == write_text.format_head(before):
            return
        if there:
            self._replace(there[0], there[0].with_body(head))
        else:
            self._insert([_CommentedLine("layout", head)], [])

    def _update_marks(self, layout: Layout, before: Layout) -> dict[int, str]:
        """Update the lines of slots and sockets. Unused ones pass their sign to new ones, or are removed."""
        first = len(layout.palette)
        old = {_match_sign(_MARK_SIGN, piece): piece for piece in self._find_lines("slot", "socket")}
        signs = _parse_marks(self.pieces, before)
        taken = {
            code: sign
            for code, mark in enumerate(layout.marks, first)
            if (sign := next((sign for sign, one in signs.items() if one == mark), ""))
        }
        idle = [sign for sign, mark in signs.items() if mark in before.marks and mark not in layout.marks]
        for code, mark in enumerate(layout.marks, first):
            heir = next((sign for sign in idle if signs[sign].what == mark.what), None) if code not in taken else None
            if heir is not None:
                idle.remove(heir)
                taken[code] = heir
        # Signs of declared marks that are not drawn count as taken too.
        for number, sign in enumerate(sign for sign in signs if sign not in taken.values() and sign not in idle):
            taken[-1 - number] = sign
        glyphs = write_text.assign_mark_signs(layout, taken)
        last = self._find_lines("layout", "slot", "socket")
        for code, mark in enumerate(layout.marks, first):
            line = write_text.format_mark(layout, mark, glyphs[code])
            if glyphs[code] in old:
                if signs[glyphs[code]] != mark:
                    self._replace(old[glyphs[code]], old[glyphs[code]].with_body(line))
            else:
                piece = _CommentedLine(mark.what, line)
                self._insert([piece], last)
                last = [*last, piece]
        for sign in idle:
            self._replace(old[sign])
        return glyphs

    def _update_partitions(self, layout: Layout, before: Layout) -> list[str]:
        """Update the lines of partitions in painting order, each followed by the lines of its colour and icon."""
        groups: dict[str, list[_CommentedLine]] = {
            _match_sign(_PARTITION_SIGN, piece): [piece] for piece in self._find_lines("scale")
        }
        for piece in self._find_lines("colour", "icon"):
            groups[_match_sign(_PARTITION_SIGN, piece)].append(piece)
        old = list(groups)
        was = dict(_pair_partitions(layout.partitions, before.partitions))
        signs = write_text.assign_partition_signs(layout, {new: old[number] for new, number in was.items()})
        wanted = []
        for number, (sign, partition) in enumerate(zip(signs, layout.partitions, strict=True)):
            like = before.partitions[was[number]] if number in was else None
            kept = like is not None and replace(like, tiles=partition.tiles) == partition
            wanted.append(
                groups[sign] if kept else list(_build_lines(groups[sign] if number in was else [], sign, partition))
            )
        places = [_CommentedLine("scale", "") for _ in groups]
        for place, group in zip(places, groups.values(), strict=True):
            self._replace(group[0], place)
            for piece in group[1:]:
                self._replace(piece)
        for place, group in zip(places, wanted, strict=False):
            self._replace(place, *group)
        for place in places[len(wanted) :]:
            self._replace(place)
        rest = [piece for group in wanted[len(places) :] for piece in group]
        if rest:
            self._insert(rest, self._find_lines("layout", "slot", "socket", "scale", "colour", "icon"))
        return signs

    def _update_drawing(self, rows: list[tuple[str, str]]) -> None:
        """Update the rows of the drawing; rows that remain keep their comments."""
        old = self._find_lines("row")
        margin = min(len(piece.body) - len(piece.body.lstrip(" ")) for piece in old)
        new = [f"{' ' * margin}{tiles}  |  {parts}".rstrip() for tiles, parts in rows]
        if not any("|" in piece.body for piece in old) and not any(parts.strip(" =") for _, parts in rows):
            new = [f"{' ' * margin}{tiles}".rstrip() for tiles, _ in rows]
        if [piece.body for piece in old] == new:
            return
        for piece, line in zip(old, new, strict=False):
            self._replace(piece, piece if piece.body == line else piece.with_body(line))
        for piece in old[len(new) :]:
            self._replace(piece)
        if len(new) > len(old):
            self._insert([_CommentedLine("row", line) for line in new[len(old) :]], self._find_lines("row"))


def _match_sign(pattern: re.Pattern[str], piece: _CommentedLine) -> str:
    found = pattern.match(piece.body)
    return found[1] if found else ""


def _parse_marks(pieces: Sequence[_CommentedLine], before: Layout) -> dict[str, LayoutMark]:
    """The marks by their signs, found by parsing a small drawing of each."""
    found: dict[str, LayoutMark] = {}
    for piece in pieces:
        if piece.word in ("slot", "socket"):
            sign = _match_sign(_MARK_SIGN, piece)
            (mark,) = drawn_text.parse(f"{piece.body}\n\n    {sign}\n", "it", before.palette).marks
            found[sign] = mark
    return found


def _pair_partitions(new: Sequence[Partition], old: Sequence[Partition]) -> Iterator[tuple[int, int]]:
    """Pairs of new and old partitions: first by name, then by the most shared tiles, then by number."""
    left_new, left_old = list(range(len(new))), list(range(len(old)))
    cells = [[{(x, y) for x, y, _ in one.tiles} for one in parts] for parts in (new, old)]

    def candidate_pairs() -> Iterator[tuple[int, int]]:
        for one in left_new[:]:
            yield from ((one, two) for two in left_old[:] if new[one].name and new[one].name == old[two].name)
        ranked = sorted((-len(cells[0][one] & cells[1][two]), one, two) for one in left_new for two in left_old)
        yield from ((one, two) for shared, one, two in ranked if shared)
        yield from ((one, one) for one in left_new[:] if one in left_old)

    for one, two in candidate_pairs():
        if one in left_new and two in left_old:
            left_new.remove(one)
            left_old.remove(two)
            yield one, two


def _build_lines(old: Sequence[_CommentedLine], sign: str, partition: Partition) -> Iterator[_CommentedLine]:
    """The lines of a partition: its scaling, and its colour and icon for editors."""
    line = write_text.format_scale(sign, partition)
    yield old[0].with_body(line) if old else _CommentedLine("scale", line)
    for word, value in write_text.list_looks(partition):
        there = next((piece for piece in old if piece.word == word), None)
        line = write_text.format_look(word, sign, value)
        yield there.with_body(line) if there else _CommentedLine(word, line)
