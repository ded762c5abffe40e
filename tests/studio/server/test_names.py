"""Names that no file can have, in every request that takes a name: the answer is a sentence, never a failure."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from support.studio_pages import Page, Server, source
from undercroft.studio.jobs.choices import LISTS
from undercroft.studio.server.decode_json import UnreadableMessage, decode_json
from undercroft.studio.server.http_requests import POST_HANDLERS
from undercroft.studio.server.lanes import ASK_POLICIES

NAMES = {
    "300 signs": "n" * 300,
    "300 signs of two bytes": "ä" * 300,
    "300 folders": "n/" * 300 + "n",
    "NUL": "a\0b",
    "half of a character": "a\ud800b",
    "a byte that is no UTF-8": "a\udcffb",
    "a control sign": "a\x1b[2Jb",
    "a line end": "a\nb",
    "nothing": "",
    "a way out": "../../a",
    "another root": "/etc/passwd",
}
FILE = base64.b64encode(b"#####\n#...#\n#####\n").decode()
RECIPE = 'size = [9, 9]\n[[step]]\nuse = "fill"\n'


def list_recipes(name: str) -> Iterator[dict[str, str]]:
    """Recipes, rules, levels and imports of that name, and such as name it themselves."""
    yield {"name": name}
    yield {"imported": name, "file": name}
    for suffix in ("", ".toml", ".rules", ".json", ".tmx"):
        yield {"path": name + suffix}
    yield {"text": RECIPE, "file": f"{name}.toml"}
    yield {"text": "BB -> WW\n", "file": f"{name}.rules"}
    yield {"text": f"include {json.dumps(name)}\n", "file": "a.rules"}
    yield {"text": f'size = [9, 9]\n[[step]]\nuse = "rewrite"\nfile = {json.dumps(name)}\n', "file": "a.toml"}


def list_posts(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Requests over HTTP."""
    for suffix in ("", ".toml", ".rules"):
        yield "/api/files/read", {"path": name + suffix}
        yield "/api/files/save", {"path": name + suffix, "text": "x", "seen": ""}
        yield "/api/files/save", {"path": name + suffix, "text": "x", "seen": "", "kind": name}
        yield "/api/files/rename", {"path": name + suffix, "to": "x" + suffix}
        yield "/api/files/rename", {"path": "a.txt", "to": name + suffix}
        yield "/api/files/delete", {"path": name + suffix}
        yield "/api/files/uses", {"path": name + suffix}
        yield "/api/files/restore", {"id": name, "to": name + suffix}
    yield "/api/files/trash", {"id": name}
    yield "/api/files/list", {"path": name}
    for into in ("download", "project", name):
        for form, suffix in (("json", ".json"), ("tmx", ".tmx"), ("png", ".png"), (name, ".json"), ("json", name)):
            outputs = [{"format": form, "path": f"{name}{suffix}"}]
            yield "/api/export", {**source(), "outputs": outputs, "into": into}
    animation = {"format": "gif", "path": f"{name}.gif", "animation": True, "options": {"frames": 1}}
    yield "/api/export", {**source(), "outputs": [animation], "into": "project"}
    yield "/api/watch", {**source(), "outputs": [{"format": "json", "path": f"{name}.json"}]}
    yield "/api/watch", {"stop": True, "path": name}
    yield "/api/save", {**source(), "path": f"{name}.json"}
    yield "/api/layout", {"data": {}, "file": f"{name}.layout", "text": name}
    for suffix in ("", ".txt", ".json"):
        yield "/api/import", {"name": name + suffix, "data": FILE}
    yield "/api/import", {"name": "a.txt", "data": FILE, "read_as": name}
    for recipe in list_recipes(name):
        yield "/api/save", {**source(), "recipe": recipe, "path": "l.json"}
    yield "/api/state/load", {"tab": name}
    yield "/api/state/store", {"changes": {name: {"at": 1, "value": name}}, "tab": name}
    yield "/api/state/store", {"changes": {f"drafts/{name}": {"at": 1, "value": name}}, "tab": "a"}


def list_asks(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Requests over the socket."""
    for recipe in list_recipes(name):
        yield "make", {**source(), "recipe": recipe, "measures": []}
        yield "base_maps", {**source(), "recipe": recipe}
        yield "again", {"recipe": recipe}
    for work in ({"recipe": name}, {"recipe": f"{name}.toml"}, {"recipe": "a.toml", "text": RECIPE, "file": name}):
        yield "work", {"text": json.dumps({"format": "undercroft-work/1", **work})}
    yield (
        "make",
        {**source(), "measures": [], "keep": {"of": {**source(), "recipe": {"path": name}}, "cells": [[0, 1]]}},
    )
    more: dict[str, dict[str, Any]] = {
        "picture": {"style": name, "cell": 8, "show": [name], "hide": []},
        "timeline": {},
        "overlay": {"what": [name]},
        "inspect": {"at": [1, 1], "placed": [{"kind": name, "x": 1, "y": 1, "data": {name: name}}]},
        "losses": {},
        "explain": {"step": name, "turn": 0},
        "coverage": {"seeds": 1},
        "wall": {"seeds": ["1"], "measures": [name]},
        "range": {"first": "1", "count": 1, "measures": [name]},
    }
    for do, rest in more.items():
        yield do, {**source(), "recipe": {"path": f"{name}.toml"}, **rest}
    texts: dict[str, dict[str, Any]] = {
        "recipe": {},
        "rules": {},
        "layout": {},
        "allow": {"size": [5, 5], "leniency": [0, 0], "overgrow": False},
        "sizes": {"sizes": [[5, 5]], "leniency": [0, 0], "overgrow": False},
    }
    for do, rest in texts.items():
        yield do, {"text": "x", "file": name, **rest}
    for of in (name, *LISTS):
        yield "choices", {"of": of, "text": "x", "file": name}
    yield "vocabulary", {"file": name}
    yield "layouts", {"file": name}


def test_every_kind_of_request_is_tried() -> None:
    assert {path for path, _ in list_posts("a")} == set(POST_HANDLERS)
    assert {do for do, _ in list_asks("a")} == set(ASK_POLICIES)


def is_sentence(answer: Any) -> bool:
    """Whether an answer is a problem that the page can show, and not a failure of ours."""
    problem = answer.get("problem") if isinstance(answer, dict) else None
    return isinstance(problem, str) and bool(problem) and "failed" not in problem and "worker" not in problem


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_post_with_such_a_name_is_answered_in_a_sentence(server: Server, name: str) -> None:
    for path, body in list_posts(name):
        status, answer = server.post(path, body)
        assert status == 200 or (400 <= status < 500 and is_sentence(answer)), (path, body, status, answer)
    assert server.post("/api/watch", {"stop": True}) == (200, [])


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_an_ask_with_such_a_name_is_answered_in_a_sentence(page: Page, name: str) -> None:
    for do, ask in list_asks(name):
        head, _ = page.answers(do, **ask)[-1]
        assert head["kind"] == "done" or is_sentence(head), (do, ask, head)


def test_a_long_name_keeps_its_suffix(server: Server) -> None:
    status, answer = server.post("/api/import", {"name": "n" * 230 + ".txt", "data": FILE})
    assert (status, answer["level"]["size"]) == (200, [5, 3])


@pytest.mark.parametrize("text", ['{"id": 7, "path": "\\ud800"}', b'{"path": "\xed\xa0\x80", "id": 7}'])
def test_half_of_a_character_is_told_under_the_number_of_its_request(text: str | bytes) -> None:
    with pytest.raises(UnreadableMessage, match="half of a character") as error:
        decode_json(text)
    assert error.value.number == 7


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '"\\ud800', b"\xff", '{"id": NaN}', "1" + "0" * 5000 + "x"])
def test_what_is_no_json_has_no_number(text: str | bytes) -> None:
    with pytest.raises(UnreadableMessage, match="no JSON") as error:
        decode_json(text)
    assert error.value.number == 0


@pytest.mark.parametrize("number", ["0", "-1", "true", "1.5", '"7"', str(1 << 53), "null"])
def test_a_number_that_is_none_is_not_answered_to(number: str) -> None:
    with pytest.raises(UnreadableMessage) as error:
        decode_json(f'{{"id": {number}, "path": "\\ud800"}}')
    assert error.value.number == 0


def test_a_pair_of_halves_is_a_character() -> None:
    assert decode_json('"\\ud83d\\ude00"') == "😀"
