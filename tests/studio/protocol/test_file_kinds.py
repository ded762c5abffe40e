"""Names and kinds: a name without the suffix of its kind is refused with the one that it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.studio_pages import Server
from undercroft.errors import BadInput
from undercroft.studio.protocol.file_kinds import FILE_KINDS, check_name, detect_kind, known_suffixes

NAMES = [
    ("crypt.toml", "recipe", True),
    ("rules/Crypt.TOML", "recipe", True),
    ("crypt", "recipe", False),
    ("crypt.rules", "recipe", False),
    (".toml", "recipe", False),
    ("a/.toml", "recipe", False),
    ("crypt.toml.txt", "recipe", False),
    ("moss.rules", "rules", True),
    ("moss.toml", "rules", False),
    ("hall.layout", "layout", True),
    ("hall.json", "layout", True),
    ("hall.txt", "layout", False),
    ("level.json", "level", True),
    ("level", "level", False),
    ("crypt.work.json", "work", True),
    ("crypt.json", "work", True),
    ("crypt.work", "work", False),
]


@pytest.mark.parametrize(("name", "kind", "good"), NAMES)
def test_a_name_ends_as_its_kind_does(name: str, kind: str, good: bool) -> None:
    if good:
        check_name(name, kind)
        return
    with pytest.raises(BadInput, match="is no name for") as error:
        check_name(name, kind)
    assert FILE_KINDS[kind].suffixes[0] in error.value.fix


def test_every_row_can_be_told_apart() -> None:
    assert {name for name, row in FILE_KINDS.items() if name == row.name} == set(FILE_KINDS)
    for row in FILE_KINDS.values():
        assert row.suffixes
        assert set(row.suffixes) <= known_suffixes()
        for suffix in row.suffixes:
            others = [one for one in FILE_KINDS.values() if suffix in one.suffixes]
            assert len(others) == 1 or all(suffix in one.marks for one in others), suffix


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('[[step]]\nuse = "fill"\n', "recipe"),
        ('extends = "bsp"\n[change.rooms]\nlayouts = ["any"]\n', "recipe"),
        ('extends = "crypt.toml"\n\n[require]\nrooms = ">= 3"\n', "recipe"),
        ('extends = "dungeon"\n[thing.urn]\nin = "any"\n', "other"),
        ('[project]\nname = "x"\n', "other"),
    ],
)
def test_a_recipe_that_builds_on_another_is_one_too(tmp_path: Path, text: str, kind: str) -> None:
    (tmp_path / "x.toml").write_text(text)
    assert detect_kind(tmp_path / "x.toml") == kind


@pytest.mark.parametrize("name", ["x.work.json", "x.json"])
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"format":"undercroft-work/1",\n"recipe":"cave"}', "work"),
        ('{"format":"undercroft-work/1",\n"keep":{"map":{"format":"undercroft-level/2"}}}', "work"),
        ('{"format": "undercroft-level/2"}', "level"),
        ('{"scalePartitions": {}}', "layout"),
        ("{}", "other"),
    ],
)
def test_the_text_tells_the_kinds_of_json_apart(tmp_path: Path, name: str, text: str, kind: str) -> None:
    (tmp_path / name).write_text(text)
    assert detect_kind(tmp_path / name) == kind


def test_a_text_is_saved_only_under_a_name_of_its_kind(server: Server) -> None:
    told = {kind["name"]: kind for kind in server.hello()["kinds"]}
    assert {name: tuple(kind["suffixes"]) for name, kind in told.items()} == {
        name: row.suffixes for name, row in FILE_KINDS.items()
    }
    wish = {"text": "one  . -> ,\n", "seen": ""}
    status, problem = server.post("/api/files/save", {**wish, "path": "ends", "kind": "rules"})
    assert (status, problem["problem"], problem["fix"]) == (
        400,
        "'ends' is no name for a rule file",
        "end it in .rules",
    )
    assert server.post("/api/files/save", {**wish, "path": "ends.rules", "kind": "spell"})[0] == 400
    assert server.post("/api/files/save", {**wish, "path": "ends.rules", "kind": "rules"})[0] == 200
    assert not (server.project / "ends").exists()
