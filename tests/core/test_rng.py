from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from undercroft.core.rng import MASK64, PROBABILITY_ONE, Rng, seed_number, threshold
from undercroft.errors import BadInput
from undercroft.kernels import buffer, carve, load_plain

BOTH: list[tuple[Any, Callable[[Any], Any]]] = [(carve, buffer), (load_plain("carve"), memoryview)]
PUBLISHED = [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]
"""The first numbers of pcg32-demo, seeded with 42 and 54."""

BOUNDS = [
    1,
    2,
    3,
    5,
    6,
    7,
    10,
    64,
    100,
    1000,
    65535,
    65536,
    65537,
    1_000_003,
    2**31 - 1,
    2**31,
    2**31 + 1,
    3 * 2**30,
    2**32 - 2,
    2**32 - 1,
]


def far_off(counts: list[int], expected: list[float]) -> bool:
    """A chi-square test that a fair generator fails once in ten million times (Wilson and Hilferty's approximation)."""
    degrees = len(counts) - 1
    value = sum((count - want) ** 2 / want for count, want in zip(counts, expected, strict=True))
    z = ((value / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / (2 / (9 * degrees)) ** 0.5
    return bool(z > 5.2)


def test_the_published_vector() -> None:
    rng = Rng(42, 54)
    assert [rng.next() for _ in range(6)] == PUBLISHED


def test_the_published_vector_in_kernels() -> None:
    for module, wrap in BOTH:
        out = np.zeros(6, np.uint32)
        module.fill_draws(Rng(42, 54).state, 0, wrap(out))
        assert out.tolist() == PUBLISHED


@pytest.mark.parametrize("bound", [0, *BOUNDS])
def test_kernels_and_python_draw_the_same(bound: int) -> None:
    ours, compiled, interpreted = Rng(7, bound), Rng(7, bound), Rng(7, bound)
    here = [ours.below(bound) if bound else ours.next() for _ in range(400)]
    out, slow = np.zeros(400, np.uint32), np.zeros(400, np.uint32)
    carve.fill_draws(compiled.state, bound, buffer(out))
    BOTH[1][0].fill_draws(interpreted.state, bound, BOTH[1][1](slow))
    assert here == out.tolist() == slow.tolist()
    assert ours.state == compiled.state == interpreted.state


def test_python_and_kernels_take_turns_on_one_stream() -> None:
    rng, twin = Rng.root(3), Rng.root(3)
    out = np.zeros(5, np.uint32)
    mixed = []
    for _ in range(4):
        mixed.append(rng.next())
        carve.fill_draws(rng.state, 0, buffer(out))
        mixed += out.tolist()
    assert mixed == [twin.next() for _ in range(24)]


@given(st.integers(0, MASK64), st.integers(1, PROBABILITY_ONE))
def test_below_stays_below(state: int, bound: int) -> None:
    rng = Rng(state, 1)
    assert all(0 <= rng.below(bound) < bound for _ in range(20))


def test_below_draws_again_rather_than_favour_small_numbers() -> None:
    """With a bound of 3 * 2^30, a quarter of all draws must be thrown away: without that, every third number comes
    twice as often.
    """
    rng = Rng.root(1)
    counts = Counter(rng.below(3 << 30) % 3 for _ in range(30_000))
    assert not far_off([counts[part] for part in range(3)], [10_000.0] * 3)
    rng, drawn, draws = Rng.root(1), Rng.root(1), 0
    for _ in range(1000):
        rng.below(3 << 30)
    while drawn.state != rng.state:
        drawn.next()
        draws += 1
    assert 1250 < draws < 1420


@pytest.mark.parametrize("bound", [2, 3, 7, 10, 100])
def test_below_is_even(bound: int) -> None:
    out = np.zeros(100_000, np.uint32)
    carve.fill_draws(Rng.root(bound).state, bound, buffer(out))
    assert not far_off(np.bincount(out, minlength=bound).tolist(), [100_000 / bound] * bound)


def test_the_chi_square_test_itself_can_fail() -> None:
    assert far_off([1100, 900], [1000.0, 1000.0]) is False
    assert far_off([1200, 800], [1000.0, 1000.0])


@pytest.mark.parametrize("bound", [0, -1, PROBABILITY_ONE + 1])
def test_below_refuses(bound: int) -> None:
    with pytest.raises(BadInput, match="below"):
        Rng.root(1).below(bound)


def test_chance() -> None:
    rng = Rng.root(5)
    assert all(rng.chance(1.0) for _ in range(1000))
    assert not any(rng.chance(0.0) for _ in range(1000))
    assert 2850 < sum(rng.chance(0.3) for _ in range(10_000)) < 3150


def test_chance_at_its_edge() -> None:
    """A draw that is equal to the threshold is not below it."""
    for seed in range(20):
        value = Rng.root(seed).next()
        assert not Rng.root(seed).chance(value / PROBABILITY_ONE)
        assert Rng.root(seed).chance((value + 1) / PROBABILITY_ONE)


def test_chance_takes_one_draw_whatever_the_probability() -> None:
    states = set()
    for probability in (0.0, 0.3, 1.0):
        rng = Rng.root(5)
        rng.chance(probability)
        states.add(rng.state[0])
    assert len(states) == 1


@pytest.mark.parametrize("probability", [-0.01, 1.01, float("nan"), float("inf")])
def test_no_probability(probability: float) -> None:
    with pytest.raises(BadInput, match="from 0 to 1"):
        threshold(probability)


def test_between_includes_both() -> None:
    rng = Rng.root(9)
    assert {rng.between(-2, 3) for _ in range(200)} == set(range(-2, 4))
    assert rng.between(4, 4) == 4


def test_shuffle_gives_every_order_alike() -> None:
    rng = Rng.root(2)
    counts: Counter[str] = Counter()
    for _ in range(24_000):
        items = list("abcd")
        rng.shuffle(items)
        counts["".join(items)] += 1
    orders = ["".join(order) for order in permutations("abcd")]
    assert counts.keys() == set(orders)
    assert not far_off([counts[order] for order in orders], [1000.0] * 24)


def test_shuffle_of_little() -> None:
    empty: list[int] = []
    Rng.root(1).shuffle(empty)
    one = [1]
    Rng.root(1).shuffle(one)
    assert (empty, one) == ([], [1])


def test_choose_is_even() -> None:
    rng = Rng.root(4)
    counts = Counter(rng.choose("abcde") for _ in range(10_000))
    assert not far_off([counts[sign] for sign in "abcde"], [2000.0] * 5)


def test_weighted() -> None:
    rng = Rng.root(8)
    counts = Counter(rng.weighted_index([1, 0, 3, 6, 0]) for _ in range(10_000))
    assert counts.keys() == {0, 2, 3}
    assert not far_off([counts[0], counts[2], counts[3]], [1000.0, 3000.0, 6000.0])


@pytest.mark.parametrize("weights", [[], [0, 0], [1, -1]])
def test_no_weights(weights: list[int]) -> None:
    with pytest.raises(BadInput, match="weights"):
        Rng.root(1).weighted_index(weights)


def first(rng: Rng) -> list[int]:
    return [rng.next() for _ in range(8)]


def test_a_stream_does_not_depend_on_draws_nor_on_other_streams() -> None:
    rng = Rng.root(7)
    before = first(rng.stream("rooms"))
    rng.next()
    rng.stream("maze").next()
    first(rng.stream("rooms"))
    assert first(rng.stream("rooms")) == before


def test_taking_a_stream_moves_nothing() -> None:
    rng, twin = Rng.root(7), Rng.root(7)
    rng.stream("rooms").next()
    assert first(rng) == first(twin)


def test_streams_differ() -> None:
    names = ["", "a", "b", "ab", "rooms", "rooms#2", "Rooms", "ü", "maze" * 50]
    roots = [Rng.root(seed, attempt) for seed in (0, 1, 2, MASK64) for attempt in (0, 1, 2)]
    streams = [
        tuple(first(stream))
        for root in roots
        for stream in [root, *map(root.stream, names), root.stream("a").stream("b")]
    ]
    assert len(set(streams)) == len(streams)


def test_streams_have_not_moved() -> None:
    """Numbers that all seeds of all users hang on."""
    assert Rng.root(7).stream("rooms").next() == 1517349387
    assert Rng.root(7, attempt=3).stream("maze#2").next() == 1934282106


@pytest.mark.parametrize(
    ("seed", "number"),
    [
        (0, 0),
        (7, 7),
        ("7", 7),
        (" 7 ", 7),
        ("007", 7),
        (MASK64, MASK64),
        (str(MASK64), MASK64),
        ("Saint Ossory", 7947276591100509366),
    ],
)
def test_seed_numbers(seed: int | str, number: int) -> None:
    assert seed_number(seed) == number


def test_text_seeds() -> None:
    assert seed_number("é") == seed_number(unicodedata.normalize("NFD", "é"))
    assert seed_number(" cave ") == seed_number("cave") != seed_number("Cave")
    for text in (str(MASK64 + 1), "-1 floor", "--", "- 7", "+1", "1.0", "0x7", "٧", "²", "1_0", "9" * 5000):
        assert 0 <= seed_number(text) <= MASK64
    assert seed_number("٧") != 7


@pytest.mark.parametrize("seed", ["", "  ", -1, MASK64 + 1, 1.0, True, None, b"7"])
def test_no_seed(seed: object) -> None:
    with pytest.raises(BadInput, match="seed"):
        seed_number(seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, "-1", " -1 ", np.int64(-1)])
def test_a_negative_number_is_no_seed_also_as_text(seed: int | str) -> None:
    with pytest.raises(BadInput, match=r"^a seed is a whole number from 0 to 2\^64-1 or any text, not -1\n  fix: "):
        seed_number(seed)


def test_half_a_character_is_no_seed() -> None:
    """So a command line in another encoding hands over its bytes."""
    with pytest.raises(BadInput, match="seed"):
        seed_number("caf\udce9")


def test_a_stream_is_seeded_when_it_is_drawn_from_as_if_it_were_at_once() -> None:
    for seed in range(50):
        late = Rng.root(seed).stream("rooms")
        at_once = Rng(int.from_bytes(late.key[:8], "little"), int.from_bytes(late.key[8:], "little"), late.key)
        assert late.stream("doors").key == at_once.stream("doors").key
        assert list(late.state) == list(at_once.state)
        assert [late.next() for _ in range(3)] == [at_once.next() for _ in range(3)]
    with pytest.raises(AttributeError, match="seed"):
        getattr(late, "seed")  # noqa: B009 - Rng has none
