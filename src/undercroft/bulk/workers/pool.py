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
from undercroft.bulk.workers.in_process import STARVED, TRIES, Done, WorkerTrouble, error_of, run_here
from undercroft.bulk.workers.process import Member, Told, ending
from undercroft.bulk.workers.worker import GRACE
from undercroft.errors import BadInput, Cancelled, UndercroftError

STARTS = 6
"""How many workers in a row may die before one of them is ready."""
AHEAD = 8
"""Tasks for each worker that may be done before their turn: the answers that wait are never more."""
RECYCLE = 1000
"""Tasks after which a worker is replaced, so that what little it may lose does not add up."""
MOST_MEMORY = 1 << 44
"""Bytes that a worker may be given at the most: no machine has more, and systems take no number that is much larger."""
TICK = 0.05
"""Seconds between two looks at the flag that cancels."""


def cores() -> int:
    """How many workers the machine has room for."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_memory(memory: int | None, otherwise: str) -> None:
    """Refuse what is no number of bytes that a worker may have."""
    if memory is not None and (type(memory) is not int or memory < 1):
        raise BadInput(
            f"memory is a number of bytes, not {memory!r}", fix=f"for example 2 << 30, which is 2 GB; {otherwise}"
        )
    if memory is not None and memory > MOST_MEMORY:
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
class _Turn:
    """What is known of a task, piece by piece."""

    outcomes: list[Done | UndercroftError | None]
    missing: int


class _Heard:
    """What workers say, each word with the time at which it came: whoever reads it may be late."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[tuple[float, Told]] = queue.SimpleQueue()

    def put(self, item: Told, /) -> None:
        """The thread that listens to a worker calls this."""
        self._queue.put((time.monotonic(), item))

    def get(self, seconds: float) -> tuple[float, Told] | None:
        """The next word; None if there is none for so long."""
        try:
            return self._queue.get(timeout=seconds) if seconds else self._queue.get_nowait()
        except queue.Empty:
            return None


class Pool:
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
        recycle: int = RECYCLE,
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
        self._told = _Heard()
        self._members: list[Member] = []
        self._unborn = 0
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
        self._turns: dict[int, _Turn] = {}
        """What was begun and not given away."""

    def start(self) -> None:
        """Start the workers; they get ready while this process goes on."""
        if not self.is_here:
            setup = messages.packed((self._job, self._setup, self._memory))
            try:
                while len(self._members) < self.workers:
                    self._members.append(Member(self._entry, setup, self._told))
            except OSError as error:
                raise WorkerTrouble(
                    f"the system starts no further process: {(error.strerror or str(error)).lower()}",
                    fix="ask for fewer workers",
                ) from error

    def warm(self) -> bool:
        """Whether a worker is ready."""
        self._listen()
        return any(member.ready for member in self._members)

    def run(self, tasks: Iterable[Any]) -> Iterator[Done]:
        """Do the tasks, each plain data. The workers end with the iterator, however it ends."""
        if self.is_here:
            yield from run_here(self._entry, self._job, self._setup, tasks, self._cancelled, apart=self._apart)
            return
        self._source, self._handed, given = iter(tasks), 0, 0
        try:
            self._fetch()
            if self._tasks:
                self.start()
            while self._open(given):
                while (turn := self._over(given)) is not None:
                    for outcome in self._turns.pop(turn).outcomes:
                        if isinstance(outcome, UndercroftError):
                            raise outcome
                        assert outcome is not None
                        yield outcome
                    given += 1
                while (member := self._free()) is not None:
                    if not self._waiting and self._handed - given < AHEAD * self.workers:
                        self._fetch()
                    if not self._waiting:
                        break
                    *_, number = heapq.heappop(self._waiting)
                    member.give(number, messages.packed((number, self._tasks[number].task)))
                if self._open(given) and self._over(given) is None:
                    self._wait()
        finally:
            self.stop()

    def _open(self, given: int) -> bool:
        """Whether there may be more answers than were given away."""
        return self._source is not None or given < self._handed

    def _over(self, given: int) -> int | None:
        """A task of which all is known, and whose turn it is: the next one, or any."""
        turns = (given,) if self._in_order else self._turns
        return next((turn for turn in turns if turn in self._turns and not self._turns[turn].missing), None)

    def _fetch(self) -> None:
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
            self._turns[self._handed] = _Turn([error], 0)
        else:
            self._begin(self._handed, [task])
        self._handed += 1

    def _begin(self, turn: int, tasks: Sequence[Any]) -> None:
        """A task, or all pieces of one."""
        self._turns[turn] = _Turn([None] * len(tasks), len(tasks))
        for place, task in enumerate(tasks):
            self._tasks[self._number] = _Task(task, turn, place)
            self._queue(self._number)
            self._number += 1

    def _queue(self, number: int) -> None:
        """Let a task wait for a worker."""
        heapq.heappush(self._waiting, (self._tasks[number].turn, self._tasks[number].place, number))

    def _end(self, number: int, outcome: Done | UndercroftError) -> None:
        """It is known what comes of a task."""
        task = self._tasks.pop(number)
        self._turns[task.turn].outcomes[task.place] = outcome
        self._turns[task.turn].missing -= 1

    def _free(self) -> Member | None:
        """The worker that should get the next task: each has one under way and one that waits, so that it never waits
        itself.
        """
        able = [
            member
            for member in self._members
            if member.ready and len(member.tasks) < 2 and member.given < self._recycle
        ]
        return min(able, key=lambda member: len(member.tasks), default=None)

    def _wait(self) -> None:
        """Until somebody says something, the flag is up, or a task has taken too long."""
        while True:
            if self._cancelled():
                raise Cancelled("cancelled between two tasks")
            heard = self._listen()
            self._end_late()  # none whose answer was not read yet
            if heard:
                return
            if (word := self._told.get(TICK)) is not None:
                self._heed(*word)
                return

    def _listen(self) -> bool:
        """Act on all that was said; whether there was anything."""
        heard = False
        while (word := self._told.get(0)) is not None:
            self._heed(*word)
            heard = True
        return heard

    def _end_late(self) -> None:
        """End the workers whose tasks take too long."""
        if self._seconds is None:
            return
        for member in self._members:
            if member.tasks and member.late is None and time.monotonic() - member.since > self._seconds:
                member.late = member.tasks[0]
                member.process.kill()

    def _heed(self, at: float, told: Told) -> None:
        """Act on what a worker said at that time."""
        member, word, number, more = told
        if member not in self._members:
            return  # it was ended before
        if word == "ready":
            member.ready, self._unborn = True, 0
        elif word == "ended":
            self._bury(member, more)
        elif word == "memory":
            member.starved = True  # it ends now, which is heard next
        elif number is None:
            raise error_of(word, more)
        else:
            member.answered(at)
            self._end(number, Done(self._tasks[number].task, *more) if word == "done" else error_of(word, more))
            if member.given >= self._recycle and not member.tasks:
                member.dismiss()

    def _bury(self, member: Member, code: int) -> None:
        """Replace a worker that is gone. Of its tasks, the one it was at is to blame, or was killed for; the other just
        waits for another worker.
        """
        self._members.remove(member)
        member.dismiss()
        self._unborn += not member.ready
        if self._unborn >= STARTS:
            raise WorkerTrouble(
                f"workers end before they have begun ({ending(code)})",
                fix="try one worker; UNDERCROFT_DEBUG=1 shows what they say",
            )
        blamed = member.late if member.late is not None else next(iter(member.tasks), None)
        for number in member.tasks:
            task = self._tasks[number]
            task.died += number == blamed
            if task.died and self._apart and len(task.task) > 1:
                del self._tasks[number]
                self._begin(task.turn, [[piece] for piece in task.task])
            elif task.died >= TRIES:
                self._end(number, Done(task.task, None, 0.0, self._cause(member, code)))
            else:
                self._queue(number)
        self.start()

    def _cause(self, member: Member, code: int) -> str:
        if member.late is not None:
            return f"took more than {self._seconds:g} s"
        return STARVED if member.starved else ending(code)

    def stop(self) -> None:
        """End all workers: at once those that wait, soon those that heed the flag, by force after two seconds the
        others.
        """
        for member in self._members:
            member.dismiss()
            if not member.ready:  # it has not even begun
                member.process.kill()
        by = time.monotonic() + GRACE
        while self._members:
            self._members[-1].end(by)
            self._members.pop()
        self._tasks.clear()
        self._waiting.clear()
        self._turns.clear()
