"""Sets of tiles by role, on maps that have tiles of their own."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from support.maps import each
from undercroft.cli import run
from undercroft.core.level import Level
from undercroft.core.palette import ROLES, STANDARD, Palette, Tile
from undercroft.errors import UndercroftError
from undercroft.recipe.document import Recipe
from undercroft.rewrite.model.role_sets import ROLE_WORDS
from undercroft.rewrite.rules import Rules

GARDEN = Palette(
    [
        *STANDARD.tiles,
        Tile("grass", "floor", '"', '"', "#44aa44", walkable=True, opaque=False),
        Tile("lava", "pit", "^", "^", "#ff4400", walkable=False, opaque=False),
        Tile("bridge", "floor", "=", "=", "#885522", walkable=True, opaque=False),
    ],
    "garden",
)


def draw_tiles(chance: random.Random, prefix: str, count: int) -> list[Tile]:
    """Tiles with random roles and properties."""
    return [
        Tile(
            f"{prefix}{number}",
            chance.choice(list(ROLES)),
            chr((0x4E00 if prefix == "a" else 0x5E00) + number),
            "x",
            "#000000",
            walkable=chance.random() < 0.5,
            opaque=chance.random() < 0.5,
        )
        for number in range(count)
    ]


def is_in(tile: Tile, word: str) -> bool:
    """Whether a tile belongs to the set of a word, or is called so."""
    if word in ("walkable", "opaque"):
        return bool(getattr(tile, word))
    return word in (tile.role, tile.name)


@each("seed", 60)
def test_sets_hold_for_the_tiles_of_the_rules_and_of_the_map(seed: int) -> None:
    chance = random.Random(seed)
    own, added = draw_tiles(chance, "a", chance.randint(2, 6)), draw_tiles(chance, "b", chance.randint(1, 6))
    lines = [f"tile {tile.name} = {tile.glyph}, {tile.role}, " for tile in own]
    lines = [
        line + ", ".join(f"{'' if getattr(tile, key) else 'not '}{key}" for key in ("walkable", "opaque"))
        for line, tile in zip(lines, own, strict=True)
    ]
    words = [word for word in ROLE_WORDS if any(is_in(tile, word) for tile in own)]
    named = chance.sample(words, min(len(words), chance.randint(1, 2)))
    tiles = chance.sample([tile.name for tile in own], chance.randint(0, 1))
    negated, outer = chance.random() < 0.5, chance.random() < 0.5
    expression = " or ".join([*(f"{chance.choice(['any ', ''])}{word}" for word in named), *tiles])
    asked = f"{'not ' * outer}one set"
    text = "\n".join(
        [
            "palette none",
            *lines,
            f"set  one set = {'not ' * negated}{expression}",
            f"all  mark, once, keep count({asked}) >= 0\n    {{{asked}}} -> {own[0].glyph}",
        ]
    )
    rules = Rules.parse(text, "x.rules")
    other = Palette([*added, *chance.sample(own, len(own))], "map")
    level = Level(np.arange(len(other), dtype=np.uint8)[np.newaxis], other)
    after = rules.apply(level, 1)
    for x, tile in enumerate(other.tiles):
        inside = any(is_in(tile, word) for word in [*named, *tiles]) ^ negated ^ outer
        written = after.palette.tiles[after.tiles[0, x]].name
        assert written == (own[0].name if inside else tile.name)
    [rule] = rules.explain(level).rules
    assert rule.matches == sum(
        any(is_in(tile, word) for word in [*named, *tiles]) ^ negated ^ outer for tile in other.tiles
    )


def test_a_guard_by_role_counts_the_tiles_of_the_map() -> None:
    text = "one  dig, keep connected({})\n    . -> #"
    level = Level.parse('.".', palette=GARDEN)
    by_tile = {str(Rules.parse(text.format("floor"), "x.rules").apply(level, seed)) for seed in range(8)}
    by_role = {str(Rules.parse(text.format("any floor"), "x.rules").apply(level, seed)) for seed in range(8)}
    assert by_tile == {'#"#'}
    assert by_role == {'#"#'}
    middle = Level.parse('"."', palette=GARDEN)
    assert str(Rules.parse(text.format("floor"), "x.rules").apply(middle, 1)) == '"#"', "only the tile called floor"
    for word in ("any floor", "walkable", "any walkable", "not opaque"):
        assert str(Rules.parse(text.format(word), "x.rules").apply(middle, 1)) == '"."', word


def test_names_come_before_roles() -> None:
    assert Rules.parse("one  {door} -> #", "x").program.root.rules[0].pattern == (1 << STANDARD["door"],)
    own = Rules.parse("set walkable = #\none  {walkable}{entry} -> ??", "x")
    assert own.program.root.rules[0].pattern == (1 << STANDARD["wall"], 1 << STANDARD["<"])
    letters = Rules.parse("palette letters BW\none  {floor} -> W", "x").program
    assert letters.root.rules[0].pattern == (0b11,), "no tile is called floor"
    things = Rules.parse("thing rat = r, on .\none  {any floor} -> #", "x").program
    assert things.root.rules[0].pattern == (1 << STANDARD["floor"] | 1 << len(STANDARD),)


def test_roles_in_a_recipe_see_the_tiles_of_earlier_steps(tmp_path: Path) -> None:
    (tmp_path / "grow.rules").write_text("all  {walkable} -> #, once")
    recipe = tmp_path / "a.toml"
    recipe.write_text(
        'size = [5, 3]\n[[step]]\nuse = "fill"\nrole = "floor"\n[[step]]\nuse = "rewrite"\n'
        "rules = '''\ntile grass = g, floor\nall  . -> g, once\n'''\n"
        '[[step]]\nid = "again"\nuse = "rewrite"\nfile = "grow.rules"\n'
    )
    assert set(str(Recipe.load(recipe).generate(seed=1).level)) == {"#", "\n"}
    assert run(["lint", str(recipe), "--strict"]) == 0


@pytest.mark.parametrize("word", ["any", "any ", "any any floor", "role floor"])
def test_other_words_are_refused(word: str) -> None:
    with pytest.raises(UndercroftError):
        Rules.parse(f"one  {{{word}}} -> #", "x.rules")
