"""`undercroft studio`."""

from __future__ import annotations

import click

from undercroft import limits
from undercroft.cli.messages import print_output


def find_own_command() -> list[str]:
    """The words that start this program again, from any folder: by its name if a shell finds it, else by its path or
    its interpreter.
    """
    import shutil
    import sys
    from pathlib import Path

    script = Path(sys.argv[0]).absolute()
    if script.stem != "undercroft" or not script.exists():  # python -m undercroft, or a program that calls this one
        return [sys.executable, "-m", "undercroft"]
    found = shutil.which("undercroft")
    return ["undercroft"] if found and Path(found).absolute() == script else [str(script)]


@click.command("studio")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="The port to listen on; by default the project's own.",
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
    import webbrowser
    from pathlib import Path

    from undercroft.studio.server.start import start_studio

    def print_address(address: str, note: str) -> None:
        print_output(f"The studio is at {address}")
        if note:
            print_output(note)
        print_output("Ctrl-C ends it.")

    start_studio(
        project,
        port=port,
        token=token,
        workers=workers,
        page=Path(page) if page else None,
        command=[
            *find_own_command(),
            "studio",
            *(["--no-browser"] if no_browser else []),
            *(["--workers", str(workers)] if workers else []),
            *(["--page", str(Path(page).absolute())] if page else []),
        ],
        ready=print_address,
        open_browser=None if no_browser else webbrowser.open,
    )
    print_output("The studio has stopped.")
