"""The browser gets the token by a private file, never by its command line, and the file does not stay."""

from __future__ import annotations

import contextlib
import html
import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from support.studio_pages import PAGE, until
from undercroft.studio.server.app import ENTRY_PAGE, ENTRY_POLICY, ENTRY_SCRIPT
from undercroft.studio.server.browser import RedirectFile

ADDRESS = "http://127.0.0.1:5/open/x#token=y"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "home"
    found.mkdir()
    monkeypatch.setenv("HOME", str(found))
    return found


class Links(HTMLParser):
    """The addresses that a page leads to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.tags.append(tag)
        if named.get("http-equiv") == "refresh":
            self.found.append(str(named["content"]).removeprefix("0; url="))
        if tag == "a":
            self.found.append(str(named["href"]))


def test_only_its_user_can_read_the_file() -> None:
    before = os.umask(0)
    try:
        file = RedirectFile(ADDRESS)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.path.parent.stat().st_mode) == 0o700
    assert file.address == f"file://{file.path}"
    file.remove()
    assert not file.path.parent.exists()
    file.remove()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere browsers read the folder for temporary files")
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system sweeps the folder for temporary files")
def test_folders_of_killed_studios_are_swept(home: Path) -> None:
    old, young, other = (home / name for name in ("undercroft-studio-old", "undercroft-studio-new", "undercroft-x"))
    for folder in (old, young, other):
        folder.mkdir()
        (folder / "open.html").write_text("x")
    kept = home / "undercroft-studio-kept"
    kept.mkdir()
    (kept / "notes.txt").write_text("mine")
    for folder in (old, other, kept):
        os.utime(folder, (0, 0))
    file = RedirectFile(ADDRESS)
    assert sorted(home.iterdir()) == sorted([young, other, kept, file.path.parent])
    assert (kept / "notes.txt").exists()
    file.remove()


def test_a_browser_in_a_sandbox_can_read_the_file(home: Path) -> None:
    file = RedirectFile(ADDRESS)
    assert file.path.parent.parent == home
    assert not any(part.startswith(".") for part in file.path.relative_to(home).parts)
    file.remove()
    assert not list(home.iterdir())


def test_a_home_that_cannot_be_written_is_no_hindrance(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.rmdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    file = RedirectFile(ADDRESS)
    assert file.path.parent.parent == tmp_path
    file.remove()


def test_a_file_that_is_not_written_leaves_no_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> str:
        raise OSError("no space left on device")

    monkeypatch.setattr(html, "escape", fail)
    with pytest.raises(OSError, match="no space left"):
        RedirectFile(ADDRESS)
    assert not list(home.iterdir())


@pytest.mark.parametrize("token", ["0123", "a b", "\"><script>alert(1)</script><a href='", "&quot;;x", "\ud800"])
def test_the_file_leads_to_the_address_and_nowhere_else(token: str) -> None:
    address = f"http://127.0.0.1:5/open/x#token={token}"
    file = RedirectFile(address)
    text = file.path.read_text("utf-8")
    file.remove()
    links = Links(text)
    assert links.found == [address.replace("\ud800", "?")] * 2
    assert links.tags == ["html", "head", "meta", "meta", "meta", "title", "body", "p", "a"]


def test_the_page_at_the_entry_runs_its_own_script_only() -> None:
    assert re.findall(r"<script>(.*?)</script>", ENTRY_PAGE) == [ENTRY_SCRIPT]
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/]{43}='$", ENTRY_POLICY)


# --- the command

FILES = "undercroft-studio-*/open.html"


class Studio:
    """`undercroft studio` with a stand-in for the browser, which keeps its command line and a copy of the file."""

    def __init__(self, folder: Path, home: Path, then: str = "true") -> None:
        self.folder, self.home = folder, home
        script = folder / "browser"
        seen = shlex.quote(str(folder))
        script.write_text(f'#!/bin/sh\ncp "${{1#file://}}" {seen}/copy\necho "$@" > {seen}/args\n{then}\n')
        script.chmod(0o700)
        (folder / "project").mkdir()
        words = ["undercroft", "studio", "--project", str(folder / "project"), "--page", str(PAGE), "--workers", "1"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "BROWSER": f"{script} %s"},
        )
        assert self.process.stdout
        self.printed = self.process.stdout.readline()
        assert until((folder / "args").exists, 60)

    @property
    def files(self) -> list[Path]:
        return list(self.home.glob(FILES))

    def read(self, name: str) -> str:
        return (self.folder / name).read_text().strip()

    def end(self, number: int = signal.SIGINT) -> tuple[str, str]:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.communicate(timeout=30)


@contextlib.contextmanager
def running(folder: Path, home: Path, then: str = "true") -> Iterator[Studio]:
    studio = Studio(folder, home, then)
    try:
        yield studio
    finally:
        studio.end()


@pytest.mark.long
@pytest.mark.processes
def test_the_token_is_on_no_command_line(tmp_path: Path, home: Path) -> None:
    with running(tmp_path, home) as studio:
        found = re.fullmatch(r"The studio is at (http://127\.0\.0\.1:\d+)/#token=([0-9a-f]{64})\n", studio.printed)
        assert found, studio.printed
        assert studio.read("args") == f"file://{studio.files[0]}"
        [address, link] = Links(studio.read("copy")).found
        assert address == link
        assert re.fullmatch(re.escape(found[1]) + "/open/[0-9a-f]{64}#token=" + found[2], address)


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_file_goes_with_the_studio(tmp_path: Path, home: Path, number: int) -> None:
    """Also while a browser still runs that the studio has started."""
    with running(tmp_path, home, "exec sleep 20 > /dev/null 2>&1") as studio:
        assert len(studio.files) == 1
        said, complaints = studio.end(number)
        assert said.endswith("The studio has stopped.\n")
        assert complaints == ""
        assert studio.process.returncode == 0
        assert not list(home.iterdir())


@pytest.mark.long
@pytest.mark.processes
def test_the_file_goes_when_nobody_uses_it(tmp_path: Path, home: Path) -> None:
    code = f"""import sys
from undercroft.studio.server import start
start.REDIRECT_SECONDS = 0.5
start.start_studio({str(tmp_path)!r}, workers=1, page=__import__("pathlib").Path({str(PAGE)!r}), open_browser=print)"""
    process = subprocess.Popen([sys.executable, "-u", "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        assert process.stdout.readline().startswith(f"file://{home}")
        assert until(lambda: not list(home.iterdir()), 30)
        assert process.poll() is None
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


@pytest.mark.long
@pytest.mark.processes
def test_a_real_browser_comes_in_by_the_file(tmp_path: Path, home: Path) -> None:
    api: Any = pytest.importorskip("playwright.sync_api", reason="playwright is not there: pip install playwright")
    programs = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
    chromium = next(filter(None, map(shutil.which, programs)), None)
    if chromium is None:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    with running(tmp_path, home) as studio, api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = opened.new_page()
        page.goto(studio.read("args"))
        printed = studio.printed.removeprefix("The studio is at ").strip()
        page.wait_for_url(printed)
        assert page.title() == "A page of the tests"
        assert len(studio.files) == 1, "it has not sent the token yet"
        status = page.evaluate(
            """async () => (await fetch("/api/hello", { headers: {
              "X-Undercroft-Token": new URLSearchParams(location.hash.slice(1)).get("token") } })).status"""
        )
        assert status == 200
        assert not list(home.iterdir()), "the token has come"
        assert page.reload().status == 200
        entry = Links(studio.read("copy")).found[0]
        assert page.goto(entry.replace("#", "?again#")).status == 404, "it leads nowhere now"
        opened.close()
