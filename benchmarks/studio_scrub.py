"""How long a jump on the timeline takes, in a real browser: from the pointer's press to the frame that shows the map of
that turn.

    python -m benchmarks.studio_scrub [--rewrites 100000] [--jumps 120] [--json]

It starts a server of its own with a recipe of so many rewrites, opens Understand, and presses the timeline at places
all over it. A jump ends after the frame in which the map was painted; waiting for a frame is part of it, as it is for
the user.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.studio import FLAGS, Server

TARGET = 50.0
"""The most milliseconds that 95 of 100 jumps may take."""


def recipe(rewrites: int) -> str:
    """A recipe whose rules fire so many times."""
    side = int((rewrites * 1.09) ** 0.5) + 1
    return f'''about = "So many rewrites that scrubbing them is a test"
size = [{side}, {side}]

[[step]]
use = "fill"

[[step]]
use = "rewrite"
id = "grow"
rules = """
one  seed, once
    # -> .

one  dig, turned, up to {rewrites} times
    .# -> ..
"""

[[step]]
use = "survey"

[[step]]
use = "ends"
'''


JUMPS = """
async ({ places, margin, right }) => {
  const strip = document.querySelector(".under-strip canvas")
  const map = document.querySelector(".under-stage .map-canvas")
  const box = strip.getBoundingClientRect()
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel()
    channel.port1.onmessage = () => done()
    channel.port2.postMessage(0)
  }))
  const how = { clientY: box.top + 60, pointerId: 1, button: 0, buttons: 1, bubbles: true }
  const press = (kind, x) => strip.dispatchEvent(new PointerEvent(kind, { ...how, clientX: x }))
  strip.setPointerCapture = () => undefined
  const times = []
  for (const place of places) {
    const x = box.left + margin + place * (box.width - margin - right)
    await new Promise((done) => setTimeout(done, 30))
    const began = performance.now()
    press("pointerdown", x)
    const wanted = strip.getAttribute("aria-valuenow")
    do await painted()
    while (map.dataset.turn !== strip.getAttribute("aria-valuenow") && performance.now() - began < 2000)
    times.push([performance.now() - began, Number(map.dataset.turn), wanted])
    press("pointerup", x)
  }
  return times
}
"""


def measured(page: Any, jumps: int) -> tuple[list[float], list[int]]:
    """Milliseconds of each jump, and the turns it went to. `page` shows Understand with its log."""
    places = [(k * 0.6180339887) % 1 for k in range(1, jumps + 1)]  # over the whole timeline, in no order
    found = page.evaluate(JUMPS, {"places": places, "margin": 152, "right": 24})
    return [one[0] for one in found], [one[1] for one in found]


def share(values: list[float], of: float) -> float:
    """The value that a share of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(of * len(ordered)))]


def run(rewrites: int = 100_000, jumps: int = 120) -> dict[str, Any]:
    """Start the server and the browser, measure, end both."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        sys.exit("there is no chromium on this machine: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "long.toml").write_text(recipe(rewrites))
        server = Server(folder)
        try:
            with sync_playwright() as play:
                browser = play.chromium.launch(executable_path=program, args=FLAGS)
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                page.goto(f"{server.address}&path=long.toml&seed=1")
                page.locator(".make-stage, .under-stage").first.wait_for()
                page.keyboard.press("2")
                page.locator(f".under-strip canvas[aria-valuemax='{rewrites + 1}']").wait_for(timeout=60_000)
                page.wait_for_timeout(1500)
                times, turns = measured(page, jumps)
                browser.close()
        finally:
            server.end()
    return {
        "rewrites": rewrites,
        "jumps": len(times),
        "median": round(share(times, 0.5), 1),
        "p95": round(share(times, 0.95), 1),
        "most": round(max(times), 1),
        "turns": len(set(turns)),
        "target": TARGET,
    }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rewrites", type=int, default=100_000)
    parser.add_argument("--jumps", type=int, default=120)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = run(asked.rewrites, asked.jumps)
    told = (
        f"p95 {found['p95']} ms a jump (median {found['median']}, most {found['most']}, {found['jumps']} jumps); at "
        f"most {TARGET:g}"
    )
    sys.stdout.write(json.dumps(found) + "\n" if asked.json else f"scrubbing {found['rewrites']:,} rewrites: {told}\n")
    sys.exit(found["p95"] > TARGET)


if __name__ == "__main__":
    main()
