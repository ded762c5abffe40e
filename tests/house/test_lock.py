"""The lock holds what `pyproject.toml` asks for, on every supported Python and system, and nothing without a hash."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from support import audit, install_locked
from support.install_locked import LOCK_FILE, ROOT, LockedPackage, normalise_name, parse_lock, select_packages

TEXT = LOCK_FILE.read_text(encoding="utf-8")
PACKAGES = parse_lock(TEXT)
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS = ("run", "build", *PROJECT["project"]["optional-dependencies"])
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = (
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
)
FAULTS = {
    "h11": ("0.16.0", "CVE-2025-43859"),
    "pillow": ("12.3.0", "CVE-2026-59199"),
    "starlette": ("1.0.1", "CVE-2026-48710"),
}
"""Known faults that matter to us: the first version without each."""


def packages_for(python: str, system: dict[str, str]) -> list[LockedPackage]:
    """The packages that are installed there."""
    environment = {**system, "python_version": python, "python_full_version": f"{python}.0"}
    return [one for one in PACKAGES if not one.marker or Marker(one.marker).evaluate(environment)]


def test_each_package_has_one_version_and_hashes() -> None:
    assert len(PACKAGES) > 60
    for one in PACKAGES:
        assert str(Version(one.version)) == one.version
        assert one.hashes, f"{one.name} has no hash"
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", text) for text in one.hashes), one.name
    heads = [line for line in TEXT.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(heads) == len(PACKAGES), "a line is not understood"


def test_the_lock_names_no_places() -> None:
    assert not re.search(r"://|--(?:extra-)?index|--find-links|--trusted-host| @ ", TEXT)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system["sys_platform"])
@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_is_within_the_ranges(python: str, system: dict[str, str]) -> None:
    there = {one.name: one for one in packages_for(python, system)}
    assert len(there) == len(packages_for(python, system)), "a package has two versions there"
    for group in GROUPS:
        for text in install_locked.read_requirements([group]):
            requirement = Requirement(text)
            found = there.get(normalise_name(requirement.name))
            assert found, f"{text} of {group} is not in the lock: run make lock"
            assert requirement.specifier.contains(found.version), f"{text} of {group} is locked to {found.version}"


def test_pythons_are_those_that_are_supported() -> None:
    supported = SpecifierSet(PROJECT["project"]["requires-python"])
    assert supported.contains(PYTHONS[0])
    assert not supported.contains("3.10")
    built = PROJECT["tool"]["cibuildwheel"]["build"]
    assert built.split() == [f"cp{python.replace('.', '')}-*" for python in PYTHONS]


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_is_selected_with_all_that_it_requires(group: str) -> None:
    """Compared with what installed packages say of themselves."""
    selected = {one.name for one in select_packages(PACKAGES, install_locked.read_requirements([group]))}
    for name in selected:
        try:
            required = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        for requirement in map(Requirement, required):
            if not requirement.marker or requirement.marker.evaluate({"extra": ""}):
                assert normalise_name(requirement.name) in selected, f"{name} requires {requirement}"


def test_the_groups_need_the_whole_lock() -> None:
    assert select_packages(PACKAGES, install_locked.read_requirements(GROUPS)) == PACKAGES


@pytest.mark.parametrize("name", FAULTS)
def test_versions_with_known_faults_are_excluded(name: str) -> None:
    fixed, fault = FAULTS[name]
    ranges = [
        Requirement(text)
        for group in GROUPS
        for text in install_locked.read_requirements([group])
        if normalise_name(text) == name
    ]
    assert ranges
    for requirement in ranges:
        assert requirement.specifier.contains(fixed)
        assert not requirement.specifier.contains(f"{fixed}.dev0", prereleases=True), f"{requirement} admits {fault}"


def test_whoever_serves_bounds_h11() -> None:
    """The studio speaks HTTP with it, and uvicorn admits versions with a fault."""
    for group in GROUPS:
        names = {normalise_name(text) for text in install_locked.read_requirements([group])}
        assert ("uvicorn" in names) == ("h11" in names), group


# --- how it is installed and looked up

SMALL_LOCK = """\
# made by hand
big==2.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
    # via undercroft (pyproject.toml)
other==1.0 \\
    --hash=sha256:cc
    # via -r -
small==1.0 ; python_full_version < '3.12' \\
    --hash=sha256:dd
    # via
    #   big
    #   other
small==1.1 ; python_full_version >= '3.12' \\
    --hash=sha256:ee
    # via big
"""


def test_a_lock_is_read_and_written() -> None:
    packages = parse_lock(SMALL_LOCK)
    assert [(one.name, one.version, one.needed_by) for one in packages] == [
        ("big", "2.0", ("undercroft",)),
        ("other", "1.0", ("-r",)),
        ("small", "1.0", ("big", "other")),
        ("small", "1.1", ("big",)),
    ]
    assert "".join(f"{one}\n" for one in packages) == re.sub(r"(?m)^ *#.*\n", "", SMALL_LOCK)
    assert [one.version for one in select_packages(packages, ["Other>=1"])] == ["1.0", "1.0", "1.1"]


@pytest.mark.parametrize(
    ("answers", "code", "calls"),
    [
        ([""], 0, 1),
        (["ERROR: No matching distribution found for h11==0.16.0", ""], 0, 2),
        (["ERROR: No matching distribution found for h11==0.16.0", "ERROR: no network"], 1, 2),
        ([f"ERROR: THESE PACKAGES {install_locked.WRONG_HASH} FROM THE REQUIREMENTS FILE"], 1, 1),
    ],
)
def test_only_versions_that_are_missing_may_be_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answers: list[str], code: int, calls: int
) -> None:
    asked: list[tuple[list[str], list[str]]] = []

    def run_pip(options: Sequence[str], lines: Iterable[str]) -> subprocess.CompletedProcess[str]:
        asked.append(([*options], [*lines]))
        error = answers[len(asked) - 1]
        return subprocess.CompletedProcess([], bool(error), "", error)

    monkeypatch.setattr(install_locked, "_run_pip", run_pip)
    assert install_locked.install(["studio"], None) == code
    assert len(asked) == calls
    assert asked[0][0] == ["--require-hashes"]
    assert all("==" in line and "--hash=sha256:" in line for line in asked[0][1])
    if calls == 2:
        assert asked[1] == ([], PROJECT["project"]["optional-dependencies"]["studio"])
        assert "cannot be installed here (ERROR: No matching distribution" in capsys.readouterr().err


def test_what_is_asked_about_faults() -> None:
    assert list(audit.split_versions(parse_lock(SMALL_LOCK))) == [
        ["small==1.0", "other==1.0", "big==2.0"],
        ["small==1.1"],
    ]


def test_a_database_that_does_not_answer_is_no_success() -> None:
    clean = '{"dependencies": [{"name": "a", "version": "1", "vulns": []}]}'
    skipped = '{"dependencies": [{"name": "b", "skip_reason": "not found"}]}'
    faulty = (
        '{"dependencies": [{"name": "c", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2", "3"]}]}]}'
    )
    assert audit.read_pip_audit([clean], 1) == ([], "")
    assert audit.read_pip_audit([clean, skipped], 2).problem.endswith("it does not answer for 1 of 2 packages")
    assert audit.read_pip_audit([clean], 2).problem.endswith("it does not answer for 1 of 2 packages")
    assert audit.read_pip_audit([clean, faulty], 2) == (["c 1: PYSEC-1, fixed in 2, 3"], "")
    for broken in ("", "[]", "null", "{}", "Traceback"):
        assert "cannot be reached" in audit.read_pip_audit([broken], 1).problem
        assert "cannot be reached" in audit.read_npm_audit(broken).problem
    assert audit.read_npm_audit('{"vulnerabilities": {}}') == ([], "")
    assert audit.read_npm_audit('{"vulnerabilities": {"d": {"range": "<2", "severity": "high"}}}') == (
        ["d <2: high"],
        "",
    )
