"""Files from the studio are those that the command line writes, byte for byte."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.paths import ROOT
from support.studio_pages import Page, Server, source, until
from undercroft import cli, formats
from undercroft.core.frozen import thaw
from undercroft.draw.styles.table import STYLES
from undercroft.formats import FORMATS
from undercroft.studio.jobs.catalogue import list_suffixes
from undercroft.studio.protocol.project import Project
from undercroft.studio.server.studio import IS_CLIENT_GONE, RequestRefused, Studio

WRITTEN = [name for name, row in FORMATS.items() if row.dump is not None]


def output(name: str, stem: str = "crypt", **options: Any) -> dict[str, Any]:
    return {"format": name, "path": f"{stem}{list_suffixes(FORMATS[name])[0]}", "options": options}


def by_command(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> dict[str, bytes]:
    """The files that the command line writes."""
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    assert cli.run(["generate", *words, "--quiet"]) == 0
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("name", WRITTEN)
def test_every_format_is_as_the_command_writes_it(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    wanted = output(name)
    recipe = "isaac" if "rooms" in name and name != "text:rooms" else "rooms-and-mazes"
    given = source(recipe, seed="11", size=None if recipe == "isaac" else [41, 21])
    words = [
        recipe,
        "--seed",
        "11",
        *([] if recipe == "isaac" else ["--size", "41x21"]),
        "-o",
        wanted["path"],
        "--format",
        name,
    ]
    status, data = server.post("/api/export", {**given, "outputs": [wanted], "into": "download"})
    if status != 200:  # some formats are for some levels only; then the command says so too
        monkeypatch.chdir(tmp_path)
        assert cli.run(["generate", *words]) != 0
        assert status == 422
        assert data["problem"]
        return
    expected = by_command(tmp_path / "out", monkeypatch, *words)
    found = unzipped(data) if len(expected) > 1 else {wanted["path"]: data}
    assert found == expected


def test_most_formats_were_compared(server: Server) -> None:
    """The test above lets pass what both refuse; that must be the exception."""
    refused = []
    for name in WRITTEN:
        status, _ = server.post(
            "/api/export",
            {**source("rooms-and-mazes", seed="11", size=[41, 21]), "outputs": [output(name)], "into": "download"},
        )
        refused += [name] if status != 200 else []
    assert len(WRITTEN) > 20
    assert set(refused) <= {"text:grid", "text:rooms", "text:tinykeep", "text:cave", "godot:rooms", "json:rooms"}


@pytest.mark.parametrize("style", STYLES)
def test_every_style_is_as_the_command_draws_it(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, style: str
) -> None:
    wanted = output("png", style=style, cell=9, show=["path"], hide=["title"])
    status, data = server.post(
        "/api/export", {**source(seed="3", size=[30, 20]), "outputs": [wanted], "into": "download"}
    )
    words = ["--seed", "3", "--size", "30x20", "--style", style, "--cell", "9", "--show", "path", "--hide", "title"]
    assert status == 200
    assert by_command(tmp_path / "out", monkeypatch, "cave", *words, "-o", "crypt.png") == {"crypt.png": data}


@pytest.mark.parametrize("suffix", ["gif", "webp", "apng"])
def test_animations_are_as_the_command_writes_them(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    wanted = {"format": "", "path": f"growth.{suffix}", "animation": True, "options": {"frames": 20}}
    status, data = server.post(
        "/api/export", {**source(seed="3", size=[24, 16]), "outputs": [wanted], "into": "download"}
    )
    words = ["cave", "--seed", "3", "--size", "24x16", "--animate", f"growth.{suffix}", "--frames", "20"]
    assert status == 200
    assert by_command(tmp_path / "out", monkeypatch, *words, "-o", "x.txt")[f"growth.{suffix}"] == data


def test_parameters_requirements_and_words_as_seeds_too(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = source(
        seed="Saint Ossory",
        size=[50, 30],
        params={"fill_prob": 0.42, "stages": [[5, 2, 3], [5, -1, 2]]},
        until=["loops >= 9"],
        tries=60,
    )
    status, data = server.post("/api/export", {**given, "outputs": [output("json")], "into": "download"})
    words = [
        "cave",
        "--seed",
        "Saint Ossory",
        "--size",
        "50x30",
        "--set",
        "fill_prob=0.42",
        "--set",
        "stages=[[5, 2, 3], [5, -1, 2]]",
    ]
    assert status == 200
    assert by_command(
        tmp_path / "out", monkeypatch, *words, "--until", "loops >= 9", "--tries", "60", "-o", "crypt.json"
    ) == {"crypt.json": data}


def test_a_recipe_in_a_file_too(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = ROOT / "examples"
    for name in ("lair.toml", "lair.rules", "catacombs.toml"):
        (server.project / name).write_bytes((examples / name).read_bytes())
    for name in ("lair", "catacombs"):
        text = (examples / f"{name}.toml").read_text()
        for recipe in ({"path": f"{name}.toml"}, {"text": text, "file": f"{name}.toml"}):
            status, data = server.post(
                "/api/export", {**source(seed="5", recipe=recipe), "outputs": [output("json")], "into": "download"}
            )
            assert status == 200, data
            assert by_command(
                tmp_path / name, monkeypatch, str(examples / f"{name}.toml"), "--seed", "5", "-o", "crypt.json"
            ) == {"crypt.json": data}


def test_several_files_at_once_into_the_project(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = [output("tmx", "levels/one"), output("png", "levels/two", style="plain"), output("text", "levels/three")]
    status, rows = server.post("/api/export", {**source(), "outputs": outputs, "into": "project"})
    assert status == 200
    expected = by_command(
        tmp_path / "out",
        monkeypatch,
        "cave",
        "--seed",
        "7",
        "-o",
        "one.tmx",
        "-o",
        "two.png",
        "-o",
        "three.txt",
        "--style",
        "plain",
    )
    assert [row["path"] for row in rows] == ["levels/one.tmx", "levels/two.png", "levels/three.txt"]
    for name, data in expected.items():
        assert (server.project / "levels" / name).read_bytes() == data
    assert [row["bytes"] for row in rows] == [len(expected[Path(row["path"]).name]) for row in rows]
    assert rows[2]["dropped"] == ["regions", "path", "how it was made"]
    assert rows[1]["dropped"] == []


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ([], "0 files"),
        ([output("png")] * 65, "65 files"),
        ([{"format": "pgn", "path": "a.png"}], "unknown format 'pgn'"),
        ([{"format": "watabou", "path": "a.json"}], "can only be read"),
        ([{"format": "png", "path": "crypt.toml"}], "is no name for this kind of file"),
        ([{"format": "png", "path": "../a.png"}], "is no name for a file of the project"),
        ([{"format": "png", "path": "/etc/a.png"}], "is no name for a file of the project"),
        ([{"format": "png", "path": ".a.png"}], "is no name for a file of the project"),
        ([{"format": "png", "path": "a.png", "options": {"colour": 1}}], "unknown option"),
        ([{"format": "png", "path": "a.png", "options": {"style": "oil"}}], "unknown style"),
        ([{"format": "png", "path": "a.png", "options": {"cell": "x"}}], "a whole number of pixels"),
        ([{"format": "", "path": "a.mp4", "animation": True}], "is no name for this kind of file"),
        ([{"format": "", "path": "a.gif", "animation": True, "options": {"frames": "x"}}], "frames is a whole number"),
        ([output("png", style="ink"), output("png", style="dark")], "written twice"),
        ([7], "invalid request"),
    ],
)
def test_files_that_cannot_be_are_refused_before_anything_is_written(
    server: Server, outputs: list[Any], words: str
) -> None:
    before = sorted(server.project.rglob("*"))
    for into in ("download", "project"):
        status, problem = server.post("/api/export", {**source(size=[20, 12]), "outputs": outputs, "into": into})
        assert status == 422
        assert words in problem["problem"]
        assert problem["fix"]
    assert sorted(server.project.rglob("*")) == before


def test_files_go_to_one_of_two_places(server: Server) -> None:
    status, problem = server.post("/api/export", {**source(), "outputs": [output("png")], "into": "/tmp"})
    assert status == 400
    assert "download or the project" in problem["problem"]


def test_names_of_downloads_are_kept_apart_from_headers(server: Server) -> None:
    body = {**source(size=[20, 12]), "outputs": [{"format": "text", "path": "Grüfte ‘x’, ; y.txt"}], "into": "download"}
    data = json.dumps(body).encode()
    headers = server.headers(**{"Content-Type": "application/json", "Content-Length": str(len(data))})
    status, told, _ = server.request("POST", "/api/export", headers, data)
    assert status == 200
    assert told["content-disposition"] == (
        'attachment; filename="Gr_fte__x_____y.txt"; '
        "filename*=UTF-8''Gr%C3%BCfte%20%E2%80%98x%E2%80%99%2C%20%3B%20y.txt"
    )
    assert told["content-type"] == "application/octet-stream"


# --- keeping, painting, saving, importing


def test_kept_cells_stay(page: Page) -> None:
    old = uc.generate("cave", seed="7")
    cells = [[12 * 60 + 10, 25], [13 * 60 + 10, 25], [14 * 60 + 10, 25]]
    head, parts = page.answer("make", measures=[], **source(seed="8", keep={"of": source(seed="7"), "cells": cells}))
    tiles = parts["tiles"].reshape(30, 60)
    assert head["moved"] == []
    assert np.array_equal(tiles[12:15, 10:35], old.tiles[12:15, 10:35])
    free = uc.generate("cave", seed="8")
    assert not np.array_equal(tiles, free.tiles)
    assert (tiles != old.tiles).mean() > 0.1


@pytest.mark.parametrize("name", ["isaac", "grammar"])
def test_what_cannot_be_kept_is_said(page: Page, name: str) -> None:
    problem = page.problem(
        "make", measures=[], **source(name, seed="2", keep={"of": source(name, seed="1"), "cells": [[100, 40]]})
    )
    assert f"these cells cannot be kept by {name}" in problem["problem"]
    assert problem["fix"] == "keep nothing, or choose another recipe"


def test_a_kept_part_that_cannot_be_joined_is_said_with_the_nearest_level(page: Page) -> None:
    old = uc.generate("dungeoning", seed="1")
    room = max(old.rooms, key=lambda room: room.area)
    cells = [[y * old.width + room.x, room.width] for y in range(room.y, room.y + room.height)]
    head, parts = page.answers(
        "make",
        measures=[],
        **source("dungeoning", seed="2", tries=3, keep={"of": source("dungeoning", seed="1"), "cells": cells}),
    )[-1]
    assert (head["kind"], head["nearest"]["rejected"]) == ("problem", 3)
    tiles = parts["tiles"].reshape(old.tiles.shape)
    kept = np.s_[room.y : room.y + room.height, room.x : room.x + room.width]
    assert np.array_equal(tiles[kept], old.tiles[kept])


def test_painting_over_kept_cells_is_no_loss(page: Page) -> None:
    head, parts = page.answer(
        "make", measures=[], **source(seed="8", keep={"of": source(), "cells": [[800, 9]]}, edits=[[803, "water"]])
    )
    assert head["moved"] == []
    assert head["palette"][parts["tiles"][803]]["name"] == "water"


def test_painted_tiles_are_part_of_the_saved_level(server: Server, page: Page) -> None:
    level = uc.generate("cave", seed="7")
    y, x = np.argwhere(level.walkable)[40].tolist()
    edits = [[y * 60 + x, "water"], [0, "pillar"]]
    head, parts = page.answer("make", measures=["density"], **source(edits=edits))
    names = [tile["name"] for tile in head["palette"]]
    assert (names[parts["tiles"][y * 60 + x]], names[parts["tiles"][0]]) == ("water", "pillar")
    assert head["rooms"][0]["area"] == level.rooms[0].area - 1
    assert head["measures"]["density"] < uc.measure(level, "density")["density"]
    status, row = server.post("/api/save", {**source(edits=edits), "path": "levels/mine.json"})
    assert (status, row["path"], row["dropped"]) == (200, "levels/mine.json", [])
    saved = uc.load(server.project / "levels" / "mine.json")
    assert np.array_equal(saved.tiles.reshape(-1), parts["tiles"])
    assert thaw(saved.provenance["edits"]) == edits
    assert server.post("/api/save", {**source(), "path": "levels/mine.toml"})[0] == 422
    assert server.post("/api/save", source())[0] == 422


@pytest.mark.parametrize("name", ["json", "tmx", "npz", "text", "ldtk"])
def test_a_file_from_elsewhere_becomes_a_level(server: Server, page: Page, name: str) -> None:
    level = uc.generate("rooms-and-mazes", seed="4", size=(31, 21))
    data = formats.dump(level, name)
    file = f"given{list_suffixes(FORMATS[name])[0]}"
    status, found = server.post("/api/import", {"name": file, "data": base64.b64encode(data).decode()})
    assert status == 200, found
    head, parts = page.answer("make", measures="all", **source(recipe=found["source"]))
    assert np.array_equal(parts["tiles"].reshape(21, 31), formats.loads(data, name).tiles)
    assert head["size"] == found["level"]["size"] == [31, 21]
    assert len(head["rooms"]) >= len(level.rooms)
    if name == "json":
        assert (found["origin"]["recipe"], found["origin"]["seed"]) == ("rooms-and-mazes", "4")
    _, picture = page.answer("picture", style="plain", cell=4, show=[], hide=[], **source(recipe=found["source"]))
    assert picture["png"]
    status, export = server.post(
        "/api/export", {**source(recipe=found["source"]), "outputs": [output("text")], "into": "download"}
    )
    assert export == formats.dump(formats.loads(data, name), "text")
    (server.project / file).write_bytes(data)
    _, again = page.answer("make", measures=[], **source(recipe={"path": file}))
    assert np.array_equal(again["tiles"], parts["tiles"])


@pytest.mark.parametrize(
    ("name", "data", "read_as", "words"),
    [
        ("x.json", b"{", None, "x.json"),
        ("x.json", b"[" * 1000, None, "x.json"),
        ("x.tmx", b"<!DOCTYPE a [<!ENTITY b 'c'>]><map/>", None, "x.tmx"),
        ("x.nothing", b"", None, "unknown suffix"),
        ("x", b"", None, "no suffix"),
        ("x.png", b"", None, "this is no PNG picture"),
        ("x.pdf", b"", None, "can only be written"),
        ("x.txt", b"", "jsonn", "unknown format"),
        ("<script>alert(1)</script>.txt", b"\xff", None, "<script>alert(1)</script>.txt"),
        ("../../etc/passwd.txt", b"\xff", None, "passwd.txt"),
    ],
)
def test_what_is_no_level_is_said_so(server: Server, name: str, data: bytes, read_as: str | None, words: str) -> None:
    status, problem = server.post(
        "/api/import", {"name": name, "data": base64.b64encode(data).decode(), "read_as": read_as}
    )
    assert status == 422
    assert words in f"{(problem['place'] or {}).get('file')}: {problem['problem']}"


def test_an_import_that_did_not_arrive_is_said_so(server: Server) -> None:
    assert server.post("/api/import", {"name": "x.txt", "data": "no base64!"})[0] == 400
    assert server.post("/api/import", {"name": "x.txt"})[0] == 400


# --- files that are kept up to date


def test_watched_files_are_written_again_when_the_level_changes(server: Server) -> None:
    watched = [output("text", "live"), output("png:tiles", "live")]
    with server.page() as page, server.page() as other:
        status, rows = server.post("/api/watch", {**source(seed="1", size=[30, 20]), "outputs": watched})
        assert (status, [row["path"] for row in rows]) == (200, ["live.txt", "live.png"])
        file = server.project / "live.txt"
        assert file.read_bytes() == formats.dump(uc.generate("cave", seed="1", size=(30, 20)), "text")
        page.answer("make", lane="level", measures=[], **source(seed="2", size=[30, 20]))
        assert [other.ending() for _ in range(2)] == [
            {"id": 0, "kind": "written", "path": name, "bytes": (server.project / name).stat().st_size}
            for name in ("live.txt", "live.png")
        ]
        assert file.read_bytes() == formats.dump(uc.generate("cave", seed="2", size=(30, 20)), "text")
        for seed in range(10, 40):  # many changes, as with a slider: the last one counts
            page.ask("make", lane="level", measures=[], **source(seed=str(seed), size=[30, 20]))
        last = formats.dump(uc.generate("cave", seed="39", size=(30, 20)), "text")
        assert until(lambda: file.read_bytes() == last)
        page.answer("make", lane="gallery", measures=[], **source(seed="3", size=[30, 20]))
        assert server.post("/api/watch", {"stop": True}) == (200, [])
        page.answer("make", lane="level", measures=[], **source(seed="4", size=[30, 20]))
        page.answer("make", lane="level", measures=[], **source(seed="5", size=[30, 20]))
        assert file.read_bytes() == last
    assert server.post("/api/watch", {})[0] == 400
    assert server.post("/api/watch", {**source(), "outputs": [output("png", "../x")]})[0] == 422


def test_a_file_that_is_refused_leaves_the_others_watched(server: Server, page: Page) -> None:
    kept = output("text", "steady")
    assert server.post("/api/watch", {**source(seed="1", size=[20, 12]), "outputs": [kept]})[0] == 200
    assert (
        server.post("/api/watch", {**source(seed="1", size=[20, 12]), "outputs": [kept, output("png", "../x")]})[0]
        == 422
    )
    page.answer("make", lane="level", measures=[], **source(seed="2", size=[20, 12]))
    wanted = formats.dump(uc.generate("cave", seed="2", size=(20, 12)), "text")
    assert until(lambda: (server.project / "steady.txt").read_bytes() == wanted)
    assert server.post("/api/watch", {"stop": True}) == (200, [])


class Slow(Studio):
    """Exports end when somebody says so. A file holds the seed, and there are no workers."""

    def __init__(self, folder: Path) -> None:
        super().__init__(Project(folder), None)  # type: ignore[arg-type]
        self.exports: list[tuple[dict[str, Any], asyncio.Future[bool]]] = []

    async def ask_worker(self, ask: dict[str, Any], *, long: bool = False, seconds: float | None = None) -> Any:
        ended: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.exports.append((ask, ended))
        good = await ended
        if await IS_CLIENT_GONE.get()():
            raise RequestRefused({"problem": "cancelled", "fix": "", "place": None}, 499)
        if not good:
            raise RequestRefused({"problem": "no", "fix": "", "place": None})
        return {
            "files": {one["path"]: ask["seed"].encode() for one in ask["outputs"]},
            "exported": [{"path": one["path"], "bytes": 1} for one in ask["outputs"]],
        }

    async def wait_for_start(self) -> None:
        """Until an export is under way."""
        async with asyncio.timeout(10):
            while not self.exports:
                await asyncio.sleep(0.001)

    async def next(self, good: bool = True) -> list[str]:
        """Let the next export end, once it has begun: its seed and its files."""
        await self.wait_for_start()
        ask, ended = self.exports.pop(0)
        ended.set_result(good)
        return [ask["seed"], *(one["path"] for one in ask["outputs"])]

    def switched(self, seed: str, *paths: str) -> asyncio.Task[list[dict[str, Any]]]:
        """A request, whose page waits only for its answer."""

        async def request() -> list[dict[str, Any]]:
            answered = False

            async def is_client_gone() -> bool:
                return answered

            IS_CLIENT_GONE.set(is_client_gone)
            try:
                return await self.watch_outputs(
                    {**source(seed=seed), "outputs": [{"format": "text", "path": path} for path in paths]}
                )
            finally:
                answered = True

        return asyncio.create_task(request())

    async def settled(self) -> None:
        """Until nothing is written any more."""
        if self._rewriting is not None:
            await self._rewriting


@pytest.mark.parametrize("good", [True, False])
def test_a_level_made_while_files_are_switched_on_is_written_too(tmp_path: Path, good: bool) -> None:
    async def main() -> None:
        studio = Slow(tmp_path)
        first = studio.switched("1", "a.txt")
        assert await studio.next() == ["1", "a.txt"]
        await first
        second = studio.switched("1", "a.txt", "b.txt")
        await studio.wait_for_start()
        studio.on_level_made(source(seed="2"))
        assert await studio.next(good) == ["1", "a.txt", "b.txt"]
        await asyncio.wait([second])
        assert (second.exception() is None) is good
        assert await studio.next() == ["2", "a.txt", *(["b.txt"] if good else [])]
        await studio.settled()
        assert (tmp_path / "a.txt").read_text() == "2"

    asyncio.run(main())


def test_a_level_that_was_being_written_is_written_when_a_switch_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        studio = Slow(tmp_path)
        first = studio.switched("1", "a.txt")
        await studio.next()
        await first
        studio.on_level_made(source(seed="2"))
        await studio.wait_for_start()
        studio.exports.clear()  # it has begun, and is given up for the switch
        second = studio.switched("2", "a.txt", "b.txt")
        assert await studio.next(good=False) == ["2", "a.txt", "b.txt"]
        await asyncio.wait([second])
        assert isinstance(second.exception(), RequestRefused)
        assert await studio.next() == ["2", "a.txt"]
        await studio.settled()
        assert (tmp_path / "a.txt").read_text() == "2"
        assert studio._unwritten is None

    asyncio.run(main())


def test_who_switches_off_while_files_are_being_switched_on_has_the_last_word(tmp_path: Path) -> None:
    async def main() -> None:
        studio = Slow(tmp_path)
        first = studio.switched("1", "a.txt")
        await studio.wait_for_start()
        stop = asyncio.create_task(studio.watch_outputs({"stop": True}))
        await asyncio.sleep(0)
        await studio.next()
        assert await first
        assert await stop == []
        studio.on_level_made(source(seed="2"))
        assert (studio._rewriting, (tmp_path / "a.txt").read_text()) == (None, "1")

    asyncio.run(main())


@pytest.mark.parametrize("name", ["../moor.toml", "/etc/moor.toml", "C:\\moor.toml", "none.toml", 7])
def test_a_tileset_lies_in_the_project(server: Server, name: Any) -> None:
    """An option that names a file names one of the project, and no other."""
    wanted = output("tmx", tileset=name)
    given = source("rooms-and-mazes", seed="11", size=[21, 21])
    status, data = server.post("/api/export", {**given, "outputs": [wanted], "into": "download"})
    assert status == 422
    assert "moor" not in data["problem"] or "no name for a file of the project" in data["problem"]
