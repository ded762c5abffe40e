"""Connections that wait for their client only so long: one that sends half of a request is dropped.

uvicorn limits how long a connection stays idle between two requests, but waits for the rest of a request for ever.
"""

from __future__ import annotations

import asyncio
import codecs
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

HEAD_SECONDS = 10.0
"""Seconds in which the line and the headers of a request must arrive, counted from the start of the connection, or
from the first byte of a later request.
"""
BODY_SECONDS = 10.0
"""Seconds to wait for the next byte of a body. Slow uploads go on as long as bytes arrive."""
CLOSE_SECONDS = 2.0
"""Seconds in which a page must confirm that its socket is closed."""
MAX_WAITING = 100
"""The most connections without a request under way, and sockets without a message. A further one replaces the oldest of
them, so that they do not stay at the number from which uvicorn refuses requests.
"""


class HttpConnection(H11Protocol):
    """A connection of HTTP that is dropped if half of a request arrives and no more."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.opened_at = self.loop.time()
        """When it was made."""
        self._timer: asyncio.TimerHandle | None = None
        self._awaits_head = False

    @property
    def is_waiting(self) -> bool:
        """Whether no request is under way."""
        return self.conn.our_state not in (h11.SEND_RESPONSE, h11.SEND_BODY)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.opened_at = self.loop.time()
        self._await_head()
        self._drop_oldest()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self or self.transport.is_closing():
            self._stop_timer()
        elif self.conn.their_state is h11.SEND_BODY:
            self._start_timer(BODY_SECONDS)
        elif self.conn.their_state is not h11.IDLE:
            self._stop_timer()
        elif not self._awaits_head:  # the deadline of a head does not move with its bytes
            self._await_head()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        super().handle_websocket_upgrade(event)
        successor = self.transport.get_protocol()
        if isinstance(successor, SocketConnection):
            successor.opened_at = self.opened_at

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP. There is one answer only: this one, or the one that has begun already."""
        if not self.is_waiting:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def _drop_oldest(self) -> None:
        """End the connection that has waited longest, if too many wait."""
        waiting = [
            one
            for one in self.connections
            if isinstance(one, HttpConnection | SocketConnection) and one.is_waiting and not one.transport.is_closing()
        ]
        if len(waiting) > MAX_WAITING:
            min(waiting, key=lambda one: one.opened_at).transport.abort()

    def _await_head(self) -> None:
        self._start_timer(HEAD_SECONDS)
        self._awaits_head = True

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._on_timer)

    def _stop_timer(self) -> None:
        self._awaits_head = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_timer(self) -> None:
        if self.flow.read_paused:  # the client is not late: the studio has not read yet what came
            self._start_timer(BODY_SECONDS)
        else:
            self.transport.abort()


class SocketConnection(WebSocketsSansIOProtocol):
    """A connection of a WebSocket. One that is closed waits only shortly for its client; one that sends no UTF-8 as
    text is closed, without a traceback in the log.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.opened_at = self.loop.time()
        self.is_waiting = True
        """Whether no message has come yet: the first one is the token."""
        self.close_timeout = CLOSE_SECONDS
        self._decoder: codecs.IncrementalDecoder | None = None

    def handle_text(self, event: Frame) -> None:
        self.is_waiting = False
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        if self._check_text(event):
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        self.is_waiting = False
        self._decoder = None
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        if self._check_text(event):
            super().handle_cont(event)

    def _check_text(self, event: Frame) -> bool:
        """Whether a part of a text is UTF-8; if not, the connection is closed (RFC 6455, section 8.1)."""
        try:
            if self._decoder is not None:
                self._decoder.decode(bytes(event.data), final=event.fin)
        except UnicodeDecodeError:
            if not self.transport.is_closing():
                self.conn.fail(1007)
                self.handle_parser_exception()
            return False
        return True
