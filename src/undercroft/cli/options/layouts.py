"""Layout arguments: resolve layouts by name or path, and parse leniency."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs.files import is_folder, refuse_to_read_address
from undercroft.templates.layouts import layout_files, pool_files
from undercroft.templates.layouts.arguments import Size
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.pool import Pool

ANY_LAYOUT = "any"
"""The name of the pool of all shipped layouts."""


class LayoutChoice(NamedTuple):
    """A layout, or a pool of them."""

    layouts: tuple[Layout, ...]
    pool: Pool | None = None


def resolve_layouts(what: str) -> LayoutChoice:
    """The layout or the pool that an argument names: a file, a folder, or a name."""
    suffix = Path(what).suffix.casefold()
    if what == ANY_LAYOUT:
        return _choose_pool(pool_files.load_shipped())
    if is_folder(what) or suffix == ".toml" or (suffix == ".json" and pool_files.is_layout_list(what)):
        return _choose_pool(Pool.load(what))
    if not suffix and what not in layout_files.list_layouts():
        refuse_to_read_address(what)
        raise unknown_name_error("layout", what[:60], [*layout_files.list_layouts(), ANY_LAYOUT])
    return LayoutChoice((layout_files.parse(*layout_files.load_layout_text(what)),))


def _choose_pool(pool: Pool) -> LayoutChoice:
    return LayoutChoice(tuple(layout for layout, _ in pool.layouts), pool)


def parse_leniency(text: str) -> int | Size:
    """`2` for both sides, or `2,0` for each.

    >>> parse_leniency("2"), parse_leniency("2,0")
    (2, (2, 0))
    """
    match = re.fullmatch(r"\s*(\d{1,6})\s*(?:,\s*(\d{1,6})\s*)?", text)
    if not match:
        raise BadInput(
            f"a leniency is one whole number from 0, or two, not {text[:40]!r}",
            fix="for example --leniency 1, or --leniency 2,0",
        )
    return (int(match[1]), int(match[2])) if match[2] else int(match[1])
