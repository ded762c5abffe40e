"""Use the same examples on every machine, so that every failure can be repeated."""

from __future__ import annotations

import functools
import gc
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from undercroft import kernels
from undercroft.templates.layouts import layout_files

kernels.list_compiled()  # imports them: pytest would collect their examples from the source, which needs Cython
EXAMPLES = 1000 if os.environ.get("UNDERCROFT_HEAVY") == "1" else 60
settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    max_examples=EXAMPLES,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")

MAY_BE_LONG = re.compile(r"mark\.long|quick=")
"""`make test-long` collects only test files in which this stands: collecting all of them takes long."""


@functools.cache
def may_be_long(path: Path) -> bool:
    """Whether `make test-long` looks into a file."""
    return bool(MAY_BE_LONG.search(path.read_text(encoding="utf-8")))


def pytest_itemcollected(item: pytest.Item) -> None:
    """Refuse a long test that `make test-long` would not find."""
    if item.get_closest_marker("long") and not may_be_long(item.path):
        raise pytest.UsageError(
            f"{item.nodeid} is marked `long`, and nothing in its file says so: write pytest.mark.long there, or quick="
        )


ONLY_PROCESSES = 75
"""Exit code if tests failed, all of them marked `processes`: `run.sh` tries these once more."""


collect_ignore = ["cases/typed_program.py"]
"""Programs that are only read by type checkers: `--doctest-modules` would import them."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """Exclude the tests themselves, which are many and stay alive, from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def one_core() -> Iterator[None]:
    """Work that is not told how many workers to take uses one. On every machine the tests of workers say how many, and
    no other test pays for the start of processes.
    """
    with pytest.MonkeyPatch.context() as patch:
        if hasattr(os, "sched_getaffinity"):
            patch.setattr(os, "sched_getaffinity", lambda _process: {0})
        patch.setattr(os, "cpu_count", lambda: 1)
        yield


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Set the exit code if only tests that wait for processes failed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.exitstatus == pytest.ExitCode.TESTS_FAILED and reporter is not None:
        failed = [*reporter.stats.get("failed", ()), *reporter.stats.get("error", ())]
        if all("processes" in getattr(report, "keywords", ()) for report in failed):
            session.exitstatus = ONLY_PROCESSES


@pytest.fixture
def layout_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a layout in it, and beside it a file that nobody shall read."""
    folder = tmp_path / "here"
    (folder / "rooms").mkdir(parents=True)
    (folder / "rooms" / "own.layout").write_text(layout_files.load_layout_text("apse")[0])
    (tmp_path / "secret.layout").write_text("hunter2\n")
    (folder / "link.layout").symlink_to(tmp_path / "secret.layout")
    monkeypatch.chdir(folder)
    return folder
