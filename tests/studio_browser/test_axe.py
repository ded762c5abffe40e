"""axe-core, which tests pages against the guidelines of the W3C, finds nothing in any view and dialog."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from studio_browser.views import VIEWS, open_view, opened
from support.paths import ROOT

AXE = ROOT / "studio" / "node_modules" / "axe-core" / "axe.min.js"
FIND = """async () => {
  const {violations} = await axe.run(document, {resultTypes: ['violations']})
  return violations.flatMap(({id, nodes}) => nodes.map(({target, any, all, none}) =>
    [id, target.join(' '), [...any, ...all, ...none].map(({message}) => message).join('; ')].join(': ')))
}"""


def _first_start(page: Any) -> None:
    page.get_by_role("button", name="New recipe").wait_for()


def _link(page: Any) -> None:
    page.keyboard.press("Control+p")
    page.keyboard.type("open a link")
    page.keyboard.press("Enter")
    page.locator("dialog[open] textarea, dialog[open] input").first.wait_for()


def _trash(page: Any) -> None:
    page.keyboard.press("Control+p")
    page.keyboard.type("deleted files")
    page.keyboard.press("Enter")
    page.locator("dialog[open]").wait_for()


MORE: dict[str, Callable[[Any], None]] = {"link": _link, "trash": _trash}


@pytest.fixture(autouse=True)
def fetched() -> None:
    """Axe is fetched with what the page is built with, if there is Node.js."""
    if not AXE.exists():
        pytest.skip("axe-core is not fetched: say make test-studio")


def violations(page: Any) -> dict[str, list[str]]:
    """What axe finds in each theme."""
    page.evaluate(AXE.read_text())
    found = {}
    for theme in ("dark", "light"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme }", theme)
        found[theme] = page.evaluate(FIND)
    return {theme: wrong for theme, wrong in found.items() if wrong}


@pytest.mark.parametrize("view", [*VIEWS, *MORE])
def test_axe_finds_nothing(page: Any, studio: Any, view: str) -> None:
    if view in VIEWS:
        open_view(page, studio, view)
    else:
        opened(page, studio)
        MORE[view](page)
    assert violations(page) == {}


def test_axe_finds_nothing_at_the_first_visit(page: Any, studio: Any) -> None:
    page.goto(studio.address)
    _first_start(page)
    assert violations(page) == {}


def test_axe_finds_what_is_wrong(page: Any, studio: Any) -> None:
    opened(page, studio)
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert all(any("button-name" in one for one in wrong) for wrong in violations(page).values())
