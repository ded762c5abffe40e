"""Run the studio in its own process, and connect to it as the page does."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

from support.paths import TESTS
from support.processes import nobody_left
from undercroft.studio.protocol.messages import unpack_message

TOKEN = "a token that only the tests know"
PAGE = TESTS / "studio" / "page"
"""A stand-in for the page, which these tests do not need to build."""
Heard = tuple[dict[str, Any], dict[str, Any]]


def source(name: str = "cave", seed: str = "7", **more: Any) -> dict[str, Any]:
    """A source as the page sends it."""
    return {"recipe": {"name": name}, "seed": seed, "size": None, "params": {}, "until": [], "tries": 100, **more}


class Server:
    """`undercroft studio` on a project of the tests."""

    def __init__(self, project: Path, *options: str, token: str = TOKEN) -> None:
        self.project, self.token = project, token
        self.config = project.with_name(project.name + "-config")
        """The folder of this user's settings, beside the project."""
        command = [
            sys.executable,
            "-m",
            "undercroft",
            "studio",
            "--no-browser",
            "--project",
            str(project),
            "--token",
            token,
            "--page",
            str(PAGE),
            *options,
        ]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "XDG_CONFIG_HOME": str(self.config)},
        )
        self.said = self._first_line()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/#token=(.*)", self.said)
        self.port = int(found[1]) if found else 0

    def _first_line(self) -> str:
        assert self.process.stdout
        if not select.select([self.process.stdout], [], [], 60)[0]:
            raise TimeoutError("the studio says nothing")
        return self.process.stdout.readline()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self, number: int = signal.SIGINT, within: float = 10.0) -> tuple[int, str]:
        """End it, and check that none of its processes is left. Returns the exit code and stderr."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, complaints = self.process.communicate(timeout=within)
        assert nobody_left(self.process.pid), "a worker outlived the studio"
        return self.process.returncode, complaints

    @property
    def children(self) -> list[int]:
        """Its workers."""
        found: list[int] = []
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(OSError):  # a thread that ended meanwhile
                found += map(int, (task / "children").read_text().split())
        return found

    @property
    def memory(self) -> int:
        """Bytes of memory of the server process itself."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def request(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        *,
        address: str = "127.0.0.1",
    ) -> tuple[int, dict[str, str], bytes]:
        """One request with just these headers: status, headers and body of the answer."""
        line = http.client.HTTPConnection(address, self.port, timeout=30)
        try:
            line.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in (headers or {}).items():
                for each in value.split("\n"):  # a header that occurs twice
                    line.putheader(name, each)
            line.endheaders(body)
            answer = line.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            line.close()

    def headers(self, **more: str) -> dict[str, str]:
        """The headers that our own page sends."""
        return {"Host": self.host, "X-Undercroft-Token": self.token, "Sec-Fetch-Site": "same-origin", **more}

    def post(self, path: str, data: Any) -> tuple[int, Any]:
        """Post as the page does, and return the answer: JSON as data, files as bytes."""
        body = json.dumps(data).encode()
        headers = self.headers(
            Origin=f"http://{self.host}", **{"Content-Type": "application/json", "Content-Length": str(len(body))}
        )
        status, told, answer = self.request("POST", path, headers, body)
        return status, json.loads(answer) if told.get("content-type") == "application/json" else answer

    def kept_values(self) -> dict[str, Any]:
        """The values that pages have kept, by their names."""
        status, found = self.post("/api/state/load", {})
        assert status == 200, found
        return {name: entry["value"] for name, entry in found["values"].items()}

    def keep(self, **values: Any) -> None:
        """Keep values as a page does; names with a blank come as `**{...}`."""
        now = round(time.time() * 1000)
        changes = {name: {"at": now, "value": value} for name, value in values.items()}
        assert self.post("/api/state/store", {"changes": changes, "tab": "test"})[0] == 200

    def forget(self) -> None:
        """Remove all that pages have kept, as if nobody had opened this project before."""
        self.kept_values()  # what was sent until now is written by now
        for folder in (self.project / ".undercroft", self.config):
            for path in folder.glob("**/*.json"):
                path.unlink()

    def hello(self) -> dict[str, Any]:
        status, _, body = self.request("GET", "/api/hello", self.headers())
        assert status == 200, body
        found: dict[str, Any] = json.loads(body)
        return found

    def page(self) -> Page:
        return Page(self)


class Page:
    """A WebSocket to the studio."""

    def __init__(self, server: Server, *, introduced: bool = True) -> None:
        self._opened = contextlib.ExitStack()
        self.line: ClientConnection = self._opened.enter_context(
            connect(f"ws://{server.host}/api/live", max_size=None, compression=None)
        )
        self._number = 0
        if introduced:
            self.say({"token": server.token})

    def __enter__(self) -> Page:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.close()

    def say(self, message: Any) -> None:
        """Send something."""
        self.line.send(json.dumps(message))

    def ending(self) -> dict[str, Any]:
        """The next message that ends a request: neither progress nor changed files."""
        while (head := self.hear()[0])["kind"] in ("progress", "changed"):
            pass
        return head

    def ask(self, do: str, lane: str = "lane", **ask: Any) -> int:
        """Send a request; returns its number."""
        self._number += 1
        self.say({"id": self._number, "lane": lane, "do": do, **ask})
        return self._number

    def hear(self, within: float = 60.0) -> Heard:
        """The next message: head and parts."""
        message = self.line.recv(timeout=within)
        return (json.loads(message), {}) if isinstance(message, str) else unpack_message(message)

    def answers(self, do: str, lane: str = "lane", **ask: Any) -> list[Heard]:
        """All messages that answer a request, up to the last."""
        number, found = self.ask(do, lane, **ask), list[Heard]()
        while not found or found[-1][0]["kind"] in ("part", "progress"):
            head, parts = self.hear()
            if head.get("id") == number:
                found.append((head, parts))
        return found

    def answer(self, do: str, lane: str = "lane", **ask: Any) -> Heard:
        """The last message that answers a request, which must not be a problem."""
        head, parts = self.answers(do, lane, **ask)[-1]
        assert head["kind"] == "done", head
        return head, parts

    def problem(self, do: str, lane: str = "lane", **ask: Any) -> dict[str, Any]:
        """The problem that answers a request."""
        head, _ = self.answers(do, lane, **ask)[-1]
        assert head["kind"] == "problem", head
        return head


def until(holds: Any, within: float = 10.0) -> bool:
    """Whether a condition becomes true soon."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False
