"""Start the studio: open a port on this machine, print the address once, serve until interrupted."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from undercroft import limits
from undercroft.bulk.workers.pool import count_cores
from undercroft.errors import BadInput
from undercroft.studio.protocol.project import Project
from undercroft.studio.server.browser import REDIRECT_SECONDS, RedirectFile
from undercroft.studio.server.lock import lock_project
from undercroft.studio.server.port import open_port, open_project_port

if TYPE_CHECKING:
    import uvicorn

    from undercroft.studio.server.guard import App, RequestGuard

MAX_CONNECTIONS = 200
"""From this number of open connections on, requests are refused: those of pages that are connected, of requests under
way, and of at most `connections.MAX_WAITING` others.
"""
MALLOC_OPTIONS = {-3: 1 << 16, -1: 1 << 16, -8: 1}
"""M_MMAP_THRESHOLD, M_TRIM_THRESHOLD and M_ARENA_MAX of `mallopt`: large blocks are mapped one by one, and all threads
share one arena for small ones.
"""


def start_studio(
    folder: str | Path = ".",
    *,
    port: int = 0,
    token: str | None = None,
    workers: int | None = None,
    page: Path | None = None,
    command: Sequence[str] = ("undercroft", "studio"),
    ready: Callable[[str, str], None] = lambda *_: None,
    open_browser: Callable[[str], object] | None = None,
) -> None:
    """Serve a project until Ctrl-C. `ready` gets the address, with the token in it, once the server listens, and a
    sentence if that is not the project's own port. `open_browser` gets an address without the token that leads there;
    it runs in a thread of its own.

    A `port` of 0 is the project's own. `page` is a folder with another build of the page than that of the package.
    `command` starts a studio like this one: pages show it, with project and port, when the server is gone.
    """
    try:
        import uvicorn

        from undercroft.studio.server.app import STATIC_FOLDER, build_app
        from undercroft.studio.server.studio import Studio
        from undercroft.studio.server.worker_pool import StudioWorkers
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in (
            "uvicorn",
            "starlette",
            "websockets",
            "anyio",
            "h11",
        ):
            raise
        raise BadInput(
            f"the studio needs {error.name}, which is not installed", fix="pip install 'undercroft[studio]'"
        ) from None
    if page is None and not STATIC_FOLDER.joinpath("index.html").exists():
        raise BadInput(
            "the studio's page is not built",
            fix="in a checkout say make studio, or make studio-page before pip install; or install a wheel",
        )
    give_memory_back()
    project = Project(folder)
    token = os.urandom(32).hex() if token is None else token
    with lock_project(project.folder), contextlib.ExitStack() as opened:
        found = open_port(port) if port else open_project_port(project.folder)
        for one in found.sockets:
            opened.callback(one.close)
        restart = quote_command(
            [
                *command,
                *("--project", str(project.folder)),
                # pages of this run can only reconnect at its port
                *(("--port", str(found.number)) if port or found.taken else ()),
            ]
        )
        port = found.number
        studio = Studio(project, StudioWorkers(str(project.folder), workers or max(2, min(4, count_cores()))), restart)
        app = build_app(studio, token, port, page)
        server = uvicorn.Server(build_config(app))
        # uvicorn's own handler ends the process before any cleanup
        vars(server)["capture_signals"] = lambda: _handle_signals(server)

        def on_listening() -> None:
            note = f"Another program has port {found.taken}, on which this project opens: this time it is {port}."
            ready(f"http://127.0.0.1:{port}/#token={token}", note if found.taken else "")
            if open_browser is not None:
                with contextlib.suppress(OSError):  # no place for the file: the user opens the address
                    opened.callback(open_by_redirect(app, port, open_browser))

        asyncio.run(_serve(server, found.sockets, on_listening))


def quote_command(words: Sequence[str]) -> str:
    """The words as a line for the shell of this system.

    >>> quote_command(["undercroft", "studio", "--project", "/home/ann/my crypt"])
    "undercroft studio --project '/home/ann/my crypt'"
    """
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def build_config(app: App) -> uvicorn.Config:
    """The settings of the server."""
    import uvicorn

    from undercroft.studio.server.connections import HttpConnection, SocketConnection

    return uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        http=HttpConnection,
        ws=SocketConnection,
        loop="asyncio",
        lifespan="on",
        ws_max_size=limits.STUDIO_REQUEST_BYTES.value,
        ws_per_message_deflate=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )


def open_by_redirect(app: RequestGuard, port: int, open_browser: Callable[[str], object]) -> Callable[[], None]:
    """Open the page in a browser by way of a private file. The file is removed as soon as the page has sent its token,
    at the latest after `REDIRECT_SECONDS`, and by calling what is returned.
    """
    file = RedirectFile(f"http://127.0.0.1:{port}{app.open_entry()}#token={app.token}")

    def remove() -> None:
        app.close_entry()
        app.on_token = lambda: None
        file.remove()

    app.on_token = remove
    asyncio.get_running_loop().call_later(REDIRECT_SECONDS, remove)
    # a browser of the terminal runs until its user leaves it
    threading.Thread(target=open_browser, args=(file.address,), daemon=True).start()
    return remove


def give_memory_back() -> None:
    """Return the memory of large answers to the system once they are sent. By default, the GNU C library keeps it after
    a few of them.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if mallopt is not None:
        for option, value in MALLOC_OPTIONS.items():
            mallopt(option, value)


async def _serve(server: uvicorn.Server, sockets: list[socket.socket], ready: Callable[[], None]) -> None:
    serving = asyncio.create_task(server.serve(sockets))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if not serving.done():
        ready()
    await serving


@contextlib.contextmanager
def _handle_signals(server: uvicorn.Server) -> Iterator[None]:
    """Ctrl-C, SIGTERM or a closed terminal ends the server gracefully; a second signal ends it at once."""

    def request_exit(*_: object) -> None:
        server.force_exit = server.should_exit
        server.should_exit = True

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, request_exit) for number in _list_stop_signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _list_stop_signals() -> list[signal.Signals]:
    found = [signal.SIGINT, signal.SIGTERM]
    # a program that `nohup` starts goes on when its terminal is closed
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        found.append(signal.SIGHUP)
    return found
