"""Packages for tests: written as an installer leaves them, without a network."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from support.paths import ROOT
from undercroft.registration import part_tables

EXAMPLE = ROOT / "examples" / "plugin"
RECIPE = EXAMPLE / "mirrored-cave.toml"


def write_package(
    site: Path, name: str, version: str, entries: Mapping[str, Mapping[str, str]], modules: Mapping[str, str]
) -> None:
    """Write modules, and the metadata of a package with entry points by kind (step, measure, format or style)."""
    for module, source in modules.items():
        (site / f"{module}.py").write_text(source)
    write_metadata(site, name, version, {f"undercroft.{kind}s": rows for kind, rows in entries.items()})


def write_metadata(site: Path, name: str, version: str, groups: Mapping[str, Mapping[str, str]]) -> None:
    folder = site / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in rows.items()) for group, rows in groups.items()
    ]
    (folder / "entry_points.txt").write_text("\n".join(lines))


def install_example(site: Path) -> None:
    """The example package, with the entry points of its pyproject.toml."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shutil.copytree(EXAMPLE / "undercroft_mirror", site / "undercroft_mirror", ignore=shutil.ignore_patterns("*.pyc"))
    write_metadata(site, project["name"], project["version"], project["entry-points"])


@contextmanager
def on_the_path(site: Path) -> Iterator[None]:
    """Have the packages of a folder installed, as far as this process and its workers see."""
    before = set(sys.modules)
    sys.path.insert(0, str(site))
    forget_packages()
    try:
        yield
    finally:
        sys.path.remove(str(site))
        forget_packages()
        for module in set(sys.modules) - before:
            if str(getattr(sys.modules[module], "__file__", "") or "").startswith(str(site)):
                del sys.modules[module]


def forget_packages() -> None:
    """Drop all that is registered, and look at the installed packages again."""
    for table in part_tables():
        table.forget_foreign()
