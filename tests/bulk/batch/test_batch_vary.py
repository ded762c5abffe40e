"""Parameters that vary within a batch: every seed with every combination, and the values as columns."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import undercroft as uc
from undercroft.bulk.batch.request import BatchRequest
from undercroft.errors import BadInput, TooBig
from undercroft.recipe.variation import Variation

HERE: dict[str, Any] = {"workers": 1, "memory": None}
VARY: dict[str, Any] = {"nrepeats": [3, 5, 8], "fill_prob": (0.4, 0.5), "connect": ["largest", "nearest"]}
ASKED: dict[str, Any] = {"size": (24, 14), "measures": ["loops"], "vary": VARY}
COMBINATIONS = 6


@pytest.mark.parametrize("form", ["parquet", "npz", "text"])
def test_every_seed_is_made_with_every_combination(form: str, tmp_path: Path) -> None:
    made = uc.batch("cave", 7, tmp_path / "out", as_=form, chunk=2, **ASKED, **HERE)
    assert (made.total, made.done, made.levels) == (42, 42, 42)
    opened = uc.open_batch(tmp_path / "out")
    vary = Variation(uc.Recipe.load("cave"), VARY)
    rows = list(opened.rows("seed", "nrepeats", "fill_prob", "connect", "loops"))
    for row, level, (seed, combination) in zip(rows, opened, product(range(7), range(COMBINATIONS)), strict=True):
        values = vary.values(seed, combination)
        assert row == {"seed": seed, **values, "loops": row["loops"]}
        wanted = uc.generate("cave", seed=seed, size=(24, 14), params=values)
        assert np.array_equal(level.tiles, wanted.tiles)
        assert opened.level(seed, combination) == wanted
        assert row["loops"] == uc.measure(wanted, "loops")["loops"]
        if form != "text":
            assert level.provenance == wanted.provenance
    if form == "text":
        assert (tmp_path / "out" / "6-5.txt").read_text() == f"{opened.level(6, 5)}\n"
    again = uc.batch("cave", 7, tmp_path / "out", as_=form, chunk=2, **ASKED, **HERE)
    assert (again.found, again.made_count) == (42, 0)


def test_columns_have_the_types_of_the_parameters(tmp_path: Path) -> None:
    uc.batch("cave", 2, tmp_path / "out", **ASKED, **HERE)
    schema = pl.read_parquet(tmp_path / "out").schema
    assert [schema[name] for name in ("nrepeats", "fill_prob", "connect")] == [pl.Int64, pl.Float64, pl.String]
    assert list(schema)[:4] == ["seed", "nrepeats", "fill_prob", "connect"]


def test_workers_and_interruptions_change_nothing(tmp_path: Path) -> None:
    uc.batch("cave", 6, tmp_path / "one", as_="npz", chunk=2, **ASKED, **HERE)
    uc.batch("cave", 6, tmp_path / "two", as_="npz", chunk=2, workers=2, **ASKED)
    found = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()} == found
    (tmp_path / "two" / "seeds-2-3.npz").unlink()
    uc.batch("cave", 6, tmp_path / "two", as_="npz", chunk=2, **ASKED, **HERE)
    assert {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()} == found


def test_a_report_names_the_combinations(tmp_path: Path) -> None:
    uc.batch("cave", 5, tmp_path / "out", **ASKED, **HERE)
    opened = uc.open_batch(tmp_path / "out")
    report = opened.report()
    loops = opened.column("loops")
    greatest = report.measures["loops"].greatest
    assert greatest is not None
    assert divmod(int(loops.argmax()), COMBINATIONS) == (greatest.seed, greatest.combination)
    assert f"seed {greatest.seed}-{greatest.combination}" in report.text()
    assert report.data()["measures"]["loops"]["greatest_seed"] == f"{greatest.seed}-{greatest.combination}"
    assert "--vary fill_prob=0.4..0.5 --vary nrepeats=3,5,8 --vary connect=largest,nearest" in report.page()
    assert report.is_complete


def test_a_measure_can_be_added_where_parameters_vary(tmp_path: Path) -> None:
    uc.batch("cave", 4, tmp_path / "out", as_="npz", **ASKED, **HERE)
    uc.batch("cave", 4, tmp_path / "whole", as_="npz", **{**ASKED, "measures": ["loops", "rooms"]}, **HERE)
    uc.open_batch(tmp_path / "out").add_measures("rooms", **HERE)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()
    }


def test_a_parameter_may_have_the_name_of_a_measure(tmp_path: Path) -> None:
    recipe = uc.Recipe.parse(
        'size = [20, 12]\n[param.density]\ndefault = 0.4\nrange = [0, 1]\n[[step]]\nuse = "noise"\nwall = "$density"\n',
        "odd.toml",
    )
    uc.batch(recipe, 2, tmp_path / "out", vary={"density": [0.2, 0.7]}, measures=["density"], **HERE)
    table = pl.read_parquet(tmp_path / "out")
    assert table["parameter density"].to_list() == [0.2, 0.7, 0.2, 0.7]
    assert table["density"].to_list() != table["parameter density"].to_list()


def test_a_request_that_varies_travels() -> None:
    order = BatchRequest("cave", 9, **ASKED)
    again = BatchRequest.from_setup(json.loads(json.dumps(order.setup())))
    assert (again.data, again.digest) == (order.data, order.digest)
    assert again.request_for(3, 4).values == order.request_for(3, 4).values
    assert order.rows_per_chunk == order.chunk * COMBINATIONS


@pytest.mark.parametrize(
    ("wrong", "kind", "sentence"),
    [
        ({"vary": {"nrepeets": [3]}}, BadInput, "unknown parameter of cave 'nrepeets'"),
        ({"vary": {"nrepeats": []}}, BadInput, "nrepeats varies over a list of values"),
        ({"vary": {"nrepeats": [3]}, "params": {"nrepeats": 4}}, BadInput, "nrepeats is set, and varies"),
        ({"vary": {"nrepeats": [-3]}}, BadInput, "nrepeats"),
        ({"vary": {"fill_prob": [share / 2000 for share in range(1000)]}, "chunk": 10**4}, TooBig, "in a chunk of"),
    ],
)
def test_mistakes(wrong: dict[str, Any], kind: type[Exception], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(kind, match=sentence):
        uc.batch("cave", 4, tmp_path / "out", **wrong, **HERE)
    assert not (tmp_path / "out").exists()


def test_rows_that_are_not_there(tmp_path: Path) -> None:
    uc.batch("cave", 2, tmp_path / "out", **ASKED, **HERE)
    opened = uc.open_batch(tmp_path / "out")
    with pytest.raises(BadInput, match=r"no combination 6 in .*\n  fix: its combinations are 0 to 5"):
        opened.level(1, 6)
    with pytest.raises(BadInput, match="the seed 2 is not in"):
        opened.level(2)
