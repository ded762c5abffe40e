"""The commands that a search names: to run it again, to go on with it, and to make a level that it found."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from undercroft import limits
from undercroft.recipe.request import DEFAULT_SEARCH_TRIES, DEFAULT_TRIES

if TYPE_CHECKING:
    from undercroft.bulk.search.search import Search, SearchHit

_REPEATED = (("until", "--until"), ("vary", "--vary"), ("settings", "--set"), ("measures", "--measures"))
_ONCE = ("sort", "size", "max_cells", "max_steps", "sheet")


def format_search_command(options: Mapping[str, Any]) -> str:
    """The command that finds and draws the same levels again. How it runs and prints (`--workers`, `--json`) is left
    out: the levels do not depend on it.
    """
    return shlex.join(_list_words(options))


def format_resume_command(options: Mapping[str, Any], search: Search) -> str:
    """The command that goes on where the search stopped; empty if no seed is left.

    A seed of which only some combinations of values were tried is tried again with all of them.
    """
    left = list_seeds_left(search)
    if not left:
        return ""
    found = sum(hit.seed < left[0] for hit in search.kept)
    rest = {
        **options,
        "seeds": f"{left[0]}..{left[-1]}",
        # sorted hits of two searches have to be merged, so each needs as many as the two together
        "take": options["take"] if options["sort"] else max(1, options["take"] - found),
        "sheet": None if search.kept else options["sheet"],  # the sheet that is written now stays
    }
    words = _list_words(rest)
    if options["workers"] is not None:
        words += ["--workers", str(options["workers"])]
    if options["max_memory"] != limits.WORKER_MEMORY.value >> 20:
        words += ["--max-memory", str(options["max_memory"])]
    words += [flag for name, flag in (("as_json", "--json"), ("quiet", "--quiet")) if options[name]]
    return shlex.join(words)


def list_seeds_left(search: Search) -> range:
    """The seeds that the search has not finished."""
    assert isinstance(search.seeds, range)
    return search.seeds[search.finished_seeds :]


def _list_words(options: Mapping[str, Any]) -> list[str]:
    words = ["undercroft", "search", options["recipe"], "--seeds", options["seeds"], "--take", str(options["take"])]
    words += [word for name, flag in _REPEATED for text in options[name] for word in (flag, text)]
    words += [word for name in _ONCE if options[name] for word in (f"--{name.replace('_', '-')}", str(options[name]))]
    return words + (["--tries", str(options["tries"])] if options["tries"] != DEFAULT_SEARCH_TRIES else [])


def format_generate_command(options: Mapping[str, Any], hit: SearchHit) -> str:
    """The command that makes a level that was found. It keeps the limits: without them there may be no level."""
    words = ["undercroft", "generate", options["recipe"]]
    words += ["--size", options["size"]] if options["size"] else []
    words += [word for text in options["settings"] for word in ("--set", text)]
    limit_options = {"--max-steps": options["max_steps"], "--max-cells": options["max_cells"]}
    words += [word for name, value in limit_options.items() if value is not None for word in (name, str(value))]
    words += ["--tries", str(options["tries"])] if hit.attempt >= DEFAULT_TRIES else []
    words += ["--seed", str(hit.seed)]
    varied = hit.params.items()
    return shlex.join(
        [*words, *(word for name, value in varied for word in ("--set", f"{name}={format_value(value)}"))]
    )


def format_value(value: Any) -> str:
    """A value of a parameter or measure, as options write it."""
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
