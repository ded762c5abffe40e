"""A restart is a continuation: what was done is in the project, whatever becomes of server, tab and browser."""

from __future__ import annotations

import json
import random
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from studio_browser.test_make import HALL, make, wait_for_level
from studio_browser.views import await_count, await_value, kept_values, kept_work, opened, until

RULES = """palette standard

one  dig, up to 9 times
    .# -> ..
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def new_context(browser: Any) -> Iterator[Callable[[], Any]]:
    """Opens browser contexts, whose pages share a storage; the console may complain of a server that is away."""
    contexts: list[Any] = []

    def opened_context(**more: Any) -> Any:
        contexts.append(browser.new_context(viewport={"width": 1440, "height": 900}, **more))
        contexts[-1].set_default_timeout(15_000)
        return contexts[-1]

    yield opened_context
    for one in contexts:
        one.close()


def type_first(page: Any, text: str) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type(text)


def sent(page: Any) -> None:
    """Wait until the server has all that this page keeps, also what it would have kept a moment later."""
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    until(page, lambda: page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('undercroft:'))"), [])


def open_rules(page: Any, name: str) -> None:
    page.keyboard.press("4")
    page.get_by_role("radio", name="Rules", exact=True).click()
    page.locator(".ar-file-name", has_text=name).wait_for()


def test_a_restart_is_a_continuation(
    new_context: Callable[..., Any], start: Callable[..., Any], project: Path, tmp_path: Path
) -> None:
    """Also in a browser that knows nothing: the star, the strip, drafts and the theme are in no storage of the
    browser.
    """
    (project / "hall.toml").write_text(HALL)
    (project / "moss.rules").write_text(RULES)
    page = new_context(color_scheme="dark").new_page()
    with start(project) as first:
        page.goto(f"{first.address}&path=hall.toml&seed=5&size=40x24")
        wait_for_level(page, "5")
        page.keyboard.press("f")
        page.keyboard.press("Space")
        page.locator(".strip-entry").nth(1).wait_for()
        seed = page.get_by_label("Seed: a number or words").input_value()
        wait_for_level(page, seed)
        type_first(page, "# not saved\n")
        page.locator(".strip-entry").nth(2).wait_for()
        page.locator(".map-canvas").focus()
        open_rules(page, "moss.rules")
        name = page.get_by_label("Name of the rule")
        name.fill("burrow")
        name.press("Enter")
        page.get_by_role("button", name="Light theme").click()
        sent(page)
        assert first.stop() == (0, "")
    assert {path.name for path in (project / ".undercroft").iterdir()} == {
        *(".gitignore", "port"),
        *("favourites.json", "history.json", "drafts.json", "settings.json"),
    }
    for folder in (project / ".undercroft", tmp_path / "project-config"):
        for path in folder.rglob("*"):
            assert path.is_dir() or first.token not in path.read_text(), "the key is never stored"
    page.context.close()
    project = project.rename(tmp_path / "moved")
    (tmp_path / "project-config").rename(tmp_path / "moved-config")
    with start(project) as second:
        assert second.port == first.port
        page = new_context(color_scheme="dark").new_page()
        page.goto(second.address)
        page.locator(".ar-file-name", has_text="moss.rules").wait_for()
        assert page.evaluate("document.documentElement.dataset.theme") == "light"
        await_value(page.get_by_label("Name of the rule"), "burrow")
        assert page.locator(".cm-content").inner_text().count("one  burrow") == 1
        page.keyboard.press("Escape")
        page.get_by_role("navigation", name="Views").get_by_role("button", name="Make").click()
        wait_for_level(page, seed)
        page.locator(".cm-line", has_text="# not saved").wait_for()
        await_count(page.locator(".strip-entry"), 3)
        page.get_by_role("button", name=re.compile("^Favourites, 1$")).wait_for()
        page.locator(".strip-entry").first.click()
        wait_for_level(page, "5")
        assert (project / "moss.rules").read_text() == RULES
    page.context.close()


def test_the_command_that_is_shown_starts_it_again_and_the_page_goes_on(
    new_context: Callable[..., Any], start: Callable[..., Any], tmp_path: Path
) -> None:
    project = tmp_path / "it's my crypt"
    project.mkdir()
    page = new_context().new_page()
    with start(project) as first:
        opened(page, first)
    page.locator(".banner", has_text="The studio has stopped").wait_for()
    shown = page.locator(".banner code").inner_text()
    type_first(page, "# written while nobody listened\n")
    until(page, lambda: any("not" in key or "drafts/" in key for key in page.evaluate("Object.keys(localStorage)")))
    again = subprocess.Popen([*shlex.split(shown), "--token", first.token], stdout=subprocess.PIPE, text=True)
    try:
        assert again.stdout
        assert f"http://127.0.0.1:{first.port}/" in again.stdout.readline()
        page.locator(".banner").wait_for(state="detached")
        sent(page)
        drafts = json.loads((project / ".undercroft" / "drafts.json").read_text())["values"]
        assert "# written while nobody listened" in json.dumps(drafts)
    finally:
        again.terminate()
        again.communicate(timeout=20)


def test_two_tabs_lose_nothing_of_each_other(
    new_context: Callable[..., Any], start: Callable[..., Any], project: Path
) -> None:
    for name in ("one", "two"):
        (project / f"{name}.toml").write_text(HALL)
        (project / f"{name}.rules").write_text(RULES)
    context = new_context(color_scheme="dark")
    one, two = context.new_page(), context.new_page()
    with start(project) as server:
        for page, name in ((one, "one"), (two, "two")):
            page.goto(f"{server.address}&path={name}.toml&seed={name}&size=40x24")
            wait_for_level(page, name)
        for page, name in ((one, "one"), (two, "two")):
            page.keyboard.press("f")
            type_first(page, f"# {name} is not saved\n")
            page.locator(".map-canvas").focus()
        for page in (one, two):  # a favourite of one is one of the other at once
            page.get_by_role("button", name=re.compile("^Favourites, 2$")).wait_for()
        one.get_by_role("button", name="Light theme").click()
        two.get_by_role("button", name="Dark theme").wait_for()
        for page in (one, two):
            sent(page)
        for page, name in ((one, "one"), (two, "two")):
            page.reload()  # each shows its own again
            wait_for_level(page, name)
            page.locator(".cm-line", has_text=f"# {name} is not saved").wait_for()
        values = server.kept_values()
        assert len([name for name in values if name.startswith("favourites/")]) == 2
        texts = {one["text"].split("\n")[0] for name, one in values.items() if name.startswith("drafts/work/")}
        assert texts == {"# one is not saved", "# two is not saved"}
        two.locator(".map-canvas").focus()
        two.keyboard.press("f")  # another text: a favourite of its own
        two.keyboard.press("f")
        for page in (one, two):
            page.get_by_role("button", name=re.compile("^Favourites, 2$")).wait_for()
            sent(page)
        context.close()
        # A browser that knows nothing begins with the one that was changed last; what the other had is in the strip.
        page = new_context().new_page()
        page.goto(server.address)
        page.locator(".strip-entry").nth(1).wait_for()
        history = [entry["work"]["text"] for name, entry in kept_values(page).items() if name.startswith("history/")]
        assert {text.split("\n")[0] for text in history} >= {"# one is not saved", "# two is not saved"}
        page.context.close()


def test_two_tabs_with_one_file_show_the_same_and_undo_gives_the_own_text_back(
    new_context: Callable[..., Any], start: Callable[..., Any], project: Path
) -> None:
    (project / "moss.rules").write_text(RULES)
    context = new_context()
    one, two = context.new_page(), context.new_page()
    with start(project) as server:
        server.keep(view="author")
        for page in (one, two):
            page.goto(server.address)
            page.locator(".ar-file-name", has_text="moss.rules").wait_for()
        for page, word in ((one, "burrow"), (two, "tunnel")):
            name = page.get_by_label("Name of the rule")
            name.fill(word)
            name.press("Enter")
            name.blur()
            sent(page)
        until(one, lambda: one.get_by_label("Name of the rule").input_value(), "tunnel")
        one.keyboard.press("Control+z")
        until(one, lambda: one.get_by_label("Name of the rule").input_value(), "burrow")
        until(two, lambda: two.get_by_label("Name of the rule").input_value(), "burrow")
        context.close()


def test_a_folder_that_cannot_be_written_keeps_its_work_in_the_browser(
    new_context: Callable[..., Any], start: Callable[..., Any], project: Path
) -> None:
    (project / ".undercroft").write_text("a file in the place of the folder")
    page = new_context().new_page()
    with start(project) as server:
        make(page, server)
        page.keyboard.press("f")
        page.locator(".said.shown", has_text="cannot make the folder .undercroft").wait_for()
        type_first(page, "# in the browser\n")
        page.locator(".map-canvas").focus()
        until(page, lambda: kept_work(page)["text"].startswith("# in the browser"))
        page.reload()
        page.locator(".cm-line", has_text="# in the browser").wait_for()
        page.get_by_role("button", name=re.compile("^Favourites, 1$")).wait_for()
        assert (project / ".undercroft").read_text() == "a file in the place of the folder"
        (project / ".undercroft").unlink()  # from now on it can be written
        page.reload()
        page.locator(".cm-line", has_text="# in the browser").wait_for()
        sent(page)
        assert any(name.startswith("favourites/") for name in server.kept_values())
    page.context.close()


def test_removing_the_folder_is_harmless(page: Any, studio: Any) -> None:
    make(page, studio)
    page.keyboard.press("f")
    sent(page)
    for path in (studio.project / ".undercroft").iterdir():
        path.unlink()
    (studio.project / ".undercroft").rmdir()
    page.keyboard.press("Space")
    page.locator(".strip-entry").nth(1).wait_for()
    until(page, lambda: any(name.startswith("history/") for name in studio.kept_values()))
    assert (studio.project / ".undercroft" / ".gitignore").exists()


def test_what_is_damaged_is_set_aside_and_said(page: Any, studio: Any) -> None:
    studio.keep(view="explore", **{"favourites/a": {"not": "a work"}, "history/1": 5, "drafts/work/x": None})
    home = studio.project / ".undercroft"
    (home / "history.json").write_text("{ damaged")
    page.goto(studio.address)
    page.locator(".said.shown", has_text="history.json could not be read").wait_for()
    assert (home / "history.damaged-1.json").read_text() == "{ damaged"
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Make").click()
    page.locator(".first-cards .card").first.wait_for()


def wild_value(dice: random.Random, depth: int = 0) -> Any:
    plain = [1, -1, 1e300, 0, "", "author", "<b>", "__proto__", True, False, "constructor"]
    if depth > 2 or dice.random() < 0.5:
        return dice.choice(plain)
    names = ["text", "file", "saved", "base", "work", "data", "size", "docs", "__proto__", "name", "strip", "sort"]
    if dice.random() < 0.4:
        return [wild_value(dice, depth + 1) for _ in range(dice.randrange(4))]
    return {name: wild_value(dice, depth + 1) for name in dice.sample(names, 4)}


def test_whatever_is_kept_in_a_project_of_a_stranger_the_page_comes_up(
    new_page: Callable[..., Any], studio: Any
) -> None:
    make(new_page(), studio)
    names = {
        *("view", "style", "speed", "snap", "overlays", "distance from", "explore", "compare overlays", "author tab"),
        *("export ticked", "export current", "export into", "export options", "turn width", "text width"),
        *("open layout", "open rules", "layout paints", "layout leniency", "layout overgrow", "layout shows"),
        *("author run seed", "author run size", "author run until", "theme", "single keys", "drafts/opened/x.toml"),
        *("drafts/work/a", "drafts/rules/x.rules", "drafts/layouts/x.layout", "history/1", "favourites/a", "__proto__"),
    }
    for seed in range(6):
        dice = random.Random(seed)
        studio.forget()
        studio.keep(**{name: wild_value(dice) for name in sorted(names)} | {"view": "make"})
        page = new_page(noisy=True)
        wrong: list[str] = []
        page.on("pageerror", lambda error, heard=wrong: heard.append(str(error)))
        opened(page, studio)
        for key in ("2", "3", "4", "1", "e"):
            page.keyboard.press(key)
            page.wait_for_timeout(150)
        page.locator("dialog[open]").wait_for()
        assert wrong == [], seed
        page.context.set_offline(True)
        page.close()


@pytest.mark.parametrize(("system", "chosen"), [("dark", "light"), ("light", "dark"), ("light", None)])
def test_the_page_does_not_begin_in_the_other_theme(
    new_page: Callable[..., Any], studio: Any, system: str, chosen: str | None
) -> None:
    wanted = chosen or system
    if chosen:
        studio.keep(theme=chosen)
    page = new_page(theme=system)
    scripts: list[Any] = []

    def hold_back(route: Any) -> None:
        scripts.append(route)

    page.route("**/page.js", hold_back)  # before any script has run
    page.goto(studio.address, wait_until="commit")
    until(page, lambda: len(scripts), 1)
    page.wait_for_function("() => document.styleSheets.length === 1")
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", background)[:3])) > 380) == (wanted == "light"), background
    scripts[0].continue_()
    page.locator(".first-cards .card").first.wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == wanted
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == background


def asks_before_closing(page: Any) -> bool:
    asked: list[str] = []

    def accept(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.once("dialog", accept)
    page.goto("about:blank")
    return asked == ["beforeunload"]


def test_closing_with_unsaved_text_asks(page: Any, studio: Any) -> None:
    (studio.project / "hall.toml").write_text(HALL)
    make(page, studio, "path=hall.toml&seed=5")
    slider = page.get_by_label("winding", exact=True)
    slider.focus()
    slider.press("ArrowRight")
    page.keyboard.press("Space")
    assert not asks_before_closing(page), "a slider is no text"
    page.goto(studio.address)
    page.locator(".cm-content").wait_for()
    type_first(page, "# typed\n")
    assert asks_before_closing(page)
    page.goto(studio.address)
    page.locator(".cm-line", has_text="# typed").wait_for()
    page.locator(".map-canvas").focus()
    page.keyboard.press("Control+s")
    page.get_by_text("Saved hall.toml").wait_for()
    assert not asks_before_closing(page)


def test_what_earlier_versions_kept_in_the_browser_is_taken_over(page: Any, studio: Any) -> None:
    make(page, studio)
    work = kept_work(page)
    page.goto("about:blank")
    studio.forget()
    old = {
        "favourites": [work],
        "history": {"entries": [{"work": work, "id": 3, "key": "x"}], "at": 0},
        "work": {**work, "seed": "older"},
        "overlays": ["doors"],
        "damaged": None,
    }
    page.goto(studio.address.replace("#", "?#"), wait_until="commit")
    page.evaluate(
        "(old) => { localStorage.clear(); sessionStorage.removeItem('undercroft tab');"
        "for (const [name, one] of Object.entries(old)) localStorage.setItem('undercroft ' + name, JSON.stringify(one))"
        "; localStorage.setItem('undercroft damaged', '{') }",
        old,
    )
    page.goto(studio.address)
    wait_for_level(page, "older")
    sent(page)
    values = studio.kept_values()
    assert [values[name] for name in values if name.startswith("favourites/")] == [work]
    assert values["overlays"] == ["doors"]
    await_count(page.locator(".strip-entry"), 2)
    assert page.evaluate("Object.keys(localStorage)") == []
