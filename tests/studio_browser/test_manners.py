"""Good manners: keyboard, screen readers, contrast, small screens, and a server that goes and comes back."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from studio_browser.contrast import CONTRASTS, faint, ratio, tokens
from studio_browser.views import VIEWS, back, copied_link, open_view, opened, until
from support.paths import ROOT
from support.studio_pages import Server
from undercroft.studio.protocol.messages import unpack_message

SOURCES = ROOT / "studio" / "src"
sys.path.insert(0, str(ROOT / "docs"))
studio_keys: Any = importlib.import_module("making.studio_keys")
EVERY = list(VIEWS)

# --- the keyboard

TOUR = """
() => {
  // What can be worked with, is seen, and is not behind an open dialog.
  const room = document.querySelector("dialog[open]") ?? document.body
  const roles = ["button", "slider", "switch", "radio", "option", "tab", "menuitem", "gridcell"]
    .map((role) => `[role=${role}]`)
  const can = [
    "a[href]", "button", "input", "select", "textarea", "summary", "[tabindex]", "[contenteditable=true]", ...roles
  ].join()
  const shown = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && one.getClientRects().length > 0
  const seen = (one) => shown(one) && !one.closest("[aria-hidden=true], [inert], .unseen")
  globalThis.looks = (one) => {
    const told = []
    const above = []
    for (let at = one.parentElement; at && above.length < 3; at = at.parentElement) above.push(at)
    for (const at of [one, ...above, ...[...one.querySelectorAll("*")].slice(0, 6)]) {
      const style = getComputedStyle(at)
      told.push(style.outlineStyle === "none" ? "" : style.outline)
      told.push(style.boxShadow, style.borderColor, style.backgroundColor)
    }
    return told.join("|")
  }
  document.activeElement?.blur()
  globalThis.toTour = [...room.querySelectorAll(can)]
    .filter((one) => seen(one) && !one.disabled && one.getAttribute("aria-disabled") !== "true")
  globalThis.before = new Map(toTour.map((one) => [one, looks(one)]))
  globalThis.toured = new Set()
  globalThis.bare = []
  return toTour.length
}
"""
STEP = """
() => {
  const one = document.activeElement
  if (!one || one === document.body || one.tagName === "DIALOG") return "out"
  if (toured.has(one)) return "again"
  toured.add(one)
  // The focus is seen: the element, or what holds it or lies in it, looks otherwise than before. A cursor is enough
  // where all one can do is type.
  if (looks(one) === before.get(one) && !one.closest(".cm-editor, [role=combobox]")) bare.push(one)
  return one.closest(".cm-editor") ? "editor" : "on"
}
"""
LEFT = """
() => {
  // Of a group of choices Tab reaches one, and arrows the others.
  const groups = "[role=radiogroup], [role=tablist], [role=listbox], [role=grid], [role=menu], [role=toolbar], "
    + "[data-arrows]"
  const reached = new Set([...toured].map((one) => one.closest(groups)).filter(Boolean))
  return toTour.filter((one) => one.isConnected && !toured.has(one)
    && ![...toured].some((other) => other.contains(one) || one.contains(other))
    && !(one.closest(groups) && reached.has(one.closest(groups)))
    && !one.closest(".cm-editor") && !(one.tagName === "LABEL"))
    .map((one) => one.outerHTML.slice(0, 140))
}
"""


def toured(page: Any) -> tuple[list[str], list[str]]:
    """Tab through all that is shown: what was not reached, and what does not show that it has the focus."""
    many = page.evaluate(TOUR)
    outside = 0
    for _ in range(2 * many + 20):
        page.keyboard.press("Tab")
        told = page.evaluate(STEP)
        outside += told == "out"
        if told == "again" or outside > 2:
            break
        if told == "editor":
            page.keyboard.press("Escape")  # there Tab is a sign like others, until Escape was pressed
    left, bare = page.evaluate(LEFT), []
    for at in range(page.evaluate("bare.length")):
        one = page.evaluate_handle(f"bare[{at}]").as_element()
        one.focus()
        focused = one.screenshot(animations="disabled")
        page.evaluate("document.activeElement.blur()")
        # nor is there a ring of a part of it, such as the knob of a slider
        if one.screenshot(animations="disabled") == focused:
            bare.append(one.evaluate("(one) => one.getAttribute('aria-label') || one.outerHTML.slice(0, 120)"))
    return left, bare


@pytest.mark.parametrize("view", EVERY)
def test_every_view_can_be_reached_named_and_read(page: Any, studio: Any, view: str) -> None:
    """By keyboard, by a screen reader, and by eyes that see little: 4.5 to 1, or 3 to 1 if it is large."""
    open_view(page, studio, view)
    wrong: dict[str, list[str]] = {"has no name": nameless(page), "faint in the dark": faint(page)}
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    wrong["faint in the light"] = faint(page)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    wrong["not reached"], wrong["reached unseen"] = toured(page)
    assert {why: which for why, which in wrong.items() if which} == {}
    assert page.locator("[tabindex]:not([tabindex='0']):not([tabindex='-1'])").count() == 0, (
        "the order is that of the page"
    )


def test_the_key_map_lists_the_table(page: Any, studio: Any) -> None:
    open_view(page, studio, "keys")
    rows = page.locator("dialog[open] dl > div")
    told = [(row.locator("dt").inner_text().strip(), tuple(row.locator("kbd").all_inner_texts())) for row in rows.all()]
    table = studio_keys.keys()
    assert len(table) > 25
    assert set(told) == {(key.label, key.keys) for key in table}


def test_a_slider_that_is_let_go_is_one_thing_that_was_done(page: Any, studio: Any) -> None:
    """By keyboard it is let go at once: it can be undone, it is in the history, and the picture of the style
    follows.
    """
    opened(page, studio, "recipe=rooms-and-mazes&seed=3&size=41x31&style=ink")
    lines: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda data: lines.append(str(data))))
    page.reload()
    page.locator(".stage-title").wait_for()
    page.wait_for_timeout(500)
    lines.clear()
    slider = page.get_by_label("winding", exact=True)
    first = slider.input_value()
    slider.focus()
    slider.press("ArrowRight")
    page.locator(".strip-entry").nth(1).wait_for()
    assert slider.input_value() != first
    until(page, lambda: any('"do":"picture"' in line for line in lines))
    page.locator(".map-canvas").focus()
    page.keyboard.press("Control+z")
    page.wait_for_function(
        "(first) => document.querySelector('[data-turned=winding] input[type=range]').value === first", arg=first
    )


# --- screen readers

CONTROLS = {
    *(
        "button",
        "link",
        "textbox",
        "searchbox",
        "slider",
        "combobox",
        "checkbox",
        "switch",
        "radio",
        "tab",
        "menuitem",
        "spinbutton",
        "option",
        "application",
    ),
    *("dialog", "listbox", "radiogroup", "tablist", "toolbar", "image", "img", "gridcell", "MenuListPopup"),
}


def nameless(page: Any) -> list[str]:
    """Controls that a screen reader could only call "button"."""
    line = page.context.new_cdp_session(page)
    line.send("DOM.getDocument")
    found = []
    for node in line.send("Accessibility.getFullAXTree")["nodes"]:
        role, name = node.get("role", {}).get("value", ""), node.get("name", {}).get("value", "")
        if node.get("ignored") or role not in CONTROLS or role == "MenuListPopup" or name.strip():
            continue
        told = line.send("DOM.describeNode", {"backendNodeId": node["backendDOMNodeId"]})["node"]
        found.append(f"{role}: <{told['localName']} {' '.join(told.get('attributes', []))[:90]}>")
    line.detach()
    return found


def test_a_control_without_a_name_would_be_noticed(page: Any, studio: Any) -> None:
    opened(page, studio)
    page.evaluate("document.querySelector('.top').append(document.createElement('button'))")
    assert len(nameless(page)) == 1


# --- colours


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_colours_have_the_contrast_they_should(theme: str) -> None:
    colours = tokens((SOURCES / "styles" / "tokens.css").read_text(), theme)
    for ink, ground, least in CONTRASTS[theme]:
        assert ratio(colours[ink], colours[ground]) >= least - 0.05, f"{ink} on {ground}"


# --- small screens

BEYOND = """
() => {
  const wide = document.documentElement.clientWidth, high = document.documentElement.clientHeight
  const scrolls = (one) => {
    const style = getComputedStyle(one)
    return /auto|scroll/.test(style.overflowX + style.overflowY)
  }
  const found = []
  const looked = "button, input, select, a[href], h1, h2, [role=slider], [role=radio], canvas"
  for (const one of document.querySelectorAll(looked)) {
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    if (one.closest(".unseen, .cm-editor, [aria-hidden=true]")) continue
    let up = one.parentElement
    while (up && !scrolls(up)) up = up.parentElement
    if (up && up !== document.documentElement && up !== document.body) continue // it can be scrolled to
    const box = one.getBoundingClientRect()
    if (!box.width || (box.right <= wide + 1 && box.left >= -1 && box.bottom <= high + 1 && box.top >= -1)) continue
    const [left, right, top, bottom] = [box.left, box.right, box.top, box.bottom].map(Math.round)
    const name = one.getAttribute("aria-label") || one.textContent.slice(0, 30) || one.outerHTML.slice(0, 60)
    found.push(`${name}: ${left} to ${right}, ${top} to ${bottom}`)
  }
  if (document.scrollingElement.scrollWidth > wide) found.push("the page is wider than the screen")
  return found
}
"""


ON_EACH_OTHER = """
() => {
  const parts = []
  const walk = document.createTreeWalker(document.querySelector("dialog[open]") ?? document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const node = walk.currentNode
    const one = node.parentElement
    if (!node.textContent.trim() || one.closest(".unseen, .cm-editor, svg, option")) continue
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    if (getComputedStyle(one).clipPath === "inset(50%)") continue // a button that shows when its row is pointed at
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) {
      const seen = { left: box.left, right: box.right, top: box.top + 2, bottom: box.bottom - 2, node }
      for (let up = one; up; up = up.parentElement) { // what is cut off is not seen
        if (getComputedStyle(up).overflow === "visible") continue
        const frame = up.getBoundingClientRect()
        seen.left = Math.max(seen.left, frame.left)
        seen.right = Math.min(seen.right, frame.right)
        seen.top = Math.max(seen.top, frame.top)
        seen.bottom = Math.min(seen.bottom, frame.bottom)
      }
      parts.push(seen)
    }
  }
  const shared = (a, b) => Math.min(
    Math.min(a.right, b.right) - Math.max(a.left, b.left),
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  )
  const said = (one) => one.node.textContent.trim().slice(0, 30)
  return parts.flatMap((a, at) => parts.slice(at + 1)
    .filter((b) => a.node !== b.node && shared(a, b) > 2)
    .map((b) => `"${said(a)}" lies on "${said(b)}"`))
}
"""


@pytest.mark.parametrize(("width", "height", "touch"), [(1280, 720, False), (1024, 768, True), (820, 1180, True)])
def test_nothing_lies_beyond_a_small_screen_or_on_other_text(
    new_page: Callable[..., Any], studio: Any, width: int, height: int, touch: bool
) -> None:
    page = new_page(width, height, has_touch=touch)
    wrong = {}
    opened(page, studio, "recipe=cozy&seed=3&size=61x41&style=plain")  # it has a title, and a long one
    for view, go in VIEWS.items():
        if touch and view in {"open", "import", "catalogue", "choices"}:  # their buttons lie in a drawer
            continue
        go(page)
        page.wait_for_timeout(300)
        if found := page.evaluate(BEYOND) + page.evaluate(ON_EACH_OTHER):
            wrong[view] = found
        page.keyboard.press("Escape")
        back(page)
    assert wrong == {}


# --- the server goes and comes, the page stays


def test_a_server_that_goes_and_comes_back(
    new_page: Callable[..., Any], start: Callable[..., Any], tmp_path: Path
) -> None:
    page = new_page(noisy=True)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    with start(tmp_path) as first:
        port = first.port
        opened(page, first)
        first.stop()
    banner = page.get_by_role("alert")
    banner.get_by_text("The studio has stopped").wait_for()
    assert f"--project {tmp_path}" in banner.inner_text(), "it says how to start it again"
    # Everything that needs no server goes on: the text is edited, the map is moved, a seed is typed.
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# written while nobody listened\n")
    page.locator(".map-canvas").focus()
    page.keyboard.press("+")
    field = page.get_by_label("Seed: a number or words")
    field.fill("77")
    field.press("Enter")
    with start(tmp_path) as again:
        assert again.port == port
        # it may have found the way back by itself
        page.evaluate("() => document.querySelector('.banner button')?.click()")
        banner.wait_for(state="detached")
        page.locator(".stage-title p", has_text=re.compile(r"\bseed 77\b")).wait_for()
        assert "# written while nobody listened" in page.locator(".cm-content").inner_text()
        page.locator(".map-canvas").click()
        page.keyboard.press("Space")
        page.wait_for_function(r"!/seed 77\b/.test(document.querySelector('.stage-title p').textContent)")
        page.goto("about:blank")
        assert again.stop() == (0, "")
    assert errors == []


def test_a_server_with_another_token_is_told_from_one_that_is_gone(
    new_page: Callable[..., Any], start: Callable[..., Any], built: Path, tmp_path: Path
) -> None:
    """Another token: the page says so, and works again when it gets it."""
    page = new_page(noisy=True)
    with start(tmp_path) as first:
        port = first.port
        opened(page, first)
        first.stop()
    page.get_by_role("alert").wait_for()
    with Server(tmp_path, "--port", str(port), "--page", str(built), token="another-token"):
        page.get_by_role("button", name="Try now").click()
        page.get_by_role("alert").get_by_text("started anew").wait_for()
        other = page.context.new_page()
        other.goto(f"http://127.0.0.1:{port}/#token=another-token")
        page.get_by_role("alert").wait_for(state="detached")
        page.locator(".connected.open").wait_for()
        other.goto("about:blank")
        page.goto("about:blank")


def test_a_reload_brings_the_work_back(page: Any, studio: Any) -> None:
    opened(page, studio)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# remembered\n")
    page.get_by_role("button", name="Light theme").click()
    field = page.get_by_label("Seed: a number or words")
    field.fill("older")
    field.press("Enter")
    page.locator(".stage-title p", has_text="seed older").wait_for()
    page.keyboard.press("Escape")
    page.locator(".map-canvas").click()
    page.keyboard.press("2")
    page.locator(".under-strip canvas").wait_for()
    page.goto("about:blank")
    page.goto(studio.address)
    page.locator(".under-strip canvas").wait_for()  # the view
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.keyboard.press("1")
    page.locator(".stage-title p", has_text="seed older").wait_for()
    assert "# remembered" in page.locator(".cm-content").inner_text()


# --- a link is the level


class Listener:
    """Hears what the server answers to a page."""

    def __init__(self, page: Any) -> None:
        self.levels: list[tuple[dict[str, Any], Any]] = []
        page.on("websocket", lambda line: line.on("framereceived", self._hear))

    def _hear(self, data: str | bytes) -> None:
        if isinstance(data, bytes):
            head, parts = unpack_message(data)
            if {"tiles", "labels"} <= set(parts) and head.get("kind") == "done" and "requirements" in head:
                self.levels.append((head, parts["tiles"]))


def test_a_link_makes_the_same_tiles_in_another_browser(new_page: Callable[..., Any], studio: Any) -> None:
    one = new_page()
    heard = Listener(one)
    opened(one, studio, "recipe=cave&seed=12&size=44x30&style=plain")
    one.get_by_label("fill prob", exact=True).focus()
    for _ in range(4):
        one.keyboard.press("ArrowRight")
    one.locator(".map-canvas").focus()
    value = float(one.get_by_label("fill prob", exact=True).input_value())
    level = uc.generate("cave", seed="12", size=(44, 30), params={"fill_prob": value})
    wanted = level.tiles.tobytes()
    until(one, lambda: bytes(heard.levels[-1][1]), wanted)
    link = copied_link(one)
    other = new_page(1280, 720, "light")
    also = Listener(other)
    other.goto(f"{studio.address}&{link}")
    other.locator(".stage-title p", has_text=re.compile(r"seed 12\b")).wait_for()
    (head, tiles), (same, again) = heard.levels[-1], also.levels[-1]
    assert value != 0.4
    assert head["attempt"] == same["attempt"]
    assert bytes(tiles) == bytes(again) == level.tiles.tobytes()
