"""Measure the studio in a real browser: the wait for a picture, how smoothly a map moves, the memory of the server.

    make bench-studio
    python -m benchmarks.studio --only press --only wall

All times are taken in the page, from the press of a key to the frame that shows the answer. A busy machine slows all of
them: run it on two idle cores.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "undercroft" / "studio" / "static"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

TOOLS = r"""
  // Levels are counted as they come, before the page sees them.
  const Plain = WebSocket
  globalThis.come = { levels: 0 }
  globalThis.WebSocket = class extends Plain {
    constructor(...about) {
      super(...about)
      this.addEventListener("message", ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return
        const head = new TextDecoder().decode(new Uint8Array(data, 4, new DataView(data).getUint32(0, true)))
        if (head.includes('"requirements"')) come.levels++
      })
    }
  }
  globalThis.sleep = (time) => new Promise((done) => setTimeout(done, time))
  globalThis.turn = () => new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => done()
    port2.postMessage(0)
  })
  // After the next frame was painted.
  globalThis.painted = () => new Promise((done) => requestAnimationFrame(() => turn().then(done)))
  globalThis.until = async (holds, most = 30000) => {
    const end = performance.now() + most
    while (!holds()) {
      if (performance.now() > end) throw new Error("nothing came: " + holds)
      await sleep(1) // who waits here without a pause takes a core from the studio
    }
  }
  globalThis.press = (key) =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
"""
PRESSES = """
async ({ times, pause }) => {
  const found = []
  for (let k = 0; k < times; k++) {
    await sleep(pause)
    const before = come.levels, title = document.querySelector(".stage-title p").textContent
    let bar = false
    const watch = new MutationObserver(() => (bar ||= document.querySelector(".progress") !== null))
    watch.observe(document.body, { childList: true, subtree: true })
    const began = performance.now()
    press(" ")
    await until(() => come.levels > before && document.querySelector(".stage-title p").textContent !== title)
    await painted()
    found.push({ time: performance.now() - began, bar })
    watch.disconnect()
  }
  return found
}
"""
SLIDES = """
async ({ times, pause }) => {
  const slider = document.querySelector("[data-turned] input[type=range]")
  const found = []
  for (let k = 0; k < times; k++) {
    await sleep(pause)
    const before = come.levels
    const began = performance.now()
    slider.value = String(
      Number(slider.min) + (Number(slider.max) - Number(slider.min)) * (0.35 + 0.1 * ((k * 0.618) % 1))
    )
    slider.dispatchEvent(new Event("input", { bubbles: true }))
    await until(() => come.levels > before)
    await painted()
    found.push({ time: performance.now() - began })
    slider.dispatchEvent(new Event("change", { bubbles: true }))
  }
  return found
}
"""
FRAMES = """
async ({ seconds, what }) => {
  const map = document.querySelector(".map-canvas"), box = map.getBoundingClientRect()
  map.setPointerCapture = map.releasePointerCapture = () => undefined
  map.hasPointerCapture = () => true
  const at = (angle) => ({
    clientX: box.left + box.width * (0.5 + 0.3 * Math.cos(angle)),
    clientY: box.top + box.height * (0.5 + 0.3 * Math.sin(angle))
  })
  const mouse = { pointerId: 1, pointerType: "mouse", button: 0, buttons: 1, isPrimary: true, bubbles: true }
  const point = (kind, angle) => map.dispatchEvent(new PointerEvent(kind, { ...at(angle), ...mouse }))
  const gaps = []
  let last = performance.now(), end = last + seconds * 1000, k = 0
  if (what === "pan") point("pointerdown", 0)
  while (last < end) {
    k++
    if (what === "pan") point("pointermove", k / 15)
    else map.dispatchEvent(new WheelEvent("wheel", {
      ...at(k / 40), deltaY: (k >> 5) % 2 ? 60 : -60, bubbles: true, cancelable: true
    }))
    await new Promise((done) => requestAnimationFrame(done))
    const now = performance.now()
    gaps.push(now - last)
    last = now
  }
  if (what === "pan") point("pointerup", k / 15)
  return gaps
}
"""
WALL = """
async () => {
  const seeds = () => [...document.querySelectorAll(".xp-seed")].map((one) => one.dataset.seed).sort().join()
  const full = () => document.querySelectorAll(".xp-wall .thumb:not(.empty)").length >= 48
    && document.querySelector(".xp-wall").ariaBusy === "false"
  const before = seeds()
  const began = performance.now()
  press(before ? " " : "3")
  await until(() => seeds() !== before && full())
  await painted()
  return performance.now() - began
}
"""


class Server:
    """`undercroft studio`, on a folder of its own."""

    def __init__(self, folder: str, *options: str) -> None:
        command = [
            sys.executable,
            "-m",
            "undercroft",
            "studio",
            "--no-browser",
            "--token",
            "bench",
            "--project",
            folder,
            *options,
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[-1]

    @property
    def memory(self) -> float:
        """Megabytes of the server process itself."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=15)


@contextlib.contextmanager
def serving(*options: str) -> Iterator[Server]:
    """A server, as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder, *options)
        try:
            yield server
        finally:
            server.end()


def share(values: list[float], of: float = 0.95) -> float:
    """The value that a share of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(of * len(ordered)))]


class Visit:
    """A browser at a server."""

    def __init__(self, browser: Any, server: Server) -> None:
        self.browser, self.server = browser, server

    @contextlib.contextmanager
    def page(self, what: str) -> Iterator[Any]:
        """A page that shows a level."""
        context = self.browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="dark")
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(TOOLS)
        page.goto(f"{self.server.address}&{what}")
        page.locator(".stage-title").wait_for()
        page.wait_for_timeout(1500)
        yield page
        context.close()


def pressing(visit: Visit) -> Iterator[Figure]:
    """Space, then a slider, at 80x50."""
    for recipe, size in (("cave", "80x50"), ("rooms-and-mazes", "81x51")):
        with visit.page(f"recipe={recipe}&seed=1&size={size}") as page:
            page.evaluate(PRESSES, {"times": 10, "pause": 50})
            for what, script in (("key press", PRESSES), ("slider", SLIDES)):
                times = [one["time"] for one in page.evaluate(script, {"times": 100, "pause": 120})]
                yield Figure(
                    f"{what} to new picture, {recipe} {size}: p95 under 100 ms (median {share(times, 0.5):.0f})",
                    share(times),
                    100,
                    "ms",
                )


def large(visit: Visit) -> Iterator[Figure]:
    """Space at 512x512. A wait that users notice must show progress."""
    for recipe, size in (("cave", "512x512"), ("rooms-and-mazes", "511x511")):
        with visit.page(f"recipe={recipe}&seed=1&size={size}") as page:
            found = page.evaluate(PRESSES, {"times": 20, "pause": 300})
            times = [one["time"] for one in found]
            yield Figure(
                f"key press to new picture, {recipe} {size}: p95 under 500 ms (median {share(times, 0.5):.0f})",
                share(times),
                500,
                "ms",
            )
            silent = sum(one["time"] > 300 and not one["bar"] for one in found)
            yield Figure(
                f"of these, over 300 ms without a progress bar ({sum(one['bar'] for one in found)} of {len(found)} "
                "had one)",
                silent,
                0,
                "presses",
            )


def moving(visit: Visit) -> Iterator[Figure]:
    """Panning and zooming a large map."""
    with visit.page("recipe=cave&seed=1&size=1024x1024") as page:
        for what in ("pan", "zoom"):
            gaps = page.evaluate(FRAMES, {"seconds": 4, "what": what})
            rate = 1000 * len(gaps) / sum(gaps)
            yield Figure(
                f"{what} of 1024x1024: 50 frames a second or more (longest 5 % of frames: {share(gaps):.0f} ms)",
                rate,
                50,
                "frames/s",
                at_least=True,
            )


def walls(visit: Visit) -> Iterator[Figure]:
    """48 seeds, as they are when Explore is opened first, and then New 48."""
    with visit.page("recipe=cave&seed=1&size=80x50") as page:
        for what in ("first wall", "next wall"):
            yield Figure(f"{what} of 48 seeds of 80x50: under 2 s", page.evaluate(WALL) / 1000, 2, "s")
            page.wait_for_timeout(6000)


def scrubbing(_: Visit) -> Iterator[Figure]:
    """Jumps on the timeline, by a separate program."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.studio_scrub", "--json"], capture_output=True, text=True, check=False
    )
    value = json.loads(done.stdout)["p95"] if done.stdout.startswith("{") else None
    yield Figure("scrubbing 100,000 rewrites: p95 of a jump under 50 ms", value, 50, "ms")


def weight(_: Visit) -> Iterator[Figure]:
    """All that the browser loads."""
    total = sum(len(gzip.compress(path.read_bytes(), 9)) for path in STATIC.iterdir() if path.is_file())
    yield Figure("the page, gzipped: under 400 kB", total / 1000, 400, "kB")


def memory(_: Visit) -> Iterator[Figure]:
    """Memory of an idle server."""
    with serving() as server:
        time.sleep(2)
        yield Figure("idle memory of the server: under 120 MB", server.memory, 120, "MB")


def cancelling(_: Visit) -> Iterator[Figure]:
    """How soon a single worker takes the next request after the request for a large map is cancelled."""
    from websockets.sync.client import connect

    heavy = {"recipe": {"name": "cozy"}, "seed": "1", "size": [1000, 1000], "params": {}, "until": [], "tries": 100}
    light = {**heavy, "recipe": {"name": "cave"}, "size": [20, 20]}
    with (
        serving("--workers", "1") as server,
        connect(
            server.address.split("#")[0].replace("http", "ws") + "api/live", max_size=None, compression=None
        ) as line,
    ):
        line.send(json.dumps({"token": "bench"}))

        def ask(number: int, lane: str, source: dict[str, Any]) -> None:
            line.send(json.dumps({"id": number, "lane": lane, "do": "make", "measures": [], **source}))

        def hear(number: int) -> None:
            wanted = f'"id":{number},'
            while True:
                said = line.recv()
                head = said if isinstance(said, str) else said[4 : 4 + int.from_bytes(said[:4], "little")].decode()
                if wanted in head.replace(" ", "") and '"progress"' not in head:
                    return

        ask(1, "x", light)
        hear(1)
        times = []
        for k in range(20):
            ask(10 + 2 * k, "heavy", heavy)
            time.sleep(0.05 + 0.02 * k)
            began = time.perf_counter()
            line.send(json.dumps({"cancel": "heavy"}))
            ask(11 + 2 * k, "light", light)
            hear(11 + 2 * k)
            times.append((time.perf_counter() - began) * 1000)
    yield Figure(
        f"cancel to stopped, and to the next small level: p95 under 200 ms (median {share(times, 0.5):.0f})",
        share(times),
        200,
        "ms",
    )


PARTS: dict[str, Callable[[Visit], Iterator[Figure]]] = {
    "press": pressing,
    "large": large,
    "move": moving,
    "scrub": scrubbing,
    "wall": walls,
    "weight": weight,
    "memory": memory,
    "cancel": cancelling,
}


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.studio", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", choices=PARTS, help="one of the parts; may be given more than once")
    parser.add_argument("--json", type=Path, help="write the figures for a program")
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None or not (STATIC / "page.js").exists():
        sys.exit("it needs chromium and the built page: make bench-studio")
    load = os.getloadavg()[0]
    if load > 1:
        print(f"note: others use this machine (load {load:.1f}), so times are longer than they could be")
    figures: list[Figure] = []
    with sync_playwright() as play, serving() as server:
        browser = play.chromium.launch(executable_path=program, args=FLAGS)
        for name in asked.only or PARTS:
            for figure in PARTS[name](Visit(browser, server)):
                print(figure, flush=True)
                figures.append(figure)
        browser.close()
    if asked.json:
        asked.json.write_text(
            json.dumps([{**dataclasses.asdict(one), "verdict": one.verdict} for one in figures], indent=1)
        )


if __name__ == "__main__":
    main()
