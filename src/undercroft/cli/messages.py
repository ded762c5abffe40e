"""Messages to the user: they go to standard error, never into the data."""

from __future__ import annotations

import sys

import click

from undercroft.core.level import Level


def print_message(text: str) -> None:
    """Print a message to standard error."""
    if sys.stderr is not None:
        click.echo(f"undercroft: {text}", err=True)


def warn_of_editions(level: Level) -> None:
    """Print a note if a level was made by steps that have changed since."""
    from undercroft.recipe.document import list_changed_steps

    if changed := list_changed_steps(level):
        print_message(
            f"note: made by another edition of {', '.join(changed)}; the same recipe and seed give another level now"
        )
