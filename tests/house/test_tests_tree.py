"""The tests stand in the same tree as the source, and beside it only helpers, cases and goldens."""

from __future__ import annotations

from support.paths import ROOT, TESTS

PACKAGE = ROOT / "src" / "undercroft"
BESIDE = {"support", "cases", "golden", "house", "docs", "studio_browser"}
"""Folders of tests that are no part of the source: helpers, data, the house itself, the pages, and the studio in a
browser.
"""
OWN = {"studio/page", "formats/godot/godot_checks"}
"""Files that tests hand to a browser, and to Godot."""


def test_at_the_root_there_are_only_folders_the_configuration_and_the_runner() -> None:
    files = {path.name for path in TESTS.iterdir() if path.is_file()}
    assert files == {"conftest.py", "run.sh"}


def test_folders_of_tests_are_folders_of_the_source() -> None:
    there = {
        path.relative_to(TESTS).as_posix()
        for path in TESTS.rglob("*")
        if path.is_dir() and "__pycache__" not in path.parts and path.relative_to(TESTS).parts[0] not in BESIDE
    }
    assert len(there) > 40
    assert sorted(folder for folder in there - OWN if not (PACKAGE / folder).is_dir()) == []
