"""What styles can show, and what they say they cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

import undercroft as uc
from undercroft.cli import run
from undercroft.draw.styles.table import PICTURE_PARTS, STYLES, render_picture
from undercroft.errors import BadInput

LEVEL = uc.generate("cozy", seed=5, size=(30, 24))


@pytest.mark.parametrize("style", STYLES)
def test_every_part_changes_the_picture_or_is_said_to_be_missing(style: str) -> None:
    """Shown alone and not at all: the pictures differ, unless the style says that it lacks the part."""
    bare = render_picture(LEVEL, style, cell=12, hide=list(PICTURE_PARTS))
    for part in PICTURE_PARTS:
        if part in ("secrets", "measures", "scale") or (style, part) == ("dark", "legend"):
            continue  # this level has no secret door; the others stand outside of a map, or beside what else is shown
        other = render_picture(
            LEVEL, style, cell=12, show=[part], hide=[name for name in PICTURE_PARTS if name != part]
        )
        same = other.size == bare.size and other.tobytes() == bare.tobytes()
        assert same == (part in STYLES[style].lacks), part


def test_what_a_style_cannot_show_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generate", "cave", "--seed", "1", "--size", "20x16", "-o", str(tmp_path / "a.png"), "--style", "plain"]
    assert run([*words, "--show", "graph,path"]) == 0
    assert "note: the style plain does not show graph" in capsys.readouterr().err
    assert run([*words, "--show", "grid"]) == 0
    assert "does not show" not in capsys.readouterr().err


def test_mistakes() -> None:
    for options, problem in (
        ({"show": ["paht"]}, "did you mean 'path'"),
        ({"show": ["grid"], "hide": ["grid"]}, "shown and to be hidden"),
    ):
        with pytest.raises(BadInput) as caught:
            render_picture(LEVEL, "ink", **options)  # type: ignore[arg-type]
        assert problem in str(caught.value)
