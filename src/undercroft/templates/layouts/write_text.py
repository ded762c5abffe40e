"""The text of a layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from undercroft.templates.layouts import growth
from undercroft.templates.layouts.drawn_text import FLIPS, ON_TOP, SIGNS, STAYS
from undercroft.templates.layouts.layout import BASE, OVERLAY, Layout, Partition
from undercroft.templates.layouts.marks import Mark
from undercroft.templates.layouts.tile_array import Patch


def write(layout: Layout) -> str:
    """The text of a layout: `parse` gives the same layout again."""
    signs, glyphs = sign_partitions(layout), sign_marks(layout)
    rows = [head(layout)]
    rows += [mark_line(layout, mark, glyphs[code]) for code, mark in enumerate(layout.marks, len(layout.palette))]
    for sign, partition in zip(signs, layout.partitions, strict=True):
        rows.append(scale_line(sign, partition))
        rows += [look_line(word, sign, value) for word, value in looks(partition)]
    rows.append("")
    rows += [f"    {tiles}  |  {parts}".rstrip() for tiles, parts in drawn(layout, signs, glyphs)]
    return "\n".join(rows) + "\n"


def head(layout: Layout) -> str:
    """The line about the layout as a whole."""
    left, top = corner(layout)
    said = [_named(layout.name)] if layout.name else []
    said += [f"tagged {' '.join(map(_word, layout.tags))}"] if layout.tags else []
    said += [f"at {left} {top}"] if left or top else []
    said += [phrase for phrase, allowed in zip(FLIPS, (layout.flip_x, layout.flip_y), strict=True) if allowed]
    return f"layout  {', '.join(said)}".rstrip()


def mark_line(layout: Layout, mark: Mark, sign: str) -> str:
    """The line about a slot or a socket."""
    about = (
        f", on {layout.palette.tiles[mark.tile].name}"
        if mark.what == "slot"
        else f", {layout.palette.roles[mark.tile]}"
    )
    usual = mark.tile == layout.palette.role("floor" if mark.what == "slot" else "door")
    return f"{mark.what:6}  {mark.kind} = {sign}{'' if usual else about}"


def scale_line(sign: str, partition: Partition) -> str:
    """The line about how a partition scales."""
    return f"scale   {sign} = {', '.join([growth.quoted(partition.name), *growth.told(partition)])}"


def looks(partition: Partition) -> list[tuple[str, str]]:
    """How an editor shows a partition, as far as it says so."""
    return [(word, value) for word, value in (("colour", partition.colour), ("icon", partition.icon)) if value]


def look_line(word: str, sign: str, value: str) -> str:
    """The line about the colour or the icon of a partition."""
    return f"{word:6}  {sign} = {growth.quoted(value)}"


def drawn(layout: Layout, signs: Sequence[str], glyphs: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    """The rows of the drawing: tiles, and the partition of each."""
    parts = dict(zip((*range(len(layout.partitions)), BASE, OVERLAY), (*signs, STAYS, ON_TOP), strict=True))
    cells = {(x, y): (code, number) for number in parts for x, y, code in layout.part(number)}
    left, top = corner(layout)
    width, height = max(x for x, _ in cells) - left + 1, max(y for _, y in cells) - top + 1
    for y in range(top, top + height):
        row = [cells.get((x, y)) for x in range(left, left + width)]
        yield (
            "".join(" " if cell is None else glyphs[cell[0]] for cell in row),
            "".join(" " if cell is None else parts[cell[1]] for cell in row),
        )


def corner(layout: Layout) -> tuple[int, int]:
    """The least x and y that a tile has."""
    patches: list[Patch] = [
        patch
        for patch in (layout.base, layout.overlay, *(partition.tiles for partition in layout.partitions))
        if len(patch)
    ]
    return min(patch.x for patch in patches), min(patch.y for patch in patches)


def sign_partitions(layout: Layout, taken: Mapping[int, str] | None = None) -> list[str]:
    """A sign for each partition: the one that is `taken` for its number, else a letter of its name if one is left."""
    signs = dict(taken or {})
    for number, partition in enumerate(layout.partitions):
        letters = [sign for sign in partition.name.casefold() if sign in SIGNS]
        signs.setdefault(number, next(sign for sign in (*letters, *SIGNS) if sign not in signs.values()))
    return [signs[number] for number in range(len(layout.partitions))]


def sign_marks(layout: Layout, taken: Mapping[int, str] | None = None) -> dict[int, str]:
    """A sign for each code: the palette's own, and for a mark the one that is `taken`, else a letter of its name that
    is free.
    """
    glyphs = {
        code: tile.glyph if tile.glyph != " " else tile.aliases[:1] or " "
        for code, tile in enumerate(layout.palette.tiles)
    } | dict(taken or {})
    for code, mark in enumerate(layout.marks, len(layout.palette)):
        if code not in glyphs:
            wanted = (*mark.kind, *SIGNS)
            glyphs[code] = next(
                sign for sign in wanted if sign.isalnum() and sign not in layout.palette and sign not in glyphs.values()
            )
    return glyphs


def _named(name: str) -> str:
    """A name as it is written: in quotes too if it would be taken for something else."""
    return growth.in_quotes(name) if name.startswith(("tagged ", "at ", "flips ")) else growth.quoted(name)


def _word(tag: str) -> str:
    return growth.quoted(tag) if " " not in tag and tag.isprintable() else growth.in_quotes(tag)
