"""Files of the project: new ones, names, saving, renaming, deleting, and what others change meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import undercroft as uc
from studio_browser.test_make import HALL, make, text_of, wait_for_level
from studio_browser.test_nothing_lost import stored_work, type_first
from studio_browser.views import await_value, kept_values, until
from undercroft.cli import undercroft
from undercroft.recipe.document import Recipe

RULED = 'about = "Dug"\nsize = [20, 12]\n\n[[step]]\nuse = "fill"\n\n[[step]]\nuse = "rewrite"\nfile = "dig.rules"\n'
DIG = "palette standard\n\none  dig, up to 9 times\n    # -> .\n"


def save(page: Any, name: str) -> None:
    """Write a name into the dialog that is open, and press Save."""
    page.get_by_label("File in the project folder").fill(name)
    page.locator(".dialog-foot").get_by_role("button", name="Save", exact=True).click()


def open_files(page: Any) -> Any:
    """The dialog of the project's files."""
    page.keyboard.press("Control+p")
    page.keyboard.type("rename or delete a file")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Open")
    dialog.wait_for()
    return dialog


def test_a_new_recipe_is_made_at_once_and_saved_with_its_suffix(page: Any, studio: Any) -> None:
    page.goto(studio.address)
    page.get_by_role("button", name="New recipe").click()
    wait_for_level(page, "1")
    page.locator(".text-dot").wait_for()
    page.get_by_label("rooms", exact=True).first.wait_for()
    assert Recipe.parse(text_of(page), "new.toml").generate(seed="1").level.size == (60, 36)
    page.reload()  # what is in no file yet is still there
    wait_for_level(page, "1")
    page.keyboard.press("Control+s")
    page.get_by_label("File in the project folder").fill("vault.rules")
    page.get_by_label("File in the project folder").press("Enter")
    assert page.locator(".dialog-foot").get_by_role("button", name="Save", exact=True).is_disabled()
    page.get_by_role("button", name="Name it vault.toml").click()
    await_value(page.get_by_label("File in the project folder"), "vault.toml")
    save(page, "vault")
    page.locator(".save-dialog").wait_for(state="detached")
    page.locator(".text-dot").wait_for(state="detached")
    assert stored_work(page)["base"] == {"path": "vault.toml"}, "it stays a recipe"
    assert (studio.project / "vault.toml").read_text() == text_of(page)
    assert not (studio.project / "vault").exists()
    assert page.get_by_label("rooms", exact=True).count()
    (studio.project / "vault.toml").unlink()


def test_ctrl_s_writes_back_and_asks_if_the_file_was_changed(page: Any, studio: Any) -> None:
    file = studio.project / "back.toml"
    file.write_text(HALL)
    make(page, studio, "path=back.toml&seed=5")
    type_first(page, "# mine\n")
    page.locator(".text-dot").wait_for()
    page.keyboard.press("Control+s")
    page.locator(".text-dot").wait_for(state="detached")
    assert file.read_text() == "# mine\n" + HALL
    assert page.locator("dialog[open]").count() == 0
    type_first(page, "# more\n")
    file.write_text("# theirs\n" + HALL)
    page.keyboard.press("Control+s")
    page.get_by_text("back.toml was changed elsewhere since it was opened").wait_for()
    assert file.read_text() == "# theirs\n" + HALL
    page.get_by_role("button", name="Save over it").click()
    page.locator(".save-dialog").wait_for(state="detached")
    assert file.read_text() == "# more\n# mine\n" + HALL


def test_what_is_deleted_comes_back_and_the_other_tab_hears_of_it(page: Any, studio: Any) -> None:
    for name, text in (("dug.toml", RULED), ("dig.rules", DIG)):
        (studio.project / name).write_text(text)
    make(page, studio, "path=dug.toml&seed=5")
    other = page.context.new_page()
    other.goto(studio.address + "&path=dug.toml&seed=6")
    other.locator(".stage-title").wait_for()
    dialog = open_files(page)
    dialog.get_by_role("button", name="Delete dig.rules").click()
    dialog.get_by_text("dug.toml names it as file.").wait_for()
    assert (studio.project / "dig.rules").exists()
    dialog.get_by_role("button", name="Keep it").click()
    dialog.get_by_role("button", name="Delete dug.toml").click()
    dialog.get_by_text("is in the trash").wait_for()
    assert not (studio.project / "dug.toml").exists()
    for tab in (page, other):  # what is shown stays, made from its text
        tab.get_by_text("is no longer in the project").wait_for()
        assert tab.locator(".gave-up").count() == 0
    dialog.get_by_role("button", name="Bring it back").click()
    dialog.get_by_text("is in the trash").wait_for(state="detached")
    assert (studio.project / "dug.toml").read_text() == RULED
    for tab in (page, other):
        tab.get_by_text("is no longer in the project").wait_for(state="detached")
    dialog.get_by_role("button", name="Delete dug.toml").click()
    dialog.get_by_text("is in the trash").wait_for()
    page.keyboard.press("Control+z")
    until(page, (studio.project / "dug.toml").exists)
    dialog.get_by_role("button", name="Delete dug.toml").click()
    dialog.get_by_text("is in the trash").wait_for()
    page.keyboard.press("Escape")
    dialog = open_files(page)  # another day
    dialog.get_by_role("radio", name="Trash").click()
    dialog.get_by_role("button", name="Bring back dug.toml").click()
    until(page, (studio.project / "dug.toml").exists)
    assert (studio.project / "dug.toml").read_text() == RULED


UNDO_AT_ONCE = """() => new MutationObserver((_, watcher) => {
  if (!document.querySelector('.open-deleted')) return
  watcher.disconnect()
  window.undone = true
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'z', ctrlKey: true, bubbles: true, cancelable: true}))
}).observe(document.body, {subtree: true, childList: true})"""


def test_ctrl_z_brings_a_file_back_as_soon_as_the_page_says_so(page: Any, studio: Any) -> None:
    file = studio.project / "back.toml"
    file.write_text(HALL)
    make(page, studio, "path=back.toml&seed=5")
    type_first(page, "# typed\n")
    page.locator(".map-canvas").focus()
    dialog = open_files(page)
    page.evaluate(UNDO_AT_ONCE)
    dialog.get_by_role("button", name="Delete back.toml").click()
    page.wait_for_function("() => window.undone")
    dialog.get_by_text("is in the trash").wait_for(state="detached")
    until(page, file.exists)
    dialog.get_by_role("button", name="Close").focus()
    page.keyboard.press("Control+z")  # nothing more to undo in the dialog, and what is behind it stays
    assert stored_work(page)["text"] == "# typed\n" + HALL
    page.keyboard.press("Escape")
    page.keyboard.press("Control+z")
    until(page, lambda: stored_work(page)["text"], HALL)


def test_what_was_typed_follows_its_file_to_another_name(page: Any, studio: Any) -> None:
    (studio.project / "old.toml").write_text(HALL)
    (studio.project / "moss.rules").write_text(DIG)
    make(page, studio, "path=old.toml&seed=5")
    page.keyboard.press("f")
    type_first(page, "# typed\n")
    other = page.context.new_page()
    other.goto(studio.address + "&path=old.toml&seed=6")
    other.locator(".stage-title").wait_for()
    dialog = open_files(page)
    dialog.get_by_role("button", name="Rename old.toml").click()
    field = dialog.get_by_label("New name of old.toml")
    field.fill("moss.rules")
    field.press("Enter")
    dialog.get_by_text("is the name of another kind of file").wait_for()
    field.fill("deep/new")
    field.press("Enter")
    dialog.get_by_role("button", name="Rename deep/new.toml").wait_for()
    page.keyboard.press("Escape")
    assert (studio.project / "deep" / "new.toml").read_text() == HALL
    assert not (studio.project / "old.toml").exists()
    for tab in (page, other):
        tab.locator(".text-file", has_text="deep/new.toml").wait_for()
    work = stored_work(page)
    assert (work["base"], work["text"]) == ({"path": "deep/new.toml"}, "# typed\n" + HALL)
    favourites = [one for name, one in kept_values(page).items() if name.startswith("favourites/") and one]
    assert [one["base"] for one in favourites] == [{"path": "deep/new.toml"}]
    page.keyboard.press("Control+s")
    page.locator(".text-dot").wait_for(state="detached")
    assert (studio.project / "deep" / "new.toml").read_text() == "# typed\n" + HALL


def test_an_export_asks_before_it_writes_over_what_others_changed(new_page: Any, studio: Any) -> None:
    page = new_page(noisy=True)  # the browser reports the refusal
    file = studio.project / "levels" / "asked.txt"
    studio.keep(**{"export ticked": ["text"], "export current": "text"})
    make(page, studio, "recipe=cave&seed=5&size=30x20")
    page.keyboard.press("e")
    dialog = page.get_by_role("dialog", name="Export")
    dialog.get_by_label("File name").fill("levels/asked.txt")
    dialog.get_by_role("button", name="Export 1 file").click()
    page.locator(".exp-outcome").get_by_text("levels/asked.txt").wait_for()
    ours = file.read_text()
    dialog.get_by_role("button", name="Export 1 file").click()
    page.locator(".exp-outcome[role=status]").wait_for()
    file.write_text("by hand")
    dialog.get_by_role("button", name="Export 1 file").click()
    page.get_by_text("Levels/asked.txt was changed elsewhere").wait_for()
    assert file.read_text() == "by hand"
    dialog.get_by_role("button", name="Write over it").click()
    page.locator(".exp-outcome[role=status]").wait_for()
    assert file.read_text() == ours
    # the same for a file that is kept up to date
    dialog.get_by_role("switch", name="Keep this file up to date").click()
    dialog.get_by_text("written just now").or_(dialog.get_by_text("seconds ago")).first.wait_for()
    page.keyboard.press("Escape")
    file.write_text("by hand")
    page.keyboard.press("Space")
    page.get_by_text("asked.txt was changed elsewhere").wait_for()
    assert file.read_text() == "by hand"
    page.locator(".watching").get_by_role("button", name="Write over it").click()
    page.get_by_text("Keeping asked.txt up to date").wait_for()
    assert len(file.read_text()) == len(ours)
    page.locator(".watching").get_by_role("button", name="Stop").click()
    page.locator(".watching").wait_for(state="detached")


@pytest.mark.parametrize(
    ("title", "name", "shown"),
    [("New rules", "fresh.rules", ".ar-left"), ("New layout", "fresh.layout", ".lay-head")],
)
def test_new_rules_and_layouts_begin_well_and_are_saved_under_their_suffix(
    page: Any, studio: Any, title: str, name: str, shown: str
) -> None:
    make(page, studio, "recipe=cave&seed=5&size=30x20")
    dialog = open_files(page)
    dialog.get_by_role("button", name=title).click()
    page.locator(shown).wait_for()
    page.keyboard.press("Control+s")
    save(page, "fresh")
    page.locator(".save-dialog, .lay-dialog").wait_for(state="detached")
    until(page, (studio.project / name).exists)
    result = CliRunner().invoke(undercroft, ["lint", str(studio.project / name)])
    assert result.exit_code == 0, result.output
    (studio.project / name).unlink()


def test_an_example_is_copied_into_the_project(page: Any, studio: Any) -> None:
    make(page, studio, "recipe=bsp&seed=5&size=40x24")
    dialog = open_files(page)
    dialog.get_by_role("radio", name="Examples").click()
    dialog.get_by_label("Find a file").fill("automaton")
    dialog.get_by_role("button", name="Copy the recipe cave into the project").click()
    page.locator(".text-file", has_text="my-cave.toml").wait_for()
    shipped = (Path(uc.__file__).parent / "shipped" / "recipes" / "cave.toml").read_text()
    assert (studio.project / "my-cave.toml").read_text() == shipped
    for kind, name in (("rules Maze", "maze.rules"), ("layout throne", "throne.layout")):
        dialog = open_files(page)
        dialog.get_by_role("radio", name="Examples").click()
        dialog.get_by_role("button", name=f"Copy the {kind} into the project").click()
        dialog.wait_for(state="detached")
        until(page, (studio.project / name).exists)
