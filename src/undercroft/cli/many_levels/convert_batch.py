"""`undercroft convert FOLDER OUT`: write all levels of a batch into another folder, in another format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from undercroft.cli.messages import print_message
from undercroft.cli.options.batch_rows import BatchWord, can_be_made_again, is_same_folder, open_batch_word
from undercroft.cli.options.output_files import (
    OutputTarget,
    describe_losses,
    encode_outputs,
    resolve_outputs,
    write_outputs,
)
from undercroft.cli.output.progress import ProgressBar
from undercroft.errors import BadInput, FileTrouble
from undercroft.inputs.files import describe_os_error
from undercroft.wording import plural

if TYPE_CHECKING:
    from undercroft.bulk.batch.reader import OpenedBatch


def convert_batch(found: BatchWord, target: str, format_name: str | None, **said: Any) -> None:
    """Convert all levels of a batch; their files are named by their seeds."""
    opened = open_batch_word(found)
    example = f"{found.folder}#{opened.order.name_row(opened.order.first)}"
    if format_name is None:
        raise BadInput(
            f"{found.folder} is a batch of {opened.order.row_count:,} levels, and no format is named for their files",
            fix=f"name a folder and a format: undercroft convert {found.folder} maps --format tmx; or take one level, "
            f"{example}",
        )
    from undercroft import formats
    from undercroft.bulk.batch.level_files import resolve_suffix

    suffix = resolve_suffix(formats.resolve_format(format_name).name)
    if target == "-" or is_same_folder(target, found.folder):
        raise BadInput(f"the levels cannot be written to {target}", fix="name another folder for them")
    (row,) = resolve_outputs([f"x{suffix}"], format_name, **said)
    try:
        Path(target).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileTrouble(
            f"cannot make the folder {target}: {describe_os_error(error)}", fix="name another place"
        ) from error
    count = _write_levels(opened, Path(target), row, suffix)
    print_message(f"{plural(count, 'level')} written to {target}")


def _write_levels(opened: OpenedBatch, folder: Path, row: OutputTarget, suffix: str) -> int:
    order, count = opened.order, 0
    digits, more = order.digits, len(str(order.combinations - 1))
    read = opened.level if can_be_made_again(opened) else opened.stored_level
    with ProgressBar(True) as bar:
        for seed, combination in _list_levels(opened):
            level = read(seed, combination)
            name = f"{seed:0{digits}}" + (f"-{combination:0{more}}" if order.combinations > 1 else "")
            target = row._replace(path=str(folder / f"{name}{suffix}"))
            write_outputs(encode_outputs(level, [target]))
            if not count:
                for note in describe_losses(level, [target], many=True):
                    print_message(f"note: {note}")
            count += 1
            bar.show(count, order.row_count, "writing")
    return count


def _list_levels(opened: OpenedBatch) -> Iterator[tuple[int, int]]:
    """The seeds and combinations that have a level."""
    for place, row in enumerate(opened.rows("seed", "problem")):
        if row["problem"] is None:
            yield row["seed"], place % opened.order.combinations
