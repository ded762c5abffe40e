"""Author, rules: what is drawn is what the text says, what is run is what the library makes, and nothing that was
written is lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from studio_browser.views import await_count, await_value, kept_rules
from undercroft.core.timeline import Timeline
from undercroft.rewrite.model.symmetry import list_variants
from undercroft.rewrite.rules import Rules
from undercroft.rewrite.text import parse

CRYPT = """\
; A crypt that grows from doors.
palette standard
tile chest = $, pillar, colour #f4d35e

set  s = # or X   ; solid

one  start, once
    XXXXX      ?????
    XXXXX      ?#+#?
    XXXXX  ->  ?+.+?   ; doors on all sides
    XXXXX      ?#+#?
    XXXXX      ?????

one  room, up to 20 times, turned, results 3:1  ; two results
    ?#+#?      ?#+#?     ?#+#?
    ?XXX?  ->  ?+.+?  |  ?#$#?
    ?XXX?      ?#+#?     ?###?

expect  room grows below a door
    ##+##      ##+##     ##+##
    #XXX#  ->  #+.+#  |  ##$##
    XXXXX      X#+#X     X###X

expect  room stays out of thin rock
    ##+##
    #XXX#  ->
    #X.X#

one  cave mouth, up to 2 times, turned
    s+s      ???
    XXX  ->  ?.?
    XXX      ???

all  idle, once
    .o -> .o
"""
ROOM = 1


@pytest.fixture
def author(page: Any, studio: Any) -> Callable[..., Any]:
    """Opens a rule file of the project in Author; the page, when the file was read."""

    def opened(text: str = CRYPT, file: str = "crypt.rules", rule: int | None = ROOM, on: Any = None) -> Any:
        (studio.project / file).write_text(text)  # the newest file is the one that is opened
        where = on or page
        studio.keep(**{"view": "author", "author run seed": "4", "author run until": "end"})
        where.goto(studio.address)
        where.locator(".ar-outcome", has_text="fired").wait_for()
        if rule is not None:
            where.get_by_role("listbox", name="Rules").get_by_role("option").nth(rule).click()
            read(where)
        return where

    return opened


def text_of(page: Any) -> str:
    """The text that the editor holds, as the page keeps it."""
    return kept_rules(page)


def read(page: Any) -> None:
    """Wait until the server has read what is there now."""
    page.wait_for_function("() => document.querySelector('.ar')?.dataset.behind === 'no'")


def board(page: Any, name: str) -> Any:
    return page.get_by_role("grid", name=re.compile(f"^{name}"))


def cell(page: Any, name: str, column: int, row: int) -> Any:
    return board(page, name).get_by_role("gridcell", name=re.compile(f"^column {column}, row {row}:"))


def board_rows(page: Any, name: str) -> list[str]:
    """The signs of a board, row by row."""
    found = board(page, name).first.evaluate(
        "(grid) => [...grid.children].map((row) => [...row.children].map((cell) => cell.textContent).join(''))"
    )
    return list(found)


def lines_that_differ(old: str, new: str) -> list[tuple[str, str]]:
    return [(before, after) for before, after in zip(old.split("\n"), new.split("\n"), strict=True) if before != after]


def hand(page: Any, tile: str) -> None:
    page.get_by_role("radiogroup", name="Tile in hand").get_by_role("radio", name=tile, exact=True).click()


def ran(text: str, rule: str, seed: str, size: tuple[int, int]) -> tuple[Any, int, int]:
    """The library's run: the tiles, how often a rule was used, and how many places are left for it."""
    rules, timeline = Rules.parse(text, "crypt.rules"), Timeline()
    after = rules.apply(uc.Level(np.zeros((size[1], size[0]), np.uint8), rules.program.palette), seed, watcher=timeline)
    return after, list(timeline.sources).count(f"crypt: {rule}"), rules.explain(after, rule).rules[0].matches


def test_a_file_is_drawn_with_its_variants_expectations_and_run_as_the_library_has_them(
    author: Callable[..., Any],
) -> None:
    page = author()
    rows = page.get_by_role("listbox", name="Rules").get_by_role("option")
    assert [row.inner_text().split("\n")[:2] for row in rows.all()] == [
        ["one", "start"],
        ["one", "room"],
        ["one", "cave mouth"],
        ["all", "idle"],
    ]
    await_count(rows.nth(1).get_by_label("2 expectations hold"), 1)
    assert "no test" in rows.nth(0).inner_text()
    assert board_rows(page, "Pattern") == ["?#+#?", "?XXX?", "?XXX?"]
    assert board_rows(page, "Result 1 of 2") == ["?#+#?", "?+.+?", "?#+#?"]
    assert board_rows(page, "Result 2 of 2") == ["?#+#?", "?#$#?", "?###?"]
    assert [page.get_by_label(f"Weight of result {at}").input_value() for at in (1, 2)] == ["3", "1"]
    door = cell(page, "Pattern", 3, 1)
    assert door.get_attribute("aria-label").endswith("door")
    assert door.evaluate("(one) => getComputedStyle(one).backgroundColor") == "rgb(199, 123, 48)"
    parsed = parse.parse(CRYPT, "crypt.rules")
    rule = parsed.program.root.children[ROOM].rules[0]
    assert page.locator(".ar-variants li").count() == len(list_variants([rule], parsed.program.palette)) == 4
    assert (
        page.locator(".ar-variants li").nth(1).locator("[role=img]").first.get_attribute("aria-label")
        == "pattern: ??? / XX# / XX+ / XX# / ???"
    )
    assert "mirroring adds none" in page.locator(".ar-variants h3").inner_text()
    assert "all 2 pass" in page.locator(".ar-expect-bar").inner_text()
    assert page.locator(".ar-nothing").inner_text() == "Row 3, column 3 is floor, and the rule wants void."
    after, fired, left = ran(CRYPT, "room", "4", (27, 23))
    assert fired > 5
    assert (
        page.locator(".ar-outcome").inner_text()
        == f"fired {fired} of 20, {'no place' if not left else f'{left} places' if left > 1 else '1 place'} left"
    )
    page.locator(".ar-map canvas").focus()
    spoken = set()
    x, y = (int(found.mean()) for found in reversed(np.nonzero(after.tiles)))
    for key in (
        ["ArrowLeft" if x < 13 else "ArrowRight"] * abs(x - 13)
        + ["ArrowUp" if y < 11 else "ArrowDown"] * abs(y - 11)
        + ["ArrowRight"] * 4
    ):
        before = page.locator(".ar-map [role=status]").inner_text()
        page.keyboard.press(key)
        page.wait_for_function(
            "(before) => document.querySelector('.ar-map [role=status]').innerText !== before", arg=before
        )
        said = page.locator(".ar-map [role=status]").inner_text()
        column, row, tile = re.match(r"\((\d+), (\d+)\), ([a-z ]+)", said).groups()  # type: ignore[union-attr]
        assert after.palette.tiles[after.tiles[int(row), int(column)]].name == tile
        spoken.add(tile)
    assert len(spoken) > 1


def test_the_map_when_the_rule_stopped_shows_the_places_left(author: Callable[..., Any]) -> None:
    page = author(CRYPT.replace("up to 20 times", "up to 3 times"))
    page.get_by_role("radio", name=re.compile("when room was used")).click()
    read(page)
    rules, timeline = Rules.parse(text_of(page), "crypt.rules"), Timeline()
    rules.apply(uc.Level(np.zeros((23, 27), np.uint8), rules.program.palette), "4", watcher=timeline)
    last = max(turn for turn, name in enumerate(timeline.sources) if name == "crypt: room")
    left = rules.explain(uc.Level(timeline.at(last), rules.program.palette), "room").rules[0].matches
    assert left > 1
    assert page.locator(".ar-outcome").inner_text() == f"fired 3 of 3, {left} places left"
    before = page.get_by_label("Seed of the run").input_value()
    page.keyboard.press("Space")
    assert page.get_by_label("Seed of the run").input_value() != before


def test_a_stroke_changes_its_cells_in_the_text_and_nothing_else(author: Callable[..., Any]) -> None:
    page = author()
    hand(page, "water")
    cell(page, "Result 2 of 2", 3, 2).click()
    assert lines_that_differ(CRYPT, text_of(page)) == [
        ("    ?XXX?  ->  ?+.+?  |  ?#$#?", "    ?XXX?  ->  ?+.+?  |  ?#~#?")
    ]
    page.locator(".cm-line", has_text="?+.+?  |  ?#~#?").wait_for()
    once = text_of(page)
    start, end = cell(page, "Pattern", 2, 3).bounding_box(), cell(page, "Pattern", 4, 3).bounding_box()
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 9, end["y"] + 9)  # in one leap: no gap is left
    page.mouse.up()
    assert lines_that_differ(once, text_of(page)) == [
        ("    ?XXX?      ?#+#?     ?###?", "    ?~~~?      ?#+#?     ?###?")
    ]
    cell(page, "Pattern", 3, 3).click(button="right")
    assert board_rows(page, "Pattern") == ["?#+#?", "?XXX?", "?~?~?"]
    read(page)
    await_count(page.get_by_label(re.compile(r"of 2 expectations fail")), 1)  # the server has heard of it
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert text_of(page) == once, "a stroke is undone at once"
    page.keyboard.press("Control+z")
    assert text_of(page) == CRYPT
    page.keyboard.press("Control+y")
    assert text_of(page) == once
    cell(page, "Result 1 of 2", 3, 2).click(modifiers=["Alt"])
    assert page.get_by_role("radio", name="floor", exact=True).get_attribute("aria-checked") == "true", "Alt picks up"
    page.locator(".ar-set").click()
    cell(page, "Result 1 of 2", 3, 2).click()
    page.locator(".said", has_text="stands for several tiles").wait_for()
    assert text_of(page) == once
    cell(page, "Pattern", 2, 1).click()
    assert board_rows(page, "Pattern")[0] == "?s+#?"


def test_cells_are_written_by_keyboard(author: Callable[..., Any]) -> None:
    page = author()
    board(page, "Pattern").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.type("..")
    assert board_rows(page, "Pattern") == ["?#+#?", "..XX?", "?XXX?"]
    page.keyboard.press("5")  # the fifth tile of the palette
    assert page.get_by_role("radio", name="door", exact=True).get_attribute("aria-checked") == "true"
    await_count(page.locator(".view-author"), 1)  # and not another view
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")
    assert board_rows(page, "Pattern") == ["?#+#?", "..+??", "?XXX?"]
    here = board(page, "Pattern").evaluate(
        "(grid) => document.getElementById(grid.getAttribute('aria-activedescendant')).ariaLabel"
    )
    assert here == "column 4, row 2: any tile"
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    assert board_rows(page, "Pattern") == ["??????", "?#+#??", "..+???", "?XXX??"]
    assert board_rows(page, "Result 2 of 2") == ["??????", "?#+#??", "?#$#??", "?###??"]
    page.keyboard.press("Control+ArrowLeft")
    assert board_rows(page, "Pattern") == ["?????", "#+#??", ".+???", "XXX??"]
    assert "; two results" in text_of(page)
    parse.parse(text_of(page), "crypt.rules")


def test_the_pattern_is_resized_at_its_edges_and_results_come_and_go(author: Callable[..., Any]) -> None:
    page = author()
    edge = page.locator(".ar-edge.at-right").bounding_box()
    page.mouse.move(edge["x"] + 4, edge["y"] + 30)
    page.mouse.down()
    page.mouse.move(edge["x"] + 96, edge["y"] + 30, steps=4)
    page.mouse.up()
    assert board_rows(page, "Pattern") == ["?#+#???", "?XXX???", "?XXX???"]
    page.keyboard.press("Control+z")
    assert text_of(page) == CRYPT, "a drag is one step"
    page.get_by_role("button", name="Size: 5 × 3").click()
    page.get_by_role("button", name="Add a row below").click()
    page.get_by_role("button", name="Take the left column away").click()
    page.keyboard.press("Escape")
    assert board_rows(page, "Result 1 of 2") == ["#+#?", "+.+?", "#+#?", "????"]
    page.get_by_role("button", name="Or another result").click()
    assert board_rows(page, "Result 3 of 3") == ["????"] * 4
    page.get_by_label("Weight of result 3").fill("5")
    page.get_by_label("Weight of result 3").press("Enter")
    assert "one  room, up to 20 times, turned, results 3:1:5  ; two results" in text_of(page)
    page.get_by_role("button", name="Take result 1 away").click()
    rule = parse.parse(text_of(page), "crypt.rules").program.root.children[ROOM].rules[0]
    assert [result.weight for result in rule.results] == [1, 5]
    assert (rule.width, rule.height) == (4, 4)
    read(page)
    assert page.locator(".lens").count() == 0


def test_kind_limit_symmetry_and_name_are_words_of_the_text(author: Callable[..., Any]) -> None:
    page = author()
    page.get_by_role("radio", name=re.compile("^both:")).click()
    read(page)
    await_count(page.locator(".ar-variants li"), 4)  # it is its own mirror image
    assert "8 positions, 4 of them different" in page.locator(".ar-variants h3").inner_text()
    cell(page, "Pattern", 1, 1).click()  # wall: no mirror image any more
    read(page)
    await_count(page.locator(".ar-variants li"), 8)
    page.get_by_role("radio", name=re.compile("^all:")).click()
    page.get_by_label("How many turns it may take").fill("7")
    page.get_by_label("How many turns it may take").press("Enter")
    page.get_by_label("Chance that a match is used").fill("25")
    page.get_by_label("Chance that a match is used").press("Enter")
    page.get_by_label("Name of the rule").fill("great hall")
    page.get_by_label("Name of the rule").press("Enter")
    assert "all  great hall, up to 7 times, turned and mirrored, chance 25%, results 3:1  ; two results" in text_of(
        page
    )
    assert [one.name for one in parse.parse(text_of(page), "crypt.rules").expects] == ["great hall", "great hall"]
    page.get_by_role("radio", name="as drawn").click()
    page.get_by_label("How many turns it may take").fill("")
    page.get_by_label("How many turns it may take").press("Enter")
    assert "all  great hall, chance 25%, results 3:1  ; two results" in text_of(page)


def test_what_is_being_written_stays_while_the_page_is_drawn_anew(author: Callable[..., Any], studio: Any) -> None:
    page = author()
    name, turns, about = (
        page.get_by_label(label).first
        for label in ("Name of the rule", "How many turns it may take", "What is expected")
    )
    name.fill("great hall")
    (studio.project / "crypt.rules").write_text(CRYPT.replace("idle, once", "idle, up to 9 times"))
    page.locator(".cm-line", has_text="idle, up to 9 times").wait_for()
    read(page)
    await_value(name, "great hall")
    turns.fill("7")  # leaving the name takes it
    read(page)
    assert "one  great hall, up to 20 times" in text_of(page)
    await_value(turns, "7")  # the answer about the new name has come, and what is written is still there
    turns.press("ArrowUp")
    assert "one  great hall, up to 8 times" in text_of(page), "the arrows go on from what is written"
    about.fill("never mind")
    about.press("Escape")
    await_value(about, "grows below a door")  # given up
    assert "never mind" not in text_of(page)
    turns.fill("many")
    turns.press("Enter")
    await_value(turns, "8")  # no number


def test_typing_redraws_and_a_problem_has_its_fix(author: Callable[..., Any]) -> None:
    page = author()
    line = page.locator(".cm-line", has_text="?XXX?  ->  ?+.+?")
    line.click()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert board(page, "Pattern").locator(".pointed").get_attribute("aria-label") == "column 2, row 2: void", (
        "the drawing shows where the cursor is"
    )
    page.keyboard.press("Delete")
    page.keyboard.type("x")
    assert board_rows(page, "Pattern")[1] == "?xXX?"
    read(page)  # else the lens may still be the one of the text without the letter
    page.locator(".lens").wait_for()
    assert page.locator(".lens").inner_text().startswith("Unknown tile 'x'. Did you mean 'X'?")
    assert page.locator(".cm-line .problem").inner_text() == "x"
    assert page.locator(".ar-map-note").inner_text() == "As it was before the text broke"
    await_count(page.locator(".ar-variants li"), 4)  # what was read well stays
    page.keyboard.press("Alt+Enter")
    assert text_of(page) == CRYPT
    page.locator(".lens").wait_for(state="detached")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.locator(".cm-line", has_text="one  cave mouth").click()
    await_value(page.get_by_label("Name of the rule"), "cave mouth")  # the cursor chooses the rule
    page.get_by_role("option", name=re.compile("start")).click()
    assert board_rows(page, "Pattern") == ["XXXXX"] * 5


def test_what_the_linter_says_is_shown_and_underlined(author: Callable[..., Any]) -> None:
    page = author(rule=3)
    said = [str(finding.problem) for finding in Rules.parse(CRYPT, "crypt.rules").lint() if finding.kind == "identity"]
    assert said == ["'idle' changes nothing"]
    await_count(page.locator(".ar-about").get_by_text(said[0]), 1)
    await_count(page.get_by_role("option", name=re.compile("idle")).get_by_label("1 warning"), 1)
    assert page.locator(".cm-line .ar-doubt").inner_text() == ".o -> .o"
    page.get_by_text("Never fires in 20 runs on a blank map.").wait_for()
    page.get_by_role("option", name=re.compile("room")).click()
    used = [ran(CRYPT, "room", str(seed), (27, 23))[1] for seed in range(20)]
    runs = sum(map(bool, used))
    page.locator(
        ".ar-note",
        has_text=f"Fires in {runs} of 20 runs, {sum(used) / runs:.0f} times each. First result 3 times in 4.",
    ).wait_for()
    ends = next(finding for finding in Rules.parse(CRYPT, "crypt.rules").lint() if finding.kind == "ends")
    await_count(page.locator(".ar-about").get_by_text(ends.problem.removeprefix("it ")), 1)
    assert [
        look.get_attribute("aria-label") for look in page.locator(".ar-swatches").nth(1).locator("[role=img]").all()
    ] == ["wall", "door", "floor", "chest"]


def test_expectations_fail_are_mended_and_made_of_the_rule_and_of_the_map(author: Callable[..., Any]) -> None:
    page = author(CRYPT.replace("    #XXX#  ->  #+.+#  |  ##$##", "    #XXX#  ->  #+.+#  |  ##o##"))
    card = page.locator(".ar-expect").first
    assert "expected 2, found 2" in card.inner_text()
    assert card.locator(".never [role=grid]").get_attribute("aria-label") == "Outcome 2"
    assert card.locator(".ar-surprise [role=img]").get_attribute("aria-label") == "not drawn: ##+## / ##$## / X###X"
    assert page.locator(".cm-line .problem").inner_text() == "expect  room grows below a door"
    card.get_by_role("button", name="Expect these 2").click()
    read(page)
    assert text_of(page) == CRYPT
    assert "all 2 pass" in page.locator(".ar-expect-bar").inner_text()
    page.get_by_role("option", name=re.compile("cave mouth")).click()
    page.get_by_role("button", name=re.compile("^From the rule")).click()
    page.get_by_label("What is expected").fill("opens the rock")
    page.get_by_label("What is expected").press("Enter")
    page.get_by_role("button", name=re.compile("^From the map")).click()
    area = page.locator(".ar-map canvas").bounding_box()
    page.mouse.move(area["x"] + area["width"] / 2 - 60, area["y"] + area["height"] / 2 - 60)
    page.mouse.down()
    page.mouse.move(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2, steps=3)
    page.mouse.up()
    page.locator(".ar-expect").nth(1).wait_for()
    read(page)
    expects = [one for one in parse.parse(text_of(page), "crypt.rules").expects if one.name == "cave mouth"]
    assert [one.about for one in expects] == ["opens the rock", "like this"]
    assert expects[0].outcomes
    after = ran(CRYPT, "room", "4", (27, 23))[0].tiles
    piece = np.array(expects[1].before).reshape(expects[1].height, expects[1].width)
    windows = np.lib.stride_tricks.sliding_window_view(after, piece.shape)
    assert piece.size > 9
    assert (windows == piece).all((2, 3)).any(), "it is a piece of the map"
    assert "all 2 pass" in page.locator(".ar-expect-bar").inner_text()
    page.get_by_role("button", name="Delete the expectation").nth(1).click()
    assert len(parse.parse(text_of(page), "crypt.rules").expects) == 3


def test_a_set_and_a_tile_are_added_and_drawn_with(author: Callable[..., Any]) -> None:
    page = author()
    page.get_by_role("button", name="Add a set").click()
    box = page.get_by_role("dialog", name="Add a set")
    box.get_by_role("button", name="floor").click()
    box.get_by_role("button", name="corridor").click()
    box.get_by_role("button", name="Add the set").click()
    cell(page, "Pattern", 1, 3).click()
    page.get_by_role("button", name="Add a tile").click()
    page.get_by_label("Name of the tile").fill("altar")
    page.get_by_label("Sign of the tile").fill("%")
    page.get_by_role("button", name="Add the tile").click()
    page.get_by_role("radio", name="altar", exact=True).wait_for()
    cell(page, "Result 1 of 2", 3, 2).click()
    read(page)
    parsed = parse.parse(text_of(page), "crypt.rules")
    assert parsed.sets["a"].bit_count() == 2
    rule = parsed.program.root.children[ROOM].rules[0]
    assert rule.pattern[10] == parsed.sets["a"]
    assert rule.results[0].cells[7] == parsed.program.palette["altar"]
    assert board_rows(page, "Pattern")[2] == "aXXX?"


def test_rules_are_added_copied_moved_and_removed(author: Callable[..., Any]) -> None:
    page = author()

    def names() -> list[str]:
        return [
            row.split("\n")[1]
            for row in page.get_by_role("listbox", name="Rules").get_by_role("option").all_inner_texts()
        ]

    page.keyboard.press("n")
    assert names() == ["start", "room", "new rule", "cave mouth", "idle"]
    await_value(page.get_by_label("Name of the rule"), "new rule")
    page.get_by_role("button", name="Move the rule up").click()
    assert names() == ["start", "new rule", "room", "cave mouth", "idle"]
    page.get_by_role("button", name="Copy the rule").click()
    assert names() == ["start", "new rule", "new rule copy", "room", "cave mouth", "idle"]
    page.get_by_role("button", name="Delete the rule").click()
    page.keyboard.press("ArrowUp")
    page.get_by_role("listbox", name="Rules").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    await_value(page.get_by_label("Name of the rule"), "cave mouth")
    page.keyboard.press("Delete")
    assert names() == ["start", "new rule", "room", "idle"]
    for _ in range(5):
        page.keyboard.press("Control+z")
    assert text_of(page) == CRYPT


def test_saving_and_changes_made_elsewhere(author: Callable[..., Any], studio: Any) -> None:
    page = author()
    file = Path(studio.project) / "crypt.rules"
    hand(page, "pillar")
    cell(page, "Pattern", 1, 1).click()
    page.get_by_label("changed and not saved").wait_for()
    page.keyboard.press("Control+s")
    page.get_by_label("changed and not saved").wait_for(state="detached")
    assert (
        file.read_text()
        == text_of(page)
        == CRYPT.replace("    ?#+#?      ?#+#?     ?#+#?", "    o#+#?      ?#+#?     ?#+#?")
    )
    file.write_text(CRYPT.replace("?#+#?      ?#+#?     ?#+#?", "~#+#?      ?#+#?     ?#+#?"))
    # nothing was changed here: it follows
    page.wait_for_function("() => document.querySelector('.ar-board .ar-row span')?.textContent === '~'")
    assert page.locator(".ar-changed").count() == 0
    cell(page, "Pattern", 2, 1).click()
    mine = text_of(page)
    file.write_text(CRYPT)
    page.locator(".ar-changed").wait_for()
    assert "crypt.rules was changed on disk." in page.locator(".ar-changed").inner_text()
    assert text_of(page) == mine, "until somebody decides"
    page.get_by_role("button", name="Keep mine").click()
    page.keyboard.press("Control+s")
    page.get_by_label("changed and not saved").wait_for(state="detached")
    assert file.read_text() == mine
    cell(page, "Pattern", 3, 1).click()
    mine = text_of(page)
    file.write_text(CRYPT)
    page.get_by_role("button", name="Reload").click()
    assert text_of(page) == CRYPT
    page.get_by_role("option", name=re.compile("start")).click()
    page.keyboard.press("Control+z")
    assert text_of(page) == mine, "undo brings mine back"


def test_unsaved_work_outlives_the_page_and_a_new_file_gets_a_name(author: Callable[..., Any], studio: Any) -> None:
    page = author()
    hand(page, "pillar")
    cell(page, "Pattern", 1, 1).click()
    mine = text_of(page)
    page.get_by_title("Open another, or begin a new one").click()
    page.get_by_role("button", name=re.compile("^Maze")).click()
    page.locator(".ar-file-name", has_text="maze.rules").wait_for()
    page.get_by_label("B", exact=True).first.wait_for()
    page.reload()
    page.locator(".ar-file-name", has_text="maze.rules").wait_for()
    page.keyboard.press("Control+s")
    page.get_by_label("File in the project folder").fill("mazes/small")
    page.keyboard.press("Enter")
    page.locator(".ar-file-name", has_text="mazes/small.rules").wait_for()
    saved = (Path(studio.project) / "mazes" / "small.rules").read_text()
    rules = Rules.parse(saved, "small.rules")
    assert not [finding for finding in rules.lint() if finding.severity != "note"]
    page.get_by_title("Open another, or begin a new one").click()
    assert "changed here" in page.locator(".open-file", has_text="crypt.rules").inner_text()
    page.locator(".open-file", has_text="crypt.rules").click()
    page.locator(".ar-file-name", has_text="crypt.rules").wait_for()
    assert text_of(page) == mine


@pytest.mark.parametrize("name", ["Crypt", "Hall", "Empty"])
def test_what_one_begins_with_is_good(author: Callable[..., Any], name: str) -> None:
    page = author(rule=None)
    page.get_by_title("Open another, or begin a new one").click()
    page.get_by_role("button", name=re.compile(f"^{name}")).click()
    page.locator(".ar-file-name", has_text=re.compile(r"^(hall|crypt-\d|rules)\.rules")).wait_for()
    read(page)
    rules = Rules.parse(text_of(page), "x.rules")
    assert not [
        finding
        for finding in rules.lint()
        if finding.severity != "note" and not (name == "Empty" and finding.kind == "identity")
    ]
    assert page.locator(".lens").count() == 0


def test_a_program_that_never_ends_is_stopped_and_said_so(author: Callable[..., Any]) -> None:
    page = author("one  war\n    X -> #\n    # -> X\n", rule=0)
    page.locator(".ar-map-note", has_text="had not ended after").wait_for()
    await_count(page.get_by_role("listbox", name="Rules").get_by_role("option"), 2)
    await_count(page.locator(".ar-variants li"), 1)


def test_it_fits_reads_aloud_and_is_in_the_key_map(author: Callable[..., Any], new_page: Callable[..., Any]) -> None:
    for width, height, theme in ((1440, 900, "dark"), (1280, 720, "light"), (1024, 768, "light")):
        page = author(on=new_page(width, height, theme))
        nameless = page.evaluate("""() => [
            ...document.querySelectorAll('.ar button, .ar input, .ar select, .ar [role=grid], .ar canvas')]
            .filter((one) => one.offsetParent && !one.closest('[aria-hidden=true]'))
            .filter((one) => !(one.ariaLabel || one.title || one.textContent.trim() || one.labels?.length))
            .map((one) => one.outerHTML.slice(0, 120))""")
        assert nameless == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        parts = page.locator(".ar-bar, .ar-drawing, .ar-variants, .ar-lower, .ar-expect")
        assert parts.evaluate_all("(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length") == 0
        bar = page.locator(".ar-bar").first.bounding_box()
        assert bar["height"] <= 53, "one line"
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys").inner_text()
    for said in ("New rule", "Rule up, down", "Choose a tile, write it", "Row or column more"):
        assert said in keys


def test_a_stroke_is_seen_at_once_and_read_soon(author: Callable[..., Any]) -> None:
    page = author()
    took = page.evaluate("""async () => {
        const grid = document.querySelector('.ar-board')
        const box = grid.getBoundingClientRect()
        const seen = [], heard = []
        for (let at = 0; at < 20; at++) {
            const place = {
                bubbles: true, pointerId: 1, button: at % 2 ? 2 : 0,
                clientX: box.left + box.width * ((at % 5) + 0.5) / 5, clientY: box.top + 9
            }
            const cell = grid.children[0].children[at % 5]
            const was = cell.textContent
            const begun = performance.now()
            grid.setPointerCapture = () => {}
            grid.dispatchEvent(new PointerEvent('pointerdown', place))
            grid.dispatchEvent(new PointerEvent('pointerup', place))
            const rest = (time) => new Promise((done) => setTimeout(done, time))
            const now = () => document.querySelector('.ar-board').children[0].children[at % 5].textContent
            while (now() === was && performance.now() - begun < 300) await rest(0)
            if (now() !== was) seen.push(performance.now() - begun)
            while (document.querySelector('.ar').dataset.behind !== 'no' && performance.now() - begun < 3000)
                await rest(2)
            heard.push(performance.now() - begun)
        }
        return [seen.sort((a, b) => a - b), heard.sort((a, b) => a - b)]
    }""")
    seen, heard = took
    assert len(seen) >= 8
    assert seen[len(seen) // 2] < 100
    assert heard[len(heard) // 2] < 1000
