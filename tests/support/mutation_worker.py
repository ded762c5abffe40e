"""Read mutated files in a process of their own, which watches time, memory, warnings and output.

A case is the number of a mutated file of a format. The process gets lines of JSON, each with a format and a range of
cases, and answers with lines of JSON: one for each fault, and one with the counts at the end. Files of the case that
runs lie in its folder, so that they are there if the process dies.

    PYTHONPATH=tests python -m support.mutation_worker FORMAT CASE       # write the files of a case and read them
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from support.mutations import mutate
from support.paths import TESTS
from support.starting_files import StartingFile, list_readable, list_starting_files
from undercroft.core.level import Level
from undercroft.errors import UndercroftError
from undercroft.formats import FORMATS, dump, dump_files, load, loads, read_origin
from undercroft.formats.shared.checked import to_json_value
from undercroft.inputs.json import format_json

MAX_SECONDS = 3.0
"""Processor time to read a file, write it as JSON and read that; a case takes some milliseconds."""
MAX_GROWTH = 300 << 20
"""Bytes of memory that a case may take above what the process had before it."""
HANG_SECONDS = 30.0
"""Processor time after which a case is ended."""
SILENT_SECONDS = 600.0
"""Time without an answer after which the process is ended: more than the slowest machine takes for some cases."""
MAX_MESSAGE_LENGTH = 2500
"""Letters of an error: more than that is no sentence."""
WRITER_SHARE = 8
"""One of so many levels is written in a further format."""
MAX_WRITTEN_CELLS = 4000
"""Levels with more cells are not written in further formats, since pictures of them take long."""
KEPT_FOLDER = Path(tempfile.gettempdir()) / f"undercroft-mutations-{os.getuid()}"
"""Where files of faults are kept."""

PROCESS_STATUS, CLEAR_PEAK = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class Fault(Exception):
    """A reader did what none may do."""


class MutatedFiles(NamedTuple):
    """The files of a case."""

    start: StartingFile
    how: str
    read_as: str | None
    """The format to name; None: it is to be detected."""


def build_case(name: str, case: int) -> MutatedFiles:
    """The files of a case: a starting file of the format with a mutation of one of its files."""
    chance = Random(f"{name} {case}")
    starts = list_starting_files(name)
    start = chance.choice(starts)
    row = FORMATS[name]
    names = [start.name]
    if row.reads_siblings:
        names += [start.name, *(file for file in start.files if not file.endswith(".png"))]
    target = chance.choice(names)
    others = [other.files[other.name] for other in starts]
    data, how = mutate(start.files[target], others, chance)
    detected = bool(row.suffixes or row.keys) and chance.random() < 0.5
    return MutatedFiles(
        StartingFile(start.name, {**start.files, target: data}), f"{target}: {how}", None if detected else name
    )


def write_case(files: StartingFile, folder: Path) -> Path:
    """Write the files into a folder that is emptied first; the path of the one to read."""
    for old in folder.iterdir():
        if old.name not in files.files:
            old.unlink()
    for name, data in files.files.items():
        (folder / name).write_bytes(data)
    return folder / files.name


def read_case(name: str, path: Path, read_as: str | None) -> Level | Mapping[str, Any] | None:
    """The level or the provenance in the file; None if it is refused in a sentence. Raises `Fault`."""
    try:
        if FORMATS[name].load is None:
            origin = read_origin(path, read_as)
            format_json(to_json_value(origin, "provenance"))
            return origin
        level = load(path, read_as)
    except UndercroftError as error:
        check_sentence(error)
        return None
    again = loads(dump(level, "json"), "json")
    if again != level or again.provenance != level.provenance:
        raise Fault("the level is another one after it was written as JSON and read")
    return level


def check_sentence(error: UndercroftError) -> None:
    """Raise `Fault` if an error does not say what is wrong and how to mend it."""
    text = str(error)
    if not error.problem.strip() or not error.fix.strip():
        raise Fault(f"an error without a problem or a fix: {error!r}")
    if len(text) > MAX_MESSAGE_LENGTH:
        raise Fault(f"an error of {len(text):,} letters: {text[:200]!r}")
    if "Traceback" in text or " object at 0x" in text:
        raise Fault(f"an error in words of Python: {text[:300]!r}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Fault(f"an error that cannot be printed: {text[:200]!r}") from None


def write_level(level: Level, chance: Random) -> None:
    """Write the level in one of all formats. Raises `Fault` if that is refused without a sentence."""
    row = chance.choice([row for row in FORMATS.values() if row.dump])
    try:
        dump_files(level, Path(f"again{(*row.suffixes, '.bin')[0]}"), row)
    except UndercroftError as error:
        check_sentence(error)
    except Exception as error:
        raise Fault(f"writing it as {row.name}: {describe_error(error)}") from error


def describe_error(error: BaseException) -> str:
    """An exception with the last line of ours that it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if f"{os.sep}undercroft{os.sep}" in frame.filename] or frames
    place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "?"
    return f"{type(error).__name__}: {str(error)[:300]} ({place})"


def reproduce_line(name: str, path: Path, read_as: str | None) -> str:
    """A command that reads the file as the case did."""
    function = "load" if FORMATS[name].load else "read_origin"
    return f"{sys.executable} -c \"from undercroft.formats import {function}; {function}('{path}', {read_as!r})\""


def reset_peak_memory() -> None:
    """Let the peak begin anew with what the process has now, where the system can do that."""
    with contextlib.suppress(OSError):
        CLEAR_PEAK.write_text("5")


def peak_memory() -> int:
    """The most bytes that this process had since the reset. What `getrusage` says counts those of the process that
    started this one, too, so it is asked only where the system does not tell more.
    """
    import resource

    if PROCESS_STATUS.exists():
        return int(PROCESS_STATUS.read_text().partition("VmHWM:")[2].split()[0]) << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


# --- in the process ---


class CaseLoop:
    """Runs cases in this process and reports faults."""

    def __init__(self, folder: Path, output: Path) -> None:
        self.folder = folder
        self.output = output
        """The file that this process prints to."""
        self.counts = {"level": 0, "origin": 0, "refused": 0, "fault": 0}
        self.slowest = (0.0, 0)

    def run(self, name: str, cases: range) -> Iterator[dict[str, Any]]:
        """Run the cases; each fault as it is found, then the counts."""
        list_starting_files(name)
        self.counts, self.slowest = dict.fromkeys(self.counts, 0), (0.0, 0)
        for case in cases:
            (self.folder / "case").write_text(str(case))
            files = build_case(name, case)
            path = write_case(files.start, self.folder / "files")
            problem = self._try_case(name, case, path, files.read_as)
            if problem:
                self.counts["fault"] += 1
                yield {"case": case, "problem": problem, "how": files.how, "read_as": files.read_as, "file": path.name}
        yield {"done": True, "counts": self.counts, "slowest": self.slowest}

    def _try_case(self, name: str, case: int, path: Path, read_as: str | None) -> str:
        """What is wrong with the case; empty if nothing is."""
        before = self._count_printed()
        reset_peak_memory()
        base = peak_memory()
        signal.setitimer(signal.ITIMER_VIRTUAL, HANG_SECONDS)
        try:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                found, seconds = self._read(name, path, read_as)
                if peak_memory() - base > MAX_GROWTH:
                    raise Fault(f"it took {(peak_memory() - base) >> 20} MB, and {MAX_GROWTH >> 20} are allowed")
                if seconds > MAX_SECONDS:
                    raise Fault(f"it took {seconds:.1f} seconds of processor time, and {MAX_SECONDS:g} are allowed")
                level = found if isinstance(found, Level) else None
                self.counts["level" if level is not None else "refused" if found is None else "origin"] += 1
                self.slowest = max(self.slowest, (round(seconds, 3), case))
                chance = Random(f"write {name} {case}")
                if level is not None and level.tiles.size <= MAX_WRITTEN_CELLS and chance.randrange(WRITER_SHARE) == 0:
                    write_level(level, chance)
            if warned:
                raise Fault(f"a warning: {warned[0].category.__name__}: {warned[0].message}")
            if self._count_printed() != before:
                raise Fault(f"it printed {self.output.read_bytes()[before:][:300]!r}")
        except Fault as fault:
            return str(fault)
        except Exception as error:  # noqa: BLE001  # whatever comes out is the fault to report
            return describe_error(error)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return ""

    def _read(self, name: str, path: Path, read_as: str | None) -> tuple[Any, float]:
        begin = time.process_time()
        found = read_case(name, path, read_as)
        return found, time.process_time() - begin

    def _count_printed(self) -> int:
        sys.stdout.flush()
        sys.stderr.flush()
        return self.output.stat().st_size


def serve(folder: Path) -> None:
    """Answer the requests of the other process until it closes the pipe."""
    (folder / "files").mkdir(exist_ok=True)
    output = folder / "output"
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        with output.open("ab") as printed:
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
        faulthandler.enable()
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        faulthandler.register(signal.SIGVTALRM, chain=True)
        loop = CaseLoop(folder, output)
        for line in sys.stdin:
            request = json.loads(line)
            for answer in loop.run(request["format"], range(request["first"], request["end"])):
                answers.write(json.dumps(answer) + "\n")
                answers.flush()


# --- in the tests ---

START = "import sys; from support.mutation_worker import main; main(sys.argv[1:])"


class CaseRunner:
    """Runs cases in a process, and starts another one if that dies."""

    def __init__(self, folder: Path, prelude: str = "") -> None:
        self.folder = folder
        self.prelude = prelude
        """Python that the process runs first."""
        self.process: subprocess.Popen[str] | None = None

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def run(self, name: str, cases: range, most_faults: int = 5) -> tuple[list[str], dict[str, Any]]:
        """The faults of the cases, each as a text, and the counts. Ends early after `most_faults`."""
        faults: list[str] = []
        first = cases.start
        while first < cases.stop:
            process = self._start()
            assert process.stdin is not None
            process.stdin.write(json.dumps({"format": name, "first": first, "end": cases.stop}) + "\n")
            process.stdin.flush()
            answer: dict[str, Any] | None = None
            for answer in self._answers(process):
                if "done" in answer:
                    return faults, answer
                faults.append(self._describe(name, **answer))
                if len(faults) >= most_faults:
                    self.close()
                    return faults, {}
            assert (self.folder / "case").exists(), f"the process died before its first case: {self._read_output()}"
            first = int((self.folder / "case").read_text()) + 1
            faults.append(self._describe_death(name, first - 1))
            self.close()
            if len(faults) >= most_faults:
                break
        return faults, {}

    def _start(self) -> subprocess.Popen[str]:
        if self.process is None or self.process.poll() is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            self.process = subprocess.Popen(
                [sys.executable, "-c", f"{self.prelude}\n{START}", str(self.folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])},
            )
        return self.process

    def _answers(self, process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
        """The answers of the process, until it says that it is done, or dies. A silent one is ended."""
        import threading

        assert process.stdout is not None
        while True:
            guard = threading.Timer(SILENT_SECONDS, process.kill)
            guard.start()
            try:
                line = process.stdout.readline()
            finally:
                guard.cancel()
            if not line:
                return
            answer = json.loads(line)
            yield answer
            if "done" in answer:
                return

    def _describe(self, name: str, case: int, problem: str, how: str, read_as: str | None, file: str) -> str:
        kept = self._keep_files(name, case)
        return (
            f"{name}, case {case}: {problem}\n  the mutation: {how}\n"
            f"  again: {reproduce_line(name, kept / file, read_as)}"
        )

    def _describe_death(self, name: str, case: int) -> str:
        assert self.process is not None
        code = self.process.wait()
        files = build_case(name, case)
        problem = f"the process died with {code}"
        if code == -signal.SIGVTALRM:
            problem = f"it did not end within {HANG_SECONDS:g} seconds of processor time"
        return self._describe(
            name, case, f"{problem}:\n{self._read_output()}", files.how, files.read_as, files.start.name
        )

    def _read_output(self) -> str:
        """The end of what the process printed."""
        output = self.folder / "output"
        return output.read_text(encoding="utf-8", errors="replace")[-2000:] if output.exists() else ""

    def _keep_files(self, name: str, case: int) -> Path:
        kept = KEPT_FOLDER / f"{name.replace(':', '-')}-{case}"
        kept.mkdir(parents=True, exist_ok=True)
        write_case(build_case(name, case).start, kept)
        return kept


def main(words: list[str]) -> None:
    """Serve the tests, or try one case."""
    if len(words) == 1:
        with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
            serve(Path(words[0]))
        return
    name, case = words[0], int(words[1])
    assert name in [row.name for row in list_readable()], f"no readable format is called {name!r}"
    folder = KEPT_FOLDER / f"{name.replace(':', '-')}-{case}"
    folder.mkdir(parents=True, exist_ok=True)
    files = build_case(name, case)
    path = write_case(files.start, folder)
    sys.stdout.write(f"{path}, read as {files.read_as or 'its name says'}: {files.how}\n")
    found = read_case(name, path, files.read_as)
    sys.stdout.write("refused in a sentence\n" if found is None else f"{found!r}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
