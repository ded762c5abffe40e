"""The worker processes behind the page: warm, watched, and told to stop one task without being ended.

Everything here happens in the event loop and never waits. What a worker says is brought into the loop by the thread
that listens to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from typing import Any

from undercroft import limits
from undercroft.bulk.workers import jobs
from undercroft.bulk.workers import messages as frames
from undercroft.bulk.workers.process import Member, Told, ending
from undercroft.bulk.workers.worker import GRACE
from undercroft.errors import UndercroftError
from undercroft.studio.protocol import messages
from undercroft.studio.server.tasks import Outcome, Task

LARGE = 1 << 15
"""Bytes of a message that fit a pipe for sure."""
ENTRY = "undercroft.studio.worker_main"
"""The module that worker processes start."""
UNBORN = 6
"""Workers that may end before they are ready, one after the other, before it is given up for a while."""
REST = 5.0
"""Seconds of that while."""


class Workers:
    """So many workers for one project. `submit` a task, or `cancel` it; its `on_end` is called once, whatever
    happens.
    """

    def __init__(self, project: str, count: int, *, memory: int | None = limits.STUDIO_MEMORY.value) -> None:
        self.count = count
        self._setup = frames.packed(("studio", {"project": project}, memory))
        self._members: dict[Member, Task | None] = {}
        self._known: dict[Member, list[str]] = {}
        """Which levels each worker made lately."""
        self._waiting: list[Task] = []
        self._numbers = itertools.count(1)
        self._unborn = 0
        self._stopping = False
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Start the workers; they get ready while this process goes on."""
        self._loop = asyncio.get_running_loop()
        while len(self._members) < self.count and not self._stopping:
            try:
                member = Member(ENTRY, self._setup, self)
            except OSError:  # no more processes or files for now
                self._loop.call_later(REST, self.start)
                return
            self._members[member], self._known[member] = None, []

    def put(self, item: Told, /) -> None:
        """A worker says something; its thread calls this."""
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
            self._loop.call_soon_threadsafe(self._heed, *item)

    @property
    def pids(self) -> list[int]:
        return [member.process.pid for member in self._members]

    @property
    def idle(self) -> int:
        """Workers that are ready and have nothing to do."""
        return sum(task is None and member.ready for member, task in self._members.items())

    @property
    def waiting(self) -> int:
        """Tasks that are not done."""
        return len(self._waiting) + sum(task is not None for task in self._members.values())

    def submit(self, task: Task) -> None:
        """One more task."""
        task.number = next(self._numbers)
        try:
            task.frame = frames.packed((task.number, (task.ask, task.seconds)))
        except (OverflowError, TypeError, ValueError, RecursionError):
            # a number beyond all numbers, or brackets without end
            task.cancelled = True
            task.on_end(
                Outcome(
                    "problem", problem=_trouble("the page asked in a way that nobody understands", "load the page anew")
                )
            )
            return
        self._waiting.append(task)
        self._assign()

    def cancel(self, task: Task) -> None:
        """It is not wanted any more: `on_end` hears so at once, and its worker soon."""
        if task.cancelled:
            return
        task.cancelled = True
        if task in self._waiting:
            self._waiting.remove(task)
        elif task.member is not None and self._members.get(task.member) is task:
            self._drop(task, task.member)
            self._later(task, GRACE)
        else:
            return  # it has ended
        task.on_end(Outcome("cancelled"))

    def _drop(self, task: Task, member: Member) -> None:
        """Tell a worker to stop; if the task itself is still on its way there, after it, and nobody waits for that."""
        assert self._loop is not None
        if task.sending is None or task.sending.done():
            member.drop(task.number)
        else:
            self._loop.run_in_executor(None, member.drop, task.number)

    def _later(self, task: Task, seconds: float) -> None:
        """End the worker of a task if it is still at it then."""
        assert self._loop is not None
        if task.late is not None:
            task.late.cancel()
        task.late = self._loop.call_later(seconds, self._kill, task)

    def _kill(self, task: Task) -> None:
        if task.member is not None and self._members.get(task.member) is task:
            task.member.process.kill()

    def _assign(self) -> None:
        """Give what waits to whoever is free."""
        while not self._stopping:
            free = [member for member, task in self._members.items() if task is None and member.ready]
            if not free or not self._waiting:
                return
            long = sum(task is not None and task.long for task in self._members.values())
            able = [task for task in self._waiting if not task.long or self.count == 1 or long < self.count - 1]
            if not able:
                return
            task = min(able, key=lambda one: (one.rank, one.number))
            self._waiting.remove(task)
            self._give(task, max(free, key=lambda member: task.about in self._known[member]) if task.about else free[0])

    def _give(self, task: Task, member: Member) -> None:
        assert self._loop is not None
        self._members[member], task.member = task, member
        if task.about:
            known = self._known[member]
            known[:] = [*[one for one in known if one != task.about][-7:], task.about]
        member.given += 1
        member.since = time.monotonic()
        if len(task.frame) < LARGE:
            member.say(task.frame)
        else:  # it may have to wait until the worker reads
            task.sending = self._loop.run_in_executor(None, member.say, task.frame)
        self._later(task, task.seconds + GRACE)

    def _heed(self, member: Member, word: str, number: int | None, more: Any) -> None:
        """Act on what a worker says."""
        if member not in self._members:
            return
        task = self._members[member]
        if word == "ready":
            member.ready, self._unborn = True, 0
        elif word == "ended":
            self._bury(member, more)
        elif word == "memory":
            member.starved = True
        elif number is None:
            self._refuse_all(more)
        elif task is not None and task.number == number:
            if word == "part":
                if not task.cancelled:
                    task.on_part(more)
                return
            self._free(member)
            if not task.cancelled:
                task.on_end(self._outcome(word, more))
        self._assign()

    def _outcome(self, word: str, more: Any) -> Outcome:
        if word == "done":
            value, seconds = more
            return Outcome("problem" if value["kind"] == "problem" else "done", value["send"], value["data"], seconds)
        if word == "refused":
            return Outcome("problem", problem=messages.problem(jobs.rebuilt(more)))
        return Outcome(
            "problem",
            problem=_trouble(f"something in the studio failed: {more[0]}", "please report it, with what you did"),
        )

    def _free(self, member: Member) -> Task | None:
        task = self._members[member]
        self._members[member] = None
        if task is not None and task.late is not None:
            task.late.cancel()
            task.late = None
        return task

    def _bury(self, member: Member, code: int) -> None:
        """Replace a worker that is gone, and answer what it was at."""
        assert self._loop is not None
        task = self._free(member)
        del self._members[member], self._known[member]
        member.dismiss()
        self._unborn += not member.ready
        if task is not None and not task.cancelled:
            task.cancelled = True
            task.on_end(Outcome("problem", problem=self._cause(task, member, code)))
        if self._stopping:
            return
        if self._unborn >= UNBORN:
            self._refuse_all([f"workers end before they have begun ({ending(code)})"])
            self._unborn = 0
            self._loop.call_later(REST, self.start)
        else:
            self.start()

    def _cause(self, task: Task, member: Member, code: int) -> dict[str, Any]:
        if member.starved:
            return _trouble(
                "there was not enough memory for that", "ask for a smaller level, or for fewer pixels a cell"
            )
        if time.monotonic() - member.since > task.seconds:
            return _trouble(
                f"this took more than {task.seconds:g} seconds, and was given up",
                "ask for a smaller level, or for less of it",
            )
        return _trouble(
            f"the worker ended while it was at this ({ending(code)})", "try again; a new worker is there already"
        )

    def _refuse_all(self, more: Any) -> None:
        waiting, self._waiting = self._waiting, []
        for task in waiting:
            task.cancelled = True
            task.on_end(
                Outcome(
                    "problem",
                    problem=_trouble(
                        f"the studio's workers cannot begin: {more[0]}", "see what 'undercroft doctor' says"
                    ),
                )
            )

    async def stop(self) -> None:
        """End all workers."""
        self._stopping = True
        members = list(self._members)
        for member in members:
            member.dismiss()
            if not member.ready or self._members[member] is not None:
                member.process.kill()
        by = time.monotonic() + GRACE
        await asyncio.gather(*(asyncio.to_thread(member.end, by) for member in members))
        self._members.clear()


def _trouble(problem: str, fix: str) -> dict[str, Any]:
    return messages.problem(UndercroftError(problem, fix=fix))
