"""Lines of texts that people write: their parts, places and comments."""

from __future__ import annotations

import pytest

from undercroft import limits
from undercroft.errors import BadInput, TooBig
from undercroft.inputs.lines import LinePart, list_lines, locate, replace_unprintable, skip_quotes, split_lines


def part(text: str) -> LinePart:
    return next(split_lines(text, "a.txt", limits.RULES_BYTES))


def test_pieces_know_where_they_stand() -> None:
    line = part("   room  hall , large")
    assert (line.indent, line.cut().at, line.cut().text) == (3, 3, "room  hall , large")
    assert [(piece.at, piece.text) for piece in line.split()] == [(3, "room  hall"), (16, "large")]
    assert [(piece.at, piece.text) for piece in line.split_words()] == [
        (3, "room"),
        (9, "hall"),
        (14, ","),
        (16, "large"),
    ]
    inner = line.split()[1].slice(1, 3)
    assert (str(inner.place()), str(inner.place(1)), inner.text) == ("a.txt:1:18", "a.txt:1:19", "ar")


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", [""]),
        (",", ["", ""]),
        ("a, b", ["a", "b"]),
        ('"a, b", c', ['"a, b"', "c"]),
        ('x"a, b"', ['x"a', 'b"']),
        ('"a, b', ['"a', "b"]),
        ('"a\\", b", c', ['"a\\", b"', "c"]),
    ],
)
def test_quotes_hold_commas_at_the_beginning_of_a_word(text: str, pieces: list[str]) -> None:
    assert [piece.text for piece in part(text).split(skip=skip_quotes)] == pieces
    assert [piece.text for piece in part(text).split()] == [piece.strip() for piece in text.split(",")]


def test_a_language_says_where_its_comments_begin() -> None:
    text = "\ufeffa ; b\r\n# c\n"
    assert [line.text for line in split_lines(text, "a", limits.RULES_BYTES)] == ["a", "# c", ""]
    hashes = split_lines(text, "a", limits.RULES_BYTES, lambda line: line.find("#"))
    assert [(line.number, line.text) for line in hashes] == [(1, "a ; b"), (3, "")]


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [("ab\tc", "a tab", "a.txt:1:3"), ("a\u200bc", r"cannot be seen \(U\+200B\)", "a.txt:1:2")],
)
def test_signs_that_cannot_be_seen_are_refused_outside_comments(text: str, problem: str, place: str) -> None:
    assert part(f"a ; {text}").text == "a"
    with pytest.raises(BadInput, match=problem) as caught:
        part(text)
    assert str(caught.value.place) == place


def test_a_long_text_is_refused_before_its_lines_are_read() -> None:
    with pytest.raises(TooBig, match="its size in bytes") as caught:
        part("\t" * (limits.RULES_BYTES.value + 1))
    assert str(caught.value.place) == "a.txt:1:1"


@pytest.mark.parametrize("text", ["", "-1", "1.0", "8", "1" * 13, "٣", " 3"])
def test_numbers_are_whole_and_in_range(text: str) -> None:
    piece = LinePart("a.txt", 1, text, 0, text)
    with pytest.raises(BadInput, match="a weight is a whole number from 0 to 7, not"):
        piece.parse_number("a weight", 0, 7)
    assert part("7").parse_number("a weight", 0, 7) == 7


def test_places_show_their_line_without_signs_that_cannot_be_seen() -> None:
    text = "one\r\n\ttwo\x1b[0m\nthree"
    place = locate(text, "a", text.index("two"))
    assert place == ("a", 2, 2, "\ttwo\ufffd[0m")
    assert locate(text, "a", len(text)) == ("a", 3, 6, "three")
    assert list_lines(text) == ["one", "\ttwo\x1b[0m", "three"]
    assert replace_unprintable("plain") == "plain"
