"""Render a report as one self-contained HTML file: no scripts, nothing fetched, every text escaped."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from undercroft.analysis.measures.table import MEASURES
from undercroft.bulk.report.charts import render_bar_row, render_histogram
from undercroft.bulk.report.distribution import Distribution
from undercroft.bulk.report.pictures import MAX_EXTREME_PICTURES, LevelPictures
from undercroft.bulk.report.report import Report, ReportLevel
from undercroft.bulk.report.style_sheet import STYLE
from undercroft.bulk.report.wording import (
    clean_text,
    describe_problems,
    format_bytes,
    format_command,
    format_duration,
    format_number,
    format_rate,
    format_share,
    list_rejections,
    list_step_times,
)
from undercroft.bulk.study_record import RECORD_KEY
from undercroft.inputs.json import format_json
from undercroft.version import VERSION
from undercroft.wording import plural

CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What a browser may load: only what is inside the page."""


def render_page(found: Report) -> str:
    """The whole page."""
    name = clean_text(found.order.request.recipe.name, 80)
    title = f"{plural(found.count.levels, 'level')} of {name}"
    pictures = LevelPictures(found)
    body = [
        *_render_head(found, title),
        *_render_typical(found, pictures),
        *_render_measures(found),
        *_render_extreme(found, pictures),
        *_render_rejections(found),
        *_render_problems(found),
    ]
    body += [*_render_times(found), *_render_command(found), *_render_reading_examples(found)]
    foot = (
        f"Undercroft {escape(VERSION)} · order {found.order.digest} · written by “undercroft batch”, and by "
        "open_batch(folder).report().save()"
    )
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f'<meta name="generator" content="Undercroft {escape(VERSION)}">',
            f'<meta name="{RECORD_KEY}" content="{escape(format_json(found.record()))}">',
            found.times.format_meta(found.order.digest),
            f"<title>{escape(title)}</title>",
            f"<style>\n{STYLE}\n</style>",
            "</head>",
            "<body>",
            "<main>",
            *body,
            f"<footer>{foot}</footer>",
            "</main>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _render_head(found: Report, title: str) -> Iterator[str]:
    order, times = found.order, found.times
    seeds = f"seed {order.first}" if order.count == 1 else f"seeds {order.first} to {order.last}"
    details = [
        f"{order.request.size[0]} × {order.request.size[1]} cells",
        seeds,
        *(clean_text(text, 80) for text in order.data["until"]),
        f"kept as {order.form}",
    ]
    described = clean_text(order.request.recipe.about, 300)
    about = f'<p class="about">{described and escape(described) + "<br>"}{escape(" · ".join(details))}</p>'
    yield f'<header><p class="above">Undercroft · a batch</p><h1>{escape(title)}</h1>{about}</header>'
    figures = [(f"{found.count.levels:,}", "levels")]
    if without := sum(found.count.problems.values()):
        figures.append((f"{without:,}", "seeds without a level"))
    if times.rate is not None and times.core_rate is not None:
        rest = "" if times.seeds >= found.seeds else f", {times.seeds:,} of them timed"
        figures += [
            (format_duration(times.elapsed), f"on the clock{rest}"),
            _split_rate(times.rate, "all workers"),
            _split_rate(times.core_rate, "one core"),
        ]
    if found.bytes:
        figures.append((format_bytes(found.bytes), f"in {plural(found.file_count, 'file')}"))
        figures += [(f"{round(found.bytes / found.count.levels):,}", "bytes a level")] if found.count.levels else []
    if found.tries.mean is not None and found.tries.greatest and found.tries.greatest.number > 1:
        figures.append(
            (f"{found.tries.mean:.2f}", f"tries a level, {format_number(found.tries.greatest.number)} at the most")
        )
    items = "".join(f"<li><b>{escape(value)}</b><span>{escape(what)}</span></li>" for value, what in figures)
    yield f'<ul class="figures">{items}</ul>'
    if notes := describe_problems(found):
        yield f'<ul class="notes">{"".join(f"<li>{escape(note)}</li>" for note in notes)}</ul>'


def _split_rate(rate: float, who: str) -> tuple[str, str]:
    value, _, unit = format_rate(rate).partition(" ")
    return value, f"{unit}, {who}"


def _render_typical(found: Report, pictures: LevelPictures) -> Iterator[str]:
    if not found.typical:
        return
    about = "No measure differs between the levels, so these are the first ones."
    if found.is_by_median:
        about = (
            "The levels nearest to the median of all measures at once. One interquartile range of a measure counts as "
            "much as that of any other."
        )
    yield (
        f'<h2>{"Typical levels" if found.is_by_median else "The first levels"}</h2><p class="about">{about}</p><div '
        'class="typical">'
    )
    for one in found.typical:
        yield _render_figure(found, one, pictures.render_large(one))
    yield "</div>"


def _render_extreme(found: Report, pictures: LevelPictures) -> Iterator[str]:
    levels = found.extreme[:MAX_EXTREME_PICTURES]
    if not levels:
        return
    rest = (
        f" The first {MAX_EXTREME_PICTURES} of {len(found.extreme)} are shown."
        if len(found.extreme) > MAX_EXTREME_PICTURES
        else ""
    )
    about = "The least and the greatest number of each measure; of equal ones, the first seed."
    scale = "The colour of the ground is steps from the start, on one scale for all."
    yield f'<h2>The extremes</h2><p class="about">{about}{rest} {scale}</p><div class="extreme">'
    farthest = pictures.find_farthest(levels)
    for one in levels:
        yield _render_figure(found, one, pictures.render_small(one, farthest))
    yield "</div>"


def _render_figure(found: Report, one: ReportLevel, picture: str | None) -> str:
    caption = f"seed {found.name_level(one)}" + (f", attempt {one.attempt}" if one.attempt else "")
    reasons = "".join(f'<span class="chip {end}">{end} {_format_name(name)}</span>' for end, name in one.reasons)
    numbers = "".join(
        f"<div><dt>{_format_name(name)}</dt> <dd>{format_number(value)}</dd></div>"
        for name, value in one.numbers.items()
        if found.measures[name].varies
    )
    image = f'<img src="{picture}" alt="the level of {caption}">' if picture else ""
    chips = f'<div class="reasons">{reasons}</div>' if reasons else ""
    frame = f'<div class="frame">{image}</div>' if image else ""
    return (
        f'<figure>{frame}<figcaption>{chips}<span class="seed">{caption}</span><dl>{numbers}</dl></figcaption></figure>'
    )


def _render_measures(found: Report) -> Iterator[str]:
    if not found.measures or not found.count.levels:
        return
    about = (
        "Each bar is a range of numbers, as high as levels fall into it. The line below goes from the least to the "
        "greatest;"
    )
    more = "half of all levels lie in its thick part, and the dot is the median."
    yield f'<h2>The measures</h2><p class="about">{about} {more}</p><div class="measures">'
    for name, one in sorted(found.measures.items(), key=lambda pair: not pair[1].varies):
        kind = "card" if one.varies else "card same"
        yield (
            f'<section class="{kind}"><h3>{_format_name(name)}</h3><p '
            f'class="about">{escape(MEASURES[name].about)}</p>{_render_chart(name, one)}</section>'
        )
    yield "</div>"


def _render_chart(name: str, one: Distribution) -> str:
    if not one.count:
        return "<p>No level has such a number.</p>"
    none = f"{plural(one.missing, 'level')} {'has' if one.missing == 1 else 'have'} none." if one.missing else ""
    if not one.varies:
        where = "every level" if not none else plural(one.count, "level")
        return f"<p><b>{format_number(one.mean)}</b> in {where}. {none}</p>"
    words = [
        ("25%", one.quantile(0.25)),
        ("median", one.quantile(0.5)),
        ("75%", one.quantile(0.75)),
        ("mean", one.mean),
    ]
    numbers = "".join(f"<div><dt>{word}</dt><dd>{format_number(value)}</dd></div>" for word, value in words)
    return f'{render_histogram(name, one)}<dl class="numbers">{numbers}</dl>' + (
        f'<p class="none">{none}</p>' if none else ""
    )


def _render_rejections(found: Report) -> Iterator[str]:
    rows = list_rejections(found)
    if not any(count for _, count in rows):
        return
    most = max(count for _, count in rows)
    yield (
        '<h2>Rejected attempts</h2><p class="about">How many attempts were not as required, and by which requirement; '
        "one attempt may fail several.</p>"
    )
    bars = "".join(render_bar_row(name, f"{count:,}", count / most, kind="warm") for name, count in rows)
    yield f'<div class="card scroll"><table>{bars}</table></div>'


def _render_problems(found: Report) -> Iterator[str]:
    rows = sorted(found.count.problems.items(), key=lambda pair: -pair[1])
    if not rows:
        return
    shown = [(clean_text(problem), count) for problem, count in rows[:20]]
    shown += [("other reasons", rest)] if (rest := sum(count for _, count in rows[20:])) else []
    lines = "".join(f'<tr><td class="words">{escape(problem)}</td><td>{count:,}</td></tr>' for problem, count in shown)
    yield (
        '<h2>Seeds without a level</h2><p class="about">Each has a row in the files all the same, with its problem.</p>'
    )
    yield f'<div class="card scroll"><table>{lines}</table></div>'


def _render_times(found: Report) -> Iterator[str]:
    rows, work = list_step_times(found), found.times.work
    if not rows or work <= 0:
        return
    most = max(seconds for _, seconds, _ in rows)
    about = (
        f"{format_duration(work)} of work for {plural(found.times.seeds, 'seed')}, over all workers. "
        "Steps of the recipe first, then what is done beside them."
    )
    lines = [
        render_bar_row(
            name,
            format_share(seconds, work),
            seconds / most,
            kind="" if is_step else "beside",
            more=_format_time_per_seed(seconds, found.times.seeds),
        )
        for name, seconds, is_step in rows
    ]
    yield (
        f'<h2>Where the time went</h2><p class="about">{about}</p><div class="card '
        f'scroll"><table>{"".join(lines)}</table></div>'
    )


def _format_time_per_seed(seconds: float, seeds: int) -> str:
    """The time for one seed, as text."""
    if not seeds:
        return format_duration(seconds)
    each = seconds / seeds
    return (
        f"{each * 1e6:,.0f} µs a seed"
        if each < 1e-3
        else f"{each * 1e3:,.1f} ms a seed"
        if each < 1
        else f"{format_duration(each)} a seed"
    )


def _render_command(found: Report) -> Iterator[str]:
    yield (
        '<h2>Make it again</h2><p class="about">The same command makes the same bytes, and goes on where it was if it '
        "is interrupted.</p>"
    )
    yield f'<pre class="wrapped">{escape(format_command(found.order, found.opened.path))}</pre>'
    text = found.order.request.recipe.source[0]
    yield f"<details><summary>The recipe</summary><pre>{escape(text)}</pre></details>"


def _render_reading_examples(found: Report) -> Iterator[str]:
    """Examples of code that reads the folder."""
    if not found.typical:
        return
    examples = {"parquet": [POLARS_EXAMPLE], "npz": [NUMPY_EXAMPLE]}.get(found.order.form, [])
    yield (
        '<h2>Read it</h2><p class="about">In the folder of this page. Tiles are numbers of the palette, row by row.</p>'
    )
    yield from (
        f"<pre>{escape(text.format(file=found.first_file, seed=found.typical[0].seed))}</pre>"
        for text in (*examples, UNDERCROFT_EXAMPLE)
    )


POLARS_EXAMPLE = """# with polars, without Undercroft
import json
import numpy as np, polars as pl
levels = pl.read_parquet("seeds-*.parquet").filter(pl.col("problem").is_null())
first = levels.row(0, named=True)
tiles = np.frombuffer(first["tiles"], np.uint8).reshape(first["height"], first["width"])
about = json.loads(pl.read_parquet_metadata("{file}")["undercroft"])
palette = about["palettes"][first["palette"]]["tiles"]  # what tile 0, tile 1 and so on are
walkable = np.array([tile["walkable"] for tile in palette])[tiles]"""
NUMPY_EXAMPLE = """# with NumPy, without Undercroft
import json
import numpy as np
with np.load("{file}") as chunk:
    about = json.loads(chunk["undercroft"].tobytes())
    tiles, problems = chunk["tiles"], chunk["problem"]  # tiles[level, y, x]
palette = next(iter(about["palettes"].values()))["tiles"]  # what tile 0, tile 1 and so on are
walkable = np.array([tile["walkable"] for tile in palette])[tiles]"""
UNDERCROFT_EXAMPLE = """# with Undercroft
import undercroft as uc
batch = uc.open_batch(".")
for level in batch:
    level.tiles, level.walkable, level.start, level.end
level = batch.level({seed})  # whole, with rooms, doors and things"""


def _format_name(name: str) -> str:
    return escape(name.replace("_", " "))
