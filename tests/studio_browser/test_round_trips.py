"""Views give back their elements and listeners: the page holds no more after many round trips through all of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studio_browser.views import VIEWS, opened

ROUND = ("understand", "explore", "compare", "rules", "layouts")
FEW, MANY = (2, 4), (15, 60)
"""Round trips before the first look, and between the first and the second."""
GROWTH = 1.05
NOT_OURS = ("code", "native", "hidden", "synthetic")
"""What the browser holds besides the objects of the page. It compiles what runs often, again and again."""


def go_round(page: Any) -> None:
    """Open each view once, and go back to Make."""
    for view in ROUND:
        VIEWS[view](page)
        page.keyboard.press("Escape")
        page.get_by_role("navigation", name="Views").get_by_role("button", name="Make").click()
        page.locator(".stage-title").wait_for()


def measure_memory(page: Any) -> dict[str, float]:
    """Elements, listeners and bytes of objects that the page holds after it has forgotten what nobody needs."""
    page.wait_for_timeout(300)
    speaking = page.context.new_cdp_session(page)
    chunks: list[str] = []
    speaking.on("HeapProfiler.addHeapSnapshotChunk", lambda event: chunks.append(event["chunk"]))
    for _ in range(3):
        speaking.send("HeapProfiler.collectGarbage")
    speaking.send("Performance.enable")
    found = {one["name"]: one["value"] for one in speaking.send("Performance.getMetrics")["metrics"]}
    speaking.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    speaking.detach()
    return {name: found[name] for name in ("Nodes", "JSEventListeners")} | {"objects": sum_objects("".join(chunks))}


def sum_objects(snapshot: str) -> int:
    """The bytes of the page's own objects in a snapshot of its memory."""
    data = json.loads(snapshot)
    meta = data["snapshot"]["meta"]
    fields, kinds, nodes = meta["node_fields"], meta["node_types"][0], data["nodes"]
    step, skipped = len(fields), {kinds.index(kind) for kind in NOT_OURS}
    sizes = zip(nodes[fields.index("type") :: step], nodes[fields.index("self_size") :: step], strict=True)
    return sum(size for kind, size in sizes if kind not in skipped)


@pytest.mark.parametrize("trips", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_round_trips_through_all_views_leave_nothing(page: Any, studio: Any, trips: tuple[int, int]) -> None:
    opened(page, studio)
    first, more = trips
    for _ in range(first):
        go_round(page)
    before = measure_memory(page)
    for _ in range(more):
        go_round(page)
    after = measure_memory(page)
    grown = {name: after[name] / before[name] for name in before}
    assert max(grown.values()) <= GROWTH, f"{before} became {after}"
