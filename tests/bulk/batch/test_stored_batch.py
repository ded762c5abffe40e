"""A half-finished batch that an earlier commit left is resumed: the keys and digests of its files stay."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import undercroft as uc
from support.paths import ROOT

STORED = ROOT / "tests" / "golden" / "batches"
"""`half` has two of four chunks; `finished` is what the same commit made of it. If a version or an edition of its steps
changes, both are stored anew, since a batch of another version is refused.
"""


def test_a_batch_that_was_stored_half_finished_is_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "half"
    shutil.copytree(STORED / "half", folder)
    order = json.loads((folder / "order.json").read_text())
    assert order["version"] == uc.__version__, "store the batch anew, with this version"
    made = uc.batch(
        STORED / "grove.toml",
        order["count"],
        folder,
        first=int(order["first"]),
        size=(14, 8),
        params={"wall": 0.4},
        until=["loops >= 1"],
        tries=5,
        pick="best",
        measures=["density", "loops"],
        as_="text",
        chunk=2,
        max_steps=100_000,
        workers=1,
        memory=None,
    )
    assert (made.levels, made.made_count) == (7, 3), "four levels are there already"
    expected = {path.name: path.read_bytes() for path in (STORED / "finished").iterdir()}
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == expected
    seeds = uc.open_batch(folder).column("seed")
    assert (str(seeds.dtype), seeds.tolist()) == ("uint64", list(range(3, 10)))
