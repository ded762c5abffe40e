"""The socket of a page: the token first, then requests in and answers out."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from undercroft import limits
from undercroft.errors import BadInput
from undercroft.studio.server.decode_json import UnreadableMessage, decode_json
from undercroft.studio.server.lanes import Lanes

if TYPE_CHECKING:
    from undercroft.studio.server.studio import Studio

HANDSHAKE_SECONDS = 5.0
"""Seconds within which the token must arrive."""
CLOSE_BAD_TOKEN, CLOSE_TOO_MANY_PAGES, CLOSE_TOO_SLOW = 4401, 4429, 4408
"""Close codes of a socket: wrong token, too many pages, or a page that does not read its messages."""
DISCONNECT_ERRORS = (WebSocketDisconnect, RuntimeError, OSError)
"""What sending to a page raises that is gone; which of them depends on the version of uvicorn."""


class LiveConnection:
    """A connected page."""

    def __init__(self, studio: Studio, socket: WebSocket) -> None:
        self._studio, self._socket = studio, socket
        self._out: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self._bytes = 0
        self.lanes = Lanes(studio.workers, self.send, studio.on_level_made, studio.with_imports)

    def send(self, message: str | bytes) -> None:
        """Queue a message."""
        self._bytes += len(message)
        self._out.put_nowait(message if self._bytes <= limits.STUDIO_QUEUED_BYTES.value else None)

    async def serve(self) -> None:
        """Serve the page until it disconnects, which it may do at any moment."""
        with contextlib.suppress(WebSocketDisconnect):
            await self._serve()

    async def _serve(self) -> None:
        await self._socket.accept()
        if not await self._is_authorised():
            await self._close(CLOSE_BAD_TOKEN)
            return
        if len(self._studio.pages) >= limits.STUDIO_PAGES.value:
            await self._close(CLOSE_TOO_MANY_PAGES)
            return
        self._studio.pages.add(self)
        sender = asyncio.create_task(self._send_queued())
        try:
            while True:
                try:
                    self.lanes.on_message(await self._receive())
                except UnreadableMessage as unreadable:
                    self.lanes.refuse(unreadable.number, unreadable.problem)
        finally:
            self._studio.pages.discard(self)
            self.lanes.close()
            sender.cancel()

    async def _close(self, code: int) -> None:
        with contextlib.suppress(*DISCONNECT_ERRORS):
            await self._socket.close(code)

    async def _is_authorised(self) -> bool:
        try:
            message = await asyncio.wait_for(self._receive(), HANDSHAKE_SECONDS)
        except (TimeoutError, UnreadableMessage):
            return False
        return isinstance(message, dict) and self._studio.accept_token(message.get("token"))

    async def _receive(self) -> Any:
        """The next message."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        data = message.get("text") or message.get("bytes") or ""
        if len(data) > limits.STUDIO_REQUEST_BYTES.value:
            raise UnreadableMessage(BadInput("that message is too long", fix="ask for less at a time"))
        return decode_json(data)

    async def _send_queued(self) -> None:
        while True:
            message = await self._out.get()
            try:
                if message is None:
                    await self._socket.close(CLOSE_TOO_SLOW)
                    return
                self._bytes -= len(message)
                await (
                    self._socket.send_text(message) if isinstance(message, str) else self._socket.send_bytes(message)
                )
            except DISCONNECT_ERRORS:
                return  # the page is gone; `serve` notices it too
