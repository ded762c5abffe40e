"""Rewrite click's errors in the form of our own: the problem and its fix."""

from __future__ import annotations

import re

import click

from undercroft.errors import find_similar_word


def describe_click_error(error: click.ClickException) -> str:
    """The problem and its fix, as text."""
    problem, fix = _describe_error(error)
    return f"{problem}\n  fix: {fix}" if fix else problem


def _describe_error(error: click.ClickException) -> tuple[str, str]:
    text = error.format_message().removesuffix(".")
    plain = f"{text[:1].lower()}{text[1:]}"
    if isinstance(error, click.NoSuchOption):
        return (
            f"unknown option {error.option_name!r}",
            f"did you mean {error.possibilities[0]}?" if error.possibilities else "see --help",
        )
    if isinstance(error, click.MissingParameter):
        return f"{_parameter_name(error.param)} is missing", f"write {_usage_line(error)}"
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _describe_bad_value(error, error.param)
    if isinstance(error, click.BadOptionUsage):
        if "does not take" in text:
            return f"{error.option_name} takes no value", f"write {error.option_name} alone"
        return f"{error.option_name} has no value", "write one after it: --help lists what it takes"
    if isinstance(error, click.UsageError) and error.ctx:
        return plain, f"write {_usage_line(error)}"
    return plain, ""


def _describe_bad_value(error: click.BadParameter, param: click.Parameter) -> tuple[str, str]:
    """The problem and the fix for a value that an option or argument does not take."""
    match = re.match(r"'?(.*?)'? is not ", error.message, re.DOTALL)
    name, kind, given = _parameter_name(param), param.type, match[1] if match else ""
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
