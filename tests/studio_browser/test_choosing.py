"""Choosing instead of typing: pictures of layouts and recipes, words completed and explained, measures required."""

from __future__ import annotations

import re
from typing import Any

import undercroft as uc
from studio_browser.views import await_count, kept_work, until
from undercroft.templates.layouts import layout_files

HALL = """\
size = [41, 31]

[param.many]
default = 17
range = [1, 60]
about = "rooms to try"

[[step]]
use = "fill"

"""


def open_make(page: Any, studio: Any, what: str) -> None:
    studio.keep(view="make")
    page.goto(f"{studio.address}&{what}&style=plain")
    page.locator(".stage-title p").first.filter(has_text="seed 3").wait_for()


def text_of(page: Any) -> str:
    """The whole text of the recipe, folded or not."""
    return str(kept_work(page)["text"])


def test_steps_and_parameters_are_completed_with_the_keyboard(page: Any, studio: Any) -> None:
    (studio.project / "hall.toml").write_text(HALL + '[[step]]\nuse = "rooms"\ntries = "$many"\n')
    open_make(page, studio, "path=hall.toml&seed=3")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type('\n[[step]]\nuse = ""')
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Control+Space")
    chosen = page.locator(".words-box [aria-selected=true]")
    chosen.wait_for()
    assert page.locator(".words-box [role=option]").count() > 30, "all steps"
    page.keyboard.type("ma")
    until(page, lambda: chosen.inner_text().strip(), "maze")
    assert "mazes" in page.locator(".words-help").inner_text()
    box = page.locator(".cm-content")
    assert box.get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    page.keyboard.press("Enter")
    page.locator(".words-box").wait_for(state="detached")
    page.keyboard.press("End")
    page.keyboard.type("\nwinding = ")
    page.keyboard.press("Control+Space")
    until(page, lambda: chosen.inner_text().strip(), "$many")
    page.keyboard.press("Escape")
    page.keyboard.type("0.5\n")
    page.keyboard.press("Control+Space")
    chosen.wait_for()
    page.keyboard.press("Escape")
    assert page.locator(".words-box").count() == 0
    assert text_of(page).endswith('[[step]]\nuse = "maze"\nwinding = 0.5\n')
    page.locator(".panel-foot").get_by_text("No problems").wait_for()

    # the keyboard explains, and so does the pointer
    page.locator(".cm-line", has_text="winding").click()
    page.keyboard.press("Home")
    page.keyboard.press("F1")
    help_box = page.locator(".words-box .words-help")
    help_box.get_by_text("winding", exact=True).wait_for()
    assert "a number from 0 to 1" in help_box.inner_text()
    page.keyboard.press("Escape")
    help_box.wait_for(state="detached")
    page.get_by_text('"maze"').hover()
    help_box.get_by_text("maze", exact=True).wait_for()
    page.mouse.move(5, 5)
    help_box.wait_for(state="detached")

    # the catalogue writes a whole step
    page.get_by_role("button", name=re.compile("^Catalogue of words")).click()
    page.keyboard.type("connect step")
    page.get_by_role("dialog").get_by_role("option", name="connect").wait_for()
    page.keyboard.press("Enter")
    until(page, lambda: text_of(page).endswith('\n\n[[step]]\nuse = "connect"\n'))


def test_layouts_are_chosen_by_picture(page: Any, studio: Any) -> None:
    (studio.project / "den.layout").write_text(layout_files.load_layout_text("apse")[0])
    open_make(page, studio, "recipe=cozy&seed=3&size=60x40")
    page.get_by_role("button", name="Choose layouts: any").click()
    dialog = page.get_by_role("dialog")
    assert dialog.get_by_role("button", name=re.compile("^any: ")).get_attribute("aria-pressed") == "true"
    dialog.get_by_role("button", name=re.compile("^pool: ")).click()
    dialog.get_by_role("button", name=re.compile("^rotunda: ")).click()
    dialog.get_by_role("region", name="In the project").get_by_role("button", name=re.compile("^den")).wait_for()
    assert dialog.get_by_role("button", pressed=True).all_inner_texts() != []
    await_count(dialog.locator(".choice-card canvas"), len(layout_files.list_layouts()) + 2)  # each has its picture
    dialog.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Choose layouts: pool, rotunda").wait_for()
    await_count(page.locator(".turned-pictures canvas"), 2)
    wanted = uc.generate("cozy", seed=3, size=(60, 40), params={"layouts": ["pool", "rotunda"]})
    until(page, lambda: page.locator(".stage-title").first.inner_text().startswith(wanted.title))
    assert 'default = ["pool","rotunda"]' in text_of(page)


def test_one_word_is_one_thing(page: Any, studio: Any) -> None:
    open_make(page, studio, "recipe=cozy&seed=3&size=60x40")
    slider = page.locator("[data-turned=loops]")
    assert slider.locator(".turned-what").inner_text() == "chance of a hallway that the tree does not need"
    measure = page.locator(".measure", has=page.locator(".measure-name", has_text=re.compile("^loops$")))
    assert "(independent cycles)" in measure.inner_text()
    assert page.locator("[data-turned=coverage] .turned-what").count() == 0


def test_require_this(page: Any, studio: Any) -> None:
    open_make(page, studio, "recipe=cave&seed=3&size=40x24")
    found = uc.generate("cave", seed=3, size=(40, 24))
    loops = uc.measure(found, "loops")["loops"]
    page.get_by_role("button", name="Require this: loops").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"Require loops at least {loops}").click()
    page.get_by_role("list", name="Requirements").get_by_text("loops").wait_for()
    assert f'loops = ">= {loops}"' in text_of(page)
    page.keyboard.press("Escape")
    views = page.get_by_role("navigation", name="Views")
    views.get_by_role("button", name="Explore").click()
    handle = page.get_by_role("slider", name="dead ends, at least")
    handle.wait_for()
    handle.press("ArrowRight")
    handle.press("ArrowRight")
    page.get_by_role("button", name=re.compile("^Require this: dead ends")).click()
    views.get_by_role("button", name="Make").click()
    until(page, lambda: re.search(r'dead_ends = ">= \d+"', text_of(page)) is not None)
    assert f'loops = ">= {loops}"' in text_of(page), "the other line stays"


def test_words_of_rules(page: Any, studio: Any) -> None:
    (studio.project / "moss.rules").write_text("one  moss\n    . -> ,\n")
    studio.keep(view="author")
    page.goto(studio.address)
    page.locator(".ar-outcome", has_text="fired").wait_for()
    page.locator(".cm-line", has_text="one  moss").click()
    page.keyboard.press("End")
    page.keyboard.type(", mirr")
    page.keyboard.press("Control+Space")
    chosen = page.locator(".words-box [aria-selected=true]")
    until(page, lambda: chosen.inner_text().strip(), "mirrored")
    page.keyboard.press("Tab")
    page.locator(".cm-line").first.filter(has_text=re.compile("^one  moss, mirrored$")).wait_for()
