"""The files that a request names as parameters lie in the project, and are read anew when they change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.paths import ROOT
from support.studio_pages import Page, Server, source

LAYOUTS = ROOT / "src" / "undercroft" / "shipped" / "layouts"
BSP = (ROOT / "src" / "undercroft" / "shipped" / "recipes" / "bsp.toml").read_text()


def ask(layouts: list[str], recipe: dict[str, Any] | None = None) -> dict[str, Any]:
    return {**source("bsp"), **({"recipe": recipe} if recipe else {}), "params": {"layouts": layouts}, "measures": []}


@pytest.mark.parametrize("recipe", [{"name": "bsp"}, {"text": BSP, "file": "bsp.toml"}], ids=["named", "edited"])
def test_a_request_reads_no_file_outside_the_project(page: Page, server: Server, recipe: dict[str, Any]) -> None:
    secret = server.project.parent / "secret.layout"
    secret.write_text("hunter2\n")
    link = server.project / "link.layout"
    link.unlink(missing_ok=True)
    link.symlink_to(secret)
    for name in (str(secret), "../secret.layout", "link.layout"):
        problem = page.problem("make", **ask([name], recipe))
        assert "lies outside the folder" in problem["problem"]
        assert "hunter2" not in str(problem)
        exported = page.problem(
            "export", outputs=[{"format": "json", "path": "x.json", "options": {}}], **ask([name], recipe)
        )
        assert "hunter2" not in str(exported)


def test_a_file_of_the_project_is_read_and_read_again(page: Page, server: Server) -> None:
    file = server.project / "rooms.layout"

    def tiles() -> np.ndarray[Any, Any]:
        found: np.ndarray[Any, Any] = page.answer("make", **ask(["rooms.layout"]))[1]["tiles"]
        return found.copy()

    file.write_text((LAYOUTS / "apse.layout").read_text())
    first = tiles()
    assert np.array_equal(tiles(), first)
    file.write_text((LAYOUTS / "bastion.layout").read_text())
    assert not np.array_equal(tiles(), first)


def test_the_path_of_the_project_does_not_get_into_the_level(page: Page, server: Server) -> None:
    Path(server.project, "own.layout").write_text((LAYOUTS / "apse.layout").read_text())
    head, _ = page.answer("make", **ask(["own.layout"]))
    assert str(server.project) not in str(head)
