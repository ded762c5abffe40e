"""Messages to the person at the terminal: they go to standard error, never into the data."""

from __future__ import annotations

import sys

import click

from undercroft.core.level import Level


def print_message(text: str) -> None:
    """A message to the person, not into the data."""
    if sys.stderr is not None:
        click.echo(f"undercroft: {text}", err=True)


def warn_of_editions(level: Level) -> None:
    """Say so if a file was made by steps that have changed since."""
    from undercroft.recipe.document import list_changed_steps

    if changed := list_changed_steps(level):
        print_message(
            f"note: made by another edition of {', '.join(changed)}; the same recipe and seed give another level now"
        )
