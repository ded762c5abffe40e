"""Author: what was written or drawn is not lost, whatever is opened, undone or answered late."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from studio_browser.views import await_count, await_value, kept_rules, kept_values
from undercroft.studio.protocol.project import digest_content
from undercroft.templates.layouts import drawn_text

HUT = """\
scale   w = walls, right by 1, down by 1
scale   f = floor, right by 1, down by 1

    #####  |  wwwww
    #...#  |  wfffw
    #...#  |  wfffw
    #####  |  wwwww
"""
RULES = """\
one  dig, up to 9 times
    .# -> ..

one  begin, once
    # -> .
"""


@contextmanager
def halted(server: Any) -> Iterator[None]:
    """The server hears nothing meanwhile: what is asked of it is answered afterwards."""
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.process.pid, signal.SIGCONT)


def layout_open(page: Any, server: Any, mode: str = "text", text: str = HUT) -> None:
    """hut.layout, open in Author, in a project that has shed.layout too."""
    for name in ("hut", "shed"):
        (server.project / f"{name}.layout").write_text(HUT if name == "shed" else text)
    disk = {"text": text, "seen": digest_content(text)}
    layout = {"file": "hut.layout", "text": text, "saved": disk, "mode": mode}
    server.keep(**{"view": "author", "author tab": "layouts", "open layout": layout})
    page.goto(server.address)
    page.locator(".lay-head", has_text="hut").wait_for()


def type_above(page: Any, words: str) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type(words + "\n")


def choose(page: Any, name: str) -> None:
    page.get_by_role("button", name="open another layout").click()
    page.locator(".lay-files button", has_text=f"{name}.layout").click()


@pytest.fixture
def loud(new_page: Callable[..., Any]) -> Any:
    """A page that may complain: its server goes away."""
    return new_page(noisy=True)


def test_what_was_not_saved_at_the_last_visit_is_there_when_another_file_is_opened_first(
    page: Any, studio: Any
) -> None:
    layout_open(page, studio)
    type_above(page, "; not saved yet")
    page.locator(".lay-save").wait_for()
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Make").click()
    page.get_by_role("button", name="Open a recipe").first.wait_for()
    page.reload()
    page.get_by_role("button", name="Open a recipe").first.click()
    page.get_by_role("dialog").get_by_text("shed.layout").click()
    page.locator(".lay-head", has_text="shed").wait_for()
    choose(page, "hut")
    page.locator(".lay-head", has_text="hut").wait_for()
    page.locator(".cm-line", has_text="; not saved yet").wait_for()


def test_a_draft_is_kept_while_nobody_can_open_it(loud: Any, start: Callable[..., Any], tmp_path: Path) -> None:
    page = loud
    with start(tmp_path) as server:
        layout_open(page, server)
        type_above(page, "; a draft")
        page.locator(".lay-save").wait_for()
        choose(page, "shed")
        page.locator(".lay-head", has_text="shed").wait_for()
        page.get_by_role("button", name="open another layout").click()
        server.stop()
        page.get_by_text("The studio has stopped").wait_for()
        page.locator(".lay-files button", has_text="hut.layout").click()
        page.get_by_text("The studio does not answer").wait_for()
        assert "; a draft" in (tmp_path / ".undercroft" / "drafts.json").read_text()


def test_text_that_cannot_be_read_comes_back_after_something_is_drawn(page: Any, studio: Any) -> None:
    layout_open(page, studio)
    type_above(page, "a line that means nothing")
    page.locator(".lens").wait_for()
    page.get_by_role("switch", name="Lock ratio").click()
    page.get_by_text("Undo brings yours back").wait_for()
    page.locator(".cm-line", has_text="means nothing").wait_for(state="detached")
    drawn = page.locator(".cm-content").inner_text()
    page.locator(".lay-side").click(position={"x": 5, "y": 5})
    page.keyboard.press("Control+z")
    page.locator(".cm-line", has_text="a line that means nothing").wait_for()
    page.locator(".lens").wait_for()
    page.keyboard.press("Control+z")
    page.locator(".lens").wait_for(state="detached")
    assert kept_values(page)["open layout"]["text"] == HUT, "as it was before it was typed"
    page.keyboard.press("Control+y")
    page.locator(".cm-line", has_text="a line that means nothing").wait_for()
    page.keyboard.press("Control+y")
    page.locator(".cm-line", has_text="means nothing").wait_for(state="detached")
    assert page.locator(".cm-content").inner_text() == drawn


def test_a_broken_file_is_not_written_over_by_saving_it(page: Any, studio: Any) -> None:
    broken = HUT + "what is this\n"
    layout_open(page, studio, text=broken)
    page.locator(".lens").wait_for()
    await_count(page.locator(".lay-saved"), 1)  # nobody touched it
    type_above(page, "; first")
    page.locator(".lay-save").wait_for()
    page.keyboard.press("Control+s")
    page.locator(".lay-saved").wait_for()
    assert (studio.project / "hut.layout").read_text() == "; first\n" + broken


def test_what_is_drawn_while_the_server_is_away_outlives_the_page(
    loud: Any, start: Callable[..., Any], tmp_path: Path
) -> None:
    page = loud
    with start(tmp_path) as first:
        layout_open(page, first, mode="draw")
        page.locator(".lay-size canvas").first.wait_for()
        first.stop()
    page.get_by_text("The studio has stopped").wait_for()
    page.get_by_role("button", name="Width of the drawing: more").click()
    await_value(page.locator("input[aria-label='Width of the drawing']"), "6")
    assert kept_values(page)["open layout"]["text"] == HUT, "nobody could write it"
    page.goto("about:blank")
    with start(tmp_path, "--port", str(first.port)) as again:
        page.goto(again.address)
        page.locator(".lay-head", has_text="hut").wait_for()
        page.wait_for_function(
            "() => document.querySelector('input[aria-label=\"Width of the drawing\"]')?.value === '6'"
        )
        page.locator(".lay-save").wait_for()
        page.keyboard.press("Control+s")
        page.locator(".lay-saved").wait_for()
        assert drawn_text.parse((tmp_path / "hut.layout").read_text(), "hut.layout").smallest == (6, 4)
        page.goto("about:blank")


def test_what_is_typed_after_drawing_is_newer(page: Any, studio: Any) -> None:
    layout_open(page, studio)
    with halted(studio):
        page.get_by_role("switch", name="Lock ratio").click()
        type_above(page, "; typed later")
    page.locator(".lay-save").wait_for()
    page.keyboard.press("Control+s")
    page.locator(".lay-saved").wait_for()
    assert (studio.project / "hut.layout").read_text() == "; typed later\n" + HUT


@pytest.fixture
def rules(page: Any, studio: Any) -> Any:
    """A rule file, open in Author."""
    (studio.project / "dig.rules").write_text(RULES)
    studio.keep(**{"view": "author", "author run until": "end"})
    page.goto(studio.address)
    page.locator(".ar-outcome", has_text="fired").wait_for()
    return page


def rules_text(page: Any) -> str:
    return kept_rules(page)


def test_an_expectation_that_comes_late_is_not_put_over_newer_text(rules: Any, studio: Any) -> None:
    page = rules
    with halted(studio):
        page.keyboard.press("x")
        name = page.get_by_label("Name of the rule")
        name.fill("burrow")
        name.press("Enter")
        assert "one  burrow" in rules_text(page)
    page.get_by_text("The text changed meanwhile").wait_for()
    assert rules_text(page) == RULES.replace("dig", "burrow")
    page.keyboard.press("x")
    page.locator(".ar-expect").first.wait_for()
    assert "expect  burrow" in rules_text(page)
