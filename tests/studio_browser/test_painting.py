"""Painting shapes, placing things by hand, and the inspector; what the page shows and saves is held against the
library.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import undercroft as uc
from studio_browser.test_make import cell_at, make
from studio_browser.views import kept_work, until
from undercroft.core.frozen import thaw
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.styles.printed.room_key import build_key
from undercroft.draw.view.level_view import LevelView

CAVE = "recipe=cave&seed=3&size=40x24"
COZY, COZY_SIZE = "recipe=cozy&seed=3&size=60x40", (60, 40)


def flood(tiles: np.ndarray[Any, Any], x: int, y: int) -> set[tuple[int, int]]:
    """The connected cells with the tile of one cell."""
    found, waiting = set(), {(x, y)}
    while waiting:
        x, y = waiting.pop()
        found.add((x, y))
        for column, row in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            inside = 0 <= column < tiles.shape[1] and 0 <= row < tiles.shape[0]
            if inside and tiles[row, column] == tiles[y, x] and (column, row) not in found:
                waiting.add((column, row))
    return found


def painted(page: Any, cells: int) -> None:
    """Wait until the level has so many painted cells."""
    page.get_by_role("button", name=f"Wipe {cells} painted").wait_for()


def export_level(page: Any, studio: Any) -> Level:
    """The level, as the export writes it into the project."""

    def exported() -> set[Path]:
        return set(studio.project.glob("levels/*.json"))

    before = exported()
    page.keyboard.press("e")
    page.get_by_role("checkbox", name="Export Undercroft level", exact=True).check()
    page.get_by_role("dialog", name="Export").get_by_role("button", name="Export", exact=False).last.click()
    until(page, lambda: len(exported() - before) == 1)
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")
    return uc.load((exported() - before).pop())


def free_cell(level: Level, room: int) -> tuple[int, int]:
    """A cell of a room without a thing."""
    things = {(thing.x, thing.y) for thing in level.things}
    cells = np.argwhere(level.regions.labels == level.rooms[room].label).tolist()
    return next((x, y) for y, x in cells if (x, y) not in things)


def test_fill_line_and_rectangle_are_one_step_of_undo_each(page: Any, studio: Any) -> None:
    make(page, studio, CAVE)
    level = uc.generate("cave", seed="3", size=(40, 24))
    y, x = next((y, x) for y, x in np.argwhere(level.tiles == level.palette["floor"]).tolist() if y > 5)
    filled = flood(level.tiles, x, y)
    page.keyboard.press("g")
    page.get_by_role("radio", name="water").click()
    page.mouse.click(*cell_at(page, x, y))
    painted(page, len(filled))
    # with Shift, a rectangle has equal sides
    page.keyboard.press("r")
    page.get_by_role("radio", name="edge").click()
    page.get_by_role("radiogroup", name="Tile").get_by_role("radio", name="wall").click()
    page.mouse.move(*cell_at(page, 12, 8))
    page.mouse.down()
    page.keyboard.down("Shift")
    page.mouse.move(*cell_at(page, 16, 9), steps=3)
    page.mouse.up()
    page.keyboard.up("Shift")
    square = {(12 + dx, 8 + dy) for dx in range(5) for dy in range(5) if {dx, dy} & {0, 4}}
    painted(page, len(filled | square))
    # Esc drops what is being drawn
    page.mouse.move(*cell_at(page, 2, 2))
    page.mouse.down()
    page.mouse.move(*cell_at(page, 30, 20), steps=3)
    page.keyboard.press("Escape")
    page.mouse.up()
    page.locator(".tool-options").wait_for()
    # a line from the cell cursor
    page.keyboard.press("n")
    page.locator(".map-canvas").focus()
    page.mouse.move(*cell_at(page, 5, 3))
    for key in ("ArrowRight", "Enter", "ArrowDown", "ArrowDown", "Shift+ArrowRight", "Enter"):
        page.keyboard.press(key)
    ends = {(6, 3), (14, 5)}
    line = {(6 + step, round(3 + step / 4 + 1e-9)) for step in range(9)}
    assert ends <= line
    painted(page, len(filled | square | line))
    saved = export_level(page, studio)
    expected = level.tiles.copy()
    for cells, tile in ((filled, "water"), (square | line, "wall")):
        for column, row in cells:
            expected[row, column] = saved.palette[tile]
    assert (saved.tiles == expected).all()
    for left in (len(filled | square), len(filled)):
        page.keyboard.press("Control+z")
        painted(page, left)
    page.keyboard.press("Control+z")
    page.get_by_role("button", name="Wipe").wait_for(state="detached")


def test_a_chest_is_placed_with_data_moved_and_exported(page: Any, studio: Any) -> None:
    make(page, studio, COZY)
    level = uc.generate("cozy", seed="3", size=COZY_SIZE)
    (x, y), (to_x, to_y) = free_cell(level, 0), free_cell(level, 1)
    page.keyboard.press("t")
    page.get_by_label("Place", exact=True).fill("chest")
    page.mouse.click(*cell_at(page, x, y, *COZY_SIZE))
    form = page.get_by_role("form", name="The chest")
    for name, kind, value in (
        ("gold", "number", "7"),
        ("locked", "yes", None),
        ("contents", "list", '["rope", {"item": "torch", "count": 2}]'),
    ):
        form.get_by_role("button", name="Add a value").click()
        form.get_by_label("Name", exact=True).last.fill(name)
        form.get_by_label(f"Type of {name}").select_option(kind)
        if value is not None:
            assert form.get_by_role("button", name="Apply").is_disabled(), "an empty number or list is none"
            form.get_by_label(f"Value of {name}").fill(value)
    form.get_by_role("button", name="Apply").click()
    page.locator(".inspector p", has_text="chest (rope, torch x2)").wait_for()  # the text of the key tells it
    page.mouse.move(*cell_at(page, x, y, *COZY_SIZE))
    page.mouse.down()
    page.mouse.move(*cell_at(page, to_x, to_y, *COZY_SIZE), steps=4)
    page.mouse.up()
    page.get_by_role("complementary", name=f"Cell ({to_x}, {to_y})").get_by_label("Value of gold").wait_for()
    # from the keyboard it moves with the cell cursor; Esc leaves it where it is
    for keys, at in (
        (("ArrowRight", "Enter"), to_x + 1),
        (("ArrowDown", "Escape"), to_x + 1),
        (("ArrowLeft", "Enter"), to_x),
    ):
        page.get_by_role("button", name="Move", exact=True).click()
        for key in keys:
            page.keyboard.press(key)
        page.get_by_role("complementary", name=f"Cell ({at}, {to_y})").get_by_label("Value of gold").wait_for()
    # a thing of the recipe goes
    other = next(thing for thing in level.things if not thing.data.get("contents"))
    page.mouse.click(*cell_at(page, other.x, other.y, *COZY_SIZE))
    page.get_by_role("form", name=f"The {other.kind}").wait_for()
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Reset 2 changes").wait_for()
    chest = Thing("chest", to_x, to_y, {"gold": 7, "locked": True, "contents": ["rope", {"item": "torch", "count": 2}]})
    saved = export_level(page, studio)
    assert list(saved.things) == [thing for thing in level.things if thing is not other] + [chest]
    assert type(thaw(saved.things[-1].data)["gold"]) is int


def test_a_thing_is_placed_with_its_data_in_one_step_of_undo(page: Any, studio: Any) -> None:
    def kept_things() -> Any:
        return kept_work(page).get("placed")

    make(page, studio, COZY)
    x, y = free_cell(uc.generate("cozy", seed="3", size=COZY_SIZE), 0)
    page.keyboard.press("t")
    page.get_by_label("Place", exact=True).fill("chest")
    page.mouse.click(*cell_at(page, x, y, *COZY_SIZE))
    form = page.get_by_role("form", name="The chest")
    for gold in ("7", "8"):
        if gold == "7":
            form.get_by_role("button", name="Add a value").click()
            form.get_by_label("Name", exact=True).fill("gold")
            form.get_by_label("Type of gold").select_option("number")
        form.get_by_label("Value of gold").fill(gold)
        form.get_by_role("button", name="Apply").click()
        until(page, kept_things, [thing_at(x, y, int(gold))])
    page.locator(".map-canvas").focus()
    page.keyboard.press("Control+z")  # what was changed later is a step of its own
    until(page, kept_things, [thing_at(x, y, 7)])
    page.keyboard.press("Control+z")
    until(page, lambda: bool(kept_things()), wanted=False)
    page.keyboard.press("Control+y")
    until(page, kept_things, [thing_at(x, y, 7)])


def thing_at(x: int, y: int, gold: int) -> dict[str, Any]:
    """A chest as a work holds it."""
    return {"kind": "chest", "x": x, "y": y, "data": {"gold": gold}}


def test_a_number_that_browsers_do_not_hold_stays_in_its_file(page: Any, studio: Any) -> None:
    level = uc.generate("cozy", seed="3", size=COZY_SIZE)
    (x, y), (to_x, to_y) = free_cell(level, 0), free_cell(level, 1)
    chest = Thing("chest", x, y, {"gold": 2**53 + 1})
    level.replace(things=(chest,)).save(studio.project / "rich.json")
    page.goto(f"{studio.address}&path=rich.json")
    page.locator(".measure-name", has_text="loops").first.wait_for()
    page.keyboard.press("t")
    page.mouse.move(*cell_at(page, x, y, *COZY_SIZE))
    page.mouse.down()
    page.mouse.move(*cell_at(page, to_x, to_y, *COZY_SIZE), steps=4)
    page.mouse.up()
    page.locator(".said.shown", has_text="a number that browsers cannot hold exactly").wait_for()
    assert not kept_work(page).get("placed")
    assert export_level(page, studio).things[0].data["gold"] == 2**53 + 1
    page.keyboard.press("Delete")  # it can go, though
    until(page, lambda: kept_work(page).get("removed"), [{"kind": "chest", "x": x, "y": y}])


def test_a_shape_with_too_many_cells_is_refused_in_a_sentence(page: Any, studio: Any) -> None:
    make(page, studio, "recipe=cave&seed=3&size=250x200")
    page.keyboard.press("r")
    page.mouse.move(*cell_at(page, 5, 5, 250, 200))
    page.mouse.down()
    page.mouse.move(*cell_at(page, 245, 140, 250, 200))
    page.mouse.up()
    page.locator(".said.shown", has_text="30,000 painted cells").wait_for()
    assert page.get_by_role("button", name="Wipe").count() == 0


def test_the_inspector_tells_a_room(page: Any, studio: Any) -> None:
    make(page, studio, COZY)
    level = uc.generate("cozy", seed="3", size=COZY_SIZE)
    view = LevelView(level)
    key = {entry.number: entry for entry in build_key(view, frozenset({"things"}))}
    x, y = free_cell(level, 1)
    page.mouse.click(*cell_at(page, x, y, *COZY_SIZE))
    card = page.get_by_role("complementary", name=f"Cell ({x}, {y})")
    card.locator(".inspector-number").wait_for()
    number = int(card.locator(".inspector-number").inner_text())
    assert next(room.label for room in view.labels if room.number == number) == level.rooms[1].label
    texts = card.locator("p").all_inner_texts()
    assert key[number].told
    assert texts[1 : 1 + len(key[number].told)] == list(key[number].told)
    links = [link for link in level.links if level.rooms[1].label in (link.a, link.b)]
    assert card.get_by_role("listitem").count() == len(links) > 0
    # by keyboard it takes the focus, and gives it back
    page.keyboard.press("Escape")
    card.wait_for(state="detached")
    page.keyboard.press("Tab")
    page.locator(".map-canvas").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.classList.contains('inspector')")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement.classList.contains('map-canvas')")
