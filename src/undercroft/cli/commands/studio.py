"""`undercroft studio`."""

from __future__ import annotations

import click

from undercroft import limits


@click.command("studio")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The port to listen on; any free one by default."
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option(
    "--project",
    metavar="DIR",
    default=".",
    help="The folder with your recipes, rules and levels; the current one by default.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, limits.STUDIO_WORKERS.value),
    help="The number of worker processes; by default one for each core, at least two and at most four.",
)
@click.option("--token", hidden=True, help="A fixed token, for tests.")
@click.option(
    "--page", hidden=True, type=click.Path(), help="The folder of another build of the page, for its developers."
)
def command(
    port: int, no_browser: bool, project: str, workers: int | None, token: str | None, page: str | None
) -> None:
    """Open the studio in the browser: a page in which you make, understand and export levels. It runs only on this
    machine.

    Ctrl-C ends it.
    """
    from pathlib import Path

    from undercroft.studio.server.start import start_studio

    def open_page(address: str) -> None:
        click.echo(f"The studio is at {address}")
        click.echo("Ctrl-C ends it.")
        if not no_browser:
            import webbrowser

            webbrowser.open(address)

    start_studio(project, port=port, token=token, workers=workers, page=Path(page) if page else None, ready=open_page)
    click.echo("The studio has stopped.")
