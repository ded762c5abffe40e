"""Works for tests, and the vectors that Python and the studio's page share."""

from __future__ import annotations

import json
from typing import Any

from support.paths import TESTS
from undercroft.works.level_work import LevelWork, format_work, read_work

VECTORS = TESTS / "cases" / "works" / "links.json"
"""Works with their canonical texts and links. `studio/tests/state/link.test.ts` reads them too."""
FORMAT = "undercroft-work/1"


def load_vectors() -> dict[str, dict[str, Any]]:
    """The vectors by their names."""
    vectors: dict[str, dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))
    return vectors


def work_data(**more: Any) -> dict[str, Any]:
    """The data of a small work."""
    return {"format": FORMAT, "recipe": "cave", "seed": "7", **more}


def work_of(**more: Any) -> LevelWork:
    """A small work."""
    return read_work(format_work(work_data(**more)), "a.work.json")
