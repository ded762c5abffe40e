"""The closing report: its numbers are those of the files, its page is safe to open, and nothing is lost if it cannot be
made.
"""

from __future__ import annotations

import base64
import dataclasses
import io
import json
import math
import re
import shlex
import tracemalloc
from collections.abc import Iterator, Sequence
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image

import undercroft as uc
from undercroft import limits
from undercroft.bulk.batch.columns import Shard
from undercroft.bulk.batch.reader import OpenedBatch
from undercroft.bulk.batch.request import BatchRequest
from undercroft.bulk.report import distribution
from undercroft.bulk.report import pictures as report_pictures
from undercroft.bulk.report.report import MISSING_DISTANCE, TYPICAL_LEVELS, Report, build_report
from undercroft.bulk.report.times import Times, read_times
from undercroft.bulk.report.wording import describe_problems, format_command
from undercroft.cli import run
from undercroft.recipe.request import Request

HERE: dict[str, Any] = {"workers": 1, "memory": None}
MEASURES = ["density", "path_length", "loops", "components"]
CAVES: dict[str, Any] = {
    "size": (40, 20),
    "measures": MEASURES,
    "until": ["loops >= 9"],
    "tries": 3,
    "chunk": 40,
    **HERE,
}
COUNT = 200
EVIL = '<script>alert("1")</script><img src=x onerror=alert(2)>&\x1b[31m\u202e'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("caves") / "out"
    made = uc.batch("cave", COUNT, path, **CAVES)
    build_report(uc.open_batch(path), made).save()
    return path


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return uc.open_batch(folder).report()


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return report.page()


@pytest.fixture(scope="module")
def table(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "*.parquet")


def test_the_numbers_are_those_that_polars_finds(report: Report, table: pl.DataFrame) -> None:
    levels = table.filter(pl.col("problem").is_null())
    assert 0 < len(levels) < COUNT
    assert (report.seeds, report.count.levels) == (len(table), len(levels))
    assert report.count.problems == {"no try is as required": COUNT - len(levels)}
    assert report.count.rejected == {
        name: table[f"rejected: {name}"].sum() for name in ("components == 1", "loops >= 9")
    }
    assert report.count.rejected["loops >= 9"] > 0
    assert report.tries.mean == pytest.approx(levels["attempt"].mean() + 1)  # type: ignore[operator]
    for name in MEASURES:
        one, column = report.measures[name], levels[name]
        assert (one.count, one.missing) == (len(levels) - column.null_count(), column.null_count())
        assert one.mean == pytest.approx(column.mean())
        for share in (0, 0.25, 0.5, 0.75, 1):
            assert one.quantile(share) == pytest.approx(column.quantile(share, "linear"))
    sizes = [path.stat().st_size for path in report.opened.path.glob("*.parquet")]
    assert (report.file_count, report.bytes) == (len(sizes), sum(sizes))


def test_typical_levels_are_nearest_to_all_medians_and_extreme_ones_at_the_ends(
    report: Report, table: pl.DataFrame
) -> None:
    levels = table.filter(pl.col("problem").is_null())
    far = np.zeros(len(levels))
    for name in ("density", "path_length", "loops"):
        numbers = levels[name].to_numpy().astype(float)
        lower, median, upper = np.nanquantile(numbers, (0.25, 0.5, 0.75))
        far += np.where(np.isnan(numbers), MISSING_DISTANCE, np.abs(numbers - median) / (upper - lower))
    nearest = np.argsort(far.round(9), kind="stable")[:TYPICAL_LEVELS]
    assert [one.seed for one in report.typical] == [int(levels["seed"][int(place)]) for place in nearest]
    ends = {(reason, one.seed) for one in report.extreme for reason in one.reasons}
    expected = set()
    for name in ("density", "path_length", "loops"):
        numbers = levels[name].to_numpy().astype(float)
        expected |= {
            (("least", name), int(levels["seed"][int(np.nanargmin(numbers))])),
            (("greatest", name), int(levels["seed"][int(np.nanargmax(numbers))])),
        }
    assert ends == expected
    for one in (*report.typical, *report.extreme):
        row = levels.row(by_predicate=pl.col("seed") == one.seed, named=True)
        assert one.numbers == {name: row[name] for name in MEASURES}
        assert one.attempt == row["attempt"]


@pytest.mark.parametrize("form", ["npz", "json"])
def test_every_form_gives_the_same_report(form: str, report: Report, tmp_path: Path) -> None:
    uc.batch("cave", COUNT, tmp_path, as_=form, **CAVES)
    other = uc.open_batch(tmp_path).report()
    data, same = other.data(), report.data()
    assert data["files"] == (5 if form == "npz" else 5 + other.count.levels)
    for key in ("files", "bytes", "timed"):
        del data[key], same[key]
    assert data == same
    json.dumps(data, allow_nan=False)


def test_the_text_tells_it_in_a_hundred_columns(report: Report) -> None:
    text = str(report)
    assert text == report.text()
    assert max(map(len, text.split("\n"))) <= 100
    assert f"cave 40x20, seeds 0..199: {report.count.levels} levels" in text
    assert re.search(r"^path_length +\d+ .*  [▁▂▃▄▅▆▇█ ]+$", text, re.MULTILINE)
    assert re.search(rf"^loops >= 9 +{report.count.rejected['loops >= 9']}  █+$", text, re.MULTILINE)
    assert re.search(rf"^no try is as required +{COUNT - report.count.levels}$", text, re.MULTILINE)
    assert re.search(r"^noise +[\d.]+ m?s +<?\d+%  [█▏▎▍▌▋▊▉]+$", text, re.MULTILINE)
    assert re.search(r"^\(measures\) ", text, re.MULTILINE)
    assert f"typical: seed {report.typical[0].seed}," in text


class Tags(HTMLParser):
    """Every tag and attribute of a page; all that is opened is closed."""

    VOID = frozenset({"meta", "img", "br", "rect", "path", "circle", "stop"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def check_safe(page: str) -> Tags:
    """Nothing is fetched, nothing runs."""
    tags = Tags(page)
    assert not {"script", "link", "iframe", "object", "embed", "base", "form", "a"} & set(tags.tags)
    assert not [
        name
        for name, _ in tags.attributes
        if name.startswith("on") or name in ("href", "xlink:href", "action", "srcset")
    ]
    assert all(value.startswith("data:image/png;base64,") for name, value in tags.attributes if name == "src")
    assert "://" not in page
    assert "@import" not in page
    assert set(re.findall(r"url\((.)", page)) <= {"#"}
    assert "default-src 'none'" in page
    return tags


def test_the_page_holds_all_it_shows(page: str, report: Report) -> None:
    tags = check_safe(page)
    words = " ".join(tags.words)
    assert f"{report.count.levels} levels of cave" in words
    headings = (
        "Typical levels|The measures|The extremes|Rejected attempts|Seeds without a level|Where the time went|Make it "
        "again|Read it"
    )
    for heading in headings.split("|"):
        assert heading in words
    pictures = [value.partition(",")[2] for name, value in tags.attributes if name == "src"]
    assert len(pictures) == len(report.typical) + len(report.extreme)
    for picture in pictures:
        image = Image.open(io.BytesIO(base64.b64decode(picture)))
        assert image.format == "PNG"
        assert max(image.size) > 300
    assert len(re.findall("<svg class=.histogram", page)) == 3  # components are the same everywhere
    assert "<b>1</b> in every level" in page
    assert format_command(report.order, report.opened.path) in words
    assert "prefers-color-scheme: dark" in page
    bars = [int(count.replace(",", "")) for count in re.findall(r"<title>[^<]*: ([\d,]+) levels?</title>", page)]
    assert sum(bars) == sum(report.measures[name].count for name in ("density", "path_length", "loops"))


@pytest.mark.parametrize("form", ["parquet", "npz", "json"])
def test_the_ways_to_read_it_work(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uc.batch("cave", 6, tmp_path, size=(20, 10), as_=form, **HERE)
    page = uc.open_batch(tmp_path).report().page()
    monkeypatch.chdir(tmp_path)
    programs = [unescape(text) for text in re.findall(r"<pre>(# with .*?)</pre>", page, re.DOTALL)]
    assert len(programs) == (1 if form == "json" else 2)
    for program in programs:
        names: dict[str, Any] = {}
        exec(program, names)
        level = uc.generate("cave", 0, (20, 10))
        if "palette" in names:
            assert np.array_equal(names["walkable"].reshape(-1, 10, 20)[0], level.walkable)
        else:
            assert names["level"] == level


def test_hostile_words_stay_words(folder: Path, report: Report) -> None:
    evil = build_report(uc.open_batch(folder))
    evil.count.problems = {EVIL: 3}
    evil.count.rejected = {EVIL: 2}
    evil.not_met = {EVIL: 1}
    evil.poisoned, evil.damaged = [(5, 9, EVIL)], [EVIL]
    evil.times = Times(3, 1.0, {EVIL: 0.5})
    order = evil.opened.order
    request, text = order.request, order.request.recipe.source[0].partition("\n")[2]
    recipe = uc.Recipe.parse(f"about = '''{EVIL[:-7]}'''\n{text}\n# </pre>{EVIL[:-7]}", f"{EVIL}.toml")
    order.request = Request(recipe, size=request.size, params=request.params, until=request.until)
    tags = check_safe(evil.page())
    assert any(EVIL[:27] in word for word in tags.words)
    text = evil.text()
    assert text.isprintable() or all(char.isprintable() or char == "\n" for char in text)
    assert max(map(len, text.split("\n"))) <= 100


def test_the_command_makes_the_same_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    asked: dict[str, Any] = {
        "params": {"fill_prob": 0.45},
        "first": 7,
        "until": ["loops >= 1"],
        "tries": 4,
        "pick": "best",
        "as_": "npz",
        "chunk": 3,
    }
    made = uc.batch("cave", 6, "a", size=(30, 20), measures=["loops", "density"], **asked, **HERE)
    words = shlex.split(format_command(made.order, Path("b")))
    assert words[:2] == ["undercroft", "batch"]
    assert run([*words[1:], "--workers", "1", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert (tmp_path / "a" / "manifest.json").read_bytes() == (tmp_path / "b" / "manifest.json").read_bytes()


def test_times_are_remembered_and_added_up(tmp_path: Path) -> None:
    made = uc.batch("cave", 60, tmp_path, size=(20, 10), as_="npz", chunk=20, **HERE)
    first = build_report(uc.open_batch(tmp_path), made)
    first.save()
    assert first.times.seeds == 60
    assert read_times(tmp_path, made.order.digest) == uc.open_batch(tmp_path).report().times
    (tmp_path / "seeds-20-39.npz").unlink()
    half = uc.open_batch(tmp_path).report()
    assert (half.seeds, half.is_complete) == (40, False)
    assert "20 seeds of 60 are still to be made." in half.text()
    again = uc.batch("cave", 60, tmp_path, size=(20, 10), as_="npz", chunk=20, **HERE)
    whole = build_report(uc.open_batch(tmp_path), again)
    assert (whole.seeds, whole.is_complete) == (60, True), "a report is over all files"
    assert whole.times.seeds == 80
    assert whole.times.steps["noise"] == pytest.approx(first.times.steps["noise"] + again.seconds["noise"], abs=1e-5)
    assert whole.times.elapsed == pytest.approx(first.times.elapsed + again.elapsed, abs=1e-5)
    kept = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert read_times(tmp_path, "another order") == Times()
    for damaged in (
        "",
        kept[:300],
        kept.replace("&quot;seeds&quot;:60", "&quot;seeds&quot;:-1"),
        kept.replace("&quot;steps&quot;:{", "&quot;steps&quot;:[{"),
    ):
        (tmp_path / "report.html").write_text(damaged, encoding="utf-8")
        assert read_times(tmp_path, made.order.digest) == Times()


def test_without_measures_the_first_levels_are_shown(tmp_path: Path) -> None:
    uc.batch("cave", 9, tmp_path, size=(20, 10), as_="npz", **HERE)
    report = uc.open_batch(tmp_path).report()
    assert [one.seed for one in report.typical] == [0, 1, 2]
    assert (report.extreme, report.is_by_median) == ([], False)
    assert "the first: seed 0, seed 1, seed 2" in report.text()
    assert "The first levels" in check_safe(report.page()).words


def test_a_batch_without_a_level_has_a_report_too(tmp_path: Path) -> None:
    uc.batch("cave", 4, tmp_path, size=(12, 8), until=["loops >= 90"], tries=2, measures=["loops"], as_="npz", **HERE)
    report = uc.open_batch(tmp_path).report()
    assert "0 levels" in report.text()
    assert (report.typical, report.extreme) == ([], [])
    assert "0 levels of cave" in check_safe(report.page()).words
    json.dumps(report.data(), allow_nan=False)


def test_what_is_not_as_required_is_told(tmp_path: Path) -> None:
    uc.batch("cave", 6, tmp_path, size=(20, 10), until=["loops >= 90"], tries=2, pick="best", as_="npz", **HERE)
    report = uc.open_batch(tmp_path).report()
    assert report.not_met == {"components == 1": 0, "loops >= 90": 6}
    assert "6 of 6 levels: not loops >= 90." in report.text()


def test_pictures_are_no_more_than_can_be_made_again_quickly(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_pictures, "MAX_CELLS_DRAWN", 2 * 40 * 20)
    tags = check_safe(uc.open_batch(folder).report().page())
    assert tags.tags.count("img") == 2
    monkeypatch.setattr(report_pictures, "MAX_CELLS_DRAWN", 0)
    assert check_safe(uc.open_batch(folder).report().page()).tags.count("img") == 1


def test_a_level_that_cannot_be_made_again_has_no_picture(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(_self: OpenedBatch, seed: int, combination: int = 0) -> uc.Level:
        raise uc.BadInput(f"the level of seed {seed} is generated differently now")

    monkeypatch.setattr(OpenedBatch, "level", other)
    tags = check_safe(uc.open_batch(folder).report().page())
    assert tags.tags.count("img") == 0
    assert tags.tags.count("figure") > TYPICAL_LEVELS


def test_memory_does_not_grow_with_the_levels(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, read = 500, 0
    monkeypatch.setattr(distribution, "BUFFER_SIZE", 2000)
    monkeypatch.setattr(distribution, "MAX_DISTINCT_VALUES", 2000)

    def many(self: OpenedBatch, names: Sequence[str]) -> Iterator[tuple[Path, Shard]]:
        nonlocal read
        chance = np.random.default_rng(3)
        for part in range(files):
            made = {
                "seed": [str(part * rows + row) for row in range(rows)],
                "problem": [None] * rows,
                "density": chance.random(rows).tolist(),
            }
            made |= {
                name: chance.integers(0, 900, rows).tolist()
                for name in ("path_length", "loops", "components", "attempt")
            }
            read += 1
            yield self.path, Shard({name: made.get(name, [0] * rows) for name in names})

    monkeypatch.setattr(OpenedBatch, "shards", many)
    opened, peaks = uc.open_batch(folder), []
    for files in (12, 60):
        tracemalloc.start()
        report = build_report(opened)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert report.count.levels == files * rows
    assert read == 2 * 72, "each file is read twice"
    assert peaks[1] < 1.2 * peaks[0] < 4_000_000


class CommandOutput:
    """What the command said."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *words: str) -> None:
        self.code = run(
            [
                "batch",
                "cave",
                "--count",
                "12",
                "--size",
                "20x10",
                "--measures",
                "loops",
                "--as",
                "npz",
                "--workers",
                "1",
                *words,
            ]
        )
        self.out, self.err = capsys.readouterr()


def test_the_command_ends_with_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "a")
    said = CommandOutput(capsys, "--out", out)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("cave 20x10, seeds 0..11: 12 levels\n")
    assert said.out.endswith(f"\nwritten to {out}, with a page to look at: {tmp_path / 'a' / 'report.html'}\n")
    check_safe((tmp_path / "a" / "report.html").read_text(encoding="utf-8"))
    again = CommandOutput(capsys, "--out", out)
    assert "12 levels" in again.out
    assert "noise" in again.out, "what was timed before is told again"
    assert again.out.endswith(
        f"\nnothing was left to do: all 12 seeds stood in {out} already, with a page to look at: "
        f"{tmp_path / 'a' / 'report.html'}\n"
    )
    next((tmp_path / "a").glob("seeds-*")).unlink()
    assert f"\nwritten to {out}, with" in CommandOutput(capsys, "--out", out).out
    assert CommandOutput(capsys, "--out", out, "--quiet").out == ""
    told = json.loads(CommandOutput(capsys, "--out", out, "--json").out)
    assert told["measures"]["loops"]["median"] == uc.open_batch(out).report().measures["loops"].quantile(0.5)
    bare = CommandOutput(capsys, "--out", str(tmp_path / "b"), "--no-report")
    assert bare.out.startswith("12 levels in ")
    assert not (tmp_path / "b" / "report.html").exists()
    assert json.loads((tmp_path / "a" / "manifest.json").read_bytes()) == json.loads(
        (tmp_path / "b" / "manifest.json").read_bytes()
    )


@pytest.mark.parametrize("broken", ["render_page", "_count_levels"])
def test_a_report_that_fails_loses_nothing(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> str:
        raise ValueError("no such ink")

    monkeypatch.delenv("UNDERCROFT_DEBUG", raising=False)
    monkeypatch.setattr(
        f"undercroft.bulk.report.{'html_page' if broken == 'render_page' else 'report'}.{broken}", fails
    )
    said = CommandOutput(capsys, "--out", str(tmp_path / "a"))
    assert said.code == 0
    assert "12 levels" in said.out
    assert "report.html" not in said.out
    assert said.err == "undercroft: note: the batch is whole, but there is no report.html: ValueError: no such ink\n"
    assert len(uc.open_batch(tmp_path / "a")) == 12


def test_a_folder_that_cannot_take_the_page_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "report.html").mkdir()
    order = uc.batch("cave", 12, tmp_path / "x", size=(20, 10), measures=["loops"], as_="npz", **HERE).order
    (tmp_path / "order.json").write_bytes(json.dumps(order.data).encode())
    said = CommandOutput(capsys, "--out", str(tmp_path))
    assert said.code == 0
    assert "it is a folder" in said.err
    assert not math.isnan(uc.open_batch(tmp_path).column("loops").sum())


def test_the_command_names_the_limits_that_it_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "--max" not in format_command(BatchRequest("cave", 2, size=(40, 20), as_="npz", max_cells=10**6), Path("b"))
    assert "--max-steps 123456" in format_command(
        BatchRequest("cave", 2, size=(40, 20), max_steps=123456, as_="npz"), Path("b")
    )
    monkeypatch.setattr(limits, "CELLS", limits.CELLS._replace(value=2000))
    monkeypatch.chdir(tmp_path)
    order = BatchRequest("cave", 2, size=(60, 40), max_cells=10**6, as_="npz")
    words = shlex.split(format_command(order, Path("b")))
    assert words[-2:] == ["--max-cells", "2400"]
    assert run([*words[1:], "--workers", "1", "--no-report", "--quiet"]) == 0
    assert shlex.split(format_command(uc.open_batch("b").order, Path("b"))) == words


def test_of_many_damaged_files_a_few_are_named(report: Report) -> None:
    many = dataclasses.replace(report, damaged=[f"seeds-{number}.npz" for number in range(1200)])
    told = [line for line in describe_problems(many) if "damaged" in line or "more" in line]
    assert told == [
        *(f"seeds-{number}.npz was damaged, and was made again." for number in range(5)),
        "So were 1,195 more.",
    ]


def test_of_many_that_were_given_up_a_few_are_named(report: Report) -> None:
    many = dataclasses.replace(
        report, poisoned=[(0, 0, "SIGSEGV"), *((first, first + 4, "SIGKILL") for first in range(5, 105, 5))]
    )
    told = [line for line in describe_problems(many) if "given up" in line or "more" in line]
    assert told[:2] == ["The seed 0 was given up: SIGSEGV.", "The seeds 5 to 9 were given up: SIGKILL."]
    assert told[-1] == "So were 45 seeds more; manifest.json names them all."
    assert len(told) == 13
