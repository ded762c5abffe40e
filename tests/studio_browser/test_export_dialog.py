"""Taking it home: the dialog writes what the command line writes, and says before what a file leaves out."""

from __future__ import annotations

import io
import shlex
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import undercroft as uc
from studio_browser.views import await_count, until
from undercroft import cli, formats
from undercroft.formats import FORMATS

LEVEL = "recipe=rooms-and-mazes&seed=5&size=31x21&style=plain"


@pytest.fixture
def dialog(page: Any, studio: Any) -> Callable[..., Any]:
    """Opens a level and the dialog over it; some formats are ticked."""

    def opened(*ticked: str, level: str = LEVEL, **more: Any) -> Any:
        memory = {"export ticked": list(ticked), "export current": ticked[0] if ticked else "png", **more}
        studio.keep(**memory)
        page.goto(f"{studio.address}&{level}")
        page.locator(".stage-title").wait_for()
        page.keyboard.press("e")
        page.locator(".exp-row").filter(has_text="no room grid").first.wait_for()  # what each format drops is known
        return page.get_by_role("dialog", name="Export")

    return opened


def command(dialog: Any) -> list[list[str]]:
    """The words of the command that is shown; of several, if one cannot do it."""
    text = dialog.get_by_label("The command that writes the same files").input_value()
    return [shlex.split(line) for line in text.split(" && ")]


def by_command(lines: list[list[str]], folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """The files that those commands write."""
    (folder / "levels").mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(folder)
    for program, *words in lines:
        assert program == "undercroft"
        assert cli.run([*words, *(["--quiet"] if words[0] == "generate" else [])]) == 0
    return files(folder)


def files(folder: Path) -> dict[str, bytes]:
    """All files, without those that the studio keeps for itself."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(".undercroft/")}


def exported(dialog: Any, project: Path) -> dict[str, bytes]:
    """The files that the button writes."""
    before = files(project)
    dialog.get_by_role("button", name="Export", exact=False).last.click()
    dialog.page.locator(".exp-outcome").wait_for(timeout=60_000)
    assert "bad" not in (dialog.page.locator(".exp-outcome").get_attribute("class") or ""), dialog.page.locator(
        ".exp-outcome"
    ).inner_text()
    return {name: data for name, data in files(project).items() if before.get(name) != data}


def test_every_format_is_there_with_what_the_table_says(dialog: Callable[..., Any]) -> None:
    found = dialog("png")
    rows = {row.get_by_role("checkbox").get_attribute("aria-label"): row for row in found.locator(".exp-row").all()}
    written = [row for row in FORMATS.values() if row.dump is not None]
    assert len(rows) == len(written) + 1  # and the animation
    tested = sorted(f"Tested with {row.tested}" for row in written if row.tested)
    told = [row.locator(".exp-under").inner_text() for row in rows.values()]
    assert sorted(text.split(";")[0] for text in told if text.startswith("Tested")) == tested
    # what was never opened in the program it is for says so
    assert "not yet opened" in rows["Export Foundry scene"].locator(".exp-under").inner_text()
    # formats of room grids cannot hold this level, and say it before anybody tries
    assert rows["Export Godot scene of rooms"].get_by_role("checkbox").is_disabled()
    found.get_by_label("Find a format").fill("godot")
    await_count(found.locator(".exp-row"), 2)


def test_a_click_on_a_name_ticks_it(dialog: Callable[..., Any]) -> None:
    found = dialog("png")
    row = found.locator(".exp-row", has_text="Table (CSV)")
    row.get_by_role("button").click()
    assert row.get_by_role("checkbox").is_checked()
    assert found.get_by_role("button", name="Export 2 files").is_enabled()
    row.get_by_role("button").click()
    assert not row.get_by_role("checkbox").is_checked()
    refused = found.locator(".exp-row", has_text="Godot scene of rooms")
    refused.get_by_role("button").click()
    assert not refused.get_by_role("checkbox").is_checked(), "what a format cannot hold is shown, and not ticked"


def test_several_files_at_once_are_those_of_the_command(
    dialog: Callable[..., Any], studio: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = dialog("png", "tmx", "json", "png:gm", "text")
    assert found.get_by_role("button", name="Export 5 files").is_enabled()
    lines = command(found)
    # the map for the game master ends as a picture does, so its format is named in a command of its own
    assert len(lines) == 2
    mine = exported(found, studio.project)
    assert mine == by_command(lines, tmp_path, monkeypatch)
    assert {"levels/rooms-and-mazes-5.tmx", "levels/rooms-and-mazes-5-gm.png"} <= set(mine)


def test_what_a_format_drops_is_said_before_saving(dialog: Callable[..., Any]) -> None:
    found = dialog("text")
    level = uc.Recipe.load("rooms-and-mazes").generate(seed=5, size=(31, 21)).level
    lost = formats.list_lost_parts(level, FORMATS["text"])
    rows = found.locator(".exp-keeps .lost").all_inner_texts()
    assert len(rows) == len(lost) > 3
    assert any(f"{len(level.doors)} doors, not in the file" in row for row in rows)
    assert f"drops {len(lost)} parts" in found.locator(".exp-row.on").inner_text()
    found.get_by_role("button", name="Undercroft level").click()
    found.locator(".exp-details h3", has_text="Undercroft level").wait_for()
    assert found.locator(".exp-keeps .lost").count() == 0


def test_a_picture_is_told_how_to_look(
    dialog: Callable[..., Any], studio: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = dialog("png")
    found.get_by_label("Style", exact=True).select_option("ink")
    found.get_by_label("Pixels a cell").fill("9")
    found.get_by_label("Pixels a cell").press("Tab")
    found.get_by_role("button", name="grid", exact=True).click()  # ink shows it: leave it out
    found.get_by_role("button", name="path", exact=True).click()
    found.get_by_label("File name").fill("maps/my map.png")
    (line,) = command(found)
    assert {"--style", "--cell", "--hide", "--show"} <= set(line)
    monkeypatch.chdir(tmp_path)
    mine = exported(found, studio.project)
    (tmp_path / "maps").mkdir()
    assert mine == {
        name: data for name, data in by_command([line], tmp_path, monkeypatch).items() if name.startswith("maps/")
    }
    preview = found.locator(".exp-preview img")
    preview.wait_for()
    until(
        found.page,
        lambda: preview.evaluate("one => [one.naturalWidth, one.naturalHeight]"),
        list(Image.open(io.BytesIO(mine["maps/my map.png"])).size),
    )
    found.get_by_label("File name").fill("maps/my map.gif")
    assert "End the name in .png" in found.inner_text()
    assert found.get_by_role("button", name="Export 1 file").is_disabled()


SLOW_AND_LEFT_AT_ONCE = """() => {
  const slow = new Set()
  const {src, complete} = Object.getOwnPropertyDescriptors(HTMLImageElement.prototype)
  Object.defineProperty(HTMLImageElement.prototype, 'complete', {
    get() { return !slow.has(this) && complete.get.call(this) }
  })
  Object.defineProperty(HTMLImageElement.prototype, 'src', {...src, set(url) {
    slow.add(this)
    setTimeout(() => { slow.delete(this); src.set.call(this, url); window.loaded++ }, 300)
  }})
  window.loaded = 0
  new MutationObserver(() => {
    const dialog = document.querySelector('dialog[open]')
    if (!dialog?.querySelector('.exp-preview img')) return
    dialog.dispatchEvent(new Event('cancel', {cancelable: true}))
  }).observe(document.body, {subtree: true, childList: true})
}"""
"""Pictures begin to load a moment late, as in a busy browser, and the dialog is closed as soon as there is one."""


def test_a_preview_that_is_left_while_it_loads_is_no_error(dialog: Callable[..., Any], page: Any) -> None:
    """The picture's address outlives its loading: of one that is gone, a busy browser complains in the console."""
    dialog("csv")
    page.evaluate(SLOW_AND_LEFT_AT_ONCE)
    page.evaluate("document.querySelector('.exp-row button').click()")  # PNG, which has a picture
    page.wait_for_function("() => window.loaded === 1")
    page.keyboard.press("e")
    page.wait_for_function("() => window.loaded === 2")
    page.wait_for_timeout(200)  # `page` fails if the console is not empty


def test_a_download_of_one_file_or_of_several(dialog: Callable[..., Any], page: Any) -> None:
    found = dialog("text", "csv", **{"export into": "download"})
    level = uc.Recipe.load("rooms-and-mazes").generate(seed=5, size=(31, 21)).level
    with page.expect_download() as caught:
        found.get_by_role("button", name="Export 2 files").click()
    with zipfile.ZipFile(caught.value.path()) as archive:
        held = {Path(name).suffix: archive.read(name) for name in archive.namelist()}
    assert held == {".txt": formats.dump(level, "text"), ".csv": formats.dump(level, "csv")}
    found.get_by_role("checkbox", name="Export Table (CSV)").uncheck()
    with page.expect_download() as caught:
        found.get_by_role("button", name="Export 1 file").click()
    assert (caught.value.suggested_filename, caught.value.path().read_bytes()) == (
        "rooms-and-mazes-5.txt",
        held[".txt"],
    )


def test_the_making_as_an_animation(
    dialog: Callable[..., Any], studio: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = dialog("animation")
    found.get_by_label("Frames, at most").fill("12")
    found.get_by_label("Frames, at most").press("Tab")
    for kind in ("gif", "webp", "apng"):
        found.get_by_role("radio", name=f".{kind}").click()
        lines = command(found)
        assert lines[0][-4:-2] == ["--animate", f"levels/rooms-and-mazes-5-making.{kind}"]
        mine = exported(found, studio.project)
        assert (
            mine[f"levels/rooms-and-mazes-5-making.{kind}"]
            == by_command(lines, tmp_path, monkeypatch)[f"levels/rooms-and-mazes-5-making.{kind}"]
        )
        with Image.open(io.BytesIO(mine[f"levels/rooms-and-mazes-5-making.{kind}"])) as picture:
            assert getattr(picture, "n_frames", 1) == 12


def test_copy_as_text_and_print(dialog: Callable[..., Any], page: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    found = dialog("text:box")
    level = uc.Recipe.load("rooms-and-mazes").generate(seed=5, size=(31, 21)).level
    found.get_by_role("button", name="Copy", exact=True).first.click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()).length > 100")
    assert page.evaluate("navigator.clipboard.readText()").encode() == formats.dump(level, "text:box")
    found.get_by_role("button", name="Copy the command").click()
    until(
        page,
        lambda: page.evaluate("navigator.clipboard.readText()").startswith(
            "undercroft generate rooms-and-mazes --seed 5 --size 31x21 -o "
        ),
    )
    found.locator(".exp-row.on button").focus()
    page.keyboard.press("Control+c")
    page.wait_for_function("async () => !(await navigator.clipboard.readText()).startsWith('undercroft')")
    # on paper there is the map and nothing else
    page.evaluate(
        "() => { window.print = () => { globalThis.paper = [document.querySelector('.exp-print').naturalWidth, "
        "document.documentElement.className] } }"
    )
    found.get_by_role("button", name="Print", exact=True).click()
    page.wait_for_function("() => globalThis.paper")
    wide, words = page.evaluate("paper")
    assert wide > 100
    assert "printing" in words
    page.emulate_media(media="print")
    assert page.evaluate(
        "[...document.body.children].filter(one => one.checkVisibility()).map(one => one.className)"
    ) == ["exp-print"]
    page.emulate_media(media="screen")


def test_a_file_is_kept_up_to_date(dialog: Callable[..., Any], page: Any, studio: Any) -> None:
    found = dialog("text")
    path = studio.project / "levels" / "kept.txt"
    found.get_by_label("File name").fill("levels/kept.txt")
    found.get_by_role("switch", name="Keep this file up to date").click()
    found.locator(".exp-last").wait_for()
    recipe = uc.Recipe.load("rooms-and-mazes")
    assert path.read_text() == f"{recipe.generate(seed=5, size=(31, 21)).level}\n"
    assert f"{path.stat().st_size} bytes" in found.locator(".exp-last").inner_text()
    found.get_by_role("button", name="Close").click()
    page.get_by_label("Seed: a number or words").fill("77")
    page.keyboard.press("Enter")
    wanted = f"{recipe.generate(seed=77, size=(31, 21)).level}\n"
    until(page, path.read_text, wanted)
    page.keyboard.press("Escape")
    page.locator(".map-canvas").first.focus()
    page.keyboard.press("e")
    assert found.get_by_role("switch", name="Keep this file up to date").get_attribute("aria-checked") == "true"
    found.get_by_role("switch", name="Keep this file up to date").click()
    page.wait_for_function(
        "() => document.querySelector('.exp-watch [role=switch]').getAttribute('aria-checked') === 'false'"
    )
    found.get_by_role("button", name="Close").click()
    page.keyboard.press("Space")
    page.wait_for_timeout(600)
    assert path.read_text() == wanted
