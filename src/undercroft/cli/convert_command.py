"""`undercroft convert`."""

from __future__ import annotations

import sys

import click


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--read-as", metavar="NAME", help="The format of IN, if its suffix does not say it.")
@click.option("--format", "format_name", metavar="NAME", help="The format of OUT, if its suffix does not say it.")
def command(source: str, target: str, read_as: str | None, format_name: str | None) -> None:
    """Read a level from IN and write it to OUT, each in the format of its suffix; - is standard output."""
    from undercroft import files, formats
    from undercroft.errors import BadInput

    if target == "-" and not format_name:
        raise BadInput("standard output has no suffix that names a format", fix="add --format, for example --format text")
    format_ = formats.named(format_name) if format_name else formats.by_suffix(target)
    data = formats.dump(formats.load(source, read_as), format_.name)
    if target == "-":
        sys.stdout.buffer.write(data)
    else:
        files.write(target, data)
