"""Room grids as text: what is read, what is written, and what is refused."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undercroft as uc
from undercroft.analysis.room_grids import ROOM_GRID_PALETTE
from undercroft.core.level import Level
from undercroft.errors import BadInput, TooBig
from undercroft.formats import dump, loads

TOY = b"[[0, 2, 0],  \n [1, 1, 1],  \n [0, 3, 0]]\n"


@pytest.mark.parametrize(
    "text",
    [
        TOY,
        b"020\n111\n030",
        b"[[0,2,0],[1,1,1],[0,3,0]]",
        b"\xef\xbb\xbf0 2 0\r\n1 1 1\r\n\r\n0 3 0\r\n",
        b"0,2,0\n1,1,1\n0\t3\t0\n",
    ],
)
def test_a_matrix_is_read_row_by_row(text: bytes) -> None:
    """3.8: rows first, and a point is (x, y): start and end of the example are in the middle column."""
    level = loads(text, "text:grid", "toy.txt")
    assert level.palette == ROOM_GRID_PALETTE
    assert level.tiles.tolist() == [[0, 2, 0], [1, 1, 1], [0, 3, 0]]
    assert (level.start, level.end) == ((1, 0), (1, 2))
    assert level.layers["doors"].tolist() == [[0, 4, 0], [2, 15, 8], [0, 1, 0]]
    assert (len(level.regions), len(level.links)) == (5, 4)
    assert dump(level, "text:grid") == b"020\n111\n030\n"


def test_the_corners_of_a_grid() -> None:
    """3.8: the last column of eight is 7."""
    level = loads(b"20000003\n" + b"00000000\n" * 7, "text:grid")
    assert (level.size, level.start, level.end) == ((8, 8), (0, 0), (7, 0))


@given(
    st.integers(1, 12).flatmap(
        lambda width: st.lists(st.text("01", min_size=width, max_size=width), min_size=1, max_size=9)
    ),
    st.sampled_from(["", " ", ", "]),
)
def test_what_is_written_is_read(rows: list[str], between: str) -> None:
    text = "\n".join(between.join(row) for row in rows).encode()
    level = loads(text, "text:grid")
    assert dump(level, "text:grid").decode() == "".join(f"{row}\n" for row in rows)
    assert loads(dump(level, "text:grid"), "text:grid") == level
    assert loads(dump(level, "json"), "json") == level


def test_any_level_has_codes() -> None:
    assert dump(Level.parse("#<.\n~+>"), "text:grid") == b"021\n013\n"


def linked_cells(level: Level) -> set[tuple[frozenset[tuple[int, int]], str]]:
    """The cells that each link joins, and its kind."""
    cells = {region.label: (region.x, region.y) for region in level.regions}
    return {(frozenset({cells[link.a], cells[link.b]}), link.kind) for link in level.links}


def test_a_level_that_was_made_reads_back() -> None:
    for seed in range(20):
        made = uc.generate("drunkard", seed=seed, expand=False)
        read = loads(dump(made, "text:grid"), "text:grid")
        assert read.tiles.tolist() == made.tiles.tolist()
        assert (read.start, read.end) == (made.start, made.end)
        assert linked_cells(read) == linked_cells(made), "their numbers differ"
        assert read.layers["doors"].tolist() == made.layers["doors"].tolist()


MISTAKES: list[tuple[str, bytes, tuple[int, int] | None]] = [
    ("a room grid has at least one cell", b"", (1, 1)),
    ("a room grid has at least one cell", b"[[]]\n,", (1, 1)),
    ("unknown code '4'", b"0 1\n0 4\n", (2, 3)),
    ("unknown code '#'", b"#", (1, 1)),
    ("unknown code 'é'", "01\n[é0]".encode(), (2, 2)),
    ("unknown code '\ufffd'", b"0\xff", (1, 2)),
    ("this row has 3 cells, the first has 2", b"01\n\n010\n", (3, 1)),
    ("this row has 1 cells, the first has 2", b"[[0,1],[0]]", (1, 1)),
    (r"a 2 \(start\) stands both at \(0, 0\) and at \(1, 1\)", b"20\n02", None),
    (r"a 3 \(end\) stands both at \(1, 0\) and at \(2, 0\)", b"133", None),
]


@pytest.mark.parametrize(("problem", "text", "place"), MISTAKES)
def test_mistakes(problem: str, text: bytes, place: tuple[int, int] | None) -> None:
    with pytest.raises(BadInput, match=problem) as caught:
        loads(text, "text:grid", "mine.txt")
    error = caught.value
    assert error.fix
    assert "mine.txt" in str(error)
    if place is not None:
        assert error.place is not None
        assert (error.place.line, error.place.column) == place


@given(st.binary(max_size=60))
def test_no_bytes_do_harm(data: bytes) -> None:
    with suppress(BadInput):
        assert loads(data, "text:grid").tiles.max() <= 3


def test_many_brackets_and_too_many_cells_are_dealt_with_at_once() -> None:
    assert loads(b"[" * 1_000_000 + b"0" + b"]" * 1_000_000, "text:grid").size == (1, 1)
    assert loads(b"0]" * 100_000, "text:grid").size == (1, 100_000)
    with pytest.raises(TooBig, match="longer side is 16,777,217"):
        loads(b"0" * (4096 * 4096 + 1), "text:grid")
    assert np.count_nonzero(loads(b"1" * 5000 + b"\n" + b"0" * 5000, "text:grid").tiles) == 5000
