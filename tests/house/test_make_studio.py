"""`make studio` without Node.js: a sentence before anything is compiled, unless the page is built already."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support.paths import ROOT

PROGRAMS = ("sh", "make", "find", "getconf", "grep", "sed", "expand", "printf")
PAGE = "src/undercroft/studio/static/built"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What `make` looks at of a checkout, and a PATH with as little as it needs: neither Python nor Node.js."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        pytest.skip(f"there is no {missing[0]} here")
    (tmp_path / "bin").mkdir()
    for name in PROGRAMS:
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    folder = tmp_path / "checkout"
    folder.mkdir()
    shutil.copy(ROOT / "Makefile", folder)
    for name in ("package.json", "package-lock.json", "index.html", "build.mjs"):
        (folder / "studio").mkdir(exist_ok=True)
        shutil.copy(ROOT / "studio" / name, folder / "studio")
    return folder


def make(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(checkout.parent / "bin"), "HOME": str(checkout)}
    return subprocess.run(
        ["make", *words, "PYTHON=no-python"], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("target", ["studio", "studio-page"])
def test_the_message_comes_first_and_says_what_works_without(checkout: Path, target: str) -> None:
    done = make(checkout, target)
    assert done.returncode == 2
    assert "needs Node.js 20 or newer with npm: https://nodejs.org" in done.stderr
    assert "everything but the studio works without: say make demo" in done.stderr
    assert "no-python" not in done.stderr, "nothing was begun"
    assert not (checkout / ".venv").exists()


def test_a_page_that_is_built_needs_no_node(checkout: Path) -> None:
    built = checkout / PAGE
    built.parent.mkdir(parents=True)
    built.write_text("")
    os.utime(built, (2_000_000_000, 2_000_000_000))
    assert make(checkout, "studio-page").returncode == 0
    assert "no-python" in make(checkout, "studio").stderr, "it goes on to the environment"
    os.utime(built, (1_000_000_000, 1_000_000_000))  # older than its sources
    assert "Node.js" in make(checkout, "studio").stderr


@pytest.mark.parametrize(("major", "is_enough"), [(18, False), (20, True), (24, True)])
def test_node_itself_tells_its_version(checkout: Path, major: int, is_enough: bool) -> None:
    """The check is run by a real Node.js that is told another version."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node.js here")
    programs = checkout.parent / "bin"
    old = f"Object.defineProperty(process, 'versions', {{value: {{node: '{major}.1.0'}}}});"
    (programs / "node").write_text(f'#!/bin/sh\nexec {node} -e "{old} $2"\n')
    (programs / "npm").write_text("#!/bin/sh\nexit 1\n")
    for name in ("node", "npm"):
        (programs / name).chmod(0o755)
    done = make(checkout, "has-node")
    assert (done.returncode == 0) == is_enough
    assert ("needs Node.js 20" in done.stderr) != is_enough
