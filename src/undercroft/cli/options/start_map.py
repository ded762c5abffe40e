"""The map that rules begin with: a file, an empty one of a size, or the one that the rules bring."""

from __future__ import annotations

from undercroft.cli.options import values
from undercroft.cli.options.palettes import resolve_palette
from undercroft.core.level import Level
from undercroft.errors import BadInput, TooBig
from undercroft.rewrite.rules import Rules


def load_rules(what: str, *, lenient: bool, palette: str | None) -> Rules:
    """The rules of a file or folder. Those that name no palette are drawn with the given one."""
    return Rules.load(what, strict=not lenient, palette=resolve_palette(palette) if palette else None)


def resolve_start_map(
    rules: Rules,
    on: str | None,
    read_as: str | None,
    size: str | None,
    max_cells: int | None = None,
    *,
    palette: str | None = None,
    has_max_cells: bool = False,
) -> Level:
    """The map to begin with. A text file is read with the signs of the rules, or of a `palette`. `has_max_cells` means
    that the command has an option that allows larger maps.
    """
    import numpy as np

    from undercroft import formats, limits
    from undercroft.cli.options.input_level import read_input_level
    from undercroft.cli.options.reading import ReadOptions
    from undercroft.cli.stdio import read_level
    from undercroft.core.level import check_level_size
    from undercroft.inputs import files

    if on and size:
        raise BadInput("a map has its own size", fix="give --on or --size, not both")
    if on and palette:
        return read_input_level(on, ReadOptions(read_as, palette))
    if on:
        drawn = (
            on != "-" and (formats.resolve_format(read_as) if read_as else formats.resolve_suffix(on)).name == "text"
        )
        return rules.parse_map(files.read_text(on, limits.TEXT_BYTES), on) if drawn else read_level(on, read_as)
    if size:
        try:
            width, height = check_level_size(values.parse_size(size), max_cells)
        except TooBig as error:
            error.fix = error.fix if has_max_cells else "ask for a smaller size"
            raise
        tiles = resolve_palette(palette) if palette else rules.program.palette
        return Level(np.zeros((height, width), np.uint8), tiles)
    own_map = rules.level()
    if own_map is None:
        raise BadInput("there is no map to apply the rules to", fix="name one with --on MAP, or give --size WxH")
    if palette:
        raise BadInput(
            "these rules bring a map with a palette of its own", fix="leave --palette out, or name a map with --on"
        )
    return own_map
