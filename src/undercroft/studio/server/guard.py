"""The guard of the studio: only the page that it served itself, in a browser of this machine, may send requests.

Any web page in the same browser can send requests to this server, so listening on this machine only is no protection.
The guard checks each request first; a refused request never reaches a route.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, NamedTuple

from undercroft import limits

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

TOKEN_HEADER = "x-undercroft-token"
LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")
"""The names of this machine for itself."""
ALLOWED_FETCH_SITES = ("same-origin", "none")
"""The allowed values of Sec-Fetch-Site: our own page, or the user at the keyboard."""
LIVE_PATH = "/api/live"
ENTRY_FOLDER = "/open/"
"""Where the entry path lies: the address with which a file of this machine opens the page."""
LARGE_BODY_BYTES = {"/api/import": limits.STUDIO_UPLOAD_BYTES.value * 4 // 3 + 4096}
"""Paths that may have longer bodies: base64 takes four characters for three bytes."""
SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cache-control", b"no-store"),
)
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
)


class Refusal(NamedTuple):
    status: int
    why: str
    fix: str = ""


class RequestGuard:
    """Checks requests before the app. `port` is the port of the server, `token` a secret that only our page has.

    `on_token` is called whenever the right token arrives.
    """

    def __init__(self, app: App, token: str, port: int) -> None:
        self.app, self.token = app, token
        self.on_token: Callable[[], None] = lambda: None
        self._entry: str | None = None
        self._hosts = {f"{name}:{port}" for name in LOCAL_HOSTS} | (set(LOCAL_HOSTS) if port == 80 else set())

    def open_entry(self) -> str:
        """Allow other sites to open one page, at a path that cannot be guessed. Returns the path."""
        self._entry = ENTRY_FOLDER + os.urandom(32).hex()
        return self._entry

    def close_entry(self) -> None:
        """Allow it no longer."""
        self._entry = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            if self.find_refusal(scope) is None:
                await self.app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "http":
            await self._serve_http(scope, receive, send)

    def find_refusal(self, scope: Scope) -> Refusal | None:
        """Why a request is refused; None if it is not."""
        headers = _parse_headers(scope["headers"])
        if headers is None:
            return Refusal(400, "a header stands there twice")
        host = headers.get("host", "")
        if host.lower() not in self._hosts:
            return Refusal(421, f"this is not the studio of {host[:80]!r}; open the address that it printed")
        if "origin" in headers and headers["origin"].lower() != f"http://{host.lower()}":
            return Refusal(403, "another page asks; the studio answers its own page only")
        path = scope["path"]
        at_entry = self._is_entry(path)
        if headers.get("sec-fetch-site", "none") not in ALLOWED_FETCH_SITES and not (
            at_entry and _is_visit(scope, headers)
        ):
            return Refusal(403, "another site asks; the studio answers its own page only")
        if path.startswith(ENTRY_FOLDER) and not at_entry:
            return Refusal(404, "this way into the studio is closed; open the address that it printed")
        if scope["type"] == "websocket":
            return None if path == LIVE_PATH else Refusal(404, "there is nothing here")
        return self._find_http_refusal(scope["method"], path, headers)

    def _find_http_refusal(self, method: str, path: str, headers: dict[str, str]) -> Refusal | None:
        api = path.startswith("/api/")
        if api and not self.accept_token(headers.get(TOKEN_HEADER, "")):
            return Refusal(401, "the token is missing or wrong; open the address that the studio printed")
        if method not in (("GET", "POST") if api else ("GET", "HEAD")):
            return Refusal(405, f"{method[:20]} is not done here")
        if method == "POST":
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return Refusal(415, "say it in application/json")
            if "transfer-encoding" not in headers and not headers.get("content-length", "").isdecimal():
                return Refusal(411, "say how long it is")
            if int(headers.get("content-length") or 0) > max_body_bytes(path):
                return Refusal(413, *_describe_too_long(path))
        return None

    def accept_token(self, token: Any) -> bool:
        """Whether this is the token, compared in constant time. If it is, `on_token` is called."""
        right = isinstance(token, str) and _are_equal(token, self.token)
        if right:
            self.on_token()
        return right

    def _is_entry(self, path: str) -> bool:
        return self._entry is not None and _are_equal(path, self._entry)

    async def _serve_http(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_secured(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message["headers"]}
                policy = (
                    ()
                    if b"content-security-policy" in own
                    else ((b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),)
                )
                message["headers"] = [
                    *message["headers"],
                    *(pair for pair in (*SECURITY_HEADERS, *policy) if pair[0] not in own),
                ]
            await send(message)

        refusal = self.find_refusal(scope)
        if refusal is not None:
            await _send_refusal(send_secured, refusal, as_json=scope["path"].startswith("/api/"))
            return
        await self.app(scope, _BoundedReceive(receive, max_body_bytes(scope["path"])), send_secured)


class BodyTooLong(Exception):
    """A body is longer than allowed."""


class _BoundedReceive:
    """Passes a limited number of bytes of a body, whatever the headers claim."""

    def __init__(self, receive: Receive, most: int) -> None:
        self.most = most
        self._receive = receive
        self._seen = 0

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > self.most:
            raise BodyTooLong(f"that is too long: {self.most:,} bytes are the most")
        return message


def max_body_bytes(path: str) -> int:
    """The most bytes of a request's body."""
    return LARGE_BODY_BYTES.get(path, limits.STUDIO_REQUEST_BYTES.value)


def _describe_too_long(path: str) -> tuple[str, str]:
    """The problem and the fix for a body that is too long."""
    if path in LARGE_BODY_BYTES:
        return (
            f"that file is too long: {limits.STUDIO_UPLOAD_BYTES.value:,} bytes are the most "
            "that can be given to the studio",
            limits.STUDIO_UPLOAD_BYTES.raise_by,
        )
    return f"that is too long: {max_body_bytes(path):,} bytes are the most", limits.STUDIO_REQUEST_BYTES.raise_by


def _are_equal(given: str, secret: str) -> bool:
    """Whether two texts are equal, in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _is_visit(scope: Scope, headers: dict[str, str]) -> bool:
    """Whether a browser opens a page in a window of its own. From a file it says that another site asks."""
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and headers.get("sec-fetch-site") == "cross-site"
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
    )


_SINGLE_HEADERS = (
    "host",
    "origin",
    "sec-fetch-site",
    "sec-fetch-mode",
    "sec-fetch-dest",
    TOKEN_HEADER,
    "content-type",
    "content-length",
)


def _parse_headers(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str] | None:
    """The headers by name; None if an important one is repeated."""
    found: dict[str, str] = {}
    for name, value in pairs:
        key = name.decode("latin-1").lower()
        if key in found and key in _SINGLE_HEADERS:
            return None
        found[key] = value.decode("latin-1").strip()
    return found


async def _send_refusal(send: Send, refusal: Refusal, *, as_json: bool) -> None:
    """Send the reason; as JSON it has the form of every problem, so that the page can show it."""
    body = (
        json.dumps({"problem": refusal.why, "fix": refusal.fix, "place": None}) if as_json else refusal.why
    ).encode()
    kind = b"application/json" if as_json else b"text/plain; charset=utf-8"
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
