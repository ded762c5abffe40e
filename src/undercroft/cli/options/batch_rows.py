"""Batches on a command line: `caves` is the whole batch in that folder, `caves#7` the level of seed 7 in it. Where
parameters vary in steps, `caves#7-2` is the combination 2 of that seed.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from undercroft.cli.messages import print_message
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.inputs.files import is_file, is_folder
from undercroft.version import VERSION

if TYPE_CHECKING:
    from undercroft.bulk.batch.reader import OpenedBatch
    from undercroft.recipe.document import Recipe


ROW_NAME = re.compile(r"(\d{1,20})(?:-(\d{1,9}))?")
"""A seed, and the number of its combination."""


class BatchWord(NamedTuple):
    """A batch, and the level in it that is meant."""

    folder: str
    row: str | None
    """The seed, with its combination if there are several; None for the whole batch."""


def find_batch(word: str) -> BatchWord | None:
    """The batch that a word names; None if it names none. Only folders are looked into, so it costs little."""
    folder, sign, row = word.rpartition("#")
    if is_folder(word):
        found = BatchWord(word, None)
    elif sign and folder and is_folder(folder):
        found = BatchWord(folder, row)
    elif sign and ROW_NAME.fullmatch(row) and not is_file(word):
        raise BadInput(
            f"there is no folder {folder!r}, and {word} names a level of a batch in it",
            fix="name the folder of a batch that is there",
        )
    else:
        return None
    from undercroft.bulk.batch.folder_request import is_batch_folder

    if is_batch_folder(found.folder):
        return found
    if found.row is not None:
        raise BadInput(
            f"{folder} holds no batch", fix="name a folder that undercroft batch has filled, such as caves#7"
        )
    return None


def open_batch_word(found: BatchWord, recipe: Recipe | None = None) -> OpenedBatch:
    """The batch of a word; `recipe` is its own, if the command line names it."""
    from undercroft.bulk.batch.reader import OpenedBatch

    return OpenedBatch(found.folder, recipe)


def parse_row(found: BatchWord, opened: OpenedBatch) -> tuple[int, int]:
    """The seed and the combination of a word."""
    order = opened.order
    example = f"{found.folder}#{order.name_row(order.first)}"
    if found.row is None:
        raise BadInput(
            f"{found.folder} is a batch of {order.row_count:,} levels, and one is needed",
            fix=f"name it by its seed, for example {example}",
        )
    match = ROW_NAME.fullmatch(found.row)
    if not match:
        raise BadInput(
            f"a level of a batch is named by its seed, not by {found.row!r}" if found.row else "no seed is named",
            fix=f"for example {example}",
        )
    if match[2] is None and order.combinations > 1:
        raise BadInput(
            f"the seed {match[1]} has {order.combinations:,} levels in {found.folder}",
            fix=f"name one, from {found.folder}#{match[1]}-0 to {found.folder}#{match[1]}-{order.combinations - 1}",
        )
    return int(match[1]), int(match[2] or 0)


def read_batch_level(found: BatchWord) -> Level:
    """The level of a word: made again, or as the files hold it if another version has made it."""
    opened = open_batch_word(found)
    which = parse_row(found, opened)
    if not can_be_made_again(opened):
        print_message(
            f"note: {found.folder} was made by Undercroft {opened.data['version']}, or by other editions: this is the "
            "level as it is stored"
        )
        return opened.stored_level(*which)
    return opened.level(*which)


def can_be_made_again(opened: OpenedBatch) -> bool:
    """Whether this version and its editions are those that made the batch."""
    return bool(opened.data["version"] == VERSION and opened.data["editions"] == opened.order.request.recipe.editions)


def is_same_folder(one: str, other: str) -> bool:
    """Whether two words name the same folder."""
    return Path(one).resolve() == Path(other).resolve()
