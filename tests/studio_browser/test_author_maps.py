"""Author, rules on real maps: the level at a step of its recipe, maps of the project, fills and drawings; and rules
that become a step of the recipe in Make.
"""

from __future__ import annotations

from typing import Any

import pytest

from studio_browser.views import await_value, back, opened, until
from undercroft.core.timeline import Timeline
from undercroft.recipe.document import Recipe

RECIPE = """\
size = [31, 17]

[[step]]
use = "fill"

[[step]]
use = "rooms"

[[step]]
use = "rewrite"
id = "decor"
rules = '''
one  pillars, up to 6 times
    ...      ???
    ...  ->  ?o?
    ...      ???

one  puddles, up to 9 times
    . -> ~
'''
"""
DOORS = """\
one  doors, up to 4 times, turned
    #+#      ???
    ...  ->  ?o?
"""


@pytest.fixture
def decor(page: Any, studio: Any) -> Any:
    """Make with the recipe."""
    (studio.project / "decor.toml").write_text(RECIPE)
    (studio.project / "doors.rules").write_text(DOORS)
    (studio.project / "hall.txt").write_text("#######\n#.....#\n###+###\n#.....#\n#######\n")
    opened(page, studio, "path=decor.toml&seed=3&style=plain")
    return page


def uses(seed: str, rule: str) -> int:
    """How often the recipe uses a rule."""
    timeline = Timeline()
    Recipe.parse(RECIPE, "decor.toml").generate(seed=seed, watcher=timeline)
    return list(timeline.sources).count(f"decor: {rule}")


def outcome(page: Any) -> str:
    """What the page says of the run, when it has read everything."""
    page.wait_for_function("() => document.querySelector('.ar')?.dataset.behind === 'no'")
    return str(page.locator(".ar-outcome").last.inner_text())


def open_rules(page: Any, file: str) -> None:
    page.keyboard.press("4")
    page.locator(".ar-file-name").click()
    page.get_by_role("dialog").get_by_role("button", name=file).first.click()
    page.locator(".ar-file-name", has_text=file).wait_for()
    outcome(page)


def run_on(page: Any, map_name: str, said: str) -> None:
    """Choose a map, and wait until the page says this of the run."""
    page.get_by_label("Map to run on").select_option(map_name)
    until(page, lambda: said in outcome(page))


def take(page: Any, tile: str) -> None:
    """Take a tile in hand."""
    page.get_by_role("radiogroup", name="Tile in hand").get_by_role("radio", name=tile, exact=True).click()


def test_the_rules_of_a_step_run_on_its_level_as_the_recipe_runs_them(decor: Any) -> None:
    page = decor
    page.keyboard.press("2")
    page.get_by_role("button", name="Edit the rules, and run them on this level").click()
    page.locator(".ar-file-name", has_text="decor").wait_for()
    await_value(page.get_by_label("Step of the level"), "decor")
    page.get_by_role("radio", name="The map after all 2 rules").click()
    until(page, lambda: outcome(page).startswith(f"fired {uses('3', 'pillars')} "))
    # Another seed is another level, here and in Make.
    page.get_by_label("Seed of the level").fill("5")
    page.keyboard.press("Enter")
    until(page, lambda: outcome(page).startswith(f"fired {uses('5', 'pillars')} "))
    page.get_by_role("button", name="Before and after, side by side").click()
    until(page, lambda: page.locator(".ar-map canvas").count(), 2)
    assert page.locator(".ar-outcome").first.inner_text() == "Before"
    # Both move together, and the map before has no pillars where the one after has.
    page.locator(".ar-map canvas").last.hover()
    page.mouse.wheel(0, -300)
    tiles = page.evaluate_handle(
        """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
            done([...document.querySelectorAll('.ar-map canvas')].map((one) => one.toDataURL()))
        })))"""
    ).json_value()
    assert tiles[0] != tiles[1]
    back(page)
    await_value(page.get_by_label("Seed: a number or words"), "5")


def test_a_rule_that_never_fires_says_why_and_other_maps_are_one_choice_away(decor: Any) -> None:
    page = decor
    open_rules(page, "doors.rules")
    run_on(page, "fill", "never fired")
    why = page.get_by_role("note", name="Why it never fired")
    until(page, lambda: "It needs +, which does not stand on the map" in why.inner_text())
    why.get_by_role("button", name="Run on the level instead").click()
    until(page, lambda: page.get_by_label("Map to run on").input_value(), "level")
    run_on(page, "file hall.txt", "fired 2 of 4, no place left")
    until(page, why.count, 0)
    page.get_by_label("Map to run on").select_option("fill")
    page.get_by_label("Tile of the blank map").select_option("floor")
    until(page, lambda: "It needs #" in why.inner_text())


def test_rules_run_on_what_is_drawn_and_it_is_still_there_later(decor: Any) -> None:
    page = decor
    open_rules(page, "doors.rules")
    page.get_by_label("Height").fill("3")
    page.keyboard.press("Enter")
    page.get_by_label("Width").fill("5")
    page.keyboard.press("Enter")
    run_on(page, "drawing", "After: never fired")
    canvas = page.locator(".ar-map canvas").first
    canvas.focus()
    page.keyboard.press("ArrowLeft")  # the first key shows the cursor, in the middle
    here = (2, 1)
    for tile, cells in (
        ("wall", [(0, 0), (1, 0), (3, 0), (4, 0)]),
        ("door", [(2, 0)]),
        ("floor", [(1, 1), (2, 1), (3, 1)]),
    ):
        take(page, tile)
        canvas.focus()
        for x, y in cells:
            for low, high, keys in ((here[0], x, ("ArrowLeft", "ArrowRight")), (here[1], y, ("ArrowUp", "ArrowDown"))):
                for _ in range(abs(high - low)):
                    page.keyboard.press(keys[high > low])
            here = (x, y)
            page.keyboard.press("Enter")
    until(page, lambda: outcome(page), "After: fired 1 of 4, no place left")
    page.reload()
    until(page, page.locator(".ar-outcome").last.inner_text, "After: fired 1 of 4, no place left")
    page.get_by_role("button", name="Clear the drawing").click()
    until(page, lambda: "never fired" in outcome(page))
    # A stroke of the pointer draws, too.
    area = page.locator(".ar-map canvas").first.bounding_box()
    middle = area["y"] + area["height"] / 2
    page.mouse.move(area["x"] + area["width"] / 2 - 60, middle)
    page.mouse.down()
    page.mouse.move(area["x"] + area["width"] / 2 + 60, middle, steps=3)
    page.mouse.up()
    until(page, page.get_by_role("button", name="Clear the drawing").is_enabled)


def test_rules_become_a_step_of_the_recipe_in_make(decor: Any, studio: Any) -> None:
    page = decor
    open_rules(page, "doors.rules")
    run_on(page, "level", "fired")
    page.get_by_label("Step of the level").select_option("decor")
    page.get_by_role("button", name="Add these rules to decor.toml as a step").click()
    page.get_by_text("decor.toml has the step doors now, before decor.").wait_for()
    step = '[[step]]\nuse = "rewrite"\nid = "doors"\nfile = "doors.rules"\n\n[[step]]\nuse = "rewrite"\nid = "decor"'
    page.keyboard.press("Control+s")
    page.get_by_text("Saved decor.toml").wait_for()
    until(page, lambda: step in (studio.project / "decor.toml").read_text())
    page.keyboard.press("4")
    page.get_by_role("button", name="Add these rules to decor.toml as a step").click()
    page.get_by_text("decor.toml uses doors.rules already, in its step doors.").wait_for()
