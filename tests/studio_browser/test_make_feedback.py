"""Make tells what happened and offers what helps: failures, long texts and seeds, slow pictures, small windows."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import undercroft as uc
from studio_browser.gate import Gate
from studio_browser.views import await_count, opened, until
from undercroft import limits

COZY = "recipe=cozy&seed=1&style=plain"


def place_of(page: Any, x: float, y: float, columns: int, rows: int) -> tuple[float, float]:
    """The middle of a cell on the page, while the whole map fits."""
    box = page.locator(".make-stage .map-canvas").bounding_box()
    across, down = box["width"] - 40, box["height"] - 56 - 72
    scale = min(across / columns, down / rows, 48)
    left, top = 20 + (across - scale * columns) / 2, 56 + (down - scale * rows) / 2
    return box["x"] + left + (x + 0.5) * scale, box["y"] + top + (y + 0.5) * scale


def test_a_pool_room_is_kept_by_its_water(page: Any, studio: Any) -> None:
    level = uc.generate("cozy", seed=1)
    pools = np.argwhere(level.tiles == level.palette["water"])
    y, x = pools[len(pools) // 2].tolist()
    opened(page, studio, COZY)
    page.locator(".stage-title p", has_text="seed 1").first.wait_for()
    page.keyboard.press("l")
    page.mouse.click(*place_of(page, x, y, level.width, level.height))
    page.locator(".plate.kept").first.wait_for()
    stay = int(page.locator(".tool-options").inner_text().split(" cells stay")[0].split()[-1])
    label = next(label for label in np.unique(level.regions.labels[y - 9 : y + 10, x - 9 : x + 10]) if label)
    assert stay > np.count_nonzero(level.regions.labels == label) or stay > 40


def test_a_failure_offers_only_what_helps_and_all_parts_say_so(page: Any, studio: Any) -> None:
    opened(page, studio, COZY)
    page.get_by_role("button", name=re.compile("^Choose layouts")).click()
    field = page.get_by_role("dialog").get_by_role("textbox", name=re.compile("typed$"))
    field.fill("hal")
    field.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Done").click()
    card = page.locator(".gave-up")
    card.wait_for()
    assert card.locator(".state-title").inner_text().startswith("Unknown layout 'hal'")
    assert card.get_by_role("button").all_inner_texts() == ["Undo", "Show it"]
    assert page.locator(".panel-foot").first.inner_text().startswith("No level came of it")
    measures = page.locator(".measuring")
    assert measures.locator(".chip").inner_text() == "not made"
    await_count(measures.get_by_text("These are the measures of the level before"), 1)
    card.get_by_role("button", name="Undo").click()
    card.wait_for(state="detached")
    page.locator(".panel-foot", has_text="No problems").first.wait_for()
    assert measures.locator(".chip").inner_text() == "met"


def test_a_text_beyond_the_limit_is_refused_in_a_sentence(page: Any, studio: Any) -> None:
    opened(page, studio, COZY)
    text = "# " + "x" * limits.STUDIO_REQUEST_BYTES.value + "\n"
    page.locator(".text-pane .cm-content").click()
    page.keyboard.press("Control+Home")
    page.evaluate(
        """(text) => {
            const data = new DataTransfer()
            data.setData("text/plain", text)
            const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
            document.querySelector(".text-pane .cm-content").dispatchEvent(paste)
        }""",
        text,
    )
    page.locator(".text-problems").wait_for()
    page.locator(".lens", has_text="This is too long for the studio").wait_for()
    assert page.locator(".connected.open").count() == 1, "the connection is not lost"


def test_word_seeds_are_shown_whole(new_page: Any, studio: Any) -> None:
    seed = "the drowned halls of Marn"
    for width, height in ((1440, 900), (1280, 720), (900, 700)):
        page = new_page(width, height)
        page.goto(f"{studio.address}&recipe=cozy&seed={seed}&style=plain")
        field = page.get_by_label("Seed: a number or words")
        until(page, field.input_value, seed)
        wide, needs = field.evaluate("(field) => [field.clientWidth, field.scrollWidth]")
        assert needs <= wide, f"{width}: {needs} pixels of text in {wide}"
        star = page.get_by_role("button", name="Favourite", exact=True).bounding_box()
        box = field.bounding_box()
        assert box["x"] + box["width"] <= star["x"] + 1


def test_the_thread_goes_when_the_slider_is_released(page: Any, studio: Any) -> None:
    opened(page, studio, COZY)
    slider = page.get_by_role("slider", name="coverage")
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] / 2, steps=4)
    page.locator("svg.thread").wait_for(state="attached")
    page.mouse.up()
    page.locator("svg.thread").wait_for(state="detached")
    slider.press("ArrowLeft")  # by keyboard it shows again
    slider.blur()
    assert page.locator("svg.thread").count() == 0


def test_a_zoomed_page_scrolls_to_everything(new_page: Any, studio: Any) -> None:
    """A window of 1280x720 at 200 % has 640x360 CSS pixels."""
    page = new_page(640, 360)
    opened(page, studio, COZY)
    for key in "1234":
        page.keyboard.press(key)
        page.wait_for_timeout(200)
        high = page.evaluate("() => document.documentElement.scrollHeight")
        assert high > 360
        page.mouse.move(320, 20)
        page.mouse.wheel(0, 2000)
        until(page, lambda: page.evaluate("() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1"))
        page.evaluate("() => scrollTo(0, 0)")


def test_a_slow_picture_says_so(page: Any, studio: Any, gate: Gate) -> None:
    gate.shut = "picture"
    opened(page, studio, "recipe=cozy&seed=1&style=ink")
    note = page.locator(".drawing")
    note.wait_for()
    assert note.inner_text() == "Drawing in ink. Until then this is a sketch"
    gate.open()
    note.wait_for(state="detached")


def test_a_large_map_is_sharp_when_it_is_zoomed(page: Any, studio: Any) -> None:
    """The page paints what is seen: a cell of the screen has more than the few pixels of a sketch of the whole map."""
    opened(page, studio, "recipe=cave&seed=1&size=700x600&style=ink")
    page.locator(".stage-title p", has_text="seed 1").first.wait_for()
    for _ in range(16):
        page.keyboard.press("+")
    page.wait_for_timeout(300)
    finest = page.evaluate(
        """() => {
            const canvas = document.querySelector(".make-stage .map-canvas")
            const { width, height } = canvas
            const data = canvas.getContext("2d").getImageData(0, 0, width, height).data
            let least = width
            for (let y = 100; y < height - 100; y += 3) {
                let run = -width  // the first run of a row may be cut
                for (let x = 101; x < width - 100; x++) {
                    const at = (y * width + x) * 4
                    run++
                    if (data[at] !== data[at - 4]) { if (run > 0) least = Math.min(least, run); run = 0 }
                }
            }
            return least
        }"""
    )
    assert finest <= 4, f"the finest line is {finest} pixels wide"
