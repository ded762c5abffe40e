"""The worker processes behind the page: kept ready, supervised, and able to cancel one task without being ended.

Everything here runs in the event loop and never blocks. The reader thread of each worker passes its messages to the
loop.
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
from undercroft.bulk.workers.process import WorkerMessage, WorkerProcess, describe_exit
from undercroft.bulk.workers.worker import STOP_SECONDS
from undercroft.errors import UndercroftError
from undercroft.studio.protocol import messages
from undercroft.studio.server.tasks import Task, TaskEnd

MAX_PIPE_BYTES = 1 << 15
"""The most bytes of a message that surely fit into a pipe."""
WORKER_MODULE = "undercroft.studio.worker_main"
"""The module that worker processes start."""
MAX_FAILED_STARTS = 6
"""How many workers in a row may end before they are ready; then there is a pause."""
RETRY_SECONDS = 5.0
"""Seconds of that pause."""


class StudioWorkers:
    """A number of workers for one project. `submit` a task, or `cancel` it; its `on_end` is called exactly once."""

    def __init__(self, project: str, count: int, *, memory: int | None = limits.STUDIO_MEMORY.value) -> None:
        self.count = count
        self._setup = jobs.pack_first_message("studio", {"project": project}, memory)
        self._members: dict[WorkerProcess, Task | None] = {}
        self._known: dict[WorkerProcess, list[str]] = {}
        """The digests of the levels that each worker made lately."""
        self._waiting: list[Task] = []
        self._numbers = itertools.count(1)
        self._failed_starts = 0
        self._stopping = False
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Start the workers; they load while this process goes on."""
        self._loop = asyncio.get_running_loop()
        while len(self._members) < self.count and not self._stopping:
            try:
                member = WorkerProcess(WORKER_MODULE, self._setup, self)
            except OSError:  # no more processes or files for now
                self._loop.call_later(RETRY_SECONDS, self.start)
                return
            self._members[member], self._known[member] = None, []

    def put(self, item: WorkerMessage, /) -> None:
        """Pass on a message of a worker; its reader thread calls this."""
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):  # the loop is closed: nothing handles messages any more
            self._loop.call_soon_threadsafe(self._on_message, *item)

    @property
    def pids(self) -> list[int]:
        return [member.process.pid for member in self._members]

    @property
    def idle(self) -> int:
        """The number of workers that are ready and have no task."""
        return sum(task is None and member.ready for member, task in self._members.items())

    @property
    def pending_tasks(self) -> int:
        """The number of unfinished tasks."""
        return len(self._waiting) + sum(task is not None for task in self._members.values())

    def submit(self, task: Task) -> None:
        """Submit a task."""
        task.number = next(self._numbers)
        try:
            task.frame = frames.pack_message((task.number, (task.ask, task.seconds)))
        except (OverflowError, TypeError, ValueError, RecursionError):
            # a number out of range, or nesting that is too deep
            task.cancelled = True
            task.on_end(
                TaskEnd(
                    "problem",
                    problem=_build_problem("the page sent an invalid request", "reload the page"),
                )
            )
            return
        self._waiting.append(task)
        self._assign()

    def cancel(self, task: Task) -> None:
        """Cancel a task: `on_end` is called at once, and its worker gets a message."""
        if task.cancelled:
            return
        task.cancelled = True
        if task in self._waiting:
            self._waiting.remove(task)
        elif task.member is not None and self._members.get(task.member) is task:
            self._drop(task, task.member)
            self._schedule_kill(task, STOP_SECONDS)
        else:
            return  # it has ended
        task.on_end(TaskEnd("cancelled"))

    def _drop(self, task: Task, member: WorkerProcess) -> None:
        """Cancel a task in its worker. If the task itself is still being sent, the message follows it, without
        blocking.
        """
        assert self._loop is not None
        if task.sending is None or task.sending.done():
            member.cancel_task(task.number)
        else:
            self._loop.run_in_executor(None, member.cancel_task, task.number)

    def _schedule_kill(self, task: Task, seconds: float) -> None:
        """Kill the worker of a task if it has not ended by then."""
        assert self._loop is not None
        if task.late is not None:
            task.late.cancel()
        task.late = self._loop.call_later(seconds, self._kill, task)

    def _kill(self, task: Task) -> None:
        if task.member is not None and self._members.get(task.member) is task:
            task.member.process.kill()

    def _assign(self) -> None:
        """Give waiting tasks to free workers."""
        while not self._stopping:
            free = [member for member, task in self._members.items() if task is None and member.ready]
            if not free or not self._waiting:
                return
            long = sum(task is not None and task.long for task in self._members.values())
            candidates = [task for task in self._waiting if not task.long or self.count == 1 or long < self.count - 1]
            if not candidates:
                return
            task = min(candidates, key=lambda one: (one.rank, one.number))
            self._waiting.remove(task)
            self._send_task(
                task, max(free, key=lambda member: task.about in self._known[member]) if task.about else free[0]
            )

    def _send_task(self, task: Task, member: WorkerProcess) -> None:
        assert self._loop is not None
        self._members[member], task.member = task, member
        if task.about:
            known = self._known[member]
            known[:] = [*[one for one in known if one != task.about][-7:], task.about]
        member.given += 1
        member.since = time.monotonic()
        if len(task.frame) < MAX_PIPE_BYTES:
            member.send(task.frame)
        else:  # it may block until the worker reads
            task.sending = self._loop.run_in_executor(None, member.send, task.frame)
        self._schedule_kill(task, task.seconds + STOP_SECONDS)

    def _on_message(self, member: WorkerProcess, word: str, number: int | None, more: Any) -> None:
        """Handle a message of a worker."""
        if member not in self._members:
            return
        task = self._members[member]
        if word == "ready":
            member.ready, self._failed_starts = True, 0
        elif word == "ended":
            self._replace_dead(member, more)
        elif word == "memory":
            member.starved = True
        elif number is None:
            self._refuse_all(more)
        elif task is not None and task.number == number:
            if word == "part":
                if not task.cancelled:
                    task.on_part(more)
                return
            self._release(member)
            if not task.cancelled:
                task.on_end(self._build_task_end(word, more))
        self._assign()

    def _build_task_end(self, word: str, more: Any) -> TaskEnd:
        if word == "done":
            value, seconds = more
            return TaskEnd("problem" if value["kind"] == "problem" else "done", value["send"], value["data"], seconds)
        if word == "refused":
            return TaskEnd("problem", problem=messages.build_problem(jobs.decode_error(more)))
        return TaskEnd(
            "problem",
            problem=_build_problem(f"something in the studio failed: {more[0]}", "please report it, with what you did"),
        )

    def _release(self, member: WorkerProcess) -> Task | None:
        task = self._members[member]
        self._members[member] = None
        if task is not None and task.late is not None:
            task.late.cancel()
            task.late = None
        return task

    def _replace_dead(self, member: WorkerProcess, code: int) -> None:
        """Replace a worker that has ended, and answer its task."""
        assert self._loop is not None
        task = self._release(member)
        del self._members[member], self._known[member]
        member.request_stop()
        self._failed_starts += not member.ready
        if task is not None and not task.cancelled:
            task.cancelled = True
            task.on_end(TaskEnd("problem", problem=self._explain_death(task, member, code)))
        if self._stopping:
            return
        if self._failed_starts >= MAX_FAILED_STARTS:
            self._refuse_all([f"workers end before they have begun ({describe_exit(code)})"])
            self._failed_starts = 0
            self._loop.call_later(RETRY_SECONDS, self.start)
        else:
            self.start()

    def _explain_death(self, task: Task, member: WorkerProcess, code: int) -> dict[str, Any]:
        if member.starved:
            return _build_problem(
                "there was not enough memory for that", "ask for a smaller level, or for fewer pixels a cell"
            )
        if time.monotonic() - member.since > task.seconds:
            return _build_problem(
                f"this took more than {task.seconds:g} seconds, and was given up",
                "ask for a smaller level, or for less of it",
            )
        return _build_problem(
            f"the worker ended while it was at this ({describe_exit(code)})", "try again; a new worker is there already"
        )

    def _refuse_all(self, more: Any) -> None:
        waiting, self._waiting = self._waiting, []
        for task in waiting:
            task.cancelled = True
            task.on_end(
                TaskEnd(
                    "problem",
                    problem=_build_problem(
                        f"the studio's workers cannot begin: {more[0]}", "see what 'undercroft doctor' says"
                    ),
                )
            )

    async def stop(self) -> None:
        """End all workers."""
        self._stopping = True
        members = list(self._members)
        for member in members:
            member.request_stop()
            if not member.ready or self._members[member] is not None:
                member.process.kill()
        by = time.monotonic() + STOP_SECONDS
        await asyncio.gather(*(asyncio.to_thread(member.wait_or_kill, by) for member in members))
        self._members.clear()


def _build_problem(problem: str, fix: str) -> dict[str, Any]:
    return messages.build_problem(UndercroftError(problem, fix=fix))
