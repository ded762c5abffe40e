"""Glyphs of drawings that stand for things, as a palette says."""

from __future__ import annotations

import copy
import pickle

import pytest

import undercroft as uc
from undercroft import formats
from undercroft.core.frozen import freeze
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import Thing
from undercroft.core.rng import Rng
from undercroft.core.thing_glyphs import ThingGlyph
from undercroft.formats import list_lost_parts, resolve_format

CRAWL = Palette.parse(
    """
    name = "crawl"
    [things]
    k = {thing = "key", on = "floor", data = {opens = "red"}}
    R = {thing = "lock", on = "locked door", data = {key = "red"}}
    r = "rat"
    "$" = {thing = "gold", on = "corridor"}
    7 = {thing = "potion", data = {effects = ["heal", "glow"], cost = {gold = 3}}}
    """,
    "crawl.toml",
)
VAULT = """\
###########
#<.k#..7r>#
#..1R...$.#
###########
"""


def test_things_stand_on_their_tiles() -> None:
    level = formats.loads(VAULT.encode(), "text", palette=CRAWL)
    assert list(level.things) == [
        Thing("key", 3, 1, {"opens": "red"}),
        Thing("potion", 7, 1, freeze({"effects": ["heal", "glow"], "cost": {"gold": 3}})),
        Thing("rat", 8, 1),
        Thing("lock", 4, 2, {"key": "red"}),
        Thing("gold", 8, 2),
    ]
    assert str(level).splitlines()[1:3] == ["#<..#....>#", "#...L...,.#"]
    assert (level.start, level.end, len(level.regions)) == ((1, 1), (9, 1), 1), "a digit that is no thing is a label"
    assert [event.kind for event in uc.solve(level).events][:2] == ["take", "open"], "the solver knows locks and keys"
    assert uc.Level.parse(VAULT, CRAWL) == level


def test_what_was_read_is_written_back() -> None:
    level = formats.loads(VAULT.encode(), "text", palette=CRAWL)
    assert formats.dump(level, "text").decode() == VAULT.replace("1", "."), "only labels are no part of a drawing"
    assert "things" not in list_lost_parts(level, resolve_format("text"))
    for changed in (
        [*level.things, Thing("rat", 1, 2, {"name": "Tom"})],
        [*level.things, Thing("bat", 1, 2)],
        [*level.things, Thing("rat", 4, 2)],
        [*level.things, Thing("rat", 3, 1)],
    ):
        other = level.replace(things=changed)
        assert "things" in list_lost_parts(other, resolve_format("text"))
        assert formats.loads(formats.dump(other, "text"), "text", palette=CRAWL).tiles.tolist() == level.tiles.tolist()


def test_random_maps_with_things_come_back() -> None:
    for number in range(200):
        drawn = _random_drawing(number)
        level = formats.loads(drawn.encode(), "text", palette=CRAWL)
        assert formats.dump(level, "text").decode() == drawn
        assert len(level.things) == sum(drawn.count(glyph) for glyph in CRAWL.things)


def _random_drawing(number: int) -> str:
    rng = Rng.root(number).stream("drawing")
    width, height = rng.between(1, 9), rng.between(1, 9)
    signs = "##...,L+kRr$7~"
    rows = ("".join(signs[rng.below(len(signs))] for _ in range(width)) for _ in range(height))
    return "".join(f"{row}\n" for row in rows)


def test_a_palette_keeps_its_things() -> None:
    for again in (pickle.loads(pickle.dumps(CRAWL)), copy.deepcopy(CRAWL), CRAWL.merged(STANDARD)[0]):
        assert again.things == CRAWL.things
        assert isinstance(again.things["k"], ThingGlyph)
        assert again == CRAWL == STANDARD, "palettes are equal if their tiles are"
    beast = Palette([*STANDARD.tiles, STANDARD.tiles[2]._replace(name="moss", glyph="r")], "moss")
    assert set(CRAWL.merged(beast)[0].things) == {"k", "R", "$", "7"}, "a tile takes its glyph"
    assert pickle.loads(pickle.dumps(STANDARD)) is STANDARD
    with pytest.raises(TypeError):
        CRAWL.things["x"] = ThingGlyph("x")  # type: ignore[index]


def test_a_palette_may_have_the_player_as_a_thing() -> None:
    hero = Palette(STANDARD.tiles, "hero", {"@": ThingGlyph("hero")})
    level = formats.loads(b"#.@.@#", "text", palette=hero)
    assert ([thing.x for thing in level.things], level.start) == ([2, 4], None)


def test_an_unknown_glyph_names_the_option() -> None:
    with pytest.raises(uc.BadInput, match=r"unknown glyph 'k'") as caught:
        formats.loads(b"#.k#", "text")
    assert "--palette FILE.toml (palette= in Python)" in caught.value.fix
    with pytest.raises(uc.BadInput) as caught:
        formats.loads(b"#.z#", "text", palette=CRAWL)
    assert "k key" in caught.value.fix
    with pytest.raises(uc.BadInput) as caught:
        formats.loads(b"#.k#", "text:cave")
    assert "--read-as text --palette" in caught.value.fix
    with pytest.raises(uc.BadInput) as caught:
        uc.Level.parse("#.k#")
    assert "Level.parse(picture, palette)" in caught.value.fix
