"""Make: recipes, parameters, seeds, sizes, the text, kept and painted cells, links; what the page shows is held against
the library.
"""

from __future__ import annotations

import json
import os
import re
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from studio_browser.gate import Gate
from studio_browser.views import await_count, await_value, copied_link, kept_work, until
from undercroft import limits
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.works.link import read_link

HALL = """\
about = "Halls"  # a comment that stays
size = [41, 31]

[param.many]
default = 17
range = [1, 60]
about = "rooms to try"

[param.winding]
default = 0.12  # how crooked
range = [0.0, 1.0]

[param.doors]
default = 0.7
range = [0.0, 1.0]

[param.kind]
default = "room"
choices = ["room", "cave"]

[[step]]
use = "fill"

[[step]]
use = "rooms"
tries = "$many"

[[step]]
use = "maze"
winding = "$winding"

[[step]]
use = "connect"
doors = "$doors"

[[step]]
use = "survey"
kind = "$kind"

[[step]]
use = "ends"

[require]
components = "== 1"
rooms = ">= 2"
"""


def make(page: Any, studio: Any, what: str = "recipe=cave&seed=3&size=40x24") -> None:
    """Open Make with a level. Its measures come with the second answer, and when that is asked for the keys are heard
    too.
    """
    page.goto(f"{studio.address}&{what}&style=plain")
    wait_for_level(page, re.search(r"seed=(\w+)", what)[1])  # type: ignore[index]
    page.locator(".measure-name", has_text=re.compile("^loops$")).first.wait_for()


def wait_for_level(page: Any, seed: str) -> None:
    page.locator(".stage-title p").first.filter(has_text=re.compile(rf"\bseed {re.escape(seed)}(,|$)")).wait_for()


def seed_of(page: Any) -> str:
    found = re.search(r"seed (\w+)", page.locator(".stage-title p").first.inner_text())
    assert found
    return found[1]


def other(page: Any, seed: str) -> None:
    """Wait for another seed than this."""
    page.locator(".stage-title p").first.filter(has_not_text=re.compile(rf"\bseed {seed}(,|$)")).wait_for()


def row(page: Any, name: str) -> Any:
    """The line of a measure beside the map."""
    return page.locator(".measure", has=page.locator(".measure-name", has_text=re.compile(f"^{name}$")))


def measured(page: Any, name: str) -> str:
    """A number beside the map."""
    return str(row(page, name).locator(".measure-value").inner_text())


def text_of(page: Any) -> str:
    """The whole text, folded or not: what would be there at the next visit."""
    return str(kept_work(page)["text"])


def density(recipe: str, seed: str, size: tuple[int, int], **params: Any) -> str:
    """As the page writes it."""
    level = uc.generate(recipe, seed=seed, size=size, params=params)
    return f"{int(float(uc.measure(level)['density'] or 0) * 1000 + 0.5) / 10:g} %"


def test_the_first_start_offers_six_recipes_and_opens_the_one_that_is_pressed(page: Any, studio: Any) -> None:
    page.goto(studio.address)
    cards = page.locator(".first-cards .card")
    cards.nth(5).wait_for()
    await_count(cards, 6)
    page.locator(".first-cards .thumb:not(.empty)").nth(5).wait_for()  # all are made live
    cards.filter(has_text=re.compile("^cave$")).click()
    wait_for_level(page, "1")
    assert measured(page, "density") == density("cave", "1", Recipe.load("cave").size)


def test_the_token_leaves_the_address_at_once(page: Any, studio: Any) -> None:
    make(page, studio)
    assert "token" not in page.url
    assert "token" not in page.evaluate("JSON.stringify(localStorage)")


def test_shuffle_back_and_forward_and_a_typed_seed(page: Any, studio: Any) -> None:
    make(page, studio)
    page.keyboard.press("Space")
    other(page, "3")
    second = seed_of(page)
    assert measured(page, "density") == density("cave", second, (40, 24))
    page.keyboard.press("[")
    wait_for_level(page, "3")
    page.keyboard.press("]")
    wait_for_level(page, second)
    field = page.get_by_label("Seed: a number or words")
    field.fill("the old well")
    field.press("Enter")
    page.locator(".stage-title", has_text="the old well").wait_for()
    assert measured(page, "density") == density("cave", "the old well", (40, 24))


def test_a_slider_changes_the_number_in_the_text_and_nothing_else(page: Any, studio: Any) -> None:
    (studio.project / "hall.toml").write_text(HALL)
    make(page, studio, "path=hall.toml&seed=5")
    slider = page.get_by_label("winding", exact=True)
    slider.focus()
    for _ in range(3):
        slider.press("ArrowRight")
    until(page, lambda: text_of(page), HALL.replace("0.12  # how", "0.15  # how"))
    page.locator(".thread path[d^=M]").wait_for(state="attached")  # the thread ties it to its number
    assert page.locator(".editor .pill.held").inner_text() == "0.15"
    level = Recipe.parse(HALL, "hall.toml").generate(seed="5", params={"winding": 0.15}).level
    wanted = f"{uc.measure(level)['path_length']:g}"
    row(page, "path length").filter(has_text=re.compile(f"{wanted}$")).wait_for()
    assert measured(page, "path length") == wanted


def test_typed_text_moves_the_slider(page: Any, studio: Any) -> None:
    (studio.project / "hall.toml").write_text(HALL)
    make(page, studio, "path=hall.toml&seed=5")
    page.locator(".cm-line", has_text="default = 17").click()
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("42")
    page.locator("[data-turned=many] input[aria-valuetext^='42.']").wait_for()
    assert "default = 42" in page.locator(".cm-content").inner_text()


def test_fast_typing_is_never_scrambled(page: Any, studio: Any) -> None:
    (studio.project / "hall.toml").write_text(HALL)
    make(page, studio, "path=hall.toml&seed=5")
    page.locator(".cm-line").first.click()
    page.keyboard.press("Control+Home")
    line = "# the quick brown fox jumps over the lazy dog, twice"
    page.keyboard.type(line)
    page.keyboard.press("Enter")
    until(page, lambda: text_of(page), line + "\n" + HALL)


def test_choices_and_switches_come_from_the_recipe(page: Any, studio: Any) -> None:
    (studio.project / "choices.toml").write_text(HALL)
    make(page, studio, "path=choices.toml&seed=5")
    page.get_by_role("radio", name="cave", exact=True).click()
    until(page, lambda: text_of(page), HALL.replace('"room"\nchoices', '"cave"\nchoices'))
    page.get_by_role("button", name="Reset all parameters").click()
    until(page, lambda: text_of(page), HALL)
    make(page, studio, "recipe=isaac&seed=2&size=73x33")
    page.get_by_role("switch", name="crop").click()
    expected = density("isaac", "2", (73, 33), crop=False)
    row(page, "density").filter(has_text=expected).wait_for()
    assert measured(page, "density") == expected


def test_a_problem_is_told_under_its_line_and_mended_by_a_key(page: Any, studio: Any) -> None:
    (studio.project / "broken.toml").write_text(HALL.replace('winding = "$winding"', 'windin = "$winding"'))
    make(page, studio)
    before = [page.locator(".stage-title h1").inner_text(), seed_of(page)]
    page.get_by_role("button", name=re.compile("^Mine")).click()
    page.locator(".gallery .card", has_text="broken").click()
    lens = page.locator(".lens")
    lens.wait_for()
    assert "windin" in lens.inner_text()
    assert page.locator(".problem").inner_text() == "windin"
    assert [page.locator(".stage-title h1").inner_text(), seed_of(page)] == before, "the last good level stays"
    assert "1 problem" in page.locator(".stage-right").inner_text()
    page.keyboard.press("F8")
    assert page.locator(".panel-foot", has_text="Col").inner_text().endswith("Col 1")
    page.keyboard.press("Alt+Enter")
    lens.wait_for(state="detached")
    until(page, lambda: 'winding = "$winding"' in text_of(page))
    page.locator(".stage-title h1", has_text="Broken").wait_for()


def test_unmet_requirements_show_the_closest_and_can_be_allowed(page: Any, studio: Any) -> None:
    text = (Recipe.load("cave").source[0]).replace('components = "== 1"', 'components = "== 1"\nloops = ">= 900"')
    (studio.project / "strict.toml").write_text(text)
    make(page, studio, "path=strict.toml&seed=2&size=40x24")
    card = page.locator(".unmet")
    card.wait_for()
    assert "No attempt in 100" in card.inner_text()
    assert "loops 100" in card.inner_text(), "rejections are counted by cause"
    assert page.locator(".measure.failed .measure-name").all_inner_texts() == ["loops"]
    value = measured(page, "loops")
    page.get_by_role("button", name=re.compile("^Allow")).click()
    card.wait_for(state="detached")
    until(page, lambda: f'loops = ">= {value}"' in text_of(page))
    assert measured(page, "loops") >= value


def test_size_is_typed_and_taken_back(page: Any, studio: Any) -> None:
    make(page, studio)
    page.get_by_label("Width", exact=True).fill("50")
    page.get_by_label("Height", exact=True).fill("20")
    page.get_by_label("Height", exact=True).press("Enter")
    page.locator(".map-canvas[aria-label*='50 by 20']").wait_for()
    assert measured(page, "density") == density("cave", "3", (50, 20))
    page.locator(".map-canvas").click()
    page.keyboard.press("Control+z")
    page.locator(".map-canvas[aria-label*='40 by 24']").wait_for()
    page.keyboard.press("Control+y")
    page.locator(".map-canvas[aria-label*='50 by 20']").wait_for()


def test_favourites_come_back(page: Any, studio: Any) -> None:
    make(page, studio)
    page.keyboard.press("f")
    assert page.get_by_role("button", name="Favourite", exact=True).get_attribute("aria-pressed") == "true"
    page.keyboard.press("Space")
    other(page, "3")
    page.get_by_role("button", name=re.compile("^Favourites")).click()
    page.locator(".gallery .card", has_text="cave, 3").click()
    wait_for_level(page, "3")


def test_the_gallery_is_filtered_and_searched(page: Any, studio: Any) -> None:
    make(page, studio)
    shown = page.locator(".gallery .card-name")
    page.get_by_role("button", name="Mazes", exact=True).click()
    assert set(shown.all_inner_texts()) == {name for name in names() if "maze" in Recipe.load(name).tags}
    page.get_by_role("button", name="Mazes", exact=True).click()
    page.get_by_label("Find a recipe").fill("hilbert")
    assert shown.all_inner_texts() == ["galak-z"]
    page.get_by_label("Find a recipe").fill("nothing like this")
    assert "No recipe" in page.locator(".gallery-none").inner_text()


def cell_at(page: Any, column: float, row: float, columns: int = 40, rows: int = 24) -> tuple[float, float]:
    """Where a cell lies on the page while the whole map fits."""
    box = page.locator(".map-canvas").bounding_box()
    left, top, right, bottom = 20, 56, 20, 72
    scale = min((box["width"] - left - right) / columns, (box["height"] - top - bottom) / rows, 48)
    x = left + (box["width"] - left - right - scale * columns) / 2
    y = top + (box["height"] - top - bottom - scale * rows) / 2
    return box["x"] + x + (column + 0.5) * scale, box["y"] + y + (row + 0.5) * scale


def test_painted_cells_are_in_the_level_and_in_its_file(page: Any, studio: Any) -> None:
    make(page, studio)
    level = uc.generate("cave", seed="3", size=(40, 24))
    row_ = next(y for y in range(2, 22) if (level.tiles[y, 4:9] == level.palette["floor"]).all())
    page.keyboard.press("b")
    page.get_by_role("radio", name="water").click()
    page.mouse.move(*cell_at(page, 4, row_))
    page.mouse.down()
    page.mouse.move(*cell_at(page, 8, row_), steps=3)
    page.mouse.up()
    page.get_by_role("button", name="Wipe 5 painted").wait_for()
    expected = level.tiles.copy()
    expected[row_, 4:9] = level.palette["water"]
    share = np.count_nonzero(level.palette.walkable[expected]) / expected.size
    row(page, "density").filter(has_text=f"{int(share * 1000 + 0.5) / 10:g} %").wait_for()  # the painted level has come
    page.keyboard.press("Control+s")
    page.get_by_role("radio", name="This level").click()
    page.get_by_label("File in the project folder").fill("painted.json")
    page.locator(".dialog-foot").get_by_role("button", name="Save", exact=True).click()
    page.locator(".save-dialog").wait_for(state="detached")
    saved = uc.load(studio.project / "painted.json")
    assert (saved.tiles == expected).all()
    page.keyboard.press("Control+z")
    page.get_by_role("button", name="Wipe 5 painted").wait_for(state="detached")


def test_a_kept_room_stays_when_the_rest_is_shuffled(page: Any, studio: Any) -> None:
    make(page, studio, "recipe=bsp&seed=4&size=60x36")
    level = uc.generate("bsp", seed="4", size=(60, 36))
    room = next(region for region in level.regions if region.kind != "corridor")
    ys, xs = (level.regions.labels == room.label).nonzero()
    page.keyboard.press("l")
    page.mouse.click(*cell_at(page, int(xs[len(xs) // 2]), int(ys[len(ys) // 2]), 60, 36))
    page.locator(".plate.kept").wait_for()
    page.keyboard.press("Space")
    other(page, "4")
    page.keyboard.press("Control+s")
    page.get_by_role("radio", name="This level").click()
    page.get_by_label("File in the project folder").fill("kept.json")
    page.locator(".dialog-foot").get_by_role("button", name="Save", exact=True).click()
    page.locator(".save-dialog").wait_for(state="detached")
    saved = uc.load(studio.project / "kept.json")
    assert not (saved.tiles == level.tiles).all(), "the rest is another level"
    if page.locator(".plate.moved").count() == 0:
        assert (saved.tiles[ys, xs] == level.tiles[ys, xs]).all()


def test_a_link_makes_the_same_level_elsewhere(page: Any, studio: Any, browser: Any) -> None:
    (studio.project / "hall.toml").write_text(HALL)
    make(page, studio, "path=hall.toml&seed=5")
    page.get_by_label("winding", exact=True).focus()
    page.keyboard.press("End")
    page.locator(".map-canvas").click()
    level = Recipe.parse(HALL, "hall.toml").generate(seed="5", params={"winding": 1.0}).level
    row(page, "path length").filter(has_text=re.compile(f"{uc.measure(level)['path_length']:g}$")).wait_for()
    link = copied_link(page)
    assert link.startswith("undercroft:1:")
    assert "token" not in link + page.url
    wanted = [measured(page, name) for name in ("density", "path length", "doors")]
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    tab = context.new_page()
    tab.goto(f"{studio.address}&{link}")
    wait_for_level(tab, "5")
    until(tab, lambda: [measured(tab, name) for name in ("density", "path length", "doors")], wanted)
    await_value(tab.get_by_label("winding", exact=True), "1")
    context.close()


def test_a_link_leads_to_its_level_once_and_then_the_work_goes_on(page: Any, studio: Any) -> None:
    make(page, studio, "recipe=cave&seed=5&size=40x24")
    page.locator(".map-canvas").click()
    copied_link(page)
    page.locator(".map-canvas").click()
    page.keyboard.press("Space")
    other(page, "5")
    now = seed_of(page)
    page.reload()
    wait_for_level(page, now)
    assert "seed" not in page.url
    page.evaluate("() => { location.hash = 'recipe=nonsense&seed=5' }")
    page.get_by_text("This work is of the recipe nonsense, which this version does not have").wait_for()
    assert seed_of(page) == now


def test_the_address_of_a_studio_can_be_pasted_into_the_same_tab(new_page: Callable[..., Any], studio: Any) -> None:
    page = new_page(noisy=True)
    page.goto(studio.address.split("#")[0])
    page.get_by_label("Address or token").fill("wrong")
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("does not know this token").wait_for()
    page.evaluate("(hash) => { location.hash = hash }", "token=" + studio.address.split("token=")[1])
    page.locator(".connected.open").wait_for()
    assert "token" not in page.url


def test_a_level_is_not_written_over_another_file_unasked(new_page: Any, studio: Any) -> None:
    page = new_page(noisy=True)  # the browser reports the refusal
    (studio.project / "precious.json").write_text('{"precious": true}')
    make(page, studio, "recipe=cave&seed=6&size=30x20")
    page.keyboard.press("Control+s")
    page.get_by_role("radio", name="This level").click()
    page.get_by_label("File in the project folder").fill("precious.json")
    page.locator(".dialog-foot").get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("precious.json is there already").wait_for()
    assert (studio.project / "precious.json").read_text() == '{"precious": true}'
    page.get_by_role("button", name="Save over it").click()
    page.locator(".save-dialog").wait_for(state="detached")
    assert uc.load(studio.project / "precious.json").size == (30, 20)


def test_a_size_that_cannot_be_offers_the_one_that_can(page: Any, studio: Any) -> None:
    make(page, studio, "recipe=rooms-and-mazes&seed=4&size=41x31")
    width, height = page.get_by_label("Width"), page.get_by_label("Height")
    width.fill("80")
    height.fill("4")
    height.press("Enter")
    page.get_by_role("button", name="Set size to 80 × 5").click()
    page.wait_for_function("() => !document.querySelector('.gave-up')")
    assert (width.input_value(), height.input_value()) == ("80", "5")
    width.fill("100000")
    height.fill("100001")
    height.press("Enter")
    page.locator(".gave-up").wait_for()
    assert page.locator(".gave-up").get_by_role("button", name="Set size").count() == 0
    assert "--" not in page.locator(".gave-up").inner_text()


def test_what_was_typed_into_one_recipe_is_not_undone_in_another(page: Any, studio: Any) -> None:
    (studio.project / "hall.toml").write_text(HALL)
    make(page, studio, "path=hall.toml&seed=5")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# typed\n")
    make(page, studio, "recipe=cave&seed=6&size=40x24")
    before = text_of(page)
    assert "# typed" not in before
    page.locator(".cm-content").click()
    for _ in range(4):
        page.keyboard.press("Control+z")
    page.wait_for_timeout(200)
    assert text_of(page) == before


def test_a_new_tab_gets_the_token_from_the_open_one(page: Any, studio: Any) -> None:
    make(page, studio)
    tab = page.context.new_page()
    tab.goto(studio.address.split("#")[0] + "#recipe=cave&seed=9&size=40x24&style=plain")
    wait_for_level(tab, "9")
    tab.close()


def test_the_last_work_is_remembered(page: Any, studio: Any) -> None:
    make(page, studio, "recipe=walk&seed=77&size=30x20")
    page.goto("about:blank")
    page.goto(studio.address)
    wait_for_level(page, "77")
    assert page.locator(".stage-title h1").inner_text() == "Walk"


def test_saving_a_recipe_refuses_to_overwrite_what_was_changed_elsewhere(page: Any, studio: Any) -> None:
    plain = HALL
    (studio.project / "mine.toml").write_text(plain)
    make(page, studio, "path=mine.toml&seed=5")
    page.locator(".cm-line").first.click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# mine\n")
    (studio.project / "mine.toml").write_text("# theirs\n" + plain)
    page.get_by_role("button", name="Keep mine").click()
    page.keyboard.press("Control+s")
    page.get_by_role("button", name="Save over it").wait_for()
    assert (studio.project / "mine.toml").read_text().startswith("# theirs")
    page.get_by_role("button", name="Save over it").click()
    page.locator(".save-dialog").wait_for(state="detached")
    assert (studio.project / "mine.toml").read_text() == "# mine\n" + plain
    page.locator(".text-dot").wait_for(state="detached")


def test_a_file_changed_elsewhere_is_followed(page: Any, studio: Any) -> None:
    (studio.project / "followed.toml").write_text(HALL)
    make(page, studio, "path=followed.toml&seed=5")
    (studio.project / "followed.toml").write_text(HALL.replace("default = 17", "default = 44"))
    page.locator("[data-turned=many] input[aria-valuetext^='44.']").wait_for()


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>"])
def test_names_from_files_are_shown_as_text(page: Any, studio: Any, name: str) -> None:
    (studio.project / "odd.toml").write_text(
        f"about = '{name}'\n" + HALL.replace('about = "Halls"  # a comment that stays\n', "")
    )
    make(page, studio, "path=odd.toml&seed=6")
    assert name in page.locator(".cm-content").inner_text()
    field = page.get_by_label("Seed: a number or words")
    field.fill(name)
    field.press("Enter")
    page.locator(".stage-title", has_text=name).wait_for()
    assert page.locator(".stage-title script, .stage-title img").count() == 0


def test_the_cell_cursor_says_what_is_there(page: Any, studio: Any) -> None:
    make(page, studio)
    level = uc.generate("cave", seed="3", size=(40, 24))
    page.locator(".map-canvas").focus()
    page.keyboard.press("ArrowRight")
    spoken = page.locator(".map-holder [role=status]")
    spoken.filter(has_text=re.compile(r"\(\d")).wait_for(state="attached")
    x, y = map(int, re.match(r"\((\d+), (\d+)\)", spoken.inner_text()).groups())  # type: ignore[union-attr]
    assert level.palette.tiles[level.tiles[y, x]].name in spoken.inner_text()


def test_single_keys_rest_while_typing_and_can_be_switched_off(page: Any, studio: Any) -> None:
    make(page, studio)
    page.get_by_label("Find a recipe").fill("")
    page.get_by_label("Find a recipe").press("b")
    assert page.locator(".tool-options").count() == 0
    page.locator(".map-canvas").click()
    page.keyboard.press("?")
    page.get_by_role("switch", name="Single keys").click()
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    page.keyboard.press("Space")
    page.wait_for_timeout(200)
    assert seed_of(page) == "3"
    assert page.locator(".tool-options").count() == 0


def test_the_command_palette_opens_a_recipe(page: Any, studio: Any) -> None:
    make(page, studio)
    page.keyboard.press("Control+p")
    page.keyboard.type("open maze")
    page.keyboard.press("Enter")
    page.locator(".stage-title h1", has_text="Maze").wait_for()


def test_a_number_in_the_text_is_dragged_like_a_slider(page: Any, studio: Any) -> None:
    (studio.project / "hall.toml").write_text(HALL)
    make(page, studio, "path=hall.toml&seed=5")
    pill = page.locator(".cm-line .pill", has_text="17")
    box = pill.bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 44, box["y"] + 8, steps=4)
    page.mouse.up()
    until(page, lambda: "default = 17" in text_of(page), False)
    moved = re.search(r"\[param.many\]\ndefault = (\d+)\n", text_of(page))
    assert moved
    assert int(moved[1]) > 17
    assert text_of(page) == HALL.replace("default = 17", f"default = {moved[1]}")
    await_value(page.get_by_label("many", exact=True), moved[1])


def test_the_picture_of_a_style_takes_the_place_of_the_sketch(page: Any, studio: Any) -> None:
    """In the style `blueprint` the sketch has none of the fine lines that the server draws."""
    make(page, studio)
    colours = (
        "() => new Set(new Uint32Array(document.querySelector('.map-canvas').getContext('2d').getImageData(0, 0, 800, "
        "500).data.buffer)).size"
    )
    os.kill(studio.process.pid, signal.SIGSTOP)  # no picture comes meanwhile
    try:
        page.get_by_role("radio", name="blueprint").click()
        sketched = page.evaluate(
            "async () => { for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame); return "
            f"({colours})() }}"
        )
    finally:
        os.kill(studio.process.pid, signal.SIGCONT)
    until(page, lambda: page.evaluate(colours) > 4 * sketched)


def test_a_large_level_tells_its_progress_and_can_be_stopped(page: Any, studio: Any, gate: Gate) -> None:
    make(page, studio, "recipe=cave&seed=3&size=60x30")
    before = measured(page, "density")
    gate.shut = "make"  # a quick machine is done before anybody could press a key
    page.get_by_label("Width", exact=True).fill("1000")
    page.get_by_label("Height", exact=True).fill("1000")
    page.get_by_label("Height", exact=True).press("Enter")
    card = page.locator(".state-card", has_text="1000 × 1000")  # the level before may still be made for a moment
    card.wait_for()
    assert "The old level stays until the new one is whole" in card.inner_text()
    await_count(page.get_by_role("progressbar"), 1)
    page.keyboard.press("Escape")
    page.locator(".state-card", has_text="Stopped").wait_for()
    gate.open()
    assert measured(page, "density") == before, "the old level stays, also if the new one was whole already"
    page.get_by_role("button", name="Make it").click()
    page.locator(".map-canvas[aria-label*='1000 by 1000']").wait_for()


def test_a_step_that_cannot_do_it_says_why_and_the_old_level_stays(page: Any, studio: Any) -> None:
    make(page, studio, "recipe=isaac&seed=2&size=73x33")
    before = measured(page, "rooms")
    field = page.get_by_label("rooms, as a number")
    field.fill("300")
    field.press("Enter")
    card = page.locator(".gave-up")
    card.wait_for()
    assert "300 rooms do not fit" in card.inner_text()
    assert measured(page, "rooms") == before
    card.get_by_role("button", name="Undo").click()
    card.wait_for(state="detached")


def with_moved(message: str | bytes) -> str | bytes:
    """The same answer, in which two kept cells had to move."""
    if isinstance(message, str):
        return message
    length = struct.unpack("<I", message[:4])[0]
    head, body = json.loads(message[4 : 4 + length]), message[(4 + length + 7) & ~7 :]
    if head.get("moved") == [] and head["seed"] != "4":
        head["moved"] = [[5 * head["size"][0] + 5, 6]]
    text = json.dumps(head).encode()
    return struct.pack("<I", len(text)) + text + b"\0" * (-(4 + len(text)) % 8) + body


def test_what_could_not_be_kept_is_said_on_the_map(page: Any, studio: Any) -> None:
    def between(here: Any) -> None:
        there = here.connect_to_server()
        here.on_message(there.send)
        there.on_message(lambda message: here.send(with_moved(message)))

    page.route_web_socket("**/api/live", between)
    make(page, studio, "recipe=bsp&seed=4&size=60x36")
    page.keyboard.press("l")
    page.get_by_role("radio", name="cells", exact=True).click()
    page.mouse.move(*cell_at(page, 5, 5, 60, 36))
    page.mouse.down()
    page.mouse.move(*cell_at(page, 12, 5, 60, 36), steps=8)
    page.mouse.up()
    page.keyboard.press("Space")
    page.locator(".plate.moved").wait_for()
    assert "6 cells are other than before" in page.locator(".state-card").inner_text()
    page.get_by_role("button", name="Let those cells go").click()
    page.locator(".tool-options", has_text="2 cells stay").wait_for()


class Own:
    """A server that a test may stop and start again on the same port."""

    def __init__(self, project: Path) -> None:
        self.project, self.port = project, 0
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Own:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/#token=away"

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "undercroft",
            "studio",
            "--no-browser",
            "--token",
            "away",
            "--project",
            str(self.project),
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert self.process.stdout
        found = re.search(r":(\d+)/", self.process.stdout.readline())
        assert found
        self.port = int(found[1])

    def stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.communicate(timeout=15)
            self.process = None


def test_the_page_goes_on_when_the_server_is_away_and_catches_up_when_it_is_back(browser: Any, tmp_path: Path) -> None:
    # its console may complain of refused connections
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    with Own(tmp_path) as own:
        page.goto(f"{own.address}&recipe=cave&seed=3&size=40x24&style=plain")
        wait_for_level(page, "3")
        own.stop()
        page.locator(".banner", has_text="The studio has stopped").wait_for()
        assert f"--project {tmp_path}" in page.locator(".banner").inner_text()
        page.keyboard.press("Space")  # is made later
        page.locator(".cm-line").first.click()
        page.keyboard.press("Control+Home")
        page.keyboard.type("# typed while away\n")
        wanted = page.get_by_label("Seed: a number or words").input_value()
        assert wanted != "3"
        own.start()
        wait_for_level(page, wanted)
        page.locator(".banner").wait_for(state="detached")
        assert measured(page, "density") == density("cave", wanted, (40, 24))
        until(page, lambda: text_of(page).startswith("# typed while away\n"))
        context.close()


def test_a_map_from_elsewhere_is_shown_as_it_is_and_measured(page: Any, studio: Any) -> None:
    make(page, studio)
    page.get_by_role("button", name="Open a recipe of the project").click()
    page.get_by_role("button", name="Import a map").click()
    drawn = "#######\n#..+..#\n#..#..#\n#######\n"
    page.locator("dialog[open] input[type=file]").set_input_files(
        {"name": "hut.txt", "mimeType": "text/plain", "buffer": drawn.encode()}
    )
    page.get_by_text("A map from a file").wait_for()
    page.locator(".make-map.mono", has_text="7 × 4").wait_for()
    level = uc.survey(uc.Level.parse(drawn))
    row(page, "rooms").filter(has_text="2").wait_for()
    assert measured(page, "rooms") == str(uc.measure(level)["rooms"]) == "2"
    assert measured(page, "doors") == "1"
    page.locator(".map-canvas").click()
    page.keyboard.press("Space")
    page.get_by_text("A map from a file has no seed").wait_for()
    assert read_link(copied_link(page)).map == level


def test_a_map_that_is_too_large_is_said_so_with_the_limit_that_the_server_has(page: Any, studio: Any) -> None:
    make(page, studio)
    page.get_by_role("button", name="Open a recipe of the project").click()
    page.get_by_role("button", name="Import a map").click()
    large = {"name": "large.txt", "mimeType": "text/plain", "buffer": b"#" * (limits.STUDIO_UPLOAD_BYTES.value + 1)}
    page.locator("dialog[open] input[type=file]").set_input_files(large)
    page.get_by_role("alert").get_by_text("large.txt has 8.4 MB; at most 8.3 can be read here").wait_for()


def test_a_file_that_is_kept_up_to_date_is_told_of_and_can_be_let_go(page: Any, studio: Any) -> None:
    make(page, studio, "recipe=cave&seed=8&size=30x20")
    page.keyboard.press("e")
    page.get_by_role("checkbox", name="Export Tiled map", exact=True).click()
    page.get_by_role("switch", name="Keep this file up to date").click()
    page.get_by_text("up to date", exact=False).first.wait_for()
    page.wait_for_function("() => document.querySelector('.watching') !== null")
    page.keyboard.press("Escape")
    name = page.locator(".watching").get_attribute("title")
    file = studio.project / name
    before = file.read_bytes()
    page.locator(".map-canvas").click()
    page.keyboard.press("Space")
    other(page, "8")
    page.wait_for_timeout(100)
    end = time.monotonic() + 15
    while file.read_bytes() == before and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert file.read_bytes() != before
    page.locator(".watching").get_by_role("button", name="Stop").click()
    page.wait_for_function("() => document.querySelector('.watching') === null")
