"""The studio in a real browser: a server of its own for each file of tests, and one browser for all.

`studio` is the running server; put files into `studio.project`. `page` is an empty page that is closed after the test:
`page.goto(studio.address)`. An error in the page's console fails the test. `new_page` opens further pages,
of other sizes and themes.

These tests run only if they are named on the command line, as `make test-studio` does: the tests of the library need no
browser. `UNDERCROFT_PAGE` is the folder of another build of the page.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from studio_browser.gate import Gate
from support.studio_pages import Server

STATIC = Path(
    os.environ.get("UNDERCROFT_PAGE") or Path(__file__).parents[2] / "src" / "undercroft" / "studio" / "static"
)
FLAGS = [
    *(
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ),
    "--host-resolver-rules=MAP *.test 127.0.0.1",  # names of other sites, for requests with a foreign host or origin
]
TOKEN = "a-token-of-tests"
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore these tests unless this folder, or a file of it, is named."""
    named = any(
        Path(argument.split("::")[0]).resolve().is_relative_to(Path(__file__).parent) for argument in config.args
    )
    return None if named else True


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark all of these tests: they wait for a browser."""
    item.add_marker(pytest.mark.processes)


class Studio(Server):
    """A running server, whose page is built."""

    def __init__(self, project: Path, *options: str) -> None:
        super().__init__(project, "--page", str(STATIC), *options, token=TOKEN)

    @property
    def address(self) -> str:
        """The address with its token, as the command prints it."""
        return f"http://{self.host}/#token={self.token}"


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of the built page."""
    if not (STATIC / "page.js").exists():
        pytest.skip("the studio's page is not built: say make test-studio")
    return STATIC


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Studio]:
    """A server of its own on a free port, with an empty project. At the end it must exit without an error message and
    leave no process.
    """
    with Studio(tmp_path_factory.mktemp("project")) as server:
        yield server
        assert server.stop() == (0, "")


@pytest.fixture
def start(built: Path) -> Callable[..., Studio]:
    """Start a server by hand, in `with`: to end it, or to restart it."""
    return Studio


@pytest.fixture(autouse=True)
def forget(request: pytest.FixtureRequest) -> None:
    """Every test begins with a project that nobody has opened before."""
    if "studio" in request.fixturenames:
        request.getfixturevalue("studio").forget()


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("there is no chromium on this machine: apt-get install chromium")
    with driver.sync_playwright() as play:
        found = play.chromium.launch(executable_path=program, args=FLAGS)
        yield found
        found.close()


def patient(page: Any) -> Any:
    """Waits for an expression although the page's content policy forbids evaluating text, which Playwright's own
    polling does. An expression that raises because something is missing is tried again too.
    """

    def wait(expression: str, *, arg: Any = None, timeout: float = 15_000) -> None:
        end = time.monotonic() + timeout / 1000
        while True:
            why = expression
            try:
                if page.evaluate(expression, arg):
                    return
            except Exception as error:  # noqa: BLE001 - Playwright's, and it is not installed everywhere
                why = f"{expression}: {error}"
            assert time.monotonic() < end, f"still not: {why}"
            page.wait_for_timeout(20)

    page.set_default_timeout(15_000)
    page.wait_for_function = wait
    return page


@pytest.fixture
def new_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens empty pages, 1440x900 and dark by default, each in its own browser context. Their consoles must stay empty,
    unless `noisy`.
    """
    heard: list[str] = []
    contexts: list[Any] = []

    def opened(width: int = 1440, height: int = 900, theme: str = "dark", *, noisy: bool = False, **more: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce", **more
        )
        contexts.append(context)
        page = patient(context.new_page())
        if not noisy:
            page.on("pageerror", lambda error: heard.append(str(error)))
            page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
        return page

    yield opened
    assert not heard, "the page complained: " + "; ".join(heard)
    for context in contexts:
        context.set_offline(True)  # what a page sends while it is closed would be there for the next test
        context.close()


@pytest.fixture
def page(new_page: Callable[..., Any]) -> Any:
    """An empty page."""
    return new_page()


@pytest.fixture
def gate(page: Any) -> Gate:
    """Holds back answers of the server until the test releases them."""
    return Gate(page)
