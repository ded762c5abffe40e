"""A batch folder that anybody may have written: every odd value is refused in a sentence, or does no harm."""

from __future__ import annotations

import copy
import io
import json
import shutil
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from undercroft import limits
from undercroft.bulk.batch.batch import batch
from undercroft.bulk.batch.reader import open_batch
from undercroft.errors import BadInput, FileTrouble, UndercroftError
from undercroft.formats.npz import zip_arrays

ODD_VALUES: list[Any] = [None, [], {}, "", "nope", -1, 999, 1 << 40, 10**30, 0.5, True, [1], ["a", "b"], {"a": 1}]
KINDS = ("<U4", np.int64, np.float64, np.uint8, np.bool_, "S3")
TEXTS = (b"[]", b"7", b'["a"]', b'[["a"]]', b"[" * 9999, b"[1e999]")


@pytest.fixture(scope="module")
def batch_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("batch") / "bsp"
    batch("bsp", 4, folder, size=(40, 24), measures=["loops", "connectivity"], until="rooms > 1", as_="npz", workers=1)
    return folder


def use_all(folder: Path, array: str | None = None) -> None:
    """Everything that reads a batch. If only one array of its files is odd, only its column is asked for alone: rows
    and report read all of them.
    """
    opened = open_batch(folder)
    assert len(opened) >= 0
    for level in opened:
        assert str(level)
        level.to_tcod()
    for name in opened.names:
        if name not in ("tiles", "labels", "regions", "door_cells", "links", "things") and array in (None, name):
            opened.column(name)
    assert len(list(opened.rows())) <= opened.order.count
    opened.level(0)
    str(opened.report())


def paths_in(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*above, key)
        yield from paths_in(item, (*above, key))


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    found = copy.deepcopy(data)
    spot = found
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    return found


def assert_refused_or_harmless(folder: Path, what: object, array: str | None = None) -> None:
    refusal: UndercroftError | None = None
    try:
        use_all(folder, array)
    except UndercroftError as error:
        refusal = error
    except Exception as error:
        raise AssertionError(what) from error
    assert refusal is None or (refusal.problem and refusal.fix), what


def test_the_folder_as_it_is(batch_folder: Path) -> None:
    use_all(batch_folder)


def test_an_odd_value_anywhere_in_the_request(batch_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "x"
    shutil.copytree(batch_folder, folder)
    data = json.loads((batch_folder / "order.json").read_text())
    for path in paths_in(data):
        for value in ODD_VALUES:
            (folder / "order.json").write_text(json.dumps(changed(data, path, value)))
            assert_refused_or_harmless(folder, (path, value))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("size", size) for size in ([3_000_000_000, "x"], [10**9, 10**9], [30, "\0"], [30], [30, -1], "30x20")),
        ("editions", None),
        ("editions", True),
        ("editions", []),
        ("editions", {"noise": "1"}),
        ("version", None),
        ("version", 1),
    ],
)
def test_a_damaged_request_is_named_at_once(batch_folder: Path, tmp_path: Path, key: str, value: Any) -> None:
    folder = tmp_path / "x"
    shutil.copytree(batch_folder, folder)
    data = json.loads((batch_folder / "order.json").read_text())
    for odd in ({**data, key: value}, {name: kept for name, kept in data.items() if name != key}):
        (folder / "order.json").write_text(json.dumps(odd))
        with pytest.raises(BadInput, match=r"order.json is damaged"):
            open_batch(folder)


def test_an_odd_array_in_a_chunk(batch_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "x"
    shutil.copytree(batch_folder, folder)
    (chunk,) = folder.glob("*.npz")
    arrays = dict(np.load(io.BytesIO(chunk.read_bytes())))
    for name, array in arrays.items():
        others = [array[:0], array[:1], array[..., :-1], np.concatenate([array, array]), array[None]]
        others += [np.full(array.shape, odd, array.dtype) for odd in (99,) if array.dtype.kind in "if"]
        others += [np.full(array.shape, 255, array.dtype)] if array.dtype.kind == "u" else []
        others += [np.full(array.shape, "nope", array.dtype)] if array.dtype.kind == "U" else []
        others += [
            np.full(array.shape, least, array.dtype)
            for least in (-(1 << 40), 1 << 40)
            if array.dtype.itemsize == 8 and (least > 0 or array.dtype.kind != "u")
        ]
        # only arrays of bytes can be read as text: to others, one text is as odd as any
        others += [np.frombuffer(text, np.uint8) for text in (TEXTS if array.dtype == np.uint8 else TEXTS[:1])]
        others += [np.zeros(array.shape, kind) for kind in KINDS]
        for number, other in enumerate(others):
            chunk.write_bytes(zip_arrays({**arrays, name: other}))
            assert_refused_or_harmless(folder, (name, number), name)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, '{"poisoned":[{"seeds":[1e999,2],"cause":"x"}]}', '{"poisoned":[{"seeds":7}]}', "7", "", "{}"],
)
def test_an_odd_manifest_lists_nothing(batch_folder: Path, tmp_path: Path, text: str) -> None:
    folder = tmp_path / "x"
    shutil.copytree(batch_folder, folder)
    (folder / "manifest.json").write_text(text)
    report = open_batch(folder).report()
    assert report.poisoned == []
    assert str(report)


@pytest.mark.parametrize("name", ["tiles", "loops", "problem", "undercroft"])
def test_an_array_that_is_too_large_is_not_unpacked(
    batch_folder: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "x"
    shutil.copytree(batch_folder, folder)
    (chunk,) = folder.glob("*.npz")
    arrays = dict(np.load(io.BytesIO(chunk.read_bytes())))
    monkeypatch.setattr("undercroft.limits.JSON_BYTES", limits.JSON_BYTES._replace(value=1 << 20))
    chunk.write_bytes(zip_arrays({**arrays, name: np.zeros(100_000_000, np.uint8)}))
    tracemalloc.start()
    with pytest.raises(BadInput, match="is damaged"):
        list(open_batch(folder))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 30_000_000


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("width", 999, "is damaged"),
        ("height", 0, "is damaged"),
        ("palette", "nope", "is damaged"),
        ("tiles", 255, "is damaged"),
        ("start_x", 999, "is damaged"),
    ],
)
def test_a_level_of_odd_values_is_refused(
    batch_folder: Path, tmp_path: Path, name: str, change: Any, problem: str
) -> None:
    folder = tmp_path / "x"
    shutil.copytree(batch_folder, folder)
    (chunk,) = folder.glob("*.npz")
    arrays = dict(np.load(io.BytesIO(chunk.read_bytes())))
    chunk.write_bytes(zip_arrays({**arrays, name: np.full(arrays[name].shape, change)}))
    with pytest.raises(BadInput, match=problem) as caught:
        list(open_batch(folder))
    assert chunk.name in caught.value.problem


def test_a_parameter_of_a_folder_reads_no_file_outside(
    batch_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, here = tmp_path / "x", tmp_path / "here"
    shutil.copytree(batch_folder, folder)
    here.mkdir()
    monkeypatch.chdir(here)
    secret = tmp_path / "secret.layout"
    secret.write_text("hunter2\n")
    data = json.loads((folder / "order.json").read_text())
    for name in (str(secret), "../secret.layout"):
        (folder / "order.json").write_text(json.dumps(changed(data, ("params", "layouts"), [name])))
        for recipe in (None, "bsp"):
            with pytest.raises(FileTrouble, match="outside the folder") as caught:
                open_batch(folder, recipe)
            assert "hunter2" not in str(caught.value)
    secret.replace(here / "own.layout")
    (folder / "order.json").write_text(json.dumps(changed(data, ("params", "layouts"), ["own.layout"])))
    with pytest.raises(BadInput, match="hunter2"):
        open_batch(folder)
    with pytest.raises(BadInput, match="hunter2"):
        uc.generate("bsp", seed=1, layouts=[str(here / "own.layout")])
