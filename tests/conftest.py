"""Use the same examples on every machine, so that every failure can be repeated."""

from __future__ import annotations

import gc
import os
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

ONLY_PROCESSES = 75
"""Exit code if tests failed, all of them marked `processes`: `run.sh` tries these once more."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """Exclude the tests themselves, which are many and stay alive, from garbage collection."""
    gc.collect()
    gc.freeze()


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
