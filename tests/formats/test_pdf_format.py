"""Levels as PDF files: which pages there are, and how a file tells where it came from."""

from __future__ import annotations

import time
from pathlib import Path

import pypdfium2 as pdfium
import pytest

import undercroft as uc
from undercroft import formats
from undercroft.cli import run
from undercroft.core.level import Level
from undercroft.draw.styles.printed.printed import pages
from undercroft.draw.styles.table import resolve_parts
from undercroft.errors import BadInput, UndercroftError
from undercroft.formats import pdf


@pytest.fixture(scope="module")
def level() -> Level:
    return uc.generate("cozy", seed=5, size=(30, 24))


def test_the_style_print_is_a_stack_and_others_are_one_page(level: Level) -> None:
    document = pdfium.PdfDocument(formats.dump(level, "pdf"))
    stack = pages(level, resolve_parts("print"))
    assert len(document) == len(stack) > 2
    assert [document.get_page_label(number) for number in range(len(stack))] == [page.notes["page"] for page in stack]
    assert document.get_metadata_value("Title") == level.title
    for options in ({"style": "ink"}, {"style": "blueprint", "paper": "letter"}):
        assert len(pdfium.PdfDocument(formats.dump(level, "pdf", **options))) == 1
    assert len(pdfium.PdfDocument(formats.dump(level, "pdf:page"))) == 1
    assert len(pdfium.PdfDocument(formats.dump(level, "pdf:page", style="plain"))) == 1


def test_paper_is_as_asked(level: Level) -> None:
    for name, size in (("a4", (595.276, 841.89)), ("letter", (612, 792)), ("Letter", (612, 792))):
        for page in pdfium.PdfDocument(formats.dump(level, "pdf:page", paper=name)):
            assert sorted(page.get_size()) == pytest.approx(size, abs=0.001)
    with pytest.raises(BadInput, match="unknown paper 'a5'"):
        formats.dump(level, "pdf", paper="a5")
    with pytest.raises(BadInput, match="made of pixels"):
        formats.dump(level, "pdf", style="pixels")
    with pytest.raises(UndercroftError, match="unknown option of the format 'pdf' 'cell'"):
        formats.dump(level, "pdf", cell=4)


def test_parts_can_be_hidden(level: Level) -> None:
    assert formats.dump(level, "pdf:page", hide=["numbers"]) != formats.dump(level, "pdf:page")
    assert formats.dump(level, "pdf:page", show=["path"]) != formats.dump(level, "pdf:page")


def test_a_file_tells_how_its_level_was_made(level: Level, tmp_path: Path) -> None:
    for name in ("pdf", "pdf:page"):
        path = tmp_path / f"{name.replace(':', '-')}.pdf"
        level.save(path, name)
        assert formats.read_origin(path) == {**level.provenance}
    assert run(["generate", "--from", str(path), "-o", str(tmp_path / "again.json"), "--quiet"]) == 0
    assert (uc.load(tmp_path / "again.json").tiles == level.tiles).all()


def test_odd_letters_survive(tmp_path: Path) -> None:
    made = {"recipe": "höhle (alt) \\ x", "seed": "洞窟"}
    level = Level(uc.generate("cave", seed=1).tiles, provenance=made)
    level.save(tmp_path / "a.pdf", "pdf:page")
    assert formats.read_origin(tmp_path / "a.pdf") == made
    plain = {"recipe": "a (b) \\ c", "seed": "7"}
    Level(level.tiles, provenance=plain).save(tmp_path / "b.pdf", "pdf:page")
    assert formats.read_origin(tmp_path / "b.pdf") == plain


HOSTILE = {
    "nothing": (b"", "this is no PDF file"),
    "a picture": (b"\x89PNG\r\n", "this is no PDF file"),
    "no note": (b"%PDF-1.7\n<< /Producer (someone) >>", "does not record how it was made"),
    "a list": (b"%PDF-1.7\n<< /undercroft ([1]) >>", "an object belongs here"),
    "no JSON": (b"%PDF-1.7\n<< /undercroft (hello) >>", "this is not JSON"),
    "empty": (b"%PDF-1.7\n<< /undercroft () >>", "does not record how it was made"),
    "a key twice": (b'%PDF-1.7\n<< /undercroft ({"a":1,"a":2}) >>', "stands twice"),
    "no number": (b'%PDF-1.7\n<< /undercroft ({"a":NaN}) >>', "NaN"),
    "deep": (b"%PDF-1.7\n<< /undercroft (" + b"[" * 100_000 + b") >>", "nesting"),
    "cut off": (b'%PDF-1.7\n<< /undercroft ({"a":', "does not record how it was made"),
    "odd digits": (b"%PDF-1.7\n<< /undercroft <FEFF007> >>", "JSON"),
    "half a letter": (b"%PDF-1.7\n<< /undercroft <FEFFD800> >>", "JSON"),
    "digits of nothing": (b"%PDF-1.7\n<< /undercroft <> >>", "does not record how it was made"),
    "many beginnings": (b"%PDF-1.7\n" + b"/undercroft (" * 200_000, "does not record how it was made"),
    "many backslashes": (b"%PDF-1.7\n/undercroft (" + b"\\" * 2_000_001, "does not record how it was made"),
    "many digits": (b"%PDF-1.7\n" + b"/undercroft <" * 10 + b"0" * 2_000_000, "does not record how it was made"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_a_sentence(name: str) -> None:
    data, problem = HOSTILE[name]
    began = time.process_time()
    with pytest.raises(UndercroftError, match=problem):
        pdf.read_origin(data, "evil.pdf")
    assert time.process_time() - began < 3


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = formats.resolve_format("pdf")
    monkeypatch.setitem(formats.FORMATS.own, "pdf", row._replace(limit=row.limit._replace(value=10)))
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7 and so on")
    with pytest.raises(UndercroftError, match="limit"):
        formats.read_origin(tmp_path / "a.pdf", "pdf")


def test_a_stack_says_how_many_pages_it_has(
    level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    level.save("keep.json")
    many = len(pages(level, resolve_parts("print")))
    said = f"undercroft: note: keep.pdf has {many} pages, with one inch a square; --format pdf:page makes one page\n"
    assert pdf.count_pages(formats.dump(level, "pdf")) == many
    for words in (
        ["convert", "keep.json", "keep.pdf"],
        ["convert", "keep.json", "./keep.pdf"],
        ["generate", "cozy", *MADE, "-o", "keep.pdf"],
    ):
        assert run(words) == 0
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--quiet"], ["--format", "pdf:page"], ["--style", "ink"]])
def test_one_page_needs_no_words(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["generate", "cozy", *MADE, "-o", "keep.pdf", *more]) == 0
    assert "pages" not in capsys.readouterr().err


MADE = ("--seed", "5", "--size", "30x24")
