"""Every cap stands in the table of limits: what refuses something by its size reads the size there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from undercroft.cli import undercroft
from undercroft.limits import LIMITS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "undercroft"

RANGE_CHECKS = ("integer", "read_integer", "parse_number", "IntRange")
"""Functions that refuse a number beyond their last argument."""

NO_CAPS = {
    ("bulk/batch/dask/connection.py", "MAX_SECONDS_WITHOUT_WORKERS"): "how long to wait for other machines",
    ("bulk/workers/pool.py", "MAX_FAILED_STARTS"): "how many failures of the system are tolerated",
    ("formats/foreign/donjon.py", "MAX_UINT32"): "the range of a type: cells are 32 bits",
    ("studio/server/lanes.py", "MAX_SEED_DIGITS"): "the range of a type: seeds are 64 bits",
}
"""Constants that stay in their modules though something is refused because of them, and what they are."""


def list_refusing_constants(source: str) -> Iterator[str]:
    """The names of constants called MAX_... by which a module refuses something: an `if` that raises, or returns just
    before a `raise`, and calls that check a range.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _last_name(node.func) in RANGE_CHECKS:
            for argument in node.args:
                yield from _constants(argument)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            for index, statement in enumerate(block):
                if isinstance(statement, ast.If) and _raises(statement, block[index + 1 : index + 2]):
                    yield from _constants(statement.test)


def _raises(statement: ast.If, after: list[ast.stmt]) -> bool:
    inside = any(isinstance(node, ast.Raise) for part in statement.body + statement.orelse for node in ast.walk(part))
    returns = isinstance(statement.body[-1], ast.Return) and not statement.orelse
    return inside or (returns and any(isinstance(node, ast.Raise) for node in after))


def _constants(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if _last_name(part).lstrip("_").startswith("MAX_"):
            yield _last_name(part)


def _last_name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def list_modules() -> Iterator[tuple[str, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if path != PACKAGE / "limits.py":
            yield path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")


def test_no_module_keeps_a_cap_of_its_own() -> None:
    found = {(module, name) for module, source in list_modules() for name in list_refusing_constants(source)}
    assert sorted(found - NO_CAPS.keys()) == [], "move them to limits.py, or say in NO_CAPS why they are no caps"
    assert sorted(NO_CAPS.keys() - found) == [], "take them out of NO_CAPS"


def test_limits_are_made_in_their_table_only() -> None:
    makers = [
        module
        for module, source in list_modules()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and _last_name(node.func) == "Limit"
    ]
    assert makers == []


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("if size > MAX_SIZE:\n    raise E", ["MAX_SIZE"]),
        ("def f():\n    if size <= _MAX_SIZE:\n        return size\n    raise E", ["_MAX_SIZE"]),
        ("if ok:\n    pass\nelif size > table.MAX_SIZE:\n    raise E", ["MAX_SIZE"]),
        ("value.key('size').integer(1, MAX_SIZE)", ["MAX_SIZE"]),
        ("type = click.IntRange(1, MAX_SIZE)", ["MAX_SIZE"]),
        ("if size > limits.SIDE.value:\n    raise E", []),
        ("if size > MAX_SIZE:\n    size = MAX_SIZE", []),
        ("names = names[:MAX_NAMES]", []),
    ],
)
def test_what_counts_as_a_refusal(source: str, names: list[str]) -> None:
    assert sorted(set(list_refusing_constants(source))) == names


def test_both_lists_show_every_limit() -> None:
    assert len({limit.name for limit in LIMITS}) == len(LIMITS)
    shown = CliRunner().invoke(undercroft, ["list", "limits"]).output
    page = (ROOT / "docs" / "reference" / "limits.md").read_text(encoding="utf-8")
    rows = page.splitlines()
    for limit in LIMITS:
        row = f"| {limit.name} | {limit.value:,} | {limit.reason} | {limit.raise_by} |"
        assert row in rows
        assert f"{limit.name} " in shown
        assert f"{limit.value:,}" in shown
