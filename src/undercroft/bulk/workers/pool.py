"""A supervised pool of worker processes.

The pool fetches tasks from an iterator when a worker is free. Results come in the order of the tasks, or as they
finish if the order does not matter. A worker that dies is replaced and its task is run again; a task at which three
workers die is given up. The results do not depend on the number of workers.

A task may be a list of pieces. If a worker dies, the pool cannot know at which piece, so the pieces become tasks of
their own. Only a piece that alone kills three workers is given up.
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
from undercroft.bulk.workers import jobs, messages
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
from undercroft.wording import format_count, format_value_briefly

MAX_FAILED_STARTS = 6
"""How many workers in a row may end before one of them is ready."""
MAX_TASKS_AHEAD = 8
"""Tasks for each worker that may finish before their turn: it bounds the results that wait."""
RECYCLE_AFTER_TASKS = 1000
"""Tasks after which a worker is replaced, so that small memory leaks do not add up."""
POLL_SECONDS = 0.05
"""Seconds between two checks of the flag that cancels."""


def count_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_memory(memory: int | None, otherwise: str) -> None:
    """Raise `BadInput` if `memory` is not a number of bytes that a worker may have."""
    if memory is not None and (type(memory) is not int or memory < 1):
        raise BadInput(
            f"memory is a number of bytes, not {format_value_briefly(memory)}",
            fix=f"for example 2 << 30, which is 2 GB; {otherwise}",
        )
    if memory is not None and memory > limits.WORKER_MEMORY_SETTING.value:
        raise BadInput(
            f"no worker can have {format_count(memory)} bytes of memory",
            fix=f"for example 2 << 30, which is 2 GB; {otherwise}",
        )


@dataclass(slots=True)
class _Task:
    """A task that is not finished."""

    task: Any
    turn: int
    """The index of the task, or of the task that it is a piece of."""
    place: int = 0
    """The index of the piece."""
    died: int = 0
    """How many workers died at it."""


@dataclass(slots=True)
class _PendingResult:
    """The results of a task so far, piece by piece."""

    outcomes: list[TaskResult | UndercroftError | None]
    missing: int


class _MessageQueue:
    """Messages from workers, each with its time of arrival: the pool may read them late."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[tuple[float, WorkerMessage]] = queue.SimpleQueue()

    def put(self, item: WorkerMessage, /) -> None:
        """Add a message. The reader thread of a worker calls this."""
        self._queue.put((time.monotonic(), item))

    def get(self, seconds: float) -> tuple[float, WorkerMessage] | None:
        """The next message; None if none arrives within `seconds`."""
        try:
            return self._queue.get(timeout=seconds) if seconds else self._queue.get_nowait()
        except queue.Empty:
            return None


class WorkerPool:
    """Workers for one job that the module `entry` lists. Each worker is prepared once with `setup`, which is plain
    data.

    `memory` limits the bytes of a worker, `seconds` the time of one task. A single worker without these limits is the
    current process itself. If results need not be `in_order`, none waits for another. If tasks are lists of pieces that
    may be taken `apart`, a result holds a list of values, for a whole list or for a part of it. `cancelled` is called
    now and then; if it returns true, the workers have two seconds to stop, and `Cancelled` is raised.
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
                f"workers is a whole number from 1, not {format_value_briefly(workers)}",
                fix="leave it out, or ask for one a core",
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
        self._messages = _MessageQueue()
        self._members: list[WorkerProcess] = []
        self._failed_starts = 0
        """How many workers ended before they were ready, since one became ready."""
        self._source: Iterator[Any] | None = None
        """The iterator of tasks; None when it is exhausted."""
        self._handed = 0
        """How many tasks came from the source."""
        self._number = 0
        """The number of the next task. Each piece of a task that was taken apart has a number of its own."""
        self._tasks: dict[int, _Task] = {}
        """Unfinished tasks, by their numbers."""
        self._waiting: list[tuple[int, int, int]] = []
        """Tasks without a worker, as a heap by turn and place: a task whose worker died goes before later ones, since
        their results wait for it.
        """
        self._turns: dict[int, _PendingResult] = {}
        """Results that were not yielded yet, by turn."""

    def start(self) -> None:
        """Start the workers; they load the job while this process goes on."""
        if not self.is_here:
            setup = jobs.pack_first_message(self._job, self._setup, self._memory)
            try:
                while len(self._members) < self.workers:
                    self._members.append(WorkerProcess(self._entry, setup, self._messages))
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
        """Run the tasks, each plain data. The workers end with the iterator, however it ends."""
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
        """Whether there may be more results than were yielded."""
        return self._source is not None or given < self._handed

    def _find_finished(self, given: int) -> int | None:
        """The turn of a finished task whose result may be yielded: the next one if results are in order, else any."""
        turns = (given,) if self._in_order else self._turns
        return next((turn for turn in turns if turn in self._turns and not self._turns[turn].missing), None)

    def _fetch_task(self) -> None:
        """Fetch one more task, if there is one."""
        if self._source is None:
            return
        try:
            task = next(self._source)
        except StopIteration:
            self._source = None
            return
        except UndercroftError as error:  # raised when its turn comes, as it would be without workers
            self._source = None
            self._turns[self._handed] = _PendingResult([error], 0)
        else:
            self._add_tasks(self._handed, [task])
        self._handed += 1

    def _add_tasks(self, turn: int, tasks: Sequence[Any]) -> None:
        """Add a task, or all pieces of one."""
        self._turns[turn] = _PendingResult([None] * len(tasks), len(tasks))
        for place, task in enumerate(tasks):
            self._tasks[self._number] = _Task(task, turn, place)
            self._enqueue(self._number)
            self._number += 1

    def _enqueue(self, number: int) -> None:
        """Queue a task for a worker."""
        heapq.heappush(self._waiting, (self._tasks[number].turn, self._tasks[number].place, number))

    def _finish_task(self, number: int, outcome: TaskResult | UndercroftError) -> None:
        """Store the result of a task."""
        task = self._tasks.pop(number)
        self._turns[task.turn].outcomes[task.place] = outcome
        self._turns[task.turn].missing -= 1

    def _find_free_worker(self) -> WorkerProcess | None:
        """The worker that should get the next task. Each has one task to work on and one in reserve, so that it is
        never idle.
        """
        candidates = [
            member
            for member in self._members
            if member.ready and len(member.tasks) < 2 and member.given < self._recycle
        ]
        return min(candidates, key=lambda member: len(member.tasks), default=None)

    def _wait_for_message(self) -> None:
        """Wait until a worker sends a message, the flag cancels, or a task takes too long."""
        while True:
            if self._cancelled():
                raise Cancelled("cancelled between two tasks")
            had_messages = self._handle_messages()
            self._kill_late_workers()  # after all messages are read, so that no worker that has answered is killed
            if had_messages:
                return
            if (item := self._messages.get(POLL_SECONDS)) is not None:
                self._on_message(*item)
                return

    def _handle_messages(self) -> bool:
        """Handle all messages that have arrived. Return whether there were any."""
        had_messages = False
        while (item := self._messages.get(0)) is not None:
            self._on_message(*item)
            had_messages = True
        return had_messages

    def _kill_late_workers(self) -> None:
        """Kill the workers whose tasks take too long."""
        if self._seconds is None:
            return
        for member in self._members:
            if member.tasks and member.late is None and time.monotonic() - member.since > self._seconds:
                member.late = member.tasks[0]
                member.process.kill()

    def _on_message(self, at: float, message: WorkerMessage) -> None:
        """Handle a message that a worker sent at that time."""
        member, word, number, more = message
        if member not in self._members:
            return  # it was removed before
        if word == "ready":
            member.ready, self._failed_starts = True, 0
        elif word == "ended":
            self._replace_dead(member, more)
        elif word == "memory":
            member.starved = True  # it ends now; "ended" is its next message
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
        """Replace a worker that has ended. The task that it was working on, or was killed for, counts the death; its
        other task just waits for another worker.
        """
        self._members.remove(member)
        member.request_stop()
        self._failed_starts += not member.ready
        if self._failed_starts >= MAX_FAILED_STARTS:
            raise WorkerTrouble(
                f"workers end before they have begun ({describe_exit(code)})",
                fix="try one worker; UNDERCROFT_DEBUG=1 shows what they say",
            )
        cause = member.late if member.late is not None else next(iter(member.tasks), None)
        for number in member.tasks:
            task = self._tasks[number]
            task.died += number == cause
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
        """End all workers: idle ones at once, those that check the flag soon, and the others by force after two
        seconds.
        """
        for member in self._members:
            member.request_stop()
            if not member.ready:  # it has not started to work
                member.process.kill()
        by = time.monotonic() + STOP_SECONDS
        while self._members:
            self._members[-1].wait_or_kill(by)
            self._members.pop()
        self._tasks.clear()
        self._waiting.clear()
        self._turns.clear()
