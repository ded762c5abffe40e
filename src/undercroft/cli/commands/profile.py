"""`undercroft profile`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import click

from undercroft import limits
from undercroft.cli.messages import print_json, print_message, print_output
from undercroft.cli.options import values
from undercroft.cli.output.progress import ProgressBar
from undercroft.errors import BadInput, TooBig
from undercroft.inputs import files
from undercroft.wording import plural

if TYPE_CHECKING:
    from undercroft.bulk.profile import Profile


@click.command("profile")
@click.argument("recipe")
@click.option("--size", metavar="WxH", multiple=True, help="Width and height in cells.")
@click.option(
    "--sizes",
    metavar="WxH,WxH...",
    help="The sizes over which growth is measured; by default, also half, two times and four times each side.",
)
@click.option(
    "--seeds",
    metavar="A..B",
    help="Make a level of each of these seeds, B included; by default, as many from 0 on as fit into a second.",
)
@click.option(
    "--set", "settings", metavar="NAME=VALUE", multiple=True, help="Set a parameter of the recipe; repeatable."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--plot", metavar="FILE", help="Also draw how time grows with the size, as a .png, .svg or .pdf file.")
@click.option("--quiet", is_flag=True, help="Print only the requested output.")
def command(recipe: str, **options: Any) -> int:
    """Measure where RECIPE spends its time: seconds and memory of each step, levels a second, and how they grow with
    the size.

    Times are for one core, as the mean over the levels. After Ctrl-C the command prints the results so far.
    The exit code is 1 if no seed gives a level, and 130 if the command was interrupted.
    """
    profile = _build_profile(recipe, options)
    interrupted = False
    with ProgressBar(not options["quiet"]) as bar:
        try:
            for share, about in profile.run():
                bar.show(round(100 * share), 100, about)
        except KeyboardInterrupt:
            interrupted = True
    if interrupted:
        print_message(
            "interrupted: what follows is of fewer levels" if profile.timing else "interrupted before there was a level"
        )
    if profile.timing is not None:
        _print_results(profile, recipe, options, interrupted=interrupted)
    elif not interrupted:
        print_message(
            f"{profile.label} {'x'.join(map(str, profile.size))}: {_describe_missing(profile)}\n"
            "  fix: ask for another size, other seeds or other parameters"
        )
    return 130 if interrupted else 0 if profile.timing else 1


def _build_profile(recipe: str, options: dict[str, Any]) -> Profile:
    """The profile of these options. Raises for mistakes before any work is done."""
    from undercroft.bulk.profile import Profile

    if len(options["size"]) > 1:
        raise BadInput(
            "one size is looked at", fix=f"give those over which growth is shown as --sizes {','.join(options['size'])}"
        )
    if options["plot"] is not None:
        from undercroft.draw.plots.plot_files import check_plot_name

        check_plot_name(options["plot"], "profile.png")
        files.check_target(options["plot"])
    sizes = None
    if options["sizes"] is not None:
        texts = [text for text in options["sizes"].replace(" ", ",").split(",") if text]
        if not texts:
            raise BadInput("--sizes is empty", fix="for example --sizes 40x25,80x50")
        if len(texts) > limits.PROFILE_SIZES.value:
            raise BadInput(
                f"growth is shown over {limits.PROFILE_SIZES.value} sizes at the most, not {len(texts)}",
                fix=limits.PROFILE_SIZES.raise_by,
            )
        sizes = list(map(values.parse_size, texts))
    size, seeds = (
        values.parse_size(options["size"][0]) if options["size"] else None,
        values.parse_seeds(options["seeds"]) if options["seeds"] else None,
    )
    try:
        return Profile(recipe, size=size, seeds=seeds, sizes=sizes, params=values.parse_settings(options["settings"]))
    except TooBig as error:
        error.fix = "ask for a smaller size"  # the original fix names an option that only other commands have
        raise


def _print_results(profile: Profile, recipe: str, options: dict[str, Any], *, interrupted: bool) -> None:
    if options["plot"]:
        files.write_file(
            options["plot"], render_profile_file(profile, options["plot"], _format_command(recipe, options))
        )
    if options["as_json"]:
        print_json(build_profile_data(profile, interrupted=interrupted))
    elif not (options["quiet"] and options["plot"]):
        from undercroft.cli.output.profile_table import format_profile_table

        print_output("\n".join(format_profile_table(profile)))
    if profile.without:
        print_message(f"note: {_describe_missing(profile)}")
    if not options["quiet"]:
        for (wide, high), reason in profile.left_out.items():
            print_message(f"note: {wide}x{high} is left out: {reason}")
        if options["plot"]:
            print_message(f"written to {options['plot']}")


def _describe_missing(profile: Profile) -> str:
    """How many seeds gave no level, as text."""
    return ", ".join(f"{plural(count, 'level')} {reason}" for reason, count in profile.without.items())


def build_profile_data(profile: Profile, *, interrupted: bool) -> dict[str, Any]:
    """The profile as plain data. Seeds are strings: many JSON readers have no integers that large."""
    from undercroft.bulk.study_record import RECORD_KEY, build_study_record

    timed = profile.timing
    assert timed is not None
    *steps, overhead, whole = timed.seconds
    tried = profile.seeds[: timed.levels + sum(profile.without.values())]
    return {
        RECORD_KEY: build_study_record((), [profile.request]),
        "recipe": profile.recipe.name,
        "params": profile.params,
        "size": list(profile.size),
        "seeds": [str(tried[0]), str(tried[-1])],
        "levels": timed.levels,
        "without_a_level": profile.without,
        "attempts": timed.attempts,
        "seconds": whole,
        "levels_per_second": 1 / whole,
        "overhead_seconds": overhead,
        "peak_bytes": profile.peak or None,
        "steps": [
            {
                "id": plan.id,
                "use": plan.use,
                "seconds": seconds,
                "share": seconds / whole,
                "peak_bytes": profile.peaks.get(plan.id),
                "exponent": profile.growth_exponent(place),
            }
            for place, (plan, seconds) in enumerate(zip(profile.recipe.plans, steps, strict=True))
        ],
        "exponent": profile.growth_exponent(-1),
        "growth": [
            {
                "size": list(each.size),
                "cells": each.cells,
                "levels": each.levels,
                "attempts": each.attempts,
                **_build_seconds_data(profile, each.seconds),
            }
            for each in profile.growth
        ],
        "left_out": [{"size": list(size), "reason": reason} for size, reason in profile.left_out.items()],
        "interrupted": interrupted,
    }


def _build_seconds_data(profile: Profile, seconds: tuple[float, ...]) -> dict[str, Any]:
    *steps, overhead, whole = seconds
    return {
        "seconds": whole,
        "overhead_seconds": overhead,
        "steps": dict(zip((plan.id for plan in profile.recipe.plans), steps, strict=True)),
    }


def render_profile_file(profile: Profile, file: str, footer: str) -> bytes:
    """Render the profile as a PNG, SVG or PDF file, by the suffix of its name."""
    from undercroft.bulk.study_record import RECORD_KEY, build_study_record
    from undercroft.cli.output.profile_table import format_bytes, format_rate
    from undercroft.draw.plots.plot_files import encode_plot
    from undercroft.draw.plots.profile_plot import Growth, GrowthLine, draw_profile_plot
    from undercroft.inputs.json import format_json

    timed = profile.timing
    assert timed is not None
    lines = [
        GrowthLine(name, tuple(each.seconds[place] for each in profile.growth), profile.growth_exponent(place))
        for place, name in enumerate(profile.names)
    ]
    *steps, overhead, whole = lines
    tries = timed.attempts / timed.levels
    facts = [
        f"{format_rate(1 / timed.seconds[-1])} levels of {profile.size[0]}x{profile.size[1]} a second on one core",
        "one attempt a level" if tries == 1 else f"{tries:.2f} attempts a level",
        *([f"{format_bytes(profile.peak)} of memory at the most"] if profile.peak else []),
        "both scales are logarithms: a straight line grows by the same power everywhere",
    ]
    growth = Growth([each.size for each in profile.growth], profile.growth.index(timed), steps, overhead, whole)
    title = f"Where “{profile.label}” spends its time"
    notes = {"title": title, RECORD_KEY: format_json(build_study_record((), [profile.request], command=footer))}
    return encode_plot(lambda page: draw_profile_plot(page, title, " · ".join(facts), growth, footer), file, notes)


def _format_command(recipe: str, options: dict[str, Any]) -> str:
    """The command that draws the picture again."""
    words = ["undercroft", "profile", recipe, *(word for size in options["size"] for word in ("--size", size))]
    words += [word for name in ("sizes", "seeds") if options[name] for word in (f"--{name}", options[name])]
    words += [word for text in options["settings"] for word in ("--set", text)]
    return shlex.join([*words, "--plot", options["plot"]])
