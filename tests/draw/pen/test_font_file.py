"""Greek and Cyrillic letters, and letters of a font that the user names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from support.fonts import build_font
from undercroft.cli.options.output_files import describe_losses, resolve_outputs
from undercroft.core.level import Level
from undercroft.draw.pen.font_file import read_letters, use_font
from undercroft.draw.scene.lettering import (
    MISSING_SIGN,
    TYPEFACES,
    list_missing_signs,
    place_letters,
    text_outlines,
    text_width,
)
from undercroft.errors import BadInput, UndercroftError
from undercroft.formats import dump

GREEK = "\u039d\u03b1\u03cc\u03c2 \u0391\u03b8\u03b7\u03bd\u03ac\u03c2"
CYRILLIC = "\u041f\u043e\u0434\u0437\u0435\u043c\u0435\u043b\u044c\u0435 \u0401\u0436"
LEVEL = Level.parse("#....#").replace(title="\u9375 Hall")


@pytest.mark.parametrize("face", TYPEFACES)
def test_greek_and_cyrillic_letters_are_drawn(face: str) -> None:
    for text in (GREEK, CYRILLIC):
        assert list_missing_signs(text, face) == []
        assert [sign for _, sign, _ in place_letters(text, face)] == list(text)
        assert 0.3 < text_width(text, 1, face) / len(text) < 0.8
        tops = np.concatenate(text_outlines(text, 0, 0, 1, face))[:, 1]
        assert -1.0 < tops.min() < -0.5


def test_a_sign_that_nothing_has_is_an_empty_box() -> None:
    assert list_missing_signs("a\u9375b\u9375") == ["\u9375"]
    assert [sign for _, sign, _ in place_letters("\u9375")] == [MISSING_SIGN]


def test_a_font_of_the_user_gives_the_letters_that_are_missing(tmp_path: Path) -> None:
    font = tmp_path / "own.ttf"
    font.write_bytes(build_font("\u9375"))
    letter = read_letters(font, ["\u9375", "\u9376"])["\u9375"]
    assert letter.advance == pytest.approx(1.0, abs=0.02)
    points = np.concatenate(letter.lines)
    assert points.min(axis=0) == pytest.approx([0.1, -0.8], abs=0.04)
    assert points.max(axis=0) == pytest.approx([0.9, 0.0], abs=0.04)
    assert "\u9376" not in read_letters(font, ["\u9376"])
    with use_font(font, "\u9375"):
        assert list_missing_signs("\u9375") == []
        assert [sign for _, sign, _ in place_letters("a\u9375")] == ["a", "\u9375"]
    assert list_missing_signs("\u9375") == ["\u9375"]
    for name in ("svg", "png", "pdf"):
        assert dump(LEVEL, name, font=str(font)) != dump(LEVEL, name)
        assert dump(LEVEL, name, font=str(font)) == dump(LEVEL, name, font=str(font))


def test_what_is_no_font_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "no.ttf"
    file.write_bytes(b"no font")
    with pytest.raises(BadInput, match="this is no font"):
        dump(LEVEL, "svg", font=str(file))
    with pytest.raises(UndercroftError, match=r"gone\.ttf"):
        dump(LEVEL, "svg", font=str(tmp_path / "gone.ttf"))


def test_a_note_says_which_letters_are_missing() -> None:
    [note] = [note for note in describe_losses(LEVEL, resolve_outputs(["x.svg"], None)) if "letters" in note]
    assert "\u9375" in note
    assert "--option font=FILE" in note
    assert not describe_losses(LEVEL, resolve_outputs(["x.svg"], None, options=["font=own.ttf"]))
    assert not describe_losses(LEVEL.replace(title="Hall"), resolve_outputs(["x.svg"], None))
