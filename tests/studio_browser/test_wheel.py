"""The wheel has the page in it, if it was built; without it the studio does not begin, and says what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from support.paths import ROOT
from support.studio_pages import Server

PACKED = "undercroft/studio/static/"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Callable[[bool], Path]:
    """Builds a wheel of a copy of the checkout, without compiling: with the page, or as on a machine without
    Node.js.
    """
    pytest.importorskip("setuptools", reason="setuptools is not installed: pip install setuptools")

    def make(page: bool) -> Path:
        copy = tmp_path_factory.mktemp("checkout")
        for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        shutil.copytree(
            ROOT / "src",
            copy / "src",
            ignore=shutil.ignore_patterns("*.so", "*.c", "__pycache__", "static", "*.egg-info"),
        )
        if page:
            shutil.copytree(built, copy / "src" / "undercroft" / "studio" / "static")
        words = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            "out",
            ".",
        ]
        done = subprocess.run(
            words, cwd=copy, env={**os.environ, "UNDERCROFT_NO_BUILD": "1"}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        (found,) = (copy / "out").glob("*.whl")
        return found

    return make


def test_a_wheel_holds_the_page(wheel: Callable[[bool], Path], built: Path) -> None:
    with zipfile.ZipFile(wheel(True)) as packed:
        held = {name.removeprefix(PACKED): packed.read(name) for name in packed.namelist() if name.startswith(PACKED)}
    wanted = {path.relative_to(built).as_posix(): path.read_bytes() for path in built.rglob("*") if path.is_file()}
    assert held == wanted
    assert {"index.html", "page.js", "style.css"} <= set(held)
    assert b"__NONCE__" in held["index.html"]


def test_a_source_package_holds_the_page(built: Path, tmp_path: Path) -> None:
    """So whoever installs from it needs no Node.js."""
    pytest.importorskip("setuptools", reason="setuptools is not installed: pip install setuptools")
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    package = tmp_path / "src" / "undercroft"
    package.mkdir(parents=True)
    for name in ("__init__.py", "version.py"):
        shutil.copy(ROOT / "src" / "undercroft" / name, package)
    shutil.copy(ROOT / "src" / "undercroft_main.py", tmp_path / "src")
    shutil.copytree(built, package / "studio" / "static")
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "sdist"],
        cwd=tmp_path,
        env={**os.environ, "UNDERCROFT_NO_BUILD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (found,) = (tmp_path / "dist").glob("*.tar.gz")
    with tarfile.open(found) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    wanted = {f"src/{PACKED}{path.relative_to(built).as_posix()}" for path in built.rglob("*") if path.is_file()}
    assert wanted <= names


def test_a_wheel_without_the_page_says_so(
    wheel: Callable[[bool], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, project = tmp_path / "site", tmp_path / "project"
    project.mkdir()
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--target",
        str(site),
        str(wheel(False)),
    ]
    subprocess.run(install, check=True, capture_output=True)
    assert (site / "undercroft" / "studio" / "server" / "app.py").exists()
    assert not (site / "undercroft" / "studio" / "static").exists()
    monkeypatch.setenv("PYTHONPATH", str(site))
    words = [sys.executable, "-m", "undercroft", "studio", "--no-browser", "--project", str(project)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "undercroft: the studio's page is not built\n"
        "  fix: in a checkout say make studio, or make studio-page before pip install; or install a wheel\n"
    )
    with Server(project) as server:  # with a page from elsewhere
        assert server.hello()["recipes"], "all but the page works"
        assert server.stop() == (0, "")
