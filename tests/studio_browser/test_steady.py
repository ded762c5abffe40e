"""Steady under bad luck: answers that are late, broken or refused, and things that are done faster than the page is
drawn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from studio_browser.views import await_value, kept_work
from support.studio_pages import until

LEVEL = "recipe=rooms-and-mazes&seed=5&size=31x21&style=plain"
HALL = """\
size = [31, 21]

[param.kind]
default = "room"
choices = ["room", "cave"]

[[step]]
use = "fill"

[[step]]
use = "rooms"

[[step]]
use = "survey"
kind = "$kind"
"""
RULES = "palette standard\n\none  start, once\n    XX -> ..\n"
# While the clock stands, nothing happens "later" in the page: no frame is drawn for it, and no timer ends.
CLOCK = """
() => {
  const names = ["requestAnimationFrame", "setTimeout"]
  const real = names.map((name) => globalThis[name])
  const late = []
  for (const name of names) globalThis[name] = (run) => (late.push(run), 0)
  globalThis.goOn = () => {
    names.forEach((name, at) => (globalThis[name] = real[at]))
    for (const run of late) run()
  }
}
"""


def wait_for_level(page: Any, seed: str) -> None:
    """A level of this seed is shown."""
    page.locator(".stage-title p").first.filter(has_text=re.compile(rf"\bseed {seed}(,|$)")).wait_for()


def text(seed: int) -> str:
    """What the file of that level holds."""
    return f"{uc.Recipe.load('rooms-and-mazes').generate(seed=seed, size=(31, 21)).level}\n"


def holds(page: Any, path: Path, wanted: str) -> None:
    """Wait until a file holds this."""
    for _ in range(300):
        if path.exists() and path.read_text() == wanted:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{path.name} holds something else")


def switch(page: Any, title: str) -> None:
    """In the dialog: keep a format up to date."""
    page.get_by_role("checkbox", name=f"Export {title}", exact=True).check()
    page.get_by_role("switch", name="Keep this file up to date").click()


def dialog(page: Any) -> None:
    page.locator(".map-canvas").first.focus()
    page.keyboard.press("e")
    page.locator(".exp-row").first.wait_for()


class Late:
    """Holds back what the page asks, until it is let go."""

    def __init__(self, page: Any, path: str) -> None:
        self.page, self.asks, self._free = page, list[Any](), False
        page.route(path, self._came)

    def _came(self, route: Any) -> None:
        self.asks.append(route)
        if self._free:
            route.continue_()

    def first(self) -> Any:
        """What was asked first, once it was."""
        assert until(lambda: self.page.wait_for_timeout(20) or self.asks)
        return self.asks[0].request.post_data_json

    def go_on(self) -> None:
        self._free = True
        for route in self.asks[:]:
            route.continue_()


# --- files that are kept up to date


def test_a_server_that_is_back_gets_the_level_that_is_shown_and_not_the_one_of_once(
    new_page: Callable[..., Any], start: Callable[..., Any], tmp_path: Path
) -> None:
    page, file = new_page(noisy=True), tmp_path / "levels" / "rooms-and-mazes-5.txt"
    with start(tmp_path) as first:
        page.goto(f"{first.address}&{LEVEL}")
        wait_for_level(page, "5")
        dialog(page)
        switch(page, "Text")
        holds(page, file, text(5))
        page.keyboard.press("Escape")
        field = page.get_by_label("Seed: a number or words")
        field.fill("77")
        field.press("Enter")
        holds(page, file, text(77))
        first.stop()
    page.get_by_role("alert").get_by_text("The studio has stopped").wait_for()
    field.fill("78")
    field.press("Enter")
    with start(tmp_path, "--port", str(first.port)) as again:
        late = Late(page, "**/api/watch")
        page.get_by_role("button", name="Try now").click()
        wait_for_level(page, "78")  # before the server hears what it is to write
        assert late.first()["seed"] == "77"
        late.go_on()
        holds(page, file, text(78))
        page.goto("about:blank")
        assert again.stop() == (0, "")


def test_a_switch_that_is_turned_while_another_is_under_way_keeps_both(page: Any, studio: Any) -> None:
    page.goto(f"{studio.address}&{LEVEL}")
    wait_for_level(page, "5")
    late = Late(page, "**/api/watch")
    for title in ("Text", "Table (CSV)"):
        dialog(page)
        switch(page, title)
        assert len(late.first()["outputs"]) == 1
        page.keyboard.press("Escape")
    late.go_on()
    page.locator(".watching", has_text="Keeping 2 files up to date").wait_for()
    field = page.get_by_label("Seed: a number or words")
    field.fill("77")
    field.press("Enter")
    holds(page, studio.project / "levels" / "rooms-and-mazes-5.txt", text(77))
    page.locator(".watching").get_by_role("button", name="Stop").click()
    page.locator(".watching").wait_for(state="detached")


# --- answers that are none


def test_a_greeting_that_fails_is_tried_again(new_page: Callable[..., Any], studio: Any) -> None:
    page = new_page(noisy=True)
    told = json.dumps({"problem": "the worker ended", "fix": "", "place": None})
    page.route("**/api/hello", lambda route: route.fulfill(status=422, content_type="application/json", body=told))
    page.goto(f"{studio.address}&{LEVEL}")
    page.locator(".connected", has_text="Stopped").wait_for()
    page.unroute("**/api/hello")
    page.locator(".connected.open").wait_for()
    wait_for_level(page, "5")


def test_a_page_has_one_line_to_the_server(page: Any, studio: Any) -> None:
    lines: list[Any] = []
    page.on("websocket", lambda line: lines.append(line.url))
    page.goto(f"{studio.address}&{LEVEL}")
    wait_for_level(page, "5")
    assert len(lines) == 1


@pytest.mark.parametrize("into", ["project", "download"])
def test_an_answer_that_breaks_off_is_a_problem_and_no_waiting_for_ever(page: Any, studio: Any, into: str) -> None:
    studio.keep(**{"export into": into})
    page.add_init_script(
        """const real = window.fetch
        window.fetch = (path, ...more) => path !== '/api/export' ? real(path, ...more)
          : Promise.resolve(new Response(new ReadableStream({
              pull: (line) => line.error(new TypeError('network error'))
            })))"""
    )
    page.goto(f"{studio.address}&{LEVEL}")
    wait_for_level(page, "5")
    dialog(page)
    button = page.get_by_role("button", name="Export 1 file")
    button.click()
    page.locator(".exp-outcome.bad", has_text="The studio does not answer").wait_for()
    assert button.is_enabled()


def test_a_file_that_cannot_be_read_is_said_so(page: Any, studio: Any, tmp_path: Path) -> None:
    gone = tmp_path / "gone.txt"
    gone.write_text("###\n#.#\n###\n")
    page.goto(f"{studio.address}&{LEVEL}")
    wait_for_level(page, "5")
    page.get_by_role("button", name="Open a recipe of the project").click()
    page.get_by_role("button", name="Import a map").click()
    page.evaluate(
        "() => document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'given' }))"
    )
    page.locator("#given").set_input_files(gone)
    gone.unlink()
    page.evaluate(
        """() => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(document.querySelector('#given').files[0])
          const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
          document.querySelector('.drop').dispatchEvent(drop)
        }"""
    )
    page.get_by_role("alert").get_by_text("gone.txt cannot be read").wait_for()


# --- faster than the page is drawn


def test_the_editor_of_a_file_that_was_just_opened_is_found(page: Any, studio: Any) -> None:
    (studio.project / "broken.toml").write_text(HALL.replace("kind = ", "kin = "))
    page.goto(f"{studio.address}&{LEVEL}")
    wait_for_level(page, "5")
    page.get_by_role("button", name=re.compile("^Mine")).click()
    page.locator(".gallery .card", has_text="broken").wait_for()
    page.evaluate(CLOCK)
    page.evaluate(
        "() => [...document.querySelectorAll('.gallery .card')].find((card) => "
        "card.textContent.includes('broken')).click()"
    )
    page.locator(".cm-line .problem").first.wait_for()
    page.evaluate("goOn()")
    page.locator(".text-problems").click()
    page.locator(".cm-content:focus").wait_for()


def test_a_letter_that_is_typed_at_once_undoes_nothing(page: Any, studio: Any) -> None:
    (studio.project / "quick.toml").write_text(HALL)
    page.goto(f"{studio.address}&path=quick.toml&seed=5&style=plain")
    wait_for_level(page, "5")
    page.locator(".cm-line").first.click()
    page.keyboard.press("Control+Home")
    page.evaluate(CLOCK)
    page.evaluate("() => document.querySelector('[data-turned=kind] [role=radio][aria-checked=false]').click()")
    page.locator("[data-turned=kind] [role=radio][aria-checked=true]", has_text="cave").wait_for()
    page.keyboard.type("#")
    page.evaluate("goOn()")
    assert kept_work(page)["text"] == "#" + HALL.replace('"room"\n', '"cave"\n')


def test_saving_in_a_field_saves_what_is_written_there(page: Any, studio: Any) -> None:
    file = studio.project / "field.rules"
    file.write_text(RULES)
    studio.keep(view="author")
    page.goto(studio.address)
    page.locator(".ar-file-name", has_text="field.rules").wait_for()
    name = page.get_by_label("Name of the rule")
    name.fill("grow")
    name.press("Control+s")
    holds(page, file, RULES.replace("start", "grow"))
    await_value(name, "grow")
