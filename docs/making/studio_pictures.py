"""The pictures of docs/studio.md: the studio as it is, in a browser, at work on `examples/`.

    python docs/making/studio_pictures.py [NAME...]

It needs the built page (`make studio-page`), Playwright and Chromium.
It is no part of `make docs`: browsers draw letters a little otherwise on every machine.
"""

from __future__ import annotations

import io
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

import undercroft as uc

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LARGEST = 120_000
"""Bytes that a picture may have."""


class Scene(NamedTuple):
    """A picture: its name, the theme, what is opened, and what is done then."""

    name: str
    theme: str
    what: str
    play: Callable[[Any], None]
    size: tuple[int, int] = (1440, 900)


def seeds(page: Any, *wanted: str) -> None:
    """Type seeds one after the other, so that there is a history."""
    for seed in wanted:
        field = page.get_by_label("Seed: a number or words")
        field.fill(seed)
        field.press("Enter")
        page.locator(".stage-title p", has_text=f"seed {seed}").wait_for()
        page.wait_for_timeout(700)
    page.locator(".map-canvas").focus()


def show_slider(page: Any) -> None:
    """A slider in use, tied to its number."""
    seeds(page, "12", "7", "21", "5")
    page.keyboard.press("f")
    slider = page.get_by_label("winding", exact=True)
    slider.focus()
    slider.press("ArrowRight")
    page.wait_for_timeout(6000)  # the picture of the style comes when the hand rests


def show_kept_rooms(page: Any) -> None:
    """Rooms that stay."""
    seeds(page, "9", "14")
    page.keyboard.press("l")
    box = page.locator(".map-canvas").bounding_box()
    left, top, right, bottom = 20, 56, 20, 72  # what the view leaves free round the map
    wide, high = box["width"] - left - right, box["height"] - top - bottom
    scale = min(wide / 60, high / 40)
    rooms = uc.generate("bsp", seed="14", size=(60, 40)).rooms
    for room in (rooms[2], rooms[3], rooms[12]):
        across, down = room.x + room.width / 2, room.y + room.height / 2
        page.mouse.click(
            box["x"] + left + wide / 2 + (across - 30) * scale, box["y"] + top + high / 2 + (down - 20) * scale
        )
        page.wait_for_timeout(300)
    page.mouse.move(0, 0)
    page.wait_for_timeout(5000)


def understood(page: Any) -> None:
    """In the middle of the rules."""
    page.keyboard.press("2")
    strip = page.locator(".under-strip canvas")
    page.locator(".under-rule").first.wait_for()
    page.wait_for_timeout(1200)
    box = strip.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.72, box["y"] + 60)
    page.locator(".under-rule").nth(1).click()
    page.wait_for_timeout(1500)
    stage = page.locator(".under-stage .map-canvas").bounding_box()
    page.mouse.move(stage["x"] + stage["width"] * 0.605, stage["y"] + stage["height"] * 0.42)
    page.wait_for_timeout(500)


def explored(page: Any) -> None:
    """A wall, and the range behind it."""
    page.keyboard.press("3")
    page.locator(".xp-wall .thumb:not(.empty)").nth(47).wait_for()
    page.get_by_text("1,200 seeds measured").wait_for(timeout=120_000)
    page.wait_for_timeout(1500)


def compared(page: Any) -> None:
    """Two seeds side by side."""
    explored(page)
    for mark, at in (("a", 1), ("b", 30)):
        page.locator(".xp-picture").nth(at).focus()
        page.keyboard.press(mark)
    page.keyboard.press("c")
    page.locator(".view-explore .map-canvas").nth(1).wait_for()
    page.wait_for_timeout(1500)


def ruled(page: Any) -> None:
    """A rule file, drawn and as text."""
    page.keyboard.press("4")
    page.get_by_role("radio", name="Rules", exact=True).click()
    page.wait_for_timeout(2500)


def laid_out(page: Any) -> None:
    """A layout over many sizes."""
    page.keyboard.press("4")
    page.get_by_role("radio", name="Layouts", exact=True).click()
    page.get_by_text("throne", exact=True).first.click()
    page.wait_for_timeout(3000)


def exported(page: Any) -> None:
    """Several formats at once."""
    page.keyboard.press("e")
    page.locator("dialog[open]").wait_for()
    page.wait_for_timeout(1500)
    page.get_by_role("checkbox", name="Export Tiled map", exact=True).click()
    page.wait_for_timeout(3500)


KEEP = "recipe=rooms-and-mazes&seed=3&size=61x41"
SCENES = (
    Scene("make", "dark", KEEP, show_slider),
    Scene("make-light", "light", KEEP, show_slider),
    Scene("keep", "light", "recipe=bsp&seed=9&size=60x40", show_kept_rooms),
    Scene("understand", "dark", "path=ossuary.toml&seed=4", understood),
    Scene("explore", "dark", "recipe=cave&seed=7&size=60x40", explored),
    Scene("compare", "light", "recipe=cave&seed=7&size=60x40", compared),
    Scene("rules", "dark", KEEP, ruled),
    Scene("layouts", "light", KEEP, laid_out),
    Scene("export", "dark", KEEP, exported),
    Scene("tablet", "dark", KEEP, lambda page: seeds(page, "12", "7"), (820, 1180)),
)


def small(shot: bytes) -> bytes:
    """The same as WebP, as sharp as the bytes allow."""
    whole = Image.open(io.BytesIO(shot)).convert("RGB")
    for part in (1, 0.85, 0.75, 0.6):
        image = (
            whole.resize((round(whole.width * part), round(whole.height * part)), Image.Resampling.LANCZOS)
            if part < 1
            else whole
        )
        for quality in range(88, 59, -4):
            into = io.BytesIO()
            image.save(into, "WEBP", quality=quality, method=6)
            if into.tell() <= LARGEST:
                return into.getvalue()
    raise ValueError("the picture cannot be made small enough")


def draw(names: list[str]) -> None:
    """Draw these pictures, or all."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        project = Path(folder) / "keep"
        shutil.copytree(
            ROOT / "examples", project, ignore=shutil.ignore_patterns("*.py", "*.md", "ruff.toml", "godot", "*.gd")
        )
        command = [
            sys.executable,
            "-m",
            "undercroft",
            "studio",
            "--no-browser",
            "--token",
            "pictures",
            "--project",
            str(project),
        ]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        browser = play.chromium.launch(executable_path=program, args=FLAGS)
        try:
            for scene in SCENES:
                if names and scene.name not in names:
                    continue
                width, height = scene.size
                page = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=scene.theme, reduced_motion="reduce"
                ).new_page()
                page.goto(f"{address}&{scene.what}")
                page.locator(".stage-title").wait_for()
                page.wait_for_timeout(2500)  # the picture of the style
                scene.play(page)
                page.wait_for_timeout(2500)
                data = small(page.screenshot())
                (PICTURES / f"studio-{scene.name}.webp").write_bytes(data)
                sys.stdout.write(f"studio-{scene.name}.webp  {len(data):,} bytes\n")
                page.context.close()
        finally:
            browser.close()
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=15)


if __name__ == "__main__":
    draw(sys.argv[1:])
