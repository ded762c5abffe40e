"""Works: saved with all of it, opened as they were left; links, pasted into another studio; sliders that come back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from studio_browser.views import await_value, copied_link, kept_values, kept_work, opened, until
from undercroft import formats
from undercroft.cli import run
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.protocol.project import Project
from undercroft.studio.protocol.requests import LevelSource, read_request
from undercroft.works.level_work import format_work, read_work
from undercroft.works.link import unpack_link

HALL = """about = "A hall"
size = [44, 28]

[param.share]
default = 0.3
range = [0.1, 0.6]
about = "how much is rock"

[[step]]
use = "noise"
wall = "$share"
[[step]]
use = "automaton"
[[step]]
use = "join"
"""


def describe_level(page: Any) -> tuple[str, str, str]:
    """What the page shows of the level: its title, and two of its measures."""
    return page.locator(".stage-title").inner_text().partition(", made in")[0], *(
        page.locator(".measure", has_text=name).first.inner_text() for name in ("path length", "density")
    )


def change_all(page: Any) -> None:
    """Keep a room, shuffle, turn a slider, paint."""
    page.get_by_label("fill prob", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.locator(".map-canvas").click()
    page.keyboard.press("l")
    page.get_by_role("radio", name="cells", exact=True).click()
    page.locator(".map-canvas").click(position={"x": 400, "y": 300})
    until(page, lambda: bool(kept_work(page).get("keep")))
    page.keyboard.press("Space")
    page.locator(".stage-title", has_text=re.compile(r"seed (?!5,)")).wait_for()
    page.keyboard.press("b")
    page.locator(".map-canvas").click(position={"x": 420, "y": 320})
    page.keyboard.press("h")


def save_all(page: Any, path: str) -> None:
    """Save the work under a name."""
    page.keyboard.press("Control+Shift+s")
    page.get_by_role("radio", name="Everything").click()
    page.get_by_label("File in the project folder").fill(path)
    page.locator(".dialog-foot").get_by_role("button", name="Save", exact=True).click()
    page.get_by_text(f"Saved {path}.work.json").wait_for()


def open_file(page: Any, name: str) -> None:
    """Open a file of the project by its dialog."""
    page.get_by_role("button", name="Open a recipe of the project").click()
    page.locator(".open-list button", has_text=name).click()
    page.locator(".open-dialog").wait_for(state="detached")


def make_by_command(*arguments: str) -> uc.Level:
    """The level that the command line makes."""
    assert run(["generate", *arguments, "-o", "again.json", "--quiet"]) == 0
    return uc.load("again.json")


def test_a_work_is_opened_as_it_was_left(page: Any, studio: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(studio.project)
    opened(page, studio, "recipe=cave&seed=5&size=50x30&style=ink")
    change_all(page)
    until(page, lambda: bool(kept_work(page).get("edits")))
    save_all(page, "deep/mine")
    path = studio.project / "deep" / "mine.work.json"
    # floors are not known to the page: they stay
    data = {**read_work(path.read_text(), "a").data, "floors": [1, {"b": 2}]}
    path.write_text(format_work(data))
    before = kept_work(page)
    level = make_by_command("--from", "deep/mine.work.json")
    source = {key: before[key] for key in ("seed", "size", "until", "tries", "keep", "edits")}
    source |= {"recipe": {"name": "cave"}, "params": data["params"]}
    made = LevelSources(Project(studio.project)).make_cached(read_request(source, LevelSource), lambda: False).level
    assert formats.dump(made, "json") == formats.dump(level, "json")

    opened(page, studio, "recipe=maze&seed=9&style=plain")
    page.keyboard.press("Space")
    page.locator(".stage-title", has_text="maze").wait_for()
    open_file(page, "deep/mine.work.json")
    page.locator(".stage-title", has_text="cave").wait_for()
    after = kept_work(page)
    for key in ("base", "file", "text", "values", "seed", "size", "until", "tries", "edits"):
        assert after[key] == before[key], key
    assert after["keep"]["cells"] == before["keep"]["cells"]
    assert after["more"]["floors"] == [1, {"b": 2}]
    assert kept_values(page)["style"] == "ink"
    assert make_by_command("--link", copied_link(page)) == level
    save_all(page, "deep/again")
    again = (studio.project / "deep" / "again.work.json").read_text()
    assert again == format_work(data)
    # and it can be turned again
    page.locator(".map-canvas").click()
    page.keyboard.press("Space")
    until(page, lambda: kept_work(page)["seed"] != before["seed"])
    assert kept_work(page)["keep"] == after["keep"]


def test_a_work_is_written_back_and_renamed(page: Any, studio: Any) -> None:
    opened(page, studio, "recipe=cave&seed=5&size=50x30")
    save_all(page, "back")
    file = studio.project / "back.work.json"
    page.locator(".map-canvas").click()
    page.keyboard.press("Space")
    page.locator(".stage-title", has_text=re.compile(r"seed (?!5,)")).wait_for()
    page.keyboard.press("Control+s")
    seed = kept_work(page)["seed"]
    until(page, lambda: read_work(file.read_text(), "a").seed, seed)
    assert page.locator("dialog[open]").count() == 0
    # another program writes it too: it is not overwritten unasked
    theirs = file.read_text().replace(f'"{seed}"', '"99"')
    file.write_text(theirs)
    page.locator(".map-canvas").click()
    page.keyboard.press("Space")
    page.locator(".stage-title", has_text=re.compile(rf"seed (?!{seed},)")).wait_for()
    page.keyboard.press("Control+s")
    page.get_by_text("back.work.json was changed elsewhere since it was opened").wait_for()
    assert file.read_text() == theirs
    page.get_by_role("button", name="Save over it").click()
    page.locator(".save-dialog").wait_for(state="detached")
    seed = kept_work(page)["seed"]
    assert read_work(file.read_text(), "a").seed == seed != "99"
    # a new name keeps both parts of the suffix, and Ctrl S follows it
    page.get_by_role("button", name="Open a recipe of the project").click()
    page.get_by_role("button", name="Rename back.work.json").click()
    page.get_by_label("New name of back.work.json").fill("forth")
    page.keyboard.press("Enter")
    page.locator(".open-list button", has_text="forth.work.json").wait_for()
    page.keyboard.press("Escape")
    until(page, lambda: kept_work(page)["document"], "forth.work.json")
    page.locator(".map-canvas").click()
    page.keyboard.press("Space")
    until(page, lambda: kept_work(page)["seed"] != seed)
    page.keyboard.press("Control+s")
    until(page, lambda: read_work((studio.project / "forth.work.json").read_text(), "a").seed, kept_work(page)["seed"])
    assert not file.exists()


def test_a_link_of_one_studio_is_pasted_into_another(
    new_page: Callable[..., Any], studio: Any, start: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (studio.project / "hall.toml").write_text(HALL)
    one = new_page()
    opened(one, studio, "path=hall.toml&seed=5")
    one.get_by_label("share", exact=True).focus()
    one.keyboard.press("End")
    one.locator(".map-canvas").click()
    until(one, lambda: "0.6" in kept_work(one)["text"])
    link = copied_link(one)
    held = link + unpack_link(link)
    assert not any(part in held for part in (studio.host, studio.token, "127.0.0.1", str(studio.project)))
    monkeypatch.chdir(tmp_path)
    level = make_by_command("--link", link)
    assert level.size == (44, 28)
    folder = tmp_path / "other"
    folder.mkdir()
    with start(folder) as other:
        two = new_page()
        opened(two, other, "recipe=maze&seed=1")
        two.evaluate(
            """(link) => {
                const data = new DataTransfer()
                data.setData("text", link)
                document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }))
            }""",
            f"  {link[:40]}\n{link[40:]} ",
        )
        two.locator(".stage-title", has_text="hall").wait_for()
        after = kept_work(two)
        before = kept_work(one)
        for key in ("base", "text", "values", "seed", "size", "until", "tries"):
            assert after[key] == before[key], key
        until(two, lambda: describe_level(two), describe_level(one))
        # the same by the palette, and what is not whole is said so
        two.keyboard.press("Control+p")
        two.get_by_label("Find a command").fill(link[:-9])
        two.keyboard.press("Enter")
        two.get_by_text("the link is cut off or damaged").wait_for()


def test_sliders_come_back_with_their_recipe(page: Any, studio: Any) -> None:
    opened(page, studio, "recipe=cave&seed=5&size=50x30")
    page.get_by_label("fill prob", exact=True).focus()
    page.keyboard.press("ArrowRight")
    value = page.get_by_label("fill prob", exact=True).input_value()
    page.locator(".map-canvas").click()
    for name in ("Open maze", "Open cave"):
        page.keyboard.press("Control+p")
        page.get_by_label("Find a command").fill(name)
        page.keyboard.press("Enter")
        page.locator(".stage-title", has_text=name.removeprefix("Open ")).wait_for()
    page.get_by_text("The sliders are as you left them").wait_for()
    assert page.get_by_label("fill prob", exact=True).input_value() == value != "0.4"
    page.get_by_role("button", name="Reset all parameters").click()
    until(page, lambda: page.get_by_label("fill prob", exact=True).input_value(), "0.4")


def test_an_exported_level_is_turned_again(page: Any, studio: Any) -> None:
    uc.generate("cave", seed=11, size=(40, 24), nrepeats=4).save(studio.project / "old.json")
    opened(page, studio, "recipe=maze&seed=9")
    open_file(page, "old.json")
    page.get_by_role("button", name="Turn again").click()
    page.locator(".stage-title", has_text="cave").wait_for()
    work = kept_work(page)
    assert (work["base"], work["seed"], work["size"]) == ({"name": "cave"}, "11", [40, 24])
    await_value(page.get_by_label("nrepeats", exact=True), "4")
    json.dumps(work)
