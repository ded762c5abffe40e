"""`--watch`: what a person sees in a terminal, as an emulator of terminals (pyte) shows it; and that the terminal is
given back.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator

import numpy as np
import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import undercroft as uc
from undercroft.cli.output import watch
from undercroft.cli.output.screen import BEGIN_SYNC, END_SYNC, ENTER_SCREEN, LEAVE_SCREEN, Screen
from undercroft.cli.output.watch import WatchFilm, format_screen, play
from undercroft.core.level import Level
from undercroft.core.timeline import Timeline
from undercroft.draw.film.animation import still
from undercroft.draw.scene.terminal_pixels import render_lines, shrunk
from undercroft.recipe.catalogue import names

MODES = re.compile(r"\x1b\[\?(\d+)([hl])")
Colours = NDArray[np.uint8]


def record_level(recipe: str, seed: int = 3, size: tuple[int, int] | None = None) -> tuple[Timeline, Level]:
    timeline = Timeline()
    return timeline, uc.generate(recipe, seed=seed, size=size, watcher=timeline)


def emulate_screen(text: str, columns: int, rows: int) -> pyte.Screen:
    """What an emulator shows after these characters."""
    screen = pyte.Screen(columns, rows)
    screen.set_mode(pyte.modes.LNM)
    pyte.Stream(screen).feed(text)
    return screen


def colour(text: str) -> tuple[int, int, int]:
    return int(text[:2], 16), int(text[2:4], 16), int(text[4:6], 16)


def halves(screen: pyte.Screen, rows: int) -> Colours:
    """The colours on a screen, two for each place: its upper and its lower half."""
    found = np.zeros((2 * rows, screen.columns, 3), np.uint8)
    for y in range(rows):
        for x in range(screen.columns):
            place = screen.buffer[y][x]
            found[2 * y + 1, x] = colour(place.bg)
            found[2 * y, x] = colour(place.fg) if place.data == "▀" else colour(place.bg)
    return found


# ---- pictures as lines


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 40), st.integers(1, 12), st.integers(0, 99))
def test_a_picture_fills_the_screen_and_no_more(width: int, height: int, columns: int, rows: int, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.uint8)
    made = render_lines(pixels, columns, rows)
    assert len(made) == rows
    screen = emulate_screen("\n".join(made), columns, rows)
    assert all(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) == columns for line in made)
    seen = halves(screen, rows)
    if 2 * width <= columns and height <= rows:
        times = min(columns // (2 * width), rows // height)
        top, left = (rows - times * height) // 2, (columns - 2 * times * width) // 2
        part = seen[2 * top : 2 * (top + times * height), left : left + 2 * times * width]
        assert (part == pixels.repeat(2 * times, axis=0).repeat(2 * times, axis=1)).all()
    elif width <= columns and height <= 2 * rows:
        top, left = (2 * rows - height) // 2, (columns - width) // 2
        assert (seen[top : top + height, left : left + width] == pixels).all()
    else:
        small = shrunk(pixels, columns, 2 * rows)
        assert small.shape[0] <= 2 * rows
        assert small.shape[1] <= columns
        top, left = (2 * rows - small.shape[0]) // 2, (columns - small.shape[1]) // 2
        assert (seen[top : top + small.shape[0], left : left + small.shape[1]] == small).all()


def test_shrinking_takes_means() -> None:
    pixels = np.array([[[0] * 3, [100] * 3, [7] * 3], [[100] * 3, [200] * 3, [9] * 3]], np.uint8)
    assert shrunk(pixels, 2, 1)[:, :, 0].tolist() == [[100, 8]]
    assert shrunk(pixels, 3, 2) is pixels


@pytest.mark.parametrize("recipe", sorted(names()))
def test_every_frame_is_a_screen(recipe: str) -> None:
    timeline, level = record_level(recipe)
    for coloured in (True, False):
        film = WatchFilm(timeline, level, colour=coloured)
        frames = list(film)
        assert len(frames) == len(film) <= watch.MAX_FRAMES
        for columns, rows in ((80, 24), (200, 60), (20, 6), (1, 1), (3, 2)):
            for frame in (frames[0], frames[len(frames) // 2], frames[-1]):
                drawn = format_screen(frame, columns, rows, colour=coloured)
                assert len(drawn) == rows
                assert all(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) == columns for line in drawn)
                assert coloured or not any("38;2" in line or "48;2" in line for line in drawn)


def test_the_last_frame_is_the_finished_level() -> None:
    timeline, level = record_level("cozy")
    *_, last = WatchFilm(timeline, level)
    assert (last.pixels == np.asarray(still(level, 1).convert("RGB"))).all()
    screen = emulate_screen(
        "".join(f"\x1b[{y};1H{line}" for y, line in enumerate(format_screen(last, 120, 40), 1)), 120, 40
    )
    seen = halves(screen, 38)
    assert (seen[8:68, 10:110] == last.pixels).all()
    assert screen.display[-1].split() == ["way", "207", "of", "207", "steps", "q:", "to", "the", "end"]
    assert set(screen.display[-2]) == {"━"}


def test_new_cells_glow_and_the_line_grows() -> None:
    timeline, level = record_level("rooms-and-mazes")
    frames = list(WatchFilm(timeline, level))
    warm = [int(((frame.pixels[:, :, 0].astype(int) - frame.pixels[:, :, 2]) > 120).sum()) for frame in frames]
    assert warm[0] == 0
    assert max(warm) > 10
    shares = [frame.caption.share for frame in frames]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)
    assert {"rooms", "maze", "connect", "prune", "way"} <= {frame.caption.step for frame in frames}


# ---- playing


class Paper(Screen):
    """A screen that writes down what it would show; its clock moves when it waits, and by so much for each frame."""

    def __init__(self, columns: int = 80, rows: int = 24, slow: float = 0.0, press: int = 10**9) -> None:
        super().__init__()
        self.text, self.clock, self.shape, self.slow, self.press, self.pages = "", 0.0, (columns, rows), slow, press, 0

    def _write(self, text: str) -> None:
        self.text += text

    def size(self) -> tuple[int, int]:
        return self.shape

    def show(self, lines: list[str]) -> None:
        self.pages += 1
        self.clock += self.slow
        super().show(lines)

    def now(self) -> float:
        return self.clock

    def wait(self, seconds: float) -> bool:
        self.clock += max(0.0, seconds)
        return self.pages >= self.press


@pytest.mark.parametrize("recipe", ["isaac", "cave", "cozy", "templates", "walk"])
@pytest.mark.parametrize("slow", [0.0, *(pytest.param(slow, marks=pytest.mark.long) for slow in (0.05, 0.2))])
def test_it_takes_a_few_seconds_whatever_there_is_to_show(recipe: str, slow: float) -> None:
    timeline, level = record_level(recipe)
    paper = Paper(slow=slow)
    play(timeline, level, paper)
    assert paper.clock <= watch.MAX_SECONDS + watch.LAST_FRAME_SECONDS + 3 * slow + watch.MAX_SKIP_SECONDS
    assert paper.pages > 5
    *_, last = WatchFilm(timeline, level)
    assert (
        emulate_screen(paper.text, 80, 24).display[-1]
        == emulate_screen(f"\x1b[24;1H{format_screen(last, 80, 24)[-1]}", 80, 24).display[-1]
    )


def test_only_what_changed_is_written_and_the_screen_is_right_all_the_same() -> None:
    timeline, level = record_level("rooms-and-mazes")
    paper = Paper(100, 30)
    every = 0
    for frame in WatchFilm(timeline, level):
        last = format_screen(frame, 100, 30)
        paper.show(last)
        every += sum(map(len, last))
    whole = emulate_screen("".join(f"\x1b[{y};1H{line}" for y, line in enumerate(last, 1)), 100, 30)
    assert emulate_screen(paper.text, 100, 30).buffer == whole.buffer
    parts = paper.text.split(BEGIN_SYNC)[1:]
    assert all(part.endswith(END_SYNC) for part in parts), "a terminal that knows it shows each frame at once"
    assert "\x1b[2J" in parts[0]
    assert not any("\x1b[2J" in part for part in parts[1:]), "nothing is wiped between frames: that would flicker"
    assert len(paper.text) < 0.75 * every
    assert "\n" not in paper.text


def test_another_size_draws_all_anew() -> None:
    timeline, level = record_level("cave")
    frame = next(iter(WatchFilm(timeline, level)))
    paper = Paper(80, 24)
    paper.show(format_screen(frame, 80, 24))
    paper.shape = (60, 20)
    paper.text = ""
    paper.show(format_screen(frame, 60, 20))
    assert "\x1b[2J" in paper.text
    assert paper.text.count("\x1b[48;2") + paper.text.count(";48;2") > 10


def test_somebody_may_go_to_the_end() -> None:
    timeline, level = record_level("cave")
    paper = Paper(press=3)
    play(timeline, level, paper)
    assert paper.pages == 3


# ---- in a terminal


class Terminal:
    """A command at one end of a terminal of its own, and the test at the other."""

    def __init__(self, *args: str, columns: int = 80, rows: int = 24, **environment: str) -> None:
        self.columns, self.rows, self.bytes = columns, rows, b""
        self.leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(follower)
        surroundings = {
            name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES", "TERM")
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "undercroft", *args],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env={**surroundings, "TERM": "xterm-256color", **environment},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - keys that interrupt reach who has the terminal
        )
        self.follower = follower

    def read(self, until: bytes = b"", within: float = 60.0) -> str:
        """What it says, until it says this, or ends."""
        end = time.monotonic() + within
        while time.monotonic() < end and not (until and until in self.bytes):
            if select.select([self.leader], [], [], 0.05)[0]:
                self.bytes += os.read(self.leader, 65536)
            elif self.process.poll() is not None:
                while select.select([self.leader], [], [], 0)[0]:  # what it said last of all
                    self.bytes += os.read(self.leader, 65536)
                break
        return self.bytes.decode()

    def press(self, keys: bytes) -> None:
        os.write(self.leader, keys)

    def settings(self) -> list[object]:
        return termios.tcgetattr(self.follower)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.leader)
        os.close(self.follower)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def new(*args: str, **options: object) -> Terminal:
        opened.append(Terminal(*args, **options))  # type: ignore[arg-type]
        return opened[-1]

    yield new
    for one in opened:
        one.close()


def given_back(text: str) -> None:
    """Every mode that was set is reset, and the colours are."""
    last = dict(MODES.findall(text))
    assert last["1049"] == "l", "the screen that was there"
    assert last["25"] == "h", "the cursor"
    assert last["7"] == "h", "lines go on in the next"
    assert last["2026"] == "l"
    assert text.count(LEAVE_SCREEN) == 1


ASK = ("generate", "isaac", "--seed", "4", "--watch")


@pytest.mark.long
@pytest.mark.processes
def test_it_plays_and_then_the_level_is_shown(terminal: Callable[..., Terminal]) -> None:
    seen = terminal(*ASK)
    text = seen.read()
    assert seen.process.wait() == 0
    given_back(text)
    played, after = text[text.index(ENTER_SCREEN) :].split(LEAVE_SCREEN)
    screen = emulate_screen(played, 80, 24)
    assert screen.display[-1].startswith(" way  ")
    assert (halves(screen, 22).reshape(-1, 3) == (255, 255, 255)).all(axis=1).any(), "the way"
    assert not emulate_screen(text, 80, 24).cursor.hidden
    assert "isaac" in after
    assert "seed 4" in after
    assert seen.settings() == seen.before


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.parametrize("key", [b"q", b"\x1b"])
def test_a_key_ends_it_and_the_level_is_there(terminal: Callable[..., Terminal], key: bytes, tmp_path: object) -> None:
    seen = terminal("generate", "walk", "--seed", "1", "--watch", "-o", f"{tmp_path}/level.txt")
    seen.read(until=b"walk")
    begun = time.monotonic()
    seen.press(key)
    text = seen.read()
    assert seen.process.wait() == 0
    given_back(text)
    assert time.monotonic() - begun < 4, "not to the end"
    assert "written to" in text
    assert seen.settings() == seen.before


@pytest.mark.long
@pytest.mark.processes
def test_interrupting_it_gives_the_terminal_back(terminal: Callable[..., Terminal]) -> None:
    seen = terminal("generate", "walk", "--seed", "1", "--watch")
    seen.read(until=b"walk")
    assert seen.settings() != seen.before, "keys are heard at once"
    seen.press(b"\x03")
    text = seen.read()
    assert seen.process.wait() == 130
    given_back(text)
    assert text.rstrip().endswith("undercroft: interrupted")
    assert "Traceback" not in text
    assert seen.settings() == seen.before


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_ending_the_program_gives_the_terminal_back(terminal: Callable[..., Terminal], number: signal.Signals) -> None:
    seen = terminal("generate", "walk", "--seed", "1", "--watch")
    seen.read(until=b"walk")
    seen.process.send_signal(number)
    text = seen.read()
    assert seen.process.wait() == 128 + number
    given_back(text)
    assert seen.settings() == seen.before


@pytest.mark.long
@pytest.mark.processes
def test_who_wants_no_colours_sees_signs(terminal: Callable[..., Terminal]) -> None:
    seen = terminal("generate", "rooms-and-mazes", "--seed", "4", "--size", "61x21", "--watch", NO_COLOR="1")
    text = seen.read()
    assert seen.process.wait() == 0
    given_back(text)
    assert "38;2" not in text
    assert "48;2" not in text
    screen = emulate_screen(text[text.index(ENTER_SCREEN) : text.index(LEAVE_SCREEN)], 80, 24)
    level = uc.generate("rooms-and-mazes", seed=4, size=(61, 21))
    assert "".join(row[9:70] for row in screen.display[:21]).count("+") == np.count_nonzero(
        level.tiles == level.palette["door"]
    )


@pytest.mark.long
@pytest.mark.processes
def test_a_level_larger_than_the_terminal_is_seen_whole(terminal: Callable[..., Terminal]) -> None:
    seen = terminal("generate", "cave", "--seed", "4", "--size", "150x90", "--watch", columns=40, rows=12)
    seen.read(until=b"automaton")
    seen.press(b"q")
    text = seen.read()
    assert seen.process.wait() == 0
    given_back(text)
    screen = emulate_screen(text[text.index(ENTER_SCREEN) : text.index(LEAVE_SCREEN)], 40, 12)
    assert "automaton" in screen.display[-1]
    assert len({tuple(place) for row in halves(screen, 10).tolist() for place in row}) > 10


@pytest.mark.long
@pytest.mark.processes
def test_what_nobody_can_see_is_refused(terminal: Callable[..., Terminal]) -> None:
    piped = subprocess.run([sys.executable, "-m", "undercroft", *ASK], capture_output=True, text=True, check=False)
    assert (piped.returncode, piped.stdout) == (2, "")
    assert "--watch shows the level in a terminal, and this is none" in piped.stderr
    also = subprocess.run(
        [sys.executable, "-m", "undercroft", *ASK, "--animate", "x.gif"], capture_output=True, text=True, check=False
    )
    assert also.returncode == 2
    assert "this is none" in also.stderr
    dumb = terminal(*ASK, TERM="dumb")
    text = dumb.read()
    assert dumb.process.wait() == 2
    assert "dumb" in text
    assert "\x1b" not in text
