"""The guide to the studio: its keys are those of the page, its pictures are there and small."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any

from support.paths import ROOT

DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))
studio_keys: Any = importlib.import_module("making.studio_keys")
studio_pictures: Any = importlib.import_module("making.studio_pictures")
GUIDE = (DOCS / "studio.md").read_text(encoding="utf-8")


def test_the_keys_are_those_of_the_page() -> None:
    assert studio_keys.page(GUIDE) == GUIDE, "run python docs/making/studio_keys.py"
    assert len(studio_keys.keys()) > 30
    assert "| everywhere | `Space` | Shuffle seed |" in GUIDE


def test_every_picture_is_there_used_and_small() -> None:
    names = {f"studio-{scene.name}.webp" for scene in studio_pictures.SCENES}
    assert {path.name for path in (DOCS / "pictures").glob("studio-*")} == names
    assert set(re.findall(r"pictures/(studio-[\w-]+\.webp)", GUIDE)) == names
    for name in names:
        assert (DOCS / "pictures" / name).stat().st_size <= studio_pictures.LARGEST, name
    assert {scene.theme for scene in studio_pictures.SCENES} == {"dark", "light"}
