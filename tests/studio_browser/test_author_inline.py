"""Author, rules that stand in a recipe: they are opened from Make, and saved into the recipe's text there."""

from __future__ import annotations

from typing import Any

import pytest

from studio_browser.views import back, opened, until

RECIPE = """\
about = "Two steps with rules in the text, and one that names a file"
size = [31, 17]

[[step]]
use = "fill"

[[step]]
use = "rooms"

[[step]]
use = "rewrite"
id = "pits"
rules = "all  pits, once, chance 5%\\n    . -> :"   # in one line

[[step]]
use = "rewrite"
id = "pillars"
rules = '''
; in the corners
one  pillars, up to 4 times, turned
    ##     ??
    #. ->  ?o
'''

[[step]]
use = "rewrite"
id = "water"
file = "water.rules"
"""


@pytest.fixture
def ruled(page: Any, studio: Any) -> Any:
    """Make with the recipe, and its rules beside the map."""
    (studio.project / "ruled.toml").write_text(RECIPE)
    (studio.project / "water.rules").write_text("one  puddle, up to 3 times\n    . -> ~\n")
    opened(page, studio, "path=ruled.toml&seed=3&style=plain")
    rules_of_make(page)
    return page


def rules_of_make(page: Any) -> None:
    page.get_by_role("radio", name="Rules", exact=True).click()
    page.locator(".panel-foot", has_text="3 rules").wait_for()


def edit(page: Any, step: str) -> None:
    page.get_by_role("button", name=f"Edit the rules of {step}").click()
    page.locator(".ar-outcome", has_text="fired").wait_for()


def names(page: Any) -> list[str]:
    found: list[str] = (
        page.get_by_role("listbox", name="Rules")
        .get_by_role("option")
        .evaluate_all("(all) => all.map((one) => one.textContent)")
    )
    return found


def test_rules_in_the_text_of_a_recipe_are_drawn_and_saved_into_it(ruled: Any, studio: Any) -> None:
    page = ruled
    assert page.locator(".rules-step b").all_inner_texts() == ["pits", "pillars", "water"], "the rules of all steps"
    edit(page, "pillars")
    until(page, lambda: [name for name in names(page) if "pillars" in name] != [])
    page.locator(".ar-text .cm-content, .view-author .cm-content").first.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("one  crumbs, once\n    . -> o")
    until(page, lambda: len(names(page)), 2)
    page.keyboard.press("Control+s")
    page.get_by_text("The rules are in ruled.toml now").wait_for()
    back(page)
    rules = page.get_by_role("radio", name="Rules", exact=True)
    rules.click()
    page.locator(".panel-foot", has_text="4 rules").wait_for()
    # What stands there is a recipe: it is saved and read.
    page.keyboard.press("Control+s")
    until(page, lambda: "one  crumbs, once\n    . -> o\n'''\n" in (studio.project / "ruled.toml").read_text())
    assert "; in the corners" in (studio.project / "ruled.toml").read_text()


def test_a_line_of_rules_and_a_file_of_rules_are_opened_too(ruled: Any) -> None:
    page = ruled
    edit(page, "water")
    page.locator(".view-author", has_text="water.rules").wait_for()
    assert "puddle" in names(page)[0]
    back(page)
    rules_of_make(page)
    edit(page, "pits")
    until(page, lambda: any("pits" in name for name in names(page)))
    assert page.locator(".view-author .cm-content").inner_text().split("\n")[-1] == "    . -> :", (
        "a line break that was written as a sign is one"
    )
