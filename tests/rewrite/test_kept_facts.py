"""Levels that are rewritten keep what the rules did not touch, whether Python or a recipe applies them."""

from __future__ import annotations

import numpy as np
import pytest

import undercroft as uc
from undercroft.analysis.update_facts import KnownFacts, update_facts
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.recipe.document import Recipe
from undercroft.rewrite.rules import Rules
from undercroft.rewrite.text.write_rules import dump_program

SKULLS = """
thing skull = x, on .

one  skulls, each room, once
    . -> x
"""
PONDS = """
one  ponds, up to 12 times
    ... -> .~., turned
"""
DOORS_TO_ROCK = """
one  bricked up, up to 2 times
    + -> #
"""
RULES = (SKULLS, PONDS, DOORS_TO_ROCK)
RECIPE = '''
about = "Rules on a map."
begins = ["tiles"]

[[step]]
use = "rewrite"
rules = """{rules}"""
'''


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", ["cozy", "tinykeep", "bsp", "rooms-and-mazes"])
def test_apply_keeps_what_the_step_keeps(name: str, rules: str) -> None:
    level = uc.generate(name, seed=4)
    by_step = Recipe.parse(RECIPE.format(rules=rules), "rewritten.toml").generate(seed=4, begin=level).level
    stream = Rng.root(4, by_step.provenance["attempt"]).stream("rewrite")
    # the step draws from the stream of its name: the same rules with that stream give the same map
    draft = Draft.of(level)
    before = KnownFacts.of(draft)
    Rules.parse(rules, "x.rules").rewrite(draft, stream, Run())
    update_facts(draft, before, Run())
    assert draft.level() == by_step
    applied = Rules.parse(rules, "x.rules").apply(level, 9)
    for after in (by_step, applied):
        assert after.title == level.title
        named = {region.name for region in level.regions if region.name}
        assert len(named - {region.name for region in after.regions}) <= 1
        assert (after.start, after.end) == (level.start, level.end) or rules != SKULLS


def test_rules_that_only_place_things_keep_everything() -> None:
    level = uc.generate("cozy", seed=4, size=(70, 36))
    after = Rules.parse(SKULLS, "x.rules").apply(level, 1)
    skulls = [thing for thing in after.things if thing.kind == "skull"]
    rooms = [region for region in level.regions if region.kind == "room"]
    assert sorted(int(level.regions.labels[thing.y, thing.x]) for thing in skulls) == [room.label for room in rooms]
    assert after.replace(things=level.things, tiles=level.tiles, palette=level.palette) == level


def test_locks_stay_and_are_still_solved() -> None:
    level = uc.survey(Level.parse("#########\n#<..+..>#\n#########"))
    level = level.replace(things=[Thing("key", 2, 1, {"opens": "red"}), Thing("lock", 4, 1, {"key": "red"})])
    assert uc.solve(level).solvable
    after = Rules.parse(SKULLS, "x.rules").apply(level, 1)
    assert uc.solve(after).solvable
    assert uc.solve(after).length == uc.solve(level).length


def test_theme_and_blit_keep_a_level() -> None:
    level = uc.generate("cozy", seed=4, size=(70, 36))
    room = level.rooms[0]
    ys, xs = np.nonzero(level.regions.labels == room.label)
    x, y = int(xs[0]), int(ys[0])
    for after in (uc.blit(level, x, y, ["~"]), uc.theme(level, ["..."], [".~."], seed=3)):
        assert [region.name for region in after.regions] == [region.name for region in level.regions]
        assert (after.things, after.title) == (level.things, level.title)
        assert {after.start, after.end} <= {level.start, level.end, None}
        assert sum(region.area for region in after.regions) == sum(region.area for region in level.regions) - 1


def test_a_step_that_writes_tiles_at_the_end_leaves_the_rooms_known() -> None:
    text = """
about = "A lake at the end."
begins = ["tiles"]

[[step]]
use = "lakes"
"""
    level = uc.generate("cozy", seed=4, size=(70, 36))
    result = Recipe.parse(text, "flooded.toml").generate(seed=1, begin=level)
    after = result.level
    assert not np.array_equal(after.tiles, level.tiles)
    kept = {region.name for region in after.regions if region.name}
    lost = {region.name for region in level.regions if region.name} - kept
    assert kept
    assert all(any(name in note for note in result.notes) for name in lost)
    walkable = after.walkable
    assert np.array_equal((after.regions.labels > 0) & walkable, (after.regions.labels > 0))
    assert after.start is None or walkable[after.start[1], after.start[0]]


LOCKS = """
thing key = k, on ., opens = "red"
thing key = K, on ., opens = "blue", consumed = true, weight = 1.5, count = -3
thing lock = l, on +, key = "red"

one  lock, once
    + -> l
one  key, once
    #. -> #k
one  way in, once
    #k. -> ??<
one  way out, once
    .# -> >#
"""


def test_rules_make_locks_and_keys_that_the_solver_reads() -> None:
    rules = Rules.parse(LOCKS, "locks.rules")
    after = rules.apply(uc.survey(Level.parse("##########\n#....+...#\n##########")), 1)
    assert str(after) == "##########\n#.<..+..>#\n##########"
    assert (after.start, after.end) == ((2, 1), (8, 1))
    assert sorted(after.things) == [Thing("key", 1, 1, {"opens": "red"}), Thing("lock", 5, 1, {"key": "red"})]
    found = uc.solve(after)
    assert found.solvable
    assert [event.kind for event in found.events if event.kind in ("key", "lock", "take", "open")] != []
    assert not uc.solve(
        after.replace(things=after.things[1:] if after.things[0].kind == "key" else after.things[:1])
    ).solvable


def test_a_sign_stands_for_the_things_whose_data_it_names() -> None:
    rules = Rules.parse(LOCKS.partition("one")[0] + "one  k -> .\n", "locks.rules")
    red, blue, other = (
        Thing("key", x, 0, {"opens": name, "consumed": True, "weight": 1.5, "count": -3})
        for x, name in enumerate(("red", "blue", "green"))
    )
    after = rules.apply(Level.parse("...").replace(things=[red, blue, other]), 1)
    assert after.things == (blue, other)


def test_data_of_things_reads_back_as_it_was_written() -> None:
    rules = Rules.parse(LOCKS, "locks.rules")
    again = Rules.parse(dump_program(rules.program), "again.rules")
    assert again.program.things == rules.program.things
    assert again.program.palette == rules.program.palette
    assert dict(rules.program.things[1].data) == {"opens": "blue", "consumed": True, "weight": 1.5, "count": -3}


@pytest.mark.parametrize(
    ("line", "problem", "column"),
    [
        ("thing key = k, on ., opens = red", "'red' is no value", 30),
        ("thing key = k, on ., opens = ", "'' is no value", 29),
        ('thing key = k, on ., opens = "red', "quotes that are not closed", 30),
        ('thing key = k, on ., opens = "a", opens = "b"', "'opens' is given twice for this thing", 35),
        ("thing key = k, on ., opens = 1e999x", "'1e999x' is no value", 30),
        ('thing key = k, on ., opens = "a"\nthing key = j, on ., opens = "a"', "there is a thing 'key' already", 7),
        ("thing key = k, on ., weight = 1e999", "'1e999' is no value", 31),
    ],
)
def test_a_mistake_in_the_data_of_a_thing_has_its_place(line: str, problem: str, column: int) -> None:
    with pytest.raises(uc.BadInput) as caught:
        Rules.parse(f"{line}\none  . -> k\n", "x.rules")
    assert caught.value.problem == problem
    assert caught.value.place is not None
    assert caught.value.place.column == column
    assert caught.value.fix
