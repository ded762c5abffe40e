"""The command line: parse arguments, call the library, print, and return exit codes. It holds no algorithms. Only
this package and the studio print.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

from undercroft.cli.messages import print_message, print_output
from undercroft.errors import BadInput, PluginTrouble, UndercroftError, unknown_name_error

COMMANDS = {
    "generate": "make a level from a recipe and a seed",
    "rewrite": "apply rules to a map",
    "explain": "report where rules match on a map, and why they do not match elsewhere",
    "coverage": "count which rules and results are used over many seeds",
    "lint": "find mistakes in rules, recipes, layouts, things and names before they run",
    "scale": "make a room of a given size from a layout",
    "show": "print the text of a recipe, to copy and change",
    "list": "list recipes, layouts, steps, formats, styles, parts, measures, limits or plugins",
    "measure": "print numbers about a level",
    "solve": "prove that a level can be solved and cannot be lost, and print the shortest solution",
    "batch": "make many levels in a folder, and resume after an interruption",
    "search": "find seeds whose levels meet requirements",
    "profile": "measure where a recipe spends its time, and how that grows with the size",
    "studio": "make, understand and export levels in the browser",
    "convert": "read a level, rules or a layout in one format and write it in another",
    "doctor": "report versions, compiled kernels and optional libraries",
}
"""Each is a module of the package `commands`, imported when it is called."""


class ReaderGone(Exception):
    """The reader of our output has closed the pipe."""


class CommandGroup(click.Group):
    """The commands, imported one at a time, so that a small level does not wait for modules that it does not use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"undercroft.cli.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:  # click would exit with 1, which has another meaning here
            raise ReaderGone from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            if (option := f"--{args[0]}") in ("--help", "--version"):
                raise BadInput(f"unknown command {args[0]!r}", fix=f"write undercroft {option}")
            raise unknown_name_error("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)


EXIT_CODES = (
    "Exit codes: 0 done, 1 a requirement was not met, 2 an error in the request, 3 given up or an internal error, 130 "
    "interrupted."
)


@click.command(
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog=EXIT_CODES,
)
@click.version_option(package_name="undercroft", message="undercroft %(version)s")
def undercroft() -> None:
    """Make levels from recipes and seeds; measure, draw, search and export them."""


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit with one of `EXIT_CODES`."""
    sys.exit(run(args))


def run(args: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    try:
        code = undercroft.main(args, prog_name="undercroft", standalone_mode=False)
    except UndercroftError as error:
        if isinstance(error, PluginTrouble) and error.__cause__ and os.environ.get("UNDERCROFT_DEBUG") == "1":
            raise
        print_message(str(error))
        return error.exit_code
    except click.exceptions.Abort:
        print_message("interrupted")
        return 130
    except KeyboardInterrupt:
        print_message("interrupted")
        return 130
    except click.exceptions.NoArgsIsHelpError as error:
        print_output(error.ctx.get_help())
        return 0
    except click.ClickException as error:
        from undercroft.cli.click_errors import describe_click_error  # only needed for errors

        print_message(describe_click_error(error, sys.argv[1:] if args is None else args))
        return 2
    except (ReaderGone, BrokenPipeError):  # not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # standard output: files are written elsewhere
        print_message(
            f"cannot write the output: {(error.strerror or str(error)).lower()}\n  fix: write to a place that has room"
        )
        return 2
    except MemoryError:
        print_message("not enough memory for that\n  fix: ask for a smaller level")
        return 3
    except Exception as error:  # the last resort: a message instead of a traceback
        if os.environ.get("UNDERCROFT_DEBUG") == "1":
            raise
        print_message(
            f"something in undercroft failed: {type(error).__name__}: {error}\n"
            "  fix: please report it, with what UNDERCROFT_DEBUG=1 shows"
        )
        return 3
    return code if isinstance(code, int) else 0
