"""Title, legend, scale and key around a map: all on the page, none over another."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import undercroft as uc
from undercroft.core.level import Level
from undercroft.core.region import Regions, Thing
from undercroft.draw.scene.scene import Scene, Shape
from undercroft.draw.view.legend import MAX_THING_SIGNS, list_legend_entries
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.page import MapPage, PageStyle, build_page
from undercroft.draw.view.symbols import Inks, Sign

LOOKS = PageStyle(Inks("#000000", "#ffffff", "#888888"))
EVERYTHING = frozenset({"title", "legend", "scale", "numbers", "things", "measures"})
Box = tuple[float, float, float, float]


def sheet(level: Level, shown: frozenset[str] = EVERYTHING, margin: float | None = None) -> tuple[MapPage, Scene]:
    made = build_page(LevelView(level, shown=shown), shown, LOOKS, margin)
    scene = made.scene("#ffffff")
    made.draw(scene)
    return made, scene


def boxes(scene: Scene) -> list[Box]:
    """The box of each line that is drawn, thickness and all."""
    found = []
    for item in scene.items:
        assert isinstance(item, Shape)
        for line in item.lines:
            low, high = line.min(axis=0) - item.width / 2, line.max(axis=0) + item.width / 2
            found.append((float(low[0]), float(low[1]), float(high[0]), float(high[1])))
    return found


def levels() -> dict[str, Level]:
    named = Level.parse("111+222")
    many = [Thing(f"kind {number}", number % 7, 0) for number in range(60)]
    return {
        "one cell": Level.parse("."),
        "a row": Level.parse("<.....+....>"),
        "a column": Level.parse("\n".join("<.....+....>")),
        "rooms": uc.generate("cozy", seed=3, size=(61, 41)),
        "narrow": uc.generate("cozy", seed=2, size=(24, 90)),
        "large": uc.generate("cozy", seed=2, size=(160, 120)),
        "cave": uc.generate("cave", seed=3, size=(80, 50)),
        "long words": Level(
            named.tiles,
            regions=Regions(named.regions.labels, named.regions.table, names={1: "The Hall " * 30, 2: "W" * 200}),
            title="The very, very long Tale of " * 20,
            things=many,
        ),
    }


LEVELS = levels()


@pytest.mark.parametrize("margin", [None, 0.5, 3.0])
@pytest.mark.parametrize("name", LEVELS)
def test_everything_is_on_the_page_and_beside_the_map(name: str, margin: float | None) -> None:
    level = LEVELS[name]
    made, scene = sheet(level, margin=margin)
    assert scene.width >= level.width
    for left, top, right, bottom in boxes(scene):
        assert left >= -scene.left - 1e-6
        assert right <= scene.width - scene.left + 1e-6
        assert top >= -scene.top - 1e-6
        assert bottom <= scene.height - scene.top + 1e-6
        assert bottom <= 0.3 or top >= level.height - 0.3 or right <= 0 or left >= level.width, "not on the map"
    assert made.title or name not in ("rooms", "cave")


@pytest.mark.parametrize("name", LEVELS)
def test_entries_of_the_legend_stand_side_by_side(name: str) -> None:
    made, _ = sheet(LEVELS[name])
    assert [entry for row in made.legend_rows for _, entry in row] == made.legend
    for row in made.legend_rows:
        for (left, entry), (after, _) in pairwise(row):
            assert left + made._entry_width(entry) <= after + 1e-9
        last, entry = row[-1]
        assert last == 0 or last + made._entry_width(entry) <= made._line_width + 1e-9


@pytest.mark.parametrize("name", LEVELS)
def test_words_do_not_run_into_each_other(name: str) -> None:
    """Lines of letters, if one looks at their middles only, are as many as there should be, and evenly apart."""
    made, scene = sheet(LEVELS[name], frozenset({"title", "scale"}))
    north = scene.width - scene.left - max(made.side, 1.0) - 2.2 * made.unit
    letters = [box for box in boxes(scene) if box[3] < 0 and box[0] < north]
    bands = sorted({round((box[1] + box[3]) / 2 / made.unit) for box in letters})
    assert 1 <= len(bands) <= 4
    assert max((box[2] for box in letters), default=0) <= north, "the title ends before the arrow"


def test_the_page_grows_with_what_is_shown() -> None:
    level = LEVELS["rooms"]
    plain, _ = sheet(level, frozenset())
    assert (plain.width, plain.height) == pytest.approx((61 + 3.6, 41 + 3.6))
    last = plain.height
    for shown in ({"title"}, {"title", "scale"}, {"title", "scale", "legend"}, {"title", "scale", "legend", "numbers"}):
        made, _ = sheet(level, frozenset(shown))
        assert made.height >= last
        last = made.height
    assert last > plain.height + 4


@pytest.mark.parametrize("name", LEVELS)
def test_no_margin_is_nothing_but_the_map(name: str) -> None:
    made, scene = sheet(LEVELS[name], margin=0)
    assert (scene.width, scene.height, scene.left, scene.top) == (*LEVELS[name].size, 0, 0)
    assert scene.items == []
    assert made.bare


def test_legends_name_what_is_there_and_nothing_else() -> None:
    shown = frozenset({"things", "legend"})

    def words(picture: str, *things: Thing, secrets: bool = True) -> list[str]:
        level = Level.parse(picture)
        return [
            entry.word for entry in list_legend_entries(LevelView(Level(level.tiles, things=things), secrets), shown)
        ]

    assert words("#..#") == []
    assert words("#.+.L.S.'.#") == ["door", "locked door", "secret door"]
    assert words("#.S.#", secrets=False) == []
    assert words("<o~:>") == ["stairs up", "stairs down", "pillar", "water", "pit"]
    assert words("...", Thing("chest", 0, 0), Thing("rat", 1, 0), Thing("rat", 2, 0)) == ["chest", "rat"]
    assert words("..+..", Thing("one-way", 2, 0, {"to": "E"})) == ["one-way door"]


def test_legends_name_the_most_common_things_if_there_are_far_too_many() -> None:
    kinds = [f"kind {number}" for number in range(MAX_THING_SIGNS + 20)]
    things = [Thing(kind, 0, 0) for number, kind in enumerate(kinds) for _ in range(1 + (number < MAX_THING_SIGNS))]
    found = list_legend_entries(LevelView(Level(np.full((1, 9), 2, np.uint8), things=things)), frozenset({"things"}))
    assert len(found) == MAX_THING_SIGNS + 1
    assert (found[-1].word, found[-1].sign) == ("and 20 more", [])
    assert {entry.word for entry in found[:-1]} == set(kinds[:MAX_THING_SIGNS])


def test_every_kind_has_an_entry_and_a_sign_of_its_own_and_monsters_and_loot_are_first() -> None:
    kinds = {"coffin": "", "sarcophagus": "", "altar": "", "gnasher": "monster", "biter": "monster", "trinket": "loot"}
    level = Level(
        np.full((1, 9), 2, np.uint8),
        things=[Thing(kind, x, 0, {"group": group}) for x, (kind, group) in enumerate(kinds.items())],
    )
    view = LevelView(level)
    found = list_legend_entries(view, frozenset({"things"}))
    assert [entry.word for entry in found] == ["biter", "gnasher", "trinket", "altar", "coffin", "sarcophagus"]
    assert view.badges == {"biter": "B", "gnasher": "G"}
    assert len({sign_key(entry.sign) for entry in found}) == len(found)


def test_a_kind_that_looks_as_a_tile_does_is_listed_once() -> None:
    level = Level(Level.parse("<o..>").tiles, things=[Thing("pillar", 2, 0), Thing("stairs", 0, 0, {"way": "up"})])
    words = [entry.word for entry in list_legend_entries(LevelView(level), frozenset({"things"}))]
    assert words == ["stairs up", "stairs down", "pillar"]


def test_stairs_beside_the_tiles_have_the_sign_of_their_form() -> None:
    level = Level(Level.parse("<...>").tiles, things=[Thing("stairs", 2, 0, {"form": "ladder"}), Thing("stairs", 3, 0)])
    words = [entry.word for entry in list_legend_entries(LevelView(level), frozenset({"things"}))]
    assert words == ["stairs up", "stairs down", "ladder", "stairs"]


def sign_key(sign: Sign) -> tuple[object, ...]:
    """Equal for signs that look the same."""
    return tuple((part.fill, part.width, part.closed, *(line.tobytes() for line in part.lines)) for part in sign)


def test_signs_of_a_legend_are_centred() -> None:
    level = Level(
        np.full((1, 4), 2, np.uint8), things=[Thing(kind, 0, 0) for kind in ("torch", "shelf", "banner", "chest")]
    )
    for entry in list_legend_entries(LevelView(level), frozenset({"things"})):
        points = np.concatenate([line for part in entry.sign for line in part.lines])
        assert (points.min(axis=0) + points.max(axis=0)) == pytest.approx([0, 0], abs=1e-9)


def test_the_key_names_rooms_unless_the_map_does() -> None:
    level = LEVELS["rooms"]
    made, _ = sheet(level)
    assert made.room_key == [(str(label.number), label.name) for label in LevelView(level).labels if label.name]
    assert len(made.room_key) > 5
    assert sheet(level, EVERYTHING | {"names"})[0].room_key == []
    assert sheet(level, EVERYTHING - {"numbers"})[0].room_key == []


def test_a_long_key_is_set_small_and_a_far_too_long_one_not_at_all() -> None:
    made, _ = sheet(LEVELS["large"])
    unit, columns = made.key_layout
    assert unit < made.unit
    assert columns > 2
    labels = np.arange(1, 1001, dtype=np.int32).reshape(25, 40).repeat(3, 0).repeat(3, 1)
    regions = Regions.of(labels)
    regions.names = dict.fromkeys(range(1, 1001), "Hall")
    assert sheet(Level(np.full(labels.shape, 2, np.uint8), regions=regions))[0].room_key == []


def test_the_title_is_kept_as_a_note() -> None:
    assert sheet(LEVELS["rooms"])[1].notes["title"] == LEVELS["rooms"].title
    assert "title" not in sheet(LEVELS["a row"])[1].notes
