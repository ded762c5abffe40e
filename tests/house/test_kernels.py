"""How kernels share what several of them need: the generator and union-find stand in one place, and reach the build and
the source package.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tarfile
from fnmatch import fnmatch
from pathlib import Path

import pytest

from support.paths import ROOT

FOLDER = ROOT / "src" / "undercroft" / "kernels"
STAND_IN = "_primitives.py"
SHARED = {
    node.name
    for node in ast.parse((FOLDER / STAND_IN).read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef)
}
PCG_MULTIPLIER = 6364136223846793005


def is_root_search(node: ast.AST) -> bool:
    """Whether this is a loop `while parent[x] != x`, whatever the names are."""
    return (
        isinstance(node, ast.While)
        and isinstance(node.test, ast.Compare)
        and isinstance(left := node.test.left, ast.Subscript)
        and isinstance(node.test.ops[0], ast.NotEq)
        and ast.dump(left.slice) == ast.dump(node.test.comparators[0])
    )


def is_rotation(node: ast.AST) -> bool:
    """Whether this takes the highest five bits of a state: by so much PCG32 rotates its output."""
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.RShift)
        and isinstance(node.right, ast.Constant)
        and node.right.value == 59
    )


def is_rejection(node: ast.AST) -> bool:
    """Whether this is `(2^32 - bound) % bound`, the limit of Lemire's method."""
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mod)
        and any(
            isinstance(part, ast.BinOp)
            and isinstance(part.op, ast.Sub)
            and ast.dump(part.right) == ast.dump(node.right)
            for part in ast.walk(node.left)
        )
    )


def copies(source: str) -> list[str]:
    """What a kernel writes again although it could take it from the primitives.

    >>> copies("def draw(rng): ...")
    ['draw']
    >>> copies("while up[k] != k: k = up[k]")
    ['a search of a root']
    """
    tree = ast.parse(source)
    found = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in SHARED]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value == PCG_MULTIPLIER:
            found.append("the multiplier of PCG32")
        if is_root_search(node):
            found.append("a search of a root")
        if is_rotation(node):
            found.append("the output of PCG32")
        if is_rejection(node):
            found.append("the limit of a redraw")
    return found


def imports(source: str) -> dict[str, list[list[str]]]:
    """The names that a kernel imports of the primitives: compiled, and interpreted."""
    found: dict[str, list[list[str]]] = {"compiled": [], "interpreted": []}
    ways = {
        "cython.cimports.undercroft.kernels.primitives": "compiled",
        "undercroft.kernels._primitives": "interpreted",
    }
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module in ways:
            found[ways[node.module]].append([name.name for name in node.names])
    return found


KERNELS = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")) if path.name != STAND_IN}


def test_no_kernel_has_its_own_copy() -> None:
    assert len(KERNELS) > 20
    assert {name: found for name, source in KERNELS.items() if (found := copies(source))} == {}


def test_the_primitives_are_compiled_as_the_kernels_are() -> None:
    """Inline functions obey the first line of their own file, not that of the kernel that they are put into."""
    first_lines = {source.partition("\n")[0] for name, source in KERNELS.items() if not name.startswith("_")}
    assert first_lines == {(FOLDER / "primitives.pxd").read_text(encoding="utf-8").partition("\n")[0]}


def test_compiled_kernels_share_what_interpreted_ones_do() -> None:
    shared = {name: imports(source) for name, source in KERNELS.items()}
    assert {name for name, found in shared.items() if found["compiled"] != found["interpreted"]} == set()
    assert sum(bool(found["compiled"]) for found in shared.values()) > 10


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("def root(parent, label): ...", "root"),
        ("MULTIPLIER = cython.declare(cython.ulonglong, 6364136223846793005)", "the multiplier of PCG32"),
        ("def f(old):\n    turn: cython.uint = old >> 59", "the output of PCG32"),
        ("def f(bound):\n    least = ((MASK32 - bound) + 1) % bound", "the limit of a redraw"),
        ("def f(up, one):\n    while up[one] != one:\n        one = up[one]", "a search of a root"),
    ],
)
def test_a_copy_is_seen(source: str, fault: str) -> None:
    assert copies(source) == [fault]


@pytest.mark.parametrize(
    "source",
    [
        "class Engine:\n    def draw(self, stream):\n        return output(self.streams[stream])",
        "while labels[here] != label:\n    here += 1",
        "index = (total - k) % width",
    ],
)
def test_other_code_passes(source: str) -> None:
    assert copies(source) == []


def kernel_files() -> set[str]:
    """All that the kernels are built of."""
    return {path.relative_to(ROOT).as_posix() for ending in ("py", "pxd") for path in FOLDER.glob(f"*.{ending}")}


def test_make_builds_anew_when_any_of_it_changes() -> None:
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    (line,) = (line for line in lines if line.startswith("KERNELS :="))
    patterns = line.partition("$(wildcard ")[2].rstrip(")").split()
    assert {file for file in kernel_files() if not any(fnmatch(file, pattern) for pattern in patterns)} == set()


def test_the_source_package_has_it_all(tmp_path: Path) -> None:
    pytest.importorskip("setuptools", reason="setuptools is not installed: pip install setuptools")
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    package = tmp_path / "src" / "undercroft"
    shutil.copytree(FOLDER, package / "kernels", ignore=shutil.ignore_patterns("*.so", "*.c", "__pycache__"))
    for name in ("__init__.py", "version.py"):
        shutil.copy(FOLDER.parent / name, package)
    shutil.copy(ROOT / "src" / "undercroft_main.py", tmp_path / "src")
    done = subprocess.run(
        [sys.executable, "-c", "from setuptools.build_meta import build_sdist; build_sdist('out')"],
        cwd=tmp_path,
        env={**os.environ, "UNDERCROFT_NO_BUILD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (archive,) = (tmp_path / "out").glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        there = {name.partition("/")[2] for name in opened.getnames()}
    assert kernel_files() - there == set()


@pytest.mark.processes
def test_pytest_finds_their_examples_without_cython() -> None:
    """`make quick` names `src` first, before any test has imported a kernel."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "src/undercroft/kernels", "tests/core/test_rng.py"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert found.returncode == 0, found.stdout
