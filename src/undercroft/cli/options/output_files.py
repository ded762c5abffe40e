"""The output files of a command: their formats and options, what they lose, and their bytes, all encoded before
anything is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from undercroft import formats
from undercroft.cli.options import values
from undercroft.cli.stdio import check_stdout, resolve_format, write_stdout
from undercroft.core.level import Level
from undercroft.errors import BadInput, unknown_name_error
from undercroft.formats import Format
from undercroft.formats.shared.drawn_texts import list_drawn_texts
from undercroft.formats.table import FILE_OPTIONS
from undercroft.inputs import files
from undercroft.wording import join_words

if TYPE_CHECKING:
    from undercroft.draw.tileset.user_tileset import UserTileset

Command = TypeVar("Command", bound=Callable[..., Any])
MAX_UNMAPPED = 8
"""The most tiles that a note names."""
PART_DESCRIPTIONS = {
    "origin": "how it was made",
    "layers": "further layers",
    "ends": "start and end",
    "palette": "the palette",
}


def picture_options(command: Command) -> Command:
    """The options for pictures, for every command that writes some."""
    for option in (
        click.option("--paper", metavar="NAME", help="The paper of PDF files: a4, a3, letter or tabloid."),
        click.option(
            "--option",
            "options",
            metavar="NAME=VALUE",
            multiple=True,
            help="Set an option of a format, such as encoding=zlib; repeatable.",
        ),
        click.option(
            "--cell",
            type=click.IntRange(min=1),
            metavar="N",
            help="Pixels a cell of pictures; by default, it depends on the size.",
        ),
        click.option("--hide", metavar="PARTS", help="Parts that pictures leave out, such as 'grid,title'."),
        click.option(
            "--show",
            metavar="PARTS",
            help="Further parts that pictures show, such as 'path,names' ('undercroft list parts').",
        ),
        click.option("--style", metavar="NAME", help="The style of pictures ('undercroft list styles')."),
    ):
        command = option(command)
    return command


class OutputTarget(NamedTuple):
    """A file to write, and the options of its format."""

    path: str
    format: Format
    options: dict[str, Any]


def resolve_outputs(
    outputs: Sequence[str], format_name: str | None, *, styled: bool = False, options: Sequence[str] = (), **said: Any
) -> list[OutputTarget]:
    """Resolve the outputs. Raises for mistakes before any work is done. `styled` means that something else is drawn in
    the named style.
    """
    chosen: dict[str, Any] = {
        name: _split_words(value) if name in ("show", "hide") else value
        for name, value in said.items()
        if value is not None
    }
    rows = [resolve_format(path, format_name, alone="-" not in outputs) for path in outputs]
    if not outputs and format_name:
        outputs, rows = ["-"], [formats.resolve_format(format_name)]
    for path in outputs:
        files.refuse_address(path)
    for row in rows:
        formats.resolve_writer(row)
    for name in chosen:
        if not any(name in row.options for row in rows) and not (styled and name == "style"):
            what, suffix = ("pages to print", "pdf") if name == "paper" else ("pictures", "png")
            raise BadInput(
                f"--{name} is about {what}, and none is written", fix=f"write a .{suffix} file, or leave it out"
            )
    if {"style", "show", "hide"} & chosen.keys():
        from undercroft.draw.styles.table import STYLES, resolve_parts

        resolve_parts(chosen.get("style", next(iter(STYLES))), chosen.get("show", ()), chosen.get("hide", ()))
    for name, value in values.parse_settings(options, "--option", FILE_OPTIONS).items():
        known = [option for row in rows for option in row.options if option != "stem"]
        if name not in known:
            raise unknown_name_error("option of these formats", name, known)
        if name == "tileset":
            from undercroft.draw.tileset.user_tileset import resolve_tileset

            value = resolve_tileset(value)  # noqa: PLW2901 - read once, for all files and levels
            _check_tileset_is_kept(outputs, value)
        chosen[name] = value
    return [
        OutputTarget(path, row, {name: value for name, value in chosen.items() if name in row.options})
        for path, row in zip(outputs, rows, strict=True)
    ]


def _split_words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


class FileContents(NamedTuple):
    """An encoded file: its path and its bytes."""

    path: str
    data: bytes


def _check_tileset_is_kept(outputs: Sequence[str], tileset: UserTileset) -> None:
    """Raise if an output would replace the tileset that it is drawn with."""
    for path in outputs:
        if path != "-" and Path(path).resolve() in {file.resolve() for file in tileset.files}:
            raise BadInput(f"{path} is the tileset itself, and would be replaced", fix="give the output another name")


def _check_picture_is_kept(file: Path, data: bytes) -> None:
    """Raise if the copy of a tileset's picture, which lies beside a map, would replace another file."""
    if files.is_file(file) and (file.stat().st_size != len(data) or file.read_bytes() != data):
        raise BadInput(
            f"{file} is another file than the tileset's picture, which would replace it",
            fix="write the map into another folder, rename the tileset, or remove that file if nothing needs it",
        )


def encode_outputs(level: Level, targets: Sequence[OutputTarget]) -> list[FileContents]:
    """Encode all files, with those that belong beside them, each once."""
    found: dict[str, bytes] = {}
    for path, row, options in targets:
        if path == "-":
            found[path] = formats.dump(level, row.name, **options)
            continue
        for file, data in formats.dump_files(level, path, row, **options).items():
            if "tileset" in options and data == options["tileset"].png:
                _check_picture_is_kept(file, data)
            if str(file) in found and found[str(file)] != data:
                raise BadInput(
                    f"{file} would be written twice, with different contents", fix="give one of the files another name"
                )
            found[str(file)] = data
    return [FileContents(path, data) for path, data in found.items()]


def write_outputs(ready: Sequence[tuple[str, bytes | Iterable[bytes]]]) -> None:
    """Write all files, or none if one of them cannot be written: see `files.write_files`. Standard output comes last:
    whoever reads it may stop early, and the files are there all the same.
    """
    printed = [(data,) if isinstance(data, bytes) else data for path, data in ready if path == "-"]
    for pieces in printed:
        check_stdout(pieces[0] if isinstance(pieces, tuple) else b"")
    files.write_files((path, data) for path, data in ready if path != "-")
    for pieces in printed:
        for piece in pieces:
            write_stdout(piece)


def describe_page_counts(ready: Sequence[FileContents], targets: Sequence[OutputTarget]) -> list[str]:
    """Notes on the page counts of PDF files that have several pages."""
    pdf_paths = {Path(path) for path, row, _ in targets if row.name == "pdf" and path != "-"}
    if not pdf_paths:
        return []
    from undercroft.formats.pdf import count_pages

    counts = [(path, count_pages(data)) for path, data in ready if Path(path) in pdf_paths]
    return [
        f"{Path(path).name} has {count} pages, with one inch a square; --format pdf:page makes one page"
        for path, count in counts
        if count > 1
    ]


def describe_losses(level: Level, targets: Sequence[OutputTarget], *, many: bool = False) -> list[str]:
    """Notes on what files lose of the level. Pictures hold nothing but the origin, and get no note. The notes of the
    first of `many` files are about all of them.
    """
    notes = [
        *_describe_undrawn(targets),
        *_describe_unmapped(level, targets),
        *_describe_missing_letters(level, targets),
    ]
    for path, row, _ in targets:
        lost = [PART_DESCRIPTIONS.get(part, part) for part in formats.list_lost_parts(level, row)]
        if lost and path != "-" and {*row.keeps} - {"origin"}:
            most = join_words(lost)
            notes.append(f"these files do not hold {most}" if many else f"{Path(path).name} does not hold {most}")
    return notes


def _describe_missing_letters(level: Level, targets: Sequence[OutputTarget]) -> list[str]:
    """A note on the letters of titles and names that are drawn as empty boxes."""
    if not any("font" in row.options and "font" not in options for _, row, options in targets):
        return []
    from undercroft.draw.scene.lettering import list_missing_signs

    missing = list(dict.fromkeys(sign for text in list_drawn_texts(level) for sign in list_missing_signs(text)))
    if not missing:
        return []
    signs = " ".join(missing[:MAX_UNMAPPED]) + (
        f" and {len(missing) - MAX_UNMAPPED} more" if missing[MAX_UNMAPPED:] else ""
    )
    return [f"these letters are drawn as empty boxes: {signs}; name a font that has them: --option font=FILE.ttf"]


def _describe_unmapped(level: Level, targets: Sequence[OutputTarget]) -> list[str]:
    """Notes on tiles for which a tileset of the user's own has no cell."""
    tilesets = dict.fromkeys(options["tileset"] for _, _, options in targets if "tileset" in options)
    if not tilesets:
        return []
    from undercroft.draw.tileset.user_drawing import list_unmapped

    notes = []
    for tileset in tilesets:
        missing = list_unmapped(level, tileset)
        if missing:
            more = f" and {len(missing) - MAX_UNMAPPED} more" if len(missing) > MAX_UNMAPPED else ""
            said = join_words(missing) if not more else ", ".join(missing[:MAX_UNMAPPED]) + more
            notes.append(f"the tileset {tileset.files[0].name} has no cell for {said}: our own pieces stand there")
    return notes


def _describe_undrawn(targets: Sequence[OutputTarget]) -> list[str]:
    """Notes on requested parts that a picture's style cannot show."""
    styled = [options for _, _, options in targets if "style" in options and "show" in options]
    if not styled:
        return []
    from undercroft.draw.styles.table import STYLES

    notes: list[str] = []
    for options in styled:
        style = STYLES.get(options["style"])
        missing = [part for part in options["show"] if style and part in style.lacks]
        if style and missing:
            notes.append(f"the style {style.name} does not show {' and '.join(missing)}")
    return list(dict.fromkeys(notes))
