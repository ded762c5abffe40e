"""The routes: the page's own files, and what it asks over HTTP."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from undercroft.studio.server import guard, http_requests
from undercroft.studio.server.guard import App, Guard
from undercroft.studio.server.live import Live
from undercroft.studio.server.studio import Studio

STATIC = Path(__file__).parents[1] / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain; charset=utf-8",
    ".map": "application/json",
}
UNBUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Undercroft studio</title>
<h1>The studio's page is not built</h1>
<p>The server is here, but this checkout has no page for it yet.</p>
<p>Say <code>make studio</code> in the checkout, which builds the page and starts the studio;
or install the wheel, which has the page in it: <code>pip install 'undercroft[studio]'</code>.</p>
</html>
"""


def app(studio: Studio, token: str, port: int, static: Path | None = None) -> App:
    """The whole server, with the guard before it. The page is that in our own folder, or in another one, while somebody
    works at it.
    """

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        studio.begin()
        yield
        await studio.end()

    async def files(request: Request) -> Response:
        return page(request.path_params["path"] or "index.html", request.headers["host"], static)

    async def live(socket: WebSocket) -> None:
        await Live(studio, socket).serve()

    routes = [
        *http_requests.routes(studio),
        WebSocketRoute(guard.LIVE, live),
        Route("/{path:path}", files, methods=["GET", "HEAD"]),
    ]
    studio.guard = Guard(Starlette(routes=routes, lifespan=lifespan), token, port)
    return studio.guard


def page(name: str, host: str, folder: Path | None = None) -> Response:
    """One of the page's own files. Only those that are there can be asked for: no path is put together from what
    somebody sent.
    """
    folder = folder or STATIC
    known = (
        {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        if folder.is_dir()
        else {}
    )
    if name == "index.html" and name not in known:
        return Response(UNBUILT, 200, {"content-security-policy": guard.POLICY}, media_type="text/html")
    if name not in known:
        return Response("there is nothing here", 404, media_type="text/plain")
    data = known[name].read_bytes()
    headers = {"cache-control": "no-cache", "content-type": TYPES.get(known[name].suffix, "application/octet-stream")}
    if name == "index.html":
        nonce = os.urandom(18).hex()
        data = data.replace(b"__NONCE__", nonce.encode())
        headers["content-security-policy"] = (
            f"{guard.POLICY}; style-src 'self' 'nonce-{nonce}'; img-src 'self' blob: data:; connect-src 'self' "
            f"ws://{host}; font-src 'self'"
        )
        headers["cache-control"] = "no-store"
    return Response(data, 200, headers)
