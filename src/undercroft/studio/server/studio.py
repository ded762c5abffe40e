"""The server's state: the project, its workers, the connected pages, the imports, and the files that are kept up to
date.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from undercroft import limits
from undercroft.errors import BadInput, UndercroftError
from undercroft.studio.protocol import messages, trash
from undercroft.studio.protocol.kept_state import KeptState
from undercroft.studio.protocol.project import Project, digest_content
from undercroft.studio.protocol.written_files import WrittenFiles
from undercroft.studio.server.guard import RequestGuard
from undercroft.studio.server.lanes import digest_source, find_source
from undercroft.studio.server.tasks import SOON, Task, TaskEnd
from undercroft.studio.server.worker_pool import StudioWorkers

if TYPE_CHECKING:
    from undercroft.studio.server.live import LiveConnection

POLL_SECONDS = 1.0
"""Seconds between two scans of the project's folder."""
POLL_PAUSE_FACTOR = 20
"""In a folder whose scan takes long, a pause is this many times as long as the scan."""
MAX_IMPORTS = 8
"""The most imported levels that are kept."""
CANCELLED = {"problem": "cancelled", "fix": "", "place": None}
"""The problem of a request whose page has disconnected."""
T = TypeVar("T")


async def _never_gone() -> bool:
    return False


IS_CLIENT_GONE: ContextVar[Callable[[], Awaitable[bool]]] = ContextVar("GONE", default=_never_gone)
"""Whether the page has disconnected that waits for the answer to a request. Each request has its own."""


async def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Run something to its end. A thread that writes a file cannot be stopped, so a cancelled caller waits for it
    first.
    """
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # marks the exception as retrieved: no caller is left
        raise


class RequestRefused(Exception):
    """A request that cannot be done, with the problem and the HTTP status."""

    def __init__(self, problem: dict[str, Any], status: int = 422) -> None:
        super().__init__(problem["problem"])
        self.problem, self.status = problem, status


class Studio:
    """The state that all requests share."""

    def __init__(self, project: Project, workers: StudioWorkers, restart: str = "undercroft studio") -> None:
        self.project, self.workers = project, workers
        self.state = KeptState(project.folder)
        self.restart = restart
        """The command that starts this studio again."""
        self.pages: set[LiveConnection] = set()
        self.guard: RequestGuard | None = None
        self._written = WrittenFiles(project)
        self._imports: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._outputs: list[dict[str, Any]] = []
        """Files that are written again whenever the level changes."""
        self._unwritten: dict[str, Any] | None = None
        """The newest level, if it is not in those files yet."""
        self._switch, self._pen, self._state_pen = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()
        self._rewriting: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._times: dict[str, tuple[int, int]] = {}

    def begin(self) -> None:
        """Start the workers and the watcher of the folder."""
        self.workers.start()
        self._looking = asyncio.create_task(self._watch_folder())

    async def end(self) -> None:
        """Stop watching and writing, and end the workers."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._stop_writing()
        await self.workers.stop()

    def accept_token(self, token: Any) -> bool:
        """Whether this is the token."""
        return self.guard is not None and self.guard.accept_token(token)

    def broadcast(self, answer: dict[str, Any]) -> None:
        """Send a message to all pages that is no answer to a request."""
        for page in self.pages:
            page.send(messages.encode_json({"id": 0, **answer}))

    # --- requests over HTTP

    async def ask_worker(self, ask: dict[str, Any], *, long: bool = False, seconds: float | None = None) -> Any:
        """Run a request on a worker; returns its data. It is cancelled if the page disconnects."""
        limits.STUDIO_REQUESTS.check(self.workers.pending_tasks + 1, "the number of requests under way")
        ended: asyncio.Future[TaskEnd] = asyncio.get_running_loop().create_future()
        task = Task(
            self.with_imports(ask),
            lambda outcome: None if ended.done() else ended.set_result(outcome),
            about=digest_source(ask),
        )
        if long:
            task.rank, task.long = SOON, True
        if seconds is not None:
            task.seconds = seconds
        self.workers.submit(task)
        try:
            while not ended.done():
                await asyncio.wait([ended], timeout=POLL_SECONDS / 2)
                if not ended.done() and await IS_CLIENT_GONE.get()():
                    raise RequestRefused(CANCELLED, 499)
            outcome = ended.result()
        finally:
            self.workers.cancel(task)
        if outcome.kind != "done":
            raise RequestRefused(
                outcome.problem or (outcome.data or {}).get("problem") or CANCELLED,
                422,
            )
        return outcome.data

    def with_imports(self, ask: dict[str, Any]) -> dict[str, Any]:
        """A request with the imports that it names, each once."""
        imports, source = dict[str, dict[str, Any]](), find_source(ask)
        for _ in range(limits.STUDIO_KEEP_DEPTH.value + 1):
            recipe, keep = source.get("recipe"), source.get("keep")
            number = recipe.get("imported") if isinstance(recipe, dict) else None
            if isinstance(number, str) and number in self._imports:
                imports[number] = self._imports[number]
            if not isinstance(keep, dict) or not isinstance(keep.get("of"), dict):
                break
            source = keep["of"]
        return {**ask, "imports": imports}  # a page cannot set this key

    async def import_level(self, name: str, data: bytes, read_as: str | None) -> dict[str, Any]:
        """Import a level from bytes."""
        limits.STUDIO_UPLOAD_BYTES.check(len(data), f"{name}: its size in bytes")
        number = digest_content(data + f"\0{name}\0{read_as}".encode())
        self._imports[number] = {"file": name, "data": data, "read_as": read_as}
        while len(self._imports) > MAX_IMPORTS:
            self._imports.popitem(last=False)
        try:
            found: dict[str, Any] = await self.ask_worker({"do": "import", "recipe": {"imported": number}})
        except RequestRefused:
            self._imports.pop(number, None)
            raise
        return found

    async def write_exported(
        self, found: dict[str, Any], over: Any = None, *, ours: bool = True
    ) -> list[dict[str, Any]]:
        """Write files that a worker made into the project, one set after the other. Files that were changed elsewhere
        are replaced only if `over` has the digest of what they hold, and other files of the studio only if `ours` is
        set.
        """
        async with self._pen:
            await run_to_end(self._write_files(found["files"], over, ours=ours))
        exported: list[dict[str, Any]] = found["exported"]
        return exported

    async def _write_files(self, contents: Mapping[str, bytes], over: Any, *, ours: bool) -> None:
        def write() -> None:
            self._written.check(contents, over, ours=ours)
            self.project.write_files(contents)
            self._written.note(contents)

        await asyncio.to_thread(write)
        await self._record_own_writes(contents)

    async def save(self, name: str, text: str, seen: str) -> dict[str, Any]:
        """Write a text, if the file still has the digest `seen`. No other write of the studio runs meanwhile."""
        async with self._pen:
            return await run_to_end(self._save_text(name, text, seen))

    async def _save_text(self, name: str, text: str, seen: str) -> dict[str, Any]:
        found = await asyncio.to_thread(self.project.save, name, text, seen)
        await self._record_own_writes([name])
        return found

    async def rename(self, name: str, to: str) -> dict[str, Any]:
        """Give a file another name, and tell all pages."""
        self._refuse_watched(name)
        async with self._pen:
            to = await run_to_end(self._rename_file(name, to))
        self.broadcast({"kind": "renamed", "path": name, "to": to})
        return {"path": to}

    async def _rename_file(self, name: str, to: str) -> str:
        to = await asyncio.to_thread(self.project.rename, name, to)
        await asyncio.to_thread(self._written.rename, name, to)
        await self._record_own_writes([name, to])
        return to

    async def delete(self, name: str) -> dict[str, Any]:
        """Move a file into the trash, and tell all pages."""
        self._refuse_watched(name)
        async with self._pen:
            row = await run_to_end(self._move_own(partial(trash.delete_file, self.project, name), [name]))
        self.broadcast({"kind": "deleted", "path": row.path})
        return row.data()

    async def restore(self, number: str, to: str | None) -> dict[str, Any]:
        """Bring a file back from the trash, and tell all pages."""
        async with self._pen:
            path = await run_to_end(self._move_own(partial(trash.restore_file, self.project, number, to), []))
            await self._record_own_writes([path])
        self.broadcast({"kind": "changed", "path": path})
        return {"path": path}

    async def _move_own(self, move: Callable[[], T], names: Iterable[str]) -> T:
        found = await asyncio.to_thread(move)
        await self._record_own_writes(names)
        return found

    def _refuse_watched(self, name: str) -> None:
        if any(output.get("path") == name for output in self._outputs):
            raise BadInput(
                f"{name} is kept up to date: it would be written again at once",
                fix="stop keeping it up to date in Export first",
            )

    # --- what pages keep between two visits

    async def load_state(self) -> dict[str, Any]:
        """All values that are kept for this project and its user."""
        async with self._state_pen:
            return await asyncio.to_thread(self.state.load)

    async def store_state(self, changes: Any, tab: str) -> dict[str, Any]:
        """Keep changed values, and report them to the other pages. `tab` is the page that sends them."""
        async with self._state_pen:
            found = await run_to_end(asyncio.to_thread(self.state.store, changes))
        if len(self.pages) > 1:
            kept = {name: entry for name, entry in changes.items() if name not in found["refused"]}
            self.broadcast({"kind": "state", "tab": tab, "changes": kept})
        return found

    # --- files that are kept up to date

    async def watch_outputs(self, ask: dict[str, Any]) -> list[dict[str, Any]]:
        """Write files now, and again whenever the level changes; or stop that. If the new files are refused, the old
        ones stay.
        """
        async with self._switch:
            before, self._outputs = self._outputs, []
            unwritten = self._pop_unwritten()
            await self._stop_writing()
            if ask.get("stop") is True:
                return []
            try:
                exported = await self.write_exported(
                    await self.ask_worker(
                        {**ask, "do": "export", "into": "project"},
                        long=True,
                        seconds=limits.STUDIO_EXPORT_SECONDS.value,
                    ),
                    ask.get("over"),
                )
            except Exception:
                self._set_outputs(before, self._pop_unwritten() or unwritten)
                raise
            self._set_outputs(list(ask["outputs"]), self._pop_unwritten())
            return exported

    async def _stop_writing(self) -> None:
        """Stop writing levels; a write in progress is complete before this returns."""
        if self._rewriting is not None:
            self._rewriting.cancel()
            await asyncio.gather(self._rewriting, return_exceptions=True)
        async with self._pen:  # wait for an earlier write that may just be ending
            pass

    def _pop_unwritten(self) -> dict[str, Any] | None:
        """The level that is not written yet; it is forgotten here."""
        unwritten, self._unwritten = self._unwritten, None
        return unwritten

    def _set_outputs(self, outputs: list[dict[str, Any]], unwritten: dict[str, Any] | None) -> None:
        """Keep these files up to date from now on, starting with a level that came meanwhile."""
        self._outputs = outputs
        if unwritten is not None:
            self.on_level_made(unwritten)

    def on_level_made(self, source: dict[str, Any]) -> None:
        """A page shows another level: write the watched files again."""
        self._unwritten = source
        if self._outputs:
            if self._rewriting is not None:
                self._rewriting.cancel()
            self._rewriting = asyncio.create_task(self._rewrite_outputs(source))

    async def _rewrite_outputs(self, source: dict[str, Any]) -> None:
        IS_CLIENT_GONE.set(_never_gone)  # no request waits for this, though one may have started it
        ask = {**source, "do": "export", "into": "project", "outputs": self._outputs}
        try:
            for row in await self.write_exported(
                await self.ask_worker(ask, long=True, seconds=limits.STUDIO_EXPORT_SECONDS.value)
            ):
                self.broadcast({"kind": "written", "path": row["path"], "bytes": row["bytes"]})
        except RequestRefused as refused:
            self.broadcast({"kind": "problem", **refused.problem})
        except UndercroftError as error:
            self.broadcast({"kind": "problem", **messages.build_problem(error)})
        if self._unwritten is source:
            self._unwritten = None

    # --- changes made elsewhere

    async def _watch_folder(self) -> None:
        """Scan the project's folder now and then, and report changed files."""
        with contextlib.suppress(UndercroftError):
            self._times = await asyncio.to_thread(self.project.list_times)
        pause = POLL_SECONDS
        while True:
            await asyncio.sleep(pause)
            if not self.pages:
                continue
            async with self._pen:
                start = time.monotonic()
                with contextlib.suppress(UndercroftError, OSError):
                    await self._report_changes()
            pause = max(POLL_SECONDS, POLL_PAUSE_FACTOR * (time.monotonic() - start))

    async def _report_changes(self) -> None:
        """Report the files that have changed since the last scan. The caller holds `_pen`, so that the studio writes
        nothing meanwhile.
        """
        before, self._times = self._times, await asyncio.to_thread(self.project.list_times)
        for name in sorted(self._times.keys() | before.keys()):
            if self._times.get(name) != before.get(name):
                self.broadcast({"kind": "changed", "path": name})

    async def _record_own_writes(self, names: Iterable[str]) -> None:
        """Do not report the studio's own writes as changes; those of other programs at the same time still are. The
        caller holds `_pen`.
        """
        with contextlib.suppress(UndercroftError):
            now = await asyncio.to_thread(self.project.list_times)
            for name in (name.replace("\\", "/") for name in names):
                self._times.pop(name, None)
                if name in now:
                    self._times[name] = now[name]
