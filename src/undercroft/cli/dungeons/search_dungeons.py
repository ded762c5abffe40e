"""`undercroft search` of a dungeon recipe: seeds whose dungeons meet requirements."""

from __future__ import annotations

import bisect
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from undercroft.analysis.measures.table import DUNGEON_MEASURES, Number, check_measures
from undercroft.analysis.requirements import Requirement
from undercroft.analysis.tally import RequirementTally, Verdict
from undercroft.bulk.dungeon_rows import DEFAULT_MEASURES, DungeonRow, make_rows
from undercroft.cli.dungeons.input_dungeon import refuse_options
from undercroft.cli.messages import print_json, print_message, print_output
from undercroft.cli.options import values
from undercroft.cli.output.progress import ProgressBar
from undercroft.cli.output.search_commands import format_value
from undercroft.errors import BadInput
from undercroft.recipe.dungeon.document import DungeonRecipe
from undercroft.recipe.dungeon.request import DungeonRequest
from undercroft.wording import plural


class _Search(NamedTuple):
    """A search, as far as it came."""

    kept: list[DungeonRow]
    tally: RequirementTally[DungeonRow]
    reasons: dict[str, int]
    """How many seeds have no dungeon, by reason."""
    measures: tuple[str, ...]


def search_dungeons(options: Mapping[str, Any]) -> int:
    """Search, and print what was found; returns the exit code."""
    recipe = DungeonRecipe.load(options["recipe"])
    refuse_options(options["recipe"], {"--vary": options["vary"], "--sheet": options["sheet"]})
    if options["take"] < 1:
        raise BadInput(f"--take is a whole number from 1, not {options['take']}", fix="for example --take 5")
    wanted = recipe.combine_requirements(options["until"])
    by = options["sort"].removeprefix("-")
    named = check_measures(values.parse_measures(options["measures"]), DUNGEON_MEASURES)
    asked = [one.measure for one in wanted if one not in recipe.require]
    measures = tuple(dict.fromkeys((*check_measures([by] if by else [], DUNGEON_MEASURES), *asked, *named)))
    measures = measures or DEFAULT_MEASURES
    request = DungeonRequest(
        recipe,
        seed=0,
        size=values.parse_size(options["size"]) if options["size"] else None,
        params=values.parse_settings(options["settings"]),
        tries=options["tries"],
        max_steps=options["max_steps"],
        max_cells=options["max_cells"],
    )
    request.check_floors(measures)
    search = _Search([], RequirementTally([one for one in wanted if one not in recipe.require]), {}, measures)
    interrupted = False
    try:
        _run(search, request, options, by)
    except KeyboardInterrupt:
        interrupted = True
    return _print_results(search, options, interrupted=interrupted)


def _run(search: _Search, request: DungeonRequest, options: Mapping[str, Any], by: str) -> None:
    """Try the seeds in order: until there are enough, or all of them if the best are wanted."""
    seeds = values.parse_seeds(options["seeds"], limited=False)
    smallest = options["sort"].startswith("-")

    def rank(row: DungeonRow) -> float:
        value = row.numbers[by]
        assert value is not None
        return value if smallest else -value

    with ProgressBar(not options["quiet"], left=True) as bar:
        for row in make_rows(request, seeds, search.measures, workers=options["workers"]):
            if row.reason:
                search.reasons[row.reason] = search.reasons.get(row.reason, 0) + 1
            elif search.tally.add(_judge(row.numbers, search.tally.requirements), row):
                if not by:
                    search.kept.append(row)
                elif row.numbers[by] is not None:
                    bisect.insort_right(search.kept, row, key=rank)
                    del search.kept[options["take"] :]
            bar.show(_count_tried(search), seeds.stop - seeds.start, f"{len(search.kept):,} found")
            if not by and len(search.kept) == options["take"]:
                return


def _judge(numbers: Mapping[str, Number], requirements: Sequence[Requirement]) -> Verdict:
    found = [numbers[requirement.measure] for requirement in requirements]
    failed = [index for index, one in enumerate(requirements) if not one.holds(found[index])]
    missing = [index for index in failed if found[index] is None]
    return Verdict(failed, missing, sum((requirements[index].value_distance(found[index]) for index in failed), 0.0))


def _count_tried(search: _Search) -> int:
    return search.tally.tried + sum(search.reasons.values())


def _print_results(search: _Search, options: Mapping[str, Any], *, interrupted: bool) -> int:
    found, tried = search.kept, _count_tried(search)
    if options["as_json"]:
        print_json(
            {
                "recipe": options["recipe"],
                "tried": tried,
                "found": [{"seed": str(row.seed), "attempt": row.attempt, "measures": row.numbers} for row in found],
                "rejected": search.tally.rejected,
                "without_a_dungeon": search.reasons,
                "interrupted": interrupted,
            }
        )
    elif found:
        rows = [["seed", *search.measures]]
        rows += [[str(row.seed), *map(format_value, row.numbers.values())] for row in found]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            print_output("  ".join(f"{word:>{width}}" for word, width in zip(row, widths, strict=True)))
    for reason, count in search.reasons.items():
        print_message(f"note: {count:,} of {plural(tried, 'seed')} without a dungeon: {reason}")
    if interrupted:
        print_message(f"interrupted after {plural(tried, 'dungeon')}; {len(found):,} found")
        return 130
    if not found:
        nearest = search.tally.nearest
        lines = [f"no dungeon of {tried:,} is as required", *(f"    {line}" for line in search.tally.lines())]
        if nearest is not None:
            numbers = ", ".join(f"{name} {format_value(value)}" for name, value in nearest.numbers.items())
            lines.append(f"    nearest: seed {nearest.seed}, off by {search.tally.distance:.2g}: {numbers}")
        print_message("\n".join([*lines, "  fix: ask for less, set parameters, or look at more --seeds"]))
        return 1
    if not options["quiet"]:
        print_message(
            f"{len(found):,} found in {plural(tried, 'dungeon')}; to see the first: "
            f"{_format_generate_command(options, found[0])}"
        )
    return 0


def _format_generate_command(options: Mapping[str, Any], row: DungeonRow) -> str:
    words = ["undercroft", "generate", options["recipe"], "--seed", str(row.seed)]
    words += ["--size", options["size"]] if options["size"] else []
    for setting in options["settings"]:
        words += ["--set", setting]
    words += ["--attempt", str(row.attempt)] if row.attempt else []
    return shlex.join(words)
