"""What was done by hand is never lost: not by an answer that comes late, not by a server that is away, not by a key
pressed in the middle of a stroke.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from studio_browser.gate import Gate
from studio_browser.test_make import HALL, cell_at, make, wait_for_level
from studio_browser.test_understand import CRYPT
from studio_browser.views import kept_work, until

BROKEN = "[[step]\n"


@pytest.fixture
def hall(page: Any, studio: Any, gate: Gate) -> Any:
    """A recipe of the project, opened."""
    (studio.project / "hall.toml").write_text(HALL)
    make(page, studio, "path=hall.toml&seed=5")
    page.locator(".text-problems").wait_for(state="detached")
    return page


def turned(page: Any, times: int) -> None:
    """The slider of `winding` goes that many steps to the right: 0.12, 0.13 and so on, each a thing that can be
    undone.
    """
    slider = page.get_by_label("winding", exact=True)
    slider.focus()
    for _ in range(times):
        slider.press("ArrowRight")
    page.locator(".map-canvas").focus()


def winds(page: Any, value: float) -> None:
    """Wait for this number in the slider; nothing stands in the text beside it."""
    page.wait_for_function(
        "(wanted) => document.querySelector('[data-turned=winding] input[type=range]').value === wanted",
        arg=f"{value:g}",
    )


def type_first(page: Any, text: str) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type(text)


def first_line(page: Any, text: str) -> None:
    """Wait until the text begins so."""
    page.wait_for_function("(text) => document.querySelector('.cm-line').textContent.startsWith(text)", arg=text)


def stored_work(page: Any) -> dict[str, Any]:
    """The work as it would be there at the next visit."""
    return kept_work(page)


def shuffled(page: Any, before: str) -> str:
    """Another seed: the one in its field, though its level may come later."""
    page.keyboard.press("Space")
    field = "document.querySelector('[aria-label=\"Seed: a number or words\"]').value"
    page.wait_for_function(f"(before) => {field} !== before", arg=before)
    return str(page.evaluate(field))


# --- what was typed and not read


def by_card(page: Any) -> None:
    page.locator(".gallery .card", has_text=re.compile("^cave$")).first.click()


def by_favourite(page: Any) -> None:
    page.get_by_role("button", name=re.compile("^Favourites")).click()
    page.locator(".gallery .card", has_text="hall").first.click()


def by_going_back(page: Any) -> None:
    page.locator(".map-canvas").focus()
    page.keyboard.press("[")


@pytest.mark.parametrize("leave", [by_card, by_favourite, by_going_back])
def test_text_that_is_broken_comes_back_by_undo(hall: Any, leave: Callable[[Any], None]) -> None:
    page = hall
    page.keyboard.press("f")
    page.keyboard.press("Space")
    page.locator(".strip-entry").nth(1).wait_for()
    type_first(page, BROKEN)
    page.locator(".lens").wait_for()
    leave(page)
    page.locator(".lens").wait_for(state="detached")
    page.locator(".map-canvas").focus()
    page.keyboard.press("Control+z")
    first_line(page, "[[step]")
    assert stored_work(page)["text"] == BROKEN + HALL
    page.locator(".lens").wait_for()


def test_broken_text_is_in_the_strip_too(hall: Any) -> None:
    page = hall
    page.keyboard.press("Space")
    page.locator(".strip-entry").nth(1).wait_for()
    type_first(page, BROKEN)
    page.locator(".lens").wait_for()
    by_going_back(page)
    wait_for_level(page, "5")
    page.locator(".strip-entry").last.click()
    first_line(page, "[[step]")


def test_between_broken_text_and_what_was_before_no_step_is_left_out(hall: Any) -> None:
    page = hall
    second = shuffled(page, "5")
    wait_for_level(page, second)
    type_first(page, BROKEN)
    page.locator(".lens").wait_for()
    page.locator(".map-canvas").focus()
    page.keyboard.press("Control+z")
    first_line(page, "about")
    page.locator(".lens").wait_for(state="detached")
    assert stored_work(page)["seed"] == second
    page.keyboard.press("Control+y")
    first_line(page, "[[step]")
    page.keyboard.press("Control+z")
    first_line(page, "about")
    page.keyboard.press("Control+z")
    wait_for_level(page, "5")
    assert stored_work(page)["text"] == HALL


def test_what_was_typed_while_the_server_was_away_can_be_undone_when_it_is_back(hall: Any, gate: Gate) -> None:
    page = hall
    gate.leave()
    type_first(page, "# away\n")
    page.wait_for_timeout(300)  # the fingers rest, and nobody reads it
    gate.come_back()
    page.get_by_role("button", name="Undo", exact=True).and_(page.locator(":enabled")).click()
    first_line(page, "about")


# --- undo, faster than the server


def test_undo_that_is_faster_than_the_server_leaves_no_step_out(hall: Any, gate: Gate) -> None:
    page = hall
    turned(page, 3)
    gate.shut = "recipe"
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    gate.open()
    winds(page, 0.13)
    page.keyboard.press("Control+y")
    winds(page, 0.14)
    page.keyboard.press("Control+y")
    winds(page, 0.15)
    for value in (0.14, 0.13, 0.12):
        page.keyboard.press("Control+z")
        winds(page, value)
    assert stored_work(page)["text"] == HALL


def test_undo_without_a_server_undoes_nothing_and_forgets_nothing(hall: Any, gate: Gate) -> None:
    page = hall
    turned(page, 3)
    gate.leave()
    page.locator(".map-canvas").focus()
    for _ in range(2):
        page.keyboard.press("Control+z")
        page.wait_for_timeout(50)
    winds(page, 0.15)
    page.keyboard.press("[")
    page.wait_for_timeout(50)
    assert page.locator(".strip-entry").last.get_attribute("aria-current") == "true", "the strip shows where we are"
    gate.come_back()
    page.locator(".map-canvas").focus()
    for value in (0.14, 0.13, 0.12):
        page.keyboard.press("Control+z")
        winds(page, value)


@pytest.mark.parametrize("key", ["Control+z", "[", "favourite"])
def test_a_hand_that_is_faster_than_the_answer_wins(hall: Any, gate: Gate, key: str) -> None:
    page = hall
    turned(page, 1)
    page.keyboard.press("f")
    turned(page, 1)
    gate.shut = "recipe"
    if key == "favourite":
        by_favourite(page)
        page.locator(".map-canvas").focus()
    else:
        page.keyboard.press(key)
    seed = shuffled(page, "5")
    gate.open()
    wait_for_level(page, seed)
    winds(page, 0.14)
    assert page.locator(".strip-entry").last.get_attribute("aria-current") == "true"
    page.keyboard.press("Control+z")
    wait_for_level(page, "5")
    winds(page, 0.14)
    page.keyboard.press("Control+z")
    winds(page, 0.13)


def test_letters_that_are_faster_than_an_undo_stay(hall: Any, gate: Gate) -> None:
    page = hall
    turned(page, 2)
    gate.shut = "recipe"
    page.keyboard.press("Control+z")
    type_first(page, "# mine\n")
    gate.open()
    first_line(page, "# mine")
    assert stored_work(page)["text"] == "# mine\n" + HALL.replace("0.12  #", "0.14  #")


# --- saving


def test_what_is_opened_while_another_is_being_saved_keeps_its_name(page: Any, studio: Any) -> None:
    other = HALL.replace("Halls", "Others")
    (studio.project / "saved.toml").write_text(HALL)
    (studio.project / "other.toml").write_text(other)
    make(page, studio, "path=saved.toml&seed=5")
    held: list[Any] = []
    go_on: list[bool] = []
    page.route("**/api/hello", lambda route: route.continue_() if go_on else held.append(route))
    with page.expect_response("**/api/files/save"):
        page.keyboard.press("Control+s")
    until(page, lambda: bool(held))
    page.get_by_role("button", name=re.compile("^Mine")).click()
    page.locator(".gallery .card", has_text="other").click()
    go_on.append(True)
    for one in held:
        one.continue_()
    page.get_by_text("Saved saved.toml").wait_for()
    work = stored_work(page)
    assert (work["file"], work["base"], work["text"]) == ("other.toml", {"path": "other.toml"}, other)


# --- a repair that was tried before


def test_a_repair_does_not_replace_what_was_typed_after_it_was_tried(page: Any, studio: Any, gate: Gate) -> None:
    (studio.project / "crypt.toml").write_text(CRYPT)
    make(page, studio, "path=crypt.toml&seed=9")
    page.keyboard.press("2")
    page.locator(".under-rule.never").click()
    button = page.get_by_role("button", name="Move secret door above open doors")
    page.locator(".under-mend", has=button).get_by_text("On the copy it fires").wait_for()
    page.keyboard.press("1")
    gate.shut = "make"  # until the new level is there, the old one is shown, with what was tried on it
    type_first(page, "# mine\n")
    page.locator(".map-canvas").focus()
    page.keyboard.press("2")
    button.click()
    assert stored_work(page)["text"] == "# mine\n" + CRYPT
    page.get_by_text("The recipe was changed after this was tried").wait_for()


# --- strokes


def over(page: Any, *columns: int, row: int = 10) -> None:
    """The pointer goes over these cells."""
    for column in columns:
        page.mouse.move(*cell_at(page, column, row), steps=2)


@pytest.mark.parametrize("key", ["Escape", "h", "l", "2"])
def test_a_stroke_is_ended_by_the_tool_that_began_it(page: Any, studio: Any, key: str) -> None:
    make(page, studio)
    page.keyboard.press("b")
    over(page, 4)
    page.mouse.down()
    over(page, 6)
    page.keyboard.press(key)
    if key == "2":  # the map goes from the page under the hand
        page.locator(".under-stage").wait_for()
        page.mouse.move(5, 5)
    page.mouse.up()
    if key == "2":
        page.keyboard.press("1")
        page.locator(".make-stage .map-canvas").wait_for()
        over(page, 7, 9, 12)
    assert [cell for cell, _ in stored_work(page)["edits"]] == [10 * 40 + column for column in (4, 5, 6)]
    page.keyboard.press("h")
    over(page, 20)
    assert page.locator(".map-canvas").evaluate("(map) => map.style.cursor") == "grab"


def test_a_map_that_was_left_in_the_middle_of_a_drag_does_not_follow_the_pointer(page: Any, studio: Any) -> None:
    make(page, studio)
    over(page, 4)
    page.mouse.down()
    over(page, 6)
    page.keyboard.press("2")
    page.locator(".under-stage").wait_for()
    page.mouse.up()
    page.keyboard.press("1")
    page.locator(".make-stage .map-canvas").wait_for()
    over(page, 9, 12)
    assert page.locator(".map-canvas").evaluate("(map) => map.style.cursor") == "grab"


def test_a_filter_that_was_left_in_the_middle_of_a_drag_lets_the_wall_be_sorted(page: Any, studio: Any) -> None:
    make(page, studio)
    page.keyboard.press("3")
    page.locator(".xp-wall[aria-busy=false] .xp-seed.there").first.wait_for()
    page.keyboard.press("Escape")
    box = page.get_by_label("Filter density").locator(".xp-histogram").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 20, steps=4)
    page.locator(".xp-seed.out").first.wait_for()
    page.keyboard.press("1")
    page.locator(".make-stage").wait_for()
    page.mouse.up()
    page.keyboard.press("3")
    page.locator(".xp-wall[aria-busy=false] .xp-seed.there").first.wait_for()
    # Seeds that are left out hang behind the others, once the hand has let go.
    page.wait_for_function(
        "() => /^(in)+(out)+$/.test([...document.querySelectorAll('.xp-seed')].map((one) => (one.matches('.out') ? "
        "'out' : 'in')).join(''))"
    )


# --- cells of a level that is not the one at hand


def sized(page: Any, width: int, height: int) -> None:
    page.get_by_label("Width", exact=True).fill(str(width))
    page.get_by_label("Height", exact=True).fill(str(height))
    page.get_by_label("Height", exact=True).press("Enter")
    page.locator(".map-canvas").focus()


@pytest.mark.parametrize("how", ["paint", "keep", "Enter"])
def test_nothing_is_painted_or_kept_on_a_level_that_is_about_to_go(
    page: Any, studio: Any, gate: Gate, how: str
) -> None:
    make(page, studio)
    gate.shut = "make"
    sized(page, 50, 20)
    page.keyboard.press("l" if how == "keep" else "b")
    if how == "keep":
        page.get_by_role("radio", name="cells", exact=True).click()
    if how == "Enter":
        page.locator(".map-canvas").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    else:
        over(page, 4)
        page.mouse.down()
        over(page, 8)
        page.mouse.up()
    work = stored_work(page)
    assert (work["edits"], work.get("keep")) == ([], None)
    page.get_by_text("This is still the old level").wait_for()
    gate.open()
    page.locator(".map-canvas[aria-label*='50 by 20']").wait_for()


def test_a_stroke_goes_when_a_level_of_another_size_comes_under_it(page: Any, studio: Any) -> None:
    make(page, studio)
    sized(page, 50, 20)
    page.locator(".map-canvas[aria-label*='50 by 20']").wait_for()
    page.keyboard.press("b")
    page.mouse.move(*cell_at(page, 4, 10, 50, 20))
    page.mouse.down()
    page.mouse.move(*cell_at(page, 8, 10, 50, 20), steps=3)
    page.keyboard.press("Control+z")
    page.locator(".map-canvas[aria-label*='40 by 24']").wait_for()
    over(page, 8, 12)
    page.mouse.up()
    assert not stored_work(page).get("edits")
    over(page, 4)
    page.mouse.down()
    page.mouse.up()
    page.get_by_role("button", name="Wipe 1 painted").wait_for()
