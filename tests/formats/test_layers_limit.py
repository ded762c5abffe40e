"""The layers of a level file are unpacked only if all of them together fit a limit."""

from __future__ import annotations

import json

import numpy as np
import pytest

from undercroft import formats, limits
from undercroft.core.level import Level
from undercroft.errors import TooBig
from undercroft.formats.native.native import check_layer_bytes

WIDTH, HEIGHT = 10, 2
CELLS = WIDTH * HEIGHT


def level(**types: str) -> Level:
    """A level with layers of these types."""
    grids = {name: np.ones((HEIGHT, WIDTH), dtype) for name, dtype in types.items()}
    return Level(np.zeros((HEIGHT, WIDTH), np.uint8), layers=grids)


@pytest.mark.parametrize("name", ["json", "npz"])
@pytest.mark.parametrize(("floor", "per_cell"), [(8 * CELLS, 1), (1, 8)])
def test_layers_over_the_limit_are_refused(
    name: str, floor: int, per_cell: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of the two numbers allows more counts."""
    monkeypatch.setattr(limits, "LAYER_BYTES", limits.LAYER_BYTES._replace(value=floor))
    monkeypatch.setattr(limits, "LAYER_BYTES_PER_CELL", limits.LAYER_BYTES_PER_CELL._replace(value=per_cell))
    for fits in (level(a="int64"), level(a="float32", b="uint16", c="int8", d="bool")):
        assert formats.loads(formats.dump(fits, name), name) == fits
    with pytest.raises(TooBig) as caught:
        formats.loads(formats.dump(level(a="int64", b="bool"), name), name, "a")
    assert f"the size of all its layers in bytes, unpacked, is {9 * CELLS}; the limit is {8 * CELLS}" in str(
        caught.value
    )
    assert caught.value.fix


def test_runs_are_parsed_after_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LAYER_BYTES", limits.LAYER_BYTES._replace(value=1))
    monkeypatch.setattr(limits, "LAYER_BYTES_PER_CELL", limits.LAYER_BYTES_PER_CELL._replace(value=1))
    whole = json.loads(formats.dump(level(), "json"))
    whole["layers"] = {"a": {"dtype": "int64", "rows": ["no run"] * HEIGHT}}
    with pytest.raises(TooBig, match="the size of all its layers"):
        formats.loads(json.dumps(whole).encode(), "json")


@pytest.mark.parametrize("side", [1, 1024, 4096])
def test_every_map_may_have_eight_layers_of_the_largest_type(side: int) -> None:
    check_layer_bytes(8 * 8 * side * side, side, side, "a")
    with pytest.raises(TooBig, match=f"a map of {side}x{side} needs no more"):
        check_layer_bytes(max(64 * side * side, limits.LAYER_BYTES.value) + 1, side, side, "a")


@pytest.mark.parametrize("name", ["json", "npz"])
def test_what_could_not_be_read_is_not_written(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("undercroft.limits.LAYER_BYTES", limits.LAYER_BYTES._replace(value=100))
    tiles = np.zeros((3, 4), np.uint8)
    formats.dump(Level(tiles, layers={"a": np.zeros((3, 4), np.int64)}), name)
    with pytest.raises(TooBig, match="the size of all its layers"):
        formats.dump(Level(tiles, layers={f"l{number}": np.zeros((3, 4), np.int64) for number in range(9)}), name)
