"""Rules in files beside a recipe: found, kept inside its folder, told by their own lines, and part of where a level
came from.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.maps import after, border, draft_of
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.errors import BadInput, FileTrouble, UndercroftError
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.document import Recipe
from undercroft.rewrite.grammar import folder as grammar
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.steps.finish.rewrite import Rewrite

DOTS = "all  . -> o, once\n"
FILL = 'size = [9, 5]\n[[step]]\nuse = "fill"\nrole = "floor"\n[[step]]\nuse = "rewrite"\n'


def saved(folder: Path, text: str, **others: str) -> Path:
    """A recipe in a file, with others beside it; `__` in a name is a folder, and the last `_` the dot."""
    for name, content in others.items():
        stem, _, suffix = name.replace("__", "/").rpartition("_")
        path = folder / f"{stem}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return folder / "mine.toml"


def generate_level(path: Path, **options: Any) -> Level:
    return Recipe.load(path).generate(seed=1, **options).level


@pytest.mark.parametrize("name", ["dots.rules", "rules/dots.rules", "./rules/../dots.rules"])
def test_a_file_beside_the_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    path = saved(tmp_path, FILL + f'file = "{name}"\n', dots_rules=DOTS, rules__dots_rules=DOTS)
    inline = Recipe.parse(FILL + f'rules = "{DOTS.strip()}"\n', "mine.toml").generate(seed=1).level
    assert str(generate_level(path)) == str(inline) == "\n".join(["o" * 9] * 5)
    monkeypatch.chdir(tmp_path.parent)
    assert str(generate_level(Path(tmp_path.name, "mine.toml"))) == str(inline), "wherever one stands"


@pytest.mark.parametrize(
    ("line", "problem", "place"),
    [
        ('file = "../dots.rules"', "'../dots.rules' lies outside the folder", "mine.toml:7:8"),
        ('file = "/etc/passwd"', "'/etc/passwd' lies outside the folder", "mine.toml:7:8"),
        ('file = "nowhere.rules"', "cannot read", "mine.toml:7:8"),
        ('file = "."', "'.' names no file", "mine.toml:7:8"),
        ('file = "dots.rules"\nrules = "one  # -> ."', "a step has 'rules' or a 'file', not both", "mine.toml:7:8"),
        ('file = "dots.rules"\nbase = true', "there is no map to begin with", "mine.toml:7:8"),
        ("base = true", "there is no map to begin with", "mine.toml:7:8"),
        ('file = "bad.rules"', "this 'one' has no rule", "bad.rules:2:1"),
        ('file = "bad"', "this row is too much", "bad/x.txt:4:1"),
        ('file = "outer.rules"', "this 'one' has no rule", "bad.rules:2:1"),
    ],
)
def test_mistakes_have_their_own_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, problem: str, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "dots_rules": DOTS,
        "bad_rules": "; a comment\none  #. ..\n",
        "bad__x_txt": "1,1\n=\nc\nc\n=\nr\n",
        "outer_rules": "include bad.rules\n",
    }
    saved(tmp_path, FILL + line + "\n", **texts)
    with pytest.raises(UndercroftError) as caught:
        Recipe.load("mine.toml")
    assert str(caught.value.place) == place
    assert caught.value.fix
    assert caught.value.problem.startswith(problem)


def test_a_template_in_a_file(tmp_path: Path) -> None:
    level = generate_level(saved(tmp_path, FILL + 'file = "dot.txt"\nturns = 2\n', dot_txt="...\n\n.o.\n"))
    assert str(level).count("o") == 2
    assert list(level.provenance["files"]) == ["rewrite"]


def test_a_recipe_that_is_no_file_names_none() -> None:
    with pytest.raises(BadInput, match="this recipe is no file") as caught:
        Recipe.parse(FILL + 'file = "dots.rules"\n', "mine.toml")
    assert str(caught.value.place) == "mine.toml:7:8"


def test_a_parameter_may_choose_the_file(tmp_path: Path) -> None:
    text = '[param.which]\ndefault = "dots.rules"\n' + FILL.removeprefix("size = [9, 5]\n") + 'file = "$which"\n'
    path = saved(tmp_path, text, dots_rules=DOTS, bad_rules="one  #. ..\n", wet_rules="all  . -> ~\n")
    assert set(str(generate_level(path, size=(3, 1)))) == {"o"}
    assert set(str(generate_level(path, size=(3, 1), params={"which": "wet.rules"}))) == {"~"}
    with pytest.raises(FileTrouble, match="outside the folder") as caught:
        generate_level(path, params={"which": "../wet.rules"})
    assert caught.value.place is None
    with pytest.raises(BadInput) as wrong:
        generate_level(path, params={"which": "bad.rules"})
    assert str(wrong.value.place) == f"{tmp_path / 'bad.rules'}:1:1"


def test_a_level_knows_which_rules_made_it(tmp_path: Path) -> None:
    path = saved(tmp_path, FILL + 'file = "outer.rules"\n', outer_rules="include dots.rules\n", dots_rules=DOTS)
    first = generate_level(path)
    assert list(first.provenance["files"]) == ["rewrite"]
    assert generate_level(path) == first
    assert generate_level(path).provenance == first.provenance
    assert "files" not in uc.generate("cave", seed=1, size=(20, 20)).provenance
    for name, text in (("dots.rules", DOTS + "; other\n"), ("outer.rules", "include dots.rules\n; other\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert generate_level(path).provenance["files"] != first.provenance["files"], name
    elsewhere = tmp_path / "moved"
    elsewhere.mkdir()
    again = generate_level(
        saved(elsewhere, FILL + 'file = "outer.rules"\n', outer_rules="include dots.rules\n", dots_rules=DOTS)
    )
    assert again.provenance["files"] == first.provenance["files"], "wherever it lies"


RULE, BASE = "1,2\nR\n=\nc.\n=\ncc\n", "1,3\n=\n..c\n"


def test_a_grammar_folder_in_a_step(tmp_path: Path) -> None:
    folder = saved(tmp_path, FILL + 'file = "g"\nbase = true\n', g__base_txt=BASE, g__rules__grow_txt=RULE).parent
    recipe = Recipe.load(folder / "mine.toml")
    level = recipe.generate(seed=1, size=(5, 3)).level
    assert level.palette == GRAMMAR_PALETTE
    assert str(level) == ".....\nccccc\n.....", "the base stands in the middle"
    assert list(level.provenance["files"]) == ["rewrite"]
    step = Rewrite(file=str(folder / "g"), base=True, turns=1)
    one = after(step, Draft(6, 4), seed=3)
    assert sum(sign in "cC" for sign in str(one)) == 2
    assert str(one).split("\n")[1] in ("..cc..", "...cc."), "nearer to the top and the left, if it cannot be the middle"
    on_map = after(
        Rewrite(file=str(folder / "g"), turns=1), Draft.of(Level(np.array([[1, 0, 0]], np.uint8), GRAMMAR_PALETTE))
    )
    assert str(on_map) == "cc."


def test_the_base_wants_room(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        FILL + 'file = "g"\nbase = true\n',
        g__base_txt="3,5\n=\n.....\n..cc.\n.....\n",
        g__grow_txt="1,1\n=\nr\n=\nr\n",
    )
    assert str(generate_level(path, size=(7, 4))) == ".......\n...cc..\n.......\n......."
    assert str(generate_level(path, size=(4, 3))) == "....\n.cc.\n....", "blanks around it may be cut off, but for one"
    with pytest.raises(BadInput, match="the map to begin with does not fit into 3x2") as caught:
        generate_level(path, size=(3, 2))
    assert caught.value.fix == "ask for 4x3 at least"
    with pytest.raises(BadInput, match="does not fit into 1x2"):
        after(Rewrite(file=str(tmp_path / "g"), base=True), Draft(1, 2))


def test_a_base_that_is_drawn_to_its_edge_may_touch_the_border(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        FILL + 'file = "g"\nbase = true\n',
        g__base_txt="3,6\n=\n......\nc.....\n......\n",
        g__grow_txt="1,1\n=\nr\n=\nr\n",
    )
    assert str(generate_level(path, size=(2, 3))) == "..\nc.\n.."


@pytest.mark.parametrize("width", [9, 10, 11, 24, 72, 73])
def test_the_border_of_the_grammar_is_closed_on_the_smallest_maps(width: int) -> None:
    for height in (7, 8, 9, 10, 11, 26, 27):
        for seed in range(3):
            level = uc.generate("grammar", seed=seed, size=(width, height))
            assert not level.walkable[border(level.tiles)].any(), (width, height, seed)
    for size in ((width, 6), (8, 20)):
        with pytest.raises(BadInput, match="the map to begin with does not fit") as caught:
            uc.generate("grammar", seed=1, size=size)
        assert caught.value.fix == f"ask for {max(9, size[0])}x{max(7, size[1])} at least"


def test_turns_of_a_folder_are_its_steps(tmp_path: Path) -> None:
    saved(tmp_path, "", g__base_txt="1,1\n=\nc\n", g__swap_txt="1,1\n=\nc\n=\nr\n", g__back_txt="1,1\n=\nr\n=\nc\n")
    for turns, sign in ((1, "r"), (2, "c"), (151, "r"), (0, "c")):
        assert str(after(Rewrite(file=str(tmp_path / "g"), base=True, turns=turns), Draft(1, 1))) == sign
    assert grammar.DEFAULT_STEPS == 150


def test_notes_about_the_rules_are_told(tmp_path: Path) -> None:
    path = saved(tmp_path, FILL + 'file = "g"\nbase = true\n', g__base_txt=BASE, g__grow_txt="1,2,R\n=\nc.\n=\ncc\n")
    assert "flags stand in a line of their own" in Recipe.load(path).generate(seed=1).notes[0]


def test_steps_with_files_can_be_sent_elsewhere(tmp_path: Path) -> None:
    path = saved(tmp_path, "", dots_rules=DOTS).with_name("dots.rules")
    step = Rewrite(file=str(path))
    path.unlink()
    again = pickle.loads(pickle.dumps(step))
    assert again == step
    assert str(after(again, "..")) == "oo", "what was read is kept"


def test_frozen_cells_stay_when_the_palette_grows() -> None:
    text = (
        'begins = ["tiles"]\n[[step]]\nuse = "rewrite"\nrules = """\npalette none\ntile moss = m, floor\n'
        'tile wall = #, wall\none  m -> #\n"""\n'
    )
    begin = draft_of("#.#.").level()
    kept = (
        Recipe.parse(text, "moss.toml")
        .generate(seed=1, begin=begin, frozen=np.array([[True, True, False, False]]))
        .level
    )
    assert str(kept) == "#.#."


def test_things_and_regions_in_a_step() -> None:
    text = (
        'begins = ["tiles"]\n[[step]]\nuse = "survey"\n[[step]]\nuse = "rewrite"\n'
        'rules = """\nthing rat = r, on .\none  each room, once\n    . -> r\n"""\n[[step]]\nuse = "survey"\n'
    )
    begin = Level.parse("#######\n#..#..#\n#..#..#\n#######")
    level = Recipe.parse(text, "rats.toml").generate(seed=1, begin=begin).level
    assert [thing.kind for thing in level.things] == ["rat", "rat"]
    assert str(level) == str(begin), "they stand on the floor"
    assert {thing.x < 3 for thing in level.things} == {True, False}, "one in each room"


def test_a_base_brings_no_things_of_the_map_before(tmp_path: Path) -> None:
    saved(tmp_path, "", g__base_txt=BASE, g__rules__grow_txt=RULE)
    draft = Draft(5, 3)
    draft.things, draft.layers["choke"] = [Thing("chest", 4, 2)], draft.tiles.copy()
    draft.start = draft.end = (1, 1)
    after(Rewrite(file=str(tmp_path / "g"), base=True, turns=1), draft)
    assert not draft.things
    assert not draft.layers
    assert draft.start is None


@pytest.mark.parametrize(
    ("rules", "size", "problem", "fix"),
    [
        (
            "one  ####/####/#### -> ..../..../....",
            (3, 9),
            "no rule fits into a map of 3x9: the smallest is 4x3",
            "ask for 4x9 at least",
        ),
        (
            "one  row\n    ##### -> .....",
            (4, 4),
            "no rule fits into a map of 4x4: 'row' is 5x1",
            "ask for 5x4 at least",
        ),
        (
            "one  row, turned\n    ##### -> .....",
            (4, 4),
            "no rule fits into a map of 4x4: 'row' is 5x1",
            "ask for 5x4 at least",
        ),
        ("one  row, turned\n    ##### -> .....", (1, 5), "", ""),
        (
            "one  row, turned\n    ##### -> .....",
            (3, 4),
            "no rule fits into a map of 3x4: 'row' is 1x5",
            "ask for 3x5 at least",
        ),
        ("sequence\n    one  ##### -> .....\n    one  ## -> ..", (4, 4), "", ""),
        ("one  row, outside #\n    ##### -> .....", (4, 4), "", ""),
    ],
)
def test_a_map_that_no_rule_fits_into_is_refused_at_once(
    rules: str, size: tuple[int, int], problem: str, fix: str
) -> None:
    recipe = Recipe.parse(
        f'[[step]]\nuse = "fill"\n[[step]]\nuse = "rewrite"\nrules = """\n{rules}\n"""\n', "mine.toml"
    )
    if not problem:
        assert recipe.generate(seed=1, size=size).level.size == size
        return
    with pytest.raises(BadInput) as caught:
        recipe.generate(seed=1, size=size)
    assert (caught.value.problem, caught.value.fix) == (problem, fix)


# --- the recipe -------------------------------------------------------------------------------------------------------


def test_the_recipe_grows_what_its_folder_grows() -> None:
    found = grammar.load_folder(SHIPPED_FOLDER / "grammar")
    assert found.base is not None
    for seed in range(5):
        level = uc.generate("grammar", seed=seed)
        assert level.size == (72, 26)
        assert level.palette == GRAMMAR_PALETTE
        assert level.start is not None
        assert len(level.rooms) > 10
        assert level == uc.generate("grammar", seed=seed, steps=100_000), "it ended because nothing fits"
    few = uc.generate("grammar", seed=1, steps=3)
    assert 3 < len(few.regions) < 12


def test_templates_want_room_for_the_first() -> None:
    """One sentence, and not a requirement that a hundred levels did not meet."""
    for size, fix in (((14, 14), "15x15"), ((80, 14), "80x15"), ((14, 80), "15x80"), ((1, 1), "15x15")):
        with pytest.raises(
            BadInput, match=f"^no rule fits into a map of {size[0]}x{size[1]}: 'start' is 15x15"
        ) as caught:
            uc.generate("templates", seed=1, size=size)
        assert caught.value.fix == f"ask for {fix} at least"
    for seed in range(5):
        assert len(uc.generate("templates", seed=seed, size=(15, 15)).rooms) >= 1
