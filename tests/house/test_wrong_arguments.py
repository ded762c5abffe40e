"""Every public function refuses values of wrong types in a sentence with a fix: the table is in the support module."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import undercroft as uc
from support.wrong_arguments import CALLS, WRONG
from undercroft.errors import UndercroftError

WITHOUT_ARGUMENTS = {"Region", "Door", "Link", "Solution", "Result", "Place", "Floor", "Stairs"} | {
    *("FlowRoom", "FlowLink", "FlowThing", "FlowApart"),
}
"""Plain records: whatever takes them checks them."""


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_value_is_refused_in_a_sentence(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for value in WRONG:
        refusal: UndercroftError | None = None
        try:
            CALLS[name](value)
        except UndercroftError as error:
            refusal = error
        if refusal is not None:
            assert refusal.problem.strip(), f"{name} of a {type(value).__name__}"
            assert refusal.fix.strip(), f"{name} of a {type(value).__name__}: {refusal.problem}"


def test_the_table_has_every_public_name() -> None:
    called = " ".join(CALLS)
    for name in uc.__all__:
        part = getattr(uc, name)
        is_error = inspect.isclass(part) and issubclass(part, Exception)
        if callable(part) and not is_error and name not in WITHOUT_ARGUMENTS:
            assert name in called, name
