"""Write a layout as drawn text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from undercroft.templates.layouts import growth
from undercroft.templates.layouts.drawn_text import BASE_SIGN, FLIP_PHRASES, OVERLAY_SIGN, PARTITION_SIGNS
from undercroft.templates.layouts.layout import BASE, OVERLAY, Layout
from undercroft.templates.layouts.marks import LayoutMark
from undercroft.templates.layouts.partition import Partition
from undercroft.templates.layouts.tile_array import Patch


def format_layout(layout: Layout) -> str:
    """The text of a layout; `parse` reads back the same layout."""
    signs, glyphs = assign_partition_signs(layout), assign_mark_signs(layout)
    rows = [format_head(layout)]
    rows += [format_mark(layout, mark, glyphs[code]) for code, mark in enumerate(layout.marks, len(layout.palette))]
    for sign, partition in zip(signs, layout.partitions, strict=True):
        rows.append(format_scale(sign, partition))
        rows += [format_look(word, sign, value) for word, value in list_looks(partition)]
    rows.append("")
    rows += [f"    {tiles}  |  {parts}".rstrip() for tiles, parts in format_rows(layout, signs, glyphs)]
    return "\n".join(rows) + "\n"


def format_head(layout: Layout) -> str:
    """The line about the layout as a whole."""
    left, top = find_corner(layout)
    said = [_format_name(layout.name)] if layout.name else []
    said += [f"tagged {' '.join(map(_format_tag, layout.tags))}"] if layout.tags else []
    said += [f"at {left} {top}"] if left or top else []
    said += [phrase for phrase, allowed in zip(FLIP_PHRASES, (layout.flip_x, layout.flip_y), strict=True) if allowed]
    return f"layout  {', '.join(said)}".rstrip()


def format_mark(layout: Layout, mark: LayoutMark, sign: str) -> str:
    """The line about a slot or a socket."""
    about = (
        f", on {layout.palette.tiles[mark.tile].name}"
        if mark.what == "slot"
        else f", {layout.palette.roles[mark.tile]}"
    )
    usual = mark.tile == layout.palette.role("floor" if mark.what == "slot" else "door")
    return f"{mark.what:6}  {mark.kind} = {sign}{'' if usual else about}"


def format_scale(sign: str, partition: Partition) -> str:
    """The line about how a partition scales."""
    return f"scale   {sign} = {', '.join([growth.quote_if_needed(partition.name), *growth.format_phrases(partition)])}"


def list_looks(partition: Partition) -> list[tuple[str, str]]:
    """The colour and icon of a partition, if given."""
    return [(word, value) for word, value in (("colour", partition.colour), ("icon", partition.icon)) if value]


def format_look(word: str, sign: str, value: str) -> str:
    """The line about the colour or the icon of a partition."""
    return f"{word:6}  {sign} = {growth.quote_if_needed(value)}"


def format_rows(layout: Layout, signs: Sequence[str], glyphs: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    """The rows of the drawing: tiles, and their partitions."""
    parts = dict(zip((*range(len(layout.partitions)), BASE, OVERLAY), (*signs, BASE_SIGN, OVERLAY_SIGN), strict=True))
    cells = {(x, y): (code, number) for number in parts for x, y, code in layout.part(number)}
    left, top = find_corner(layout)
    width, height = max(x for x, _ in cells) - left + 1, max(y for _, y in cells) - top + 1
    for y in range(top, top + height):
        row = [cells.get((x, y)) for x in range(left, left + width)]
        yield (
            "".join(" " if cell is None else glyphs[cell[0]] for cell in row),
            "".join(" " if cell is None else parts[cell[1]] for cell in row),
        )


def find_corner(layout: Layout) -> tuple[int, int]:
    """The least x and y of all tiles."""
    patches: list[Patch] = [
        patch
        for patch in (layout.base, layout.overlay, *(partition.tiles for partition in layout.partitions))
        if len(patch)
    ]
    return min(patch.x for patch in patches), min(patch.y for patch in patches)


def assign_partition_signs(layout: Layout, taken: Mapping[int, str] | None = None) -> list[str]:
    """A sign for each partition: the one in `taken` for its number, else preferably a free letter of its name."""
    signs = dict(taken or {})
    for number, partition in enumerate(layout.partitions):
        letters = [sign for sign in partition.name.casefold() if sign in PARTITION_SIGNS]
        signs.setdefault(number, next(sign for sign in (*letters, *PARTITION_SIGNS) if sign not in signs.values()))
    return [signs[number] for number in range(len(layout.partitions))]


def assign_mark_signs(layout: Layout, taken: Mapping[int, str] | None = None) -> dict[int, str]:
    """A sign for each code: the palette's own, and for a mark the one in `taken`, else a free letter of its name."""
    glyphs = {
        code: tile.glyph if tile.glyph != " " else tile.aliases[:1] or " "
        for code, tile in enumerate(layout.palette.tiles)
    } | dict(taken or {})
    for code, mark in enumerate(layout.marks, len(layout.palette)):
        if code not in glyphs:
            wanted = (*mark.kind, *PARTITION_SIGNS)
            glyphs[code] = next(
                sign for sign in wanted if sign.isalnum() and sign not in layout.palette and sign not in glyphs.values()
            )
    return glyphs


def _format_name(name: str) -> str:
    """A name for the text, in quotes if it could be read as something else."""
    return growth.quote(name) if name.startswith(("tagged ", "at ", "flips ")) else growth.quote_if_needed(name)


def _format_tag(tag: str) -> str:
    return growth.quote_if_needed(tag) if " " not in tag and tag.isprintable() else growth.quote(tag)
