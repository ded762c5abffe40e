"""A batch: what is asked, what stands in its files, and that it comes out the same whoever makes it."""

from __future__ import annotations

import json
import os
import shutil
import sys
import zlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

import undercroft as uc
from support.paths import ROOT
from undercroft.bulk.batch import batch_work, columns, level_files
from undercroft.bulk.batch import request as order_module
from undercroft.bulk.batch.batch import Batch
from undercroft.bulk.batch.chunks import Chunk, levels_in_chunk, split_into_chunks
from undercroft.bulk.batch.directory import BatchDirectory
from undercroft.bulk.batch.request import BatchRequest
from undercroft.bulk.batch.request_difference import describe_difference
from undercroft.core.rng import MASK64
from undercroft.errors import BadInput, FileTrouble, TooBig
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.outcome import Outcome
from undercroft.recipe.request import Request
from undercroft.recipe.run import run_request

MEASURES = ["density", "path_length", "loops"]
CAVES: dict[str, Any] = {"size": (40, 20), "measures": MEASURES, "chunk": 8}
HERE: dict[str, Any] = {"workers": 1, "memory": None}
"""In this process: the same work, and no wait for a worker."""

EXAMPLES = ROOT / "examples"
CHANCY = """
size = [24, 12]
[[step]]
use = "noise"
wall = 0.45
[[step]]
use = "automaton"
rounds = 3
[require]
loops = "loops <= 2"
"""
CHESTS = """
size = [20, 12]
[[step]]
use = "noise"
wall = 0.3
[[step]]
use = "rewrite"
rules = '''
tile chest = $, pillar, colour #ffd75f
one  .... -> .$..
'''
"""


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def levels(count: int = 20) -> list[uc.Level]:
    return [uc.generate("cave", seed, (40, 20)) for seed in range(count)]


def number(level: uc.Level, name: str) -> float:
    found = uc.measure(level, name)[name]
    assert found is not None
    return found


def test_chunks_hold_every_seed_once() -> None:
    for first, count, size in ((0, 1, 1), (0, 10, 3), (7, 12, 12), (MASK64 - 4, 5, 2), (5, 1, 100)):
        chunks = list(split_into_chunks(first, count, size))
        assert [seed for chunk in chunks for seed in chunk.seeds] == list(range(first, first + count))
        assert all(chunk.length == size for chunk in chunks[:-1])
        assert chunks[-1].last == first + count - 1


def test_chunks_are_round_and_neither_tiny_nor_huge() -> None:
    for cells in (1, 9, 800, 1800, 4000, 62_500, 1 << 20, 1 << 24, 1 << 29):
        for count in (1, 100, 10_000, 1 << 40):
            for alone in (False, True):
                size = levels_in_chunk(count, cells, alone=alone)
                assert 1 <= size <= 10_000
                assert str(size).rstrip("0") in ("1", "2", "5")
                assert size == 1 or size * cells <= 4_000_000


@pytest.mark.parametrize("form", ["parquet", "npz", "json"])
def test_any_number_of_workers_gives_the_same_folder(form: str, tmp_path: Path) -> None:
    runs: dict[str, dict[str, Any]] = {"here": HERE, "two": {"workers": 2}} | (
        {"one": {"workers": 1}, "four": {"workers": 4}} if form == "parquet" else {}
    )
    for name, options in runs.items():
        made = uc.batch("cave", 43, tmp_path / name, as_=form, first=95, **CAVES, **options)
        assert (made.levels, made.done, made.found, made.made_count, made.poisoned) == (43, 43, 0, 43, [])
    first = contents(tmp_path / "here")
    assert all(contents(tmp_path / name) == first for name in runs)
    assert {name for name in first if name.startswith("seeds")} == {
        f"seeds-{start:03}-{min(start + 7, 137):03}.{form if form in ('parquet', 'npz') else 'json'}"
        for start in range(95, 138, 8)
    }


def test_chunks_that_come_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uc.batch("cave", 43, tmp_path / "straight", as_="npz", **CAVES, **HERE)

    class Backwards:
        def __init__(self, order: BatchRequest) -> None:
            self.work = batch_work.prepare(json.loads(json.dumps(order.setup())))

        def run(self, tasks: Any) -> Any:
            from undercroft.bulk.workers.in_process import TaskResult

            for task in reversed(list(tasks)):
                yield TaskResult(task, self.work(task, lambda: False), 0.0)

    order = BatchRequest("cave", 43, as_="npz", **CAVES)
    monkeypatch.setattr(Batch, "_choose_engine", lambda self, *_: Backwards(self.order))
    seen = [done.chunk.first for done in Batch(order, tmp_path / "backwards")]
    assert seen == [40, 32, 24, 16, 8, 0]
    assert contents(tmp_path / "backwards") == contents(tmp_path / "straight")


def test_parquet_is_read_without_this_package(tmp_path: Path) -> None:
    uc.batch("cave", 20, tmp_path, **CAVES, **HERE)
    wanted = levels()
    files = str(tmp_path / "*.parquet")
    in_polars = pl.read_parquet(files).to_dicts()
    in_pandas = pd.concat([pd.read_parquet(path) for path in sorted(tmp_path.glob("*.parquet"))]).to_dict("records")
    in_arrow = pyarrow.dataset.dataset(sorted(map(str, tmp_path.glob("*.parquet")))).to_table().to_pylist()
    assert pl.read_parquet(files).describe().height > 5
    for rows in (in_polars, in_pandas, in_arrow):
        assert [row["seed"] for row in rows] == list(range(20))
        for row, level in zip(rows, wanted, strict=True):
            assert (row["attempt"], row["width"], row["height"]) == (level.provenance["attempt"], 40, 20)
            assert np.array_equal(
                np.frombuffer(row["tiles"], np.uint8).reshape(row["height"], row["width"]), level.tiles
            )
            assert (row["start_x"], row["start_y"]) == level.start
            assert (row["end_x"], row["end_y"]) == level.end
            assert {name: row[name] for name in MEASURES} == uc.measure(level, *MEASURES)
            assert row["components == 1"]
            assert row["problem"] is None or pd.isna(row["problem"])
    schema = pq.read_schema(tmp_path / "seeds-00-07.parquet")
    kinds = {name: str(schema.field(name).type) for name in schema.names}
    assert (kinds["seed"], kinds["tiles"], kinds["loops"], kinds["density"], kinds["components == 1"]) == (
        "uint64",
        "binary",
        "int64",
        "double",
        "bool",
    )
    told = json.loads(schema.metadata[b"undercroft"])
    assert told["recipe"]["text"] == uc.Recipe.load("cave").source[0]
    assert (told["version"], told["size"], told["measures"], told["seeds"]) == (
        uc.__version__,
        [40, 20],
        MEASURES,
        ["0", "7"],
    )
    assert [tile["glyph"] for tile in told["palettes"]["standard"]["tiles"]] == [
        tile.glyph for tile in uc.STANDARD.tiles
    ]


def test_hugging_face_reads_it(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="the package datasets is not installed")
    uc.batch("cave", 20, tmp_path / "caves", **CAVES, **HERE)
    rows = datasets.load_dataset(
        "parquet", data_files=str(tmp_path / "caves" / "*.parquet"), cache_dir=str(tmp_path / "cache")
    )["train"]
    assert len(rows) == 20
    assert rows[3]["tiles"] == levels(4)[3].tiles.tobytes()


def test_npz_is_read_without_this_package(tmp_path: Path) -> None:
    uc.batch("cave", 20, tmp_path, as_="npz", **CAVES, **HERE)
    wanted = levels()
    with np.load(tmp_path / "seeds-08-15.npz") as file:
        assert file["seed"].dtype == np.uint64
        assert file["seed"].tolist() == list(range(8, 16))
        assert np.array_equal(file["tiles"], np.stack([level.tiles for level in wanted[8:16]]))
        assert file["loops"].tolist() == [uc.measure(level, "loops")["loops"] for level in wanted[8:16]]
        assert json.loads(file["undercroft"].tobytes())["seeds"] == ["8", "15"]


@pytest.mark.parametrize("form", ["json", "tmx", "text:box", "png:tiles", "godot", "csv"])
def test_any_format_makes_one_file_a_level(form: str, tmp_path: Path) -> None:
    from undercroft import formats

    options = {"cell": 2} if form == "png:tiles" else {}
    uc.batch("cave", 5, tmp_path, as_=form, options=options, size=(20, 10), chunk=2, **HERE)
    for seed in range(5):
        alone = tmp_path.parent / f"{tmp_path.name}-alone-{seed}"
        alone.mkdir()
        suffix = (formats.FORMATS[form].suffixes or formats.FORMATS[form.partition(":")[0]].suffixes)[0]
        uc.generate("cave", seed, (20, 10)).save(alone / f"{seed}{suffix}", form, **options)
        assert contents(alone).items() <= contents(tmp_path).items()
    assert sum(name.startswith("seeds-") for name in contents(tmp_path)) == 3


@pytest.mark.parametrize(
    ("form", "options"), [("csv", {}), ("text", {}), ("xp", {}), ("png:tiles", {"cell": 3}), ("tmj", {})]
)
def test_level_files_are_read_as_they_were_written(form: str, options: dict[str, Any], tmp_path: Path) -> None:
    """With tiles of their own, and with what the format was told."""
    (tmp_path / "chests.toml").write_text(CHESTS)
    uc.batch(tmp_path / "chests.toml", 3, tmp_path / "out", as_=form, options=options, **HERE)
    for seed, level in enumerate(uc.open_batch(tmp_path / "out")):
        wanted = uc.generate(tmp_path / "chests.toml", seed)
        assert "chest" in [tile.name for tile in wanted.palette.tiles]
        assert np.array_equal(level.tiles, wanted.tiles)
        assert level.palette == wanted.palette


@pytest.mark.parametrize("form", ["json:rooms", "godot:rooms"])
def test_formats_that_take_only_some_levels(form: str, tmp_path: Path) -> None:
    assert uc.batch("isaac", 3, tmp_path / "grids", params={"expand": False}, as_=form, **HERE).levels == 3
    with pytest.raises(BadInput, match="this level is no room grid"):
        uc.batch("bsp", 3, tmp_path / "rooms", as_=form, **HERE)
    assert not (tmp_path / "rooms").exists()


def test_columns_are_of_one_kind_also_where_chunks_are_empty(tmp_path: Path) -> None:
    (tmp_path / "chancy.toml").write_text(CHANCY)
    uc.batch(tmp_path / "chancy.toml", 12, tmp_path / "out", tries=1, chunk=1, as_="npz", **HERE)
    opened = uc.open_batch(tmp_path / "out")
    assert 0 < len(opened) < 12
    assert opened.column("loops <= 2").dtype == bool
    assert opened.column("attempt").dtype == np.int64
    assert opened.column("seed").tolist() == [
        row["seed"] for row in opened.rows("seed", "problem") if row["problem"] is None
    ]


@pytest.mark.parametrize("form", ["text:box", "svg", "dot", "godot"])
def test_levels_of_files_that_nobody_can_read_are_made_again(form: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"size": (30, 16), "until": ["loops >= 3"], "tries": 3, "pick": "first"}
    uc.batch("cave", 7, tmp_path, as_=form, chunk=3, **asked, **HERE)
    opened = uc.open_batch(tmp_path)
    found = list(opened)
    assert len(found) == len(opened) > 0
    for row, level in zip([row for row in opened.rows() if row["problem"] is None], found, strict=True):
        assert level == opened.level(row["seed"])
        assert level.provenance["attempt"] == row["attempt"]
    assert any(opened.column("attempt")), "this test is about later attempts too"


def test_opening_gives_the_levels_one_after_the_other(tmp_path: Path) -> None:
    for form in ("parquet", "npz", "json"):
        uc.batch("cave", 20, tmp_path / form, as_=form, **CAVES, **HERE)
        opened = uc.open_batch(tmp_path / form)
        assert opened.finished
        assert len(opened) == 20
        for level, wanted in zip(opened, levels(), strict=True):
            assert np.array_equal(level.tiles, wanted.tiles)
            assert (level.palette, level.start, level.end, level.provenance) == (
                wanted.palette,
                wanted.start,
                wanted.end,
                wanted.provenance,
            )
            assert opened.level(wanted.provenance["seed"]) == wanted
        assert opened.column("loops").tolist() == [uc.measure(level, "loops")["loops"] for level in levels()]
        rows = list(opened.rows("seed", "density"))
        assert rows[19] == {"seed": 19, "density": uc.measure(levels()[19], "density")["density"]}
        assert all(row.keys() == set(opened.names) for row in opened.rows())
        assert opened.column("components == 1").all()


def test_opening_reads_a_file_at_a_time(tmp_path: Path) -> None:
    uc.batch("cave", 20, tmp_path, as_="npz", **CAVES, **HERE)
    (tmp_path / "seeds-08-15.npz").write_bytes(b"nothing")
    opened = iter(uc.open_batch(tmp_path))
    assert [next(opened).provenance["seed"] for _ in range(8)] == [str(seed) for seed in range(8)]
    with pytest.raises(BadInput, match=r"seeds-08-15\.npz is damaged\n  fix: run the batch again"):
        next(opened)
    (tmp_path / "seeds-08-15.npz").unlink()
    (tmp_path / "manifest.json").unlink()
    part = uc.open_batch(tmp_path)
    assert not part.finished
    assert len(part) == 12
    with pytest.raises(BadInput, match="the seed 9 is not made yet"):
        part.level(9)


def test_a_level_that_comes_out_otherwise_is_noticed(tmp_path: Path) -> None:
    uc.batch("cave", 8, tmp_path, as_="npz", **CAVES, **HERE)
    opened = uc.open_batch(tmp_path)
    opened.order.request = Request(uc.Recipe.parse(CHANCY, "cave.toml"), size=(40, 20))
    with pytest.raises(BadInput, match="the level of seed 3 is generated differently now"):
        opened.level(3)


@pytest.mark.parametrize("form", ["parquet", "npz", "json"])
def test_seeds_without_a_level_have_a_row(form: str, tmp_path: Path) -> None:
    recipe = uc.Recipe.parse(CHANCY, "chancy.toml")
    made = uc.batch(
        recipe,
        40,
        tmp_path,
        tries=2,
        until="density >= 0.32",
        measures=["loops", "path_length"],
        as_=form,
        chunk=16,
        **HERE,
    )
    wanted: list[uc.Result | uc.NotMet] = []
    for seed in range(40):
        try:
            wanted.append(recipe.generate(seed=seed, tries=2, until="density >= 0.32"))
        except uc.NotMet as error:
            wanted.append(error)
    there = [one for one in wanted if not isinstance(one, uc.NotMet)]
    assert 0 < len(there) < 40, "this test is about both"
    assert made.levels == len(there) == len(uc.open_batch(tmp_path))
    assert made.problems == {"no try is as required": 40 - len(there)}
    texts = ("loops <= 2", "density >= 0.32")
    assert made.rejected == {text: sum(one.rejected.get(text, 0) for one in wanted) for text in texts}
    assert uc.open_batch(tmp_path).count.data() == made.count.data()
    for row, one in zip(uc.open_batch(tmp_path).rows(), wanted, strict=True):
        assert [row[f"rejected: {text}"] for text in texts] == [one.rejected.get(text, 0) for text in texts]
        if isinstance(one, uc.NotMet):
            assert row["problem"] == "no try is as required"
            assert [row[name] for name in row if not name.startswith(("rejected", "seed", "gave_up", "problem"))].count(
                None
            ) == len(row) - 5
        else:
            assert (row["problem"], row["attempt"], row["loops <= 2"], row["path_length"]) == (
                None,
                one.attempt,
                True,
                None,
            )


def test_the_nearest_is_taken_if_asked_for(tmp_path: Path) -> None:
    recipe = uc.Recipe.parse(CHANCY, "chancy.toml")
    made = uc.batch(recipe, 30, tmp_path, tries=2, until="density >= 0.32", pick="best", as_="npz", **HERE)
    assert made.levels == 30
    for seed, row in enumerate(uc.open_batch(tmp_path).rows()):
        result = recipe.generate(seed=seed, tries=2, until="density >= 0.32", pick="best")
        assert (row["attempt"], row["tiles"]) == (result.attempt, result.level.tiles.tobytes())
        assert row["density >= 0.32"] == (number(result.level, "density") >= 0.32)
        assert row["loops <= 2"] == (number(result.level, "loops") <= 2)
    assert not uc.open_batch(tmp_path).column("density >= 0.32").all()


@pytest.mark.parametrize("max_steps", [8_000, 10_000, 20_000])
@pytest.mark.parametrize("until", ["", "diameter <= 3"])
def test_measures_have_a_budget_of_their_own(max_steps: int, until: str, tmp_path: Path) -> None:
    """A level that was made in few steps is measured as any other; and what is dear to measure leaves as much for the
    rest.
    """
    names = ["diameter", "longest_path", "choke_points", "loops", "path_length"]
    uc.batch(
        "cave",
        6,
        tmp_path,
        size=(40, 24),
        max_steps=max_steps,
        measures=names,
        until=until or (),
        pick="best",
        tries=2,
        as_="npz",
        **HERE,
    )
    for row in uc.open_batch(tmp_path).rows():
        if row["problem"] is None:
            level = uc.generate("cave", int(row["seed"]), (40, 24), attempt=row["attempt"])
            assert {name: row[name] for name in names} == uc.measure(level, *names)
            assert not until or row[until] is False


def test_steps_that_give_up_are_counted(tmp_path: Path) -> None:
    text = (EXAMPLES / "locked-keep.toml").read_text()
    recipe = uc.Recipe.parse(text.replace('use = "locks"', 'use = "locks"\nexact = true'), "exact.toml")
    made = uc.batch(recipe, 12, tmp_path, tries=3, as_="npz", chunk=5, size=(40, 25), **HERE)
    assert made.gave_up > 0, "this test is about some"
    rows = list(uc.open_batch(tmp_path).rows("gave_up", "attempt", "problem"))
    assert made.gave_up == sum(row["gave_up"] for row in rows)
    for seed, row in enumerate(rows):
        gave_up = 0
        for attempt in range(3 if row["problem"] else row["attempt"] + 1):
            try:
                uc.generate(recipe, seed, (40, 25), attempt=attempt)
            except uc.NotMet:
                gave_up += 1
        assert row["gave_up"] == gave_up


def test_a_seed_that_fails_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def fails(request: Request, **hooks: Any) -> Outcome:
        if request.seed == 3:
            raise IndexError("out of luck")
        if request.seed == 5:
            return Outcome(None, uc.OutOfBudget("too long"))
        if request.seed == 6:
            raise BadInput("no such seed\nmore", fix="another")
        return run_request(request, **hooks)

    monkeypatch.setattr(batch_work, "run_request", fails)
    made = uc.batch("cave", 8, tmp_path, as_="npz", **CAVES, **HERE)
    assert made.levels == 5
    assert made.problems == {"failed: IndexError: out of luck": 1, "took too many steps": 1, "no such seed": 1}


def test_a_level_that_its_format_refuses_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = level_files.encode_level

    def refuses(order: BatchRequest, level: uc.Level, seed: int, combination: int = 0) -> dict[str, bytes]:
        if seed == 3:
            raise BadInput("too many corners for this\nformat", fix="fewer")
        return written(order, level, seed, combination)

    monkeypatch.setattr(level_files, "encode_level", refuses)
    made = uc.batch("cave", 6, tmp_path / "some", as_="tmx", **CAVES, **HERE)
    assert (made.levels, made.problems) == (5, {"too many corners for this": 1})
    assert [path.name for path in sorted((tmp_path / "some").glob("*.tmx"))] == [
        f"{seed}.tmx" for seed in (0, 1, 2, 4, 5)
    ]
    assert [level.provenance["seed"] for level in uc.open_batch(tmp_path / "some")] == ["0", "1", "2", "4", "5"]


def test_levels_of_other_palettes_and_sizes(tmp_path: Path) -> None:
    """Room grids have a palette of their own."""
    made = uc.batch("isaac", 6, tmp_path, as_="npz", chunk=4, **HERE)
    assert made.levels == 6
    for seed, level in enumerate(uc.open_batch(tmp_path)):
        wanted = uc.generate("isaac", seed)
        assert level.palette == wanted.palette
        assert np.array_equal(level.tiles, wanted.tiles)
    names = set(uc.open_batch(tmp_path).column("palette").tolist())
    assert len(names) == 1
    assert names == {columns.palette_name(uc.generate("isaac", 0).palette)}


def test_levels_that_differ_in_size_and_palette_in_one_file(tmp_path: Path) -> None:
    """No recipe gives such levels today; files could hold them."""
    three = uc.Palette(uc.STANDARD.tiles[:3], "three")
    order = BatchRequest("cave", 4, as_="npz", **CAVES)
    for form in ("npz", "parquet"):
        order.form = form
        from undercroft.bulk.batch.storage import resolve_form

        shard = columns.Shard.empty(order)
        for seed, (tiles, palette) in enumerate(
            ((b"\1\2", uc.STANDARD), (None, None), (b"\0" * 6, three), (b"\2", uc.STANDARD))
        ):
            known: dict[str, Any] = {
                "seed": seed,
                "gave_up": 0,
                "rejected: components == 1": 0,
                "problem": None if tiles else "none",
                "tiles": tiles,
            }
            known |= (
                {
                    "attempt": 0,
                    "width": len(tiles),
                    "height": 1,
                    "palette": shard.add_palette(palette),
                    "labels": bytes(4 * len(tiles)),
                    "regions": [],
                    "door_cells": [(0, 0, 1, 2, "open")] * seed,
                    "links": [(1, 2, "door", -1, False)],
                    "things": [("rat", 0, 0, '{"name":"Tom"}')],
                }
                if tiles and palette
                else {}
            )
            for name, values in shard.rows.items():
                values.append(known.get(name))
        chunk = Chunk(0, 4)
        ((name, data),) = resolve_form(order).encode_chunk(order, chunk, shard)
        (tmp_path / name).write_bytes(data)
        assert resolve_form(order).read_chunk(tmp_path / name, order) == shard
        assert columns.read_palettes(shard.palettes, name) == {
            "standard": uc.STANDARD,
            columns.palette_name(three): three,
        }


def test_seconds_are_told_for_every_step(tmp_path: Path) -> None:
    made = uc.batch("cave", 10, tmp_path, as_="npz", workers=2, **CAVES)
    assert made.seconds.keys() == {
        *(plan.id for plan in uc.Recipe.load("cave").plans),
        "requirements",
        "measures",
        "files",
    }
    assert all(seconds > 0 for seconds in made.seconds.values())
    assert made.elapsed > 0
    assert made.rate == pytest.approx(10 / made.elapsed)


MISTAKES: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"count": 0}, BadInput, "the count is a whole number of levels from 1, not 0"),
    ({"count": 1.5}, BadInput, "the count is a whole number"),
    ({"count": True}, BadInput, "the count is a whole number"),
    ({"first": -1}, BadInput, "a seed is a whole number from 0"),
    ({"first": MASK64, "count": 2}, BadInput, "there are no 2 seeds from 18446744073709551615 on"),
    ({"measures": ["lops"]}, BadInput, "unknown measure 'lops'\n  fix: did you mean 'loops'"),
    ({"measures": "loops"}, BadInput, "measures are a list of names"),
    ({"until": "loops >>"}, BadInput, "is not a requirement"),
    ({"until": ["loops > 3", "loops < 2"]}, BadInput, "no level can be both"),
    ({"as_": "parkett"}, BadInput, "unknown form 'parkett'\n  fix: did you mean 'parquet'"),
    (
        {"as_": "png", "options": {"stile": "ink"}},
        BadInput,
        "unknown option of png 'stile'\n  fix: did you mean 'style'",
    ),
    ({"as_": "png", "options": {"style": "inc"}}, BadInput, "unknown style 'inc'"),
    ({"as_": "parquet", "options": {"cell": 2}}, BadInput, "unknown option of parquet 'cell'"),
    ({"chunk": 0}, BadInput, "a chunk is a whole number of levels from 1, not 0"),
    (
        {"count": 10**13},
        TooBig,
        (
            r"the number of chunks of 2,000 levels is 5,000,000,000; the limit is 1,000,000 .*\n  fix: ask for larger "
            r"chunks"
        ),
    ),
    ({"max_steps": 0}, BadInput, "max_steps is a whole number from 1, not 0"),
    ({"max_steps": "many"}, BadInput, "max_steps is a whole number from 1, not 'many'"),
    ({"shared": True}, BadInput, "a folder is shared with a cluster, and none is named"),
    ({"dask": "127.0.0.1:1", "workers": 2}, BadInput, "the workers of a cluster are its own business"),
    ({"dask": "127.0.0.1:1", "seconds": 2}, BadInput, "the workers of a cluster are its own business"),
    ({"chunk": 10**6}, TooBig, r"the number of cells in a chunk of 1,000,000 levels is 1,800,000,000; the limit is"),
    ({"size": (1 << 13, 1 << 13)}, TooBig, "the limit is 16,777,216"),
    ({"tries": 0}, BadInput, "tries is a whole number from 1"),
    ({"pick": "worst"}, BadInput, "unknown pick 'worst'"),
    ({"params": {"fil_prob": 0.4}}, BadInput, "unknown parameter of cave 'fil_prob'"),
    ({"recipe": "cavve"}, BadInput, "unknown recipe 'cavve'"),
    ({"workers": 0}, BadInput, "workers is a whole number from 1"),
    ({"memory": 0}, BadInput, "memory is a number of bytes"),
    ({"seconds": 0}, BadInput, "the time of a chunk is a number of seconds above 0"),
]


@pytest.mark.parametrize(("wrong", "kind", "sentence"), MISTAKES)
def test_mistakes_are_told_before_anything_is_made(
    wrong: dict[str, Any], kind: type[Exception], sentence: str, tmp_path: Path
) -> None:
    asked = {"recipe": "cave", "count": 10, "out": tmp_path / "out", **wrong}
    with pytest.raises(kind, match=sentence):
        uc.batch(**asked)
    assert not (tmp_path / "out").exists()


def test_a_recipe_that_begins_with_a_map_is_refused(tmp_path: Path) -> None:
    recipe = uc.Recipe.parse('begins = ["tiles"]\n[[step]]\nuse = "automaton"', "later.toml")
    with pytest.raises(BadInput, match="later needs a map to begin with"):
        uc.batch(recipe, 10, tmp_path / "out")


def test_formats_that_are_only_read_are_refused(tmp_path: Path) -> None:
    from undercroft import formats

    name = next(name for name, row in formats.FORMATS.items() if row.dump is None)
    with pytest.raises(BadInput, match="can only be read"):
        uc.batch("cave", 10, tmp_path / "out", as_=name)


def test_without_pyarrow_npz_is_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        BadInput, match=r"pyarrow, and it is not installed\n  fix: pip install 'undercroft\[batch\]', or ask for npz"
    ):
        uc.batch("cave", 10, tmp_path / "out")
    assert uc.batch("cave", 10, tmp_path / "out", as_="npz", **CAVES, **HERE).levels == 10


def test_an_order_travels(tmp_path: Path) -> None:
    order = BatchRequest("cave", 43, as_="npz", until="loops >= 1", **CAVES)
    again = BatchRequest.from_setup(json.loads(json.dumps(order.setup())))
    assert (again.data, again.digest) == (order.data, order.digest)
    assert str(tmp_path) not in json.dumps(order.data)
    assert "/" not in order.data["recipe"]["file"]
    for wrong, sentence in (({"version": "0.0.1"}, "a worker has Undercroft"), ({"editions": {"noise": 99}}, None)):
        setup = order.setup()
        setup["order"] = {**setup["order"], **wrong}
        if sentence:
            with pytest.raises(BadInput, match=sentence):
                BatchRequest.from_setup(setup)
    with pytest.raises(BadInput, match="a worker would make other levels"):
        BatchRequest.from_setup({**order.setup(), "digest": "0" * 32})


@pytest.mark.parametrize("recipe", ["cave", "grammar", "diablo2"])
def test_an_order_travels_to_where_undercroft_lies_elsewhere(recipe: str) -> None:
    setup = BatchRequest(recipe, 5, as_="npz").setup()
    assert str(SHIPPED_FOLDER) not in json.dumps(setup)
    assert BatchRequest.from_setup(setup).request.recipe.source[2] == SHIPPED_FOLDER


def test_our_recipes_that_read_files_can_be_opened_anywhere(tmp_path: Path) -> None:
    uc.batch("grammar", 2, tmp_path, as_="npz", **HERE)
    opened = uc.open_batch(tmp_path)
    assert opened.level(1).tiles.tobytes() == list(opened.rows("tiles"))[1]["tiles"]


def test_a_recipe_that_reads_files_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("lair.toml", "lair.rules"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    made = uc.batch(tmp_path / "lair.toml", 3, tmp_path / "out", as_="npz", chunk=2, workers=2)
    assert made.levels == 3
    with pytest.raises(BadInput, match=r"reads files that lie beside it, and lair.toml is not there"):
        uc.open_batch(tmp_path / "out")
    opened = uc.open_batch(tmp_path / "out", tmp_path / "lair.toml")
    wanted = uc.generate(tmp_path / "lair.toml", 1)
    assert opened.level(1) == wanted
    assert [dict(level.provenance) for level in opened][1] == dict(wanted.provenance)
    with monkeypatch.context() as there:
        there.chdir(tmp_path)  # where the recipe lies
        assert uc.open_batch(tmp_path / "out").level(1) == wanted
        (tmp_path / "lair.toml").rename("other.toml")
        (tmp_path / "lair.toml").write_text("# another recipe")
        with pytest.raises(BadInput, match=r"reads files that lie beside it"):
            uc.open_batch(tmp_path / "out")
        (tmp_path / "other.toml").replace("lair.toml")
    with (tmp_path / "lair.rules").open("a") as file:
        file.write("\n")
    with pytest.raises(BadInput, match="a file that the recipe reads is another there"):
        uc.batch(tmp_path / "lair.toml", 3, tmp_path / "out", as_="npz", chunk=2, **HERE)
    with pytest.raises(BadInput, match="another recipe than cave"):
        uc.open_batch(tmp_path / "out", "cave")


OTHERS: list[tuple[dict[str, Any], str]] = [
    ({"count": 21}, "count is 20 there and 21 here"),
    ({"first": 1}, "first is 0 there and 1 here"),
    ({"size": (41, 20)}, "size is 40x20 there and 41x20 here"),
    ({"params": {"fill_prob": 0.41}}, "fill_prob is .* there and 0.41 here"),
    ({"until": "loops >= 1"}, "until is nothing there and loops >= 1 here"),
    ({"measures": ["loops"]}, "measures is density, path_length, loops there and loops here"),
    ({"as_": "json"}, "the form is npz there and json here"),
    ({"chunk": 9}, "chunk is 8 there and 9 here"),
    ({"tries": 7}, "tries is 100 there and 7 here"),
    ({"recipe": "rooms"}, r"the recipe is cave.toml there and rooms.toml here"),
]


@pytest.mark.parametrize(("other", "sentence"), OTHERS)
def test_another_order_in_the_folder_is_refused(other: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    first = {"recipe": "cave", "count": 20, "out": tmp_path, "as_": "npz", **CAVES, **HERE}
    uc.batch(**first)
    before = contents(tmp_path)
    if other.get("recipe") == "rooms":
        other = {"recipe": uc.Recipe.parse(uc.Recipe.load("cave").source[0], "rooms.toml")}
    with pytest.raises(BadInput, match=f"holds another batch: .*{sentence}"):
        uc.batch(**{**first, **other})
    assert contents(tmp_path) == before


def test_a_folder_whose_levels_were_deleted_takes_another_batch(tmp_path: Path) -> None:
    out = tmp_path / "out"
    uc.batch("cave", 4, out, as_="parquet", **CAVES, **HERE)
    shutil.rmtree(out)
    uc.batch("maze", 3, out, as_="parquet", **CAVES, **HERE)
    uc.batch("maze", 3, tmp_path / "new", as_="parquet", **CAVES, **HERE)
    for suffix in ("", ".batch"):
        assert contents(tmp_path / f"out{suffix}").keys() == contents(tmp_path / f"new{suffix}").keys()
    assert len(uc.open_batch(out)) == 3


def test_a_recipe_that_was_changed_is_refused(tmp_path: Path) -> None:
    uc.batch(uc.Recipe.parse(CHANCY, "chancy.toml"), 5, tmp_path, as_="npz", **HERE)
    with pytest.raises(BadInput, match="the recipe has another text there"):
        uc.batch(uc.Recipe.parse(CHANCY + "\n", "chancy.toml"), 5, tmp_path, as_="npz", **HERE)


def test_an_order_that_nothing_was_made_of_is_taken_over(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"as_": "npz", "size": (20, 10), **HERE}
    uc.batch("cave", 2, tmp_path / "right", **asked)
    under_way = Batch(BatchRequest("cave", 5, size=(20, 10), as_="npz"), tmp_path / "out", workers=1)
    with under_way.folder.lock():
        pass  # ended before its first chunk
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["order.json"]
    uc.batch("cave", 2, tmp_path / "out", **asked)
    assert contents(tmp_path / "out") == contents(tmp_path / "right")


def test_files_of_two_versions_of_the_writer_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {"size": (20, 10), "chunk": 2, **HERE}
    uc.batch("cave", 4, tmp_path, **asked)
    before = contents(tmp_path)
    monkeypatch.setattr(order_module, "version", lambda _: "99.0")
    with pytest.raises(
        BadInput, match=r"holds another batch: what writes the files is pyarrow .* there and pyarrow 99\.0 here"
    ):
        uc.batch("cave", 4, tmp_path, **asked)
    assert contents(tmp_path) == before
    assert len(uc.open_batch(tmp_path)) == 4, "whoever reads does not care"


@pytest.mark.parametrize(
    ("form", "library"),
    [("parquet", "pyarrow"), ("npz", "numpy"), ("png", "Pillow"), ("tmx", "Pillow"), ("json:rooms", "undercroft")],
)
def test_an_order_names_the_library_that_decides_about_the_bytes(form: str, library: str) -> None:
    order = BatchRequest("isaac" if form == "json:rooms" else "cave", 2, as_=form)
    packer = f" with zlib {zlib.ZLIB_RUNTIME_VERSION}" if form == "npz" else ""
    assert order.data["written_by"] == (library if library == "undercroft" else f"{library} {version(library)}{packer}")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_recipe_with_a_name_that_is_no_text(tmp_path: Path) -> None:
    odd, good = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.toml")), tmp_path / "a\u00a0b.toml"
    for path in (odd, good):
        path.write_text(CHANCY)
    with pytest.raises(BadInput, match="the name of the recipe's file is no text"):
        uc.batch(odd, 2, tmp_path / "out", as_="npz", **HERE)
    assert uc.batch(good, 2, tmp_path / "out", as_="npz", **HERE).total == 2


def test_parameters_of_the_recipe_are_keywords_as_in_generate(tmp_path: Path) -> None:
    uc.batch("cave", 2, tmp_path / "a", as_="npz", size=(20, 10), fill_prob=0.3, **HERE)
    uc.batch("cave", 2, tmp_path / "b", as_="npz", size=(20, 10), params={"fill_prob": 0.3}, **HERE)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    with pytest.raises(BadInput, match=r"unknown parameter of cave 'fil_prob'(.|\n)*fill_prob"):
        uc.batch("cave", 2, tmp_path / "c", as_="npz", fil_prob=0.3, **HERE)
    assert not (tmp_path / "c").exists()


def test_folders_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileTrouble, match="it is a file"):
        uc.batch("cave", 5, tmp_path / "file", as_="npz", **HERE)
    with pytest.raises(BadInput, match=r"holds files, and they are of no batch \(file\)"):
        uc.batch("cave", 5, tmp_path, as_="npz", **HERE)
    assert contents(tmp_path) == {"file": b"x"}
    with pytest.raises(BadInput, match="holds no batch"):
        uc.open_batch(tmp_path)
    (tmp_path / "order.json").write_text("{")
    with pytest.raises(BadInput, match=r"order\.json is damaged"):
        uc.open_batch(tmp_path)


@pytest.mark.parametrize("text", ["{", "[]", "[" * 100_000, '{"format": NaN}'])
def test_an_order_that_is_damaged_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / "order.json").write_text(text)
    (tmp_path / "seeds-0-1.npz").write_bytes(b"of a batch")
    for ask in (
        lambda: uc.open_batch(tmp_path),
        lambda: uc.batch("cave", 2, tmp_path, as_="npz", size=(20, 10), **HERE),
    ):
        with pytest.raises(BadInput, match=r"order.json is damaged"):
            ask()


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_something_else_in_the_place_of_a_chunk(kind: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"as_": "npz", "size": (20, 10), "chunk": 2, **HERE}
    uc.batch("cave", 4, tmp_path, **asked)
    place = tmp_path / "seeds-0-1.npz"
    place.unlink()
    place.mkdir() if kind == "folder" else os.mkfifo(place)
    with pytest.raises(FileTrouble, match=r"seeds-0-1.npz: something else is in its place\n  fix: take it away"):
        uc.batch("cave", 4, tmp_path, **asked)


def test_a_lock_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("kept")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".lock").symlink_to(tmp_path / "mine.txt")
    with pytest.raises(FileTrouble, match="cannot write to"):
        uc.batch("cave", 2, tmp_path / "out", as_="npz", size=(20, 10), **HERE)
    assert (tmp_path / "mine.txt").read_text() == "kept"


def test_a_finished_batch_is_looked_at_and_left_alone(tmp_path: Path) -> None:
    uc.batch("cave", 20, tmp_path, **CAVES, **HERE)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("seeds*")}
    again = uc.batch("cave", 20, tmp_path, **CAVES, workers=2)
    assert (again.found, again.made_count, again.levels) == (20, 0, 20)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("seeds*")} == before


def test_stray_files_are_swept_and_no_others(tmp_path: Path) -> None:
    uc.batch("cave", 20, tmp_path, as_="npz", **CAVES, **HERE)
    whole = contents(tmp_path)
    (tmp_path / ".seeds-00-07.npz.4711.part").write_bytes(b"half")
    (tmp_path / "notes.txt").write_text("mine")
    uc.batch("cave", 20, tmp_path, as_="npz", **CAVES, **HERE)
    assert contents(tmp_path) == {**whole, "notes.txt": b"mine"}


def test_a_manifest_says_what_is_there(tmp_path: Path) -> None:
    import hashlib

    made = uc.batch("cave", 20, tmp_path, as_="npz", **CAVES, **HERE)
    told = json.loads((tmp_path / "manifest.json").read_text())
    assert (told["order"], told["levels"], told["poisoned"]) == (made.order.digest, 20, [])
    assert [chunk["seeds"] for chunk in told["chunks"]] == [["0", "7"], ["8", "15"], ["16", "19"]]
    for chunk in told["chunks"]:
        for file in chunk["files"]:
            data = (tmp_path / file["name"]).read_bytes()
            assert (len(data), hashlib.sha256(data).hexdigest()) == (file["size"], file["sha256"])


def test_a_worker_that_writes_elsewhere_is_noticed(tmp_path: Path) -> None:
    order = BatchRequest("cave", 20, as_="npz", **CAVES)
    value = batch_work.make_chunk(order, Chunk(0, 8))
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    light = batch_work.write_chunk(value, tmp_path / "there")
    assert [file["data"] for file in light["files"]] == [None]
    assert BatchDirectory(tmp_path / "there", order).write(light["files"])[0]["name"] == "seeds-00-07.npz"
    with pytest.raises(FileTrouble, match="a worker reports that it wrote"):
        BatchDirectory(tmp_path / "here", order).write(light["files"])


def test_options_may_be_named_in_any_order(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"as_": "png", "size": (12, 8), "chunk": 2, **HERE}
    uc.batch("cave", 4, tmp_path / "a", options={"style": "ink", "cell": 4}, **asked)
    before = contents(tmp_path / "a")
    again = uc.batch("cave", 4, tmp_path / "a", options={"cell": 4, "style": "ink"}, **asked)
    assert (again.found, again.damaged) == (4, [])
    uc.batch("cave", 4, tmp_path / "b", options={"cell": 4, "style": "ink"}, **asked)
    assert contents(tmp_path / "a") == contents(tmp_path / "b") == before


@pytest.mark.parametrize("text", ['{"item": "chair"}', "[1]", "not JSON"])
def test_an_order_of_somebody_else_is_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "order.json").write_text(text)
    with pytest.raises(BadInput):
        uc.batch("cave", 2, tmp_path, as_="npz", size=(12, 8), **HERE)
    assert (tmp_path / "order.json").read_text() == text


@pytest.mark.skipif(sys.platform == "win32", reason="links want rights there")
@pytest.mark.parametrize("form", ["npz", "json"])
def test_nothing_is_written_through_a_link_and_nobody_waits_at_a_pipe(form: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"as_": form, "size": (12, 8), "chunk": 2, **HERE}
    uc.batch("cave", 4, tmp_path / "out", **asked)
    for victim in sorted(
        path for path in (tmp_path / "out").iterdir() if path.name not in ("order.json", "manifest.json")
    ):
        kept = victim.read_bytes()
        (tmp_path / "precious").write_text("precious")
        victim.unlink()
        victim.symlink_to(tmp_path / "precious")
        with pytest.raises(FileTrouble, match="something else is in its place"):
            uc.batch("cave", 4, tmp_path / "out", **asked)
        assert (tmp_path / "precious").read_text() == "precious"
        victim.unlink()
        os.mkfifo(victim)
        with pytest.raises(FileTrouble, match="something else is in its place"):
            uc.batch("cave", 4, tmp_path / "out", **asked)
        victim.unlink()
        uc.batch("cave", 4, tmp_path / "out", **asked)
        assert victim.read_bytes() == kept


def test_what_is_damaged_is_taken_away_before_it_is_made_again(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"as_": "npz", "size": (12, 8), "chunk": 2}
    uc.batch("cave", 4, tmp_path, **asked, **HERE)
    torn = next(tmp_path.glob("seeds-0-*"))
    torn.write_bytes(torn.read_bytes()[:-9])
    making = Batch(BatchRequest("cave", 4, **asked), tmp_path, **HERE)
    next(making)
    assert making.damaged == [torn.name]
    making.close()
    assert not torn.exists(), "if nothing comes of the next attempt, nobody takes it for whole"


def test_the_manifest_is_kept_as_few_bytes_and_written_piece_by_piece(tmp_path: Path) -> None:
    """Its text is as ever; what is kept of each file is no more than what stands there."""
    making = Batch(BatchRequest("cave", 60, as_="text", size=(12, 8), chunk=20), tmp_path, **HERE)
    list(making)
    text = (tmp_path / "manifest.json").read_text()
    told = json.loads(text)
    rows = ",\n".join(json.dumps(row) for row in told["chunks"])
    head = "".join(f"{json.dumps(key)}: {json.dumps(told[key])},\n" for key in ("format", "order", "levels"))
    assert text == f'{{\n{head}"chunks": [\n{rows}],\n"poisoned": []\n}}\n'
    assert (told["levels"], len(told["chunks"]), len(told["chunks"][0]["files"])) == (60, 3, 21)
    kept = making._rows
    assert all(type(row) is bytes for row in kept.values())
    assert sum(map(len, kept.values())) < len(text)


def test_a_manifest_names_what_was_given_up(tmp_path: Path) -> None:
    order = BatchRequest("cave", 20, as_="npz", **CAVES)
    BatchDirectory(tmp_path, order).write_manifest({}, 0, {Chunk(8, 8): "SIGKILL", Chunk(0, 8): "SIGSEGV"})
    told = json.loads((tmp_path / "manifest.json").read_text())
    assert (told["levels"], told["chunks"]) == (0, [])
    assert told["poisoned"] == [{"seeds": ["0", "7"], "cause": "SIGSEGV"}, {"seeds": ["8", "15"], "cause": "SIGKILL"}]


def test_arrays_of_chunks_fit_together_also_where_one_has_no_level(tmp_path: Path) -> None:
    recipe = uc.Recipe.parse(CHANCY, "chancy.toml")
    uc.batch(recipe, 12, tmp_path, tries=1, chunk=1, as_="npz", **HERE)
    arrays = [np.load(path)["tiles"] for path in sorted(tmp_path.glob("*.npz"))]
    assert {array.shape for array in arrays} == {(1, 12, 24)}
    assert sorted({bool(array.any()) for array in arrays}) == [False, True], "this test is about both"
    again = uc.batch(recipe, 12, tmp_path, tries=1, chunk=1, as_="npz", **HERE)
    assert (again.found, again.damaged) == (12, [])
    assert len(uc.open_batch(tmp_path)) == sum(array.any() for array in arrays)


@pytest.mark.parametrize(
    ("form", "options"),
    [("npz", {}), ("xp", {}), ("pdf", {}), ("tmx", {"encoding": "zlib"}), ("tmj", {"encoding": "zlib"})],
)
def test_files_of_two_builds_of_zlib_are_not_mixed(
    form: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {"size": (20, 10), "chunk": 2, "as_": form, "options": options, **HERE}
    uc.batch("cave", 2, tmp_path, **asked)
    before = contents(tmp_path)
    monkeypatch.setattr("undercroft.bulk.batch.request.zlib.ZLIB_RUNTIME_VERSION", "9.9.zlib-other")
    with pytest.raises(
        BadInput,
        match=r"holds another batch: what writes the files is .*zlib \S+ there and .*zlib 9\.9\.zlib-other here",
    ):
        uc.batch("cave", 2, tmp_path, **asked)
    assert contents(tmp_path) == before
    for other in ("parquet", "tmx", "json", "png"):
        assert "zlib" not in BatchRequest("cave", 2, as_=other).data["written_by"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ({"tries": 2}, {"tries": 2.0}, "tries is 2 there and 2.0 here"),
        ({"params": {"wall": 1}}, {"params": {"wall": 1.0}}, "wall is 1 there and 1.0 here"),
        ({"params": {"wall": "1"}}, {"params": {"wall": 1}}, 'wall is "1" there and 1 here'),
        ({"params": {"wall": 1}}, {"params": {"wall": True}}, "wall is 1 there and True here"),
        ({"pick": None}, {}, "its order differs"),
        ({"editions": {"noise": 1}}, {"editions": {"noise": 2}}, "the edition of noise is 1 there and 2 here"),
        (
            {"recipe": {"file": "a.toml"}, "editions": {"noise": 1, "ends": 1}, "params": {"wall": 1, "wear": 4}},
            {"recipe": {"file": "b.toml"}, "editions": {"maze": 1, "ends": 1}, "params": {"wall": 2, "shape": "round"}},
            "the recipe is a.toml there and b.toml here, wall is 1 there and 2 here",
        ),
    ],
)
def test_a_difference_is_never_nothing(old: dict[str, Any], new: dict[str, Any], said: str) -> None:
    assert describe_difference(old, new) == said
    assert order_module.compute_digest(old) != order_module.compute_digest(new)


@pytest.mark.parametrize("options", [{"memory": 1 << 60}, {"memory": 3 << 30, "dask": "tcp://nowhere:1"}])
def test_memory_that_no_worker_is_given(options: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(
        BadInput,
        match=r"no worker can have 1,152,921,504,606,846,976 bytes|"
        r"the memory of a cluster's workers is its own business",
    ):
        uc.batch("cave", 2, tmp_path / "out", as_="npz", **options)
    assert not (tmp_path / "out").exists()
