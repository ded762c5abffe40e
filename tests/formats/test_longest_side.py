"""No map has a longer side than the limit, whatever file it comes from."""

from __future__ import annotations

import numpy as np
import pytest

from undercroft import formats
from undercroft.core.level import Level
from undercroft.errors import BadInput, TooBig
from undercroft.formats import FORMATS
from undercroft.limits import SIDE, Limit

LONGEST = 300
WIDE, HIGH = (Level(np.zeros(shape, np.uint8)) for shape in ((1, LONGEST + 1), (LONGEST + 1, 1)))
WRITTEN_AND_READ = [name for name, row in FORMATS.items() if row.load is not None and row.dump is not None]
HELD_BY_PIXELS = {"png:tiles": "a picture has a limit of its own, which is shorter"}


@pytest.mark.parametrize("level", [WIDE, HIGH], ids=["wide", "high"])
@pytest.mark.parametrize("name", WRITTEN_AND_READ)
def test_a_side_beyond_the_limit_is_refused(name: str, level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in HELD_BY_PIXELS:
        pytest.skip(HELD_BY_PIXELS[name])
    data = formats.dump(level, name)
    assert max(formats.loads(data, name).size) >= LONGEST
    monkeypatch.setattr("undercroft.limits.SIDE", Limit(SIDE.name, LONGEST, SIDE.reason, SIDE.raise_by))
    with pytest.raises((TooBig, BadInput)) as caught:
        formats.loads(data, name)
    assert f"{LONGEST}" in str(caught.value) or "out of range" in caught.value.problem
    assert caught.value.fix


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("csv", b"wall," * SIDE.value + b"wall"),
        ("csv", b"wall\n" * (SIDE.value + 1)),
        ("csv", b"0," * SIDE.value + b"0,0"),
        ("text", b"#" * (SIDE.value + 1)),
        ("text", b"#\n" * (SIDE.value + 1)),
        ("text:grid", b"0" * (SIDE.value + 1)),
    ],
)
def test_the_limit_itself(name: str, data: bytes) -> None:
    with pytest.raises(TooBig, match=r"1,048,57[78]"):
        formats.loads(data, name)
