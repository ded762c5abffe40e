"""The text of a layout."""

from __future__ import annotations

from undercroft.templates import growth
from undercroft.templates.layout import BASE, OVERLAY, Layout
from undercroft.templates.layout_text import FLIPS, ON_TOP, SIGNS, STAYS
from undercroft.templates.patch import Patch


def write(layout: Layout) -> str:
    """The text of a layout: `parse` gives the same layout again."""
    signs = _sign_partitions(layout)
    parts = dict(zip((*range(len(layout.partitions)), BASE, OVERLAY), (*signs, STAYS, ON_TOP), strict=True))
    glyphs = _sign_marks(layout)
    left, top = (min(patch.x for patch in _drawn_parts(layout)), min(patch.y for patch in _drawn_parts(layout)))
    cells = {(x, y): (code, number) for number in parts for x, y, code in layout.part(number)}
    head = [_named(layout.name)] if layout.name else []
    head += [f"tagged {' '.join(map(_word, layout.tags))}"] if layout.tags else []
    head += [f"at {left} {top}"] if left or top else []
    head += [phrase for phrase, allowed in zip(FLIPS, (layout.flip_x, layout.flip_y), strict=True) if allowed]
    rows = [f"layout  {', '.join(head)}".rstrip()]
    for code, mark in enumerate(layout.marks, len(layout.palette)):
        about = f", on {layout.palette.tiles[mark.tile].name}" if mark.what == "slot" else f", {layout.palette.roles[mark.tile]}"
        usual = mark.tile == layout.palette.role("floor" if mark.what == "slot" else "door")
        rows.append(f"{mark.what:6}  {mark.kind} = {glyphs[code]}{'' if usual else about}")
    for sign, partition in zip(signs, layout.partitions, strict=True):
        rows.append(f"scale   {sign} = {', '.join([growth.quoted(partition.name), *growth.told(partition)])}")
        rows += [f"{word:6}  {sign} = {growth.quoted(value)}" for word, value in (("colour", partition.colour), ("icon", partition.icon)) if value]
    width, height = max(x for x, _ in cells) - left + 1, max(y for _, y in cells) - top + 1
    rows.append("")
    for y in range(top, top + height):
        row = [cells.get((x, y)) for x in range(left, left + width)]
        tiles = "".join(" " if cell is None else glyphs[cell[0]] for cell in row)
        rows.append(f"    {tiles}  |  {''.join(' ' if cell is None else parts[cell[1]] for cell in row)}".rstrip())
    return "\n".join(rows) + "\n"


def _named(name: str) -> str:
    """A name as it is written: in quotes too if it would be taken for something else."""
    return growth.in_quotes(name) if name.startswith(("tagged ", "at ", "flips ")) else growth.quoted(name)


def _word(tag: str) -> str:
    return growth.quoted(tag) if " " not in tag and tag.isprintable() else growth.in_quotes(tag)


def _drawn_parts(layout: Layout) -> list[Patch]:
    return [patch for patch in (layout.base, layout.overlay, *(partition.tiles for partition in layout.partitions)) if len(patch)]


def _sign_partitions(layout: Layout) -> list[str]:
    """A sign for each partition: a letter of its name if one is left."""
    signs: list[str] = []
    for partition in layout.partitions:
        letters = [sign for sign in partition.name.casefold() if sign in SIGNS]
        signs.append(next(sign for sign in (*letters, *SIGNS) if sign not in signs))
    return signs


def _sign_marks(layout: Layout) -> dict[int, str]:
    """A sign for each code: the palette's own, and for a mark a letter of its name that is free."""
    glyphs = {code: tile.glyph if tile.glyph != " " else tile.aliases[:1] or " " for code, tile in enumerate(layout.palette.tiles)}
    for code, mark in enumerate(layout.marks, len(layout.palette)):
        wanted = (*mark.kind, *SIGNS)
        glyphs[code] = next(sign for sign in wanted if sign.isalnum() and sign not in layout.palette and sign not in glyphs.values())
    return glyphs
