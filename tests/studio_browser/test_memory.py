"""The page holds no more after a hundred levels than after a few."""

from __future__ import annotations

import re
from typing import Any

WIDTH, HEIGHT = 67, 43
MANY = 80
KEPT = 60
"""Thumbnails that are remembered."""
SIZES = """
function () {
  const tiles = this.map((one) => Object.getOwnPropertyDescriptor(one, "tiles")?.value)
    .filter((one) => ArrayBuffer.isView(one))
  return [...new Set(tiles)].map((one) => [one.byteLength, one.buffer.byteLength])
}
"""


def wait_for_level(page: Any, seed: int) -> None:
    """A level of this seed is shown."""
    page.evaluate("(hash) => { location.hash = hash }", f"recipe=cave&seed={seed}&size={WIDTH}x{HEIGHT}&style=plain")
    page.locator(".stage-title p").first.filter(has_text=re.compile(rf"\bseed {seed}(,|$)")).wait_for()


def grids(page: Any) -> list[tuple[int, int]]:
    """The tiles of all levels that the page holds, after it has forgotten what nobody needs: their bytes, and those of
    what they are a part of.
    """
    speaking = page.context.new_cdp_session(page)
    kind = speaking.send("Runtime.evaluate", {"expression": "Object.prototype"})["result"]["objectId"]
    found = speaking.send("Runtime.queryObjects", {"prototypeObjectId": kind})["objects"]["objectId"]
    sizes = speaking.send(
        "Runtime.callFunctionOn", {"objectId": found, "functionDeclaration": SIZES, "returnByValue": True}
    )["result"]["value"]
    speaking.detach()
    return [(own, whole) for own, whole in sizes]


def test_many_levels_take_the_room_of_a_few(page: Any, studio: Any) -> None:
    page.goto(f"{studio.address}&recipe=cave&seed=1&size={WIDTH}x{HEIGHT}&style=plain")
    page.locator(".gallery .thumb:not(.empty)").nth(5).wait_for()
    for seed in range(2, MANY):
        wait_for_level(page, seed)
    held = grids(page)
    assert sum(own == WIDTH * HEIGHT for own, _ in held) <= KEPT + 10, "more levels than are shown or remembered"
    assert sum(whole > own for own, whole in held) <= 5, "whole answers"


IMPATIENT = """
const send = WebSocket.prototype.send
let cancelled = 0
WebSocket.prototype.send = function (message) {
  send.call(this, message)
  const asked = JSON.parse(message)
  if (asked.lane === "gallery" && !cancelled++) send.call(this, JSON.stringify({ cancel: "gallery" }))
  window.cancelled = cancelled
}
"""


def test_a_thumbnail_that_was_cancelled_is_made_all_the_same(page: Any, studio: Any) -> None:
    page.add_init_script(IMPATIENT)
    page.goto(f"{studio.address}&recipe=cave&seed=1&size={WIDTH}x{HEIGHT}&style=plain")
    page.locator(".gallery .thumb:not(.empty)").nth(5).wait_for()
    page.wait_for_function("() => window.cancelled > 2")
    page.wait_for_function("() => !document.querySelector('.gallery .thumb.empty')")
