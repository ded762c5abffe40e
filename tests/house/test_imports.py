"""The shape of the house: who may import whom, open files, read the clock and print, and how folders are filled.

A module that is named in a string counts as imported there: tables of formats, styles, commands and jobs name modules
in full, so that they are seen.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "undercroft"

ORDER = (
    ("deprecation", "wording"),
    ("errors",),
    ("limits",),
    ("plugins",),
    ("inputs",),
    ("core",),
    ("kernels",),
    ("analysis",),
    ("rewrite", "templates", "things", "flows"),
    ("draw",),
    ("formats",),
    ("steps",),
    ("registration",),
    ("recipe",),
    ("works",),
    ("bulk",),
    ("__init__",),
    ("studio", "cli"),
    ("__main__",),
)
"""A part may import only what stands before it; parts of one row not each other."""

INNER_ORDER = {
    "analysis": (("regions",), ("solver",), ("measures",)),
    "rewrite": (("model",), ("engine", "text"), ("grammar",), ("explain",), ("lint",)),
    "templates": (("layouts", "prefabs"),),
    "draw": (
        ("scene", "autotile"),
        ("pen", "tileset"),
        ("view",),
        ("styles",),
        ("film", "sheets", "plots"),
    ),
    "draw/styles": (("plain", "ink", "blueprint", "pixels"), ("dark", "parchment", "printed")),
    "formats": (
        ("shared",),
        ("native",),
        ("tiled", "ldtk", "godot", "models", "tabletop", "rexpaint", "foreign", "graphs"),
        ("dungeons",),
    ),
    "steps": (
        ("start", "caves", "facts", "finish", "furnish"),
        ("rooms", "locks"),
        ("mazes", "links", "grids"),
    ),
    "recipe": (("dungeon",),),
    "bulk": (("workers",), ("measure",), ("search",), ("batch",), ("report",)),
    "bulk/batch": (("dask",),),
    "studio": (("protocol",), ("jobs",), ("server",)),
    "cli": (("options",), ("output",), ("many_levels", "dungeons"), ("commands",)),
}
"""The same for the sub-packages of a part. Modules that stand beside them may be anywhere in the order, as long as no
import leads in a circle.
"""
MOST_MODULES = 24
"""Modules in one folder."""
MOST_RELATIVES = 2
"""Modules called `name_...` beside a module `name`: more of them are a package."""
ANY_NUMBER = {"kernels"}
ACTS_AT_IMPORT = {"kernels/__init__.py"}
"""It puts plain modules in the place of those that are not compiled, before anybody can import one."""

RANK = {part: rank for rank, row in enumerate(ORDER) for part in row}
FREE = {"version"}
WHEN_CALLED = {
    ("core/level.py", "formats"),
    ("core/flow.py", "flows"),
    ("core/dungeon.py", "formats"),
    ("core/dungeon.py", "bulk/make_dungeon"),
    ("core/dungeon.py", "recipe/dungeon"),
    ("__init__.py", "formats"),
    ("cli/commands/studio.py", "studio"),
    ("bulk/batch/reader.py", "bulk/report"),
    ("bulk/__init__.py", "bulk/worker_main"),
    ("core/tcod_arrays.py", "core/level"),
    ("recipe/ends.py", "recipe/document"),
    ("recipe/extends.py", "recipe/document"),
    ("recipe/request.py", "recipe/document"),
    ("recipe/request.py", "recipe/then"),
    ("errors.py", "core/level"),
}
"""The listed exceptions: allowed inside a function, for types or in a string, and nowhere else. A worker process starts
the entry module that `bulk` names, and that module names the jobs.
"""

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
SYSTEM_OF_OS = {"recipe/run.py": {"urandom"}, "kernels/__init__.py": {"environ"}}
BYTES_ONLY = {("formats/npz.py", "archive.open"), ("draw/scene/raster.py", "Image.open")}
"""Opens something that is in memory, no file."""
OUR_READERS = {"files.read_text", "files.read_bytes"}
"""Those of `inputs`, which check what they read: anybody may call them."""
BAD_NAMES = {"utils", "util", "common", "helpers", "helper", "base", "misc"}


class Import(NamedTuple):
    """A module that a file imports or names."""

    module: str
    line: int
    late: bool
    """Whether it is imported inside a function, for types only, or named in a string."""


NAMED = re.compile(r"undercroft(\.[A-Za-z_]\w*)+\.?")


def part_of(file: str) -> str:
    return Path(file).parts[0].removesuffix(".py")


def imported(tree: ast.Module, file: str) -> Iterator[Import]:
    """Every module that is imported or named."""
    late = {
        node
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        or (isinstance(outer, ast.If) and ast.unparse(outer.test) == "TYPE_CHECKING")
        for node in ast.walk(outer)
    }
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    package = ["undercroft", *Path(file).parts[:-1]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, node in late)
        elif isinstance(node, ast.ImportFrom):
            base = (
                ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
                if node.level
                else str(node.module)
            )
            for alias in node.names:
                yield Import(f"{base}.{alias.name}", node.lineno, node in late)
        elif (
            isinstance(node, ast.Constant)
            and node not in docstrings
            and isinstance(node.value, str)
            and NAMED.fullmatch(node.value)
            and node.value.split(".")[1] in RANK
        ):
            yield Import(node.value.rstrip("."), node.lineno, late=True)


def place_of(module: str) -> tuple[str, ...]:
    """Where a module of ours stands: the folders and the file's stem. Names inside a module are left out."""
    names = module.split(".")[1:]
    found: list[str] = []
    for name in names:
        if not ((PACKAGE.joinpath(*found, name)).is_dir() or PACKAGE.joinpath(*found, f"{name}.py").is_file()):
            break
        found.append(name)
    return tuple(found)


def inner_faults(file: str, target: tuple[str, ...]) -> Iterator[str]:
    """Sub-packages that import what does not stand before them."""
    here = Path(file).with_suffix("").parts
    for depth in range(1, min(len(here), len(target))):
        folder, mine, other = "/".join(here[:depth]), here[depth], target[depth]
        if here[:depth] != target[:depth] or mine == other:
            continue
        ranks = {name: rank for rank, row in enumerate(INNER_ORDER.get(folder, ())) for name in row}
        if mine in ranks and other in ranks and ranks[other] >= ranks[mine]:
            yield f"{folder}/{mine} imports {folder}/{other}"


def is_listed(file: str, target: tuple[str, ...]) -> bool:
    return any(("/".join(target[:depth]), file) == (to, by) for by, to in WHEN_CALLED for depth in (1, 2))


def faults(source: str, file: str) -> list[str]:
    """Everything in a source file that breaks a rule of the house."""
    tree = ast.parse(source)
    part = part_of(file)
    found = []
    if set(Path(file).with_suffix("").parts) & BAD_NAMES:
        found.append(f"{file}: a name that says nothing")
    for module, line, late in imported(tree, file):
        names = module.split(".")
        if names[0] == "undercroft":
            target = names[1] if len(names) > 1 and names[1] in RANK.keys() | FREE else "__init__"
            allowed = target in FREE or target == part or RANK[target] < RANK.get(part, -1)
            place = place_of(module)
            listed = late and is_listed(file, place)
            if not allowed and not listed:
                found.append(f"{file}:{line}: {part} imports {target}")
            if not listed:
                found += [f"{file}:{line}: {fault}" for fault in inner_faults(file, place)]
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
    if file not in ACTS_AT_IMPORT:
        found += [f"{file}:{line}: registers something when it is imported" for line in registrations(tree)]
    return found


def registrations(tree: ast.Module) -> Iterator[int]:
    """Lines at which a module changes what it imported, or calls something for its effect, by being imported."""
    brought = {
        (alias.asname or alias.name).split(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    for node in tree.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node.lineno
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in targets:
            if isinstance(target, ast.Subscript | ast.Attribute):
                name: ast.expr = target
                while isinstance(name, ast.Subscript | ast.Attribute):
                    name = name.value
                if isinstance(name, ast.Name) and name.id in brought:
                    yield node.lineno


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
    if opens and part not in SYSTEM and name not in OUR_READERS and (file, name) not in BYTES_ONLY:
        yield f"opens a file by {name}()"
    if last == "glob" and part not in SYSTEM | {"recipe", "kernels"}:
        yield f"lists a folder by {name}()"
    if name in {"print", "input"} and part not in TALK:
        yield f"talks by {name}()"


FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


@cache
def source_of(file: str) -> str:
    return (PACKAGE / file).read_text(encoding="utf-8")


@cache
def imports_of(file: str) -> tuple[Import, ...]:
    return tuple(imported(ast.parse(source_of(file)), file))


def test_no_file_breaks_a_rule_of_the_house() -> None:
    assert len(FILES) > 500
    assert [fault for file in FILES for fault in faults(source_of(file), file)] == []


def test_every_part_of_the_package_has_its_place() -> None:
    assert {part_of(file) for file in FILES} <= RANK.keys() | FREE


def folders() -> dict[str, list[str]]:
    """The modules of each folder, by their stems; the front of a package is none."""
    found: dict[str, list[str]] = {}
    for file in FILES:
        path = Path(file)
        found.setdefault(path.parent.as_posix(), []).extend([path.stem] * (path.stem != "__init__"))
    return found


def crowded(modules: Sequence[str]) -> list[str]:
    """What is wrong with a folder of these modules."""
    families = [name for name in modules if sum(other.startswith(f"{name}_") for other in modules) > MOST_RELATIVES]
    return [f"{len(modules)} modules"] * (len(modules) > MOST_MODULES) + [
        f"a flat family {name}_*" for name in families
    ]


def test_no_folder_is_crowded() -> None:
    found = {folder: crowded(modules) for folder, modules in folders().items() if folder not in ANY_NUMBER}
    assert {folder: faults for folder, faults in found.items() if faults} == {}


def test_crowded_folders_are_seen() -> None:
    assert crowded([f"m{number}" for number in range(25)]) == ["25 modules"]
    assert crowded(["tiled", "tiled_xml", "tiled_json", "tiled_map"]) == ["a flat family tiled_*"]
    assert crowded(["tiled", "tiled_xml", "tiled_json", "layers"]) == []


def test_every_sub_package_has_its_place() -> None:
    """A folder with packages in it is listed with all of them."""
    inside: dict[str, set[str]] = {}
    for folder in folders():
        if folder.count("/") >= 1:
            above, _, name = folder.rpartition("/")
            inside.setdefault(above, set()).add(name)
    assert inside == {folder: {name for row in rows for name in row} for folder, rows in INNER_ORDER.items()}


def circles(edges: dict[str, set[str]]) -> list[str]:
    """A circle among these, if there is one."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("folder", INNER_ORDER)
def test_imports_between_packages_and_the_modules_beside_them_lead_in_no_circle(folder: str) -> None:
    depth = folder.count("/") + 1
    edges: dict[str, set[str]] = {}
    for file in FILES:
        here = Path(file).with_suffix("").parts
        if "/".join(here[:depth]) != folder or here[depth] == "__init__":
            continue
        for module, _, late in imports_of(file):
            target = place_of(module) if module.startswith("undercroft.") else ()
            inside = "/".join(target[:depth]) == folder and len(target) > depth and target[depth] != here[depth]
            if inside and not (late and is_listed(file, target)):
                edges.setdefault(here[depth], set()).add(target[depth])
    assert edges
    assert circles(edges) == []


def test_circles_are_seen() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert not circles({"a": {"b"}, "b": {"c"}, "d": {"a"}})


def test_modules_that_are_named_in_strings_are_there() -> None:
    missing = [
        (file, module)
        for file in FILES
        for module, _, _ in imports_of(file)
        if NAMED.fullmatch(module) and len(place_of(module)) < len(module.split(".")) - 2
    ]
    assert missing == []
    tables = {file for file in FILES if '"undercroft.' in source_of(file)}
    assert tables >= {
        "__init__.py",
        "formats/table.py",
        "draw/styles/table.py",
        "bulk/worker_main.py",
        "studio/worker_main.py",
        "studio/jobs/work.py",
    }


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
        ("steps/fill.py", "from undercroft.steps import STEPS\nSTEPS['x'] = 1", "registers something"),
        ("steps/fill.py", "from undercroft.steps import STEPS\nSTEPS.update(x=1)", "registers something"),
        ("draw/pen/noise.py", "from undercroft.draw.view import page", "draw/pen imports draw/view"),
        ("draw/pen/noise.py", "X = 'undercroft.draw.view.page'", "draw/pen imports draw/view"),
        ("draw/view/page.py", "X = 'undercroft.formats.table'", "draw imports formats"),
        ("core/draft.py", "def f(name):\n    import_module(f'undercroft.formats.{name}')", "core imports formats"),
        (
            "bulk/batch/reader.py",
            "from undercroft.bulk.report.report import build_report",
            "bulk/batch imports bulk/report",
        ),
        (
            "bulk/batch/batch.py",
            "def f():\n    from undercroft.bulk.report import report",
            "bulk/batch imports bulk/report",
        ),
        (
            "draw/styles/ink/ink.py",
            "from undercroft.draw.styles.dark import dark",
            "styles/ink imports draw/styles/dark",
        ),
        ("core/utils.py", "", "a name that says nothing"),
        ("helpers/x.py", "", "a name that says nothing"),
    ],
)
def test_a_broken_rule_is_reported(file: str, source: str, fault: str) -> None:
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
        ("cli/main.py", "import time\nfrom undercroft.recipe import generate\nx = print(open('x').read())"),
        ("recipe/run.py", "import os\nx = os.urandom(8), FOLDER.glob('*.toml')"),
        ("steps/fill.py", "x = text.replace('a', 'b')"),
        ("steps/start/fill.py", "from undercroft.errors import BadInput\nTABLE = {}\nTABLE['a'] = 1"),
        ("draw/view/page.py", "from undercroft.draw.pen import noise"),
        ("bulk/batch/reader.py", "def f():\n    from undercroft.bulk.report.report import build_report"),
        ("formats/table.py", "ROWS = ['undercroft.formats.tiled.tmx']"),
    ],
)
def test_what_is_allowed_passes(file: str, source: str) -> None:
    assert faults(source, file) == []
