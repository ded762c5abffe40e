"""The studio in a real browser: a server of its own for each file of tests, and one browser for all.

`studio` is the running server; put files into `studio.project`. `page` is an empty page that is closed after the test: `page.goto(studio.address)`.
What the page complains about in its console fails the test.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

STATIC = Path(__file__).parents[2] / "src" / "undercroft" / "studio" / "static"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
TOKEN = "a-token-of-tests"


@dataclass
class Studio:
    """A running server."""

    address: str
    """With the token in it, as the command prints it."""
    project: Path
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(self.address.split("/")[2].split(":")[1])


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A server of its own on a free port, with an empty project."""
    if not (STATIC / "page.js").exists():
        pytest.skip("the studio's page is not built: make studio-page")
    project = tmp_path_factory.mktemp("project")
    command = [sys.executable, "-m", "undercroft", "studio", "--no-browser", "--token", TOKEN, "--project", str(project)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    try:
        address = process.stdout.readline().split()[-1]
        yield Studio(address, project, process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        process.stdout.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("there is no chromium on this machine: apt-get install chromium")
    with driver.sync_playwright() as play:
        found = play.chromium.launch(executable_path=program, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """An empty page, 1440x900 and dark, whose console must stay quiet."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="dark", reduced_motion="reduce")
    found = context.new_page()
    found.set_default_timeout(15_000)
    heard: list[str] = []
    found.on("pageerror", lambda error: heard.append(str(error)))
    found.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    yield found
    context.close()
    assert not heard, "the page complained: " + "; ".join(heard)
