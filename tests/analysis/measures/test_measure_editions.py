"""A measure gives the numbers it gave, or has a new edition."""

from __future__ import annotations

import pytest

from support.digests import load_records
from support.measure_values import fault, records
from undercroft.analysis.measures.table import MEASURES, measure_editions


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_gives_what_it_gave(name: str) -> None:
    assert fault(name, load_records("measures.json").get(name), records()[name]) == ""


def test_every_measure_is_in_the_books_and_varies_there() -> None:
    stored = load_records("measures.json")
    assert stored.keys() == MEASURES.keys()
    for name, record in stored.items():
        assert len({str(value) for value in record["values"]}) > 1, f"{name} is the same on all maps"


def test_another_number_without_a_new_edition_is_a_fault() -> None:
    before = {"edition": 1, "values": [1, 2, None]}
    assert fault("loops", before, dict(before)) == ""
    assert "(1 of 3 differ), and its edition is the same" in fault("loops", before, before | {"values": [1, 3, None]})
    assert "another edition (1, now 2): run 'make golden'" in fault("loops", before, before | {"edition": 2})
    assert "no values of loops" in fault("loops", None, before)


def test_editions_of_some_measures() -> None:
    assert measure_editions(["rooms", "branching"]) == {"rooms": 1, "branching": 2}
