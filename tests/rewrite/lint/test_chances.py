"""Lint warns where a chance, a result or a limit means less than it says, and each warning is true of the engine."""

from __future__ import annotations

import pytest

from undercroft.core.level import Level
from undercroft.rewrite.rules import Rules


def traps(text: str) -> list[tuple[str, str]]:
    found = Rules.parse(text, "x.rules").lint((9, 9))
    return [(finding.severity, finding.problem) for finding in found if finding.kind == "chance"]


@pytest.mark.parametrize(
    ("text", "severity", "words"),
    [
        ("one  drip, once\n    . -> ~, chance 20%", "warning", "the chance of 'drip' has no effect"),
        ("one  drip, pick by first\n    . -> ~, chance 20%\n    , -> #", "warning", "its node takes the first match"),
        ("all  drip\n    . -> ~, chance 20%", "warning", "the chance of 'drip' only delays"),
        ("parallel  drip\n    . -> ~, chance 20%", "warning", "the chance of 'drip' only delays"),
        ("one  drip\n    . -> . | ~", "warning", "the result of 'drip' that changes nothing only delays"),
        ("all  drip\n    . -> . | ~", "warning", "the result of 'drip' that changes nothing only delays"),
        (
            "sequence\n    markov  grow\n        one  seed, once\n            . -> ~\n        one  ~. -> ~~",
            "note",
            "this markov starts again when it is done, and then 'seed' may act once more",
        ),
    ],
)
def test_a_trap_is_told(text: str, severity: str, words: str) -> None:
    [(found, problem)] = traps(text)
    assert found == severity
    assert words in problem


@pytest.mark.parametrize(
    "text",
    [
        "all  drip, once\n    . -> ~, chance 20%",
        "all  drip, up to 3 times\n    . -> . | ~",
        "one  drip, once\n    . -> ~, chance 20%\n    . -> #",
        "all  drip\n    . -> ~, chance 20%\n    . -> #, chance 30%",
        "markov  grow\n    one  seed, once\n        . -> ~\n    one  ~. -> ~~",
        "sequence\n    markov  grow, once\n        one  seed, once\n            . -> ~\n        one  ~. -> ~~",
        "repeat  3 times\n    one  seed, once\n        . -> ~",
    ],
)
def test_what_means_what_it_says_is_no_trap(text: str) -> None:
    assert traps(text) == []


@pytest.mark.parametrize(
    "text", ["all  drip\n    . -> ~, chance 20%", "one  drip\n    . -> . | ~", "one  drip\n    . -> ~, chance 1%"]
)
def test_what_only_delays_gives_the_same_map_in_the_end(text: str) -> None:
    assert traps(text)
    for seed in range(20):
        assert str(Rules.parse(text, "x.rules").apply(Level.parse("..#.."), seed)) == "~~#~~"
