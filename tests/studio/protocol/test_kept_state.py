"""What pages keep between two visits: in files that may be damaged, hostile, newer, or not to be written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from undercroft import limits
from undercroft.errors import BadInput
from undercroft.studio.protocol.home import HOME_NAME
from undercroft.studio.protocol.kept_state import KeptState, find_config_folder, group_of

NAMES = ["favourites/a", "history/1", "drafts/rules/caves/moss.rules", "view", "odd/name", "theme", "single keys"]


@pytest.fixture
def state(tmp_path: Path) -> KeptState:
    (tmp_path / "project").mkdir()
    return KeptState(tmp_path / "project", tmp_path / "config" / "undercroft")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "project" / HOME_NAME


def entry(value: Any, at: int = 1) -> dict[str, Any]:
    return {"at": at, "value": value}


def kept_values(state: KeptState) -> dict[str, Any]:
    return {name: one["value"] for name, one in state.load()["values"].items()}


def as_set_aside(home: Path, name: str = "favourites") -> bytes:
    return (home / f"{name}.damaged-1.json").read_bytes()


def test_values_come_back_and_null_removes_them(state: KeptState) -> None:
    values = {name: {"n": number} for number, name in enumerate(NAMES)}
    assert state.store({name: entry(value) for name, value in values.items()}) == {"refused": [], "notes": []}
    assert kept_values(state) == values
    state.store({"view": entry(None), "theme": entry(None)})
    assert kept_values(state) == {name: value for name, value in values.items() if name not in ("view", "theme")}


def test_each_group_has_a_file_and_the_users_own_is_beside_no_project(state: KeptState, tmp_path: Path) -> None:
    state.store({name: entry("x") for name in NAMES})
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    inside = {".gitignore", "favourites.json", "history.json", "drafts.json", "settings.json"}
    assert found == {f"project/.undercroft/{name}" for name in inside} | {"config/undercroft/studio.json"}
    other = tmp_path / "other"
    other.mkdir()
    assert kept_values(KeptState(other, tmp_path / "config" / "undercroft")) == {"theme": "x", "single keys": "x"}


def test_looking_makes_no_folder(state: KeptState, tmp_path: Path) -> None:
    assert state.load() == {"project": str(tmp_path / "project"), "values": {}, "notes": []}
    state.store({"view": entry(None)})
    assert state.theme() == ""
    assert list(tmp_path.rglob("*.json")) == []


def test_a_removed_folder_is_harmless(state: KeptState, home: Path) -> None:
    state.store({"favourites/a": entry(1), "view": entry("make")})
    for path in home.iterdir():
        path.unlink()
    home.rmdir()
    assert state.load()["values"] == {}
    assert state.store({"view": entry("explore")}) == {"refused": [], "notes": []}
    assert kept_values(state) == {"view": "explore"}


def test_two_tabs_add_to_a_collection(state: KeptState) -> None:
    state.store({"favourites/a": entry("of one", 1)})
    state.store({"favourites/b": entry("of the other", 2)})
    state.store({"favourites/a": entry(None, 3)})
    assert kept_values(state) == {"favourites/b": "of the other"}


def test_the_last_writer_wins_even_if_it_is_overtaken(state: KeptState) -> None:
    state.store({"drafts/work/t": entry("newer", 5)})
    assert state.store({"drafts/work/t": entry("older", 4)})["refused"] == []
    assert kept_values(state) == {"drafts/work/t": "newer"}
    state.store({"drafts/work/t": entry("newest", 5)})
    assert kept_values(state) == {"drafts/work/t": "newest"}


DAMAGED = [
    b"",
    b"{",
    b"\xff\xfe",
    b"null",
    b"[]",
    b"{}",
    b'{"version": "1", "values": {}}',
    b'{"version": 1, "values": []}',
    b'{"version": true, "values": {}}',
    b"[" * 100_000,
]


@pytest.mark.parametrize("data", DAMAGED, ids=[str(data[:20]) for data in DAMAGED])
def test_a_damaged_file_is_set_aside_with_a_sentence(state: KeptState, home: Path, data: bytes) -> None:
    state.store({"favourites/a": entry(1), "view": entry("make")})
    (home / "favourites.json").write_bytes(data)
    found = state.load()
    assert set(found["values"]) == {"view"}, "the other files are as they were"
    (note,) = found["notes"]
    assert note.startswith(".undercroft/favourites.json could not be read: ")
    assert "favourites.damaged-1.json" in note
    assert as_set_aside(home) == data
    assert state.load()["notes"] == [], "it is said once"
    state.store({"favourites/b": entry(2)})
    (home / "favourites.json").write_bytes(b"again")
    state.load()
    assert as_set_aside(home) == data
    assert (home / "favourites.damaged-2.json").read_bytes() == b"again"


def test_a_damaged_file_is_not_overwritten_either(state: KeptState, home: Path) -> None:
    state.store({"favourites/a": entry(1)})
    (home / "favourites.json").write_bytes(b"mine")
    found = state.store({"favourites/b": entry(2)})
    assert found["refused"] == []
    assert len(found["notes"]) == 1
    assert as_set_aside(home) == b"mine"
    assert kept_values(state) == {"favourites/b": 2}


def test_a_file_that_is_too_large_is_set_aside_unread(state: KeptState, home: Path) -> None:
    state.store({"favourites/a": entry(1)})
    with (home / "favourites.json").open("wb") as file:
        file.truncate(limits.STUDIO_STATE_BYTES.value + 1)
    assert "bytes" in state.load()["notes"][0]
    assert (home / "favourites.damaged-1.json").exists()


def test_a_link_in_place_of_a_file_is_neither_read_nor_written_through(
    state: KeptState, home: Path, tmp_path: Path
) -> None:
    state.store({"view": entry("make")})
    secret = tmp_path / "secret"
    secret.write_text(json.dumps({"version": 1, "values": {"favourites/a": entry("secret")}}))
    before = secret.read_bytes()
    (home / "favourites.json").symlink_to(secret)
    assert "secret" not in json.dumps(state.load()["values"])
    (home / "history.json").symlink_to(secret)
    state.store({"history/1": entry("mine")})
    assert secret.read_bytes() == before
    assert kept_values(state)["history/1"] == "mine"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_a_pipe_is_not_waited_for(state: KeptState, home: Path) -> None:
    state.store({"view": entry("make")})
    os.mkfifo(home / "favourites.json")
    assert "no regular file" in state.load()["notes"][0]


def test_a_newer_version_is_left_alone(state: KeptState, home: Path) -> None:
    state.store({"favourites/a": entry(1), "view": entry("make")})
    newer = b'{"version": 2, "values": {"favourites/z": 5}}'
    (home / "favourites.json").write_bytes(newer)
    assert "newer Undercroft" in state.load()["notes"][0]
    found = state.store({"favourites/b": entry(2), "view": entry("explore")})
    assert found["refused"] == ["favourites/b"]
    assert (home / "favourites.json").read_bytes() == newer
    assert kept_values(state) == {"view": "explore"}


def test_keys_that_we_do_not_know_are_kept(state: KeptState, home: Path) -> None:
    state.store({"favourites/a": entry({"seed": "1", "floors": [1]})})
    path = home / "favourites.json"
    document = json.loads(path.read_bytes())
    document["later"] = {"a": 1}
    document["values"]["favourites/a"]["colour"] = "red"
    document["values"]["favourites/odd"] = "another form"
    path.write_text(json.dumps(document))
    state.store({"favourites/a": entry({"seed": "2"}, 2), "favourites/b": entry(1)})
    found = json.loads(path.read_bytes())
    assert found["later"] == {"a": 1}
    assert found["values"]["favourites/odd"] == "another form"
    assert found["values"]["favourites/a"] == {"at": 2, "value": {"seed": "2"}, "colour": "red"}
    assert "favourites/odd" not in kept_values(state)


def test_a_project_does_not_choose_the_theme(state: KeptState, home: Path) -> None:
    state.store({"view": entry("make"), "theme": entry("dark")})
    document = {"version": 1, "values": {"theme": entry("light", 9), "history/1": entry("x"), "view": entry("make")}}
    (home / "settings.json").write_text(json.dumps(document))
    assert kept_values(state) == {"view": "make", "theme": "dark"}, "each file holds its own names"


@pytest.mark.parametrize(("value", "theme"), [("light", "light"), ("dark", "dark"), ("<a>", ""), (5, ""), ([], "")])
def test_the_theme_is_one_of_two_words(state: KeptState, value: Any, theme: str) -> None:
    state.store({"theme": entry(value)})
    assert state.theme() == theme


def test_where_nothing_can_be_written_the_names_are_refused(state: KeptState, home: Path, tmp_path: Path) -> None:
    home.write_text("a file in the place of the folder")
    found = state.store({"view": entry("make"), "favourites/a": entry(1), "theme": entry("dark")})
    assert sorted(found["refused"]) == ["favourites/a", "view"]
    (note,) = found["notes"]
    assert "cannot make the folder .undercroft" in note
    assert str(tmp_path) not in note
    assert kept_values(state) == {"theme": "dark"}
    assert home.read_text() == "a file in the place of the folder"


def test_where_the_user_has_no_folder_the_browser_keeps_the_theme(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("")
    state = KeptState(tmp_path, tmp_path / "config" / "undercroft")
    assert state.store({"theme": entry("dark")}) == {"refused": ["theme"], "notes": []}
    assert state.theme() == ""


def test_more_than_fits_is_refused_and_nothing_is_lost(
    state: KeptState, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state.store({"favourites/a": entry("small")})
    monkeypatch.setattr(limits, "STUDIO_STATE_BYTES", limits.STUDIO_STATE_BYTES._replace(value=2000))
    found = state.store({"favourites/b": entry("x" * 3000), "view": entry("make")})
    assert found["refused"] == ["favourites/b"]
    assert "2,000" in found["notes"][0]
    assert kept_values(state) == {"favourites/a": "small", "view": "make"}


@pytest.mark.parametrize(
    "changes",
    [
        *(None, [], "x", {"a": 1}, {"a": {"at": 1}}, {"a": {"value": 1}}),
        *({"a": entry(1, -1)}, {"a": entry(1, True)}, {"a": entry(1, 1 << 60)}),
        *({"": entry(1)}, {"x" * 5000: entry(1)}),
    ],
)
def test_what_is_no_change_is_refused_in_a_sentence(state: KeptState, tmp_path: Path, changes: Any) -> None:
    with pytest.raises(BadInput) as error:
        state.store(changes)
    assert error.value.fix
    assert list(tmp_path.rglob("*.json")) == []


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 60), 1 << 60) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*NAMES, "at", "value"]), inner),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(document=st.dictionaries(st.sampled_from(["version", "values", "x"]), JSON_VALUES | st.just(1)))
def test_whatever_stands_in_a_file_nothing_is_raised_or_lost(
    tmp_path_factory: pytest.TempPathFactory, document: dict[str, Any]
) -> None:
    project = tmp_path_factory.mktemp("project")
    state = KeptState(project, project / "config")
    state.store({"favourites/first": entry(1)})
    path = project / HOME_NAME / "favourites.json"
    path.write_text(json.dumps(document))
    state.load()
    state.store({"favourites/new": entry(2)})
    texts = [json.loads(one.read_bytes()) for one in path.parent.glob("favourites*.json")]
    if document.get("version") == 1 and isinstance(document.get("values"), dict):
        (found,) = texts
        assert {name: found["values"].get(name) for name in document["values"]} == document["values"]
    else:
        assert document in texts


def test_names_are_grouped_by_what_they_begin_with() -> None:
    assert [group_of(name) for name in NAMES] == [
        *("favourites", "history", "drafts"),
        "settings",
        "settings",
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("system", "variables", "folder"),
    [
        ("linux", {"XDG_CONFIG_HOME": "/etc/ann"}, "/etc/ann/undercroft"),
        ("linux", {"XDG_CONFIG_HOME": "relative"}, "/home/ann/.config/undercroft"),
        ("linux", {}, "/home/ann/.config/undercroft"),
        ("darwin", {"XDG_CONFIG_HOME": "/etc/ann"}, "/home/ann/Library/Application Support/undercroft"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/undercroft"),
        ("win32", {}, None),
    ],
)
def test_the_users_folder_is_where_the_system_has_it(
    monkeypatch: pytest.MonkeyPatch, system: str, variables: dict[str, str], folder: str | None
) -> None:
    for name in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/ann", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", system)
    assert find_config_folder() == (None if folder is None else Path(folder))
