"""What things are called: a function by what it does or returns, a constant by what it limits, a class by one thing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "undercroft"
OTHER_FOLDERS = ("tests", "docs", "benchmarks", "examples")
"""What is not shipped: there, too, functions say what they do. Constants of tests need less."""

PARTICIPLES = {
    "asked", "begun", "called", "chosen", "counted", "drawn", "found", "given", "held", "kept", "laid", "listed",
    "looked", "made", "named", "numbered", "placed", "said", "seen", "shown", "taken", "told", "wanted", "written",
}  # fmt: skip
"""Alone they say neither what is done nor what is returned. `rounded` does: it takes a thing and returns it changed."""

VAGUE = {
    "ALONE", "BESIDE", "ENOUGH", "EVERY", "FAR", "FEW", "FINE", "FULL", "HIGH", "KEPT", "LARGE", "LARGEST", "LONG",
    "LONGEST", "MANY", "MOST", "NEAR", "PATIENCE", "SHORT", "SHOWN", "SMALL", "SMALLEST", "TOGETHER", "USUAL",
    "WAITING", "WIDE", "WIDEST",
}  # fmt: skip
"""Constants that do not say what they hold or limit: `MAX_LABELS` does."""

ALLOWED: dict[str, str] = {}
"""Names that stay although they are refused, and why: `path:name`."""

TWICE: dict[str, str] = {}
"""Classes of one name, and why there are several."""


def functions(tree: ast.Module) -> Iterator[str]:
    """The names of all functions and methods, private ones too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def constants(tree: ast.Module) -> Iterator[str]:
    """The names that a module binds to values, private ones too."""
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name))


def refused(source: str) -> list[str]:
    """The names in a module that say too little.

    >>> refused("MOST = 3\\ndef told(): ...\\ndef rounded(): ...")
    ['told', 'MOST']
    """
    tree = ast.parse(source)
    return [
        *(name for name in functions(tree) if name.lstrip("_") in PARTICIPLES),
        *(name for name in constants(tree) if name.lstrip("_") in VAGUE),
    ]


MODULES = {str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}


def test_names_say_what_they_mean() -> None:
    found = {f"{path}:{name}" for path, source in MODULES.items() for name in refused(source)}
    assert sorted(found - set(ALLOWED)) == []
    assert sorted(set(ALLOWED) - found) == [], "these are gone: take them off the list"


@pytest.mark.parametrize("folder", OTHER_FOLDERS)
def test_helpers_of_tests_and_docs_say_what_they_do(folder: str) -> None:
    files = [path for path in sorted((ROOT / folder).rglob("*.py")) if "node_modules" not in path.parts]
    found = [
        f"{path.relative_to(ROOT)}:{name}"
        for path in files
        for name in functions(ast.parse(path.read_text(encoding="utf-8")))
        if name.lstrip("_") in PARTICIPLES
    ]
    assert files
    assert found == []


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("class A:\n    def drawn(self): ...", ["drawn"]),
        ("class A:\n    async def told(self): ...", ["told"]),
        ("FEW, parts = 1, 2\n_MOST: int = 4", ["FEW", "_MOST"]),
        ("MAX_LABELS = 3\ndef scaled(): ...\ndef draw_rock(): ...", []),
        ("def _said(): ...", ["_said"]),
    ],
)
def test_such_names_are_seen(source: str, names: list[str]) -> None:
    assert refused(source) == names


def test_a_class_name_means_one_thing() -> None:
    places = defaultdict(list)
    for path, source in MODULES.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path)
    assert {name: found for name, found in places.items() if len(found) > 1 and name not in TWICE} == {}
    assert sorted(name for name in TWICE if len(places[name]) < 2) == [], "these are gone: take them off the list"


PLURAL = re.compile(
    r"[\"'](\w+)[\"'] if [^{}\n]*== 1 else [\"']\1s[\"']|[\"']s[\"'] (?:\*|if [^{}\n]*1)|1 else [\"']s[\"']"
)
"""A count with its noun, written by hand: `wording.plural` does that."""


def test_counts_are_worded_in_one_place() -> None:
    assert [path for path, source in MODULES.items() if PLURAL.search(source)] == []
    for example in (
        "{'level' if count == 1 else 'levels'}",
        "level{'s' * (count != 1)}",
        "level{'s' if count > 1 else ''}",
    ):
        assert PLURAL.search(example)


OWN_DUMPS = {
    "bulk/batch/directory.py": "manifest.json is written with blanks after commas",
    "bulk/batch/request.py": "the digest of a request is taken of ASCII text with sorted keys",
    "bulk/batch/request_difference.py": "values are compared as the digest sees them, with sorted keys",
    "bulk/measure/measured_files.py": "a file is written piece by piece",
    "bulk/report/times.py": "an attribute of a page is ASCII",
    "formats/graphs/graphml.py": "one character, escaped",
    "templates/layouts/cozy_json.py": "the files of another program, as that writes them",
    "templates/layouts/growth.py": "a text in quotes, in a language of our own",
    "studio/server/guard.py": "answers before anything else is imported",
    "studio/jobs/layouts.py": "text that is parsed at once",
    "inputs/json.py": "the owner",
}
"""Modules that call `json.dumps` themselves, and why."""


def test_json_is_written_in_one_place() -> None:
    assert sorted(path for path, source in MODULES.items() if "json.dumps" in source) == sorted(OWN_DUMPS)
