"""Understand: the timeline, who wrote a cell, why rules do what they do, overlays, requirements and measures; all
compared with what the library says.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from studio_browser.views import await_count
from support.paths import ROOT
from undercroft.analysis import reach
from undercroft.analysis.chokes import choke_points
from undercroft.analysis.measures.table import MEASURES
from undercroft.core.run import Run
from undercroft.rewrite.coverage import CoverageTally, Recorder
from undercroft.steps.finish.rewrite import Rewrite

CRYPT = '''about = "A crypt that rules furnish"
size = [61, 41]

[[step]]
use = "fill"

[[step]]
use = "rooms"
tries = 60
extra_size = 2

[[step]]
use = "maze"
winding = 0.1

[[step]]
use = "connect"
extra = 0.04

[[step]]
use = "prune"

[[step]]
use = "rewrite"
id = "furnish"
rules = """
all  pillars, turned, chance 30%, once, keep connected(floor, corridor, door)
    .....      ?????
    .....      ?????
    .....  ->  ??o??
    .....      ?????
    .....      ?????

one  pool, up to 5 times, turned, keep connected(floor, corridor, door)
    ....      ????
    ....  ->  ?~~?
    ....      ?~~?
    ....      ????

markov
    one  open doors, turned
        ?#?      ???
        .+,  ->  ?.?
        ?#?      ???
    one  secret door, turned
        ?#?      ???
        .+,  ->  ?S?
        ?#?      ???
"""

[[step]]
use = "survey"

[[step]]
use = "interest"

[require]
components = "== 1"
rooms = ">= 6"
loops = ">= 26"
'''

KEEP = """about = "Rules in a file beside the recipe"
size = [31, 21]

[[step]]
use = "fill"

[[step]]
use = "rewrite"
id = "dig"
file = "keep.rules"
"""

RULES = """; which comes first?
markov
    one  wide, up to 30 times
        ## -> #.
    one  late
        ## -> .#
"""

IN_VAIN = """about = "A rule that comes too early: what it looks for is written later"
size = [21, 15]

[[step]]
use = "fill"
role = "floor"

[[step]]
use = "rewrite"
id = "late"
rules = "one  early, once\\n    oo -> ~~\\none  pillar, once\\n    . -> o"
"""

STRIP = ".under-strip canvas"
SEED = "9"


class ExpectedLevel:
    """What the library says of a recipe and a seed."""

    def __init__(self, path: str | Path, seed: str = SEED) -> None:
        self.recipe = uc.Recipe.load(path)
        self.timeline = uc.Timeline()
        self.result = self.recipe.generate(seed=seed, watcher=self.timeline)
        self.level = self.result.level
        self.log = self.timeline.all_turns()
        self.last = self.timeline.turns - 1

    def rules(self, step: str) -> uc.Rules:
        steps = self.recipe.prepare({}, *self.recipe.size)[1]
        found = next(
            one
            for plan, one in zip(self.recipe.plans, steps, strict=True)
            if plan.id == step and isinstance(one, Rewrite)
        )
        assert found.parsed_rules is not None
        return found.parsed_rules

    def fired(self, name: str, turn: int) -> int:
        return int(np.count_nonzero(self.log.who[1 : turn + 1] == self.log.names.index(name)))

    def history(self, x: int, y: int) -> list[tuple[int, str]]:
        """All writes to a cell, the last first."""
        cell = y * self.level.width + x
        spots = [int(spot) for spot in np.flatnonzero(self.log.cells == cell) if spot >= self.log.cell_end(1)]
        turns = [int(np.searchsorted(self.log.ends, spot, side="right")) for spot in spots]
        return [(turn, self.log.source(turn)) for turn in reversed(turns)]


@pytest.fixture(scope="module")
def crypt(studio: Any) -> ExpectedLevel:
    (studio.project / "crypt.toml").write_text(CRYPT)
    (studio.project / "keep.toml").write_text(KEEP)
    (studio.project / "keep.rules").write_text(RULES)
    shutil.copy(ROOT / "examples" / "locked-keep.toml", studio.project / "locked-keep.toml")
    return ExpectedLevel(studio.project / "crypt.toml")


@pytest.fixture
def show(page: Any, studio: Any) -> Callable[..., Any]:
    """Opens Understand with a recipe, and waits for its log."""

    def opened(recipe: str, last: int, seed: str = SEED) -> Any:
        page.goto("about:blank")
        page.goto(f"{studio.address}&{recipe}&seed={seed}")
        page.locator(".make-stage, .under-stage").first.wait_for()
        if page.locator(".under-stage").count() == 0:
            page.keyboard.press("2")
        page.locator(f"{STRIP}[aria-valuemax='{last}'][aria-valuenow='{last}']").wait_for()
        return page

    return opened


def now(page: Any) -> int:
    """The turn that is shown: on the timeline and on the map."""
    turn = int(page.locator(STRIP).get_attribute("aria-valuenow"))
    page.locator(f".under-stage .map-canvas[data-turn='{turn}']").wait_for()
    return turn


def until(found: Callable[[], Any], wanted: Any, seconds: float = 15) -> None:
    """Wait until something is as wanted."""
    end = time.monotonic() + seconds
    while (value := found()) != wanted:
        assert time.monotonic() < end, f"{value!r} is not {wanted!r}"
        time.sleep(0.03)


class Eye:
    """Where cells lie on the screen while the map fits: the margins are those of the view."""

    def __init__(self, page: Any, columns: int, rows: int) -> None:
        self.page, self.columns, self.rows = page, columns, rows
        self.box = page.locator(".under-stage .map-canvas").bounding_box()
        across, down = self.box["width"] - 40, self.box["height"] - 106
        self.scale = min(across / columns, down / rows, 48)
        self.left = 20 + (across - self.scale * columns) / 2
        self.top = 52 + (down - self.scale * rows) / 2

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place of the map, in pixels of the page."""
        return self.box["x"] + self.left + x * self.scale, self.box["y"] + self.top + y * self.scale

    def open(self) -> np.ndarray:
        """Which cells are drawn as ground."""
        where = [
            [self.left + (x + 0.3) * self.scale, self.top + (y + 0.3) * self.scale]
            for y in range(self.rows)
            for x in range(self.columns)
        ]
        read = """(places) => {
            const canvas = document.querySelector(".under-stage .map-canvas")
            const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
            const ratio = canvas.width / canvas.clientWidth
            return places.map(([x, y]) => {
                const at = (Math.floor(y * ratio) * canvas.width + Math.floor(x * ratio)) * 4
                return data.data[at + 3] ? data.data[at] + data.data[at + 1] + data.data[at + 2] : 0
            })
        }"""
        return np.array(self.page.evaluate(read, where)).reshape(self.rows, self.columns) > 90


def without_overlays(page: Any) -> None:
    chips = page.locator(".under-overlays button[aria-pressed='true']")
    while chips.count():
        chips.first.click()


def test_the_map_is_that_of_the_turn(show: Any, crypt: ExpectedLevel) -> None:
    page = show("path=crypt.toml", crypt.last)
    without_overlays(page)
    eye = Eye(page, *crypt.level.size)
    strip = page.locator(STRIP)
    strip.focus()
    page.mouse.move(5, 5)
    rock = np.isin(
        np.arange(256), [code for code, role in enumerate(crypt.level.palette.roles) if role in ("wall", "void")]
    )
    seen = []
    ends = [end for end in (crypt.level.start, crypt.level.end) if end]
    for keys in (["Home"], ["PageDown"] * 2, ["ArrowRight"] * 3, ["End"], ["ArrowLeft"] * 9):
        for key in keys:
            strip.press(key)
        turn = now(page)
        seen.append(turn)
        page.wait_for_timeout(60)
        wanted = ~rock[crypt.timeline.at(turn)]
        drawn = eye.open()
        written = crypt.timeline.change(turn).cells if turn else np.zeros(0, np.int32)
        for x, y in ends:  # these are marked, and so is what is written just now
            wanted[y - 1 : y + 2, x - 1 : x + 2] = drawn[y - 1 : y + 2, x - 1 : x + 2] = False
        wanted.reshape(-1)[written] = drawn.reshape(-1)[written] = False
        assert np.array_equal(drawn, wanted), f"turn {turn}: {np.argwhere(drawn != wanted)[:5].tolist()}"
    assert (seen[0], seen[3], len(set(seen))) == (0, crypt.last, 5)


def test_a_change_of_a_rule_file_leaves_the_playhead_where_it_is(
    page: Any, show: Any, studio: Any, crypt: ExpectedLevel
) -> None:
    logs: list[int] = []

    def listen(socket: Any) -> None:
        socket.on(
            "framereceived", lambda data: logs.append(1) if isinstance(data, bytes) and b'"thinned"' in data else None
        )

    page.on("websocket", listen)
    show("path=crypt.toml", crypt.last)
    strip = page.locator(STRIP)
    strip.focus()
    strip.press("Home")
    for _ in range(3):
        strip.press("ArrowRight")
    assert now(page) == 3
    known = len(logs)
    (studio.project / "other.rules").write_text("one  x\n    ## -> ..\n")
    end = time.monotonic() + 15
    while len(logs) == known:  # the log is fetched again: rules may have changed
        assert time.monotonic() < end
        page.wait_for_timeout(30)
    page.wait_for_timeout(200)
    assert now(page) == 3


def test_steps_rewrites_snapping_and_playing(show: Any, crypt: ExpectedLevel) -> None:
    page = show("path=crypt.toml", crypt.last)
    owners = [name.split(": ")[0] for name in crypt.timeline.sources]
    ends = [turn for turn in range(1, crypt.last + 1) if turn == crypt.last or owners[turn + 1] != owners[turn]]
    page.keyboard.press(",")
    assert now(page) == crypt.last - 1
    assert f"Turn {crypt.last - 1}" in page.locator(".under-where").inner_text()
    assert owners[crypt.last - 1] in page.locator(".under-doing").inner_text()
    page.keyboard.press("Shift+,")
    assert now(page) == ends[-2]
    page.keyboard.press("Shift+.")
    assert now(page) == ends[-1]
    page.get_by_role("radio", name="step", exact=True).click()
    box = page.locator(STRIP).bounding_box()
    for share in (0.2, 0.45, 0.7):
        page.mouse.click(box["x"] + 150 + share * (box["width"] - 170), box["y"] + 60)
        assert now(page) in ends
    page.get_by_role("radio", name="rewrite", exact=True).click()
    # Dragging scrubs: to the right is later, and beyond the edge is the end.
    page.mouse.move(box["x"] + 400, box["y"] + 60)
    page.mouse.down()
    before = now(page)
    page.mouse.move(box["x"] + 700, box["y"] + 60, steps=4)
    assert now(page) > before
    page.mouse.move(box["x"] + box["width"], box["y"] + 60, steps=2)
    assert now(page) == crypt.last
    page.mouse.up()

    # Zoomed in, the same distance on the screen is fewer turns.
    def between() -> int:
        turns = []
        for x in (0.75, 0.85):
            page.mouse.click(box["x"] + box["width"] * x, box["y"] + 60)
            turns.append(now(page))
        return turns[1] - turns[0]

    far = between()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 60)
    for _ in range(5):
        page.mouse.wheel(0, -200)
    assert 1 <= between() <= far / 4
    # Playing goes to the end by itself, zoomed in or not, and begins anew from there.
    page.get_by_role("radio", name="max", exact=True).click()
    for begin in (None, "Home"):
        if begin:
            page.get_by_role("button", name="All of time").click()
            page.locator(STRIP).press(begin)
        assert now(page) < crypt.last
        page.keyboard.press("k")
        until(lambda: int(page.locator(STRIP).get_attribute("aria-valuenow")), crypt.last)
        page.get_by_role("button", name="Play", exact=True).wait_for()
        assert now(page) == crypt.last


def test_who_wrote_a_cell(show: Any, crypt: ExpectedLevel) -> None:
    page = show("path=crypt.toml", crypt.last)
    eye = Eye(page, *crypt.level.size)
    opened = next(turn for turn in range(1, crypt.last + 1) if crypt.log.source(turn) == "furnish: open doors")
    cell = int(crypt.timeline.change(opened).cells[0])
    x, y = cell % crypt.level.width, cell // crypt.level.width
    card = page.locator(".under-who")
    page.mouse.move(*eye.at(x + 0.5, y + 0.5))
    card.wait_for()
    lines = [
        (re.sub(r"\D", "", line.locator(".under-turn").inner_text()), line.locator("b").inner_text())
        for line in card.locator(".under-write").all()
    ]
    history = crypt.history(x, y)
    assert lines == [*((str(turn), source.split(": ")[-1]) for turn, source in history), ("0", "blank map")]
    assert history[0] == (opened, "furnish: open doors")
    tile = crypt.level.palette.tiles[crypt.level.tiles[y, x]].name
    assert card.locator(".under-who-head b").inner_text().lower() == f"{tile} at ({x}, {y})"
    # The position in which the rule lay: `.+,` as drawn has the room on the left, and quarter turns go clockwise.
    tiles = crypt.timeline.at(opened - 1)
    around = [(x - 1, y), (x, y - 1), (x + 1, y), (x, y + 1)]
    lay = [
        turned
        for turned, (a, b) in enumerate(around)
        if tiles[b, a] == 2 and tiles[around[turned - 2][1], around[turned - 2][0]] == 3
    ]
    assert len(lay) == 1
    card.get_by_text(["as drawn", "turned once", "turned twice", "turned three times"][lay[0]]).wait_for()
    # Pinned, it stays when the pointer goes; each line takes the playhead there.
    page.keyboard.press("w")
    page.mouse.move(*eye.at(1, 1), steps=3)
    page.wait_for_timeout(500)
    assert card.is_visible()
    card.locator(".under-write").nth(1).click()
    assert now(page) == history[1][0]
    assert card.locator(".under-write.on b").inner_text() == history[1][1].split(": ")[-1]
    assert "later" in card.locator(".under-write").first.inner_text()
    page.keyboard.press("Escape")
    until(card.is_visible, False)
    # By keyboard: the cell cursor speaks, and W opens the card.
    page.locator(STRIP).press("End")
    page.locator(".under-stage .map-canvas").focus()
    page.keyboard.press("ArrowRight")
    spoken = page.locator(".under-stage [role=status]").first
    until(lambda: bool(spoken.inner_text()), True)
    a, b = map(int, re.findall(r"\d+", spoken.inner_text())[:2])
    written = crypt.timeline.writer(a, b)
    said = f"written by {written.source.split(': ')[-1]} in turn {written.turn}" if written else "as it began"
    assert said in spoken.inner_text()


def test_the_card_hides_neither_cell_nor_path(show: Any, crypt: ExpectedLevel) -> None:
    page = show("path=crypt.toml", crypt.last)
    eye = Eye(page, *crypt.level.size)
    page.get_by_role("button", name="graph", exact=True).click()
    if page.get_by_role("button", name="path", exact=True).get_attribute("aria-pressed") == "false":
        page.get_by_role("button", name="path", exact=True).click()
    card = page.locator(".under-who")
    for x, y in ((10, 10), (30, 20), (50, 30), (45, 5)):
        page.mouse.move(*eye.at(x + 0.5, y + 0.5))
        card.get_by_text(f"at ({x}, {y})").wait_for()
        page.wait_for_timeout(80)
        box = card.bounding_box()
        inside = [
            (a, b)
            for a, b in [*crypt.level.path.tolist(), [x, y]]
            if box["x"] < eye.at(a + 0.5, b + 0.5)[0] < box["x"] + box["width"]
            and box["y"] < eye.at(a + 0.5, b + 0.5)[1] < box["y"] + box["height"]
        ]
        assert not inside, f"the card about ({x}, {y}) covers {inside}"


def test_rules_are_explained(show: Any, crypt: ExpectedLevel) -> None:
    page = show("path=crypt.toml", crypt.last)
    rules = crypt.rules("furnish")
    for turn in (crypt.last, crypt.timeline.turns - 40):
        while now(page) != turn:
            page.keyboard.press(",")
        explained = {
            rule.name: rule for rule in rules.explain(uc.Level(crypt.timeline.at(turn), crypt.level.palette)).rules
        }
        for name, rule in explained.items():
            row = page.locator(".under-rule", has=page.get_by_text(name, exact=True))
            row.locator(".under-matches", has_text=re.compile(f"^{rule.matches:,}$")).wait_for()
            fired, ever = crypt.fired(f"furnish: {name}", turn), crypt.fired(f"furnish: {name}", crypt.last)
            words = (
                "never fired"
                if not ever
                else "not yet"
                if not fired
                else "fired once"
                if fired == 1
                else f"fired {fired}"
            )
            assert row.locator(".under-fired").inner_text() == words
    page.locator(STRIP).press("End")
    page.locator(".under-rule.never").click()
    side = page.locator(".under-explain")
    near = rules.explain(crypt.level, "secret door").rules[0]
    assert side.locator("h2").inner_text().strip() == "secret door has never fired"
    side.get_by_text(f"{near.places:,} places tried, {near.off[1]:,} fail in one cell only").wait_for()
    first = near.nearest[0]
    until(lambda: side.locator(".tile-grid").first.get_attribute("aria-label"), "pattern: " + " / ".join(first.pattern))
    assert side.locator(".tile-grid").nth(1).get_attribute("aria-label") == "map: " + " / ".join(first.ground)
    assert (
        side.locator(".tile-grid").first.locator(".wanted").count()
        == side.locator(".tile-grid").nth(1).locator(".wrong").count()
        == len(first.wrong)
        == 1
    )
    wrong = first.wrong[0]
    names = {tile.glyph: tile.name for tile in crypt.level.palette.tiles}
    who = crypt.timeline.writer(wrong.x, wrong.y)
    by = f"written by {who.source.split(': ')[-1]} in turn {who.turn}" if who else "there from the beginning"
    told = " ".join(side.locator(".under-sentence").inner_text().split())
    assert told == f"Wants {wrong.wanted} {names[wrong.wanted]}. Found {wrong.found} {names[wrong.found]}, {by}."
    side.get_by_role("button", name="The next miss").click()
    assert side.locator(".tile-grid").nth(1).get_attribute("aria-label") == "map: " + " / ".join(near.nearest[1].ground)
    assert "comes first in the markov" in side.inner_text()
    tally = CoverageTally()
    page.keyboard.press("ArrowUp")  # the lane above
    coverage = page.locator(".under-coverage")
    over = coverage.get_by_text(re.compile(r"Over \d+ seeds"))
    over.wait_for()
    seeds = int(re.findall(r"\d+", over.inner_text())[0])  # as many as are made in a moment, on this machine
    assert 3 <= seeds <= 20
    for seed in range(seeds):
        recorder = Recorder()
        crypt.recipe.generate(seed=seed, tries=1000, watcher=recorder)
        tally.add(recorder)
    used = next(rule for rule in tally.coverage()[0].rules if rule.name == "open doors").use
    coverage.get_by_text(f"{round(used.applied / seeds, 2):g} times a seed").wait_for()
    await_count(coverage.locator("i.on"), used.runs)


def test_a_repair_is_tried_on_a_copy_and_kept(show: Any, crypt: ExpectedLevel) -> None:
    page = show("path=crypt.toml", crypt.last)
    page.locator(".under-rule.never").click()
    button = page.get_by_role("button", name="Move secret door above open doors")
    button.wait_for()
    first, second = CRYPT.index("    one  open doors"), CRYPT.index("    one  secret door")
    end = CRYPT.index('"""\n\n[[step]]\nuse = "survey"')
    moved = CRYPT[:first] + CRYPT[second:end] + CRYPT[first:second] + CRYPT[end:]
    timeline = uc.Timeline()
    uc.Recipe.parse(moved, "crypt.toml").generate(seed=SEED, watcher=timeline)
    fires = list(timeline.sources).count("furnish: secret door")
    outcome = page.locator(".under-mend", has=button).locator(".under-outcome")
    until(lambda: f"it fires {fires} times" in outcome.inner_text(), True)
    button.click()
    row = page.locator(".under-rule", has=page.get_by_text("secret door", exact=True))
    until(lambda: row.locator(".under-fired").inner_text(), f"fired {fires}")
    page.keyboard.press("Control+z")
    until(lambda: row.locator(".under-fired").inner_text(), "never fired")


@pytest.mark.usefixtures("crypt")
def test_a_repair_of_a_rule_file_is_saved(show: Any, studio: Any) -> None:
    known = ExpectedLevel(studio.project / "keep.toml")
    page = show("path=keep.toml", known.last)
    page.locator(".under-rule", has=page.get_by_text("late", exact=True)).click()
    sign = page.get_by_role("button", name="Accept # or . in that cell")
    until(lambda: "On the copy it fires" in page.locator(".under-mend", has=sign).inner_text(), True)
    assert (studio.project / "keep.rules").read_text() == RULES  # the copy was another
    before = ExpectedLevel(studio.project / "keep.toml").fired("dig: late", known.last)
    sign.click()
    until(lambda: (studio.project / "keep.rules").read_text() != RULES, True)
    text = (studio.project / "keep.rules").read_text()
    assert text.startswith("; which comes first?\nset  a = wall or floor\nmarkov\n")
    new = [line.strip() for line in text.split("\n") if line not in RULES.split("\n")]
    assert new in (["set  a = wall or floor", "a# -> .#"], ["set  a = wall or floor", "#a -> .#"])
    after = ExpectedLevel(studio.project / "keep.toml")
    assert after.fired("dig: late", after.last) != before
    page.locator(f"{STRIP}[aria-valuemax='{after.last}']").wait_for()


def test_a_change_that_does_not_help_is_not_offered(show: Any, studio: Any) -> None:
    (studio.project / "vain.toml").write_text(IN_VAIN)
    page = show("path=vain.toml", ExpectedLevel(studio.project / "vain.toml").last)
    page.locator(".under-rule.never").click()
    page.locator(".under-try", has_text="tried on a copy and did not help.").wait_for()
    assert page.get_by_role("button", name="Accept o or . in that cell").count() == 0
    until(lambda: page.locator(".under-mend").count() == page.locator(".under-mend .under-outcome.ok").count(), True)


def test_overlays(show: Any, studio: Any, crypt: ExpectedLevel) -> None:
    page = show("path=crypt.toml", crypt.last)
    page.keyboard.press("c")
    chokes = int(np.count_nonzero(choke_points(crypt.level.walkable, Run())))
    page.get_by_text(f"{chokes:,} choke points").wait_for()
    page.keyboard.press("t")
    assert crypt.level.start is not None
    far = reach.distances(crypt.level.walkable, [crypt.level.start], Run())
    page.get_by_text(f"0 to {int(far.max()):,} steps").wait_for()
    page.get_by_role("radio", name="from the cursor").click()
    y, x = np.argwhere(far == int(far.max()) // 2)[0].tolist()
    eye = Eye(page, *crypt.level.size)
    page.mouse.move(*eye.at(x + 0.5, y + 0.5))
    page.get_by_text(f"0 to {int(reach.distances(crypt.level.walkable, [(x, y)], Run()).max()):,} steps").wait_for()
    for key, name in zip(
        "rdgtpcs", ("regions", "doors", "graph", "distance", "path", "choke points", "solution"), strict=True
    ):
        chip = page.get_by_role("button", name=name, exact=True)
        was = chip.get_attribute("aria-pressed")
        page.keyboard.press(key)
        page.locator(
            f".under-overlays button[aria-pressed='{'false' if was == 'true' else 'true'}']", has_text=name
        ).wait_for()
    known = ExpectedLevel(studio.project / "locked-keep.toml")
    page = show("path=locked-keep.toml", known.last)
    if page.get_by_role("button", name="solution", exact=True).get_attribute("aria-pressed") == "false":
        page.keyboard.press("s")
    solved = uc.solve(known.level)
    page.get_by_text(f"Solution: {solved.length:,} steps, {len(solved.events)} stops").wait_for()


def test_requirements_and_measures(show: Any, crypt: ExpectedLevel) -> None:
    page = show("path=crypt.toml", crypt.last)
    assert crypt.result.attempt > 0
    box = page.locator(".under-required")
    assert f"{crypt.result.attempt} attempt{'s' * (crypt.result.attempt > 1)} rejected" in box.inner_text()
    for text, many in crypt.result.rejected.items():
        measure = text.split()[0]
        chip = box.locator("li", has_text=re.compile(rf"{measure}\s"))
        value = uc.measure(crypt.level, measure)[measure]
        assert re.search(rf"met:\s*{measure} {value}\s*≥ 26\s*{many} rejected", chip.inner_text())
    page.get_by_role("radio", name="Measures").click()
    panel = page.locator(".under-measures")
    until(lambda: panel.locator(".measure").count(), len(MEASURES))
    told = {
        row.locator(".measure-name").inner_text(): row.locator(".measure-value").inner_text()
        for row in panel.locator(".measure").all()
    }
    for name in ("density", "dead_ends", "choke_points", "path_length", "longest_path", "room_area_max"):
        value = uc.measure(crypt.level, name)[name]
        assert value is not None
        assert told[name.replace("_", " ")] == (
            f"{round(value * 100, 1):g} %" if MEASURES[name].kind == "share" else f"{value:,}"
        )


def test_a_recipe_without_rules_lists_its_steps(show: Any) -> None:
    known = ExpectedLevel("cave")
    page = show("recipe=cave", known.last)
    rows = page.locator(".under-step")
    assert [row.locator(".under-name").inner_text() for row in rows.all()] == [plan.id for plan in known.recipe.plans]
    owners = list(known.timeline.sources)
    noise = max(turn for turn, name in enumerate(owners) if name == "noise")
    rows.filter(has=page.get_by_text("noise", exact=True)).click()
    assert now(page) == noise
    assert f"{noise:,} turns" in rows.first.inner_text()


@pytest.mark.parametrize(
    ("width", "height", "theme"), [(1280, 720, "light"), (1024, 768, "dark"), (768, 1024, "light")]
)
def test_it_fits_smaller_screens(
    show: Any, page: Any, crypt: ExpectedLevel, width: int, height: int, theme: str
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=theme)
    show("path=crypt.toml", crypt.last)
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
        width,
        height,
    ]
    for part in (".under-stage", ".under-time", STRIP, ".under-play"):
        box = page.locator(part).bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height
        assert box["width"] * box["height"] > 900
    stage = page.locator(".under-stage").bounding_box()
    assert stage["width"] * stage["height"] > 0.28 * width * height
    if width < 1100:
        page.locator(".under-rule.never").click()
        page.locator(".under-explain").wait_for()
        assert not page.locator(".under-rules").is_visible()
