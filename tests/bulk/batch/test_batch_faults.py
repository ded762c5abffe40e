"""A batch that is killed, starved, hung, torn, or short of room: it goes on, or says why not, and ends with the same
bytes as an undisturbed one.
"""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from support import batch_drill
from support.maps import HEAVY
from support.processes import nobody_left, until
from undercroft.bulk.batch.batch import Batch
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.directory import BatchDirectory
from undercroft.bulk.batch.request import BatchRequest
from undercroft.bulk.workers.pool import MAX_FAILED_STARTS, WorkerPool
from undercroft.errors import BadInput, FileTrouble

pytestmark = [pytest.mark.skipif(sys.platform == "win32", reason="signals differ there"), pytest.mark.long]

KILLS, FORM = (50, "parquet") if HEAVY else (6, "npz")
"""Workers that need no further library start sooner."""
COUNT, CHUNK = 3000, 25
CAVES: dict[str, Any] = {"size": (40, 20), "measures": ["loops", "density"], "chunk": CHUNK, "as_": FORM}
SMALL: dict[str, Any] = {"size": (20, 10), "measures": ["loops"], "chunk": 5}
HERE: dict[str, Any] = {"workers": 1, "memory": None}


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def batch_arguments(folder: Path, *more: str) -> list[str]:
    words = (
        f"batch cave --count {COUNT} --size 40x20 --measures loops,density --chunk {CHUNK} --as {FORM} --workers 2 "
        "--no-report --out"
    )
    return [sys.executable, "-m", "undercroft", *words.split(), str(folder), *more]


def start_batch(folder: Path, *more: str) -> subprocess.Popen[str]:
    """The command, in a group of its own as a terminal would have it."""
    return subprocess.Popen(
        batch_arguments(folder, *more),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finished(folder: Path) -> int:
    return len(list(folder.glob("seeds-*")))


def busy(process: subprocess.Popen[str], folder: Path) -> bool:
    """Wait until one more chunk is finished; whether it is still at work."""
    before = finished(folder)
    while process.poll() is None and finished(folder) == before:
        time.sleep(0.005)
    return process.poll() is None


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the command makes if nothing goes wrong."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert uc.batch("cave", COUNT, folder, **CAVES, **HERE).levels == COUNT
    return contents(folder)


@pytest.mark.processes
def test_killed_at_random_moments_it_ends_with_the_same_bytes(undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    dice = random.Random(8)
    kills, folder = 0, tmp_path / "0"
    while kills < KILLS:
        process = start_batch(folder)
        if kills % 4 == 0:
            time.sleep(dice.uniform(0, 1.2))  # while it starts, looks at what is there, or has just begun
        elif busy(process, folder):
            time.sleep(dice.uniform(0, 0.3))
        alive = process.poll() is None
        os.killpg(process.pid, signal.SIGKILL) if alive else None
        process.communicate()
        assert nobody_left(process.pid)
        there = contents(folder) if folder.exists() else {}
        assert all(undisturbed[name] == data for name, data in there.items() if not name.startswith(".")), (
            "what is there is whole, whenever it was killed"
        )
        kills += alive
        if (folder / "manifest.json").exists():
            assert there.keys() - undisturbed.keys() <= {".lock"}
            folder = tmp_path / str(kills)
    done = start_batch(folder, "--json")
    out, err = done.communicate()
    assert (done.returncode, err) == (0, "")
    assert json.loads(out)["levels"] == json.loads(out)["done"] == COUNT
    assert contents(folder) == undisturbed


@pytest.mark.processes
@pytest.mark.parametrize("seed", range(10 if HEAVY else 1))
def test_workers_that_are_killed_cost_nothing(seed: int, tmp_path: Path) -> None:
    uc.batch("cave", 200, tmp_path / "undisturbed", as_="npz", **SMALL, **HERE)
    dice = random.Random(seed)
    making = Batch(BatchRequest("cave", 200, as_="npz", **SMALL), tmp_path / "disturbed", workers=2)
    pool = making._engine
    assert isinstance(pool, WorkerPool)
    over, killed, early = threading.Event(), set[Any](), 0

    def kill() -> None:
        nonlocal early
        while not over.wait(dice.uniform(0.01, 0.1)) and len(killed) + early < 8:
            one = dice.choice([*pool._members] or [None])
            if one is None or one.process.poll() is not None:
                continue
            at = {*one.tasks} if one.ready else set()
            if at & killed or (not at and early >= MAX_FAILED_STARTS - 2):
                continue  # a chunk that is there when three die is given up, and this is not about that
            killed.update(at)
            early += not at
            one.process.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        for _ in making:
            time.sleep(0.005 if len(killed) + early >= 3 else 0.1)
    finally:
        over.set()
        killer.join()
    assert making.poisoned == []
    assert len(killed) + early >= 3, "this test is about workers that are killed"
    assert contents(tmp_path / "disturbed") == contents(tmp_path / "undisturbed")


@pytest.fixture
def drill(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Let something go wrong at a chunk, for so many times; the file that counts them."""
    monkeypatch.setattr("undercroft.bulk.batch.batch.ENTRY_MODULE", "support.batch_drill")

    def plan(how: str, times: int, **more: Any) -> Path:
        mark = tmp_path / "mark"
        mark.unlink(missing_ok=True)
        monkeypatch.setenv(
            batch_drill.PLAN, json.dumps({"first": 10, "how": how, "times": times, "mark": str(mark), **more})
        )
        return mark

    yield plan
    monkeypatch.delenv(batch_drill.PLAN, raising=False)


TROUBLES = [("die", "SIGKILL, as when memory runs out"), ("eat", "not enough memory"), ("hang", "took more than 0.7 s")]


@pytest.mark.processes
@pytest.mark.parametrize(("how", "cause"), TROUBLES)
def test_a_chunk_that_ends_its_worker(how: str, cause: str, drill: Callable[..., Path], tmp_path: Path) -> None:
    uc.batch("cave", 40, tmp_path / "undisturbed", as_="npz", **SMALL, **HERE)
    whole = contents(tmp_path / "undisturbed")
    limits: dict[str, Any] = {"workers": 2, "seconds": 0.7 if how == "hang" else None}
    for round_ in range(10 if HEAVY else 1):
        out = tmp_path / f"out{round_}"
        mark = drill(how, 99)
        made = uc.batch("cave", 40, out, as_="npz", **SMALL, **limits)
        assert mark.read_text() == "xxx", "it is tried again twice"
        assert made.poisoned == [(10, 14, cause)]
        assert (made.levels, made.done, made.made_count) == (35, 40, 35)
        told = json.loads((out / "manifest.json").read_text())
        assert told["poisoned"] == [{"seeds": ["10", "14"], "cause": cause}]
        assert {name for name in whole if name not in contents(out)} == {"seeds-10-14.npz"}
        assert all(whole[name] == data for name, data in contents(out).items() if name != "manifest.json")
        drill(how, 0)
        again = uc.batch("cave", 40, out, as_="npz", **SMALL, **HERE)
        assert (again.found, again.made_count, again.poisoned) == (35, 5, [])
        assert contents(out) == whole


@pytest.mark.processes
@pytest.mark.parametrize("how", ["die", "eat"])
def test_a_chunk_that_ends_its_worker_twice_is_made(how: str, drill: Callable[..., Path], tmp_path: Path) -> None:
    uc.batch("cave", 40, tmp_path / "undisturbed", as_="npz", **SMALL, **HERE)
    mark = drill(how, 2)
    made = uc.batch("cave", 40, tmp_path / "out", as_="npz", **SMALL, workers=2)
    assert mark.read_text() == "xxx"
    assert (made.levels, made.poisoned) == (40, [])
    assert contents(tmp_path / "out") == contents(tmp_path / "undisturbed")


def test_too_little_memory_to_begin_with(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"(?s)at least 512 MB of memory, not 200.*--max-memory MB"):
        uc.batch("cave", 40, tmp_path / "out", workers=1, memory=200 << 20)
    assert not (tmp_path / "out").exists()
    assert uc.batch("cave", 40, tmp_path / "out", workers=1, memory=512 << 20).levels == 40


@pytest.mark.parametrize("form", ["parquet", "npz", "json"])
def test_a_torn_file_is_noticed_and_made_again(form: str, tmp_path: Path) -> None:
    uc.batch("cave", 10, tmp_path, as_=form, **SMALL, **HERE)
    whole = contents(tmp_path)
    dice = random.Random(5)
    target = tmp_path / f"seeds-5-9.{form}"
    size = target.stat().st_size
    for cut in sorted({0, 1, 3, 4, 7, 8, size - 1, size - 4, size - 8, *(dice.randrange(size) for _ in range(50))}):
        target.write_bytes(whole[target.name][:cut])
        again = uc.batch("cave", 10, tmp_path, as_=form, **SMALL, **HERE)
        assert again.damaged == [target.name], cut
        assert (again.found, again.made_count) == (5, 5)
        assert contents(tmp_path) == whole


@pytest.mark.parametrize("form", ["parquet", "npz", "json"])
def test_a_single_byte_is_noticed(form: str, tmp_path: Path) -> None:
    uc.batch("cave", 10, tmp_path, as_=form, **SMALL, **HERE)
    whole = contents(tmp_path)
    dice = random.Random(6)
    target = tmp_path / f"seeds-5-9.{form}"
    for _ in range(200 if HEAVY else 40):
        data = bytearray(whole[target.name])
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        target.write_bytes(data)
        assert uc.batch("cave", 10, tmp_path, as_=form, **SMALL, **HERE).damaged == [target.name]
        assert contents(tmp_path) == whole


def test_level_files_are_looked_at_too(tmp_path: Path) -> None:
    uc.batch("cave", 10, tmp_path, as_="text", **SMALL, **HERE)
    whole = contents(tmp_path)
    level = whole["7.txt"]
    for change in (None, level[:-1], b" " + level[1:], level + b"\n"):
        if change is None:
            (tmp_path / "7.txt").unlink()
        else:
            (tmp_path / "7.txt").write_bytes(change)
        assert uc.batch("cave", 10, tmp_path, as_="text", **SMALL, **HERE).damaged == ["seeds-5-9.json"]
        assert contents(tmp_path) == whole


def test_a_file_of_other_seeds_or_of_another_batch_is_noticed(tmp_path: Path) -> None:
    uc.batch("cave", 15, tmp_path / "a", as_="npz", **SMALL, **HERE)
    uc.batch("cave", 15, tmp_path / "b", as_="npz", **{**SMALL, "size": (21, 10)}, **HERE)
    whole = contents(tmp_path / "a")
    for other in (tmp_path / "a" / "seeds-00-04.npz", tmp_path / "b" / "seeds-05-09.npz"):
        (tmp_path / "a" / "seeds-05-09.npz").write_bytes(other.read_bytes())
        assert uc.batch("cave", 15, tmp_path / "a", as_="npz", **SMALL, **HERE).damaged == ["seeds-05-09.npz"]
        assert contents(tmp_path / "a") == whole


def half(folder: Path, whole: dict[str, bytes], keep: int = 4) -> dict[str, bytes]:
    """A folder in which a run was ended after some chunks."""
    folder.mkdir(exist_ok=True)
    kept = ["order.json", *[name for name in whole if name.startswith("seeds-")][:keep]]
    for name in kept:
        (folder / name).write_bytes(whole[name])
    return {name: whole[name] for name in kept}


def test_a_disk_that_is_full(undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    """No file may be larger than a kilobyte: the system refuses the next chunk, and all that is there stays."""
    there = half(tmp_path / "out", undisturbed)
    done = subprocess.run(
        batch_arguments(tmp_path / "out", "--quiet"),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"undercroft: cannot write {tmp_path / 'out'}/seeds-")
    assert "file too large\n  fix: write to another place" in done.stderr
    assert contents(tmp_path / "out") == there


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 128 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    try:
        mounted = (
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(place)], capture_output=True, check=False
            ).returncode
            == 0
        )
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("a disk can only be mounted by the superuser")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_small_disk_that_runs_full(small_disk: Path, undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    with pytest.raises(FileTrouble, match=r"cannot write .*seeds-.*no space left on device"):
        uc.batch("cave", COUNT, small_disk / "out", **CAVES, **HERE)
    there = contents(small_disk / "out")
    assert sum(name.startswith("seeds-") for name in there) >= 3
    assert all(undisturbed[name] == data for name, data in there.items())
    there = half(tmp_path / "larger", there, keep=len(there))
    assert uc.batch("cave", COUNT, tmp_path / "larger", **CAVES, **HERE).found >= 3 * CHUNK
    assert contents(tmp_path / "larger") == undisturbed


def test_no_room_at_any_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever file cannot be written: a sentence, nothing torn, and the rest is made later."""
    uc.batch("cave", 20, tmp_path / "whole", as_="json", **SMALL, **HERE)
    whole = contents(tmp_path / "whole")
    sync = os.fsync
    for turn in range(0, 50, 7):
        left = [turn]

        def full(handle: int, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            sync(handle)

        out = tmp_path / f"out{turn}"
        monkeypatch.setattr("undercroft.inputs.files.os.fsync", full)
        with pytest.raises(FileTrouble, match="no space left on device") as told:
            uc.batch("cave", 20, out, as_="json", **SMALL, **HERE)
        assert told.value.fix == "make room there, and run the same command again: it goes on from here"
        monkeypatch.setattr("undercroft.inputs.files.os.fsync", sync)
        assert all(whole[name] == data for name, data in contents(out).items())
        uc.batch("cave", 20, out, as_="json", **SMALL, **HERE)
        assert contents(out) == whole


READ_ONLY = """
import os, sys, undercroft as uc
caves = dict(size=(20, 10), measures=["loops"], chunk=5, as_="npz", workers=1, memory=None)
uc.batch("cave", 20, sys.argv[1], **caves)  # all that is needed is imported now
if os.geteuid() == 0:
    os.setuid(65534)  # the superuser may write anywhere
try:
    uc.batch("cave", 20, sys.argv[2], **caves)
except uc.FileTrouble as error:
    print(error)
"""


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_cannot_be_written(there: bool, tmp_path: Path) -> None:
    for above in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        above.chmod(0o755)
    out = tmp_path / "locked" / "out"
    out.parent.mkdir()
    if there:
        uc.batch("cave", 20, out, as_="npz", **SMALL, **HERE)
        (out / "seeds-05-09.npz").unlink()
    before = contents(out)
    for path in (out, out.parent):
        path.chmod(0o555) if path.exists() else None
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(tmp_path / "free"), str(out)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    for path in (out.parent, out):
        path.chmod(0o755) if path.exists() else None
    assert done.stderr == ""
    assert "permission denied\n  fix: " in done.stdout
    assert str(out) in done.stdout
    assert contents(out) == before


@pytest.mark.processes
def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    first = start_batch(tmp_path / "out")
    try:
        assert busy(first, tmp_path / "out")
        os.killpg(first.pid, signal.SIGSTOP)  # it is not done before the other one comes
        second = start_batch(tmp_path / "out")
        _, err = second.communicate()
        assert second.returncode == 2
        assert err == (
            f"undercroft: {tmp_path / 'out'} is being filled by another run (process {first.pid})\n"
            "  fix: wait until it is done, or take another folder\n"
        )
        with pytest.raises(BadInput, match="is being filled by another run"):
            uc.batch("cave", COUNT, tmp_path / "out", **CAVES, **HERE)
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
    assert (tmp_path / "out" / ".lock").exists()
    making = Batch(BatchRequest("cave", COUNT, **CAVES), tmp_path / "out", **HERE)
    assert next(making).found, "the lock of a run that was killed holds nobody up"
    with pytest.raises(BadInput, match=rf"another run \(process {os.getpid()}\)"):
        uc.batch("cave", COUNT, tmp_path / "out", **CAVES, **HERE)
    making.close()
    assert not (tmp_path / "out" / ".lock").exists()


@pytest.mark.processes
@pytest.mark.parametrize("moment", range(11 if HEAVY else 2))
def test_ctrl_c_stops_within_two_seconds_and_leaves_nobody(
    moment: int, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    for attempt in range(3):  # a machine that is busy with something else can be late once, or twice
        folder = tmp_path / f"out {attempt}"
        process = start_batch(folder)
        if moment == 0:  # before there is any chunk
            until((folder / "order.json").exists)
        else:
            assert busy(process, folder)
            time.sleep(0.1 * (moment - 1))
        os.killpg(process.pid, signal.SIGINT)
        then = time.monotonic()
        out, err = process.communicate(timeout=30)
        assert nobody_left(process.pid)
        took = time.monotonic() - then
        assert (process.returncode, out) == (130, "")
        assert "the same command goes on from there\n" in err
        assert "Traceback" not in err
        there = contents(folder)
        assert all(undisturbed[name] == data for name, data in there.items()), "not even a lock is left"
        assert "manifest.json" not in there
        uc.batch("cave", COUNT, folder, **CAVES, **HERE)
        assert contents(folder) == undisturbed
        if took < 2.0:
            break
    assert took < 2.0


@pytest.mark.processes
def test_it_can_be_cancelled_and_closed(tmp_path: Path) -> None:
    flag = threading.Event()
    making = Batch(BatchRequest("cave", COUNT, **CAVES), tmp_path / "out", workers=2, cancelled=flag.is_set)
    first = next(making)
    assert not first.found
    flag.set()
    with pytest.raises(uc.Cancelled):
        list(making)
    making = Batch(BatchRequest("cave", COUNT, **CAVES), tmp_path / "out", workers=2)
    assert next(making).found
    making.close()
    assert isinstance(making._engine, WorkerPool)
    assert making._engine._members == []
    assert not (tmp_path / "out" / ".lock").exists()
    assert list(making) == []


@pytest.mark.parametrize("form", ["tmx", "tmj", "ldtk", "godot"])
@pytest.mark.parametrize("change", [None, b"torn"])
def test_a_tileset_that_is_lost_costs_no_level(form: str, change: bytes | None, tmp_path: Path) -> None:
    uc.batch("cave", 15, tmp_path, as_=form, **SMALL, **HERE)
    whole = contents(tmp_path)
    lost = [name for name in whole if name.startswith("undercroft")]
    for name in lost:
        (tmp_path / name).unlink() if change is None else (tmp_path / name).write_bytes(change)
    again = uc.batch("cave", 15, tmp_path, as_=form, **SMALL, **HERE)
    assert (again.found, again.made_count) == (15, 0)
    assert sorted(again.damaged) == lost
    assert lost
    assert contents(tmp_path) == whole


def test_a_level_that_is_lost_with_the_tileset_costs_its_chunk_alone(tmp_path: Path) -> None:
    uc.batch("cave", 15, tmp_path, as_="tmx", **SMALL, **HERE)
    whole = contents(tmp_path)
    for name in ("undercroft.png", "07.tmx"):
        (tmp_path / name).unlink()
    again = uc.batch("cave", 15, tmp_path, as_="tmx", **SMALL, **HERE)
    assert (again.found, again.made_count, again.damaged) == (10, 5, ["undercroft.png", "seeds-05-09.json"])
    assert contents(tmp_path) == whole


def test_a_tileset_that_no_table_vouches_for_is_not_written(tmp_path: Path) -> None:
    never: dict[str, Any] = {**SMALL, "until": "loops > 900", "tries": 1, "as_": "tmx"}
    assert uc.batch("cave", 10, tmp_path, **never, **HERE).levels == 0
    whole = contents(tmp_path)
    (tmp_path / "seeds-5-9.json").write_bytes(whole["seeds-5-9.json"] + b" ")
    assert uc.batch("cave", 10, tmp_path, **never, **HERE).damaged == ["seeds-5-9.json"]
    assert contents(tmp_path) == whole
    assert "undercroft.png" not in whole


@pytest.mark.skipif(os.name == "nt", reason="links want rights there")
def test_a_tileset_is_not_written_through_a_link(tmp_path: Path) -> None:
    uc.batch("cave", 10, tmp_path / "out", as_="tmx", **SMALL, **HERE)
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "out" / "undercroft.png").unlink()
    (tmp_path / "out" / "undercroft.png").symlink_to(tmp_path / "precious")
    with pytest.raises(FileTrouble, match=r"undercroft.png: something else is in its place"):
        uc.batch("cave", 10, tmp_path / "out", as_="tmx", **SMALL, **HERE)
    assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.parametrize("harm", ["gone", "torn"])
def test_no_manifest_says_that_all_is_there_when_something_is_not(harm: str, tmp_path: Path) -> None:
    """Whenever the look is interrupted: there is a manifest only where there is every file."""
    asked: dict[str, Any] = {"as_": "npz", **SMALL}
    uc.batch("cave", 30, tmp_path, **asked, **HERE)
    whole = contents(tmp_path)
    victim = tmp_path / "seeds-10-14.npz"
    victim.unlink() if harm == "gone" else victim.write_bytes(b"torn")
    making = Batch(BatchRequest("cave", 30, **asked), tmp_path, **HERE)
    for one in making:
        if one.chunk.first > 10:
            break
    making.close()
    assert not victim.exists()
    assert "manifest.json" not in contents(tmp_path)
    uc.batch("cave", 30, tmp_path, **asked, **HERE)
    assert contents(tmp_path) == whole


def test_the_manifest_goes_before_what_it_vouches_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {"as_": "npz", **SMALL}
    uc.batch("cave", 10, tmp_path, **asked, **HERE)
    (tmp_path / "seeds-5-9.npz").write_bytes(b"torn")
    there = []
    discard = BatchDirectory.discard

    def noted(folder: BatchDirectory, chunk: Chunk) -> None:
        there.append((tmp_path / "manifest.json").exists())
        discard(folder, chunk)

    monkeypatch.setattr(BatchDirectory, "discard", noted)
    uc.batch("cave", 10, tmp_path, **asked, **HERE)
    assert there == [False]


def test_what_ended_workers_leave_is_swept_at_the_end(tmp_path: Path) -> None:
    making = Batch(BatchRequest("cave", 20, as_="npz", **SMALL), tmp_path, **HERE)
    next(making)
    (tmp_path / ".seeds-05-09.npz.4711.part").write_bytes(b"half")
    (tmp_path / ".mine").write_bytes(b"mine")
    list(making)
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith(".")} == {".mine"}
