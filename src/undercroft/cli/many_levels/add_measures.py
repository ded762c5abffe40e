"""`undercroft measure FOLDER MEASURE... --add`: give a batch further measures."""

from __future__ import annotations

from undercroft.cli.messages import print_message
from undercroft.cli.output.progress import ProgressBar
from undercroft.wording import plural


def add_measures_to_batch(folder: str, measures: tuple[str, ...], *, workers: int | None, quiet: bool) -> int:
    """Add the measures; returns the exit code."""
    from undercroft.bulk.batch.batch import Batch
    from undercroft.bulk.batch.reader import OpenedBatch

    order = OpenedBatch(folder).order
    batch = Batch(order.with_measures((*order.measures, *measures)), folder, workers=workers)
    with ProgressBar(not quiet, left=True) as bar:
        try:
            for _ in batch:
                bar.show(batch.done, batch.total, "measuring")
        except KeyboardInterrupt:
            batch.close()
            print_message(
                f"interrupted with {plural(batch.extended, 'level')} measured; the same command goes on from there"
            )
            return 130
    if not quiet:
        added = ", ".join(name for name in batch.order.measures if name not in order.measures)
        done = (
            f"{added} added to {plural(batch.extended, 'level')} in {folder}" if added else f"{folder} has them already"
        )
        print_message(done + (f"; {plural(batch.made_count, 'level')} made" if batch.made_count else ""))
    return 3 if batch.poisoned else 0
