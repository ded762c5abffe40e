"""`undercroft batch` of a dungeon recipe: a file for each seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from undercroft.bulk.dungeon_batch import FORMS, DungeonBatch
from undercroft.cli.dungeons.input_dungeon import refuse_options
from undercroft.cli.messages import print_json, print_message, print_output
from undercroft.cli.options import values
from undercroft.cli.output.progress import ProgressBar
from undercroft.errors import BadInput
from undercroft.recipe.dungeon.document import DungeonRecipe
from undercroft.recipe.dungeon.request import DungeonRequest
from undercroft.wording import join_words, plural

LEVEL_OPTIONS = ("dask", "results", "vary", "chunk", "chunk_time")
"""Options of the command that are about batches of levels."""


def batch_dungeons(options: Mapping[str, Any], *, form: str | None) -> int:
    """Make the batch, and print what was done; returns the exit code. `form` is that of `--as`, None if it was not
    given.
    """
    what = options["recipe"]
    refuse_options(what, {f"--{name.replace('_', '-')}": options[name] for name in LEVEL_OPTIONS})
    refuse_options(what, {"--option": options["told"], "--pick best": options["pick"] == "best"})
    if form is not None and form not in FORMS:
        raise BadInput(
            f"a batch of dungeons is written as {join_words(list(FORMS), 'or')}, not {form!r}",
            fix="take one of them, and write floors in other formats: undercroft convert DIR/7.json FLOORS/",
        )
    request = DungeonRequest(
        DungeonRecipe.load(what),
        seed=0,
        size=values.parse_size(options["size"]) if options["size"] else None,
        params=values.parse_settings(options["settings"]),
        until=options["until"],
        tries=options["tries"],
        max_steps=options["max_steps"],
        max_cells=options["max_cells"],
    )
    batch = DungeonBatch(
        request,
        options["out"],
        options["count"],
        first=options["first"],
        measures=values.parse_measures(options["measures"]),
        form=form or FORMS[0],
        workers=options["workers"],
    )
    try:
        with ProgressBar(not options["quiet"], left=True) as bar:
            for done, _ in enumerate(batch, 1):
                bar.show(done, batch.count, "making")
    except KeyboardInterrupt:
        print_message(
            f"interrupted with {plural(batch.made, 'dungeon')} in {batch.folder}; the same command goes on from there"
        )
        return 130
    for reason, count in batch.reasons.items():
        print_message(f"note: {plural(count, 'seed')} of {batch.count:,} without a dungeon: {reason}")
    if options["as_json"]:
        summary = {"dungeons": batch.made, "seeds": batch.count, "were_there": batch.was_there}
        print_json({**summary, "without_a_dungeon": batch.reasons, "folder": str(batch.folder)})
    elif not options["quiet"]:
        earlier = f", {batch.was_there:,} of them were there already" if batch.was_there else ""
        print_output(f"{plural(batch.made, 'dungeon')} in {batch.folder}{earlier}")
    return 0 if batch.made else 1
