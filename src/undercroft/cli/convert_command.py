"""`undercroft convert`."""

from __future__ import annotations

import click

from undercroft.cli import warn_of_editions


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--read-as", metavar="NAME", help="The format of IN, if its suffix does not say it.")
@click.option("--format", "format_name", metavar="NAME", help="The format of OUT, if its suffix does not say it.")
def command(source: str, target: str, read_as: str | None, format_name: str | None) -> None:
    """Read a level from IN and write it to OUT, each in the format of its suffix; - is standard input or output."""
    from undercroft import files, formats
    from undercroft.cli.streams import format_of, level_from, put

    format_ = format_of(target, format_name)
    level = level_from(source, read_as)
    warn_of_editions(level)
    data = formats.dump(level, format_.name)
    if target == "-":
        put(data)
    else:
        files.write(target, data)
