"""Workers that are cancelled, killed, starved and late; and asks that take each other's place."""

from __future__ import annotations

import array
import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.studio_pages import Page, Server, source, until
from undercroft import limits
from undercroft.bulk.workers.process import WorkerProcess
from undercroft.errors import Cancelled, FileTrouble
from undercroft.recipe.catalogue import names
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.project import Project
from undercroft.studio.server import worker_pool as workers_module
from undercroft.studio.server.lanes import Lanes
from undercroft.studio.server.studio import IS_CLIENT_GONE, RequestRefused, Studio
from undercroft.studio.server.tasks import Task, TaskEnd
from undercroft.studio.server.worker_pool import StudioWorkers

pytestmark = [pytest.mark.long, pytest.mark.processes]

LARGEST = {"rooms-and-mazes": [1023, 1023]}
"""The largest size that the studio makes, of recipes that do not take 1024x1024."""


def with_workers(project: Path, count: int, work: Callable[[StudioWorkers], Awaitable[None]], **options: Any) -> None:
    """Run something with workers, which are ready."""

    async def main() -> None:
        workers = StudioWorkers(str(project), count, **options)
        workers.start()
        try:
            assert await soon(lambda: workers.idle == count, 60)
            await work(workers)
        finally:
            await workers.stop()

    asyncio.run(main())


async def soon(holds: Callable[[], bool], within: float = 20.0) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end:
        if holds():
            return True
        await asyncio.sleep(0.002)
    return False


def submitted(
    workers: StudioWorkers, do: str, seconds: float = 60.0, **ask: Any
) -> tuple[Task, asyncio.Future[TaskEnd]]:
    ended: asyncio.Future[TaskEnd] = asyncio.get_running_loop().create_future()
    task = Task({"id": 1, "do": do, **ask}, ended.set_result, seconds=seconds)
    workers.submit(task)
    return task, ended


async def done(workers: StudioWorkers, do: str, **ask: Any) -> TaskEnd:
    return await asyncio.wait_for(submitted(workers, do, **ask)[1], 60)


def test_cancel_to_stopped_takes_a_fifth_of_a_second_at_most(tmp_path: Path) -> None:
    """At the largest size, in every recipe, at several moments; and the process lives on. Only `make heavy`, which has
    the machine to itself, measures the fifth of a second; else half of them take no more than two.
    """

    async def work(workers: StudioWorkers) -> None:
        pids = workers.pids
        taken: list[float] = []
        for name in names():
            for moment in (0.03, 0.12):
                task, ended = submitted(
                    workers, "make", measures="all", **source(name, size=LARGEST.get(name, [1024, 1024]))
                )
                await asyncio.sleep(moment)
                if ended.done():
                    assert ended.result().kind != "cancelled"
                    continue
                begun = time.perf_counter()
                workers.cancel(task)
                assert ended.done(), "the page hears of it at once"
                assert ended.result().kind == "cancelled"
                assert await soon(lambda: workers.idle == 1)
                taken.append(time.perf_counter() - begun)
        assert len(taken) > 20
        heavy = os.environ.get("UNDERCROFT_HEAVY") == "1"
        assert sorted(taken)[len(taken) * 95 // 100 if heavy else len(taken) // 2] < (0.2 if heavy else 2.0), taken
        assert workers.pids == pids, "nobody had to be ended"

    with_workers(tmp_path, 1, work)


def test_what_heeds_no_flag_is_interrupted(tmp_path: Path) -> None:
    """Pictures are drawn by code that knows of no flag."""

    async def work(workers: StudioWorkers) -> None:
        pids = workers.pids
        given = source("rooms-and-mazes", size=[121, 81])
        before = await done(workers, "make", measures=[], **given)
        for style in ("ink", "pixels"):
            task, _ = submitted(workers, "picture", style=style, cell=24, show=[], hide=[], **given)
            await asyncio.sleep(0.3)
            assert workers.idle == 0
            workers.cancel(task)
            assert await soon(lambda: workers.idle == 1)
        assert workers.pids == pids, "they were interrupted, and not ended"
        after = await done(workers, "make", measures=[], **given)
        assert isinstance(before.send, bytes)
        assert isinstance(after.send, bytes)
        assert after.send[-1000:] == before.send[-1000:]
        assert (await done(workers, "picture", style="ink", cell=4, show=[], hide=[], **given)).kind == "done"

    with_workers(tmp_path, 1, work)


def test_a_cancelled_task_changes_nothing_for_the_next(tmp_path: Path) -> None:
    async def work(workers: StudioWorkers) -> None:
        from undercroft.studio.protocol.messages import unpack_message

        expected = {seed: uc.generate("cave", seed=seed, size=(200, 200)).tiles for seed in "123"}
        for turn in range(30):
            task, _ = submitted(workers, "make", measures=[], **source(seed="9", size=[700, 700]))
            await asyncio.sleep(0.003 * (turn % 10))
            workers.cancel(task)
            seed = "123"[turn % 3]
            outcome = await done(workers, "make", measures=[], **source(seed=seed, size=[200, 200]))
            assert isinstance(outcome.send, bytes)
            tiles: Any = unpack_message(outcome.send)[1]["tiles"]
            assert np.array_equal(tiles.reshape(200, 200), expected[seed])

    with_workers(tmp_path, 1, work)


@pytest.mark.skipif(sys.platform != "linux", reason="what is in a pipe is not told elsewhere")
def test_a_long_message_is_not_torn_by_its_cancel_which_waits_for_it_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers_module, "STOP_SECONDS", 60.0)

    async def main(workers: StudioWorkers) -> None:
        [pid], [member] = workers.pids, list(workers._members)
        os.kill(pid, signal.SIGSTOP)  # it reads nothing, so that the message stops half way
        task, ended = submitted(workers, "make", junk="x" * (1 << 21), **source(size=[20, 12]))
        assert await soon(lambda: in_pipe(member) >= 1 << 15)
        waking = threading.Timer(10, os.kill, [pid, signal.SIGCONT])
        waking.start()
        try:
            workers.cancel(task)
            assert waking.is_alive(), "it waited for the worker"
        finally:
            waking.cancel()
            os.kill(pid, signal.SIGCONT)
        assert (await ended).kind == "cancelled"
        assert (await done(workers, "make", measures=[], **source(size=[20, 12]))).kind == "done"
        assert workers.pids == [pid]

    with_workers(tmp_path, 1, main)


def in_pipe(member: WorkerProcess) -> int:
    """Bytes that a worker was sent and has not read."""
    import fcntl  # other systems have none
    import termios

    held = array.array("i", [0])
    fcntl.ioctl(member._input, termios.FIONREAD, held)
    return held[0]


def test_a_killed_worker_is_replaced_and_its_ask_answered(tmp_path: Path) -> None:
    async def work(workers: StudioWorkers) -> None:
        task, ended = submitted(workers, "make", measures="all", **source(size=[1024, 1024]))
        await asyncio.sleep(0.05)
        assert task.member is not None
        os.kill(task.member.process.pid, signal.SIGKILL)
        outcome = await asyncio.wait_for(ended, 20)
        assert outcome.kind == "problem"
        assert outcome.problem is not None
        assert "SIGKILL" in outcome.problem["problem"]
        assert outcome.problem["fix"]
        assert (await done(workers, "make", measures=[], **source())).kind == "done"
        idle = workers.pids[0]
        os.kill(idle, signal.SIGKILL)  # one that does nothing
        assert await soon(lambda: idle not in workers.pids and workers.idle == 2, 60)
        assert (await done(workers, "make", measures=[], **source())).kind == "done"

    with_workers(tmp_path, 2, work)


def test_what_takes_too_long_is_given_up(tmp_path: Path) -> None:
    async def work(workers: StudioWorkers) -> None:
        pids = workers.pids
        ended = submitted(workers, "make", seconds=0.3, measures="all", **source("cozy", size=[1024, 1024]))[1]
        outcome = await asyncio.wait_for(ended, 20)
        assert outcome.kind == "problem"
        assert isinstance(outcome.send, str)
        assert "took more than 0.3 seconds" in outcome.send
        assert workers.pids == pids, "it noticed by itself"
        assert (await done(workers, "make", measures=[], **source())).kind == "done"

    with_workers(tmp_path, 1, work)


def test_what_takes_too_long_and_heeds_nothing_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("undercroft.studio.server.worker_pool.STOP_SECONDS", 0.2)

    async def work(workers: StudioWorkers) -> None:
        pids = workers.pids
        given = source("rooms-and-mazes", size=[161, 101])
        await done(workers, "make", measures=[], **given)
        outcome = await asyncio.wait_for(
            submitted(workers, "picture", seconds=0.1, style="pixels", cell=24, show=[], hide=[], **given)[1], 20
        )
        assert outcome.kind == "problem"
        assert outcome.problem is not None
        assert "took more than 0.1 seconds" in outcome.problem["problem"]
        assert workers.pids != pids
        assert (await done(workers, "make", measures=[], **source())).kind == "done"

    with_workers(tmp_path, 1, work)


def test_memory_has_a_limit(tmp_path: Path) -> None:
    async def work(workers: StudioWorkers) -> None:
        assert (await done(workers, "make", measures=[], **source())).kind == "done"
        outcome = await done(workers, "make", measures="all", **source("tinykeep", size=[1024, 1024]))
        problem = outcome.problem or {}
        assert outcome.kind == "problem", outcome
        assert "not enough memory" in problem["problem"]
        assert (await done(workers, "make", measures=[], **source())).kind == "done"

    with_workers(tmp_path, 1, work, memory=_needed() + (24 << 20))


def _needed() -> int:
    """Bytes of address space that a worker has at the beginning: measured, since that depends on the libraries."""
    code = (
        "from undercroft.studio.jobs.work import prepare; prepare({'project': '.'}); "
        "print(open('/proc/self/statm').read())"
    )
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    pages = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=alone
    ).stdout.split()[0]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def test_cells_have_a_limit(page: Page) -> None:
    side = int(limits.STUDIO_CELLS.value**0.5)
    assert page.answer("make", measures=[], **source("maze", size=[side - 1, side - 1]))[0]["size"] == [
        side - 1,
        side - 1,
    ]
    for do, more in (
        ("make", {"measures": []}),
        ("timeline", {}),
        ("picture", {"style": "plain", "cell": 1, "show": [], "hide": []}),
    ):
        problem = page.problem(do, **source("maze", size=[side + 1, side + 1]), **more)
        assert f"the limit is {limits.STUDIO_CELLS.value:,}" in problem["problem"]


def test_workers_that_cannot_begin_are_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("undercroft.bulk.workers.process.WORKER_CODE", "import sys; sys.exit(3)")

    async def main() -> None:
        workers = StudioWorkers(str(tmp_path), 1)
        workers.start()
        try:
            outcome = await asyncio.wait_for(submitted(workers, "make", measures=[], **source())[1], 30)
            assert outcome.problem is not None
            assert "cannot begin" in outcome.problem["problem"]
            assert "exit code 3" in outcome.problem["problem"]
        finally:
            await workers.stop()

    asyncio.run(main())


def test_quick_asks_come_before_slow_ones_and_long_ones_leave_a_worker_free(tmp_path: Path) -> None:
    async def work(workers: StudioWorkers) -> None:
        order: list[str] = []
        given = source(size=[40, 30])

        def task(name: str, **options: Any) -> Task:
            return Task({"id": 1, "do": "make", "measures": [], **given}, lambda _: order.append(name), **options)

        long = [
            Task({"id": 1, "do": "coverage", "seeds": 10_000, **source("grammar")}, lambda _: None, long=True, rank=1)
            for _ in range(3)
        ]
        for one in long:
            workers.submit(one)
        assert workers.idle == 1, "one is left for what is quick"
        blocker = Task(
            {"id": 1, "do": "make", "measures": "all", **source(size=[600, 600])}, lambda _: order.append("first")
        )
        workers.submit(blocker)
        for name, rank in (("later", 2), ("soon", 1), ("quick", 0)):
            workers.submit(task(name, rank=rank))
        assert await soon(lambda: len(order) == 4)
        assert order == ["first", "quick", "soon", "later"]
        for one in long:
            workers.cancel(one)
        assert await soon(lambda: workers.idle == 2)

    with_workers(tmp_path, 2, work)


def test_asks_about_one_level_go_to_who_knows_it(tmp_path: Path) -> None:
    async def work(workers: StudioWorkers) -> None:
        members = set()
        for do, more in (("make", {"measures": []}), ("overlay", {"what": ["choke"]}), ("make", {"measures": []})) * 4:
            task = Task({"id": 1, "do": do, **source(), **more}, lambda _: None, about="this one")
            workers.submit(task)
            assert task.member is not None
            members.add(task.member.process.pid)
            assert await soon(lambda: workers.idle == 2)
        assert len(members) == 1

    with_workers(tmp_path, 2, work)


def test_lanes_hand_bites_to_all_workers(tmp_path: Path) -> None:
    async def work(workers: StudioWorkers) -> None:
        sent: list[Any] = []
        lanes = Lanes(workers, sent.append)
        lanes.on_message(
            {
                "id": 1,
                "lane": "wall",
                "do": "wall",
                "seeds": [str(seed) for seed in range(48)],
                "measures": ["loops"],
                **source("cozy", size=[80, 50]),
            }
        )
        assert workers.idle == 0
        assert await soon(lambda: len(sent) == 49, 60)
        lanes.close()

    with_workers(tmp_path, 2, work)


# --- through the socket


def test_a_newer_ask_takes_the_place_of_the_older(page: Page) -> None:
    slow = page.ask("make", lane="level", measures="all", **source("cozy", size=[1000, 1000]))
    quick = page.ask("make", lane="level", measures=[], **source())
    assert [(head["id"], head["kind"]) for head in (page.ending(), page.ending())] == [
        (slow, "cancelled"),
        (quick, "done"),
    ]


def test_lanes_do_not_disturb_each_other(page: Page) -> None:
    one = page.ask("make", lane="one", measures=[], **source(seed="1"))
    two = page.ask("make", lane="two", measures=[], **source(seed="2"))
    assert sorted((head["id"], head["kind"]) for head in (page.ending(), page.ending())) == [
        (one, "done"),
        (two, "done"),
    ]


def test_a_lane_can_be_cancelled_alone(page: Page) -> None:
    number = page.ask("make", lane="level", measures="all", **source("cozy", size=[1000, 1000]))
    page.say({"cancel": "level"})
    head = page.ending()
    assert (head["id"], head["kind"]) == (number, "cancelled")
    page.say({"cancel": "level"})
    page.say({"cancel": "nobody"})
    assert page.answer("make", measures=[], **source())[0]["size"] == [60, 30]


def test_a_hundred_changes_in_a_row_end_with_the_last(page: Page) -> None:
    """As a slider sends them."""
    numbers = [
        page.ask("make", lane="level", measures=[], **source(params={"fill_prob": round(0.3 + share / 1000, 3)}))
        for share in range(100)
    ]
    heard: dict[int, tuple[str, dict[str, Any]]] = {}
    while len(heard) < 100:
        head, parts = page.hear()
        if head["kind"] not in ("progress", "changed"):
            heard[head["id"]] = head["kind"], parts
    assert heard[numbers[-1]][0] == "done"
    assert {kind for kind, _ in heard.values()} <= {"done", "cancelled"}
    assert np.array_equal(
        heard[numbers[-1]][1]["tiles"], uc.generate("cave", seed="7", fill_prob=0.399).tiles.reshape(-1)
    )


def test_progress_is_told_while_one_waits(page: Page) -> None:
    heard = page.answers("make", measures=[], **source("cozy", size=[700, 700]))
    steps = [head for head, _ in heard if head["kind"] == "progress"]
    assert steps
    assert all(0 <= head["index"] < head["of"] and 0 <= head["share"] <= 1 and head["step"] for head in steps)
    assert [head["index"] for head in steps if head["attempt"] == 0] == sorted(
        head["index"] for head in steps if head["attempt"] == 0
    )
    quick = [page.answers("make", measures=[], **source(size=[20, 10])) for _ in range(5)]
    assert any(not [head for head, _ in heard if head["kind"] == "progress"] for heard in quick), (
        "there is nothing to tell"
    )


def test_a_page_that_goes_away_leaves_no_work_behind(server: Server) -> None:
    with server.page() as page:
        for lane in range(6):
            page.ask("make", lane=str(lane), measures="all", **source("cozy", size=[1000, 1000]))
        time.sleep(0.1)
    with server.page() as other:
        begun = time.perf_counter()
        other.answer("make", measures=[], **source())
        assert time.perf_counter() - begun < 40, "six such levels take more than a minute"


def test_asks_are_not_without_number(page: Page) -> None:
    for lane in range(limits.STUDIO_REQUESTS.value + 5):
        page.ask("make", lane=str(lane), measures="all", **source("cozy", size=[500, 500]))
    kinds = {}
    for _ in range(5):
        head, _ = page.hear()
        while head["kind"] == "progress":
            head, _ = page.hear()
        kinds[head["id"]] = head
    refused = [head for head in kinds.values() if head["kind"] == "problem"]
    assert refused
    assert all("requests under way" in head["problem"] for head in refused)


def test_workers_of_a_running_studio_are_replaced(server: Server) -> None:
    before = server.children
    assert len(before) >= 2
    with server.page() as page:
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        assert until(lambda: len(server.children) == len(before) and not set(server.children) & set(before))
        assert page.answer("make", measures=[], **source())[0]["size"] == [60, 30]


def test_a_worker_that_cannot_be_started_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers_module, "RETRY_SECONDS", 0.05)
    refusals = iter([True, False, True])

    def scarce(*args: Any) -> Any:
        if next(refusals, False):
            raise BlockingIOError("no more processes")
        return WorkerProcess(*args)

    monkeypatch.setattr(workers_module, "WorkerProcess", scarce)

    async def work(workers: StudioWorkers) -> None:
        _, ended = submitted(workers, "make", measures=[], **source(size=[20, 12]))
        assert (await asyncio.wait_for(ended, 30)).kind == "done"

    with_workers(tmp_path, 2, work)


def test_who_goes_away_is_not_worked_for(tmp_path: Path) -> None:
    cancelled: list[Task] = []

    class Idle:
        pending_tasks = 0

        def submit(self, task: Task) -> None: ...
        def cancel(self, task: Task) -> None:
            cancelled.append(task)

    async def is_client_gone() -> bool:
        return True

    async def main() -> None:
        IS_CLIENT_GONE.set(is_client_gone)
        with pytest.raises(RequestRefused, match="cancelled"):
            await asyncio.wait_for(Studio(Project(tmp_path), Idle()).ask_worker({"do": "export"}), 10)  # type: ignore[arg-type]

    asyncio.run(main())
    assert len(cancelled) == 1


def test_odd_asks_are_answered_and_the_socket_stays(page: Page) -> None:
    assert "does not do" in page.problem([])["problem"]  # type: ignore[arg-type]
    assert (
        "a range is"
        in page.problem("range", first="9" * 5000, count=3, measures=[], recipe={"name": "cave"})["problem"]
    )
    deep: dict[str, Any] = source(size=[9, 9])
    for _ in range(60):
        deep = {**source(size=[9, 9]), "keep": {"of": deep, "cells": [[0, 1]]}}
    assert "one from the other" in page.problem("make", measures=[], **deep)["problem"]
    assert page.answer("make", measures=[], **source(size=[9, 9]))[0]["size"] == [9, 9]


def test_a_level_that_was_cancelled_while_it_was_read_is_no_other_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uc.generate("cave", seed=1, size=(20, 12)).save(tmp_path / "a.json")
    sources = LevelSources(Project(tmp_path))
    there, missing = (
        requests.read_request({"recipe": {"path": name}}, requests.LevelSource) for name in ("a.json", "b.json")
    )

    def interrupted(*_: Any) -> Any:
        raise Cancelled("while it was read")

    with monkeypatch.context() as patch:
        patch.setattr(sources.origins, "_load_level", interrupted)
        with pytest.raises(Cancelled):
            sources.make_cached(there, lambda: False)
    assert sources.make_cached(there, lambda: False).level.size == (20, 12)
    with pytest.raises(FileTrouble):
        sources.make_cached(missing, lambda: False)


def test_the_server_sends_an_import_once_however_often_it_is_named(tmp_path: Path) -> None:
    studio = Studio(Project(tmp_path), None)  # type: ignore[arg-type]
    studio._imports["7"] = {"file": "a.txt", "data": b"#.#", "read_as": None}
    ask: dict[str, Any] = {"recipe": {"imported": "7"}}
    for _ in range(500):
        ask = {"recipe": {"imported": "7"}, "keep": {"of": ask, "cells": []}}
    assert studio.with_imports({**ask, "imports": {"7": "mine"}})["imports"] == {"7": studio._imports["7"]}
    assert studio.with_imports({"recipe": {"name": "cave"}, "imports": {"8": "mine"}})["imports"] == {}


def test_an_export_ends_when_its_page_has_gone(tmp_path: Path) -> None:
    """Two workers have one place for long work: a picture is drawn only after the export is over, or given up."""
    outputs = [{"format": "png", "path": f"{name}.png", "options": {"cell": 8, "style": "ink"}} for name in "abcdef"]
    wanted = {**source("cozy", size=[300, 300]), "outputs": outputs, "into": "project"}
    body = json.dumps(wanted).encode()
    with Server(tmp_path, "--workers", "2") as server, server.page() as page:
        page.answer("make", measures=[], **source(size=[20, 12]))
        head = (
            f"POST /api/export HTTP/1.1\r\nHost: {server.host}\r\nOrigin: http://{server.host}\r\n"
            "Content-Type: application/json\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(
                f"{head}X-Undercroft-Token: {server.token}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
            )
            line.settimeout(0.4)
            with pytest.raises(TimeoutError):  # it is at work
                line.recv(1)
        page.answer("picture", style="plain", cell=8, show=[], hide=[], **source(size=[20, 12]))
        time.sleep(0.5)
        assert not (tmp_path / "b.png").exists()


class Exporters:
    """Workers that make a file of what they are asked at once."""

    pending_tasks = 0

    def submit(self, task: Task) -> None:
        files = {"a.txt": task.ask["seed"].encode()}
        task.on_end(TaskEnd("done", data={"files": files, "exported": [{"path": "a.txt", "bytes": 1}]}))

    def cancel(self, task: Task) -> None:
        pass

    async def stop(self) -> None:
        pass


class SlowProject(Project):
    """A project on a slow disk: the first file is written only after a second one, if that does not wait for the
    first.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.begun, self.overtaken, self.patience = threading.Event(), threading.Event(), 1.0
        self.written: list[bytes] = []

    def write_files(self, contents: Mapping[str, bytes]) -> None:
        if self.begun.is_set():
            super().write_files(contents)
            self.overtaken.set()
        else:
            self.begun.set()
            self.overtaken.wait(self.patience)
            super().write_files(contents)
        self.written.extend(contents.values())


def watching(folder: Path) -> tuple[Studio, SlowProject]:
    project = SlowProject(folder)
    studio = Studio(project, Exporters())  # type: ignore[arg-type]
    studio._outputs = [{"format": "text", "path": "a.txt"}]
    return studio, project


def test_a_file_that_follows_the_level_ends_with_the_newest(tmp_path: Path) -> None:
    async def main() -> None:
        studio, project = watching(tmp_path)
        studio.on_level_made({"seed": "old"})
        assert await soon(project.begun.is_set)
        studio.on_level_made({"seed": "new"})
        assert await soon(lambda: len(project.written) == 2)
        assert project.written == [b"old", b"new"]
        await studio.end()

    asyncio.run(main())
    assert (tmp_path / "a.txt").read_text() == "new"


@pytest.mark.parametrize("levels", [["1"], ["1", "2"]])
@pytest.mark.parametrize("how", ["watch", "end"])
def test_who_stops_watching_has_no_file_written_afterwards(tmp_path: Path, levels: list[str], how: str) -> None:
    async def main() -> None:
        studio, project = watching(tmp_path)
        for seed in levels:
            studio.on_level_made({"seed": seed})
            assert await soon(project.begun.is_set)
        if how == "watch":
            assert await studio.watch_outputs({"stop": True}) == []
        else:
            await studio.end()
        before = list(project.written)
        project.overtaken.set()
        assert before  # what had begun is through
        await asyncio.sleep(0.1)
        assert project.written == before

    asyncio.run(main())


def test_a_set_of_files_is_written_whole_though_nobody_waits_for_it(tmp_path: Path) -> None:
    async def main() -> None:
        project = SlowProject(tmp_path)
        studio = Studio(project, Exporters())  # type: ignore[arg-type]
        writing = asyncio.create_task(studio.write_exported({"files": {"a.tsx": b"1", "a.tmx": b"2"}, "exported": []}))
        assert await soon(project.begun.is_set)
        for _ in range(3):
            writing.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await writing
        assert project.written == [b"1", b"2"]

    asyncio.run(main())
