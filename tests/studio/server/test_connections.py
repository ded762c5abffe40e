"""Clients that fall silent or go in the middle of a request: they are dropped, they shut nobody out, and the log stays
empty.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from support.studio_pages import TOKEN, Server, source, until
from undercroft.studio.server import connections, live
from undercroft.studio.server.live import LiveConnection
from undercroft.studio.server.port import open_sockets
from undercroft.studio.server.start import build_config

pytestmark = [pytest.mark.processes]

UPGRADE = "GET /api/live HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
READ, PAUSE, END = "read", "pause", "end"
"""Steps of a client besides sending: wait for an answer, wait a little, end its own side."""
Steps = list[str | bytes]


def shake(host: str) -> bytes:
    """The request for a socket."""
    key = base64.b64encode(os.urandom(16)).decode()
    return (UPGRADE.format(host=host) + f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode()


def frame(data: bytes, first: int = 0x81) -> bytes:
    """A frame as clients send it, with a mask of zeros."""
    assert len(data) < 1 << 16
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    return bytes([first]) + length + bytes(4) + data


def post(server: Server, path: str, body: bytes, length: str = "") -> bytes:
    headers = {**server.headers(), "Content-Type": "application/json", "Content-Length": length or str(len(body))}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode() + body


def list_departures(server: Server) -> dict[str, Steps]:
    """What clients do before they go."""
    up, token = shake(server.host), frame(json.dumps({"token": TOKEN}).encode())
    make = frame(json.dumps({"id": 1, "lane": "x", "do": "make", "measures": [], **source(size=[300, 300])}).encode())
    get = f"GET / HTTP/1.1\r\nHost: {server.host}\r\n".encode()
    chunked = get + b"Transfer-Encoding: chunked\r\n\r\n"
    picture = {**source(), "outputs": [{"format": "png", "path": "x.png"}], "into": "download"}
    export = post(server, "/api/export", json.dumps(picture).encode())
    return {
        "nothing": [],
        "half of a line": [b"GET / HT"],
        "half of the headers": [up[:60]],
        "no HTTP": [b"\x16\x03\x01\x02\x00\x01"],
        "half of a body": [post(server, "/api/files/list", b"{", "50")],
        "half of a body, later": [post(server, "/api/files/list", b"{", "50"), PAUSE],
        "half of a body, and the end": [post(server, "/api/files/list", b"{", "50"), END, PAUSE],
        "a request": [get + b"\r\n"],
        "many requests": [(get + b"\r\n") * 50],
        "a wrong piece": [chunked + b"zz\r\n", PAUSE],
        "a wrong piece, later": [chunked, PAUSE, b"zz\r\n", PAUSE],
        "an export": [export],
        "the answer of an export": [export, READ],
        "a socket": [up],
        "a socket, with half of a message": [up + token[:5]],
        "a socket, with the token": [up + token],
        "an answered socket": [up, READ],
        "an answered socket, and its end": [up, READ, END, PAUSE],
        "half of a message": [up, READ, token[:5]],
        "a token": [up, READ, token],
        "a wrong token": [up, READ, frame(b'{"token": "guess"}')],
        "a request over the socket": [up, READ, token + make],
        "the answer over the socket": [up, READ, token + make, READ],
        "a closed socket": [up, READ, frame(struct.pack(">H", 1000), 0x88)],
        "a socket that is closed wrongly": [up, READ, frame(struct.pack(">H", 5), 0x88), PAUSE],
        "a message without a mask": [up, READ, b"\x81\x05hello", PAUSE],
        "a text that is no UTF-8": [up, READ, token, frame(b"\xff\xfe"), PAUSE],
        "a text that is no UTF-8, in two parts": [up, READ, token, frame(b"\xc3", 0x01), frame(b"\x28", 0x80), PAUSE],
    }


def depart(port: int, steps: Steps, *, reset: bool) -> None:
    """Connect, do something, and go: with a farewell of TCP, or with a reset."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        with contextlib.suppress(ConnectionError):
            for step in steps:
                if step == READ:
                    line.recv(1000)
                elif step == PAUSE:
                    time.sleep(0.05)
                elif step == END:
                    line.shutdown(socket.SHUT_WR)
                elif isinstance(step, bytes):
                    line.sendall(step)
        if reset:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.long
@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
def test_a_client_that_goes_at_any_moment_leaves_no_trace_in_the_log(tmp_path: Path, reset: bool) -> None:
    with Server(tmp_path, "--workers", "1") as server:
        for steps in list_departures(server).values():
            for _ in range(2):
                depart(server.port, steps, reset=reset)
            assert server.hello()["version"], "the studio goes on"
        assert server.stop() == (0, "")


def is_closed(line: socket.socket, within: float = 20.0) -> bool:
    """Whether the other side ends a connection; what it says before is read."""
    line.settimeout(within)
    try:
        while line.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    finally:
        line.settimeout(30)
    return True


@pytest.mark.long
@pytest.mark.parametrize("kind", ["nothing", "half of the headers", "half of a body", "a socket"])
def test_three_hundred_silent_clients_shut_nobody_out(tmp_path: Path, kind: str) -> None:
    with Server(tmp_path, "--workers", "1") as server, server.page() as page, contextlib.ExitStack() as opened:
        sent = {
            "nothing": b"",
            "half of the headers": b"GET / HTTP/1.1\r\nHost: ",
            "half of a body": f"GET / HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: 9\r\n\r\n".encode(),
            "a socket": shake(server.host),
        }[kind]
        lines = []
        for _ in range(300):
            lines.append(opened.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=30)))
            lines[-1].sendall(sent)
        # for a moment, those that are being dropped still count
        assert until(lambda: server.request("GET", "/", {"Host": server.host})[0] == 200, 4)
        for _ in range(5):
            assert server.hello()["version"]
        assert all(map(is_closed, lines)), "the studio waits for them"
        assert page.answer("make", measures=[], **source())[0]["size"] == [60, 30], "the page is still connected"


# --- the same connections with a small app, and with less patience

LISTENED = threading.Event()


async def count_bytes(request: Request) -> Response:
    try:
        return PlainTextResponse(str(len(await request.body())))
    except ClientDisconnect:
        return PlainTextResponse("", 499)


async def answer_late(_: Request) -> Response:
    await asyncio.to_thread(LISTENED.wait, 30)
    return PlainTextResponse("late")


async def serve_live(line: WebSocket) -> None:
    studio: Any = SimpleNamespace(
        pages=set(), workers=None, on_level_made=None, with_imports=None, accept_token=lambda token: token == TOKEN
    )
    await LiveConnection(studio, line).serve()


@pytest.fixture
def port() -> Iterator[int]:
    """A server in this process."""
    app = Starlette(
        routes=[
            Route("/", count_bytes, methods=["GET", "POST"]),
            Route("/late", answer_late),
            WebSocketRoute("/api/live", serve_live),
        ]
    )
    server, sockets = uvicorn.Server(build_config(app)), open_sockets(0)
    LISTENED.clear()
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets)))
    thread.start()
    try:
        assert until(lambda: server.started)
        yield sockets[0].getsockname()[1]
    finally:
        LISTENED.set()
        server.should_exit = True
        thread.join(20)
        for one in sockets:
            one.close()


@pytest.fixture
def line(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        yield line


def read_until(line: socket.socket, end: bytes) -> bytes:
    """What the other side says, up to an end."""
    found = b""
    while not found.endswith(end):
        piece = line.recv(4096)
        assert piece, found
        found += piece
    return found


GET = b"GET / HTTP/1.1\r\nHost: x\r\n"


@pytest.mark.parametrize(
    "before",
    [b"", b"GET / HT", GET],
    ids=["nothing", "half of a line", "half of the headers"],
)
def test_half_of_a_head_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, line: socket.socket, before: bytes) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with socket.create_connection(line.getpeername(), timeout=30) as impatient:
        impatient.sendall(before)
        assert is_closed(impatient)


def test_half_of_a_later_request_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, line: socket.socket) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    line.sendall(GET + b"\r\n")
    read_until(line, b"\r\n\r\n0")
    line.sendall(GET)
    assert is_closed(line)


def test_the_bytes_of_a_head_do_not_move_its_deadline(monkeypatch: pytest.MonkeyPatch, line: socket.socket) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    with socket.create_connection(line.getpeername(), timeout=30) as slow, contextlib.suppress(ConnectionError):
        begun = time.monotonic()
        for sign in b"GET / HTTP/1.1\r\nX: " + b"x" * 400:
            slow.sendall(bytes([sign]))
            time.sleep(0.05)
        pytest.fail(f"it was heard for {time.monotonic() - begun:.0f} seconds")


def test_half_of_a_body_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, line: socket.socket) -> None:
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.3)
    line.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{")
    assert is_closed(line)


@pytest.mark.long
def test_a_slow_body_is_waited_for_as_long_as_its_bytes_come(
    monkeypatch: pytest.MonkeyPatch, line: socket.socket
) -> None:
    monkeypatch.setattr(connections, "BODY_SECONDS", 2.0)
    line.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n")
    for _ in range(10):
        time.sleep(0.3)
        line.sendall(b"x")
    assert read_until(line, b"\r\n\r\n10").startswith(b"HTTP/1.1 200 ")


def test_a_request_whose_answer_takes_long_is_not_late(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.2)
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(b"GET /late HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.6)
        LISTENED.set()
        read_until(line, b"late")


def test_a_socket_without_a_token_is_closed(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr(live, "HANDSHAKE_SECONDS", 0.2)
    monkeypatch.setattr(connections, "CLOSE_SECONDS", 0.2)
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(shake("x"))
        assert line.recv(4096).startswith(b"HTTP/1.1 101 ")
        line.settimeout(20)
        assert line.recv(100) == b"\x88\x02" + struct.pack(">H", live.CLOSE_BAD_TOKEN)
        assert is_closed(line), "it need not answer"


def test_a_socket_with_its_token_stays_open_in_silence(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    for seconds in ("HEAD_SECONDS", "BODY_SECONDS", "CLOSE_SECONDS"):
        monkeypatch.setattr(connections, seconds, 0.1)
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(shake("x"))
        assert line.recv(4096).startswith(b"HTTP/1.1 101 ")
        line.sendall(frame(json.dumps({"token": TOKEN}).encode()))
        assert not is_closed(line, 0.6)
        line.sendall(frame(b"no JSON"))
        assert b"that is no JSON" in read_until(line, b"}")


def test_of_too_many_that_wait_the_oldest_is_dropped(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr(connections, "MAX_WAITING", 5)
    with contextlib.ExitStack() as opened:

        def connect(sent: bytes) -> socket.socket:
            line = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            line.sendall(sent)
            return line

        busy = connect(b"GET /late HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.1)  # so that it is under way
        old = [connect(shake("x") if number % 2 else b"GET /") for number in range(5)]
        time.sleep(0.1)
        new = [connect(b"GET /") for _ in range(5)]
        assert all(map(is_closed, old))
        assert not any(is_closed(line, 0.1) for line in new)
        LISTENED.set()
        read_until(busy, b"late")  # a request under way is not dropped
