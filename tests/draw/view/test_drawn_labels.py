"""Every room has its number, and no label lies over a wall, a thing or another label: counted from the scene."""

from __future__ import annotations

import pytest

from support.drawn_labels import (
    RECIPES,
    list_collisions,
    list_missing_numbers,
    list_props_outside,
    make_level,
)
from support.maps import HEAVY
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.scene.scene import TextMark
from undercroft.draw.styles.pixels import overlays
from undercroft.draw.styles.pixels.sprite_badges import find_shared_sprites
from undercroft.draw.styles.table import render_vector, resolve_parts
from undercroft.draw.tileset.picture import thing_piece_number
from undercroft.draw.view.legend import list_legend_entries, list_room_entries
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.thing_symbols import drawn_kind

SIZES = [(61, 41), (41, 61), (101, 81)] if HEAVY else [(61, 41)]
SEEDS = range(40 if HEAVY else 2)
SHOWN = [
    ("ink", ["numbers"]),
    ("blueprint", ["numbers"]),
    *([(style, ["names"]) for style in ("ink", "parchment", "plain", "blueprint", "print", "dark")] if HEAVY else []),
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("recipe", RECIPES)
def test_numbers_labels_and_props_have_their_places(recipe: str, size: tuple[int, int]) -> None:
    for seed in SEEDS:
        level = make_level(recipe, seed, size)
        if level is None:
            continue
        assert list_props_outside(level) == [], seed
        for style, more in SHOWN:
            page = render_vector(level, style, show=more, margin=0)
            assert list_missing_numbers(level, page.texts) == [], (style, more, seed)
            assert list(list_collisions(level, page.texts, resolve_parts(style, more, [], level))) == [], (style, seed)


def hall(*things: Thing) -> Level:
    level = Level.parse("""
        ###############
        ###############
        ###111111111###
        ###111111111###
        ###########+###
        ###########2###
        ###############
    """)
    return Level(level.tiles, level.palette, regions=level.regions, things=things)


def test_a_number_that_does_not_fit_stands_beside_its_room() -> None:
    full = [Thing("crate", x, y) for x in range(3, 12) for y in (2, 3)]
    first, second = LevelView(hall(*full)).labels
    assert first.lead is not None
    (left, top), (x, y) = first.lead
    assert not LevelView(hall()).is_open(int(first.x), int(first.y))
    assert abs(left - first.x) < 1
    assert abs(top - first.y) < 1
    assert hall().regions.labels[int(y), int(x)] == 1
    assert second.number == 2
    assert LevelView(hall()).labels[0].lead is None
    assert LevelView(hall()).labels[0].size > 1


def test_numbers_grow_with_the_map() -> None:
    level = make_level("rooms-and-mazes", 1, (201, 151))
    assert level is not None
    sizes = [label.size for label in LevelView(level).labels]
    assert max(sizes) > 1.8
    assert sum(size > 1.1 for size in sizes) > 0.8 * len(sizes)


def test_the_counts_find_what_they_look_for() -> None:
    level = hall(Thing("crate", 7, 2))
    number = TextMark("number", "1", 7.2, 2.2, 7.8, 2.8)
    over_wall = TextMark("name", "Hall", 2.5, 2.2, 3.5, 2.6)
    shown = frozenset({"things"})
    assert [line.split(" at ")[0] for line in list_collisions(level, [number, over_wall, number], shown)] == [
        "number '1' lies over a thing",
        "name 'Hall' lies over a wall",
        "number '1' lies over a thing",
        "number '1' lies over number '1'",
    ]
    assert list_missing_numbers(level, [number]) == [2]


def test_props_keep_off_round_walls() -> None:
    round_room = Level.parse("""
        ###########
        ####111####
        ###11111###
        ##1111111##
        ##1111111##
        ##1111111+2
        ###11111###
        ####111####
        ###########
    """)
    barrels = [Thing("barrel", x, y) for x, y in ((3, 2), (7, 2), (3, 6), (7, 6), (4, 1))]
    level = Level(round_room.tiles, round_room.palette, regions=round_room.regions, things=barrels)
    view = LevelView(level)
    assert not view.label_space.covers(view.thing_signs[0][0].lines[0] + (-0.3, -0.3))
    assert list_props_outside(level) == []


@pytest.mark.parametrize(
    "recipe", [recipe for recipe in RECIPES if HEAVY or "cozy" in recipe or "dungeoning" in recipe]
)
def test_texts_on_scenes_of_pixels_cover_nothing(recipe: str) -> None:
    for seed in SEEDS:
        level = make_level(recipe, seed, (61, 41))
        shown = frozenset({"things", "secrets", "names"})
        if level is None:
            continue
        view = LevelView(level, True, shown, min_figures=overlays.MIN_FIGURES)
        texts = [TextMark(kind, text, *box) for text, kind, box in overlays.place_texts(view, shown)]
        assert list(list_collisions(level, texts, shown)) == [], seed
        bare = [text._replace(kind="number") for text in texts if text.kind == "number"]
        names = sum(1 for room in level.rooms if room.name)
        assert len(level.rooms) < 2 or len(bare) + names >= len(level.rooms)


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_sign_is_in_the_legend_and_no_two_are_alike(recipe: str) -> None:
    for seed in SEEDS:
        level = make_level(recipe, seed, (61, 41))
        if level is None:
            continue
        view = LevelView(level)
        entries = list_legend_entries(view, frozenset({"things"})) + list_room_entries(view)
        words = [entry.word for entry in entries]
        kinds = {drawn_kind(thing) for thing in view.things}
        assert kinds <= set(words)
        assert len(words) == len(set(words))
        looks = [
            tuple((part.fill, *(line.tobytes() for line in part.lines)) for part in entry.sign) for entry in entries
        ]
        assert len(looks) == len(set(looks)), words
        sprites = {thing_piece_number(thing.kind, thing.data): thing.kind for thing in view.things}
        badges = find_shared_sprites(view.things)
        for thing in view.things:
            other = sprites[thing_piece_number(thing.kind, thing.data)]
            assert other == thing.kind or badges[other] != badges[thing.kind]
