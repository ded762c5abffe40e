"""The requests of the page over HTTP: files, exports, imports. All of them are POST with JSON, behind the guard."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from undercroft import limits
from undercroft.errors import BadInput, FileTrouble, TooBig, UndercroftError
from undercroft.studio.protocol import messages, trash, uses
from undercroft.studio.protocol.file_kinds import check_name
from undercroft.studio.protocol.project import FileChanged
from undercroft.studio.server.decode_json import RELOAD_FIX, UnreadableMessage, decode_json
from undercroft.studio.server.guard import BodyTooLong
from undercroft.studio.server.studio import CANCELLED, IS_CLIENT_GONE, RequestRefused, Studio

Handle = Callable[[Studio, dict[str, Any]], Awaitable[Any]]


class FileAnswer:
    """A file as the answer to a request."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data = name, data


async def fetch_catalogue(studio: Studio, _: dict[str, Any]) -> Any:
    return {**await studio.ask_worker({"do": "hello"}), "restart": studio.restart}


async def list_files(studio: Studio, _: dict[str, Any]) -> Any:
    return [row.data() for row in await asyncio.to_thread(studio.project.list_files)]


async def read_file(studio: Studio, body: dict[str, Any]) -> Any:
    return await asyncio.to_thread(studio.project.read_file, _require_text(body, "path"))


async def save_file(studio: Studio, body: dict[str, Any]) -> Any:
    path = _require_text(body, "path")
    if "kind" in body:
        check_name(path, _require_text(body, "kind"))
    return await studio.save(path, _require_text(body, "text"), _require_text(body, "seen"))


async def rename_file(studio: Studio, body: dict[str, Any]) -> Any:
    return await studio.rename(_require_text(body, "path"), _require_text(body, "to"))


async def delete_file(studio: Studio, body: dict[str, Any]) -> Any:
    return await studio.delete(_require_text(body, "path"))


async def list_trash(studio: Studio, _: dict[str, Any]) -> Any:
    return [row.data() for row in await asyncio.to_thread(trash.list_trash, studio.project)]


async def restore_file(studio: Studio, body: dict[str, Any]) -> Any:
    to = _require_text(body, "to") if "to" in body else None
    return await studio.restore(_require_text(body, "id"), to)


async def find_uses(studio: Studio, body: dict[str, Any]) -> Any:
    return await asyncio.to_thread(uses.find_uses, studio.project, _require_text(body, "path"))


async def export_files(studio: Studio, body: dict[str, Any]) -> Any:
    into = body.get("into")
    if into not in ("download", "project"):
        raise BadInput(f"files go into a download or the project, not {str(into)[:40]!r}", fix=RELOAD_FIX)
    found = await studio.ask_worker({**body, "do": "export"}, long=True, seconds=limits.STUDIO_EXPORT_SECONDS.value)
    if into == "download":
        return FileAnswer(found["name"], found["data"])
    return await studio.write_exported(found, body.get("over"))


async def save_level(studio: Studio, body: dict[str, Any]) -> Any:
    found = await studio.ask_worker({**body, "do": "save"}, long=True)
    return (await studio.write_exported(found, body.get("over"), ours=False))[0]


async def import_file(studio: Studio, body: dict[str, Any]) -> Any:
    read_as = body.get("read_as")
    try:
        data = base64.b64decode(_require_text(body, "data"), validate=True)
    except (binascii.Error, ValueError):
        raise BadInput("the file did not arrive whole", fix="import it again") from None
    name = _require_text(body, "name")[-limits.STUDIO_NAME_BYTES.value :]  # the suffix tells the format
    return await studio.import_level(name, data, read_as if isinstance(read_as, str) else None)


async def watch_outputs(studio: Studio, body: dict[str, Any]) -> Any:
    if body.get("stop") is not True and not isinstance(body.get("outputs"), list):
        raise BadInput("the request does not name the files to write", fix=RELOAD_FIX)
    return await studio.watch_outputs(body)


async def load_state(studio: Studio, _: dict[str, Any]) -> Any:
    return await studio.load_state()


async def store_state(studio: Studio, body: dict[str, Any]) -> Any:
    return await studio.store_state(body.get("changes"), _require_text(body, "tab"))


async def format_layout(studio: Studio, body: dict[str, Any]) -> Any:
    return await studio.ask_worker({**body, "do": "layout_text"})


POST_HANDLERS: dict[str, Handle] = {
    "/api/files/list": list_files,
    "/api/files/read": read_file,
    "/api/files/save": save_file,
    "/api/files/rename": rename_file,
    "/api/files/delete": delete_file,
    "/api/files/uses": find_uses,
    "/api/files/trash": list_trash,
    "/api/files/restore": restore_file,
    "/api/export": export_files,
    "/api/import": import_file,
    "/api/watch": watch_outputs,
    "/api/save": save_level,
    "/api/layout": format_layout,
    "/api/state/load": load_state,
    "/api/state/store": store_state,
}
"""The handlers of POST requests."""


def build_routes(studio: Studio) -> list[Route]:
    """A route for each handler."""
    posts = [Route(path, _endpoint(studio, handle), methods=["POST"]) for path, handle in POST_HANDLERS.items()]
    return [Route("/api/hello", _endpoint(studio, fetch_catalogue), methods=["GET"]), *posts]


def _endpoint(studio: Studio, handle: Handle) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            body = decode_json(await request.body() or b"{}")
        except ClientDisconnect:
            return json_response(CANCELLED, 499)  # nobody reads it
        except BodyTooLong as error:
            return json_response(messages.build_problem(BadInput(str(error), fix="send less")), 413)
        except UnreadableMessage as unreadable:
            return json_response(messages.build_problem(unreadable.problem), 400)
        if not isinstance(body, dict):
            return json_response(messages.build_problem(BadInput("a request is an object", fix=RELOAD_FIX)), 400)
        IS_CLIENT_GONE.set(request.is_disconnected)
        try:
            found = await handle(studio, body)
        except RequestRefused as refused:
            return json_response(refused.problem, refused.status)
        except UndercroftError as error:
            return json_response(messages.build_problem(error), _error_status(error))
        return _file_response(found) if isinstance(found, FileAnswer) else json_response(found)

    return endpoint


def _error_status(error: UndercroftError) -> int:
    """409 for a file that has changed, 404 for a missing one, 413 for a limit, 400 for other errors."""
    if isinstance(error, FileChanged):
        return 409
    if isinstance(error, FileTrouble) and "no such file" in error.problem:
        return 404
    return 413 if isinstance(error, TooBig) else 400


def json_response(data: Any, status: int = 200) -> Response:
    """An answer as JSON."""
    return Response(msgspec.json.encode(data), status, media_type="application/json")


def _file_response(file: FileAnswer) -> Response:
    """A file to download: the browser never opens it as a page of ours, whatever it holds."""
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._-") else "_" for sign in file.name)
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file.name, safe='')}"
    return Response(file.data, 200, {"content-disposition": disposition}, media_type="application/octet-stream")


def _require_text(body: dict[str, Any], key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str):
        raise BadInput(f"{key!r} is a text", fix=RELOAD_FIX)
    return value
