"""Messages to the person at the terminal: they go to standard error, never into the data."""

from __future__ import annotations

import sys

import click

from undercroft.core.level import Level


def complain(text: str) -> None:
    """A message to the person, not into the data."""
    if sys.stderr is not None:
        click.echo(f"undercroft: {text}", err=True)


def warn_of_editions(level: Level) -> None:
    """Say so if a file was made by steps that have changed since."""
    from undercroft.recipe.document import other_editions

    if changed := other_editions(level):
        complain(
            f"note: made by another edition of {', '.join(changed)}; the same recipe and seed give another level now"
        )
