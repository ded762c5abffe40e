"""Author, layouts: what is drawn is what the file says, and every size is the one that the library makes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from studio_browser.views import until
from undercroft.core.palette import STANDARD
from undercroft.studio.protocol.project import digest_content
from undercroft.templates.layouts import cozy_json, drawn_text, layout_files, room_faults, suggestions
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.partition import Axis

HALL = """\
; a hall with a leg and a foot
layout  hall, tagged corner
scale   l = leg walls, up by 1
scale   e = leg floor, up by 1
scale   w = foot walls, right by 3   ; three at a time
scale   f = foot floor, right by 3

    #####      |  lllll
    #...#      |  leeel
    #...#      |  leeel
    #...#####  |  =====wwww
    #.o.....#  |  ==^==fffw
    #.......#  |  =====fffw
    #.o.....#  |  ==^==fffw
    #########  |  =====wwww
"""
HUT = """\
scale   w = walls, right by 1, down by 1
scale   f = floor, right by 1, down by 1

    #####  |  wwwww
    #...#  |  wfffw
    #...#  |  wfffw
    #####  |  wwwww
"""
LABEL = re.compile(r"(\d+) wide, (\d+) high: (.*)")


class Bench:
    """A layout that is open in the editor."""

    def __init__(self, page: Any, studio: Any, file: Path) -> None:
        self.page, self.studio, self.file = page, studio, file

    def sizes(self) -> dict[tuple[int, int], str]:
        """What the sheet says of each size, when all are made."""
        self.page.wait_for_function(
            "() => document.querySelector('.lay-size') && !document.querySelector('.lay-size.waits')"
        )
        self.page.wait_for_timeout(120)  # the newest drawing is on its way
        found = self.page.locator(".lay-size").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
        return {(int(one[1]), int(one[2])): one[3] for one in (LABEL.fullmatch(label) for label in found) if one}

    def agrees(self, layout: Layout, *more: Any) -> None:
        """Wait until every size in sight is what the library says: what was made before stays until the new one has
        come.
        """
        until(
            self.page,
            lambda: {size: words for size, words in self.sizes().items() if expected(layout, size, *more) not in words},
            {},
        )

    def shows(self, *texts: str) -> None:
        """Wait until the text holds these."""
        until(
            self.page, lambda: [text for text in texts if text not in self.page.locator(".cm-content").inner_text()], []
        )

    def cell(self, x: int, y: int) -> tuple[float, float]:
        """The middle of a cell of the drawing, on the screen: the grips at its sides say where it lies."""
        box = self.page.evaluate("""() => {
            const at = (side) => {
                const box = document.querySelector('.lay-handle.at-' + side).getBoundingClientRect()
                return [box.x + box.width / 2, box.y + box.height / 2]
            }
            return {
                left: at('left')[0] + 9, right: at('right')[0] - 9,
                top: at('top')[1] + 9, bottom: at('bottom')[1] - 9
            }
        }""")
        wide = self.stepper("Width of the drawing")
        cell = (box["right"] - box["left"]) / wide
        return box["left"] + (x + 0.5) * cell, box["top"] + (y + 0.5) * cell

    def stepper(self, label: str) -> int:
        return int(
            self.page.get_by_label(label, exact=True)
            .locator("input")
            .or_(self.page.locator(f"input[aria-label='{label}']"))
            .first.input_value()
        )

    def click(self, x: int, y: int, **more: Any) -> None:
        self.page.mouse.click(*self.cell(x, y), **more)

    def drag(self, *cells: tuple[int, int]) -> None:
        places = [self.cell(*cell) for cell in cells]
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*place, steps=2)
        self.page.mouse.up()

    def tile(self, name: str) -> None:
        self.page.get_by_role("radio", name=name, exact=True).click()

    def part(self, name: str) -> None:
        self.page.locator(".lay-part", has_text=name).first.click()

    def saved(self) -> str:
        """The text of the file after Ctrl S."""
        before = self.file.read_text()
        self.page.locator(".lay-save").wait_for()
        self.page.keyboard.press("Control+s")
        self.page.locator(".lay-saved").wait_for()
        text = self.file.read_text()
        assert text != before
        return text

    def layout(self) -> Layout:
        return layout_files.parse(self.saved(), self.file.name)


@pytest.fixture
def bench(page: Any, studio: Any) -> Callable[..., Bench]:
    """Opens a layout of the project."""

    def opened(text: str = HALL, name: str = "hall.layout", mode: str = "draw", **more: Any) -> Bench:
        (studio.project / name).write_text(text)
        kept = {"file": name, "text": text, "saved": {"text": text, "seen": digest_content(text)}, "mode": mode}
        studio.keep(**{"view": "author", "author tab": "layouts", "open layout": kept, **more})
        page.goto(studio.address)
        page.locator(".lay-size canvas, .lay-refused").first.wait_for()
        return Bench(page, studio, studio.project / name)

    return opened


def expected(layout: Layout, size: tuple[int, int], leniency: tuple[int, int] = (0, 0), overgrow: bool = False) -> str:
    found = layout.fits(size, leniency=leniency, overgrow=overgrow)
    return "cannot be made" if isinstance(found, str) else "exact" if found == size else f"{found[0]} by {found[1]}"


# --- every size


def test_every_size_in_sight_is_what_the_library_says(bench: Callable[..., Bench]) -> None:
    hall = bench()
    layout = drawn_text.parse(HALL, "hall.layout")
    said = hall.sizes()
    assert min(said) == layout.smallest
    assert len(said) >= 25
    for size, words in said.items():
        assert expected(layout, size) in words
        if "cannot" in words:
            assert str(layout.fits(size)) in words
    counts = [sum(expected(layout, size) == kind for size in said) for kind in ("exact", "cannot be made")]
    tally = hall.page.locator(".lay-tally").inner_text().replace("\n", " ")
    assert all(
        words in tally
        for words in (f"{counts[0]} exact", f"{counts[1]} cannot be made", "Walls closed, floor in one piece")
    )
    # leniency, for each side; and overgrow
    hall.page.get_by_role("button", name="A leniency for each side").click()
    hall.page.get_by_role("button", name="Leniency across: more").click()
    hall.agrees(layout, (1, 0))
    hall.page.get_by_role("switch", name="Overgrow").click()
    hall.agrees(layout, (1, 0), True)


def test_only_what_is_seen_is_made(bench: Callable[..., Bench]) -> None:
    hall = bench()
    first = hall.sizes()
    hall.page.evaluate("""() => {
        globalThis.sent = []
        const send = WebSocket.prototype.send
        WebSocket.prototype.send = function (data) {
            if (typeof data === 'string' && data.includes('"do":"sizes"')) sent.push(JSON.parse(data).sizes)
            return send.call(this, data)
        }
    }""")
    hall.page.locator(".lay-grid").hover()
    hall.page.get_by_role("button", name="Wider sizes").click()
    then = hall.sizes()
    asked = hall.page.evaluate("sent")
    new = sorted(set(then) - set(first))
    assert new
    assert {size[0] for size in new} == {max(then)[0]}
    assert sorted(tuple(size) for sizes in asked for size in sizes) == new
    # with the keys, beyond the last size in sight, and back to the smallest
    last = max(then)
    hall.page.locator(f"[data-size='{last[0]}x{min(then)[1]}']").focus()
    hall.page.keyboard.press("ArrowRight")
    until(hall.page, lambda: max(hall.sizes())[0], last[0] + 1)
    assert hall.page.evaluate("document.activeElement.dataset.size") == f"{last[0] + 1}x{min(then)[1]}"
    hall.page.keyboard.press("Home")
    until(hall.page, lambda: min(hall.sizes()), (9, 8))


def test_a_refused_size_offers_the_smallest_change_that_allows_it(bench: Callable[..., Bench]) -> None:
    hall = bench()
    layout = drawn_text.parse(HALL, "hall.layout")
    hall.sizes()
    hall.page.locator("[data-size='11x11']").click()
    card = hall.page.get_by_role("dialog", name="11 by 11")
    ways = suggestions.suggest_changes(layout, (11, 11))
    card.get_by_role("button").nth(len(ways) - 1).wait_for()
    assert card.get_by_role("button").all_inner_texts() == [way.label for way in ways]
    assert "goes from 9 to 12 wide" in card.inner_text()
    card.get_by_role("button", name="Grow by 2").click()
    until(hall.page, lambda: hall.sizes()[11, 11], "exact")
    text = hall.saved()
    assert text == HALL.replace("right by 3   ; three", "right by 2   ; three").replace(
        "right by 3\n\n", "right by 2\n\n"
    )
    hall.page.locator("[data-size='10x11']").click()
    card = hall.page.get_by_role("dialog", name="10 by 11")
    card.get_by_role("button", name="Leniency 1").click()
    until(hall.page, lambda: "9 by 11" in hall.sizes()[10, 11])


def test_pointing_at_a_size_lays_its_room_over_the_drawing(bench: Callable[..., Bench]) -> None:
    hall = bench()
    hall.sizes()
    hall.page.mouse.move(5, 400)
    x, y = hall.cell(10, 7)  # beyond the drawing, in the foot's wall of the room that is 12 wide
    look = """([x, y]) => {
        const canvas = document.querySelector('.lay-stage canvas')
        const box = canvas.getBoundingClientRect(), scale = canvas.width / box.width
        return canvas.getContext('2d').getImageData((x - box.x) * scale, (y - box.y) * scale, 1, 1).data[3]
    }"""
    # the next step is a shadow, the room that is pointed at is plain to see
    until(hall.page, lambda: 40 < hall.page.evaluate(look, [x, y]) < 100)
    hall.page.locator("[data-size='12x8']").hover()
    until(hall.page, lambda: hall.page.evaluate(look, [x, y]) > 200)
    hall.page.locator("[data-size='9x8']").hover()
    until(hall.page, lambda: hall.page.evaluate(look, [x, y]), 0)


def test_faults_are_told_and_crossed_out(bench: Callable[..., Bench]) -> None:
    text = HUT.replace("floor, right by 1, down by 1", "floor, right by 1, down by 2")
    hut = bench(text, "fault.layout")
    layout = drawn_text.parse(text, "fault.layout")
    said = hut.sizes()
    faulty = {
        size
        for size in said
        if not isinstance(layout.fits(size), str) and list(room_faults.find_faults(layout.room(size), layout))
    }
    assert faulty
    assert {size for size, words in said.items() if ";" in words} == faulty
    check = hut.page.locator("button.lay-check")
    assert f"at {len(faulty)} sizes" in check.inner_text()
    check.click()
    width, height = min(faulty, key=lambda size: (size[1], size[0]))
    hut.page.wait_for_function("(size) => document.activeElement.dataset.size === size", arg=f"{width}x{height}")


# --- drawing


def test_a_stroke_changes_its_cells_and_its_lines(bench: Callable[..., Bench]) -> None:
    hall = bench()
    hall.part("foot floor")
    hall.tile("water")
    hall.drag((5, 4), (7, 4))
    text = hall.saved()
    assert text == HALL.replace("#.o.....#  |  ==^==fffw\n    #.......#", "#.o..~~~#  |  ==^==fffw\n    #.......#", 1)
    # tiles alone, partitions alone, the eraser, and what is filled
    hall.page.get_by_role("radio", name="A stroke changes the tile").click()
    hall.tile("pillar")
    hall.click(0, 0)
    hall.page.get_by_role("radio", name="A stroke changes the partition").click()
    hall.part("overlay")
    hall.click(4, 0)
    hall.page.keyboard.press("x")
    hall.click(0, 7)
    hall.page.get_by_role("radio", name="A stroke changes tile and partition").click()
    hall.page.keyboard.press("g")
    hall.tile("pit")
    hall.page.keyboard.press("g")
    hall.part("base")
    hall.click(1, 3)
    layout = hall.layout()
    assert layout.tile(0, 0) == (STANDARD["pillar"], 0)
    assert layout.tile(4, 0) == (STANDARD["wall"], -2)
    assert layout.tile(0, 7) is None
    assert layout.tile(1, 1) == (STANDARD["floor"], 1)
    assert {layout.tile(x, y) for x, y in ((1, 3), (3, 6), (4, 5))} == {(STANDARD["pit"], -1)}
    # pick up, and put down elsewhere
    hall.page.keyboard.press("i")
    hall.click(6, 4)
    assert hall.page.get_by_role("radio", name="water").get_attribute("aria-checked") == "true"
    assert hall.page.locator(".lay-part.on").inner_text().startswith("foot floor")
    hall.click(6, 6)
    assert hall.layout().tile(6, 6) == (STANDARD["water"], 3)


def test_undo_and_redo_go_through_all_of_it(bench: Callable[..., Bench]) -> None:
    hall = bench()
    hall.tile("pillar")
    hall.part("foot floor")
    hall.click(6, 5)
    hall.page.get_by_role("switch", name="Lock across").click()
    hall.page.get_by_role("radio", name="Text", exact=True).click()
    hall.shows("#.....o.#", "foot floor, locked right by 3")
    for _ in range(2):
        hall.page.get_by_role("button", name="Undo").click()
    until(
        hall.page,
        lambda: re.sub(r"\n+", "\n", hall.page.locator(".cm-content").inner_text()).strip(),
        re.sub(r"\n+", "\n", HALL).strip(),
    )
    hall.page.locator(".lay-saved").wait_for()
    hall.page.get_by_role("button", name="Redo").click()
    hall.shows("#.....o.#")
    hall.page.get_by_role("radio", name="Draw", exact=True).click()
    hall.page.keyboard.press("Control+z")
    hall.page.locator(".lay-saved").wait_for()


def test_the_drawing_is_drawn_by_keyboard_alone(bench: Callable[..., Bench]) -> None:
    hut = bench(HUT, "hut.layout")
    hut.page.locator(".lay-stage canvas").focus()
    hut.page.mouse.move(5, 400)
    hut.page.keyboard.press("]")  # the second partition
    for _ in range(3):
        hut.page.keyboard.press(".")  # wall, floor, corridor, pillar
    spoken = hut.page.locator(".lay-stage [role=status]")
    hut.page.keyboard.press("ArrowLeft")
    spoken.filter(has_text="(").wait_for(state="attached")
    for _ in range(20):
        x, y = map(int, re.findall(r"-?\d+", spoken.inner_text())[:2])
        if (x, y) == (2, 1):
            break
        hut.page.keyboard.press(
            "ArrowRight" if x < 2 else "ArrowLeft" if x > 2 else "ArrowDown" if y < 1 else "ArrowUp"
        )
        hut.page.wait_for_timeout(60)
    assert spoken.inner_text() == "(2, 1), floor, floor"
    hut.page.keyboard.press("Enter")
    assert hut.saved() == HUT.replace("#...#  |  wfffw", "#.o.#  |  wfffw", 1)
    hut.page.keyboard.press("c")  # one more column, a copy of the one with the cursor
    hut.page.keyboard.press("Shift+R")  # and one row less
    assert [row.split("|")[0].strip() for row in hut.saved().split("\n")[3:6]] == ["######", "#....#", "######"]


def test_walls_are_pulled(bench: Callable[..., Bench]) -> None:
    hut = bench(HUT, "hut.layout")
    grip = hut.page.get_by_role("button", name="Right wall").bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    cell = hut.cell(1, 0)[0] - hut.cell(0, 0)[0]
    hut.page.mouse.move(x, y)
    hut.page.mouse.down()
    hut.page.mouse.move(x + 2 * cell, y, steps=4)
    hut.page.mouse.up()
    hut.page.get_by_role("button", name="Upper wall").focus()
    hut.page.keyboard.press("ArrowDown")
    layout = hut.layout()
    assert str(layout.room(layout.smallest)) == "#######\n#.....#\n#######"
    assert layout.smallest == (7, 3)
    hut.page.get_by_role("button", name="Width of the drawing: less").click()
    hut.page.get_by_role("button", name="Height of the drawing: more").click()
    layout = hut.layout()
    assert str(layout.room(layout.smallest)) == "######\n#....#\n#....#\n######"
    # painting outside makes it larger too
    hut.tile("door")
    hut.part("walls")
    hut.click(6, 1)
    assert hut.layout().smallest == (7, 4)


def test_slots_and_sockets_are_drawn_and_found_in_the_room(bench: Callable[..., Bench]) -> None:
    hut = bench(HUT, "hut.layout")
    for what, name, more in (("Slot", "chest", None), ("Socket", "gate", ("What the socket becomes", "opening"))):
        hut.page.get_by_role("button", name="Add a slot or a socket").click()
        dialog = hut.page.get_by_role("dialog", name="Add a slot or a socket")
        dialog.get_by_role("radio", name=what).click()
        dialog.get_by_label("Name").fill(name)
        if more:
            dialog.get_by_label(more[0]).select_option(more[1])
        dialog.get_by_role("button", name="Add", exact=True).click()
        hut.part("floor" if what == "Slot" else "walls")
        hut.click(*((1, 1) if what == "Slot" else (2, 0)))
        hut.page.wait_for_timeout(150)
    layout = hut.layout()
    room = layout.room((6, 5))
    assert [(slot.kind, slot.x, slot.y) for slot in room.slots] == [("chest", 1, 1)]
    assert [(one.kind, one.side, STANDARD.roles[one.tile]) for one in room.sockets] == [("gate", "N", "opening")]
    assert {"slot    chest = c", "socket  gate = g, opening"} <= set(hut.file.read_text().split("\n"))
    # another name, wherever it is drawn
    hut.page.get_by_role("radio", name="slot chest").dblclick()
    dialog = hut.page.get_by_role("dialog", name="Change a slot or socket")
    dialog.get_by_label("Name").fill("coffin")
    dialog.get_by_role("button", name="Change", exact=True).click()
    assert [slot.kind for slot in hut.layout().room((6, 5)).slots] == ["coffin"]


# --- partitions


def test_partitions_are_added_named_moved_and_removed(bench: Callable[..., Bench]) -> None:
    hall = bench()
    page = hall.page
    # drag the last one to the top
    rows = [
        page.locator(".lay-part", has_text=name).first.locator(".lay-grip").bounding_box()
        for name in ("foot floor", "leg walls")
    ]
    page.mouse.move(rows[0]["x"] + 8, rows[0]["y"] + 8)
    page.mouse.down()
    page.mouse.move(rows[1]["x"] + 8, rows[1]["y"] - 6, steps=5)
    page.mouse.up()
    assert [one.name for one in hall.layout().partitions] == ["foot floor", "leg walls", "leg floor", "foot walls"]
    page.keyboard.press("Alt+ArrowDown")
    assert [one.name for one in hall.layout().partitions] == ["leg walls", "foot floor", "leg floor", "foot walls"]
    page.get_by_role("button", name="Add a partition").click()
    page.get_by_label("Name of the partition").fill("altar steps")
    page.keyboard.press("Enter")
    page.get_by_label("Colour of altar steps").fill("#ff8800")
    hall.tile("floor")
    hall.click(1, 4)
    layout = hall.layout()
    assert (layout.partitions[-1].name, layout.partitions[-1].colour) == ("altar steps", "#ff8800")
    assert layout.tile(1, 4) == (STANDARD["floor"], 4)
    page.get_by_role("button", name="Remove altar steps").click()
    layout = hall.layout()
    assert len(layout.partitions) == 4
    assert layout.tile(1, 4) == (STANDARD["floor"], -1)
    # tags, flips, and the name of it all
    page.get_by_role("button", name="Add a tag").click()
    page.get_by_label("New tag").fill("large")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Remove the tag corner").click()
    page.get_by_role("button", name="May flip down").click()
    page.get_by_label("Name of the layout").fill("great hall")
    page.keyboard.press("Tab")
    layout = hall.layout()
    assert (layout.name, layout.tags, layout.flip_x, layout.flip_y) == ("great hall", ("large",), False, True)
    assert "; three at a time" in hall.file.read_text()


def test_every_switch_of_scaling(bench: Callable[..., Bench]) -> None:
    hut = bench(HUT, "hut.layout")
    page = hut.page
    across, down = page.locator(".lay-axis").nth(0), page.locator(".lay-axis").nth(1)
    across.get_by_role("button", name="Across: amount: more").click()
    across.get_by_role("button", name="Across: amount: more").click()
    across.get_by_role("radio", name="from the centre").click()  # three cannot be halved
    assert "Half of the amount goes to each side" in across.inner_text()
    down.get_by_role("radio", name="multiples").click()
    down.get_by_role("radio", name="up", exact=True).click()
    assert "4, 8, 16 and so on" in down.inner_text()
    page.get_by_role("switch", name="Lock ratio").click()
    walls = hut.layout().partitions[0]
    assert (walls.x, walls.y, walls.lock_ratio) == (
        Axis(amount=4, direction=0),
        Axis(type="multiples", direction=-1),
        True,
    )
    down.get_by_role("switch", name="Lock down").click()  # a ratio needs both
    walls = hut.layout().partitions[0]
    assert (walls.y.locked, walls.lock_ratio) == (True, False)
    assert page.get_by_role("switch", name="Lock ratio").is_disabled()
    hut.agrees(drawn_text.parse(hut.file.read_text(), "hut.layout"))


# --- text and files


def test_text_and_drawing_follow_each_other(bench: Callable[..., Bench]) -> None:
    hall = bench(mode="text")
    page = hall.page
    page.get_by_text("leg walls, up by 1").first.click()
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    page.keyboard.type("2")
    page.locator(".lay-part[aria-label='leg walls, across locked, up by 2']").wait_for()
    hall.agrees(drawn_text.parse(HALL.replace("leg walls, up by 1", "leg walls, up by 2"), "hall.layout"))
    # a slip is told under its line, with a button that mends it; the sizes stay
    page.get_by_text("leg floor, up by 1").first.click()
    page.keyboard.press("Home")
    page.keyboard.press("Delete")
    lens = page.locator(".lens")
    lens.wait_for()
    assert "unknown word" in lens.inner_text().lower()
    assert len(hall.sizes()) >= 25
    page.keyboard.press("Alt+Enter")
    lens.wait_for(state="detached")
    assert hall.saved() == HALL.replace("leg walls, up by 1", "leg walls, up by 2")


def test_a_file_that_changes_elsewhere(bench: Callable[..., Bench]) -> None:
    hut = bench(HUT, "watched.layout")
    other = HUT.replace("walls, right by 1", "walls, right by 2").replace("floor, right by 1", "floor, right by 2")
    hut.file.write_text(other)
    hut.page.wait_for_function(
        "() => document.querySelector('.lay-part')?.getAttribute('aria-label') === 'walls, right by 2, down by 1'"
    )
    # changed here too: nothing is lost without a word
    hut.tile("pillar")
    hut.part("floor")
    hut.click(2, 1)
    hut.page.wait_for_timeout(200)
    hut.file.write_text(HUT)
    hut.page.get_by_role("alert").filter(has_text="changed on disk").wait_for()
    hut.page.get_by_role("button", name="Keep mine").click()
    assert "#.o.#" in hut.saved()
    hut.click(1, 1)
    hut.page.wait_for_timeout(200)
    hut.file.write_text(HUT)
    hut.page.get_by_role("button", name="Take what is on disk").click()
    hut.page.locator(".lay-saved").wait_for()
    assert (
        hut.page.locator(".lay-part", has_text="walls").first.get_attribute("aria-label")
        == "walls, right by 1, down by 1"
    )


def test_json_of_cozy_caves_stays_json_and_can_be_saved_as_text(bench: Callable[..., Bench]) -> None:
    text = cozy_json.format_layout(drawn_text.parse(HALL, "hall.layout"))
    hall = bench(text, "cozy.json")
    hall.tile("pillar")
    hall.part("foot floor")
    hall.click(6, 5)
    layout = cozy_json.parse(hall.saved(), "cozy.json")
    assert layout == drawn_text.parse(HALL, "hall.layout").with_tile(6, 5, STANDARD["pillar"], 3)


def test_a_new_layout_is_begun_saved_and_found_again(page: Any, studio: Any) -> None:
    studio.keep(**{"view": "author", "author tab": "layouts"})
    page.goto(studio.address)
    page.locator(".lay-card").nth(25).wait_for()
    assert [*page.locator(".lay-card b").all_inner_texts()] == list(layout_files.list_layouts())
    page.get_by_role("button", name=re.compile("^throne:")).click()
    page.locator(".lay-size canvas").first.wait_for()
    page.get_by_role("radio", name="water").click()
    page.locator(".lay-part", has_text="floor").first.click()
    bench = Bench(page, studio, studio.project / "rooms" / "mine.layout")
    bench.click(2, 3)
    page.reload()  # what was not saved is still there
    page.locator(".lay-size canvas").first.wait_for()
    page.keyboard.press("Control+s")
    dialog = page.get_by_role("dialog", name="Save the layout")
    dialog.get_by_label("File in the project folder").fill("rooms/mine.layout")
    dialog.get_by_role("button", name="Save", exact=True).click()
    page.locator(".lay-saved").wait_for()
    text = (studio.project / "rooms" / "mine.layout").read_text()
    ours, _ = layout_files.load_layout_text("throne")
    assert drawn_text.parse(text, "x.layout").tile(2, 3) == (
        STANDARD["water"],
        drawn_text.parse(ours, "x").partitions.index(
            next(one for one in drawn_text.parse(ours, "x").partitions if one.name == "floor")
        ),
    )
    assert text.split("\n")[0] == ours.split("\n")[0]  # comments are still there


def test_a_layout_is_renamed_from_where_layouts_begin(page: Any, studio: Any) -> None:
    (studio.project / "shed.layout").write_text(HUT)
    studio.keep(view="author")
    page.goto(studio.address)
    page.get_by_role("radio", name="Layouts", exact=True).click()
    page.get_by_role("button", name="Rename or delete").click()
    dialog = page.get_by_role("dialog", name="Open")
    dialog.get_by_role("button", name="Rename shed.layout").click()
    dialog.get_by_label("New name of shed.layout").fill("barn.layout")
    dialog.get_by_label("New name of shed.layout").press("Enter")
    dialog.get_by_role("button", name="Rename barn.layout").wait_for()
    page.keyboard.press("Escape")
    page.locator(".lay-files button", has_text="barn.layout").wait_for()
    until(page, (studio.project / "barn.layout").exists)
    (studio.project / "barn.layout").unlink()
