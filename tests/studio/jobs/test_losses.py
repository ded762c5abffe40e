"""What a file would leave out is told before it is saved, as the command line tells it afterwards."""

from __future__ import annotations

from support.studio_pages import Page, source
from undercroft import formats
from undercroft.cli.options.output_files import OutputTarget, describe_losses
from undercroft.recipe.document import Recipe


def test_losses_are_those_that_the_command_line_tells(page: Page) -> None:
    level = Recipe.load("cozy").generate(seed=4).level
    head, _ = page.answer("losses", **source("cozy", seed="4"))
    written = [row for row in formats.FORMATS.values() if row.dump is not None]
    assert set(head["losses"]) == {row.name for row in written}
    for row in written:
        notes = describe_losses(level, [OutputTarget("it.x", row, {})])
        assert bool(notes) == bool(head["losses"][row.name])
        assert all(word in note for note in notes for word in head["losses"][row.name])
    assert "things" in head["losses"]["text"]


def test_formats_of_room_grids_say_that_they_hold_nothing_else(page: Page) -> None:
    head, _ = page.answer("losses", **source("cozy", seed="4"))
    assert set(head["refused"]) == {"json:rooms", "godot:rooms"}
    grid, _ = page.answer("losses", **source("isaac", params={"expand": False}))
    assert grid["refused"] == {}
