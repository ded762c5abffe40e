"""Brings the documentation up to date: the outputs in its pages, the reference pages, the pictures.

python docs/make.py             write all of it anew
python docs/make.py --check     write nothing; say what is out of date, and exit with 1 if something is
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from making import blocks, gallery, pictures, reference

ROOT = Path(__file__).resolve().parents[1]
PAGES = tuple(
    ROOT / name
    for name in (
        *(
            "README.md",
            "examples/README.md",
            "docs/tutorial.md",
            "docs/recipes.md",
            "docs/explaining-rules.md",
            "docs/linting.md",
            "docs/formats.md",
        ),
        *(
            "docs/how-it-works.md",
            "docs/developing.md",
            "docs/prefabs.md",
            "docs/searching.md",
            "docs/measures.md",
            "docs/research.md",
            "docs/profiling.md",
        ),
        *(
            "docs/layouts.md",
            "docs/autotile.md",
            "docs/tileset.md",
            "docs/things.md",
            "docs/expressive-range.md",
            "docs/locks.md",
            "docs/dungeons.md",
            "docs/flows.md",
            "docs/tiled.md",
        ),
        *("docs/tabletops.md", "docs/batch.md", "docs/cluster.md", "docs/scaling.md"),
        *("docs/gallery/README.md", "docs/3d.md", "docs/imports.md", "docs/animation.md"),
        *("docs/ldtk.md", "docs/godot.md", "docs/printing.md", "docs/extending.md"),
        *(f"docs/methods/{page.name}" for page in sorted((ROOT / "docs" / "methods").glob("*.md"))),
    )
)
"""The pages whose blocks are run."""


def stale_pages() -> dict[Path, str]:
    """The pages whose outputs are not what the program says today, and how they should be."""
    found: dict[Path, str] = {}
    wrong: list[str] = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        try:
            told = blocks.played(page)
        except ValueError as error:
            wrong.append(f"{page.relative_to(ROOT)}, {error}")
            continue
        if not all(block.right for block in told):
            found[page] = blocks.rewritten(text, told)
    if wrong:
        sys.exit("\n\n".join(wrong))
    return found


def stale_reference() -> dict[Path, str]:
    """The reference pages that differ from the tables, and how they should be."""
    folder = ROOT / "docs" / "reference"
    wanted = {folder / name: text for name, text in reference.pages().items()}
    return {
        page: text for page, text in wanted.items() if not page.exists() or page.read_text(encoding="utf-8") != text
    }


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Brings the documentation up to date.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if something is out of date")
    check = parser.parse_args().check
    stale = stale_reference() | stale_pages()
    for page, text in stale.items():
        sys.stdout.write(f"{page.relative_to(ROOT)}{' is out of date: run make docs' if check else ''}\n")
        if not check:
            page.parent.mkdir(exist_ok=True)
            page.write_text(text, encoding="utf-8")
    if check:
        return 1 if stale else 0
    for path in (*pictures.draw(), *gallery.draw()):
        sys.stdout.write(f"{path.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
