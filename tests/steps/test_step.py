"""What a class of steps declares, with defaults for what it leaves out; and what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.steps import STEPS
from undercroft.steps.finish.rewrite import Rewrite
from undercroft.steps.step import describe_step


@dataclass(frozen=True, kw_only=True)
class Plain:
    """A step with nothing optional."""

    file: str = ""
    edition: ClassVar[int] = 3
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ("path",)

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None: ...


class Whole(Plain):
    """A step with everything."""

    reads = ("file",)
    texts = ("file",)
    forgets = True

    @property
    def digest(self) -> str:
        return f"digest of {self.file}"

    def check(self, width: int, height: int) -> None:
        raise ValueError(f"{width}x{height}")


def test_what_a_step_leaves_out_has_a_default() -> None:
    found = describe_step(Plain)
    assert found[:6] == ("plain", 3, ("tiles",), (), ("path",), ("file",))
    assert (found.reads, found.texts, found.forgets) == ((), (), False)
    assert found.digest(Plain()) == ""
    found.check(Plain(), 1, 1)


def test_what_a_step_has_is_taken() -> None:
    found = describe_step(Whole)
    assert (found.reads, found.texts, found.forgets) == (("file",), ("file",), True)
    assert found.digest(Whole(file="x")) == "digest of x"
    with pytest.raises(ValueError, match="3x2"):
        found.check(Whole(), 3, 2)


@pytest.mark.parametrize(
    ("member", "value", "sentence"),
    [
        ("edition", "2", "edition of the step Wrong is of the type int, not"),
        ("needs", ["tiles"], "needs of the step Wrong is a tuple of tiles, "),
        ("gives", ("tilse",), "gives of the step Wrong is a tuple of tiles, "),
        ("spoils", None, "spoils of the step Wrong is a tuple of tiles, "),
        ("reads", ("path",), "reads of the step Wrong is a tuple of file, not"),
        ("texts", "file", "texts of the step Wrong is a tuple of file, not 'file'"),
        ("forgets", 1, "forgets of the step Wrong is of the type bool, not"),
        ("check", True, "check of the step Wrong is a method, not"),
        ("digest", "0", "digest of the step Wrong is a property, not"),
    ],
)
def test_a_member_that_is_wrong_is_refused(member: str, value: Any, sentence: str) -> None:
    wrong: Any = type("Wrong", (Plain,), {member: value})
    with pytest.raises(TypeError) as caught:
        describe_step(wrong)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("name", STEPS)
def test_every_step_can_be_described(name: str) -> None:
    found = describe_step(STEPS[name])
    assert found.name == name
    assert found.edition >= 1
    assert found.digest(STEPS[name]()) == ""


def test_the_digest_of_files_is_found(tmp_path: Path) -> None:
    file = tmp_path / "doors.rules"
    file.write_text("one  #.# -> #+#")
    step = Rewrite(file=str(file))
    assert describe_step(Rewrite).reads == ("file",)
    assert describe_step(Rewrite).digest(step) == step.digest != ""
