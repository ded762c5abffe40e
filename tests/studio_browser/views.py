"""Every view and dialog of the studio, and how to open it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

LEVEL = "recipe=rooms-and-mazes&seed=3&size=41x31&style=plain"


def until(page: Any, found: Callable[[], Any], wanted: Any = True, seconds: float = 15) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + seconds
    while (value := found()) != wanted:
        assert time.monotonic() < end, f"{value!r} is not {wanted!r}"
        page.wait_for_timeout(30)


def await_value(field: Any, wanted: str) -> None:
    """Wait until a field holds a text."""
    until(field.page, field.input_value, wanted)


def await_count(found: Any, wanted: int) -> None:
    """Wait until so many elements are found."""
    until(found.page, found.count, wanted)


def opened(page: Any, studio: Any, what: str = LEVEL) -> None:
    """Open Make, with a level."""
    page.goto(f"{studio.address}&{what}")
    back(page)  # the last view is remembered


def back(page: Any) -> None:
    """Go back to Make."""
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Make").click()
    page.locator(".stage-title").wait_for()


def copied_link(page: Any) -> str:
    """The link that Shift C copies."""
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text } }")
    page.keyboard.press("Shift+C")
    page.wait_for_function("() => Boolean(window.copied)")
    found: str = page.evaluate("() => window.copied")
    return found


KEPT = """async () => {
  dispatchEvent(new Event('pagehide'))
  const waiting = Object.entries(localStorage).filter(([key]) => key.startsWith('undercroft:'))
  const here = Object.entries(sessionStorage).filter(([key]) => key.startsWith('undercroft here '))
  const headers = {'X-Undercroft-Token': sessionStorage.getItem('undercroft token'), 'Content-Type': 'application/json'}
  const ask = {method: 'POST', body: '{}', headers, signal: AbortSignal.timeout(2000)}
  const answer = await fetch('/api/state/load', ask).then((one) => one.json()).catch(() => ({values: {}}))
  const values = new Map(Object.entries(answer.values))
  for (const [key, text] of waiting) {
    const [name, one] = [key.slice(key.indexOf('\\n') + 1), JSON.parse(text)]
    if (one.at > (values.get(name)?.at ?? -1)) values.set(name, one)
  }
  const own = here.map(([key, text]) => [key.slice('undercroft here '.length), JSON.parse(text)])
  return Object.fromEntries([...[...values].map(([name, one]) => [name, one.value]), ...own])
}"""


def kept_values(page: Any) -> dict[str, Any]:
    """What this tab would know at its next visit: of the server, and what the server does not have yet."""
    found: dict[str, Any] = page.evaluate(KEPT)
    return found


def kept_work(page: Any) -> dict[str, Any]:
    """The work of this tab at its next visit."""
    tab = page.evaluate("sessionStorage.getItem('undercroft tab')")
    found: dict[str, Any] = kept_values(page)[f"drafts/work/{tab}"]
    return found


def kept_rules(page: Any) -> str:
    """The text of the rules that would be open at the next visit of this tab."""
    values = kept_values(page)
    opened = values["open rules"]
    return str((values.get(f"drafts/rules/{opened['file']}") or opened)["text"])


def _understand(page: Any) -> None:
    page.keyboard.press("2")
    page.locator(".under-strip canvas").wait_for()
    page.locator(".under-list button").first.wait_for()


def _explore(page: Any) -> None:
    page.keyboard.press("3")
    page.locator(".view-explore .thumb:not(.empty)").nth(11).wait_for()


def _compare(page: Any) -> None:
    _explore(page)
    page.keyboard.press("c")
    page.locator(".view-explore .map-canvas").first.wait_for()


def _author(half: str) -> Callable[[Any], None]:
    def go(page: Any) -> None:
        page.keyboard.press("4")
        page.get_by_role("radio", name=half, exact=True).click()
        page.locator(".view-author button").nth(5).wait_for()
        if half == "Layouts" and page.locator(".view-author").get_by_text("nave", exact=True).count():
            page.locator(".view-author").get_by_text("nave", exact=True).first.click()

    return go


def _dialog(key: str) -> Callable[[Any], None]:
    def go(page: Any) -> None:
        page.keyboard.press(key)
        page.locator("dialog[open]").wait_for()

    return go


def _open(page: Any) -> None:
    page.get_by_role("button", name="Open a recipe of the project").click()
    page.locator("dialog[open]").wait_for()


def _examples(page: Any) -> None:
    page.keyboard.press("Control+p")
    page.keyboard.type("copy an example")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copy the layout throne into the project").wait_for()


def _import(page: Any) -> None:
    _open(page)
    page.get_by_role("button", name="Import a map").click()
    page.locator("dialog[open] .drop").wait_for()


def _catalogue(page: Any) -> None:
    page.get_by_role("button", name="Catalogue of words").click()
    page.locator(".words-row").nth(5).wait_for()


def _choices(page: Any) -> None:
    page.get_by_role("button", name=re.compile("^Choose layouts")).click()
    page.locator(".choice-card canvas").nth(5).wait_for()


def _paint(page: Any) -> None:
    page.keyboard.press("b")
    page.locator(".tool-options").wait_for()


def _place(page: Any) -> None:
    page.keyboard.press("t")
    page.locator(".map-canvas").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator(".thing-form").wait_for()


VIEWS: dict[str, Callable[[Any], None]] = {
    "make": lambda page: None,
    "make, painting": _paint,
    "make, placing": _place,
    "understand": _understand,
    "explore": _explore,
    "compare": _compare,
    "rules": _author("Rules"),
    "layouts": _author("Layouts"),
    "keys": _dialog("?"),
    "commands": _dialog("Control+p"),
    "export": _dialog("e"),
    "save": _dialog("Control+s"),
    "open": _open,
    "examples": _examples,
    "import": _import,
    "catalogue": _catalogue,
    "choices": _choices,
}
"""From Make, with a level."""


def open_view(page: Any, studio: Any, view: str) -> None:
    """Open a view, and wait until it is settled."""
    opened(page, studio)
    VIEWS[view](page)
    page.wait_for_timeout(400)
