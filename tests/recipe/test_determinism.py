"""Same input, same bytes: as when the digests were written, and however Python is run."""

from __future__ import annotations

import functools
import os
import subprocess
import sys

import numpy as np
import pytest

import undercroft as uc
from support import digests
from support.digests import CASES, SIZES, digest, fault, load_records, recipe_record, sample, step_record
from support.paths import TESTS
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.recipe.catalogue import names
from undercroft.steps import STEPS
from undercroft.steps.step import describe_step


@pytest.mark.parametrize("name", STEPS)
def test_a_step_gives_what_it_gave(name: str) -> None:
    assert fault(f"the step {name}", load_records("steps.json").get(name), step_record(name)) == ""


@pytest.mark.parametrize(("name", "size"), [(name, size) for name in names() for size in SIZES[name]])
def test_a_recipe_gives_what_it_gave(name: str, size: tuple[int, int]) -> None:
    what = f"{name} {size[0]}x{size[1]}"
    assert fault(f"the recipe {what}", load_records("recipes.json").get(what), recipe_record(name, size)) == ""


def test_every_step_and_recipe_is_in_the_books() -> None:
    assert {describe_step(type(step)).name for step, _ in CASES} == STEPS.keys() == load_records("steps.json").keys()
    assert set(names()) == SIZES.keys()
    assert {f"{name} {width}x{height}" for name in names() for width, height in SIZES[name]} == load_records(
        "recipes.json"
    ).keys()


def test_a_change_without_a_new_edition_is_a_fault() -> None:
    before = {"edition": 1, "levels": "a", "json": "b", "first": ["x", "y"]}
    assert fault("maze", before, before) == ""
    assert "raise `edition`" in fault("maze", before, before | {"levels": "c", "json": "d", "first": ["x", "z"]})
    assert "(1 of the first 2 differ)" in fault("maze", before, before | {"levels": "c", "first": ["x", "z"]})
    assert "another edition (1, now 2): run 'make golden'" in fault("maze", before, before | {"edition": 2})
    assert "canonical JSON" in fault("maze", before, before | {"json": "c"})
    assert "no digest of maze" in fault("maze", None, before)


def test_the_digest_sees_every_part_of_a_level() -> None:
    level = uc.generate("rooms-and-mazes", seed=3, size=(41, 31))
    whole = {
        "tiles": level.tiles,
        "regions": level.regions,
        "doors": level.doors,
        "links": level.links,
        "things": (Thing("chest", 1, 1),),
        "start": level.start,
        "end": level.end,
        "path": level.path,
        "layers": {"height": level.tiles},
    }
    found = {digest(Level(**whole))}  # type: ignore[arg-type]
    for part in whole:
        value: object = (
            level.tiles[::-1].copy()
            if part == "tiles"
            else {}
            if part == "layers"
            else ()
            if part == "things"
            else None
        )
        found.add(digest(Level(**(whole | {part: value}))))  # type: ignore[arg-type]
    assert len(found) == len(whole) + 1
    found.add(digest(Level(**(whole | {"layers": {"height": level.tiles.astype(np.int16)}}))))  # type: ignore[arg-type]
    assert len(found) == len(whole) + 2
    assert digest(level) == digest(uc.generate("rooms-and-mazes", seed=3, size=(41, 31)))


@functools.cache
def here() -> str:
    return sample()


@pytest.mark.long
@pytest.mark.parametrize(
    ("settings", "flags"),
    [
        ({"PYTHONHASHSEED": "0", "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0"}, []),
        ({"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"}, ["-O"]),
        ({"PYTHONHASHSEED": "random"}, ["-OO"]),
        ({"UNDERCROFT_PURE": "1"}, []),
        ({"UNDERCROFT_PURE": "1", "PYTHONHASHSEED": "1"}, ["-O"]),
    ],
    ids=lambda value: " ".join(map(str, value.items() if isinstance(value, dict) else value)) or "-",
)
def test_the_same_bytes_however_python_is_run(settings: dict[str, str], flags: list[str]) -> None:
    code = f"import sys; sys.path.insert(0, {str(TESTS)!r}); from support import digests; "
    code += "from undercroft import kernels; print(digests.sample()); print(any(kernels.list_compiled().values()))"
    done = subprocess.run(
        [sys.executable, *flags, "-c", code],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    out, compiled = done.stdout.splitlines()
    assert out == here()
    if "UNDERCROFT_PURE" in settings:
        assert compiled == "False"


def test_a_second_run_in_one_process_gives_the_same() -> None:
    assert digests.sample() == here()
