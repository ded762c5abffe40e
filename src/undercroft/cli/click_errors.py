"""Rewrite click's errors in the form of our own: the problem and its fix."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import click

from undercroft.errors import find_similar_word
from undercroft.wording import join_words

OTHER_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "-s": ("--seed", "--size", "--set", "--seeds"),
    "-w": ("--workers", "--watch"),
    **dict.fromkeys(("--output", "--out", "--file", "--save"), ("-o", "--out")),
    **dict.fromkeys(("--width", "--height", "--dimensions"), ("--size",)),
    **dict.fromkeys(("--param", "--params", "--parameter", "--with", "-p", "-D"), ("--set",)),
    **dict.fromkeys(("--require", "--requirement", "--where", "--filter"), ("--until",)),
    **dict.fromkeys(("--number", "--num", "-n"), ("--count", "--take")),
    **dict.fromkeys(("--jobs", "--threads", "--processes", "-j"), ("--workers",)),
    **dict.fromkeys(("--map", "--input", "--begin", "--level", "-i"), ("--on",)),
    **dict.fromkeys(("--attempts", "--retries"), ("--tries",)),
    **dict.fromkeys(("--color", "--colors", "--colours"), ("--colour",)),
    **dict.fromkeys(("--silent",), ("--quiet",)),
    **dict.fromkeys(("--gif", "--film", "--movie"), ("--animate",)),
}
"""Options of other programs, and ours that do the same."""
MAX_SUGGESTED_OPTIONS = 4


def describe_click_error(error: click.ClickException, args: Sequence[str] = ()) -> str:
    """The problem and its fix, as text. `args` are the words of the command line."""
    problem, fix = _describe_error(error, args)
    return f"{problem}\n  fix: {fix}" if fix else problem


def _describe_error(error: click.ClickException, args: Sequence[str]) -> tuple[str, str]:
    text = error.format_message().removesuffix(".")
    plain = f"{text[:1].lower()}{text[1:]}"
    if isinstance(error, click.NoSuchOption):
        return _describe_unknown_option(error, args)
    if isinstance(error, click.MissingParameter):
        return f"{_parameter_name(error.param)} is missing", f"write {_usage_line(error)}"
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _describe_bad_value(error, error.param, args)
    if isinstance(error, click.BadOptionUsage):
        if "does not take" in text:
            return f"{error.option_name} takes no value", f"write {error.option_name} alone"
        return f"{error.option_name} has no value", "write one after it: --help lists what it takes"
    if isinstance(error, click.UsageError) and error.ctx:
        return plain, f"write {_usage_line(error)}"
    return plain, ""


def _describe_unknown_option(error: click.NoSuchOption, args: Sequence[str]) -> tuple[str, str]:
    """The problem and the fix for an option that the command does not have."""
    own = _list_options(error.ctx.command) if error.ctx else []
    name = error.option_name
    written = next((word for word in args if word.partition("=")[0] == name), "")
    if not written and len(name) == 2:  # click reads -seed as -s
        written = next((word for word in args if word.startswith(name)), name)
        if f"-{written}" in own:
            return f"unknown option {written!r}", f"did you mean -{written}? long names have two dashes"
    guesses = [option for option in OTHER_OPTIONS.get(name, ()) if option in own]
    if not guesses and len(name) == 2:
        guesses = [option for option in own if option.startswith(f"--{name[1:].casefold()}")]
    guesses = guesses or list(error.possibilities or ())[:1]
    fixes = [f"did you mean {join_words(guesses[:MAX_SUGGESTED_OPTIONS], 'or')}?"] if guesses else []
    if commands := _find_commands_with(name):
        fixes.append(f"{name} is an option of {join_words(commands)}")
    return f"unknown option {name!r}", " ".join(fixes) or "see --help"


def _list_options(command: click.Command) -> list[str]:
    return [name for param in command.params if isinstance(param, click.Option) for name in param.opts]


def _find_commands_with(option: str) -> list[str]:
    """The commands that have an option of this name."""
    from undercroft.cli import COMMANDS, undercroft

    context = click.Context(undercroft)
    found = {name: undercroft.get_command(context, name) for name in COMMANDS}
    return [name for name, command in found.items() if command is not None and option in _list_options(command)]


def _describe_bad_value(error: click.BadParameter, param: click.Parameter, args: Sequence[str]) -> tuple[str, str]:
    """The problem and the fix for a value that an option or argument does not take."""
    match = re.match(r"'?(.*?)'? is not ", error.message, re.DOTALL)
    used = [option for option in param.opts for word in args if word.partition("=")[0] == option]
    name, kind, given = used[0] if used else _parameter_name(param), param.type, match[1] if match else ""
    if match and isinstance(kind, click.Choice):
        words = [str(choice) for choice in kind.choices]
        guess = find_similar_word(given, words)
        return (
            f"{name} is one of {', '.join(words)}, not {given!r}",
            f"did you mean {guess!r}?" if guess else f"write {name} {words[0]}",
        )
    if match and isinstance(kind, click.types.IntParamType):
        low, high = (getattr(kind, end, None) for end in ("min", "max"))
        span = (f" from {low:,}" if low is not None else "") + (f" to {high:,}" if high is not None else "")
        default = param.default if isinstance(param.default, int) else low if low is not None else 1
        return f"{name} is a whole number{span}, not {given!r}", f"for example {name} {default}"
    return f"{name}: {error.message.removesuffix('.')}", "see --help"


def _parameter_name(param: click.Parameter | None) -> str:
    if param is None:
        return "a word"
    return param.opts[-1] if isinstance(param, click.Option) else param.metavar or param.human_readable_name


def _usage_line(error: click.UsageError) -> str:
    return " ".join(error.ctx.get_usage().removeprefix("Usage: ").split()) if error.ctx else "what --help says"
