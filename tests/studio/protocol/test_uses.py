"""Before a file is deleted or renamed: which others name it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.studio_pages import Server
from undercroft.studio.protocol.project import Project
from undercroft.studio.protocol.uses import find_uses

HELD = {
    "base.toml": '[[step]]\nuse = "rewrite"\nfile = "rules/moss.rules"\n',
    "deep.toml": 'extends = "base.toml"\n[require]\nrooms = ">= 1"\n',
    "deeper/below.toml": 'extends = "../base.toml"\n[require]\nrooms = ">= 1"\n',
    "inline.toml": '[[step]]\nuse = "rewrite"\nrules = """\ninclude rules/moss.rules\n"""\n',
    "halls.toml": '[param.layouts]\ndefault = ["throne.layout"]\n\n[[step]]\nuse = "rooms"\nlayouts = "$layouts"\n',
    "lists.toml": '[[step]]\nuse = "rooms"\nlayouts = ["any", "throne.layout"]\n',
    "broken.toml": 'extends = "base.toml"\n[[step\n',
    "rules/moss.rules": "include walls.rules\npalette dyed.toml\none  . -> ,\n",
    "rules/walls.rules": "one  # -> .\n",
    "rules/dyed.toml": '[[tile]]\nname = "lawn"\n',
    "throne.layout": "layout throne\n",
    "saved/deep.work.json": '{"format":"undercroft-work/1",\n"recipe":"deep.toml"}\n',
    "saved/own.work.json": '{"format":"undercroft-work/1","recipe":"deeper/deep.toml",'
    '"text":"extends = \\"../base.toml\\""}',
    "saved/cave.work.json": '{"format":"undercroft-work/1","recipe":"cave"}',
    "saved/cut.work.json": '{"format":"undercroft-work/1","recipe":"deep.toml"',
    "other.json": '{"recipe":"deep.toml"}',
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Files that name each other."""
    project = Project(tmp_path)
    project.write_files({name: text.encode() for name, text in HELD.items()})
    return project


@pytest.mark.parametrize(
    ("name", "uses"),
    [
        ("base.toml", [("deep.toml", "extends"), ("deeper/below.toml", "extends"), ("saved/own.work.json", "extends")]),
        ("rules/moss.rules", [("base.toml", "file"), ("inline.toml", "include")]),
        ("rules/walls.rules", [("rules/moss.rules", "include")]),
        ("rules/dyed.toml", [("rules/moss.rules", "palette")]),
        ("throne.layout", [("halls.toml", "default"), ("lists.toml", "layouts")]),
        ("deep.toml", [("saved/deep.work.json", "recipe")]),
        ("deeper/deep.toml", []),
        ("none.toml", []),
    ],
)
def test_the_files_that_name_another_are_found(project: Project, name: str, uses: list[tuple[str, str]]) -> None:
    assert [(use["path"], use["by"]) for use in find_uses(project, name)] == uses


def test_the_page_can_ask(server: Server) -> None:
    (server.project / "used.rules").write_text("one  . -> ,\n")
    (server.project / "uses.toml").write_text('[[step]]\nuse = "rewrite"\nfile = "used.rules"\n')
    assert server.post("/api/files/uses", {"path": "used.rules"}) == (200, [{"path": "uses.toml", "by": "file"}])
    assert server.post("/api/files/uses", {"path": "../used.rules"})[0] == 400
