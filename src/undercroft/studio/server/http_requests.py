"""What the page asks over HTTP: files, exports, imports. All of it POST with JSON, and looked at by the guard
before.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from undercroft import limits
from undercroft.errors import BadInput, FileTrouble, TooBig, UndercroftError
from undercroft.studio.protocol import messages
from undercroft.studio.protocol.project import Changed
from undercroft.studio.server.guard import TooLong
from undercroft.studio.server.studio import GONE, Refused, Studio

Handle = Callable[[Studio, dict[str, Any]], Awaitable[Any]]
AGAIN = "load the page anew"


class File:
    """An answer that is a file."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data = name, data


async def hello(studio: Studio, _: dict[str, Any]) -> Any:
    return await studio.asked({"do": "hello"})


async def listed(studio: Studio, _: dict[str, Any]) -> Any:
    return [row.data() for row in await asyncio.to_thread(studio.project.files)]


async def read(studio: Studio, body: dict[str, Any]) -> Any:
    return await asyncio.to_thread(studio.project.read, _text(body, "path"))


async def save(studio: Studio, body: dict[str, Any]) -> Any:
    return await studio.save(_text(body, "path"), _text(body, "text"), _text(body, "seen"))


async def export(studio: Studio, body: dict[str, Any]) -> Any:
    into = body.get("into")
    if into not in ("download", "project"):
        raise BadInput(f"files go into a download or the project, not {str(into)[:40]!r}", fix=AGAIN)
    found = await studio.asked({**body, "do": "export"}, long=True, seconds=limits.STUDIO_EXPORT_SECONDS.value)
    return File(found["name"], found["data"]) if into == "download" else await studio.write(found)


async def save_level(studio: Studio, body: dict[str, Any]) -> Any:
    return (await studio.write(await studio.asked({**body, "do": "save"}, long=True)))[0]


async def take_in(studio: Studio, body: dict[str, Any]) -> Any:
    read_as = body.get("read_as")
    try:
        data = base64.b64decode(_text(body, "data"), validate=True)
    except (binascii.Error, ValueError):
        raise BadInput("the file did not arrive whole", fix="import it again") from None
    return await studio.take_in(_text(body, "name")[:200], data, read_as if isinstance(read_as, str) else None)


async def watch(studio: Studio, body: dict[str, Any]) -> Any:
    if body.get("stop") is not True and not isinstance(body.get("outputs"), list):
        raise BadInput("nobody said which files are to be written", fix=AGAIN)
    return await studio.watch(body)


async def layout(studio: Studio, body: dict[str, Any]) -> Any:
    return await studio.asked({**body, "do": "layout_text"})


POSTS: dict[str, Handle] = {
    "/api/files/list": listed,
    "/api/files/read": read,
    "/api/files/save": save,
    "/api/export": export,
    "/api/import": take_in,
    "/api/watch": watch,
    "/api/save": save_level,
    "/api/layout": layout,
}
"""What may be posted."""


def routes(studio: Studio) -> list[Route]:
    """A route for each."""
    posts = [Route(path, _endpoint(studio, handle), methods=["POST"]) for path, handle in POSTS.items()]
    return [Route("/api/hello", _endpoint(studio, hello), methods=["GET"]), *posts]


def _endpoint(studio: Studio, handle: Handle) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            body = msgspec.json.decode(await request.body() or b"{}")
        except TooLong as error:
            return said(messages.problem(BadInput(str(error), fix="send less")), 413)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return said(messages.problem(BadInput("that is no JSON", fix=AGAIN)), 400)
        if not isinstance(body, dict):
            return said(messages.problem(BadInput("a request is an object", fix=AGAIN)), 400)
        GONE.set(request.is_disconnected)
        try:
            found = await handle(studio, body)
        except Refused as refused:
            return said(refused.problem, refused.status)
        except UndercroftError as error:
            return said(messages.problem(error), _status(error))
        return _file(found) if isinstance(found, File) else said(found)

    return endpoint


def _status(error: UndercroftError) -> int:
    """409 for a file that is another by now, 404 for one that is not there, 413 for too much, 400 for the rest."""
    if isinstance(error, Changed):
        return 409
    if isinstance(error, FileTrouble) and "no such file" in error.problem:
        return 404
    return 413 if isinstance(error, TooBig) else 400


def said(data: Any, status: int = 200) -> Response:
    """An answer as JSON."""
    return Response(msgspec.json.encode(data), status, media_type="application/json")


def _file(file: File) -> Response:
    """A file to be kept, never shown: whatever it holds, the browser does not open it as a page of ours."""
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._-") else "_" for sign in file.name)
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file.name, safe='')}"
    return Response(file.data, 200, {"content-disposition": disposition}, media_type="application/octet-stream")


def _text(body: dict[str, Any], key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str):
        raise BadInput(f"{key!r} is a text", fix=AGAIN)
    return value
