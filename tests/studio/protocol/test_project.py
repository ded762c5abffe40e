"""Files of the project, and nothing else of the machine."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.studio_pages import Page, Server, source
from undercroft import limits
from undercroft.errors import FileTrouble, TooBig
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.studio.protocol.file_kinds import detect_kind
from undercroft.studio.protocol.home import make_home
from undercroft.studio.protocol.project import Project
from undercroft.studio.server import studio as studio_module
from undercroft.studio.server.studio import Studio

HOSTILE_PATHS = [
    "../secret.toml",
    "..",
    "a/../../secret.toml",
    "a/../../../etc/passwd",
    "/etc/passwd",
    "//etc/passwd",
    "\\etc\\passwd",
    "..\\secret.toml",
    "a\\..\\..\\secret.toml",
    "C:\\secret.toml",
    "C:secret.toml",
    "c:/secret.toml",
    "\\\\server\\share\\x.toml",
    "file:///etc/passwd",
    "x.toml:stream",
    "",
    ".",
    "./x.toml",
    "a/./x.toml",
    "a//x.toml",
    "a/",
    "~/x.toml",
    "~root/x.toml",
    ".hidden.toml",
    "a/.git/config",
    ".undercroft-studio.lock",
    ".undercroft/state.json",
    ".UNDERCROFT/state.json",
    "a/.undercroft/state.json",
    "kept/state.json",
    "x.toml\0.png",
    "x\n.toml",
    "x\x7f.toml",
    " x.toml",
    "x.toml ",
    "x.toml.",
    "NUL",
    "con.toml",
    "a/COM1.txt",
    "x" * 5000 + ".toml",
    "x" * 256,
    "a/" * 600 + "x.toml",
    "é" * 200,
    "x?.toml",
    "x*.toml",
    "<script>.toml",
    '"x".toml',
    "a|b.toml",
    "link.toml",
    "linked/secret.toml",
    "up/secret.toml",
    "loop/x.toml",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a secret beside it, and links that lead there."""
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "secret.toml").write_text("secret")
    (tmp_path / "project-beside").mkdir()
    (project / "link.toml").symlink_to(tmp_path / "secret.toml")
    (project / "linked").symlink_to(tmp_path, target_is_directory=True)
    (project / "up").symlink_to("..", target_is_directory=True)
    (project / "loop").symlink_to("loop")
    make_home(project)
    (project / "kept").symlink_to(".undercroft", target_is_directory=True)
    (project / "good.toml").write_text("about = 'x'\n[[step]]\nuse = 'noise'\n")
    (project / "inner.toml").symlink_to("good.toml")
    return project


def test_there_are_thirty_hostile_paths_at_least() -> None:
    assert len(set(HOSTILE_PATHS)) == len(HOSTILE_PATHS) >= 30


@pytest.mark.parametrize("path", HOSTILE_PATHS)
def test_a_path_that_leads_elsewhere_is_refused(folder: Path, path: str) -> None:
    project = Project(folder)
    before = sorted(folder.parent.rglob("*"))
    for work in (
        lambda: project.read_file(path),
        lambda: project.save(path, "x", ""),
        lambda: project.write(path, b"x"),
        lambda: project.read_bytes(path, limits.TEXT_BYTES),
    ):
        with pytest.raises(FileTrouble) as error:
            work()
        assert error.value.fix
        assert str(folder.parent) not in error.value.problem, "where the project lies is nobody's business"
    assert sorted(folder.parent.rglob("*")) == before
    assert (folder.parent / "secret.toml").read_text() == "secret"


def test_a_link_that_stays_inside_is_followed(folder: Path) -> None:
    assert Project(folder).read_file("inner.toml")["text"] == (folder / "good.toml").read_text()


def test_a_sibling_whose_name_begins_alike_is_outside(folder: Path) -> None:
    (folder / "sly").symlink_to(folder.parent / "project-beside", target_is_directory=True)
    with pytest.raises(FileTrouble, match="leads out"):
        Project(folder).resolve_path("sly/x.toml")


def test_good_names_are_taken(folder: Path) -> None:
    project = Project(folder)
    for name in (
        "crypt.toml",
        "rules/moss.rules",
        "a/b/c/d.json",
        "Grüfte und Höhlen.toml",
        "骨.rules",
        "it's.txt",
        "a, b; c & d (1) [2] {3} #4 50%.toml",
    ):
        assert project.save(name, "text\n", "")["text"] == "text\n"
        assert (folder / name).read_bytes() == b"text\n"


def test_no_folder_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FileTrouble, match="is no folder"):
        Project(tmp_path / "none")


def test_a_file_is_saved_only_if_it_is_what_was_seen(server: Server) -> None:
    file = server.project / "seen.toml"
    status, saved = server.post("/api/files/save", {"path": "seen.toml", "text": "one = 1\n", "seen": ""})
    assert (status, file.read_text()) == (200, "one = 1\n")
    status, problem = server.post("/api/files/save", {"path": "seen.toml", "text": "two", "seen": ""})
    assert (status, problem["problem"]) == (409, "seen.toml is there already")
    status, found = server.post("/api/files/read", {"path": "seen.toml"})
    assert found == saved == {"path": "seen.toml", "text": "one = 1\n", "seen": saved["seen"]}
    file.write_text("by somebody else")
    status, problem = server.post("/api/files/save", {"path": "seen.toml", "text": "two", "seen": found["seen"]})
    assert (status, problem["problem"], file.read_text()) == (
        409,
        "seen.toml was changed elsewhere",
        "by somebody else",
    )
    file.unlink()
    status, problem = server.post("/api/files/save", {"path": "seen.toml", "text": "two", "seen": found["seen"]})
    assert (status, problem["problem"]) == (409, "seen.toml is not there any more")
    assert not file.exists()


def test_files_that_cannot_be_read_are_said_so(server: Server) -> None:
    (server.project / "folder.toml").mkdir(exist_ok=True)
    (server.project / "bytes.toml").write_bytes(b"\xff\xfe")
    (server.project / "large.toml").write_bytes(b" " * (limits.STUDIO_REQUEST_BYTES.value + 1))
    os.mkfifo(server.project / "pipe.toml")
    for name, status, words in (
        ("none.toml", 404, "no such file"),
        ("folder.toml", 400, "directory"),
        ("bytes.toml", 400, "UTF-8"),
        ("large.toml", 413, "the limit is"),
    ):
        found, problem = server.post("/api/files/read", {"path": name})
        assert (found, words in problem["problem"]) == (status, True), problem
    assert server.post("/api/files/read", {"path": "pipe.toml"})[0] == 400
    for name in ("folder.toml", "bytes.toml", "large.toml", "pipe.toml"):
        path = server.project / name
        path.rmdir() if path.is_dir() else path.unlink()


def test_our_own_recipes_are_nobodys_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "src/shipped/recipes/cave.toml",
        "src/shipped/layouts/hall.layout",
        "src/mine.toml",
        "recipes/crypt.toml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("[[step]]\n")
    (tmp_path / "link").symlink_to(tmp_path / "src")
    monkeypatch.setattr("undercroft.studio.protocol.project.SHIPPED_FOLDER", tmp_path / "link" / "shipped")
    assert [row.path for row in Project(tmp_path).list_files()] == ["recipes/crypt.toml", "src/mine.toml"]
    assert set(Project(tmp_path).list_times()) == {"recipes/crypt.toml", "src/mine.toml"}


def test_in_a_checkout_the_recipes_are_listed_once() -> None:
    above = SHIPPED_FOLDER.parent
    assert not [row.path for row in Project(above).list_files() if row.path.startswith("shipped/")]
    assert "recipes/cave.toml" in [row.path for row in Project(SHIPPED_FOLDER).list_files()], (
        "who works in that very folder sees it"
    )


def test_files_are_listed_by_what_they_are(server: Server) -> None:
    held = {
        "kinds/crypt.toml": ("[[step]]\nuse = 'noise'\n", "recipe"),
        "kinds/broken.toml": ("[[ step ]]\nuse = 'nois'\n", "recipe"),
        "kinds/pyproject.toml": ("[project]\nname = 'x'\n", "other"),
        "kinds/moss.rules": ("one  . -> ,\n", "rules"),
        "kinds/hall.layout": ("layout hall\n", "layout"),
        "kinds/level.json": ('{"format": "undercroft-level/1"}', "level"),
        "kinds/cozy.json": ('{"scalePartitions": [], "unscaledTiles": [], "excludedTiles": []}', "layout"),
        "kinds/data.json": ("{}", "other"),
        "kinds/map.tmx": ("<map/>", "level"),
        "kinds/picture.png": ("x", "other"),
        "kinds/notes.txt": ("x", "other"),
        "kinds/program.py": ("x", None),
        "kinds/.hidden.toml": ("[[step]]", None),
        "kinds/.git/x.toml": ("[[step]]", None),
        "kinds/node_modules/x.toml": ("[[step]]", None),
    }
    for name, (text, _) in held.items():
        path = server.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (server.project / "kinds" / "link.toml").symlink_to("/etc/passwd")
    status, rows = server.post("/api/files/list", {})
    assert status == 200
    found = {row["path"]: row["kind"] for row in rows if row["path"].startswith("kinds/")}
    assert found == {name: kind for name, (_, kind) in held.items() if kind}
    assert [row["path"] for row in rows] == sorted(row["path"] for row in rows)
    row = next(row for row in rows if row["path"] == "kinds/moss.rules")
    assert (row["bytes"], row["changed"]) == (12, round((server.project / "kinds/moss.rules").stat().st_mtime * 1000))
    cards = {
        card["path"]: card
        for card in server.hello()["recipes"]
        if card["origin"] == "mine" and card["path"].startswith("kinds/")
    }
    assert cards.keys() == {"kinds/crypt.toml", "kinds/broken.toml"}
    assert "problem" not in cards["kinds/crypt.toml"]
    assert cards["kinds/broken.toml"]["problem"]["problem"] == "unknown step 'nois'"
    assert detect_kind(server.project / "kinds" / "gone.toml") == "other"


def test_a_folder_with_too_many_files_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STUDIO_FILES", limits.STUDIO_FILES._replace(value=3))
    for number in range(4):
        (tmp_path / f"{number}.rules").touch()
    with pytest.raises(TooBig, match="number of files"):
        Project(tmp_path).list_files()


def test_changes_made_elsewhere_are_told_and_our_own_are_not(server: Server) -> None:
    with server.page() as page:

        def list_changes(path: str) -> list[str]:
            """Files of this test that were told of up to this one: other tests leave some too."""
            heard = list[str]()
            while path not in heard:
                head, _ = page.hear(5)
                assert (head["id"], head["kind"]) == (0, "changed")
                heard.append(head["path"])
            return [name for name in heard if name.startswith(("ours.", "theirs.", "unknown."))]

        page.answer("make", measures=[], **source(size=[9, 9]))
        server.post("/api/files/save", {"path": "ours.rules", "text": "one  . -> ,\n", "seen": ""})
        (server.project / "theirs.rules").write_text("one  , -> .\n")
        assert list_changes("theirs.rules") == ["theirs.rules"]
        (server.project / "theirs.rules").unlink()
        assert list_changes("theirs.rules") == ["theirs.rules"]
        (server.project / "unknown.suffix").write_text("x")
        (server.project / "theirs.toml").write_text("x")
        assert list_changes("theirs.toml") == ["theirs.toml"]


class Hearer:
    """A page that only listens."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def send(self, message: str) -> None:
        self.heard.append(json.loads(message)["path"])


def test_what_others_change_is_told_though_we_write_at_the_same_time(tmp_path: Path) -> None:
    async def main() -> None:
        studio, page = Studio(Project(tmp_path), None), Hearer()  # type: ignore[arg-type]
        studio.pages.add(page)  # type: ignore[arg-type]
        (tmp_path / "moss.rules").write_text("one  . -> ,\n")
        await studio._report_changes()
        assert page.heard.pop() == "moss.rules"
        for write in (
            lambda: studio.save("rules/ours.rules", "one  , -> .\n", ""),
            lambda: studio.save("rules\\too.rules", "one  , -> .\n", ""),
            lambda: studio.write_exported({"files": {"ours.txt": b"#"}, "exported": []}),
            lambda: studio.write_exported({"files": {"not known.py": b"#"}, "exported": []}),
        ):
            with (tmp_path / "moss.rules").open("a") as file:
                file.write("; by somebody else\n")
            await write()
            await studio._report_changes()
            assert page.heard == ["moss.rules"]
            page.heard.clear()

    asyncio.run(main())


def test_what_we_write_while_somebody_looks_is_no_news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studio_module, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(studio_module, "POLL_PAUSE_FACTOR", 0)
    begun, go_on = threading.Event(), threading.Event()

    class Slow(Project):
        looks = 0

        def list_times(self) -> dict[str, tuple[int, int]]:
            found = super().list_times()
            self.looks += 1
            if self.looks == 2:
                begun.set()
                go_on.wait(10)
            return found

    async def main() -> None:
        studio, page = Studio(Slow(tmp_path), None), Hearer()  # type: ignore[arg-type]
        studio.pages.add(page)  # type: ignore[arg-type]
        looking = asyncio.create_task(studio._watch_folder())
        await asyncio.to_thread(begun.wait, 10)
        saving = asyncio.create_task(studio.save("ours.rules", "one  . -> ,\n", ""))
        await asyncio.wait([saving], timeout=0.3)
        go_on.set()
        await saving
        (tmp_path / "theirs.rules").write_text("one  , -> .\n")
        while "theirs.rules" not in page.heard:
            await asyncio.sleep(0.01)
        assert page.heard == ["theirs.rules"]
        looking.cancel()

    asyncio.run(main())


def test_a_recipe_that_reads_a_file_is_made_anew_when_that_changes(server: Server, page: Page) -> None:
    (server.project / "reads.toml").write_text(
        "[[step]]\nuse = 'fill'\n\n[[step]]\nuse = 'rewrite'\nfile = 'reads.rules'\n"
    )
    (server.project / "reads.rules").write_text("all  # -> .\n")
    given = source(recipe={"path": "reads.toml"}, size=[6, 4])
    head, parts = page.answer("make", measures=[], **given)
    assert {head["palette"][code]["name"] for code in set(parts["tiles"].tolist())} == {"floor"}
    (server.project / "reads.rules").write_text("all  # -> ~\n")
    for _ in range(3):  # whichever worker it is
        head, parts = page.answer("make", measures=[], **given)
        assert {head["palette"][code]["name"] for code in set(parts["tiles"].tolist())} == {"water"}
    problem = page.problem(
        "make",
        measures=[],
        **source(recipe={"text": "[[step]]\nuse = 'rewrite'\nfile = '../x.rules'\n", "file": "x.toml"}),
    )
    assert "outside the folder" in problem["problem"]


def test_rules_are_applied_anew_when_only_a_colour_of_their_palette_changes(server: Server, page: Page) -> None:
    given = source(recipe={"path": "dyed.rules"}, size=[6, 4])
    for colour in ("#112233", "#445566"):
        (server.project / "dyed.toml").write_text(
            f"[[tile]]\nname = 'lawn'\nrole = 'floor'\nglyph = 'L'\ncolour = '{colour}'\n"
        )
        (server.project / "dyed.rules").write_text("palette dyed.toml\none  L -> L\n")
        for _ in range(3):  # whichever worker it is
            head, _ = page.answer("make", measures=[], **given)
            assert [tile["colour"] for tile in head["palette"]] == [colour]


NAMES = [
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "</script><script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "{{7*7}}",
    "${7}",
    "' OR 1=1",
    "\u202egnp",
    "&lt;b&gt;",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_from_files_come_through_as_data(server: Server, page: Page, name: str) -> None:
    """They are JSON in a body that no browser takes for a page; the page puts them in as text."""
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    text = f'about = "{quoted}"\ntags = ["{quoted}"]\n\n[param.x]\ndefault = 0.5\nabout = "{quoted}"\n\n'
    step = name if name.isprintable() else "noise"  # an id is one line that can be seen
    quoted_step = quoted if name.isprintable() else "noise"
    text += f'[[step]]\nuse = "noise"\nid = "{quoted_step}"\nwall = "$x"\n'
    (server.project / "evil.toml").write_text(text)
    _, told, _ = server.request("GET", "/api/hello", server.headers())
    assert (told["content-type"], told["x-content-type-options"]) == ("application/json", "nosniff")
    card = next(card for card in server.hello()["recipes"] if card.get("path") == "evil.toml")
    assert (card["about"], card["tags"], card["params"][0]["about"], card["text"]) == (name, [name], name, text)
    head, _ = page.answer("make", measures=[], **source(recipe={"path": "evil.toml"}, seed=name, size=[8, 5]))
    assert (head["steps"][0]["id"], head["seed"]) == (step, name)
    status, problem = server.post("/api/files/read", {"path": f"{name}.toml"})
    assert status in (400, 404)
    if status == 404:
        assert name in problem["problem"]
    head, _ = page.answer("recipe", text=f'[[step]]\nuse = "{quoted}"\n', file="x.toml")
    assert repr(name)[1:-1] in head["problems"][0]["problem"]
    (server.project / "evil.toml").unlink()


def test_values_of_any_kind_do_no_harm(server: Server) -> None:
    odd: list[Any] = [None, 0, -1, 1.5, True, [], {}, "", "x" * 100_000, [[[[]]]], {"path": {"path": {}}}]
    for value in odd:
        bodies = (
            {"path": value},
            {"path": "x.toml", "text": value, "seen": value},
            {**source(), "outputs": value},
            {"name": value, "data": value},
        )
        for path in (
            "/api/files/read",
            "/api/files/save",
            "/api/export",
            "/api/import",
            "/api/watch",
            "/api/save",
            "/api/layout",
        ):
            for body in (*bodies, {"data": value}):
                status, answer = server.post(path, body)
                assert 400 <= status < 500 or (status == 200 and path.startswith("/api/files/")), (path, body, answer)
                if status != 200:
                    assert answer["problem"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_file_whose_name_is_no_text_stops_nothing(server: Server) -> None:
    odd = os.fsencode(server.project) + b"/\xff.toml"
    with open(odd, "wb") as file:  # noqa: PTH123
        file.write(b"x")
    try:
        status, rows = server.post("/api/files/list", {})
        assert status == 200
        assert all("\udcff" not in row["path"] for row in rows)
    finally:
        os.unlink(odd)  # noqa: PTH108


SHEET = (
    '<tileset version="1.10" name="walls" tilewidth="16" tileheight="16" tilecount="3" columns="3">'
    '<tile id="1" type="{}"/><tile id="2" type="water"/></tileset>'
)
MAP = (
    '<map version="1.10" orientation="orthogonal" renderorder="right-down" '
    'width="4" height="3" tilewidth="16" tileheight="16" infinite="0">'
    '<tileset firstgid="5" source="sets/a.tsx"/>'
    '<layer id="1" name="a" width="4" height="3"><data encoding="csv">6,6,6,6,5,7,5,6,6,6,6,6</data></layer>'
    '<objectgroup id="2" name="o"><object id="1" template="chest.tx" x="4" y="20"/></objectgroup></map>'
)
CHEST = '<template><object type="{}"><point/></object></template>'


def test_a_map_of_the_project_is_the_one_that_the_library_loads_with_all_that_lies_beside_it(
    server: Server, page: Page
) -> None:
    maps = server.project / "maps"
    (maps / "sets").mkdir(parents=True)
    (maps / "m.tmx").write_text(MAP)

    def as_loaded() -> str:
        """For whichever worker it is."""
        level = uc.load(maps / "m.tmx")
        for _ in range(3):
            head, parts = page.answer("make", measures=[], **source(recipe={"path": "maps/m.tmx"}))
            assert np.array_equal(parts["tiles"].reshape(3, 4), level.tiles)
            assert [(thing["kind"], thing["at"]) for thing in head["things"]] == [
                (thing.kind, [thing.x, thing.y]) for thing in level.things
            ]
        return f"{level} {[thing.kind for thing in level.things]}"

    seen = [as_loaded()]
    for name, text in (
        ("sets/a.tsx", SHEET.format("wall")),
        ("sets/a.tsx", SHEET.format("pit")),
        ("chest.tx", CHEST.format("chest")),
        ("chest.tx", CHEST.format("bed")),
    ):
        (maps / name).write_text(text)
        seen.append(as_loaded())
    (maps / "sets/a.tsx").unlink()
    seen.append(as_loaded())
    assert len(set(seen)) == len(seen)
    (maps / "chest.tx").write_text("<template>")
    problem = page.problem("make", measures=[], **source(recipe={"path": "maps/m.tmx"}))
    assert (problem["problem"], problem["place"]["file"]) == ("this is not XML: no element found", "maps/chest.tx")
    with (maps / "chest.tx").open("wb") as file:
        file.truncate(1 << 40)
    assert page.problem("make", measures=[], **source(recipe={"path": "maps/m.tmx"}))["problem"].startswith(
        "maps/chest.tx: its size"
    )


def test_several_files_are_written_all_or_not_at_all(tmp_path: Path) -> None:
    project = Project(tmp_path)
    (tmp_path / "b.txt").mkdir()
    with pytest.raises(FileTrouble, match=r"^b\.txt: it is a folder") as caught:
        project.write_files({"a.txt": b"new", "b.txt": b"new"})
    assert str(tmp_path) not in str(caught.value)
    assert not (tmp_path / "a.txt").exists()
    project.write_files({"a.txt": b"new", "below/c.txt": b"new"})
    assert (tmp_path / "below" / "c.txt").read_bytes() == b"new"
