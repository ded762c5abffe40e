"""Two recipes are compared at the same size, or it is said."""

from __future__ import annotations

import pytest

from undercroft import cli

ASK = ["measure", "cave", "loops", "--seeds", "0..1", "--compare", "rooms-and-mazes", "--workers", "1"]


def test_recipes_of_different_sizes_are_said_so(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert cli.run(ASK) == 0
    assert (
        capfdbinary.readouterr().err
        == b"undercroft: note: cave is 60x30 and rooms-and-mazes is 81x31; --size sets both\n"
    )
    assert cli.run([*ASK, "--size", "41x21"]) == 0
    assert capfdbinary.readouterr().err == b""
