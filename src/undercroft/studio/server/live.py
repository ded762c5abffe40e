"""The socket of a page: the token first, then requests in and answers out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from undercroft import limits
from undercroft.errors import BadInput
from undercroft.studio.protocol import messages
from undercroft.studio.server.lanes import Lanes

if TYPE_CHECKING:
    from undercroft.studio.server.studio import Studio

HANDSHAKE_SECONDS = 5.0
"""Seconds within which the token must arrive."""
CLOSE_BAD_TOKEN, CLOSE_TOO_MANY_PAGES, CLOSE_TOO_SLOW = 4401, 4429, 4408
"""Close codes of a socket: wrong token, too many pages, or a page that does not read its messages."""


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
        """Serve the page until it disconnects."""
        await self._socket.accept()
        if not await self._is_authorised():
            await self._socket.close(CLOSE_BAD_TOKEN)
            return
        if len(self._studio.pages) >= limits.STUDIO_PAGES.value:
            await self._socket.close(CLOSE_TOO_MANY_PAGES)
            return
        self._studio.pages.add(self)
        sender = asyncio.create_task(self._send_queued())
        try:
            while True:
                self.lanes.on_message(await self._receive())
        except WebSocketDisconnect:
            pass
        finally:
            self._studio.pages.discard(self)
            self.lanes.close()
            sender.cancel()

    async def _is_authorised(self) -> bool:
        try:
            message = await asyncio.wait_for(self._receive(), HANDSHAKE_SECONDS)
        except (TimeoutError, WebSocketDisconnect):
            return False
        return isinstance(message, dict) and self._studio.is_token(message.get("token"))

    async def _receive(self) -> Any:
        """The next message; None if it is not valid JSON."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        data = message.get("text") or message.get("bytes") or ""
        if len(data) > limits.STUDIO_REQUEST_BYTES.value:
            self.send(
                messages.encode_json(
                    {
                        "id": 0,
                        "kind": "problem",
                        **messages.build_problem(BadInput("that message is too long", fix="ask for less at a time")),
                    }
                )
            )
            return {"cancel": ""}
        try:
            return msgspec.json.decode(data)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return None

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
            except (WebSocketDisconnect, RuntimeError, OSError):
                return  # the page is gone; `serve` notices it too
