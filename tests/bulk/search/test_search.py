"""Search: what it finds is what one finds by making all levels and looking, with any number of workers."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Generator, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from undercroft.analysis.measures.table import MEASURES, Facts
from undercroft.bulk.search import search_work
from undercroft.bulk.search.search import CACHED_LEVELS, Search, SearchHit, search
from undercroft.bulk.search.search_work import FOUND
from undercroft.bulk.workers import adaptive
from undercroft.bulk.workers.adaptive import AdaptivePool
from undercroft.bulk.workers.in_process import TaskResult, WorkerTrouble, run_pieces_in_process
from undercroft.bulk.workers.pool import WorkerPool
from undercroft.bulk.workers.process import WorkerProcess
from undercroft.core.level import Level
from undercroft.errors import BadInput, Cancelled, NotMet, OutOfBudget
from undercroft.recipe import run
from undercroft.recipe.document import Recipe

SIZE = (30, 16)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave all of the work to the workers, instead of beginning with it here."""

    def here(_paced: AdaptivePool, _messages: Iterator[Any]) -> Generator[TaskResult, None, bool]:
        yield from ()
        return True

    monkeypatch.setattr(AdaptivePool, "_run_in_process", here)


def describe_search(found: Search) -> list[tuple[Any, ...]]:
    """All that a search says."""
    rows: list[tuple[Any, ...]] = [(one.seed, one.attempt, one.params, one.measures) for one in found]
    nearest = found.nearest
    return [
        *rows,
        (
            found.tried,
            found.rejected,
            found.distance,
            nearest and (nearest.seed, nearest.params),
            found.nothing,
            found.poisoned,
            found.tally.lines(),
        ),
    ]


def plain(
    seeds: range, *texts: str, size: tuple[int, int] = SIZE, recipe: str = "cave", **params: Any
) -> list[tuple[int, dict[str, Any]]]:
    """The same by making every level and measuring it."""
    loaded = Recipe.load(recipe)
    wanted = loaded.combine_requirements(texts)
    rows = []
    for seed in seeds:
        level = loaded.generate(seed=seed, size=size, params=params).level
        facts = uc.measure(level, *(one.measure for one in wanted))
        if all(one.holds(facts[one.measure]) for one in wanted):
            rows.append(
                (
                    seed,
                    {name: facts[name] for name in dict.fromkeys(one.measure for one in wanted[len(loaded.require) :])},
                )
            )
    return rows


@pytest.mark.parametrize("texts", [["loops >= 7"], ["loops between 5 and 6", "density > 0.4"], ["path_length >= 45"]])
def test_what_is_found_is_what_is_there(texts: list[str]) -> None:
    wanted = plain(range(150), *texts)
    assert wanted
    assert [(one.seed, one.measures) for one in search("cave", range(150), until=texts, size=SIZE, workers=1)] == wanted
    first = search("cave", range(150), until=texts, size=SIZE, workers=1, take=3)
    assert [(one.seed, one.measures) for one in first] == wanted[:3]
    assert first.tried == wanted[2][0] + 1, "those after the last one are not looked at"


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("recipe", "options"),
    [
        ("cave", {"until": ["loops >= 7", "density < 0.5"], "size": SIZE, "take": 6}),
        ("cave", {"until": ["loops >= 700", "path_length >= 40"], "size": SIZE}),
        (
            "bsp",
            {
                "until": ["12 <= rooms <= 18"],
                "sort": "-path_length",
                "take": 4,
                "vary": {"extra": (0.0, 0.3), "min_rooms": [1, 2]},
                "measures": ["loops"],
            },
        ),
    ],
)
def test_any_number_of_workers_says_the_same(recipe: str, options: dict[str, Any]) -> None:
    answers = [describe_search(search(recipe, range(10, 170), workers=workers, **options)) for workers in (1, 3)]
    assert answers[0] == answers[1]
    assert len(answers[0]) - 1 == options.get("take", 0)


@pytest.mark.processes
def test_workers_take_over_from_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins alone, and its answers go on without a gap when the others are ready."""
    monkeypatch.setattr(adaptive, "START_WORKERS_AFTER_SECONDS", 0.0)
    here, there = 0, 0
    begin, run = run_pieces_in_process, WorkerPool.run

    def counted_here(*args: Any) -> Iterator[TaskResult]:
        nonlocal here
        here += 1
        return begin(*args)

    def counted_there(*args: Any) -> Iterator[TaskResult]:
        nonlocal there
        for done in run(*args):
            there += 1
            yield done

    monkeypatch.setattr(adaptive, "run_pieces_in_process", counted_here)
    monkeypatch.setattr(WorkerPool, "run", counted_there)
    found = search("cave", count(), until="loops >= 5", size=SIZE, workers=2)
    seeds = [one.seed for one in iter(lambda: next(found) if there < 4 else None, None)]
    found.close()
    assert here
    assert there >= 4
    assert seeds == [seed for seed, _ in plain(range(seeds[-1] + 1), "loops >= 5")][: len(seeds)]


@pytest.mark.processes
@pytest.mark.usefixtures("at_once")
def test_a_worker_that_is_killed_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker is killed just after it got a task, six times, and never three times at the same task."""
    options: dict[str, Any] = {"until": "loops >= 10", "size": (120, 60)}
    kills: Counter[int] = Counter()
    give = WorkerProcess.send_task

    def give_and_kill(member: WorkerProcess, number: int, frame: bytes) -> None:
        give(member, number, frame)
        if kills.total() < 6 and kills[number] < 2:
            kills[number] += 1
            member.process.kill()

    monkeypatch.setattr(WorkerProcess, "send_task", give_and_kill)
    answer = describe_search(search("cave", range(600), workers=2, **options))
    assert kills.total() == 6
    monkeypatch.undo()
    assert answer == describe_search(search("cave", range(600), workers=1, **options))


@pytest.mark.processes
@pytest.mark.usefixtures("at_once")
def test_workers_end_when_there_is_enough() -> None:
    looking = search("cave", count(), until="loops >= 1", size=SIZE, workers=2, take=3)
    pids: list[int] = []
    for number, _ in enumerate(looking):
        if number < 2:
            pids = [one.process.pid for one in looking._paced._pool._members] or pids
        else:
            assert looking._paced._pool._members == [], "before the last one is given away"
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    with pytest.raises(StopIteration):
        next(looking)


def test_a_level_is_made_again_from_what_was_found() -> None:
    looking = search(
        "cave",
        range(50),
        until="loops >= 5",
        size=SIZE,
        params={"connect": "nearest"},
        vary={"fill_prob": (0.35, 0.45)},
        workers=1,
    )
    for one in islice(looking, 5):
        assert one.level == uc.generate("cave", seed=one.seed, size=SIZE, connect="nearest", **one.params)
        assert uc.measure(one.level, "loops") == one.measures
        assert (
            repr(one) == f"<Found seed {one.seed}: fill_prob {one.params['fill_prob']}, loops {one.measures['loops']}>"
        )


def test_a_grid_is_tried_whole_with_each_seed() -> None:
    values = [0.35, 0.4, 0.45]
    looking = search("cave", range(4, 7), vary={"fill_prob": values}, measures=["loops"], size=SIZE, workers=1)
    assert looking.total == 9
    assert [(one.seed, one.params["fill_prob"]) for one in looking] == [
        (seed, value) for seed in (4, 5, 6) for value in values
    ]
    looking = search(
        "cave", [4], vary={"fill_prob": values, "nrepeats": [1, 2]}, until="loops >= 0", size=SIZE, workers=1, take=2
    )
    assert [one.params for one in looking] == [{"nrepeats": 1, "fill_prob": 0.35}, {"nrepeats": 2, "fill_prob": 0.35}]
    assert looking.tried == 2


@pytest.mark.parametrize(("sort", "sign"), [("path_length", -1), ("-path_length", 1)])
def test_sorted_ones_are_the_best_of_all(sort: str, sign: int) -> None:
    rows = [
        (uc.measure(uc.generate("cave", seed=seed, size=SIZE), "path_length")["path_length"], seed)
        for seed in range(80)
    ]
    best = sorted(rows, key=lambda row: (sign * row[0], row[1]))  # type: ignore[operator]
    looking = search("cave", range(80), sort=sort, size=SIZE, take=7, workers=1)
    assert [(one.measures["path_length"], one.seed) for one in looking] == best[:7]
    assert [one.seed for one in search("cave", range(80), sort=sort, size=SIZE, workers=1)] == [
        seed for _, seed in best
    ]
    assert looking.tried == 80


def test_levels_without_such_a_number_are_left_out_and_counted() -> None:
    recipe = Recipe.parse('[[step]]\nuse = "noise"\nwall = 0.5', "noise.toml")
    looking = search(recipe, range(3), sort="path_length", size=(8, 8), workers=1)
    assert list(looking) == []
    assert (looking.unsorted, looking.tried) == (3, 3)


def test_the_nearest_one_and_what_failed() -> None:
    looking = search("cave", range(60), until=["loops >= 50", "density < 0.4"], size=SIZE, workers=1)
    assert list(looking) == []
    wanted = Recipe.load("cave").combine_requirements(["loops >= 50", "density < 0.4"])
    levels = [uc.generate("cave", seed=seed, size=SIZE) for seed in range(60)]
    rows = [[one.value_distance(uc.measure(level, one.measure)[one.measure]) for one in wanted] for level in levels]
    distances = [sum(row) for row in rows]
    assert looking.rejected == {
        one.text: sum(row[number] > 0 for row in rows)
        for number, one in enumerate(wanted)
        if any(row[number] for row in rows)
    }
    assert looking.nearest is not None
    assert looking.nearest.seed == distances.index(min(distances))
    assert looking.distance == pytest.approx(min(distances))
    assert looking.nearest.level == levels[looking.nearest.seed]
    assert looking.nearest.measures == uc.measure(looking.nearest.level, "loops", "density")


def test_nothing_to_look_at() -> None:
    looking = search("cave", range(0), until="loops >= 1", workers=2)
    assert (list(looking), looking.nearest, looking.tried, looking.total) == ([], None, 0, 0)


def test_endless_and_huge_ranges_are_no_trouble() -> None:
    huge = search("cave", range(10**18), size=SIZE, workers=1, take=2)
    assert huge.total == 10**18
    assert [one.seed for one in huge] == [0, 1]
    assert search("cave", range(2**64 - 1, -1, -7), workers=1).total == -(-(2**64) // 7)
    assert search("cave", count(), workers=1).total is None
    last = search("cave", range(2**64 - 2, 2**64), size=SIZE, workers=1)
    assert [one.seed for one in last] == [2**64 - 2, 2**64 - 1]
    words: list[int | str] = ["Saint Ossory", 5, "7"]
    assert [one.seed for one in search("cave", iter(words), size=SIZE, workers=1)] == [7947276591100509366, 5, 7]


def test_the_attempt_that_counts_is_the_one_that_generate_gives() -> None:
    """A recipe's own requirements are met by trying again, as `generate` does; those of the search are not."""
    recipe = Recipe.parse('[[step]]\nuse = "noise"\nwall = 0.3\n[require]\nloops = ">= 2"', "noise.toml")
    found = list(search(recipe, range(30), until="density > 0.5", size=(8, 8), workers=1))
    assert any(one.attempt for one in found)
    for one in found:
        result = recipe.generate(seed=one.seed, size=(8, 8))
        assert (one.level, one.attempt) == (result.level, result.attempt)


def test_a_seed_for_which_the_recipe_gives_nothing_is_counted() -> None:
    recipe = Recipe.parse('[[step]]\nuse = "noise"\nwall = 0.9\n[require]\nloops = ">= 3"', "noise.toml")
    looking = search(recipe, range(3), size=(6, 6), workers=1)
    assert list(looking) == []
    assert looking.rejected == {"loops >= 3": 3}
    assert isinstance(looking.nearest and looking.nearest.level, Level)


def test_a_seed_that_takes_too_many_steps_is_counted() -> None:
    looking = search("cave", range(3), size=SIZE, max_steps=500, workers=1)
    assert (list(looking), looking.nothing, looking.tried) == ([], {"took too many steps": 3}, 3)
    looking = search("isaac", range(3), params={"refuse": 0.9999999, "max_tries": 2}, workers=1)
    assert list(looking) == []
    assert looking.tried == 3


def test_a_value_that_a_step_refuses_names_the_seed() -> None:
    with pytest.raises(BadInput, match=r"seed \d+, fill_prob=0.\d+: ") as caught:
        _refusing()
    assert caught.value.fix


def _refusing() -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise BadInput("not so", fix="otherwise")

    looking = search("cave", range(9), vary={"fill_prob": (0.35, 0.4)}, size=SIZE, workers=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_work, "run_request", refuse)
        list(looking)


MISTAKES: list[tuple[str, dict[str, Any]]] = [
    ("unknown recipe 'cavv'", {"recipe": "cavv"}),
    ("unknown measure 'lops'", {"until": "lops >= 2"}),
    ("unknown measure 'lops'", {"measures": ["lops"]}),
    ("unknown measure 'lops'", {"sort": "-lops"}),
    ("no level can be both: 'components == 1' of the recipe and 'components == 2'", {"until": "components == 2"}),
    ("no level can be both: 'loops > 5' and 'loops < 3'", {"until": ["loops > 5", "loops < 3"]}),
    ("sort is a measure, with a minus before it for the smallest first, not '-'", {"sort": "-"}),
    ("sort is a measure, with a minus before it for the smallest first, not None", {"sort": None}),
    ("unknown measure '--loops'", {"sort": "---loops"}),
    ("measures are a list of names, not 'rooms'", {"measures": "rooms"}),
    ("unknown measure '7'", {"measures": [7]}),
    ("a requirement is a text, or several of them in a list, not None", {"until": None}),
    ("fill_prob varies over a list of values or between two ends, not 0.4", {"vary": {"fill_prob": 0.4}}),
    ("memory is a number of bytes, not '2GB'", {"memory": "2GB"}),
    ("memory is a number of bytes, not 0", {"memory": 0}),
    ("take is a whole number from 1, not 0", {"take": 0}),
    ("take is a whole number from 1, not 1.5", {"take": 1.5}),
    ("workers is a whole number from 1, not 0", {"workers": 0}),
    ("seeds are a range or a list, not 7", {"seeds": 7}),
    ("seeds are a range or a list, not '7'", {"seeds": "7"}),
    ("a seed is a whole number from 0 to 2^64-1", {"seeds": range(-1, 5)}),
    ("a seed is a whole number from 0 to 2^64-1", {"seeds": range(2**64 - 3, 2**64 + 3)}),
    ("unknown parameter of cave 'fil'", {"params": {"fil": 1}}),
    ("unknown parameter of cave 'fil'", {"vary": {"fil": [1]}}),
    ("fill_prob is set, and varies", {"params": {"fill_prob": 0.4}, "vary": {"fill_prob": [0.4]}}),
    ("fill_prob is a number from 0 to 1, not 7", {"params": {"fill_prob": 7}}),
    ("a level of 0x4 has no cells", {"size": (0, 4)}),
]


@pytest.mark.parametrize(
    ("problem", "options"), MISTAKES, ids=[f"{problem[:30]} {options}" for problem, options in MISTAKES]
)
def test_mistakes_are_said_before_anything_is_made(
    problem: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_work, "run_request", None)
    with pytest.raises(BadInput) as caught:
        Search(**{"recipe": "cave", "seeds": range(5), **options})
    assert problem in caught.value.problem


def test_a_recipe_that_needs_a_map() -> None:
    recipe = Recipe.parse('begins = ["tiles"]\n[[step]]\nuse = "automaton"', "smooth.toml")
    with pytest.raises(BadInput, match="smooth needs a map to begin with, and a seed gives none"):
        search(recipe, range(3))


RULES = "palette standard\n\none  door, up to 3 times\n    #. -> +.\n"


@pytest.mark.usefixtures("at_once")
def test_files_beside_a_recipe_are_found_by_workers_and_must_not_change(tmp_path: Path) -> None:
    (tmp_path / "door.rules").write_text(RULES)
    (tmp_path / "mine.toml").write_text(
        'size = [20, 10]\n[[step]]\nuse = "noise"\nwall = 0.5\n[[step]]\nuse = "rewrite"\nfile = "door.rules"\n'
    )
    answers = [
        describe_search(search(tmp_path / "mine.toml", range(40), until="doors == 3", workers=workers))
        for workers in (1, 2)
    ]
    assert answers[0] == answers[1]
    assert len(answers[0]) > 10
    for workers in (1, 2):
        (tmp_path / "door.rules").write_text(RULES)
        looking = search(tmp_path / "mine.toml", range(40), workers=workers)
        (tmp_path / "door.rules").write_text(RULES.replace("3", "4"))
        with pytest.raises(BadInput, match="a file that mine reads was changed while the work was going on"):
            list(looking)


@pytest.mark.processes
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.usefixtures("at_once")
def test_cancelling(workers: int) -> None:
    """The seeds are without end, and the search ends."""
    flag = threading.Event()
    with pytest.raises(Cancelled):
        list(
            search(
                "cave",
                count(),
                until="loops >= 1000000",
                workers=workers,
                size=SIZE,
                cancelled=flag.is_set,
                progress=lambda _under_way: flag.set(),
            )
        )
    assert flag.is_set()


def test_progress_is_told_and_never_goes_back() -> None:
    seen: list[int] = []
    looking = search(
        "cave",
        range(200),
        until="loops >= 3",
        size=SIZE,
        workers=1,
        progress=lambda under_way: seen.append(under_way.tried),
    )
    assert len(list(looking)) == len(looking.kept)
    assert seen == sorted(seen)
    assert len(seen) > 3


def test_what_was_given_up_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def poisoned(_pool: Any, tasks: Iterator[Any]) -> Iterator[TaskResult]:
        for number, task in enumerate(tasks):
            yield (
                TaskResult(task, None, 0.0, "SIGSEGV")
                if number == 1
                else TaskResult(task, [[FOUND, 0, [7]]] * len(task), 0.01)
            )

    monkeypatch.setattr(WorkerPool, "run", poisoned)
    looking = search("cave", range(9), until="loops >= 7", workers=1)
    seeds = [one.seed for one in looking]
    assert looking.poisoned == [([(seed, 0) for seed in range(1, 9) if seed not in seeds], "SIGSEGV")]
    assert looking.tried == len(seeds) < 9


def test_it_is_exported() -> None:
    assert uc.search is search
    assert "search" in uc.__all__
    assert isinstance(next(uc.search("cave", range(3), workers=1)), SearchHit)
    assert issubclass(WorkerTrouble, uc.UndercroftError)
    assert not issubclass(WorkerTrouble, NotMet)


def dear(name: str, problem: type[Exception] = OutOfBudget) -> Any:
    """A measure that cannot be taken of odd seeds."""

    def of(facts: Facts) -> int:
        if int(facts.given.provenance["seed"]) % 2:
            raise problem("too much")
        return 4

    return MEASURES[name]._replace(of=of)


@pytest.mark.parametrize("problem", [OutOfBudget, BadInput])
def test_a_measure_that_is_only_shown_decides_nothing(
    problem: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MEASURES.own, "doors", dear("doors", problem))
    looking = search("cave", range(4), until="loops >= 0", measures=["doors", "density"], size=SIZE, workers=1)
    found = list(looking)
    assert [one.seed for one in found] == [0, 1, 2, 3]
    assert [one.measures["doors"] for one in found] == [4, None, 4, None]
    assert all(one.measures["density"] for one in found)
    assert looking.nothing == {}


def test_what_is_sorted_or_required_by_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MEASURES.own, "doors", dear("doors"))
    for options in ({"sort": "doors"}, {"until": "doors >= 1"}):
        looking = search("cave", range(4), size=SIZE, workers=1, **options)
        assert [one.seed for one in looking] == [0, 2]
        assert looking.nothing == {"took too many steps to measure": 2}
    monkeypatch.setitem(MEASURES.own, "doors", dear("doors", BadInput))
    looking = search("cave", range(4), sort="doors", size=SIZE, workers=1)
    assert [one.seed for one in looking] == [0, 2]
    assert (looking.unsorted, looking.nothing) == (2, {})


def test_shown_measures_have_a_budget_of_their_own() -> None:
    names = ["diameter", "longest_path", "choke_points", "loops", "path_length"]
    plain = list(search("cave", range(6), until="density > 0", size=SIZE, max_steps=8000, workers=1))
    shown = list(search("cave", range(6), until="density > 0", measures=names, size=SIZE, max_steps=8000, workers=1))
    assert [one.seed for one in shown] == [one.seed for one in plain]
    assert plain
    for one in shown:
        assert one.measures == uc.measure(one.level, "density", *names)


def test_levels_that_were_looked_at_do_not_stay_in_memory() -> None:
    looking = uc.search("cave", range(40), size=(20, 10), workers=1)
    seen = [found.level for found in looking]
    assert len(seen) == len(looking.kept) == 40
    assert looking.level_of.cache_info().currsize == CACHED_LEVELS < 40
    assert looking.kept[39].level is seen[39], "looked at twice, made once"
    assert looking.kept[0].level == seen[0]


HOPELESS = '[[step]]\nuse = "noise"\n[require]\ncomponents = "> 9000"\n'


@pytest.mark.parametrize(("tries", "made"), [({}, 10), ({"tries": 3}, 3), ({"tries": 100}, 100)])
def test_a_hopeless_seed_takes_as_many_attempts_as_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, tries: dict[str, int], made: int
) -> None:
    numbers: list[int] = []
    make = run._make_attempt

    def make_and_count(*args: Any) -> Any:
        numbers.append(args[2])
        return make(*args)

    monkeypatch.setattr(run, "_make_attempt", make_and_count)
    recipe = Recipe.parse(HOPELESS, "hopeless.toml")
    found = search(recipe, [7], size=(12, 9), workers=1, **tries)
    assert list(found) == []
    assert numbers == list(range(made))
    assert found.tried == 1


@pytest.mark.parametrize("after", [0, 1, 4, 5, 9])
def test_a_stopped_search_knows_its_finished_seeds(after: int) -> None:
    """Seeds that are finished, whatever varies; the others make the same hits as an unstopped search."""
    seeds, options = (
        range(60, 160),
        {"until": "loops >= 6", "size": SIZE, "workers": 1, "vary": {"nrepeats": [3, 4, 5]}},
    )
    whole = [repr(hit) for hit in search("cave", seeds, **options)]
    stopped = search("cave", seeds, **options)
    first = list(islice(stopped, after))
    stopped.close()
    left = seeds[stopped.finished_seeds :]
    before = [repr(hit) for hit in first if hit.seed not in left]
    assert before + [repr(hit) for hit in search("cave", left, **options)] == whole
    assert len(first) - len(before) < 3, "at most the combinations of one seed are made again"
