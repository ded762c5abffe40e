"""A connection to the scheduler of a Dask cluster. Dask talks in a thread of its own, and what it has to say is said in
our sentences.
"""

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

PATIENCE = 5.0
"""Seconds to wait for a scheduler, and again for its first worker."""
LONELY = 60.0
"""Seconds to wait for another worker if all are gone."""
GRACE = 2.0
"""Seconds to say goodbye."""
COUNT = 2.0
"""Seconds between two looks at how many workers there are."""
TICK = 0.05
"""Seconds between two looks at whether to go on."""
PROTOCOLS = ("tcp", "tls", "ws", "wss")
TALKERS = ("distributed", "tornado", "asyncio", "bokeh")
"""Whose log is of no use to a user of ours."""
AGAIN = "run the same command again, here or with another cluster: what is finished is kept"

_ADDRESS = re.compile(r"((?P<protocol>\w+)://)?(?P<host>\[[0-9a-fA-F:.%]+\]|[^\s/:\[\]]+):(?P<port>\d{1,5})/?")

T = TypeVar("T")


def checked(address: str) -> str:
    """The address of a scheduler in full.

    >>> checked("10.0.0.1:8786")
    'tcp://10.0.0.1:8786'
    """
    match = _ADDRESS.fullmatch(str(address).strip())
    protocol = match["protocol"] or "tcp" if match else str(address).partition("://")[0]
    if protocol in ("http", "https"):
        raise BadInput(
            f"{address} is no scheduler: pages are shown there",
            fix="give the address that the scheduler tells when it starts, tcp://...:8786",
        )
    if match is None or protocol not in PROTOCOLS or not 0 < int(match["port"]) < 1 << 16:
        raise BadInput(
            f"{address!r} is no address of a scheduler",
            fix="write it as tcp://10.0.0.1:8786, or tls://... if it is encrypted",
        )
    return f"{protocol}://{match['host']}:{match['port']}"


class Link:
    """A client of a scheduler, for a `with`. Nothing of it is left afterwards, and the cluster forgets what was asked
    of it.
    """

    def __init__(self, address: str, cancelled: Callable[[], bool]) -> None:
        self.address = address
        self._cancelled = cancelled
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.threads = 0
        """How many chunks the cluster can be at, as far as is known."""
        self._peopled = 0.0
        """When it had workers for the last time, by the clock."""
        self._all = contextlib.ExitStack()

    def __enter__(self) -> Link:
        with contextlib.ExitStack() as stack:
            stack.enter_context(_hushed())
            self._loop = stack.enter_context(_loop())
            stack.callback(self._close)
            self._client = self._connect()
            self._meet_worker()
            self.begin(self._keep_counting)
            self._all = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._all.close()

    @property
    def client(self) -> Any:
        """Dask's own, to be used in its thread."""
        return self._client

    def begin(self, what: Callable[[], Awaitable[T]]) -> Future[T]:
        """Let Dask's thread do something."""
        assert self._loop is not None

        async def done() -> T:
            return await what()

        return asyncio.run_coroutine_threadsafe(done(), self._loop)

    def ask(self, what: Callable[[], Awaitable[T]]) -> T:
        """Let it do something, and wait for it as long as that makes sense."""
        answer = self.begin(what)
        try:
            while not answer.done():
                self.check()
                with contextlib.suppress(TimeoutError):
                    answer.exception(TICK)
        finally:
            answer.cancel()
        return answer.result()

    def check(self) -> None:
        """Raise if there is nothing to wait for any more."""
        if self._cancelled():
            raise Cancelled("cancelled while the cluster was at work")
        if self._client is None:
            return
        if self.is_lost:
            raise WorkerTrouble(f"the scheduler at {self.address} is gone", fix=AGAIN)
        if self._peopled and time.monotonic() - self._peopled > LONELY:
            raise WorkerTrouble(
                f"the scheduler at {self.address} has had no worker for {LONELY:g} s", fix=f"start workers, and {AGAIN}"
            )

    @property
    def is_lost(self) -> bool:
        """Whether the scheduler has gone away. Dask would look for it again, but what was asked of it is forgotten
        then.
        """
        stream = self.client.scheduler_comm
        return self.client.status != "running" or stream is None or bool(stream.closed())

    def _connect(self) -> Any:
        try:
            with warnings.catch_warnings():
                # we look ourselves at what matters
                warnings.simplefilter("ignore", _dask().versions.VersionMismatchWarning)
                return self.ask(self._opened)
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
                else "start one with 'dask scheduler': it tells its address"
            )
            raise BadInput(problem, fix=fix) from error

    async def _opened(self) -> Any:
        client = _dask().Client(
            self.address, asynchronous=True, timeout=PATIENCE, set_as_default=False, name="undercroft"
        )
        try:
            return await asyncio.wait_for(client, PATIENCE + 0.5)
        except BaseException:
            await _closed(client, within=0.5)
            raise

    def _meet_worker(self) -> None:
        """Wait for the first one."""
        try:
            self.ask(lambda: self.client.wait_for_workers(1, timeout=PATIENCE))
        except TimeoutError as error:
            fix = f"start some with 'dask worker {self.address} --nworkers 2 --nthreads 1'"
            raise BadInput(f"the scheduler at {self.address} has no workers", fix=fix) from error
        self.ask(self._count)

    async def _count(self) -> None:
        self.threads = sum((await self.client.nthreads()).values())
        if self.threads:
            self._peopled = time.monotonic()

    async def _keep_counting(self) -> None:
        """Workers come and go."""
        while not self.is_lost:
            await asyncio.sleep(COUNT)
            with contextlib.suppress(OSError):  # the scheduler is gone, which others notice
                await self._count()

    def _close(self) -> None:
        if self._client is not None:
            with contextlib.suppress(Exception):
                self.begin(lambda: _closed(self._client)).result(2 * GRACE)


def _dask() -> Any:
    """The library, which is slow to import and half typed."""
    return import_module("distributed")


async def _closed(client: Any, within: float = GRACE) -> None:
    """Close a client, be it in the middle of something."""
    try:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(client.close(), within)
    finally:
        client.status = "closed"  # else it would try once more when it is forgotten


@contextlib.contextmanager
def _loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A thread for what Dask does, until the end of the `with`."""
    begun: Future[asyncio.AbstractEventLoop] = Future()
    over = asyncio.Event()

    async def stay() -> None:
        begun.set_result(asyncio.get_running_loop())
        await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(stay(),), name="undercroft's Dask", daemon=True)
    thread.start()
    loop = begun.result()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(GRACE)


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """Keep the log of Dask from the terminal: what matters, we say."""
    if os.environ.get("UNDERCROFT_DEBUG") == "1":
        yield
        return
    _dask()  # it sets the levels of its loggers when it is imported
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in TALKERS]
    loggers = [logging.getLogger(name) for name in {*TALKERS, *names}]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
