"""The server's state: the project, its workers, the pages that are connected, what was imported, and the files that are kept up to date."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from undercroft import limits
from undercroft.errors import UndercroftError
from undercroft.studio import messages
from undercroft.studio.guard import Guard
from undercroft.studio.lanes import about
from undercroft.studio.project import Project, mark
from undercroft.studio.tasks import SOON, Outcome, Task
from undercroft.studio.workers import Workers

if TYPE_CHECKING:
    from undercroft.studio.live import Live

EVERY = 1.0
"""Seconds between two looks at the project's folder."""
IMPORTS = 8
"""Levels from elsewhere that are remembered."""


class Refused(Exception):
    """What a request asked for cannot be done: what to say, and the status."""

    def __init__(self, problem: dict[str, Any], status: int = 422) -> None:
        super().__init__(problem["problem"])
        self.problem, self.status = problem, status


class Studio:
    """All that requests share."""

    def __init__(self, project: Project, workers: Workers) -> None:
        self.project, self.workers = project, workers
        self.pages: set[Live] = set()
        self.guard: Guard | None = None
        self._imports: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._outputs: list[dict[str, Any]] = []
        """Files that are written again whenever the level changes."""
        self._rewriting: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._times: dict[str, tuple[int, int]] = {}

    def begin(self) -> None:
        """The server listens."""
        self.workers.start()
        self._looking = asyncio.create_task(self._look())

    async def end(self) -> None:
        """The server goes away."""
        for task in (self._looking, self._rewriting):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        await self.workers.stop()

    def knows(self, token: Any) -> bool:
        """Whether this is the token."""
        return self.guard is not None and self.guard.knows(token)

    def broadcast(self, answer: dict[str, Any]) -> None:
        """Tell all pages something that nobody asked for."""
        for page in self.pages:
            page.send(messages.text({"id": 0, **answer}))

    # --- asks that come by HTTP

    async def asked(self, ask: dict[str, Any], *, long: bool = False, seconds: float | None = None) -> Any:
        """The data that a worker answers with. If nobody waits for it any more, it is cancelled."""
        limits.STUDIO_ASKS.check(self.workers.waiting + 1, "the number of asks under way")
        ended: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        task = Task(self.filled(ask), lambda outcome: None if ended.done() else ended.set_result(outcome), about=about(ask))
        if long:
            task.rank, task.long = SOON, True
        if seconds is not None:
            task.seconds = seconds
        self.workers.submit(task)
        try:
            outcome = await ended
        finally:
            self.workers.cancel(task)
        if outcome.kind != "done":
            raise Refused(outcome.problem or (outcome.data or {}).get("problem") or {"problem": "cancelled", "fix": "", "place": None}, 422)
        return outcome.data

    def filled(self, ask: dict[str, Any]) -> dict[str, Any]:
        """An ask with what was imported put in where it is named."""
        found = dict(ask)
        recipe = found.get("recipe")
        if isinstance(recipe, dict):
            recipe = {key: value for key, value in recipe.items() if key != "data"}  # nobody but us says what was imported
            found["recipe"] = {**recipe, **self._imports.get(str(recipe.get("imported")), {})} if "imported" in recipe else recipe
        keep = found.get("keep")
        if isinstance(keep, dict) and isinstance(keep.get("of"), dict):
            found["keep"] = {**keep, "of": self.filled(keep["of"])}
        return found

    async def take_in(self, name: str, data: bytes, read_as: str | None) -> dict[str, Any]:
        """A level from elsewhere, as bytes."""
        limits.STUDIO_UPLOAD.check(len(data), f"{name}: its size in bytes")
        number = mark(data + f"\0{name}\0{read_as}".encode())
        self._imports[number] = {"imported": number, "file": name, "data": data, "read_as": read_as}
        while len(self._imports) > IMPORTS:
            self._imports.popitem(last=False)
        try:
            found: dict[str, Any] = await self.asked({"do": "import", "recipe": {"imported": number}})
        except Refused:
            self._imports.pop(number, None)
            raise
        return found

    async def write(self, found: dict[str, Any]) -> list[dict[str, Any]]:
        """Put files that a worker made into the project."""
        for name, data in found["files"].items():
            await asyncio.to_thread(self.project.write, name, data)
        await self.looked()
        exported: list[dict[str, Any]] = found["exported"]
        return exported

    # --- files that are kept up to date

    async def watch(self, ask: dict[str, Any]) -> list[dict[str, Any]]:
        """Write files now, and again whenever the level changes; or stop that."""
        self._outputs = []
        if ask.get("stop") is True:
            return []
        exported = await self.write(await self.asked({**ask, "do": "export", "into": "project"}, long=True, seconds=limits.STUDIO_EXPORT_SECONDS.value))
        self._outputs = list(ask["outputs"])
        return exported

    def level_made(self, source: dict[str, Any]) -> None:
        """A page shows another level now: what is kept up to date is written again."""
        if self._outputs:
            if self._rewriting is not None:
                self._rewriting.cancel()
            self._rewriting = asyncio.create_task(self._rewrite(source))

    async def _rewrite(self, source: dict[str, Any]) -> None:
        ask = {**source, "do": "export", "into": "project", "outputs": self._outputs}
        try:
            for row in await self.write(await self.asked(ask, long=True, seconds=limits.STUDIO_EXPORT_SECONDS.value)):
                self.broadcast({"kind": "written", "path": row["path"], "bytes": row["bytes"]})
        except Refused as refused:
            self.broadcast({"kind": "problem", **refused.problem})
        except UndercroftError as error:
            self.broadcast({"kind": "problem", **messages.problem(error)})

    # --- changes made elsewhere

    async def _look(self) -> None:
        """Look at the project's folder now and then, and say which files are others."""
        with contextlib.suppress(UndercroftError):
            self._times = await asyncio.to_thread(self.project.times)
        while True:
            await asyncio.sleep(EVERY)
            if not self.pages:
                continue
            try:
                now = await asyncio.to_thread(self.project.times)
            except UndercroftError:
                continue
            changed = sorted(name for name in now.keys() | self._times.keys() if now.get(name) != self._times.get(name))
            self._times = now
            for name in changed:
                self.broadcast({"kind": "changed", "path": name})

    async def looked(self) -> None:
        """What we wrote ourselves is no news."""
        with contextlib.suppress(UndercroftError):
            self._times = await asyncio.to_thread(self.project.times)
