"""The closing report of `undercroft batch`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from undercroft.cli.messages import print_message
from undercroft.errors import UndercroftError

if TYPE_CHECKING:
    from undercroft.bulk.batch.batch import Batch
    from undercroft.bulk.report.report import Report


def write_closing_report(batch: Batch) -> Report | None:
    """Build the report on the folder of a batch, and write its page there. Returns None, after a note, if that fails:
    the batch is complete anyway.
    """
    from undercroft.bulk.batch.reader import OpenedBatch
    from undercroft.bulk.report.report import build_report

    try:
        found = build_report(OpenedBatch(batch.folder.path, batch.order.request.recipe), batch)
    except Exception as error:  # noqa: BLE001 - a failing report must not lose the batch
        _print_failure(error)
        return None
    try:
        found.save()
    except Exception as error:  # noqa: BLE001
        _print_failure(error)
    return found


def _print_failure(error: Exception) -> None:
    if os.environ.get("UNDERCROFT_DEBUG") == "1":
        raise error
    why = error.problem.partition("\n")[0] if isinstance(error, UndercroftError) else f"{type(error).__name__}: {error}"
    print_message(f"note: the batch is whole, but there is no report.html: {why}")
