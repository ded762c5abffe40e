"""A batch on a cluster: a real scheduler and real workers, and the folder that one machine would have made, whatever
happens to them.
"""

from __future__ import annotations

import gc
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import distributed
import pytest

import undercroft as uc
from support.clusters import Cluster, end
from support.maps import HEAVY
from support.processes import until
from undercroft import cli
from undercroft.bulk.batch.batch import Batch
from undercroft.bulk.batch.dask import connection, dask_work
from undercroft.bulk.batch.dask import engine as dask_engine
from undercroft.bulk.batch.dask.engine import CHUNKS_PER_THREAD, DaskEngine
from undercroft.bulk.batch.request import BatchRequest
from undercroft.bulk.workers import jobs, messages
from undercroft.bulk.workers.in_process import WorkerTrouble
from undercroft.errors import BadInput, Cancelled, FileTrouble

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals differ there"),
    pytest.mark.long,
    pytest.mark.processes,
]

CAVES: dict[str, Any] = {"size": (24, 12), "measures": ["density", "loops"], "chunk": 5}
WORDS = ["cave", "--count", "120", "--size", "24x12", "--measures", "density,loops", "--chunk", "5"]
GONE = "  fix: run the same command again, here or with another cluster: what is finished is kept\n"


def contents(folder: Path) -> dict[str, bytes]:
    """All but the report, which tells times."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != "report.html"}


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What one machine makes."""
    folder = tmp_path_factory.mktemp("local") / "caves"
    uc.batch("cave", 120, folder, workers=1, memory=None, **CAVES)
    return contents(folder)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def cluster(started: Cluster) -> Cluster:
    """With two workers, and nothing going wrong."""
    started.plan()
    started.wait(2)
    return started


def engine(cluster: Cluster, folder: Path, **options: Any) -> DaskEngine:
    return DaskEngine(cluster.address, BatchRequest("cave", 120, **CAVES).setup(), folder, **options)


def command(folder: Path, *words: str, **settings: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "undercroft", "batch", *WORDS, "--no-report", "--out", "out", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **settings},
    )


@pytest.mark.parametrize("shared", [False, True])
def test_a_worker_that_is_killed_in_the_middle_changes_nothing(
    cluster: Cluster, shared: bool, local: dict[str, bytes], tmp_path: Path
) -> None:
    cluster.plan(seconds=0.05)
    killed: list[int] = []

    def kill(under_way: Batch) -> None:
        if under_way.done >= 40 and not killed:
            killed.append(cluster.list_started_chunks()[-1][0])
            os.kill(killed[0], signal.SIGKILL)

    made = uc.batch("cave", 120, tmp_path / "out", dask=cluster.address, shared=shared, progress=kill, **CAVES)
    assert (made.levels, made.made_count, made.poisoned) == (120, 120, [])
    assert len(made.seconds) > 3
    assert contents(tmp_path / "out") == local
    assert len({pid for pid, _ in cluster.list_started_chunks()} - set(killed)) >= 1
    assert len({pid for pid, _ in cluster.list_started_chunks()}) >= 2


def test_never_more_is_submitted_than_the_bound(cluster: Cluster, tmp_path: Path) -> None:
    taken = 0
    most = CHUNKS_PER_THREAD * 2
    cluster.plan(seconds=0.02)

    def tasks() -> Iterator[list[int]]:
        nonlocal taken
        for first in range(0, 120, 5):
            taken += 1
            yield [first, 5]

    given: list[list[int]] = []
    for done in engine(cluster, tmp_path).run(tasks()):
        assert taken == most or given, "both workers have something to do, and something that waits"
        given.append(done.task)
        assert taken - len(given) < most
        if len(given) % 6 == 0:
            assert cluster.ask("run_on_scheduler", lambda dask_scheduler: len(dask_scheduler.tasks)) <= most
    assert sorted(given) == [[first, 5] for first in range(0, 120, 5)]


def test_a_chunk_that_kills_its_workers_is_given_up_and_the_rest_goes_on(
    cluster: Cluster, local: dict[str, bytes], tmp_path: Path
) -> None:
    cluster.plan(kill=[25])
    made = uc.batch("cave", 120, tmp_path / "out", dask=cluster.address, **CAVES)
    assert (made.levels, made.done) == (115, 120)
    assert [tuple(one) for one in made.poisoned] == [(25, 29, "2 workers of the cluster died at it")]
    cluster.plan()
    assert uc.batch("cave", 120, tmp_path / "out", dask=cluster.address, **CAVES).made_count == 5
    assert contents(tmp_path / "out") == local


def test_who_is_blamed_is_done_alone_at_the_end_and_only_the_guilty_one_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the second task kills; those before and after it were at the same workers."""
    worker: Any = SimpleNamespace(address="tcp://10.0.0.7:4000")
    begun: list[tuple[int, int]] = []
    under_way: set[int] = set()

    def make_chunk(_link: Any, _setup: bytes, task: list[int]) -> Future[list[Any]]:
        under_way.add(task[0])
        begun.append((task[0], len(under_way)))
        future: Future[list[Any]] = Future()
        first_time = [number for number, _ in begun].count(task[0]) == 1
        if task[0] == 2 or (first_time and task[0] in (1, 3)):
            future.set_exception(distributed.KilledWorker("chunk", worker, 3))
        else:
            future.set_result(["done", [{"files": []}, 0.1]])
        return future

    class Quiet(connection.DaskConnection):
        threads = 2

        def __enter__(self) -> Quiet:
            return self

    monkeypatch.setattr(dask_engine, "DaskConnection", Quiet)
    monkeypatch.setattr(dask_engine, "_check_cluster", lambda *_: None)
    monkeypatch.setattr(dask_engine, "_submit_chunk", make_chunk)
    told = []
    for done in DaskEngine("10.0.0.1:8786", BatchRequest("cave", 9, **CAVES).setup(), tmp_path).run(
        [number, 1] for number in range(9)
    ):
        under_way.discard(done.task[0])
        told.append((done.task[0], done.poisoned))
        if len(told) == 6:
            under_way.clear()  # the blamed ones, which are no more at work
    assert sorted(told) == [
        (number, "4 workers of the cluster died at it" if number == 2 else "") for number in range(9)
    ]
    assert {number for number, _ in told[:6]} == {0, 4, 5, 6, 7, 8}
    assert sorted(begun[9:]) == [(1, 1), (2, 1), (3, 1)]


def test_short_memory_is_tried_again_and_then_given_up(cluster: Cluster, tmp_path: Path) -> None:
    cluster.plan(hunger=[0, 5], times=2)
    assert sorted(done.task for done in engine(cluster, tmp_path).run([[0, 5], [5, 5]]) if not done.poisoned) == [
        [0, 5],
        [5, 5],
    ]
    assert len(cluster.list_started_chunks()) == 6
    cluster.plan(hunger=[5], times=9)
    told = {
        done.task[0]: (done.poisoned, done.value is None)
        for done in engine(cluster, tmp_path).run([[0, 5], [5, 5], [10, 5]])
    }
    assert told == {0: ("", False), 5: ("not enough memory", True), 10: ("", False)}


def test_a_full_disk_is_tried_again_and_then_told(cluster: Cluster, local: dict[str, bytes], tmp_path: Path) -> None:
    cluster.plan(full=2)
    uc.batch("cave", 120, tmp_path / "out", dask=cluster.address, shared=True, **CAVES)
    assert contents(tmp_path / "out") == local
    cluster.plan(full=10_000)
    with pytest.raises(FileTrouble, match="no space left on device"):
        uc.batch("cave", 120, tmp_path / "full", dask=cluster.address, shared=True, **CAVES)
    cluster.plan()
    uc.batch("cave", 120, tmp_path / "full", workers=1, memory=None, **CAVES)
    assert contents(tmp_path / "full") == local


def test_what_nobody_foresaw_in_a_worker_is_told_in_a_sentence(cluster: Cluster, tmp_path: Path) -> None:
    cluster.plan(fail=[5])
    with pytest.raises(WorkerTrouble, match="something in a worker failed: KeyError: 'nobody foresaw this'"):
        list(engine(cluster, tmp_path).run([[0, 5], [5, 5]]))


def test_a_folder_that_workers_do_not_see_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(
        BadInput, match=r"the worker at tcp://127\.0\.0\.1:\d+ cannot be used: it does not see the batch in "
    ) as caught:
        list(engine(cluster, tmp_path, shared=True).run([[0, 5]]))
    assert "let results be sent" in caught.value.fix
    assert cluster.list_started_chunks() == []


def test_files_that_are_slow_to_be_seen_are_waited_for(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([-1, -1])
    monkeypatch.setattr(dask_engine, "_file_size", lambda path: next(looks, path.stat().st_size))
    made = uc.batch("cave", 10, tmp_path / "out", dask=cluster.address, shared=True, **CAVES)
    assert (made.levels, next(looks, None)) == (10, None)
    monkeypatch.setattr(dask_engine, "MAX_FILE_WAIT_SECONDS", 0.1)
    monkeypatch.setattr(dask_engine, "_file_size", lambda _: -1)
    monkeypatch.setattr(Path, "is_file", lambda path: not path.name.startswith("seeds") and path.exists())
    with pytest.raises(
        FileTrouble, match=r"a worker reports that it wrote seeds-\d-\d\.parquet, but .*never does not contain it"
    ):
        uc.batch("cave", 10, tmp_path / "never", dask=cluster.address, shared=True, **CAVES)


def test_cancelling_stops_the_workers_too(cluster: Cluster, local: dict[str, bytes], tmp_path: Path) -> None:
    cluster.plan(seconds=60)
    flag = threading.Event()
    before = threading.active_count()
    making = Batch(BatchRequest("cave", 120, **CAVES), tmp_path / "out", dask=cluster.address, cancelled=flag.is_set)
    threading.Timer(0.5, flag.set).start()
    with pytest.raises(Cancelled):
        list(making)
    begun = time.monotonic()
    until(lambda: cluster.ask("run_on_scheduler", lambda dask_scheduler: len(dask_scheduler.tasks)) == 0)
    cluster.plan()
    assert uc.batch("cave", 120, tmp_path / "out", dask=cluster.address, **CAVES).made_count == 120
    assert time.monotonic() - begun < 45, "a worker that is still busy with what nobody wants would take a minute"
    assert contents(tmp_path / "out") == local
    until(lambda: threading.active_count() <= before)


def test_ctrl_c_says_one_line_and_the_same_command_goes_on(
    cluster: Cluster, local: dict[str, bytes], tmp_path: Path
) -> None:
    cluster.plan(seconds=0.4)
    process = command(tmp_path, "--dask", cluster.address, "--results", "written")
    until(lambda: len(list(tmp_path.glob("out/seeds-*"))) > 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert re.fullmatch(r"undercroft: interrupted with \d+ levels in out; the same command goes on from there\n", err)
    cluster.plan()
    assert command(tmp_path, "--dask", cluster.address).communicate(timeout=60)[1] == ""
    assert contents(tmp_path / "out") == local


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM] if HEAVY else [signal.SIGKILL])
def test_a_scheduler_that_disappears(
    how: signal.Signals, cluster: Cluster, local: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Said in a sentence; what is finished stays, and another cluster or this machine makes the rest. Before that: one
    that has no workers yet.
    """
    folder = tmp_path / "other"
    folder.mkdir()
    with Cluster(folder, workers=0, threads=2) as other:
        monkeypatch.setattr(connection, "CONNECT_SECONDS", 2.5)
        with pytest.raises(BadInput, match="has no workers") as caught:
            engine(other, tmp_path)
        assert f"dask worker {other.address} --nworkers 2 --nthreads 1" in caught.value.fix
        other.add()
        other.wait(1)
        other.plan(seconds=0.2)
        process = command(tmp_path, "--dask", other.address)
        until(lambda: len(list(tmp_path.glob("out/seeds-*"))) > 5)
        other.scheduler.send_signal(how)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (3, "")
    assert err == f"undercroft: the scheduler at {other.address} is gone\n{GONE}"
    there = contents(tmp_path / "out")
    assert 5 < len(there) < len(local)
    assert {name: local[name] for name in there} == there
    shutil.copytree(tmp_path / "out", tmp_path / "here")
    uc.batch("cave", 120, tmp_path / "here", workers=1, memory=None, **CAVES)
    uc.batch("cave", 120, tmp_path / "out", dask=cluster.address, **CAVES)
    assert contents(tmp_path / "here") == contents(tmp_path / "out") == local


def test_a_worker_of_another_version_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    worker = cluster.add(DRILL_VERSION="0.0.7")
    cluster.wait(3)
    with pytest.raises(
        BadInput, match=r"the worker at tcp://127\.0\.0\.1:\d+ cannot be used: it has Undercroft 0\.0\.7, and"
    ) as caught:
        engine(cluster, tmp_path)
    assert caught.value.fix == dask_work.SAME_VERSIONS_FIX
    end(worker)
    until(lambda: len(cluster.ask("nthreads")) == 2)


def test_a_worker_that_comes_later_looks_at_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = BatchRequest("cave", 10, **CAVES).setup()
    worker = SimpleNamespace(address="tcp://10.0.0.7:4000")
    assert dask_work.find_worker_problem(dask_work.pack_setup(setup, None), worker) is None
    older = dask_work.pack_setup({**setup, "order": {**setup["order"], "version": "0.0.7"}}, None)
    other = messages.pack_message([setup, None, ["pyarrow", "1.2.3"]])
    monkeypatch.setattr("distributed.get_worker", lambda: worker)
    for packed, told in (
        (older, f"it has Undercroft {uc.__version__}, and 0.0.7 is here"),
        (other, f"it has pyarrow {version('pyarrow')}, and 1.2.3 is here"),
    ):
        word, refused = dask_work.make_chunk(packed, [0, 5])
        assert word == "refused"
        with pytest.raises(BadInput, match=re.escape(f"the worker at tcp://10.0.0.7:4000 cannot be used: {told}")):
            raise jobs.decode_error(refused)


def test_a_cluster_without_workers_is_waited_for_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    link = connection.DaskConnection("tcp://10.0.0.1:8786", lambda: False)
    link._client = SimpleNamespace(status="running", scheduler_comm=SimpleNamespace(closed=lambda: False))
    link._peopled = time.monotonic() - 59
    link.check()
    link._peopled = time.monotonic() - 61
    with pytest.raises(WorkerTrouble, match="has had no worker for 60 s"):
        link.check()


@pytest.mark.parametrize(
    ("address", "problem", "fix"),
    [
        *(
            (bad, "is no address of a scheduler", "tcp://10.0.0.1:8786")
            for bad in ("", "foo", "tcp://", "tcp://10.0.0.1", "10.0.0.1", ":8786", "a b:8786")
        ),
        *(
            (bad, "is no address of a scheduler", "tls://")
            for bad in ("tcp://10.0.0.1:0", "tcp://10.0.0.1:65536", "ftp://10.0.0.1:21", "tcp://::1:8786")
        ),
        *(
            (bad, "pages are shown there", "prints when it starts")
            for bad in ("http://10.0.0.1:8787", "http://10.0.0.1:8787/status", "https://example.org")
        ),
    ],
)
def test_what_is_no_address_is_refused_at_once(address: str, problem: str, fix: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=problem) as caught:
        Batch(BatchRequest("cave", 10, **CAVES), tmp_path / "out", dask=address)
    assert fix in caught.value.fix
    assert not (tmp_path / "out").exists()


def test_addresses() -> None:
    for address in ("tcp://10.0.0.1:8786", "tls://scheduler.example.org:8786", "tcp://[::1]:8786", "ws://a-b_c:1"):
        assert connection.parse_address(address) == address
    assert connection.parse_address(" scheduler:8786/ ") == "tcp://scheduler:8786"


def test_where_nobody_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    assert connection.CONNECT_SECONDS < 8, "nobody waits for longer"
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.5)
    assert cli.run(["batch", *WORDS, "--out", str(tmp_path / "out"), "--dask", f"127.0.0.1:{port}"]) == 2
    told = (
        f"undercroft: no scheduler answers at tcp://127.0.0.1:{port}\n"
        "  fix: start one with 'dask scheduler': it prints its address\n"
    )
    assert capsys.readouterr() == ("", told)
    assert not (tmp_path / "out").exists()


@pytest.mark.filterwarnings("error")
def test_where_somebody_else_answers(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.5)
    setup = BatchRequest("cave", 10, **CAVES).setup()
    before = threading.active_count()
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(BadInput, match="no scheduler answers at"):
        DaskEngine(f"127.0.0.1:{silent.getsockname()[1]}", setup, tmp_path)
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 5.0)
    worker = next(iter(cluster.ask("nthreads")))
    with pytest.raises(BadInput, match=f"what answers at {worker} is no scheduler"):
        DaskEngine(worker, setup, tmp_path)
    with pytest.raises(BadInput, match="no scheduler answers at tls://") as caught:
        DaskEngine(cluster.address.replace("tcp", "tls"), setup, tmp_path)
    assert "distributed.comm.tls" in caught.value.fix
    gc.collect()
    until(lambda: threading.active_count() <= before)


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match="a cluster needs the library distributed") as caught:
        DaskEngine("127.0.0.1:8786", {}, tmp_path)
    assert caught.value.fix == "pip install 'undercroft[batch]'"


def test_the_log_of_dask_is_kept_from_the_terminal_only_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["distributed", "distributed.client", "distributed.core", "tornado.application", "asyncio"]
    before = [logging.getLogger(name).level for name in names]
    with connection._silence_logs():
        assert not any(logging.getLogger(name).isEnabledFor(logging.CRITICAL) for name in names)
        assert logging.getLogger("ours").isEnabledFor(logging.CRITICAL)
    assert [logging.getLogger(name).level for name in names] == before
    monkeypatch.setenv("UNDERCROFT_DEBUG", "1")
    with connection._silence_logs():
        assert [logging.getLogger(name).level for name in names] == before


def test_options_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, told in (
        (["--results", "written"], "--results is about a cluster, and none is named"),
        (["--dask", "127.0.0.1:1", "--workers", "2"], "the workers of a cluster are its own business"),
        (["--dask", "127.0.0.1:1", "--chunk-time", "2"], "the workers of a cluster are its own business"),
        (["--dask", "127.0.0.1:1", "--results", "eaten"], "eaten"),
    ):
        assert cli.run(["batch", *WORDS, "--out", str(tmp_path / "out"), *words]) == 2
        assert told in capsys.readouterr().err
