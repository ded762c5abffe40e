"""The routes: the files of the page, and its requests over HTTP."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from undercroft.studio.server import guard, http_requests
from undercroft.studio.server.guard import RequestGuard
from undercroft.studio.server.live import LiveConnection
from undercroft.studio.server.studio import Studio

STATIC_FOLDER = Path(__file__).parents[1] / "static"
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain; charset=utf-8",
    ".map": "application/json",
}
UNBUILT_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Undercroft studio</title>
<h1>The studio's page is not built</h1>
<p>The server is here, but this checkout has no page for it yet.</p>
<p>In the checkout, say <code>make studio</code>, which builds the page and starts the studio, or
<code>make studio-page</code> before <code>pip install .</code>;
or install the wheel, which has the page in it: <code>pip install 'undercroft[studio]'</code>.</p>
</html>
"""
ENTRY_SCRIPT = 'location.replace("/" + location.hash)'
ENTRY_PAGE = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Undercroft studio</title><script>{ENTRY_SCRIPT}</script></html>
"""
"""The page at the entry path. It goes on to the real page with the token in the fragment. The real page is thus opened
by a page of ours, and never has to accept visitors from other sites, whose links could change what it shows.
"""
ENTRY_POLICY = (
    f"{guard.CONTENT_SECURITY_POLICY}; "
    f"script-src 'sha256-{base64.b64encode(hashlib.sha256(ENTRY_SCRIPT.encode()).digest()).decode()}'"
)


def build_app(studio: Studio, token: str, port: int, static: Path | None = None) -> RequestGuard:
    """The whole app, behind its guard. The page comes from the package, or from the folder `static` during
    development.
    """

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        studio.begin()
        yield
        await studio.end()

    async def serve_file(request: Request) -> Response:
        name = request.path_params["path"] or "index.html"
        theme = studio.state.theme() if name == "index.html" else ""
        return serve_page_file(name, request.headers["host"], static, theme)

    async def serve_entry(_: Request) -> Response:
        return Response(ENTRY_PAGE, 200, {"content-security-policy": ENTRY_POLICY}, media_type="text/html")

    async def serve_socket(socket: WebSocket) -> None:
        await LiveConnection(studio, socket).serve()

    routes = [
        *http_requests.build_routes(studio),
        WebSocketRoute(guard.LIVE_PATH, serve_socket),
        Route(guard.ENTRY_FOLDER + "{entry}", serve_entry, methods=["GET"]),
        Route("/{path:path}", serve_file, methods=["GET", "HEAD"]),
    ]
    studio.guard = RequestGuard(Starlette(routes=routes, lifespan=lifespan), token, port)
    return studio.guard


def serve_page_file(name: str, host: str, folder: Path | None = None, theme: str = "") -> Response:
    """A file of the page. Only files in its folder can be served: no path is built from the request.

    The page is told the theme that the user has chosen, so that it does not begin in the other one.
    """
    folder = folder or STATIC_FOLDER
    known = (
        {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        if folder.is_dir()
        else {}
    )
    if name == "index.html" and name not in known:
        return Response(
            UNBUILT_PAGE, 200, {"content-security-policy": guard.CONTENT_SECURITY_POLICY}, media_type="text/html"
        )
    if name not in known:
        return Response("there is nothing here", 404, media_type="text/plain")
    data = known[name].read_bytes()
    headers = {
        "cache-control": "no-cache",
        "content-type": CONTENT_TYPES.get(known[name].suffix, "application/octet-stream"),
    }
    if name == "index.html":
        nonce = os.urandom(18).hex()
        data = data.replace(b"__NONCE__", nonce.encode()).replace(b"__THEME__", theme.encode())
        headers["content-security-policy"] = (
            f"{guard.CONTENT_SECURITY_POLICY}; style-src 'self' 'nonce-{nonce}'; img-src 'self' blob: data:; "
            f"connect-src 'self' ws://{host}; font-src 'self'"
        )
        headers["cache-control"] = "no-store"
    return Response(data, 200, headers)
