"""What the rows of a batch hold beside tiles: regions, doors, links and things; and who reads them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.dataset
import pytest

import undercroft as uc
from support.paths import ROOT
from undercroft.bulk.batch.batch import Batch
from undercroft.bulk.batch.folder_request import about_folder, is_batch_folder
from undercroft.bulk.batch.request import OLD_LAYOUT, BatchRequest
from undercroft.bulk.batch.stored_levels import LEVEL_COLUMNS
from undercroft.errors import BadInput

HERE: dict[str, Any] = {"workers": 1, "memory": None}
STORED = ROOT / "tests" / "golden" / "batches"
FURNISHED = f"""{(ROOT / "examples" / "locked-keep.toml").read_text()}
[[step]]
use = "furnish"
[[step]]
use = "names"
"""
LAST = 2**64 - 1


@pytest.fixture(scope="module")
def keeps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A batch of furnished levels, with the largest seeds there are."""
    folder = tmp_path_factory.mktemp("tables") / "keeps"
    recipe = uc.Recipe.parse(FURNISHED, "keep.toml")
    uc.batch(recipe, 5, folder, first=LAST - 4, size=(45, 31), measures=["rooms"], chunk=2, **HERE)
    return folder


@pytest.mark.parametrize("form", ["parquet", "npz"])
@pytest.mark.parametrize("recipe", ["keep.toml", "cave", "bsp", "isaac"])
def test_stored_levels_have_all_but_path_layers_and_title(form: str, recipe: str, tmp_path: Path) -> None:
    loaded = uc.Recipe.parse(FURNISHED, "keep.toml") if recipe == "keep.toml" else uc.Recipe.load(recipe)
    size = (45, 31) if recipe == "keep.toml" else None
    uc.batch(loaded, 3, tmp_path / "out", size=size, as_=form, chunk=2, **HERE)
    opened = uc.open_batch(tmp_path / "out")
    found = list(opened)
    for seed, level in enumerate(found):
        whole = opened.level(seed)
        assert level == whole.replace(path=None, layers=None, title="")
        assert level.provenance == whole.provenance
        assert opened.stored_level(seed) == level
        assert uc.measure(level) == uc.measure(whole), "measures need no more"
    if recipe == "keep.toml":
        assert any(level.things and level.doors and any(region.name for region in level.regions) for level in found)


def test_pandas_polars_and_pyarrow_read_the_folder(keeps: Path) -> None:
    wanted = list(uc.open_batch(keeps))
    assert {path.suffix for path in keeps.iterdir()} == {".parquet"}
    assert sorted(path.name for path in about_folder(keeps).iterdir()) == ["manifest.json", "order.json"]
    tables = {
        "pandas": pd.read_parquet(keeps).to_dict("records"),
        "polars": pl.read_parquet(keeps).to_dicts(),
        "polars, lazily": pl.scan_parquet(keeps).collect().to_dicts(),
        "pyarrow": pyarrow.dataset.dataset(keeps).to_table().to_pylist(),
    }
    assert str(pd.read_parquet(keeps)["seed"].dtype) == "uint64"
    assert pl.read_parquet(keeps).schema["seed"] == pl.UInt64
    for reader, rows in tables.items():
        assert [row["seed"] for row in rows] == list(range(LAST - 4, LAST + 1)), reader
        for row, level in zip(rows, wanted, strict=True):
            assert np.array_equal(
                np.frombuffer(row["labels"], "<i4").reshape(row["height"], row["width"]), level.regions.labels
            )
            assert [tuple(door.values()) for door in row["door_cells"]] == list(map(tuple, level.doors)), reader
            assert [tuple(link.values()) for link in row["links"]] == list(map(tuple, level.links)), reader
            assert [(thing["kind"], thing["x"], thing["y"]) for thing in row["things"]] == [
                thing[:3] for thing in level.things
            ]
            assert [json.loads(thing["data"] or "{}") for thing in row["things"]] == [
                json.loads(json.dumps(thing.data)) for thing in level.things
            ]
            assert [(region["label"], region["name"], tuple(region["tags"])) for region in row["regions"]] == [
                (region.label, region.name, region.tags) for region in level.regions
            ]


def test_numpy_reads_the_tables(tmp_path: Path) -> None:
    uc.batch(uc.Recipe.parse(FURNISHED, "keep.toml"), 4, tmp_path, size=(45, 31), as_="npz", chunk=4, **HERE)
    levels = list(uc.open_batch(tmp_path))
    with np.load(next(tmp_path.glob("*.npz"))) as chunk:
        assert chunk["links"].tolist() == [len(level.links) for level in levels]
        assert chunk["links.a"].tolist() == [link.a for level in levels for link in level.links]
        assert json.loads(chunk["things.kind"].tobytes()) == [thing.kind for level in levels for thing in level.things]
        assert np.array_equal(chunk["labels"], np.stack([level.regions.labels for level in levels]))


def test_level_files_have_the_tables_beside_them(tmp_path: Path) -> None:
    uc.batch("bsp", 2, tmp_path, as_="png", size=(40, 24), first=LAST - 1, **HERE)
    table = json.loads(next(tmp_path.glob("seeds-*.json")).read_text())
    row = dict(zip(table["columns"], table["rows"][1], strict=True))
    level = uc.generate("bsp", LAST, (40, 24))
    assert row["seed"] == LAST
    assert row["regions"][0]["area"] == level.regions[0].area
    assert [link["b"] for link in row["links"]] == [link.b for link in level.links]


def test_a_folder_without_the_one_beside_it_is_read_and_gone_on_with(keeps: Path, tmp_path: Path) -> None:
    """Each Parquet file holds the request, too."""
    alone = tmp_path / "moved"
    shutil.copytree(keeps, alone)
    opened = uc.open_batch(alone)
    assert opened.finished
    assert len(opened) == 5
    sorted(alone.iterdir())[1].unlink()
    assert not uc.open_batch(alone).finished
    asked: dict[str, Any] = {"first": LAST - 4, "size": (45, 31), "measures": ["rooms"], "chunk": 2}
    made = uc.batch(uc.Recipe.parse(FURNISHED, "keep.toml"), 5, alone, **asked, **HERE)
    assert (made.found, made.made_count) == (3, 2)
    for name in ("order.json", "manifest.json"):
        assert (about_folder(alone) / name).read_bytes() == (about_folder(keeps) / name).read_bytes()
    assert {path.name: path.read_bytes() for path in alone.iterdir()} == {
        path.name: path.read_bytes() for path in keeps.iterdir()
    }


def test_where_nothing_can_lie_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    uc.batch("cave", 2, ".", size=(12, 8), **HERE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "here.batch"]
    assert is_batch_folder(".")
    assert not is_batch_folder("/")
    with pytest.raises(BadInput, match="nothing can lie beside /"):
        uc.batch("cave", 2, "/", size=(12, 8), **HERE)


def test_what_lies_beside_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "out.batch").mkdir()
    (tmp_path / "out.batch" / "diary.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"holds files, and they are of no batch \(diary.txt\)"):
        uc.batch("cave", 2, tmp_path / "out", size=(12, 8), **HERE)
    (tmp_path / "other.batch").write_text("mine")
    with pytest.raises(uc.FileTrouble, match=r"other\.batch: it is a file"):
        uc.batch("cave", 2, tmp_path / "other", size=(12, 8), **HERE)


@pytest.mark.parametrize("form", ["parquet", "npz"])
def test_folders_of_an_earlier_version_are_read(form: str, tmp_path: Path) -> None:
    """`old-parquet` and `old-npz` were made before rows held tables: seeds are texts there."""
    folder = tmp_path / "old"
    shutil.copytree(STORED / f"old-{form}", folder)
    opened = uc.open_batch(folder)
    assert opened.finished
    assert opened.order.layout == OLD_LAYOUT
    assert opened.column("seed").tolist() == list(range(LAST - 4, LAST + 1))
    for level in opened:
        assert level.tiles.shape == (15, 21)
        assert len(level.regions) == 0
    assert "labels" not in opened.names


@pytest.mark.parametrize("form", ["parquet", "npz", "json"])
def test_an_old_folder_goes_on_in_its_own_layout(form: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"size": (20, 12), "measures": ["loops"], "chunk": 2, "as_": form}
    for name in ("whole", "half"):
        list(Batch(BatchRequest("cave", 5, layout=OLD_LAYOUT, **asked), tmp_path / name, **HERE))
    for path in (tmp_path / "half").glob("seeds-2-3*"):
        path.unlink()
    (tmp_path / "half" / "manifest.json").unlink()
    made = uc.batch("cave", 5, tmp_path / "half", **asked, **HERE)
    assert (made.found, made.made_count, made.order.layout) == (3, 2, OLD_LAYOUT)
    assert {path.name: path.read_bytes() for path in (tmp_path / "half").iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()
    }
    assert not about_folder(tmp_path / "half").exists()
    with pytest.raises(BadInput, match="holds another batch: nothing varies there"):
        uc.batch("cave", 5, tmp_path / "half", vary={"nrepeats": [3, 4]}, **asked, **HERE)


ODD_ROWS: list[tuple[str, Any]] = [
    ("door_cells", [(99, 0, 1, 2, "open")]),
    ("door_cells", [(0, 0, 1, 2, "ajar")]),
    ("links", [(1, 2, "door", 99, True)]),
    ("links", [(1, 2, "tunnel", -1, True)]),
    ("things", [("rat", -1, 0, "")]),
    ("things", [("rat", 0, 0, "[]")]),
    ("things", [("rat", 0, 0, "{")]),
    ("regions", []),
    ("labels", b"\xff" * 4 * 20 * 12),
]


@pytest.mark.parametrize(("name", "value"), ODD_ROWS)
def test_odd_tables_are_damage(name: str, value: Any, tmp_path: Path) -> None:
    from undercroft.bulk.batch.chunks import Chunk
    from undercroft.bulk.batch.storage import resolve_form

    asked: dict[str, Any] = {"size": (20, 12), "as_": "npz"}
    uc.batch("cave", 1, tmp_path, **asked, **HERE)
    order, path = BatchRequest("cave", 1, **asked), next(tmp_path.glob("*.npz"))
    shard = resolve_form(order).read_chunk(path, order)
    shard.rows[name] = [value]
    path.write_bytes(resolve_form(order).encode_chunk(order, Chunk(0, 1), shard)[0][1])
    with pytest.raises(BadInput, match="is damaged"):
        list(uc.open_batch(tmp_path))


def test_a_measure_may_not_have_the_name_of_a_column(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from undercroft.analysis.measures import table

    monkeypatch.setitem(table.MEASURES.own, "things", table.MEASURES["rooms"]._replace(name="things"))
    with pytest.raises(BadInput, match="the measure things has the name of a column"):
        uc.batch("cave", 2, tmp_path / "out", measures=["things"], as_="npz", **HERE)


def test_the_columns_of_a_level_are_those_that_it_is_built_from(keeps: Path) -> None:
    assert set(LEVEL_COLUMNS) <= set(uc.open_batch(keeps).names)
    for name in ("tiles", "labels", "regions", "things"):
        with pytest.raises(BadInput, match=f"{name} is no column to compute with"):
            uc.open_batch(keeps).column(name)


def test_a_folder_may_be_named_by_the_one_beside_it(keeps: Path) -> None:
    opened = uc.open_batch(about_folder(keeps))
    assert opened.path == keeps
    assert len(opened) == 5


@pytest.mark.parametrize("form", ["parquet", "npz"])
def test_more_rows_than_can_be_read_are_neither_written_nor_read(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from undercroft import limits

    asked: dict[str, Any] = {"size": (40, 24), "as_": form, "chunk": 2}
    uc.batch("bsp", 2, tmp_path / "out", **asked, **HERE)
    monkeypatch.setattr(limits, "LEVEL_TABLE_ROWS", limits.LEVEL_TABLE_ROWS._replace(value=-118))
    with pytest.raises(BadInput, match="is damaged"):
        list(uc.open_batch(tmp_path / "out"))
    with pytest.raises(uc.TooBig, match=r"the number of regions in a chunk is \d+; the limit is"):
        uc.batch("bsp", 2, tmp_path / "other", **asked, **HERE)


def test_a_small_file_of_many_rows_is_not_unpacked(tmp_path: Path) -> None:
    """A value that is repeated a hundred million times takes some bytes in a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    uc.batch("cave", 1, tmp_path / "out", size=(20, 12), **HERE)
    path = next((tmp_path / "out").iterdir())
    table = pq.read_table(path)
    place = table.schema.get_field_index("things")
    kind = table.schema.field("things").type
    count = 3_000_000
    fields = [pa.array(np.zeros(count, np.int32)).cast(field.type) for field in kind.value_type]
    struct = pa.StructArray.from_arrays(fields, fields=list(kind.value_type))
    things = pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), struct, type=kind)
    pq.write_table(table.set_column(place, table.schema.field("things"), things), path, compression="zstd")
    assert path.stat().st_size < 100_000
    with pytest.raises(BadInput, match="is damaged"):
        list(uc.open_batch(tmp_path / "out"))
