"""D-8: recipes that follow others, in one attempt and with streams of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

import undercroft as uc
from undercroft.recipe.catalogue import finish_names, names
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import Request
from undercroft.recipe.run import run_request
from undercroft.recipe.then import ChainedRecipe, chain_recipes

LAKES = 'begins = ["tiles"]\n[param.wet]\ndefault = 0.2\n[[step]]\nuse = "lakes"\nshare = "$wet"\n'


@pytest.mark.parametrize("name", names())
def test_everything_can_be_inhabited(name: str) -> None:
    level = uc.generate(name, seed=7, then=["drowned", "inhabited"], params={"inhabited/things": 1.0})
    assert level.provenance["then"] == ("drowned", "inhabited")
    assert level.title
    assert bool(level.things) == bool(level.rooms), "a maze has corridors only"


def test_what_follows_moves_nothing_of_what_comes_first() -> None:
    """The first recipe draws the same numbers, and each step of the second its own."""
    plain = uc.generate("bsp", seed=7, size=(60, 30))
    furnished = uc.generate("bsp", seed=7, size=(60, 30), then="inhabited")
    assert (plain.tiles == furnished.tiles).all()
    both = uc.generate("bsp", seed=7, size=(60, 30), then=["inhabited", "inhabited"])
    assert {"furnish", "inhabited/furnish", "inhabited#2/furnish"} & {*both.provenance["editions"]} == {
        "inhabited/furnish",
        "inhabited#2/furnish",
    }


def test_parameters_have_the_name_in_front() -> None:
    recipe = chain_recipes([Recipe.load("bsp"), Recipe.load("inhabited")])
    assert {"depth", "inhabited/things"} <= {*recipe.params}
    none = recipe.generate(seed=7, size=(60, 30), params={"inhabited/things": 0.0}).level
    many = recipe.generate(seed=7, size=(60, 30), params={"inhabited/things": 1.0}).level
    assert not none.things
    assert many.things
    assert many.provenance["params"]["inhabited/things"] == 1.0


def test_requirements_count_together() -> None:
    first = Recipe.parse('[[step]]\nuse = "noise"\nwall = 0.3\n[require]\ndensity = "> 0.5"', "a.toml")
    second = Recipe.parse(f'{LAKES}[require]\ndensity = "< 0.9"', "b.toml")
    assert [one.text for one in chain_recipes([first, second]).require] == ["density > 0.5", "density < 0.9"]
    wrong = Recipe.parse(f'{LAKES}[require]\ndensity = "< 0.2"', "c.toml")
    with pytest.raises(uc.BadInput, match="no level can be both"):
        chain_recipes([first, wrong])


def test_a_chain_survives_a_message(tmp_path: Path) -> None:
    (tmp_path / "lakes.toml").write_text(LAKES)
    recipe = chain_recipes([Recipe.load("cave"), Recipe.load(tmp_path / "lakes.toml"), Recipe.load("inhabited")])
    request = Request(recipe, seed=7, size=(60, 30), params={"lakes/wet": 0.4, "fill_prob": 0.38})
    again = Request.of(request.data())
    assert isinstance(again.recipe, ChainedRecipe)
    assert again.recipe.then == ("lakes", "inhabited")
    assert run_request(again).unwrap().level == run_request(request).unwrap().level


def test_alone_a_recipe_stays_itself() -> None:
    cave = Recipe.load("cave")
    assert chain_recipes([cave]) is cave
    assert cave.then == ()
    assert "then" not in cave.generate(seed=1, size=(20, 12)).level.provenance
    named = chain_recipes([Recipe.load("inhabited")], all_named=True)
    assert [plan.id.partition("/")[0] for plan in named.plans] == ["inhabited"] * len(named.plans)


def test_what_follows_begins_with_a_map() -> None:
    assert all(Recipe.load(name).begins for name in finish_names())
    with pytest.raises(uc.BadInput, match="bsp begins with rock, so it cannot follow cave") as caught:
        uc.generate("cave", then="bsp")
    assert "inhabited" in caught.value.fix
    needy = Recipe.parse('begins = ["tiles", "choke"]\n[[step]]\nuse = "roughen"', "needy.toml")
    with pytest.raises(uc.BadInput, match="needy begins with choke, which walk does not give"):
        chain_recipes([Recipe.load("walk"), needy])
