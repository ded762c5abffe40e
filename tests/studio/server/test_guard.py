"""Requests that nobody but our own page may make, one by one, against a server that runs."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import socket
from collections.abc import Callable
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from support.studio_pages import TOKEN, Page, Server, source
from undercroft import limits
from undercroft.studio.server.guard import RequestGuard
from undercroft.studio.server.http_requests import POST_HANDLERS

JSON = "application/json"
EVIL = "http://evil.example"

VISIT = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
"""What a browser says when a link of another site, or a file, opens a page in a window of its own."""

Change = Callable[[Server, dict[str, str]], dict[str, str]]


def without(*names: str) -> Change:
    return lambda server, headers: {name: value for name, value in headers.items() if name not in names}


def having(**more: str) -> Change:
    return lambda server, headers: {
        **headers,
        **{name.replace("_", "-"): value.replace("PORT", str(server.port)) for name, value in more.items()},
    }


HOSTILE: list[tuple[str, str, str, Change, bytes | None, int]] = [
    # A name that leads here from elsewhere: a page of that name could then read all answers.
    ("another host", "GET", "/api/hello", having(Host="evil.example"), None, 421),
    ("another host with our port", "GET", "/api/hello", having(Host="evil.example:PORT"), None, 421),
    ("a host that begins like ours", "GET", "/api/hello", having(Host="127.0.0.1.evil.example:PORT"), None, 421),
    ("a host that ends like ours", "GET", "/api/hello", having(Host="evil-localhost:PORT"), None, 421),
    ("a host below ours", "GET", "/api/hello", having(Host="evil.localhost:PORT"), None, 421),
    ("our host with another port", "GET", "/api/hello", having(Host="127.0.0.1:1"), None, 421),
    ("our host without a port", "GET", "/api/hello", having(Host="127.0.0.1"), None, 421),
    ("our host with a dot behind it", "GET", "/api/hello", having(Host="localhost.:PORT"), None, 421),
    ("our host in short", "GET", "/api/hello", having(Host="127.1:PORT"), None, 421),
    ("our host as a number", "GET", "/api/hello", having(Host="2130706433:PORT"), None, 421),
    ("another address of this machine", "GET", "/api/hello", having(Host="127.0.0.2:PORT"), None, 421),
    ("all addresses", "GET", "/api/hello", having(Host="0.0.0.0:PORT"), None, 421),
    ("IPv6 without brackets", "GET", "/api/hello", having(Host="::1:PORT"), None, 421),
    ("IPv6 of IPv4", "GET", "/api/hello", having(Host="[::ffff:127.0.0.1]:PORT"), None, 421),
    ("IPv6 written at length", "GET", "/api/hello", having(Host="[0:0:0:0:0:0:0:1]:PORT"), None, 421),
    ("IPv6 with a zone", "GET", "/api/hello", having(Host="[::1%lo]:PORT"), None, 421),
    ("somebody before the host", "GET", "/api/hello", having(Host="evil@127.0.0.1:PORT"), None, 421),
    ("two hosts in one", "GET", "/api/hello", having(Host="127.0.0.1:PORT, evil.example"), None, 421),
    ("no host", "GET", "/api/hello", without("Host"), None, 400),
    ("an empty host", "GET", "/api/hello", having(Host=""), None, 421),
    ("the page itself, under another host", "GET", "/", having(Host="evil.example:PORT"), None, 421),
    # Another page in the same browser.
    ("another origin", "POST", "/api/files/list", having(Origin=EVIL), b"{}", 403),
    ("another origin with a read", "GET", "/api/hello", having(Origin=EVIL), None, 403),
    ("an origin on another port", "POST", "/api/files/list", having(Origin="http://127.0.0.1:1"), b"{}", 403),
    ("another name of ours as origin", "POST", "/api/files/list", having(Origin="http://localhost:PORT"), b"{}", 403),
    ("our origin by https", "POST", "/api/files/list", having(Origin="https://127.0.0.1:PORT"), b"{}", 403),
    (
        "an origin that begins like ours",
        "POST",
        "/api/files/list",
        having(Origin="http://127.0.0.1:PORT.evil.example"),
        b"{}",
        403,
    ),
    ("no origin to speak of", "POST", "/api/files/list", having(Origin="null"), b"{}", 403),
    ("a file as origin", "POST", "/api/files/list", having(Origin="file://"), b"{}", 403),
    ("an empty origin", "POST", "/api/files/list", having(Origin=""), b"{}", 403),
    ("IPv6 as origin, IPv4 as host", "POST", "/api/files/list", having(Origin="http://[::1]:PORT"), b"{}", 403),
    ("two origins", "POST", "/api/files/list", having(Origin=f"http://127.0.0.1:PORT\n{EVIL}"), b"{}", 400),
    ("from another site", "GET", "/api/hello", having(Sec_Fetch_Site="cross-site"), None, 403),
    ("from another port of this machine", "GET", "/api/hello", having(Sec_Fetch_Site="same-site"), None, 403),
    ("from who knows where", "GET", "/api/hello", having(Sec_Fetch_Site="other"), None, 403),
    ("our script, on a page of others", "GET", "/page.js", having(Sec_Fetch_Site="cross-site"), None, 403),
    ("our page, in a frame of others", "GET", "/", having(Sec_Fetch_Site="cross-site"), None, 403),
    ("our page, by a link of others", "GET", "/", having(**VISIT), None, 403),
    ("a guessed entry", "GET", "/open/" + "0" * 64, having(**VISIT), None, 403),
    ("a guessed entry from the keyboard", "GET", "/open/" + "0" * 64, having(), None, 404),
    # The token.
    ("no token", "GET", "/api/hello", without("X-Undercroft-Token"), None, 401),
    ("an empty token", "GET", "/api/hello", having(X_Undercroft_Token=""), None, 401),
    ("a wrong token", "GET", "/api/hello", having(X_Undercroft_Token="guess"), None, 401),
    ("the beginning of the token", "GET", "/api/hello", having(X_Undercroft_Token=TOKEN[:-1]), None, 401),
    ("more than the token", "GET", "/api/hello", having(X_Undercroft_Token=TOKEN + "x"), None, 401),
    ("the token in other letters", "GET", "/api/hello", having(X_Undercroft_Token=TOKEN.upper()), None, 401),
    ("two tokens", "GET", "/api/hello", having(X_Undercroft_Token=f"guess\n{TOKEN}"), None, 400),
    (
        "the token in the address",
        "GET",
        f"/api/hello?token={TOKEN.replace(' ', '%20')}",
        without("X-Undercroft-Token"),
        None,
        401,
    ),
    (
        "the token in a cookie",
        "GET",
        "/api/hello",
        lambda s, h: {**without("X-Undercroft-Token")(s, h), "Cookie": f"token={TOKEN}"},
        None,
        401,
    ),
    (
        "the token as a password",
        "GET",
        "/api/hello",
        lambda s, h: {**without("X-Undercroft-Token")(s, h), "Authorization": f"Bearer {TOKEN}"},
        None,
        401,
    ),
    (
        "a write without a token",
        "POST",
        "/api/files/save",
        without("X-Undercroft-Token"),
        b'{"path": "x.toml", "text": "", "seen": ""}',
        401,
    ),
    ("an unknown path without a token", "GET", "/api/secrets", without("X-Undercroft-Token"), None, 401),
    ("a path in disguise without a token", "GET", "/%61pi/hello", without("X-Undercroft-Token"), None, 401),
    # What is asked, and how.
    ("a write by GET", "GET", "/api/files/save", having(), None, 404),
    ("a read by POST", "POST", "/api/hello", having(), b"{}", 405),
    ("PUT", "PUT", "/api/files/save", having(), b"{}", 405),
    ("DELETE", "DELETE", "/api/files/save", having(), None, 405),
    ("PATCH", "PATCH", "/api/files/save", having(), b"{}", 405),
    (
        "a question before a request from elsewhere",
        "OPTIONS",
        "/api/files/save",
        without("X-Undercroft-Token"),
        None,
        401,
    ),
    ("the same with the token", "OPTIONS", "/api/files/save", having(), None, 405),
    ("TRACE", "TRACE", "/", having(), None, 405),
    ("a form", "POST", "/api/files/list", having(Content_Type="application/x-www-form-urlencoded"), b"path=x", 415),
    (
        "a form with a file",
        "POST",
        "/api/import",
        having(Content_Type="multipart/form-data; boundary=x"),
        b"--x--",
        415,
    ),
    (
        "plain text, as pages may send it anywhere",
        "POST",
        "/api/files/list",
        having(Content_Type="text/plain"),
        b"{}",
        415,
    ),
    ("no type", "POST", "/api/files/list", without("Content-Type"), b"{}", 415),
    ("a type that begins like JSON", "POST", "/api/files/list", having(Content_Type="application/jsonp"), b"{}", 415),
    ("the page itself by POST", "POST", "/", having(), b"{}", 405),
    # How much.
    (
        "more than it may have",
        "POST",
        "/api/files/save",
        having(Content_Length=str(limits.STUDIO_REQUEST_BYTES.value + 1)),
        None,
        413,
    ),
    ("a length beyond all", "POST", "/api/files/save", having(Content_Length="9" * 15), None, 413),
    (
        "an import beyond all",
        "POST",
        "/api/import",
        having(Content_Length=str(limits.STUDIO_UPLOAD_BYTES.value * 2)),
        None,
        413,
    ),
    ("no length", "POST", "/api/files/list", without("Content-Length"), None, 411),
    # Files of ours and of others.
    ("up from the page's files", "GET", "/../work.py", having(), None, 404),
    ("up in disguise", "GET", "/%2e%2e/work.py", having(), None, 404),
    ("up with other slashes", "GET", "/..%5cwork.py", having(), None, 404),
    ("a file of the machine", "GET", "//etc/passwd", having(), None, 404),
    ("a file of the machine in disguise", "GET", "/%2fetc%2fpasswd", having(), None, 404),
    ("a file that ends in nothing", "GET", "/index.html%00.js", having(), None, 404),
    ("the server's own code", "GET", "/app.py", having(), None, 404),
    # What is no question at all.
    ("no JSON", "POST", "/api/files/list", having(), b"{", 400),
    ("JSON that is no object", "POST", "/api/files/list", having(), b"[1]", 400),
    ("brackets without end", "POST", "/api/files/list", having(), b"[" * 100_000, 400),
    ("no text", "POST", "/api/files/read", having(), b'{"path": 7}', 400),
    ("a number that is none", "POST", "/api/files/list", having(), b'{"path": NaN}', 400),
]


def test_there_are_forty_hostile_requests_at_least() -> None:
    assert len(HOSTILE) >= 40
    assert len({name for name, *_ in HOSTILE}) == len(HOSTILE)


@pytest.mark.parametrize(
    ("method", "path", "change", "body", "status"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE]
)
def test_a_hostile_request_is_refused(
    server: Server, method: str, path: str, change: Change, body: bytes | None, status: int
) -> None:
    usual = server.headers()
    if method in ("POST", "PUT", "PATCH"):
        usual |= {"Origin": f"http://{server.host}", "Content-Type": JSON, "Content-Length": str(len(body or b""))}
    headers = change(server, usual)
    if body is not None and "Content-Length" in headers and headers["Content-Length"] == str(len(body or b"")):
        headers["Content-Length"] = str(len(body))
    before = sorted(server.project.iterdir())
    found, told, answer = server.request(method, path, headers, body)
    assert found == status, answer
    assert "access-control-allow-origin" not in told
    assert b"Traceback" not in answer
    assert sorted(server.project.iterdir()) == before


@pytest.mark.parametrize(
    ("path", "most"),
    [("/api/import", limits.STUDIO_UPLOAD_BYTES.value), ("/api/files/save", limits.STUDIO_REQUEST_BYTES.value)],
)
def test_what_is_too_long_is_said_in_a_sentence_that_the_page_shows(server: Server, path: str, most: int) -> None:
    headers = {
        **server.headers(),
        "Origin": f"http://{server.host}",
        "Content-Type": JSON,
        "Content-Length": str(2 * most),
    }
    status, told, answer = server.request("POST", path, headers, None)
    assert (status, told["content-type"]) == (413, "application/json")
    problem = json.loads(answer)
    assert f"{most:,} bytes are the most" in problem["problem"]
    assert problem["fix"]
    assert server.hello()["limits"]["upload"] == limits.STUDIO_UPLOAD_BYTES.value


def test_the_same_requests_from_our_page_are_answered(server: Server) -> None:
    """Else the table above would prove nothing."""
    assert server.hello()["project"] == str(server.project)
    for host in (
        f"127.0.0.1:{server.port}",
        f"localhost:{server.port}",
        f"LOCALHOST:{server.port}",
        f"[::1]:{server.port}",
    ):
        for origin in (None, f"http://{host}"):
            headers = {**server.headers(), "Host": host, **({"Origin": origin} if origin else {})}
            assert server.request("GET", "/api/hello", headers)[0] == 200, host
    # no browser, but who knows the token
    assert server.request("GET", "/api/hello", {"Host": server.host, "X-Undercroft-Token": TOKEN})[0] == 200
    assert server.request("GET", "/", {"Host": server.host, "Sec-Fetch-Site": "none"})[0] == 200
    assert server.post("/api/files/list", {})[0] == 200


def test_it_listens_on_this_machine_only(server: Server) -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    assert (
        server.request("GET", "/api/hello", {**server.headers(), "Host": f"[::1]:{server.port}"}, address="::1")[0]
        == 200
    )
    own = next(
        (
            info[4][0]
            for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
            if not str(info[4][0]).startswith("127.")
        ),
        None,
    )
    if own is not None:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((str(own), server.port), timeout=2)


def test_every_answer_is_sealed(server: Server) -> None:
    for path, headers in (
        ("/", {"Host": server.host}),
        ("/api/hello", server.headers()),
        ("/api/hello", {"Host": "evil"}),
        ("/nothing", {"Host": server.host}),
    ):
        _, told, _ = server.request("GET", path, headers)
        policy = told["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert (told["x-content-type-options"], told["referrer-policy"]) == ("nosniff", "no-referrer")
        assert told["cross-origin-resource-policy"] == "same-origin"
        assert not [name for name in told if name.startswith("access-control")]
        assert "set-cookie" not in told


def test_a_body_that_grows_beyond_its_length_is_cut_off(server: Server) -> None:
    """Sent in pieces, without a length: counted as it comes."""
    head = "POST /api/files/list HTTP/1.1\r\n" + "".join(
        f"{name}: {value}\r\n"
        for name, value in {**server.headers(), "Content-Type": JSON, "Transfer-Encoding": "chunked"}.items()
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(f"{head}\r\n".encode())
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        try:
            for _ in range(limits.STUDIO_REQUEST_BYTES.value // 0x10000 + 2):
                line.sendall(piece)
            line.sendall(b"0\r\n\r\n")
        except OSError:
            pass  # it has heard enough
        assert b" 413 " in line.recv(4096).split(b"\r\n")[0]
    assert server.hello()["version"]


def test_nothing_but_these_paths_can_be_posted_to(server: Server) -> None:
    for path in ("/api/make", "/api/live", "/api/files", "/api/files/write", "/api/state", "/api/"):
        assert server.post(path, {})[0] in (404, 405), path
    assert "/api/make" not in POST_HANDLERS


# --- the socket


def shaken(server: Server, **change: str | None) -> int:
    """The status with which a socket is answered."""
    usual: dict[str, str | None] = {
        "Host": server.host,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        "Sec-WebSocket-Version": "13",
        "Origin": f"http://{server.host}",
    }
    path = change.pop("path", None) or "/api/live"
    headers = {
        **usual,
        **{name.replace("_", "-"): value and value.replace("PORT", str(server.port)) for name, value in change.items()},
    }
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(
            (
                f"GET {path} HTTP/1.1\r\n"
                + "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value is not None)
                + "\r\n"
            ).encode()
        )
        return int(line.recv(4096).split(b" ")[1])


@pytest.mark.parametrize(
    "change",
    [
        {"Origin": EVIL},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost:PORT"},
        {"Origin": "https://127.0.0.1:PORT"},
        {"Origin": "http://[::1]:PORT"},
        {"Host": "evil.example:PORT", "Origin": "http://evil.example:PORT"},
        {"Host": "[::ffff:127.0.0.1]:PORT", "Origin": None},
        {"Host": None},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"path": "/api/other"},
        {"path": "/"},
    ],
)
def test_a_hostile_socket_is_refused(server: Server, change: dict[str, str | None]) -> None:
    assert shaken(server, **change) in (400, 403, 404)


def test_a_socket_of_our_page_is_taken(server: Server) -> None:
    assert shaken(server) == 101
    assert shaken(server, Origin=None) == 101
    assert shaken(server, Host="[::1]:PORT", Origin="http://[::1]:PORT", Sec_Fetch_Site="same-origin") == 101


@pytest.mark.parametrize(
    "first",
    [
        {"token": "guess"},
        {"token": ""},
        {"token": None},
        {"token": 7},
        {"token": [TOKEN]},
        {},
        [],
        TOKEN,
        {"id": 1, "lane": "x", "do": "make", "measures": [], **source()},
        {"TOKEN": TOKEN},
    ],
)
def test_the_first_message_is_the_token_or_the_last(server: Server, first: Any) -> None:
    with Page(server, introduced=False) as page:
        page.say(first)
        with contextlib.suppress(ConnectionClosed):  # it may have been closed already
            page.ask("make", measures=[], **source())
        with pytest.raises(ConnectionClosed) as closed:
            page.hear(10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401


@pytest.mark.parametrize(
    "message",
    [
        "no JSON",
        b"\xff\xfe",
        "[" * 50_000,
        json.dumps({"id": "one", "lane": "x", "do": "make"}),
        json.dumps({"id": 1, "lane": 7, "do": "make"}),
        json.dumps({"id": 1, "lane": "x", "do": "__import__"}),
        json.dumps({"id": 1, "lane": "x", "do": "hello"}),
        json.dumps({"id": 1, "lane": "x", "do": "export", "outputs": []}),
        json.dumps({"id": -1, "lane": "x", "do": "make"}),
        json.dumps({"id": 1 << 60, "lane": "x", "do": "make"}),
        json.dumps([1, 2, 3]),
        "null",
        "7",
    ],
)
def test_what_nobody_understands_is_answered_so(page: Page, message: str | bytes) -> None:
    page.line.send(message)
    assert page.ending()["kind"] == "problem"
    assert page.answer("make", measures=[], **source())[0]["size"] == [60, 30]  # the line is still good


def test_a_message_that_is_too_long_ends_the_line(server: Server) -> None:
    with server.page() as page:
        page.line.send(" " * (limits.STUDIO_REQUEST_BYTES.value + 1))
        with pytest.raises(ConnectionClosed):
            page.hear(10)
    assert server.hello()["version"]


def visit(path: str, *, method: str = "GET", kind: str = "http", **more: str) -> dict[str, Any]:
    """The scope of a request that a file of this machine leads to."""
    named = {"Host": "127.0.0.1:5", **VISIT, **more}
    headers = [(name.replace("_", "-").lower().encode(), value.encode()) for name, value in named.items()]
    return {"type": kind, "method": method, "path": path, "headers": headers}


def test_a_file_of_this_machine_leads_to_the_entry_while_it_is_open() -> None:
    guard = RequestGuard(None, "right", 5)  # type: ignore[arg-type]
    entry = guard.open_entry()
    assert re.fullmatch("/open/[0-9a-f]{64}", entry)
    assert guard.find_refusal(visit(entry)) is None
    assert guard.find_refusal(visit(entry, Sec_Fetch_Site="none")) is None, "not every browser says cross-site"
    guard.close_entry()
    closed = guard.find_refusal(visit(entry, Sec_Fetch_Site="none"))
    assert closed is not None
    assert closed.status == 404
    assert guard.find_refusal(visit(entry)) is not None
    assert guard.open_entry() != entry


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("/", {}),
        ("/page.js", {}),
        ("/api/hello", {"X-Undercroft-Token": "right"}),
        ("/api/files/list", {"X-Undercroft-Token": "right", "method": "POST", "Content-Type": JSON}),
        ("/api/live", {"kind": "websocket"}),
        ("ENTRY", {"kind": "websocket"}),
        ("ENTRY", {"method": "HEAD"}),
        ("ENTRY", {"method": "POST"}),
        ("ENTRY", {"Sec_Fetch_Site": "same-site"}),
        ("ENTRY", {"Sec_Fetch_Mode": "cors"}),
        ("ENTRY", {"Sec_Fetch_Mode": "no-cors"}),
        ("ENTRY", {"Sec_Fetch_Dest": "iframe"}),
        ("ENTRY", {"Sec_Fetch_Dest": "script"}),
        ("ENTRY", {"Origin": "null"}),
        ("ENTRY", {"Host": "evil.example:5"}),
        ("ENTRY/", {}),
        ("ENTRY0", {}),
    ],
)
def test_an_open_entry_opens_nothing_else(path: str, more: dict[str, str]) -> None:
    guard = RequestGuard(None, "right", 5)  # type: ignore[arg-type]
    entry = guard.open_entry()
    assert guard.find_refusal(visit(path.replace("ENTRY", entry), **more)) is not None


def test_the_token_is_compared_in_constant_time() -> None:
    guard = RequestGuard(None, "right", 80)  # type: ignore[arg-type]
    assert guard.accept_token("right")
    assert not any(
        guard.accept_token(wrong)
        for wrong in ("", "r", "righ", "wrong", "right ", "räight", "\ud800", None, 5, b"right")
    )


def test_pages_are_not_without_number(server: Server) -> None:
    with contextlib.ExitStack() as opened:
        pages = [opened.enter_context(server.page()) for _ in range(20)]
        codes = [code for code in map(_closed, pages) if code is not None]
        assert 4 <= len(codes) < 20
        assert set(codes) == {4429}


def _closed(page: Page) -> int | None:
    """The code with which a page was closed, if it was."""
    try:
        page.answer("make", measures=[], **source())
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0
    return None
