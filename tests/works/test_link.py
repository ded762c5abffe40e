"""Links: what was packed comes back, and what is not whole, or a trap, is refused in a sentence."""

from __future__ import annotations

import base64
import random
import tracemalloc
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.works import load_vectors, work_data
from undercroft import limits
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.works.deflate import deflate, inflate
from undercroft.works.level_work import format_work
from undercroft.works.link import read_link, unpack_link, write_link

LINK = write_link(work_data(text="[[step]]\n" * 9))


def pack(text: bytes, check: int | None = None) -> str:
    """A link as zlib would pack it."""
    packer = zlib.compressobj(9, wbits=-15)
    data = (zlib.crc32(text) if check is None else check).to_bytes(4, "big") + packer.compress(text) + packer.flush()
    return f"undercroft:1:{base64.urlsafe_b64encode(data).decode().rstrip('=')}"


@pytest.mark.parametrize("name", load_vectors())
def test_links_are_the_shared_ones(name: str) -> None:
    row = load_vectors()[name]
    assert write_link(row["data"]) == row["link"]
    assert unpack_link(row["link"]) == row["text"]
    assert read_link(row["link"]).data == row["data"]


@given(st.dictionaries(st.text(min_size=1, max_size=5), st.text(max_size=200), max_size=3))
def test_what_comes_back_is_what_was_linked(more: dict[str, Any]) -> None:
    data = work_data(view=more)
    link = write_link(data)
    assert link.isascii()
    assert not set(link) & set(" \t\n\"'`$&;<>()|*?[]#~=%!{}\\/.")  # a shell takes it as it is
    assert read_link(link).data == data
    assert write_link(read_link(link).data) == link


@given(st.binary(max_size=600) | st.text("ab#.", max_size=3000).map(str.encode))
def test_zlib_unpacks_what_is_packed(data: bytes) -> None:
    assert zlib.decompress(deflate(data), -15) == inflate(deflate(data), len(data)) == data


def test_matches_reach_over_the_window_and_no_further() -> None:
    needle, gap = b"0123456789" * 10, b"x" * (1 << 15)
    for distance in ((1 << 15) - 1, 1 << 15, (1 << 15) + 1):
        data = needle + gap[: distance - len(needle)] + needle
        assert inflate(deflate(data), len(data)) == data


@pytest.mark.parametrize("kept", range(len(LINK)))
def test_a_link_that_is_cut_off_is_refused(kept: int) -> None:
    with pytest.raises(BadInput) as error:
        read_link(LINK[:kept])
    assert error.value.fix


@given(st.integers(len("undercroft:1:"), len(LINK) - 1), st.sampled_from("AQgwz019-_"))
def test_a_link_with_another_letter_is_refused(at: int, letter: str) -> None:
    changed = LINK[:at] + letter + LINK[at + 1 :]
    try:
        found = unpack_link(changed)
    except BadInput:
        return
    assert found == unpack_link(LINK)  # the last letter may have bits that say nothing


def test_blanks_and_line_ends_do_not_matter() -> None:
    broken = "\n  ".join(LINK[at : at + 20] for at in range(0, len(LINK), 20))
    assert read_link(f" {broken}\r\n").data == read_link(LINK).data


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("", "this is no link to a work"),
        ("cave", "this is no link to a work"),
        ("http://127.0.0.1:8123/#recipe=cave", "this is no link to a work"),
        ("undercroft:", "the link is of version ''"),
        ("undercroft:2:AAAA", "the link is of version '2'"),
        ("undercroft:1:", "cut off or damaged"),
        ("undercroft:1:A", "cut off or damaged"),
        ("undercroft:1:AAAA", "cut off or damaged"),
        ("undercroft:1:ab+c/d==", "holds '+', which stands in no link"),
        ("undercroft:1:äöü", "holds 'ä', which stands in no link"),
        (LINK + "AAAA", "cut off or damaged"),
        (pack(format_work(work_data()).encode(), check=1), "its checksum is another"),
        (pack(b"\xff\xfe"), "it holds no text"),
        (pack(b"{}"), "does not say that it is undercroft-work/1"),
        (pack(b"[" * 100_000), "more than 64 brackets"),
        (pack(b" " * (limits.WORK_BYTES.value + 1)), "holds more than 524,288 bytes when unpacked"),
    ],
)
def test_what_is_no_link_is_refused(link: str, words: str) -> None:
    with pytest.raises(UndercroftError) as error:
        read_link(link)
    assert words in error.value.problem
    assert error.value.fix


def test_a_bomb_takes_no_more_memory_than_a_work() -> None:
    bomb = pack(b"#" * 20_000_000)
    assert len(bomb) < limits.LINK_LENGTH.value
    tracemalloc.start()
    with pytest.raises(BadInput, match="when unpacked"):
        read_link(bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 * limits.WORK_BYTES.value


def test_a_link_that_would_be_too_long_offers_the_file() -> None:
    letters = "".join(map(chr, random.Random(1).choices(range(0x4E00, 0x9000), k=12_000)))
    with pytest.raises(TooBig) as error:
        write_link(work_data(text=letters))
    assert "save the work" in error.value.fix
    with pytest.raises(TooBig, match="the length of the link"):
        read_link(LINK + "A" * limits.LINK_LENGTH.value)
