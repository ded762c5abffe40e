"""What generated pages are made of: headings, tables, sessions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def head(title: str, about: str) -> tuple[str, ...]:
    """The beginning of a page."""
    return f"# {title}", "", about, ""


def table(head: tuple[str, ...], rows: Any) -> Iterator[str]:
    """A Markdown table; nothing if it has no rows."""
    cells = [tuple(cell.replace("|", "\\|") for cell in row) for row in rows]
    if cells:
        yield f"| {' | '.join(head)} |"
        yield f"|{'---|' * len(head)}"
        yield from (f"| {' | '.join(row)} |" for row in cells)
        yield ""


def fenced(lines: list[str]) -> Iterator[str]:
    """A description with its sessions in fences."""
    inside = False
    for line in lines:
        if line.startswith(">>> ") and not inside:
            yield "```python"
            inside = True
        elif inside and not line:
            yield "```"
            inside = False
        yield line
    if inside:
        yield "```"
