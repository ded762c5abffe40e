"""Looks at the page: starts Chromium, does some steps, and saves screenshots.

    python studio/look.py --at http://127.0.0.1:8123/#token=TEST --out /tmp/look \\
        --sizes 1440x900,1280x720 --themes dark,light STEP...

A step is one of
    key:Space             press a key
    click:TEXT            click the button, tab or card with that text or label
    css:SELECTOR          click an element
    type:TEXT             type into what has the focus
    wait:SECONDS          wait
    shot:NAME             save NAME-SIZE-THEME.png (at the end `page` is saved anyway)
    eval:SCRIPT           run a script in the page
    hover:X,Y             move the pointer there
    drag:X,Y,X,Y          drag
    select:LABEL=VALUE    choose in a menu
    fill:LABEL=VALUE      fill a field, then Enter
    offline: / online:    cut and mend the network
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def do(page: Any, step: str, save: Any) -> None:
    """One step."""
    kind, _, rest = step.partition(":")
    if kind == "key":
        page.keyboard.press(rest)
    elif kind == "click":
        roles = [page.get_by_role(role, name=rest, exact=True) for role in ("button", "radio", "tab")]
        button = roles[0].or_(roles[1]).or_(roles[2])
        (button.first if button.count() else page.get_by_text(rest, exact=True).first).click()
    elif kind == "css":
        page.locator(rest).first.click()
    elif kind == "type":
        page.keyboard.type(rest)
    elif kind == "wait":
        page.wait_for_timeout(float(rest) * 1000)
    elif kind == "shot":
        save(rest)
    elif kind == "eval":
        sys.stdout.write(f"{page.evaluate(rest)}\n")
    elif kind == "hover":
        page.mouse.move(*map(float, rest.split(",")))
    elif kind == "drag":
        x0, y0, x1, y1 = map(float, rest.split(","))
        page.mouse.move(x0, y0)
        page.mouse.down()
        for part in range(1, 9):
            page.mouse.move(x0 + (x1 - x0) * part / 8, y0 + (y1 - y0) * part / 8)
        page.mouse.up()
    elif kind == "select":
        label, _, value = rest.partition("=")
        page.get_by_label(label).first.select_option(value)
    elif kind == "fill":
        label, _, value = rest.partition("=")
        field = page.get_by_label(label).first
        field.fill(value)
        field.press("Enter")
    elif kind == "offline":
        page.context.set_offline(True)
    elif kind == "online":
        page.context.set_offline(False)
    else:
        sys.exit(f"no such step: {step}")


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at", default="http://127.0.0.1:8123/#token=TEST")
    parser.add_argument("--out", type=Path, default=Path("/tmp/look"))
    parser.add_argument("--sizes", default="1440x900")
    parser.add_argument("--themes", default="dark")
    parser.add_argument("--touch", action="store_true", help="a tablet: fingers instead of a mouse")
    parser.add_argument("steps", nargs="*")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for size in asked.sizes.split(","):
            width, height = map(int, size.split("x"))
            for theme in asked.themes.split(","):
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    color_scheme=theme,
                    has_touch=asked.touch,
                    is_mobile=asked.touch,
                )
                page = context.new_page()
                page.on(
                    "console",
                    lambda message: (
                        sys.stdout.write(f"console: {message.text}\n") if message.type in ("error", "warning") else None
                    ),
                )
                page.on("pageerror", lambda error: sys.stdout.write(f"ERROR: {error}\n"))

                def save(name: str, size: str = size, theme: str = theme, page: Any = page) -> None:
                    page.screenshot(path=asked.out / f"{name}-{size}-{theme}.png")

                page.goto(asked.at)
                page.wait_for_timeout(800)
                for step in asked.steps:
                    do(page, step, save)
                save("page")
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
