"""Measures that are added to a batch: the files are as if they had been measured from the beginning."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from support.paths import ROOT
from undercroft.bulk.batch import extend_work, stored_levels
from undercroft.bulk.batch.batch import Batch
from undercroft.bulk.batch.request import OLD_LAYOUT, BatchRequest
from undercroft.bulk.batch.request_difference import is_extended
from undercroft.errors import BadInput

HERE: dict[str, Any] = {"workers": 1, "memory": None}
ASKED: dict[str, Any] = {"size": (31, 21), "chunk": 3, "until": "loops >= 2", "tries": 2}
FEW, MANY = ["density"], ["density", "linearity", "graph_loops", "solution_length"]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        f"{path.name}/{file.name}": file.read_bytes()
        for path in (folder, folder.with_name(f"{folder.name}.batch"))
        if path.is_dir()
        for file in path.iterdir()
    }


def renamed(found: dict[str, bytes]) -> dict[str, bytes]:
    return {name.partition("/")[2]: data for name, data in found.items()}


@pytest.mark.parametrize("form", ["parquet", "npz", "json", "tmx", "text:box"])
@pytest.mark.parametrize("layout", ["new", "old"])
def test_the_folder_is_as_if_all_had_been_measured_at_once(form: str, layout: str, tmp_path: Path) -> None:
    extra: dict[str, Any] = {"layout": OLD_LAYOUT} if layout == "old" else {}
    for name, measures in (("whole", MANY), ("out", FEW)):
        order = BatchRequest("rooms-and-mazes", 8, as_=form, measures=measures, **ASKED, **extra)
        list(Batch(order, tmp_path / name, **HERE))
    made = uc.batch("rooms-and-mazes", 8, tmp_path / "out", as_=form, measures=MANY, **ASKED, **HERE)
    assert (made.extended, made.made_count, made.found, made.done) == (8, 0, 0, 8)
    assert renamed(contents(tmp_path / "out")) == renamed(contents(tmp_path / "whole"))


def test_stored_levels_are_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uc.batch("cave", 6, tmp_path / "out", measures=FEW, **ASKED, **HERE)

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the levels are stored")

    monkeypatch.setattr(stored_levels, "run_request", refuse)
    uc.batch("cave", 6, tmp_path / "out", measures=MANY, **ASKED, **HERE)
    assert uc.open_batch(tmp_path / "out").finished


def test_an_interrupted_extension_goes_on(tmp_path: Path) -> None:
    for name, measures in (("whole", MANY), ("out", FEW)):
        uc.batch("cave", 9, tmp_path / name, measures=measures, **ASKED, **HERE)
    under_way = Batch(BatchRequest("cave", 9, measures=MANY, **ASKED), tmp_path / "out", **HERE)
    next(under_way)
    under_way.close()
    opened = uc.open_batch(tmp_path / "out")
    assert not opened.finished
    with pytest.raises(BadInput, match=r"seeds-3-5\.parquet is damaged\n  fix: run the batch again"):
        opened.column("linearity")
    assert len(opened.column("density")) == len(opened), "what was there can be read meanwhile"
    with pytest.raises(BadInput, match="holds another batch: measures is density, linearity"):
        uc.batch("cave", 9, tmp_path / "out", measures=FEW, **ASKED, **HERE)
    made = uc.batch("cave", 9, tmp_path / "out", measures=MANY, **ASKED, **HERE)
    assert (made.extended, made.found) == (6, 3)
    assert renamed(contents(tmp_path / "out")) == renamed(contents(tmp_path / "whole"))


def test_a_damaged_chunk_is_made_again_and_a_missing_one_too(tmp_path: Path) -> None:
    for name, measures in (("whole", MANY), ("out", FEW)):
        uc.batch("cave", 9, tmp_path / name, measures=measures, **ASKED, **HERE)
    torn = tmp_path / "out" / "seeds-0-2.parquet"
    torn.write_bytes(torn.read_bytes()[:-20])
    (tmp_path / "out" / "seeds-6-8.parquet").unlink()
    made = uc.batch("cave", 9, tmp_path / "out", measures=MANY, **ASKED, **HERE)
    assert (made.extended, made.made_count, made.damaged) == (3, 6, ["seeds-0-2.parquet"])
    assert renamed(contents(tmp_path / "out")) == renamed(contents(tmp_path / "whole"))


def test_an_opened_batch_takes_measures(tmp_path: Path) -> None:
    uc.batch("cave", 6, tmp_path / "out", as_="npz", **ASKED, **HERE)
    opened = uc.open_batch(tmp_path / "out")
    opened.add_measures("loops", "rooms", **HERE)
    assert opened.order.measures == ("loops", "rooms")
    found = [uc.measure(opened.level(seed), "loops")["loops"] for seed in opened.column("seed").tolist()]
    assert opened.column("loops").tolist() == found
    assert uc.open_batch(tmp_path / "out").column("loops").tolist() == found
    before = contents(tmp_path / "out")
    opened.add_measures("loops", **HERE)
    assert contents(tmp_path / "out") == before
    with pytest.raises(BadInput, match="unknown measure 'lops'"):
        opened.add_measures("lops", **HERE)


def test_workers_measure_alike(tmp_path: Path) -> None:
    for name in ("one", "two"):
        uc.batch("cave", 8, tmp_path / name, measures=FEW, as_="npz", **ASKED, **HERE)
    uc.batch("cave", 8, tmp_path / "one", measures=MANY, as_="npz", **ASKED, **HERE)
    uc.batch("cave", 8, tmp_path / "two", measures=MANY, as_="npz", workers=2, **ASKED)
    assert renamed(contents(tmp_path / "one")) == renamed(contents(tmp_path / "two"))


def test_a_level_that_comes_out_otherwise_is_not_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the old layout only the tiles are stored, so that the levels are made again."""
    folder = tmp_path / "old"
    shutil.copytree(ROOT / "tests" / "golden" / "batches" / "old-npz", folder)
    opened = uc.open_batch(folder)
    monkeypatch.setattr(
        stored_levels, "generate_level", lambda *_: uc.generate("rooms-and-mazes", seed=1, size=(21, 15))
    )
    shard = next(opened.shards(list(opened.names)))[1]
    with pytest.raises(BadInput, match="is generated differently now"):
        extend_work.measure_rows(opened.order, folder, shard, ["rooms"], lambda: False)


@pytest.mark.parametrize(
    ("there", "here", "is_so"),
    [
        ({"measures": ["a"]}, {"measures": ["a", "b"]}, True),
        ({"measures": []}, {"measures": ["a"]}, True),
        ({"measures": ["a"]}, {"measures": ["a"]}, False),
        ({"measures": ["a", "b"]}, {"measures": ["a"]}, False),
        ({"measures": ["a"], "count": 1}, {"measures": ["a", "b"], "count": 2}, False),
        ({"measures": 7}, {"measures": ["a"]}, False),
        ({}, {"measures": ["a"]}, False),
        (
            {"measures": ["a"], "measure_editions": {"a": 1}},
            {"measures": ["a", "b"], "measure_editions": {"a": 2, "b": 1}},
            False,
        ),
    ],
)
def test_what_an_extension_is(there: dict[str, Any], here: dict[str, Any], is_so: bool) -> None:
    assert is_extended(there, here) is is_so


def test_a_cluster_makes_the_chunks_again(tmp_path: Path) -> None:
    """Its workers need not see the folder. Nothing is said to be damaged."""
    for name, measures in (("whole", MANY), ("out", FEW)):
        uc.batch("cave", 6, tmp_path / name, measures=measures, **ASKED, **HERE)
    again = Batch(BatchRequest("cave", 6, measures=MANY, **ASKED), tmp_path / "out", **HERE)
    again._extender = None
    list(again)
    assert (again.made_count, again.damaged) == (6, [])
    assert renamed(contents(tmp_path / "out")) == renamed(contents(tmp_path / "whole"))
