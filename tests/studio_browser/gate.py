"""A gate between the page and the server, with which tests control when an answer arrives."""

from __future__ import annotations

import json
import struct
from typing import Any


def head(message: str | bytes) -> dict[str, Any]:
    """The JSON of an answer."""
    found: dict[str, Any] = json.loads(
        message if isinstance(message, str) else message[4 : 4 + struct.unpack("<I", message[:4])[0]]
    )
    return found


class Gate:
    """Holds answers to one kind of request while it is shut (progress messages pass), and can simulate that the server
    is gone.
    """

    def __init__(self, page: Any) -> None:
        self.page, self.shut, self._away = page, "", False
        self._asked: dict[int, str] = {}
        self._waiting: list[str | bytes] = []
        self._here: Any = None
        page.route_web_socket("**/api/live", self._between)

    def _between(self, here: Any) -> None:
        if self._away:
            here.close()
            return
        there = here.connect_to_server()
        self._here = here

        def on_request(message: str) -> None:
            ask = json.loads(message)
            if "do" in ask:
                self._asked[ask["id"]] = ask["do"]
            there.send(message)

        def answered(message: str | bytes) -> None:
            answer = head(message)
            if self.shut and self._asked.get(answer["id"]) == self.shut and answer.get("kind") != "progress":
                self._waiting.append(message)
            else:
                here.send(message)

        here.on_message(on_request)
        there.on_message(answered)

    def open(self) -> None:
        """Release the waiting answers, once there are some."""
        for _ in range(500):
            if self._waiting:
                break
            self.page.wait_for_timeout(20)
        assert self._waiting
        self.shut = ""
        for message in self._waiting:
            self._here.send(message)
        self._waiting.clear()
        self.page.wait_for_timeout(200)

    def leave(self) -> None:
        """Simulate that the server is gone."""
        self._away = True
        self._here.close()
        self.page.locator(".banner").wait_for()

    def come_back(self) -> None:
        self._away = False
        self.page.get_by_role("button", name="Try now").click()
        self.page.locator(".banner").wait_for(state="detached")
