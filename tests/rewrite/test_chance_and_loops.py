"""What chance, limits and loops mean: the laws of the page about the language of rules, each exact."""

from __future__ import annotations

import math

import pytest

import undercroft as uc
from support.maps import HEAVY
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.rewrite.rules import Rules
from undercroft.rewrite.text.write_rules import dump_program

RUNS = 1500 if HEAVY else 500
SIGMAS = 4.5
"""A right program fails such a test once in 150,000 sets of seeds; the seeds are fixed, so it fails never or always."""


def share(rules: str, picture: str, wanted: str, runs: int = RUNS) -> float:
    """The share of seeds for which the rules turn one map into another."""
    program, level = Rules.parse(rules, "law.rules"), Level.parse(picture)
    return sum(str(program.apply(level, seed)) == wanted for seed in range(runs)) / runs


def check_law(found: float, probability: float, runs: int = RUNS) -> None:
    assert abs(found - probability) <= SIGMAS * math.sqrt(probability * (1 - probability) / runs)


# --- chance in `all` and `parallel`


@pytest.mark.parametrize("kind", ["all", "parallel"])
@pytest.mark.parametrize(("chance", "times"), [(0.3, 5), (0.3, 1), (0.05, 20), (0.9, 2)])
def test_a_turn_that_chance_passes_over_is_a_turn(kind: str, chance: float, times: int) -> None:
    found = share(f"{kind}  . -> ~, chance {chance}, up to {times} times", ".", "~")
    check_law(found, 1 - (1 - chance) ** times)


@pytest.mark.parametrize("kind", ["all", "parallel"])
def test_without_a_limit_chance_only_delays(kind: str) -> None:
    rules = Rules.parse(f"{kind}  . -> ~, chance 5%", "law.rules")
    assert all(str(rules.apply(Level.parse("....#.."), seed)) == "~~~~#~~" for seed in range(50))


def test_each_match_of_a_turn_has_its_own_chance() -> None:
    found = share("all  . -> ~, chance 30%, up to 2 times", "..", "~~")
    check_law(found, (1 - 0.7**2) ** 2)


@pytest.mark.parametrize("kind", ["all", "parallel"])
@pytest.mark.parametrize("guard", ["keep count(~) <= 0", "keep count(.) >= 3"])
def test_matches_that_no_luck_would_apply_are_no_turn(kind: str, guard: str) -> None:
    """Else a program that guards stop would go on for ever."""
    picture = "#...#"
    rules = Rules.parse(f"{kind}  . -> ~, chance 1%, {guard}", "law.rules")
    assert str(rules.apply(Level.parse(picture), 1, max_steps=5000)) == picture


def test_a_rule_whose_limit_is_reached_is_no_turn() -> None:
    rules = Rules.parse("all  . -> ~, chance 10%\n", "law.rules")
    node = rules.program.root
    rule = node.rules[0]._replace(limit=1)
    limited = Rules(rules.program._replace(root=node._replace(rules=(rule,))))
    for seed in range(40):
        assert str(limited.apply(Level.parse("..."), seed, max_steps=50_000)).count("~") == 1


@pytest.mark.parametrize("kind", ["all", "parallel"])
def test_in_each_room_a_turn_without_luck_counts_for_that_room(kind: str) -> None:
    found = share(f"{kind}  puddle, each room, chance 30%, up to 3 times\n    . -> ~", ".#.", "~#~")
    check_law(found, (1 - 0.7**3) ** 2)


def test_a_markov_stays_with_the_first_node_that_matches_whatever_its_chance() -> None:
    """Water is written first, and only then walls."""
    rules = Rules.parse("markov\n    all  . -> ~, chance 20%\n    all  .~ -> #~\n    all  ~. -> ~#", "law.rules")
    assert all(str(rules.apply(Level.parse("...."), seed)) == "~~~~" for seed in range(30))


# --- chance in `one`


@pytest.mark.parametrize("pick", ["match", "rule"])
def test_in_one_chance_multiplies_the_weight(pick: str) -> None:
    rules = f"one  drip, once, pick by {pick}\n    . -> ~, weight 3, chance 20%\n    . -> #, weight 2, chance 80%"
    check_law(share(rules, ".", "~"), 0.6 / 2.2)


@pytest.mark.parametrize("pick", ["match", "rule", "token", "first"])
def test_chance_of_a_single_rule_in_one_has_no_effect(pick: str) -> None:
    assert share(f"one  . -> ~, once, chance 10%, pick by {pick}", ".", "~", 100) == 1


# --- passes


@pytest.mark.parametrize(("passes", "chance"), [(3, 0.3), (10, 0.1)])
def test_repeat_makes_all_its_passes_as_long_as_something_matches(passes: int, chance: float) -> None:
    found = share(f"repeat  {passes} times\n    all  . -> ~, chance {chance}, once", ".", "~")
    check_law(found, 1 - (1 - chance) ** passes)


def test_repeat_without_a_number_ends_when_nothing_matches() -> None:
    rules = Rules.parse("repeat\n    all  . -> ~, chance 10%, once", "law.rules")
    assert all(str(rules.apply(Level.parse("....."), seed)) == "~~~~~" for seed in range(50))


BLOCKS = (
    "markov  grow\n    one  seed, once\n        . -> o\n    one  spread\n        o. -> oo",
    "sequence  grow\n    one  seed, once\n        . -> o\n    one  spread, up to 2 times\n        o. -> oo",
)


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_at_the_margin_runs_once_alone_or_beside_others(block: str) -> None:
    level = Level.parse(".....#.....")
    for seed in range(30):
        maps = {
            str(Rules.parse(rules, "law.rules").apply(level, seed))
            for rules in (
                block,
                f"{block}\none  nothing\n    X -> Y\n".replace("X", "~").replace("Y", "#"),
                f"one  nothing\n    ~ -> #\n{block}",
            )
        }
        assert len(maps) == 1, "a node beside a block does not change what the block means"
        assert str(maps.pop()).count("o") < 6, "one seed was sown"


def test_a_block_in_a_block_starts_again_unless_it_says_once() -> None:
    inner = BLOCKS[0].replace("\n", "\n    ")
    level = Level.parse(".....#.....")
    for seed in range(10):
        again = Rules.parse(f"sequence\n    {inner}\n    one  ~ -> #", "law.rules").apply(level, seed)
        assert str(again) == "ooooo#ooooo"
        once = f"sequence\n    {inner}\n    one  ~ -> #".replace("grow", "grow, once")
        assert str(Rules.parse(once, "law.rules").apply(level, seed)).count("o") < 6


@pytest.mark.parametrize("wrap", ["{0}", "{0}\none  ~ -> #", "sequence\n    {1}", "sequence\n    {2}\n    one  ~ -> #"])
@pytest.mark.parametrize("block", BLOCKS)
def test_blocks_read_back_as_they_were_written(block: str, wrap: str) -> None:
    inner = block.replace("\n", "\n    ")
    text = wrap.format(block, inner, inner.replace("grow", "grow, once"))
    program = Rules.parse(text, "law.rules").program
    again = Rules.parse(dump_program(program), "law.rules").program
    assert dump_program(again) == dump_program(program)
    level = Level.parse(".....#.....")
    for seed in range(8):
        assert str(Rules(program).apply(level, seed)) == str(Rules(again).apply(level, seed))


# --- results that change nothing


@pytest.mark.parametrize("pick", ["match", "rule", "token", "first"])
def test_a_result_that_changes_nothing_does_not_use_up_the_match(pick: str) -> None:
    rules = Rules.parse(f"one  choose, pick by {pick}\n    . -> . | ~", "law.rules")
    assert all(str(rules.apply(Level.parse("..#.."), seed)) == "~~#~~" for seed in range(30))


@pytest.mark.parametrize("kind", ["one", "all", "parallel"])
@pytest.mark.parametrize("times", [1, 2, 4])
def test_a_drawn_result_is_a_turn_even_if_it_changes_nothing(kind: str, times: int) -> None:
    found = share(f"{kind}  choose, results 2:1, up to {times} times\n    . -> . | ~", ".", "~")
    check_law(found, 1 - (2 / 3) ** times)


def test_a_match_that_guards_leave_nothing_but_no_change_is_used_up() -> None:
    rules = Rules.parse("one  choose, keep connected(.), keep count(~) <= 0\n    . -> . | ~", "law.rules")
    assert str(rules.apply(Level.parse("..."), 3, max_steps=5000)) == "..."


def test_rules_that_change_nothing_are_used_up_once_for_each_place() -> None:
    rules = Rules.parse("one  look\n    . -> .", "law.rules")
    assert str(rules.apply(Level.parse("..."), 3, max_steps=5000)) == "..."


def test_a_block_takes_no_other_limit_than_once() -> None:
    with pytest.raises(BadInput, match="runs once, or until nothing matches"):
        Rules.parse("markov  m, up to 2 times\n    one  . -> ~", "law.rules")
    assert uc.Rules is Rules
