"""The studio begins, holds its project, and goes without leaving anything behind."""

from __future__ import annotations

import errno
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.studio_pages import PAGE, Server, source
from undercroft import cli
from undercroft.errors import BadInput
from undercroft.studio.server import app
from undercroft.studio.server.lock import LOCK_FILE_NAME, lock_project
from undercroft.studio.server.port import open_sockets
from undercroft.studio.server.start import start_studio

pytestmark = [pytest.mark.long, pytest.mark.processes]


def test_it_begins_and_ends_in_peace(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert server.hello()["project"] == str(tmp_path)
        assert (tmp_path / LOCK_FILE_NAME).read_text() == f"{server.process.pid}\n"
        with server.page() as page:
            page.ask("make", measures="all", **source("cozy", size=[1000, 1000]))
            begun = time.monotonic()
            code, complaints = server.stop()
    assert (code, complaints) == (0, "")
    assert time.monotonic() - begun < 9, "the level takes longer"
    assert not (tmp_path / LOCK_FILE_NAME).exists()


def test_a_wish_of_the_system_ends_it_too(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert server.stop(signal.SIGTERM)[0] == 0
    assert not (tmp_path / LOCK_FILE_NAME).exists()


def test_workers_do_not_outlive_a_studio_that_is_killed(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        with server.page() as page:
            page.answer("make", measures=[], **source())
        server.stop(signal.SIGKILL)
    assert (tmp_path / LOCK_FILE_NAME).exists()
    with Server(tmp_path) as again:  # the lock of a dead process holds nobody off
        assert again.hello()["version"]


def test_there_is_one_studio_a_project(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        words = [
            sys.executable,
            "-m",
            "undercroft",
            "studio",
            "--no-browser",
            "--project",
            str(tmp_path),
            "--page",
            str(PAGE),
        ]
        second = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        assert second.returncode == 2
        assert f"process {server.process.pid}" in second.stderr
        assert "--project DIR" in second.stderr
        assert "Traceback" not in second.stderr
        assert server.hello()["version"], "the first one goes on"
        (tmp_path / "other").mkdir()
        with Server(tmp_path / "other") as other:
            assert other.port != server.port


def test_a_lock_is_freed_when_it_is_let_go(tmp_path: Path) -> None:
    with lock_project(tmp_path), pytest.raises(BadInput, match=f"process {os.getpid()}"), lock_project(tmp_path):
        pass
    with lock_project(tmp_path):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.EPERM])
def test_a_folder_that_nobody_can_write_needs_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(number, "no")

    monkeypatch.setattr("undercroft.bulk.batch.directory_lock.os.open", refuse)
    with lock_project(tmp_path):
        pass


def test_a_lock_is_not_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (tmp_path / LOCK_FILE_NAME).symlink_to(tmp_path / "precious")
    with pytest.raises(Exception, match="cannot write"), lock_project(tmp_path):
        pass
    assert (tmp_path / "precious").read_text() == "precious"


def test_its_address_has_a_token_that_nobody_can_guess(tmp_path: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "undercroft",
        "studio",
        "--no-browser",
        "--project",
        str(tmp_path),
        "--page",
        str(PAGE),
    ]
    tokens = set()
    for _ in range(2):
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        line = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[0].endswith("The studio has stopped.\n")
        found = re.search(r"http://127\.0\.0\.1:\d+/#token=([0-9a-f]{64})\n", line)
        assert found, line
        tokens.add(found[1])
    assert len(tokens) == 2


def test_idle_memory_is_small(tmp_path: Path) -> None:
    """Of the server process itself: its workers come and go. Also after it was used, since it only hands on."""
    with Server(tmp_path) as server:
        server.hello()
        assert server.memory < 120 << 20, f"{server.memory >> 20} MB"
        with server.page() as page:
            for seed in range(20):
                page.answer("make", measures=[], **source(seed=str(seed), size=[300, 300]))
            page.answers("wall", seeds=list(map(str, range(40))), measures=[], **source())
        assert server.memory < 120 << 20, f"{server.memory >> 20} MB"


def test_the_address_is_of_this_machine_alone() -> None:
    sockets = open_sockets(0)
    try:
        assert {one.getsockname()[0] for one in sockets} <= {"127.0.0.1", "::1"}
        assert len({one.getsockname()[1] for one in sockets}) == 1
        with pytest.raises(BadInput, match="cannot be had"):
            open_sockets(sockets[0].getsockname()[1])
    finally:
        for one in sockets:
            one.close()


def test_a_port_that_is_taken_is_said_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert (
            cli.run(["studio", "--no-browser", "--project", str(tmp_path), "--port", str(port), "--page", str(PAGE)])
            == 2
        )
    assert f"port {port} cannot be had" in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_projects_port_that_is_taken_is_said_so_and_another_is_used(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        own = server.port
        assert server.hello()["restart"].endswith(f"--project {tmp_path}")
        server.stop()
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", own))
        taken.listen()
        with Server(tmp_path) as other:
            assert other.port != own
            assert other.process.stdout
            assert f"Another program has port {own}" in "".join(other.process.stdout.readline() for _ in range(2))
            assert other.hello()["restart"].endswith(f"--port {other.port}"), "its pages can only reconnect there"
    with Server(tmp_path) as again:
        assert again.port == own


def test_a_folder_that_is_none_is_said_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["studio", "--no-browser", "--project", str(tmp_path / "none"), "--page", str(PAGE)]) == 2
    assert "is no folder" in capfd.readouterr().err


def test_missing_libraries_are_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(BadInput, match=r"the studio needs uvicorn") as error:
        start_studio(tmp_path)
    assert error.value.fix == "pip install 'undercroft[studio]'"


def test_without_its_page_it_does_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "STATIC_FOLDER", tmp_path / "none")
    monkeypatch.setattr("undercroft.studio.server.start.open_project_port", lambda _: pytest.fail("it listens"))
    assert cli.run(["studio", "--no-browser", "--project", str(tmp_path)]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err == (
        "undercroft: the studio's page is not built\n"
        "  fix: in a checkout say make studio, or make studio-page before pip install; or install a wheel\n"
    )
    assert not list(tmp_path.iterdir())


def test_nothing_of_the_studio_is_imported_by_the_library() -> None:
    code = """import undercroft, undercroft.cli, sys
servers = ("starlette", "uvicorn", "websockets")
print([name for name in sys.modules if name.split(".")[0] in servers or "studio" in name])"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# --- the page's own files


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "licences").mkdir()
    (tmp_path / "index.html").write_text(
        '<meta name="csp-nonce" content="__NONCE__"><script type="module" src="page.js"></script>'
    )
    (tmp_path / "page.js").write_text("import './x.js'")
    (tmp_path / "licences" / "x.txt").write_text("MIT")
    (tmp_path.parent / "secret.js").write_text("secret")
    monkeypatch.setattr(app, "STATIC_FOLDER", tmp_path)
    return tmp_path


def test_the_page_gets_a_fresh_nonce_each_time(built: Path) -> None:
    seen = set()
    for _ in range(3):
        answer = app.serve_page_file("index.html", "127.0.0.1:5")
        nonce = re.search(rb'content="([0-9a-f]{36})"', bytes(answer.body))
        assert nonce
        policy = answer.headers["content-security-policy"]
        assert f"style-src 'self' 'nonce-{nonce[1].decode()}'" in policy
        assert "connect-src 'self' ws://127.0.0.1:5" in policy
        assert "script-src" not in policy
        assert "default-src 'self'" in policy
        seen.add(nonce[1])
    assert len(seen) == 3


def test_only_files_of_the_page_are_served(built: Path) -> None:
    assert app.serve_page_file("page.js", "h").headers["content-type"] == "text/javascript; charset=utf-8"
    assert bytes(app.serve_page_file("licences/x.txt", "h").body) == b"MIT"
    for name in (
        "../secret.js",
        "licences/../page.js",
        "licences",
        "/page.js",
        "page.js/",
        "",
        "page.js\0",
        str(built / "page.js"),
    ):
        assert app.serve_page_file(name, "h").status_code == 404, name


def test_a_page_that_is_not_built_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "STATIC_FOLDER", tmp_path / "none")
    answer = app.serve_page_file("index.html", "h")
    assert answer.status_code == 200
    assert b"make studio" in bytes(answer.body)
    assert b"pip install" in bytes(answer.body)
    assert b"<script" not in bytes(answer.body)
