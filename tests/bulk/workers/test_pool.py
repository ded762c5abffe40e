"""The pool: the same answers in the same order, whatever happens to its workers."""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from support.processes import nobody_left, until
from undercroft.bulk.workers import messages
from undercroft.bulk.workers import pool as workers_pool
from undercroft.bulk.workers import process as member
from undercroft.bulk.workers.adaptive import AdaptivePool
from undercroft.bulk.workers.in_process import TaskResult, WorkerTrouble
from undercroft.bulk.workers.pool import MAX_FAILED_STARTS, MAX_TASKS_AHEAD, WorkerPool
from undercroft.errors import BadInput, Cancelled, Place, TooBig

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals differ there"),
    pytest.mark.long,
    pytest.mark.processes,
]


drill_pool = partial(WorkerPool, entry="support.drill")
drill_paced = partial(AdaptivePool, entry="support.drill")
"""Workers of these tests have one job, the module `support.drill`."""


def list_results(done: Iterator[TaskResult]) -> list[tuple[Any, Any, str]]:
    return [(one.task, one.value, one.poisoned) for one in done]


def has_ended(pid: int, within: float = 10.0) -> bool:
    """Whether a process is no more, or is so soon."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if (
            Path(f"/proc/{pid}/stat").exists()
            and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        ):
            return True
        time.sleep(0.02)
    return False


def pids(pool: WorkerPool) -> list[int]:
    return [one.process.pid for one in pool._members]


def test_any_number_of_workers_gives_the_same_in_the_same_order() -> None:
    tasks = [["slow", 0.12, 1], 5, ["slow", 0.01, 2], 7, *range(40), ["eat", 1 << 50], 8]
    alone = list_results(drill_pool("drill", None, 1).run(tasks))
    assert [value for _, value, _ in alone] == [1, 25, 2, 49, *(number * number for number in range(40)), None, 64]
    assert [poisoned for *_, poisoned in alone if poisoned] == ["not enough memory"]
    for workers in (2, 3):
        assert list_results(drill_pool("drill", None, workers, memory=4 << 30).run(tasks)) == alone


def test_no_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(member, "WORKER_CODE", "raise SystemExit('a worker was started')")
    assert list(drill_pool("drill", None, 2).run([])) == []
    assert list(drill_pool("drill", None, 1).run([])) == []


def test_what_is_printed_in_a_worker_is_no_message() -> None:
    assert [one.value for one in drill_pool("drill", None, 2).run([["talk"], 2])] == ["silence", 4]


@pytest.mark.parametrize("seed", range(2))
def test_workers_that_are_killed_at_random_moments_change_nothing(seed: int) -> None:
    dice = random.Random(seed)
    pool = drill_pool("drill", None, 3)
    over = threading.Event()
    killed: Counter[Any] = Counter()

    def kill() -> None:
        while not over.wait(dice.uniform(0.02, 0.25)):
            one = dice.choice([*pool._members] or [None])
            if one is None or one.process.poll() is not None:
                continue
            task = (*one.tasks, "idle")[0] if one.ready else "start"
            # it may be at the next task by now, which is killed once more then
            if killed[task] < (MAX_FAILED_STARTS - 2 if task == "start" else 1):
                killed[task] += 1
                one.process.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        tasks: list[Any] = [["slow", 0.04, number] for number in range(600)]
        some = itertools.takewhile(lambda task: task[2] < 60 or sum(killed.values()) < 5, tasks)
        done = list_results(pool.run(some))
        tasks = tasks[: max(60, len(done))]
    finally:
        over.set()
        killer.join()
    assert done == [(task, number, "") for number, task in enumerate(tasks)]
    assert sum(killed.values()) >= 5, "this test is about workers that are killed"
    assert pids(pool) == []


def test_a_task_that_kills_its_worker_twice_is_done_the_third_time(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    assert list_results(drill_pool("drill", None, 2).run([["die", "SIGKILL", str(mark), 2], 3])) == [
        (["die", "SIGKILL", str(mark), 2], "alive", ""),
        (3, 9, ""),
    ]
    assert mark.read_text() == "xxx"


def test_a_task_that_always_kills_its_worker_is_given_up_and_no_other(tmp_path: Path) -> None:
    killed, crashed = tmp_path / "killed", tmp_path / "crashed"
    tasks: list[Any] = [
        1,
        ["die", "SIGKILL", str(killed), 99],
        2,
        ["die", "SIGSEGV", str(crashed), 99],
        ["leave"],
        *range(3, 10),
    ]
    done = list_results(drill_pool("drill", None, 2).run(tasks))
    assert [task for task, *_ in done] == tasks
    assert [value for _, value, _ in done] == [1, None, 4, None, None, *(number * number for number in range(3, 10))]
    assert [poisoned for *_, poisoned in done if poisoned] == [
        "SIGKILL, as when memory runs out",
        "SIGSEGV",
        "exit code 7",
    ]
    assert killed.read_text() == crashed.read_text() == "xxx"


def each(done: Iterator[TaskResult]) -> list[tuple[Any, Any, str]]:
    """Piece by piece."""
    return [
        (piece, value, one.poisoned)
        for one in done
        for piece, value in zip(one.task, [None] * len(one.task) if one.poisoned else one.value, strict=True)
    ]


def test_a_piece_that_kills_its_worker_costs_no_other(tmp_path: Path) -> None:
    for workers in (1, 2):
        mark, twice = tmp_path / f"mark{workers}", tmp_path / f"twice{workers}"
        tasks: list[list[Any]] = [
            [1, 2, ["die", "SIGKILL", str(mark), 99], 3],
            [4],
            [5, ["die", "SIGSEGV", str(twice), 2], 6],
            [["leave"]],
            list(range(7, 30)),
        ]
        done = list(drill_pool("drill", "many", workers, memory=4 << 30, apart=True).run(tasks))
        assert each(iter(done)) == [
            *((1, 1, ""), (2, 4, ""), (tasks[0][2], None, "SIGKILL, as when memory runs out"), (3, 9, "")),
            *((4, 16, ""), (5, 25, ""), (tasks[2][1], "alive", ""), (6, 36, ""), (["leave"], None, "exit code 7")),
            *((number, number * number, "") for number in range(7, 30)),
        ]
        assert (mark.read_text(), twice.read_text()) == ("xxxx", "xxx"), "once with the others, and then alone"
        assert [one.task for one in done if len(one.task) > 1] == [tasks[-1]], "what went well stays together"


def test_pieces_that_want_too_much_memory_are_given_up_alone() -> None:
    tasks = [[1, ["eat", 1 << 50], 2], [3]]
    wanted = [(1, 1, ""), (["eat", 1 << 50], None, "not enough memory"), (2, 4, ""), (3, 9, "")]
    assert each(drill_pool("drill", "many", 1, apart=True).run(tasks)) == wanted
    assert each(drill_pool("drill", "many", 2, memory=4 << 30, apart=True).run(tasks)) == wanted


@pytest.mark.parametrize("workers", [1, 2])
def test_this_process_does_not_work_where_memory_matters(workers: int) -> None:
    def who(**options: Any) -> set[int]:
        paced = drill_paced("drill", "many", workers, **options)
        return {value[0] for done in paced.run([["pid"]] * 5) for value in done.value}

    assert os.getpid() not in who(memory=300 << 20)
    assert os.getpid() not in who(memory=2 << 30, cells=1 << 22)
    assert who(memory=2 << 30, cells=1 << 21) == {os.getpid()}
    assert who() == {os.getpid()}
    with pytest.raises(BadInput, match="memory is a number of bytes, not '2GB'"):
        who(memory="2GB")


def test_what_a_task_refuses_or_fails_at_is_raised_in_its_turn() -> None:
    for workers in (1, 2):
        done = drill_pool("drill", None, workers).run([2, ["slow", 0.2, 9], ["fail"], 4])
        assert [next(done).value, next(done).value] == [4, 9]
        with pytest.raises(
            WorkerTrouble, match="something in a worker failed: IndexError: list index out of range"
        ) as caught:
            next(done)
        assert caught.value.exit_code == 3
        refused = drill_pool("drill", None, workers).run([2, ["refuse"], ["fail"]])
        assert next(refused).value == 4
        with pytest.raises(BadInput) as said:
            next(refused)
        assert (said.value.problem, said.value.place, said.value.fix) == (
            "not this one",
            Place("task", 1, 1, "this"),
            "another",
        )


def test_a_source_that_breaks_off() -> None:
    def tasks() -> Iterator[Any]:
        yield ["slow", 0.2, 1]
        yield 2
        raise BadInput("no further task")

    for workers in (1, 2):
        done = drill_pool("drill", None, workers).run(tasks())
        assert [next(done).value, next(done).value] == [1, 4]
        with pytest.raises(BadInput, match="no further task"):
            next(done)


def test_a_pool_can_be_used_again() -> None:
    pool = drill_pool("drill", None, 2)
    done = pool.run(count())
    assert [one.value for one in islice(done, 3)] == [0, 1, 4]
    del done
    assert [one.value for one in pool.run([7, ["slow", 0.1, 3], 8])] == [49, 3, 64]


def test_a_setup_that_is_refused_or_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    for workers in (1, 2):
        with pytest.raises(BadInput, match="setup:2:3: no such setup"):
            list(drill_pool("drill", "refuse", workers).run([1]))
        with pytest.raises(WorkerTrouble, match="failed: KeyError: 'setup'"):
            list(drill_pool("drill", "fail", workers).run([1]))
    with pytest.raises(WorkerTrouble, match=r"workers end before they have begun \(SIGKILL"):
        list(drill_pool("drill", "die", 2).run([1]))
    assert MAX_FAILED_STARTS < 20
    monkeypatch.setattr(member, "WORKER_CODE", "nonsense")
    with pytest.raises(WorkerTrouble, match=r"workers end before they have begun \(exit code 1\)"):
        list(drill_pool("drill", None, 2).run([1]))
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(WorkerTrouble, match="the system starts no further process: no such file"):
        list(drill_pool("drill", None, 2).run([1]))


def test_answers_that_wait_for_a_slow_one_are_bounded() -> None:
    fetched = count()
    last = 0

    def tasks() -> Iterator[Any]:
        nonlocal last
        yield ["slow", 1.5, 1]
        for number in fetched:
            last = number
            yield number

    done = drill_pool("drill", None, 2).run(tasks())
    assert next(done).value == 1
    assert MAX_TASKS_AHEAD <= last <= 2 * MAX_TASKS_AHEAD
    assert [one.value for one in islice(done, 50)] == [number * number for number in range(50)]
    done.close()  # type: ignore[attr-defined]


def test_a_worker_is_replaced_after_so_many_tasks(tmp_path: Path) -> None:
    done = [one.value for one in drill_pool("drill", None, 2, recycle=4).run([["pid"]] * 20)]
    counts = Counter(pid for pid, _ in done)
    assert len(counts) >= 5
    assert max(counts.values()) <= 4
    assert all(number <= 4 for _, number in done)
    assert all(has_ended(pid) for pid in counts)


def test_a_task_that_takes_too_long_is_given_up() -> None:
    begun = time.monotonic()
    done = list_results(drill_pool("drill", None, 2, seconds=1.5).run([3, ["deaf", 60], 4]))
    assert [value for _, value, _ in done] == [9, None, 16]
    assert done[1][2] == "took more than 1.5 s"
    assert time.monotonic() - begun < 50, "the task takes a minute"


def test_each_task_has_the_time_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that has the next task already is not late with it."""
    buried = []
    bury = WorkerPool._replace_dead

    def noted(pool: WorkerPool, one: member.WorkerProcess, code: int) -> None:
        buried.append(one)
        bury(pool, one, code)

    monkeypatch.setattr(WorkerPool, "_replace_dead", noted)
    assert [
        one.value
        for one in drill_pool("drill", None, 2, seconds=2.5).run([["slow", 0.9, number] for number in range(8)])
    ] == list(range(8))
    assert buried == []


class Simulated:
    """Workers and a clock that are only thought: the clock moves when somebody waits or writes. If `crossing`, workers
    that are killed have just answered.
    """

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, takes: Callable[[int], float], *, crossing: bool = False
    ) -> None:
        self.now = 0.0
        self.killed = 0
        self.workers: list[Any] = []
        clock = SimpleNamespace(monotonic=lambda: self.now)
        simulated = self

        class Words(deque[Any]):
            put = deque.append

            def get_nowait(self) -> Any:
                if not self:
                    raise queue.Empty
                return self.popleft()

            def get(self, timeout: float) -> Any:
                simulated.pass_by(0.0 if self else timeout)
                return self.get_nowait()

        class Worker(member.WorkerProcess):
            def __init__(self, _entry: str, _setup: bytes, told: Any) -> None:
                self.tasks, self.given, self.ready, self.starved, self.since, self.late, self._gave = (
                    deque(),
                    0,
                    False,
                    False,
                    0.0,
                    None,
                    0.0,
                )
                self.process: Any = self
                self.told, self.work, self.free, self.dead = told, deque[tuple[float, int, Any]](), 0.0, False
                simulated.workers.append(self)
                told.put((self, "ready", None, None))

            def send(self, frame: bytes) -> None:
                number, task = messages.unpack_message(frame)
                self.free = max(self.free, simulated.now) + takes(task)
                self.work.append((self.free, number, task))

            def kill(self) -> None:
                if self.dead:
                    return
                simulated.killed += 1
                self.dead = True
                if crossing:
                    _, number, task = self.work.popleft()
                    self.told.put((self, "done", number, [task, 0.0]))
                self.told.put((self, "ended", None, -signal.SIGKILL))

            def request_stop(self) -> None:
                self.dead = True

            def wait_or_kill(self, by: float) -> None:
                self.dead = True

        monkeypatch.setattr(workers_pool, "WorkerProcess", Worker)
        monkeypatch.setattr(workers_pool, "queue", SimpleNamespace(SimpleQueue=Words, Empty=queue.Empty))
        for module in (workers_pool, member):
            monkeypatch.setattr(module, "time", clock)

    def pass_by(self, seconds: float) -> None:
        """So much time goes by; what is done by then is said at its time."""
        until = self.now + seconds
        while due := [one for one in self.workers if not one.dead and one.work and one.work[0][0] <= until]:
            one = min(due, key=lambda worker: worker.work[0][0])
            self.now, number, task = one.work.popleft()
            one.told.put((one, "done", number, [task, 0.0]))
        self.now = until


@pytest.mark.parametrize("in_order", [True, False])
def test_a_worker_is_not_late_because_nobody_listens(in_order: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """While files are written, answers wait and workers go on: their time counts from when they answered."""
    simulated = Simulated(monkeypatch, lambda _: 0.9)
    done = []
    for one in drill_pool("drill", None, 4, seconds=1.0, in_order=in_order).run(range(60)):
        done.append((one.value, one.poisoned))
        simulated.pass_by(0.4)
    assert sorted(done) == [(number, "") for number in range(60)]
    assert simulated.killed == 0


def test_what_is_late_is_told_as_such_whoever_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    simulated = Simulated(monkeypatch, lambda task: 5.0 if task == 9 else 0.9)
    done = []
    for one in drill_pool("drill", None, 3, seconds=1.0, in_order=False).run(range(40)):
        done.append((one.task, one.poisoned))
        simulated.pass_by(0.4)
    assert sorted(done) == [(number, "took more than 1 s" if number == 9 else "") for number in range(40)]
    assert simulated.killed == 3


def test_an_answer_that_crosses_the_kill_costs_the_next_task_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker is late, and has answered before the signal comes: its next task is not to blame."""
    simulated = Simulated(monkeypatch, lambda _: 1.01, crossing=True)
    blamed: list[Any] = []
    bury = WorkerPool._replace_dead

    def noted(pool: WorkerPool, one: member.WorkerProcess, code: int) -> None:
        bury(pool, one, code)
        blamed.extend(task for task in pool._tasks.values() if task.died)

    monkeypatch.setattr(WorkerPool, "_replace_dead", noted)
    done = [(one.task, one.poisoned) for one in drill_pool("drill", None, 2, seconds=1.0).run(range(9))]
    assert done == [(number, "") for number in range(9)]
    assert simulated.killed > 3
    assert blamed == []


@pytest.mark.parametrize("task", [["slow", 60], ["deaf", 60]])
def test_cancelling_takes_two_seconds_and_leaves_nobody(task: list[Any]) -> None:
    flag = threading.Event()
    pool = drill_pool("drill", None, 2, cancelled=flag.is_set)
    done = pool.run([1, *([task] * 4)])
    assert next(done).value == 1
    workers = pids(pool)
    threading.Timer(0.3, flag.set).start()
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        next(done)
    assert time.monotonic() - begun < 40, "a task takes a minute"
    assert len(workers) == 2
    assert all(has_ended(pid) for pid in workers)


def test_cancelling_in_this_process() -> None:
    flag = threading.Event()
    threading.Timer(0.2, flag.set).start()
    with pytest.raises(Cancelled):
        list(drill_pool("drill", None, 1, cancelled=flag.is_set).run([1, ["slow", 60]]))


def test_workers_end_with_the_iterator() -> None:
    pool = drill_pool("drill", None, 2)
    done = pool.run(count())
    assert [one.value for one in islice(done, 5)] == [0, 1, 4, 9, 16]
    workers = pids(pool)
    del done
    assert pids(pool) == []
    assert all(has_ended(pid) for pid in workers)


def test_workers_can_be_started_beforehand() -> None:
    pool = drill_pool("drill", None, 2)
    assert not pool.has_ready_worker()
    pool.start()
    until(pool.has_ready_worker)
    early = set(pids(pool))
    assert {one.value[0] for one in pool.run([["pid"]] * 9)} <= early
    pool.stop()


PROGRAM = """
import sys, undercroft as uc
from undercroft.bulk.workers.pool import WorkerPool
open(sys.argv[1] + ".begun", "w").close()
try:
    tasks = [["pid", sys.argv[1]]] * 40 + [["deaf", 60]] * 4
    for done in WorkerPool("drill", None, 2, entry="support.drill").run(tasks):
        pass
except KeyboardInterrupt:
    print("stopped")
    sys.exit(130)
"""


def program(mark: Path) -> subprocess.Popen[str]:
    """A program of a user's, in a group of its own as a terminal would have it. It has no guard against being imported:
    none is needed.
    """
    mark.write_text("")
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(mark)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "UNDERCROFT_DEBUG": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def busy(mark: Path, process: subprocess.Popen[str]) -> set[int]:
    """Wait until the workers are at work; who they are."""
    while mark.read_text().count("\n") < 40 and process.poll() is None:
        time.sleep(0.02)
    time.sleep(0.1)
    return {int(line) for line in mark.read_text().split()}


def test_no_worker_outlives_a_parent_that_is_killed(tmp_path: Path) -> None:
    process = program(tmp_path / "mark")
    workers = busy(tmp_path / "mark", process)
    process.kill()
    process.communicate()
    assert workers
    assert all(has_ended(pid) for pid in workers)


@pytest.mark.parametrize("wait", [0.0, 0.1, 0.5, None])
def test_ctrl_c_ends_everybody_without_a_word(wait: float | None, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    process = program(mark)
    if wait is None:
        busy(mark, process)
    else:
        # an interrupt while a program is still importing is that program's affair
        until((tmp_path / "mark.begun").exists)
        time.sleep(wait)
    out, err, begun = "", "", 0.0
    for _ in range(3):  # while Python imports modules, it can lose an interrupt; a person presses again
        os.killpg(process.pid, signal.SIGINT)
        begun = time.monotonic()
        with contextlib.suppress(subprocess.TimeoutExpired):
            out, err = process.communicate(timeout=15)
            break
    assert time.monotonic() - begun < 40, "a task takes a minute"
    if wait is None:
        assert (process.returncode, out, err) == (130, "stopped\n", "")
    assert "worker.py" not in err
    assert "drill.py" not in err
    assert all(has_ended(int(line)) for line in mark.read_text().split())
    assert nobody_left(process.pid)


@pytest.mark.parametrize("workers", [0, -1, True, 1.5, "2"])
def test_a_number_of_workers_that_is_none(workers: Any) -> None:
    with pytest.raises(BadInput, match="workers is a whole number from 1"):
        drill_pool("drill", None, workers)


def test_too_many_workers() -> None:
    with pytest.raises(TooBig, match="the number of workers is 257; the limit is 256"):
        drill_pool("drill", None, 257)


class Narrow:
    """A pipe that takes and gives one to three bytes at a time."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: memoryview) -> int:
        part = bytes(data[: 1 + len(self.data) % 3])
        self.data += part
        return len(part)

    def read(self, size: int) -> bytes:
        part = bytes(self.data[: min(size, 1 + len(self.data) % 3)])
        del self.data[: len(part)]
        return part


def test_a_message_comes_whole_or_not_at_all() -> None:
    message = ["done", 1 << 63, [None, 0.5, b"\0\xff", "ä", {"a": [True]}]]
    pipe = Narrow()
    messages.write_frame(pipe, messages.pack_message(message))
    whole = bytes(pipe.data)
    assert messages.read_message(pipe) == message
    assert messages.read_message(pipe) is None
    for cut in range(len(whole)):
        pipe.data = bytearray(whole[:cut])
        assert messages.read_message(pipe) is None
