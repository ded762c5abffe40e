"""Random clicks, typing, keys, drags, cancels and bad input: nothing breaks, nothing leaks.

Twelve seconds, or two minutes with `UNDERCROFT_HEAVY=1`. What is done follows from the seed, though not when: a failure
names the last things that were done.
"""

from __future__ import annotations

import os
import random
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from studio_browser.views import opened
from support.studio_pages import source

SECONDS = 120 if os.environ.get("UNDERCROFT_HEAVY") == "1" else 12
SEED = int(os.environ.get("UNDERCROFT_SOAK_SEED", "1"))
TOLERATED = ("400", "404", "409", "413", "422")
"""Answers to what was asked wrongly. The browser itself tells of them in its console."""

CONTROLS = """
() => {
  const room = document.querySelector("dialog[open]") ?? document.body
  const can = "button, a[href], input, select, summary, canvas, .cm-content, "
    + "[role=slider], [role=radio], [role=option], [role=tab], [tabindex='0']"
  const live = (one) => !one.disabled && one.checkVisibility({ visibilityProperty: true })
  return [...room.querySelectorAll(can)].filter(live).map((one) => {
    const box = one.getBoundingClientRect()
    const kind = one.matches(".cm-content") ? "text" : one.tagName === "INPUT" ? one.type : one.tagName.toLowerCase()
    const name = one.getAttribute("aria-label") || one.textContent.trim().slice(0, 30)
    return { kind, name, x: box.x, y: box.y, width: box.width, height: box.height }
  }).filter((one) => one.width > 3 && one.height > 3 && one.x >= 0 && one.y >= 0
    && one.x + 4 < innerWidth && one.y + 4 < innerHeight)
}
"""
KEYS = (
    *"1234[]f0+-elbhk,.<>wrdgtpcsaxi?",
    *(
        "Space",
        "Shift+C",
        "Shift+R",
        "Escape",
        "Escape",
        "Escape",
        "Enter",
        "Tab",
        "Tab",
        "Shift+Tab",
        "Backspace",
        "Delete",
        "F8",
        "Home",
        "End",
        "PageDown",
    ),
    *("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Alt+ArrowUp", "Alt+Enter"),
    *("Control+z", "Control+y", "Control+p", "Control+s", "Control+a", "Control+Home"),
)
TEXTS = (
    *(
        "7",
        "0",
        "-1",
        "1e9",
        "999999999999999999999",
        "the old well",
        "ünïcødé ☃",
        "<b>&amp;",
        "'\"\\",
        " ",
        "NaN",
        "0x10",
        "5x5",
        "3000",
        "}{][",
    ),
    *(
        "../../etc/passwd",
        "a/b.toml",
        "x" * 300,
        '[[step]]\nuse = "maze"\n',
        "size = [9000, 9000]\n",
        "[param.x]\ndefault = 1e999\n",
    ),
    *("one  .# -> ..\n", '[require]\nrooms = ">= 900"\n', "# fine\n"),
)
VIEWS = ("Make", "Understand", "Explore", "Author")
RECIPE = "".join(f'[[step]]\nuse = "{step}"\n\n' for step in ("fill", "rooms", "survey", "ends"))


class Monkey:
    """Somebody who tries everything."""

    def __init__(self, page: Any, luck: random.Random) -> None:
        self.page, self.luck = page, luck
        self.done: deque[str] = deque(maxlen=25)
        self.count = 0

    def act(self) -> None:
        kinds = (
            self.click,
            self.click,
            self.click,
            self.click,
            self.key,
            self.key,
            self.key,
            self.type,
            self.drag,
            self.wheel,
            self.hurry,
            self.go,
        )
        kind = self.luck.choice(kinds)
        kind()
        self.count += 1

    def controls(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate(CONTROLS)
        return found

    def click(self) -> None:
        if found := self.controls():
            one = self.luck.choice(found)
            self.done.append(f"click {one['kind']} {one['name']!r}")
            at = (
                one["x"] + self.luck.random() * min(one["width"], 400),
                one["y"] + self.luck.random() * min(one["height"], 300),
            )
            self.page.mouse.click(
                *at, button=self.luck.choice(("left",) * 9 + ("right",)), click_count=self.luck.choice((1, 1, 1, 2))
            )

    def key(self) -> None:
        key = self.luck.choice(KEYS)
        self.done.append(f"key {key}")
        self.page.keyboard.press(key)

    def type(self) -> None:
        fields = [one for one in self.controls() if one["kind"] in {"text", "search", "number"}]
        if not fields:
            return
        one, text = self.luck.choice(fields), self.luck.choice(TEXTS)
        self.done.append(f"type {text[:20]!r} into {one['name']!r}")
        self.page.mouse.click(one["x"] + min(one["width"] / 2, 300), one["y"] + min(one["height"] / 2, 200))
        if self.luck.random() < 0.3:
            self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text) if self.luck.random() < 0.5 else self.page.keyboard.type(text[:40])
        if self.luck.random() < 0.6:
            self.page.keyboard.press(self.luck.choice(("Enter", "Escape", "Tab")))

    def drag(self) -> None:
        found = [one for one in self.controls() if one["kind"] in {"canvas", "range"}]
        if not found:
            return
        one = self.luck.choice(found)
        self.done.append(f"drag {one['kind']} {one['name']!r}")

        def somewhere() -> tuple[float, float]:
            return one["x"] + self.luck.random() * one["width"], one["y"] + self.luck.random() * one["height"]

        self.page.mouse.move(*somewhere())
        self.page.mouse.down()
        for _ in range(self.luck.randrange(1, 6)):
            self.page.mouse.move(*somewhere())
        if self.luck.random() < 0.2:
            self.page.keyboard.press("Escape")
        self.page.mouse.up()

    def wheel(self) -> None:
        self.done.append("wheel")
        self.page.mouse.move(self.luck.random() * 1440, self.luck.random() * 900)
        self.page.mouse.wheel(self.luck.choice((0, 0, 200)), self.luck.choice((-900, -100, 100, 900)))

    def hurry(self) -> None:
        """Many seeds at once, and then something else before they are there."""
        self.done.append("hurry")
        for _ in range(self.luck.randrange(2, 8)):
            self.page.keyboard.press("Space")
        self.page.keyboard.press(self.luck.choice(("Escape", "2", "3", "[")))

    def go(self) -> None:
        """Another view; now and then the page anew, or a large map that is given up."""
        what = self.luck.random()
        self.page.keyboard.press("Escape")
        if what < 0.15:
            self.done.append("reload")
            self.page.reload()
            self.page.locator(".connected.open").wait_for()
        elif what < 0.3:
            size = self.luck.choice(("300x200", "700x500", "5x5", "1x1", "4000x4000"))
            recipe = self.luck.choice(("cave", "maze", "grammar", "cozy", "bsp", "none such"))
            self.done.append(f"a link to {recipe} of {size}")
            self.page.evaluate(
                "(hash) => { location.hash = hash }", f"recipe={recipe}&seed={self.luck.randrange(99)}&size={size}"
            )
            self.page.wait_for_timeout(self.luck.randrange(10, 300))
            self.page.keyboard.press("Escape")
            self.page.evaluate(
                "(hash) => { location.hash = hash }", f"recipe=cave&seed={self.luck.randrange(99)}&size=40x30"
            )
        else:
            at = self.luck.randrange(len(VIEWS))
            self.done.append(f"go to {VIEWS[at]}")
            self.page.evaluate("(at) => document.querySelectorAll('nav[aria-label=Views] button')[at].click()", at)


def exercise(studio: Any) -> None:
    """Answers of all kinds, small and large, pass through the server: so its memory can be compared before and
    after.
    """
    given = source("cave", size=[81, 51])
    many = {name: given[name] for name in given if name != "seed"}
    with studio.page() as line:
        line.answers("wall", seeds=[str(seed) for seed in range(8)], measures=["loops"], **many)
        line.answers("range", first="1", count=20, measures=["loops"], **many)
        line.answer("timeline", **source("rooms-and-mazes", size=[81, 51]))
        line.answer("overlay", what=["choke", "distance"], **given)
        line.answer("picture", style="plain", cell=8, show=[], hide=[], **given)
        line.answer("rules", text=(studio.project / "moss.rules").read_text(), file="moss.rules")
        line.answer("layouts")
        line.answer("make", measures=[], **source("cave", size=[1000, 900]))
    for path, more in (
        ("files/list", {}),
        ("files/read", {"path": "mine.toml"}),
        ("export", {**given, "outputs": [{"format": "png", "path": "x.png"}], "into": "download"}),
    ):
        assert studio.post(f"/api/{path}", more)[0] == 200, path
    time.sleep(0.3)


def test_anything_breaks_nothing(new_page: Callable[..., Any], start: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("size = [41, 31]\n\n" + RECIPE)
    (tmp_path / "moss.rules").write_text("one  moss, up to 20 times, turned\n    .# -> .~\n")
    page = new_page(noisy=True, accept_downloads=True, permissions=["clipboard-read", "clipboard-write"])
    wrong: list[str] = []
    page.add_init_script(
        "window.print = () => undefined; addEventListener('unhandledrejection', (event) => console.error('unhandled: "
        "' + event.reason))"
    )
    page.on("pageerror", lambda error: wrong.append(f"thrown: {error}\n{getattr(error, 'stack', '')}"))
    page.on("console", lambda message: heard(message, wrong))
    page.on("response", lambda answer: wrong.append(f"{answer.status} {answer.url}") if answer.status >= 500 else None)
    page.on("dialog", lambda dialog: dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss())
    page.on("filechooser", lambda chooser: None)
    with start(tmp_path) as studio:
        opened(page, studio, "recipe=cave&seed=3&size=60x40")
        monkey = Monkey(page, random.Random(SEED))
        exercise(studio)
        for seconds in (SECONDS / 3, SECONDS * 2 / 3):
            exercise(studio)
            before = studio.memory  # the second time it is warm
            end = time.monotonic() + seconds
            while time.monotonic() < end and not wrong:
                monkey.act()
        page.goto("about:blank")
        assert wrong == [], f"after {monkey.count} acts, the last: " + "; ".join(monkey.done)
        exercise(studio)
        after = studio.memory
        workers = len(studio.children)
        assert studio.hello()["version"]
        code, complaints = studio.stop()  # and no process of its group is left
    assert (code, complaints) == (0, "")
    assert 1 <= workers <= 4
    assert monkey.count > SECONDS, "it did something"
    assert after < before * 1.05, (
        f"the server had {before >> 10:,} kB when warm, and {after >> 10:,} kB after {monkey.count} acts"
    )
    print(f"{monkey.count} acts; the server's memory went from {before >> 10:,} to {after >> 10:,} kB")  # noqa: T201


def heard(message: Any, wrong: list[str]) -> None:
    """Errors in the console are wrong, but for answers that say what was asked wrongly."""
    if message.type == "error" and not any(f"status of {status}" in message.text for status in TOLERATED):
        wrong.append(f"console: {message.text} {message.location.get('url', '')}")
