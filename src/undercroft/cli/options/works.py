"""Works that a command line names: a file with `--from`, a link with `--link`."""

from __future__ import annotations

from pathlib import Path

from undercroft import limits
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.detect import is_work
from undercroft.inputs import files
from undercroft.inputs.lines import decode_utf8
from undercroft.works.level_work import LevelWork, read_work


def read_named_work(file: str | None, link: str | None) -> LevelWork | None:
    """The work that a command line names; None if it names none, or a file that holds something else."""
    if link is not None:
        if file is not None:
            raise BadInput("--from and --link both say what to make", fix="leave one of them out")
        from undercroft.works.link import read_link  # only needed for a link

        return read_link(link)
    return None if file is None else read_work_file(file)


def read_work_file(file: str) -> LevelWork | None:
    """The work in a file; None if it is a file of another kind."""
    if Path(file).suffix.casefold() != ".json" or not files.is_file(file):
        return None
    data = files.read_bytes(file, limits.JSON_BYTES)
    return read_work(decode_utf8(data, file, "save the file as UTF-8"), file) if is_work(data, file) else None


def build_map(work: LevelWork, options: dict[str, object]) -> Level:
    """The level of a work on a map that was made elsewhere: there is nothing to generate. `options` are those that
    would say how; none may be given.
    """
    assert work.map is not None
    for name, value in options.items():
        if value:
            raise BadInput(
                f"{work.file} holds a map that was made elsewhere, so {name} has nothing to act on",
                fix=f"leave {name} out",
            )
    return work.by_hand.apply(work.map)
