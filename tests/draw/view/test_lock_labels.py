"""Keys and the doors they fit: one sign for a locked door, its name beside it and beside its key, and a line in the
printed key.
"""

from __future__ import annotations

from typing import Any

import pytest

import undercroft as uc
from undercroft.analysis.player_view import for_players
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.styles import table
from undercroft.draw.styles.plain import plain
from undercroft.draw.styles.printed.room_key import build_key
from undercroft.draw.view.legend import list_legend_entries
from undercroft.draw.view.level_view import LevelView
from undercroft.formats.tabletop.foundry_journal import build_pages
from undercroft.formats.tabletop.lights import find_room_middles

STYLES = ("ink", "print", "parchment", "blueprint", "dark", "pixels", "plain")


def vault(name: str = "red", opener: str = "key") -> Level:
    drawn = Level.parse("""
        ####################
        #........#.........#
        #........#.........#
        #<.......L.........#
        #........#.........#
        #........#.........#
        ####################
    """)
    found = uc.survey(drawn)
    things = [Thing("lock", 9, 3, {"key": name}), Thing(opener, 3, 1, {"opens": name})]
    return Level(
        found.tiles, regions=found.regions, doors=found.doors, links=found.links, things=things, start=found.start
    )


def without(level: Level, *kinds: str) -> Level:
    kept = [thing for thing in level.things if thing.kind not in kinds]
    return Level(
        level.tiles, regions=level.regions, doors=level.doors, links=level.links, things=kept, start=level.start
    )


def test_a_locked_door_has_one_sign() -> None:
    plan = LevelView(vault())
    assert [thing.kind for thing in plan.things] == ["key"]
    words = [entry.word for entry in list_legend_entries(plan, frozenset({"things"}))]
    assert "locked door" in words
    assert "lock" not in words


def test_a_lock_that_is_at_no_door_is_drawn() -> None:
    level = Level(vault().tiles, things=[Thing("lock", 2, 2, {"key": "red"})])
    assert [thing.kind for thing in LevelView(level).things] == ["lock"]


def test_a_square_with_a_locked_door_is_not_hidden_by_its_lock() -> None:
    shown = frozenset({"things"})
    small = plain.render_picture(vault(), 6, shown, None).convert("RGB").crop((54, 18, 60, 24))
    assert (
        small.tobytes()
        == plain.render_picture(without(vault(), "lock"), 6, shown, None)
        .convert("RGB")
        .crop((54, 18, 60, 24))
        .tobytes()
    )


@pytest.mark.parametrize("style", STYLES)
def test_every_style_writes_the_name_beside_door_and_key(style: str) -> None:
    red, blue = (
        table.render_picture(vault(name), style, cell=24, margin=0, hide=["path"]).convert("RGB")
        for name in ("red", "blue")
    )
    for box in ((7, 1, 13, 6), (3, 1, 7, 3)):
        part = [side * 24 for side in box]
        assert red.crop(part).tobytes() != blue.crop(part).tobytes()  # type: ignore[arg-type]


@pytest.mark.parametrize("style", STYLES)
def test_names_of_locks_go_with_things_and_are_not_for_players(style: str) -> None:
    bare = [table.render_picture(vault(name), style, cell=16, margin=0, hide=["things"]) for name in ("red", "blue")]
    seen = [table.render_picture(for_players(vault(name)), style, cell=16, margin=0) for name in ("red", "blue")]
    assert bare[0].tobytes() == bare[1].tobytes()
    assert seen[0].tobytes() == seen[1].tobytes()


def test_names_stand_on_free_ground_and_numbers_keep_off_them() -> None:
    plan = LevelView(vault("a-name"))
    assert [tie.word for tie in plan.lock_labels] == ["a-name", "a-name"]
    for tie in plan.lock_labels:
        x, y = tie.x + (0.3 if tie.anchor == 0 else -0.3 if tie.anchor == 1 else 0.0), tie.y
        assert plan.is_open(int(x), int(y))
        assert plan.busy_cells[int(y), int(x)]


def test_a_lock_of_a_secret_door_is_as_secret() -> None:
    level = Level(Level.parse("#...S...#").tiles, things=[Thing("lock", 4, 0, {"key": "red"})])
    assert not LevelView(level, secrets=False).lock_labels
    assert not LevelView(level, secrets=False).things
    assert [tie.word for tie in LevelView(level).lock_labels] == ["red"]


def test_the_printed_key_tells_what_opens_a_door_and_where_that_is() -> None:
    told = [entry.told for entry in build_key(LevelView(vault()), frozenset({"things"}))]
    assert told == [
        ("Stairs up.", "Locked door to 2: red key (in 1).", "Red key."),
        ("Locked door to 1: red key (in 1).",),
    ]
    assert not any("Locked" in line for entry in build_key(LevelView(vault()), frozenset()) for line in entry.told)
    lost = build_key(LevelView(without(vault(), "key")), frozenset({"things"}))
    assert lost[1].told == ("Locked door to 1: red, and nothing here opens it.",)


def test_a_passage_is_told_by_the_room_it_leads_to() -> None:
    found = uc.survey(
        Level.parse("""
        ##################
        #.....####.......#
        #.....L,,+.......#
        #.....####.......#
        ##################
    """)
    )
    things = [Thing("lock", 6, 2, {"key": "gate-1"}), Thing("switch", 12, 2, {"opens": "gate-1"})]
    level = Level(found.tiles, regions=found.regions, doors=found.doors, links=found.links, things=things)
    assert build_key(LevelView(level), frozenset({"things"}))[0].told == (
        "Locked door towards 2: gate-1 switch (in 2).",
    )


def test_the_journal_of_a_scene_names_keys_too() -> None:
    level = vault()
    first = build_pages(level, find_room_middles(level))[1][1]
    assert "<li>A locked door leads to room 2. The red key from room 1 opens it.</li>" in first
    assert "<li>The red key is here. It opens the door between room 1 and room 2.</li>" in first


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        7,
        ["red", "blue"],
        "two\nlines",
        "a name that is far too long to be written beside a door of any map",
        "鍵",
    ],
)
def test_any_name_can_be_drawn_anywhere(style: str, name: Any) -> None:
    for drawing in ("L", "L.\n..", "#L#\n#.#", "S<"):
        level = Level.parse(drawing)
        things = [
            Thing("lock", 0, 0, {"key": name}),
            Thing("key", level.width - 1, level.height - 1, {"opens": name, "width": -3}),
        ]
        table.render_picture(Level(level.tiles, things=things), style, cell=8)
    words = {
        tie.word
        for tie in LevelView(Level(Level.parse("L.").tiles, things=[Thing("lock", 0, 0, {"key": name})])).lock_labels
    }
    assert words <= {
        "7",
        "red, blue",
        "two lines",
        "a name that is far too long to be written beside a door of any map",
        "鍵",
    }
