"""The shape of the house: who may import whom, open files, read the clock and print."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "undercroft"

ORDER = (
    ("errors",),
    ("limits",),
    ("inputs",),
    ("core",),
    ("kernels",),
    ("analysis",),
    ("rewrite", "templates", "things"),
    ("draw",),
    ("formats",),
    ("steps",),
    ("recipe",),
    ("bulk",),
    ("__init__",),
    ("studio", "cli"),
    ("__main__",),
)
"""A part may import only what stands before it; parts of one row not each other."""

RANK = {part: rank for rank, row in enumerate(ORDER) for part in row}
FREE = {"version"}
WHEN_CALLED = {("core/level.py", "formats"), ("__init__.py", "formats"), ("cli/studio_command.py", "studio")}
"""The listed exceptions: allowed inside a function, and nowhere else."""

SYSTEM = {"inputs", "bulk", "studio", "cli"}
CLOCK = {"bulk", "studio", "cli"}
TALK = {"cli", "studio", "__main__"}
CLOCKS = {"time", "datetime"}
FORBIDDEN = {"random", "secrets", "uuid", "pickle", "yaml"}
SYSTEM_MODULES = {"shutil", "tempfile", "subprocess", "socket", "urllib", "requests", "io.open"}
SYSTEM_CALLS = {
    "write_text",
    "write_bytes",
    "read_text",
    "read_bytes",
    "unlink",
    "mkdir",
    "rmdir",
    "touch",
    "rename",
    "symlink_to",
    "hardlink_to",
    "chmod",
}
SYSTEM_OF_OS = {"recipe/document.py": {"urandom"}, "kernels/__init__.py": {"environ"}}
BYTES_ONLY = {("formats/npz.py", "archive.open"), ("draw/scene/raster.py", "Image.open")}
"""Opens something that is in memory, no file."""
IMPORTING = {"importlib.import_module", "import_module", "__import__"}
BAD_NAMES = {"utils", "util", "common", "helpers", "helper", "base", "misc"}


def part_of(file: str) -> str:
    return Path(file).parts[0].removesuffix(".py")


def imported(tree: ast.Module, file: str) -> Iterator[tuple[str, int, bool]]:
    """Every module that is imported, with its line and whether it is inside a function."""
    inside = {
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
    }
    package = ["undercroft", *Path(file).parts[:-1]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, node in inside
        elif isinstance(node, ast.ImportFrom):
            base = (
                ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
                if node.level
                else str(node.module)
            )
            for alias in node.names:
                yield f"{base}.{alias.name}", node.lineno, node in inside
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in IMPORTING
            and node.args
            and isinstance(node.args[0], ast.Constant)
        ):
            yield str(node.args[0].value), node.lineno, node in inside


def faults(source: str, file: str) -> list[str]:
    """Everything in a source file that breaks a rule of the house."""
    tree = ast.parse(source)
    part = part_of(file)
    found = []
    if set(Path(file).with_suffix("").parts) & BAD_NAMES:
        found.append(f"{file}: a name that says nothing")
    for module, line, in_function in imported(tree, file):
        names = module.split(".")
        if names[0] == "undercroft":
            target = names[1] if len(names) > 1 and names[1] in RANK.keys() | FREE else "__init__"
            allowed = target in FREE or target == part or RANK[target] < RANK.get(part, -1)
            if not allowed and not (in_function and (file, target) in WHEN_CALLED):
                found.append(f"{file}:{line}: {part} imports {target}")
        if names[0] in FORBIDDEN or module.startswith("numpy.random"):
            found.append(f"{file}:{line}: imports {module}")
        if names[0] in CLOCKS and part not in CLOCK:
            found.append(f"{file}:{line}: reads the clock")
        if names[0] in SYSTEM_MODULES and part not in SYSTEM:
            found.append(f"{file}:{line}: touches the system by {module}")
    for node in ast.walk(tree):
        found += (
            [f"{file}:{node.lineno}: {what}" for what in touched(node, file, part)]
            if isinstance(node, ast.expr)
            else []
        )
    return found


def touched(node: ast.expr, file: str, part: str) -> Iterator[str]:
    """What an expression does to the world."""
    if isinstance(node, ast.Attribute):
        name = ast.unparse(node)
        if name.startswith("os.") and part not in SYSTEM and name.split(".")[1] not in SYSTEM_OF_OS.get(file, set()):
            yield f"touches the system by {name}"
        if name in {"np.random", "numpy.random"}:
            yield "draws from NumPy's generator"
        if name in {"sys.stdout", "sys.stderr"} and part not in TALK:
            yield f"talks by {name}"
    if not isinstance(node, ast.Call):
        return
    name = ast.unparse(node.func)
    last = name.rpartition(".")[2]
    opens = last == "open" or last in SYSTEM_CALLS
    if opens and part not in SYSTEM and (file, name) not in BYTES_ONLY:
        yield f"opens a file by {name}()"
    if last == "glob" and part not in SYSTEM | {"recipe"}:
        yield f"lists a folder by {name}()"
    if name in {"print", "input"} and part not in TALK:
        yield f"talks by {name}()"


FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("file", FILES)
def test_a_part_imports_only_what_stands_before_it(file: str) -> None:
    assert faults((PACKAGE / file).read_text(encoding="utf-8"), file) == []


def test_every_part_of_the_package_has_its_place() -> None:
    parts = {part_of(file) for file in FILES}
    assert len(FILES) > 30
    assert parts <= RANK.keys() | FREE


@pytest.mark.parametrize(
    ("file", "source", "fault"),
    [
        ("core/level.py", "from undercroft.formats import save", "core imports formats"),
        ("core/level.py", "def f():\n    import undercroft.steps", "core imports steps"),
        ("core/draft.py", "def f():\n    from undercroft import formats", "core imports formats"),
        ("core/draft.py", "from undercroft import generate", "core imports __init__"),
        ("core/draft.py", "import undercroft", "core imports __init__"),
        ("core/draft.py", "from ..steps import STEPS", "core imports steps"),
        ("core/draft.py", "from .. import recipe", "core imports recipe"),
        ("core/draft.py", "if x:\n    import undercroft.kernels.carve", "core imports kernels"),
        (
            "core/draft.py",
            "import importlib\nimportlib.import_module('undercroft.recipe.document')",
            "core imports recipe",
        ),
        ("errors.py", "from undercroft import limits", "errors imports limits"),
        ("inputs/files.py", "from undercroft.core import level", "inputs imports core"),
        ("rewrite/engine/engine.py", "from undercroft.templates.layouts import layout", "rewrite imports templates"),
        ("kernels/reach.py", "from undercroft.analysis import reach", "kernels imports analysis"),
        ("cli/main.py", "from undercroft.studio.server import app", "cli imports studio"),
        ("steps/fill.py", "import random", "imports random"),
        ("steps/fill.py", "from random import choice", "imports random"),
        ("steps/fill.py", "import numpy.random", "imports numpy.random"),
        ("steps/fill.py", "import numpy as np\nnp.random.default_rng()", "NumPy's generator"),
        ("bulk/pool.py", "import random", "imports random"),
        ("core/run.py", "from time import perf_counter", "reads the clock"),
        ("recipe/document.py", "def f():\n    import datetime", "reads the clock"),
        ("recipe/document.py", "import os\nos.listdir('.')", "touches the system by os.listdir"),
        ("recipe/document.py", "import shutil", "touches the system by shutil"),
        ("formats/text.py", "open('x')", "opens a file by open()"),
        ("formats/text.py", "from pathlib import Path\nPath('x').write_text('y')", "opens a file by"),
        ("formats/text.py", "Path('x').open('w')", "opens a file by"),
        ("formats/text.py", "Path('.').glob('*')", "lists a folder"),
        ("draw/terminal.py", "print('x')", "talks by print()"),
        ("draw/terminal.py", "import sys\nsys.stdout.write('x')", "talks by sys.stdout"),
        ("core/utils.py", "", "a name that says nothing"),
        ("helpers/x.py", "", "a name that says nothing"),
    ],
)
def test_the_watchman_sees(file: str, source: str, fault: str) -> None:
    assert any(fault in found for found in faults(source, file)), faults(source, file)


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("core/level.py", "def save():\n    from undercroft.formats import save"),
        (
            "core/level.py",
            (
                "from undercroft import limits\nfrom undercroft.core import drawing\n"
                "from undercroft.version import VERSION"
            ),
        ),
        ("cli/main.py", "import time\nprint(open('x').read())\nfrom undercroft.recipe.document import generate"),
        ("recipe/document.py", "import os\nos.urandom(8)\nFOLDER.glob('*.toml')"),
        ("steps/fill.py", "text.replace('a', 'b')"),
    ],
)
def test_the_watchman_lets_pass(file: str, source: str) -> None:
    assert faults(source, file) == []
