"""A pool of worker processes that is looked after.

Tasks come from an iterator and are fetched when there is a worker for them; answers come out in the order of the tasks,
or as they come if that does not matter. A worker that dies is replaced and its task tried again; a task that is there
when three of them die is given up. How many workers there are makes no difference to the answers.

A task may be a list of pieces. If a worker dies at it, nobody knows at which piece: so the pieces are tasks of their
own from then on, and only what kills three workers all alone is given up.
"""

from __future__ import annotations

import heapq
import os
import queue
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from undercroft import limits
from undercroft.bulk.workers import messages
from undercroft.bulk.workers.in_process import (
    MAX_TASK_TRIES,
    OUT_OF_MEMORY,
    TaskResult,
    WorkerTrouble,
    build_worker_error,
    run_in_process,
)
from undercroft.bulk.workers.process import WorkerMessage, WorkerProcess, describe_exit
from undercroft.bulk.workers.worker import STOP_SECONDS
from undercroft.errors import BadInput, Cancelled, UndercroftError

MAX_FAILED_STARTS = 6
"""How many workers in a row may die before one of them is ready."""
MAX_TASKS_AHEAD = 8
"""Tasks for each worker that may be done before their turn: the answers that wait are never more."""
RECYCLE_AFTER_TASKS = 1000
"""Tasks after which a worker is replaced, so that what little it may lose does not add up."""
MAX_MEMORY_BYTES = 1 << 44
"""Bytes that a worker may be given at the most: no machine has more, and systems take no number that is much larger."""
POLL_SECONDS = 0.05
"""Seconds between two looks at the flag that cancels."""


def count_cores() -> int:
    """How many workers the machine has room for."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_memory(memory: int | None, otherwise: str) -> None:
    """Refuse what is no number of bytes that a worker may have."""
    if memory is not None and (type(memory) is not int or memory < 1):
        raise BadInput(
            f"memory is a number of bytes, not {memory!r}", fix=f"for example 2 << 30, which is 2 GB; {otherwise}"
        )
    if memory is not None and memory > MAX_MEMORY_BYTES:
        raise BadInput(
            f"no worker can have {memory:,} bytes of memory", fix=f"for example 2 << 30, which is 2 GB; {otherwise}"
        )


@dataclass(slots=True)
class _Task:
    """A task under way."""

    task: Any
    turn: int
    """Which of all tasks it is, or is a piece of."""
    place: int = 0
    """Which piece of it."""
    died: int = 0
    """How many workers it took with it."""


@dataclass(slots=True)
class _PendingResult:
    """What is known of a task, piece by piece."""

    outcomes: list[TaskResult | UndercroftError | None]
    missing: int


class _MessageQueue:
    """What workers say, each word with the time at which it came: whoever reads it may be late."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[tuple[float, WorkerMessage]] = queue.SimpleQueue()

    def put(self, item: WorkerMessage, /) -> None:
        """The thread that listens to a worker calls this."""
        self._queue.put((time.monotonic(), item))

    def get(self, seconds: float) -> tuple[float, WorkerMessage] | None:
        """The next word; None if there is none for so long."""
        try:
            return self._queue.get(timeout=seconds) if seconds else self._queue.get_nowait()
        except queue.Empty:
            return None


class WorkerPool:
    """Workers for one job that the module `entry` lists, each prepared once with `setup`, which is plain data.

    `memory` is how many bytes a worker may have, `seconds` how long one task may take. One worker without these limits
    is this process itself. If answers need not be `in_order`, none waits for another. If tasks are lists of pieces that
    may be taken `apart`, what is done gives back a list of answers, for all of a list or for a part of it. `cancelled`
    is asked now and then; if it says yes, the workers have two seconds to stop, and `Cancelled` is raised.
    """

    def __init__(
        self,
        job: str,
        setup: Any,
        workers: int = 1,
        *,
        entry: str,
        memory: int | None = None,
        seconds: float | None = None,
        recycle: int = RECYCLE_AFTER_TASKS,
        apart: bool = False,
        in_order: bool = True,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        if type(workers) is not int or workers < 1:
            raise BadInput(
                f"workers is a whole number from 1, not {workers!r}", fix="leave it out, or ask for one a core"
            )
        limits.WORKERS.check(workers, "the number of workers")
        self.workers = workers
        self.is_here = workers == 1 and memory is None and seconds is None
        self._apart, self._in_order = apart, in_order
        self._entry, self._job, self._setup, self._memory, self._seconds, self._recycle = (
            entry,
            job,
            setup,
            memory,
            seconds,
            recycle,
        )
        self._cancelled = cancelled or (lambda: False)
        self._told = _MessageQueue()
        self._members: list[WorkerProcess] = []
        self._failed_starts = 0
        """Workers that ended before they were ready, since one was."""
        self._source: Iterator[Any] | None = None
        """Where tasks come from, as long as there may be more."""
        self._handed = 0
        """How many came from there."""
        self._number = 0
        """The next task's: each has its own, and so has each piece of one that was taken apart."""
        self._tasks: dict[int, _Task] = {}
        """Those that are not finished, by their numbers."""
        self._waiting: list[tuple[int, int, int]] = []
        """Those that no worker has, a heap by turn and place: a task whose worker died goes before later ones, since
        they wait for it.
        """
        self._turns: dict[int, _PendingResult] = {}
        """What was begun and not given away."""

    def start(self) -> None:
        """Start the workers; they get ready while this process goes on."""
        if not self.is_here:
            setup = messages.pack_message((self._job, self._setup, self._memory))
            try:
                while len(self._members) < self.workers:
                    self._members.append(WorkerProcess(self._entry, setup, self._told))
            except OSError as error:
                raise WorkerTrouble(
                    f"the system starts no further process: {(error.strerror or str(error)).lower()}",
                    fix="ask for fewer workers",
                ) from error

    def has_ready_worker(self) -> bool:
        """Whether a worker is ready."""
        self._handle_messages()
        return any(member.ready for member in self._members)

    def run(self, tasks: Iterable[Any]) -> Iterator[TaskResult]:
        """Do the tasks, each plain data. The workers end with the iterator, however it ends."""
        if self.is_here:
            yield from run_in_process(self._entry, self._job, self._setup, tasks, self._cancelled, apart=self._apart)
            return
        self._source, self._handed, given = iter(tasks), 0, 0
        try:
            self._fetch_task()
            if self._tasks:
                self.start()
            while self._has_more(given):
                while (turn := self._find_finished(given)) is not None:
                    for outcome in self._turns.pop(turn).outcomes:
                        if isinstance(outcome, UndercroftError):
                            raise outcome
                        assert outcome is not None
                        yield outcome
                    given += 1
                while (member := self._find_free_worker()) is not None:
                    if not self._waiting and self._handed - given < MAX_TASKS_AHEAD * self.workers:
                        self._fetch_task()
                    if not self._waiting:
                        break
                    *_, number = heapq.heappop(self._waiting)
                    member.send_task(number, messages.pack_message((number, self._tasks[number].task)))
                if self._has_more(given) and self._find_finished(given) is None:
                    self._wait_for_message()
        finally:
            self.stop()

    def _has_more(self, given: int) -> bool:
        """Whether there may be more answers than were given away."""
        return self._source is not None or given < self._handed

    def _find_finished(self, given: int) -> int | None:
        """A task of which all is known, and whose turn it is: the next one, or any."""
        turns = (given,) if self._in_order else self._turns
        return next((turn for turn in turns if turn in self._turns and not self._turns[turn].missing), None)

    def _fetch_task(self) -> None:
        """Take in one more task, if there is one."""
        if self._source is None:
            return
        try:
            task = next(self._source)
        except StopIteration:
            self._source = None
            return
        except UndercroftError as error:  # it is raised when its turn comes, as it would be without workers
            self._source = None
            self._turns[self._handed] = _PendingResult([error], 0)
        else:
            self._add_tasks(self._handed, [task])
        self._handed += 1

    def _add_tasks(self, turn: int, tasks: Sequence[Any]) -> None:
        """A task, or all pieces of one."""
        self._turns[turn] = _PendingResult([None] * len(tasks), len(tasks))
        for place, task in enumerate(tasks):
            self._tasks[self._number] = _Task(task, turn, place)
            self._enqueue(self._number)
            self._number += 1

    def _enqueue(self, number: int) -> None:
        """Let a task wait for a worker."""
        heapq.heappush(self._waiting, (self._tasks[number].turn, self._tasks[number].place, number))

    def _finish_task(self, number: int, outcome: TaskResult | UndercroftError) -> None:
        """It is known what comes of a task."""
        task = self._tasks.pop(number)
        self._turns[task.turn].outcomes[task.place] = outcome
        self._turns[task.turn].missing -= 1

    def _find_free_worker(self) -> WorkerProcess | None:
        """The worker that should get the next task: each has one under way and one that waits, so that it never waits
        itself.
        """
        able = [
            member
            for member in self._members
            if member.ready and len(member.tasks) < 2 and member.given < self._recycle
        ]
        return min(able, key=lambda member: len(member.tasks), default=None)

    def _wait_for_message(self) -> None:
        """Until somebody says something, the flag is up, or a task has taken too long."""
        while True:
            if self._cancelled():
                raise Cancelled("cancelled between two tasks")
            heard = self._handle_messages()
            self._kill_late_workers()  # none whose answer was not read yet
            if heard:
                return
            if (word := self._told.get(POLL_SECONDS)) is not None:
                self._on_message(*word)
                return

    def _handle_messages(self) -> bool:
        """Act on all that was said; whether there was anything."""
        heard = False
        while (word := self._told.get(0)) is not None:
            self._on_message(*word)
            heard = True
        return heard

    def _kill_late_workers(self) -> None:
        """End the workers whose tasks take too long."""
        if self._seconds is None:
            return
        for member in self._members:
            if member.tasks and member.late is None and time.monotonic() - member.since > self._seconds:
                member.late = member.tasks[0]
                member.process.kill()

    def _on_message(self, at: float, told: WorkerMessage) -> None:
        """Act on what a worker said at that time."""
        member, word, number, more = told
        if member not in self._members:
            return  # it was ended before
        if word == "ready":
            member.ready, self._failed_starts = True, 0
        elif word == "ended":
            self._replace_dead(member, more)
        elif word == "memory":
            member.starved = True  # it ends now, which is heard next
        elif number is None:
            raise build_worker_error(word, more)
        else:
            member.mark_answered(at)
            self._finish_task(
                number,
                TaskResult(self._tasks[number].task, *more) if word == "done" else build_worker_error(word, more),
            )
            if member.given >= self._recycle and not member.tasks:
                member.request_stop()

    def _replace_dead(self, member: WorkerProcess, code: int) -> None:
        """Replace a worker that is gone. Of its tasks, the one it was at is to blame, or was killed for; the other just
        waits for another worker.
        """
        self._members.remove(member)
        member.request_stop()
        self._failed_starts += not member.ready
        if self._failed_starts >= MAX_FAILED_STARTS:
            raise WorkerTrouble(
                f"workers end before they have begun ({describe_exit(code)})",
                fix="try one worker; UNDERCROFT_DEBUG=1 shows what they say",
            )
        blamed = member.late if member.late is not None else next(iter(member.tasks), None)
        for number in member.tasks:
            task = self._tasks[number]
            task.died += number == blamed
            if task.died and self._apart and len(task.task) > 1:
                del self._tasks[number]
                self._add_tasks(task.turn, [[piece] for piece in task.task])
            elif task.died >= MAX_TASK_TRIES:
                self._finish_task(number, TaskResult(task.task, None, 0.0, self._describe_death(member, code)))
            else:
                self._enqueue(number)
        self.start()

    def _describe_death(self, member: WorkerProcess, code: int) -> str:
        if member.late is not None:
            return f"took more than {self._seconds:g} s"
        return OUT_OF_MEMORY if member.starved else describe_exit(code)

    def stop(self) -> None:
        """End all workers: at once those that wait, soon those that heed the flag, by force after two seconds the
        others.
        """
        for member in self._members:
            member.request_stop()
            if not member.ready:  # it has not even begun
                member.process.kill()
        by = time.monotonic() + STOP_SECONDS
        while self._members:
            self._members[-1].wait_or_kill(by)
            self._members.pop()
        self._tasks.clear()
        self._waiting.clear()
        self._turns.clear()
