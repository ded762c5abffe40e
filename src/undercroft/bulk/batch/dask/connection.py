"""A connection to the scheduler of a Dask cluster. Dask runs in a thread of its own, and its errors become ours."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import threading
import time
import warnings
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from importlib import import_module
from typing import Any, TypeVar

from undercroft.bulk.workers.in_process import WorkerTrouble
from undercroft.errors import BadInput, Cancelled, UndercroftError

CONNECT_SECONDS = 5.0
"""Seconds to wait for a scheduler, and again for its first worker."""
MAX_SECONDS_WITHOUT_WORKERS = 60.0
"""Seconds to wait for another worker if all are gone."""
CLOSE_SECONDS = 2.0
"""Seconds to wait for a client to close."""
COUNT_WORKERS_SECONDS = 2.0
"""Seconds between two counts of the workers."""
POLL_SECONDS = 0.05
"""Seconds between two checks whether to go on."""
PROTOCOLS = ("tcp", "tls", "ws", "wss")
NOISY_LOGGERS = ("distributed", "tornado", "asyncio", "bokeh")
"""Loggers that are silenced: their messages are of no use to our users."""
RERUN_FIX = "run the same command again, here or with another cluster: what is finished is kept"

_ADDRESS = re.compile(r"((?P<protocol>\w+)://)?(?P<host>\[[0-9a-fA-F:.%]+\]|[^\s/:\[\]]+):(?P<port>\d{1,5})/?")

T = TypeVar("T")


def parse_address(address: str) -> str:
    """The full address of a scheduler.

    >>> parse_address("10.0.0.1:8786")
    'tcp://10.0.0.1:8786'
    """
    match = _ADDRESS.fullmatch(str(address).strip())
    protocol = match["protocol"] or "tcp" if match else str(address).partition("://")[0]
    if protocol in ("http", "https"):
        raise BadInput(
            f"{address} is no scheduler: pages are shown there",
            fix="give the address that the scheduler prints when it starts, tcp://...:8786",
        )
    if match is None or protocol not in PROTOCOLS or not 0 < int(match["port"]) < 1 << 16:
        raise BadInput(
            f"{address!r} is no address of a scheduler",
            fix="write it as tcp://10.0.0.1:8786, or tls://... if it is encrypted",
        )
    return f"{protocol}://{match['host']}:{match['port']}"


class DaskConnection:
    """A client of a scheduler, as a context manager. Leaving it closes everything, and the cluster drops the submitted
    tasks.
    """

    def __init__(self, address: str, cancelled: Callable[[], bool]) -> None:
        self.address = address
        self._cancelled = cancelled
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.threads = 0
        """How many chunks the cluster can work on at once, at the last count."""
        self._peopled = 0.0
        """When it last had workers (`time.monotonic`)."""
        self._all = contextlib.ExitStack()

    def __enter__(self) -> DaskConnection:
        with contextlib.ExitStack() as stack:
            stack.enter_context(_silence_logs())
            self._loop = stack.enter_context(_run_event_loop())
            stack.callback(self._close)
            self._client = self._connect()
            self._wait_for_worker()
            self.submit(self._keep_counting)
            self._all = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._all.close()

    @property
    def client(self) -> Any:
        """Dask's own client; use it in Dask's thread only."""
        return self._client

    def submit(self, what: Callable[[], Awaitable[T]]) -> Future[T]:
        """Run something in Dask's thread."""
        assert self._loop is not None

        async def await_result() -> T:
            return await what()

        return asyncio.run_coroutine_threadsafe(await_result(), self._loop)

    def run(self, what: Callable[[], Awaitable[T]]) -> T:
        """Run something in Dask's thread, and wait for it as long as that makes sense."""
        answer = self.submit(what)
        try:
            while not answer.done():
                self.check()
                with contextlib.suppress(TimeoutError):
                    answer.exception(POLL_SECONDS)
        finally:
            answer.cancel()
        return answer.result()

    def check(self) -> None:
        """Raise if there is nothing left to wait for."""
        if self._cancelled():
            raise Cancelled("cancelled while the cluster was at work")
        if self._client is None:
            return
        if self.is_lost:
            raise WorkerTrouble(f"the scheduler at {self.address} is gone", fix=RERUN_FIX)
        if self._peopled and time.monotonic() - self._peopled > MAX_SECONDS_WITHOUT_WORKERS:
            raise WorkerTrouble(
                f"the scheduler at {self.address} has had no worker for {MAX_SECONDS_WITHOUT_WORKERS:g} s",
                fix=f"start workers, and {RERUN_FIX}",
            )

    @property
    def is_lost(self) -> bool:
        """Whether the scheduler is gone. Dask would try to reconnect, but the submitted tasks are lost."""
        stream = self.client.scheduler_comm
        return self.client.status != "running" or stream is None or bool(stream.closed())

    def _connect(self) -> Any:
        try:
            with warnings.catch_warnings():
                # we check ourselves the versions that matter
                warnings.simplefilter("ignore", _import_distributed().versions.VersionMismatchWarning)
                return self.run(self._open_client)
        except UndercroftError:
            raise
        except Exception as error:
            encrypted, silent = self.address.startswith(("tls", "wss")), isinstance(error, OSError)
            problem = (
                f"no scheduler answers at {self.address}"
                if silent or encrypted
                else f"what answers at {self.address} is no scheduler"
            )
            fix = (
                "name your certificates in Dask's settings (distributed.comm.tls)"
                if encrypted
                else "start one with 'dask scheduler': it prints its address"
            )
            raise BadInput(problem, fix=fix) from error

    async def _open_client(self) -> Any:
        client = _import_distributed().Client(
            self.address, asynchronous=True, timeout=CONNECT_SECONDS, set_as_default=False, name="undercroft"
        )
        try:
            return await asyncio.wait_for(client, CONNECT_SECONDS + 0.5)
        except BaseException:
            await _close_client(client, within=0.5)
            raise

    def _wait_for_worker(self) -> None:
        """Wait for the first worker."""
        try:
            self.run(lambda: self.client.wait_for_workers(1, timeout=CONNECT_SECONDS))
        except TimeoutError as error:
            fix = f"start some with 'dask worker {self.address} --nworkers 2 --nthreads 1'"
            raise BadInput(f"the scheduler at {self.address} has no workers", fix=fix) from error
        self.run(self._count_threads)

    async def _count_threads(self) -> None:
        self.threads = sum((await self.client.nthreads()).values())
        if self.threads:
            self._peopled = time.monotonic()

    async def _keep_counting(self) -> None:
        """Count the threads again and again: workers come and go."""
        while not self.is_lost:
            await asyncio.sleep(COUNT_WORKERS_SECONDS)
            with contextlib.suppress(OSError):  # the scheduler is gone; `check` reports it
                await self._count_threads()

    def _close(self) -> None:
        if self._client is not None:
            with contextlib.suppress(Exception):
                self.submit(lambda: _close_client(self._client)).result(2 * CLOSE_SECONDS)


def _import_distributed() -> Any:
    """The library; it is slow to import and only partly typed."""
    return import_module("distributed")


async def _close_client(client: Any, within: float = CLOSE_SECONDS) -> None:
    """Close a client, even in the middle of a request."""
    try:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(client.close(), within)
    finally:
        client.status = "closed"  # else it would try again when it is garbage collected


@contextlib.contextmanager
def _run_event_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Run an event loop for Dask in a thread, until the end of the `with`."""
    loop_future: Future[asyncio.AbstractEventLoop] = Future()
    stop = asyncio.Event()

    async def wait_until_over() -> None:
        loop_future.set_result(asyncio.get_running_loop())
        await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(wait_until_over(),), name="undercroft's Dask", daemon=True)
    thread.start()
    loop = loop_future.result()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(CLOSE_SECONDS)


@contextlib.contextmanager
def _silence_logs() -> Iterator[None]:
    """Keep Dask's log from the terminal: we report what matters."""
    if os.environ.get("UNDERCROFT_DEBUG") == "1":
        yield
        return
    _import_distributed()  # it sets the levels of its loggers when it is imported
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in NOISY_LOGGERS]
    loggers = [logging.getLogger(name) for name in {*NOISY_LOGGERS, *names}]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
