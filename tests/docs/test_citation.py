"""CITATION.cff agrees with the package, and the paragraph to paste with the program."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import undercroft as uc
from support.paths import ROOT
from undercroft.analysis.measures.table import MEASURES

REQUIRED = {"cff-version", "message", "title", "authors"}
"""The keys that version 1.2.0 of the Citation File Format needs."""
KNOWN = REQUIRED | {"abstract", "type", "version", "license", "keywords"}


def parse_citation() -> dict[str, Any]:
    """The file: texts, and lists of texts or of `name: text`. It needs no more of YAML."""
    found: dict[str, Any] = {}
    key = ""
    for line in (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines():
        if line.startswith("  - "):
            found[key].append(line.removeprefix("  - ").strip())
            continue
        match = re.fullmatch(r'([a-z-]+):(?: (?:"([^"]*)"|([\w. -]+)))?', line)
        assert match, line
        key = match[1]
        assert key not in found
        found[key] = match[2] or match[3] or []
    return found


def test_the_citation_agrees_with_the_package() -> None:
    citation = parse_citation()
    assert citation.keys() >= REQUIRED
    assert citation.keys() <= KNOWN
    assert (citation["cff-version"], citation["type"], citation["version"]) == ("1.2.0", "software", uc.__version__)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["title"].casefold() == project["name"]
    assert citation["license"] == project["license"]
    assert citation["keywords"] == project["keywords"]
    assert citation["abstract"] == f"{project['description']}."
    assert citation["authors"] == [f'name: "{author["name"]}"' for author in project["authors"]]


def test_the_paragraph_to_paste_is_true() -> None:
    page = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
    paragraph = " ".join(line.removeprefix("> ") for line in page.splitlines() if line.startswith("> "))
    assert f"Undercroft {uc.__version__}, from the recipe `cave`" in paragraph
    editions = ", ".join(f"{step} {edition}" for step, edition in uc.Recipe.load("cave").editions.items())
    assert f"(editions: {editions})" in paragraph
    for name in ("loops", "density"):
        assert f"`{name}` (edition {MEASURES[name].edition})" in paragraph
