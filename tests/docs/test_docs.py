"""The pages are executed, the reference is up to date, the examples run, and no link leads nowhere."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from support.paths import ROOT
from undercroft.cli import run
from undercroft.draw.styles.table import STYLES

DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"
sys.path.insert(0, str(DOCS))
blocks: Any = importlib.import_module("making.blocks")
reference: Any = importlib.import_module("making.reference")
pictures: Any = importlib.import_module("making.pictures")
gallery: Any = importlib.import_module("making.gallery")

PAGES = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "examples/README.md")] + sorted(
    DOCS.rglob("*.md")
)
posix = pytest.mark.skipif(os.name == "nt", reason="the pages speak to a POSIX shell")


def make() -> Any:
    spec = importlib.util.spec_from_file_location("docs_make", DOCS / "make.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LONG = {"docs/gallery/README.md", "docs/batch.md", "docs/cluster.md", "docs/printing.md"}
"""Pages that draw large pictures or make very many levels."""
PLAYED = [
    pytest.param(page, id=name, marks=[pytest.mark.long] * (name in LONG))
    for page in make().PAGES
    if (name := page.relative_to(ROOT).as_posix()) != "README.md"
]


def alone(command: str) -> list[str]:
    """The arguments of a command line that is nothing but one call of the program; else none."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""  # within a word it is no comment: caves#7
    program, *words = lexer
    special = any(set(word) <= set("();<>|&") for word in words) or "$" in command or "`" in command
    return [] if special or program != "undercroft" else words


WITH_FILE_AND_CODE = re.compile(
    r"""(?P<file>printf '[^']*' > [\w.]+; )?(?P<call>undercroft .+?)(?P<code>; echo "exit code \$\?")?"""
)
"""A call of the program, perhaps after a file was written and before the exit code is printed."""


def shell_or_here(
    command: str, folder: Path, *, shell: Callable[[str, Path], tuple[str, ...]] = blocks.shell
) -> tuple[str, ...]:
    """What `blocks.shell` gives, without starting a process for a plain call of the program: on most pages, starting it
    takes longer than what it does. The README is played with real processes throughout.
    """
    match = WITH_FILE_AND_CODE.fullmatch(command)
    words = alone(match["call"]) if match else []
    if not match or not words:
        return shell(command, folder)
    if match["file"]:
        assert shell(match["file"].removesuffix("; "), folder) == ()
    said = io.BytesIO()  # both streams end here, each after its own manner: errors at once, output at the end
    out = io.TextIOWrapper(io.BufferedWriter(Unclosed(said)), encoding="utf-8")
    errors = io.TextIOWrapper(Unclosed(said), encoding="utf-8", write_through=True)  # type: ignore[type-var]
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(folder):
        patch.setenv("COLUMNS", "100")
        patch.delenv("UNDERCROFT_DEBUG", raising=False)
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", errors)
        code = run(words)
        out.flush()
        errors.flush()
    said.write(f"exit code {code}\n".encode() if match["code"] else b"")
    text = said.getvalue().decode()
    return tuple(line.rstrip() for line in text.rstrip("\n").split("\n")) if text.strip() else ()


class Unclosed(io.RawIOBase):
    """Writes into a buffer that stays open."""

    def __init__(self, target: io.BytesIO) -> None:
        self.target = target

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return self.target.write(data)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("undercroft list recipes", ["list", "recipes"]),
        ('undercroft generate cave --until "loops >= 5"', ["generate", "cave", "--until", "loops >= 5"]),
        ("undercroft generate cave | head -3", []),
        ("undercroft lint a.rules; echo done", []),
        ("undercroft lint a.rules > b.txt", []),
        ("undercroft lint a.rules && ls", []),
        ('undercroft generate "$SEED"', []),
        ("printf x", []),
    ],
)
def test_which_commands_need_no_shell(command: str, words: list[str]) -> None:
    assert alone(command) == words


@posix
@pytest.mark.parametrize(
    "command",
    [
        "undercroft generate cave --seed 3 --size 20x8",
        "undercroft generate cave --seed 3 --size 20x8 -o cave.json",
        "undercroft generate cav",
        "undercroft measure cave --seeds 0..3 loops",
        "undercroft --help",
        """printf 'x = 1' > slip.toml; undercroft generate slip.toml; echo "exit code $?\"""",
        'undercroft generate cave --seed 1 --max-steps 1000; echo "exit code $?"',
    ],
)
def test_without_a_process_the_same_is_said(command: str, tmp_path: Path) -> None:
    assert shell_or_here(command, tmp_path) == blocks.shell(command, tmp_path) != ()


@posix
@pytest.mark.parametrize("page", PLAYED)
def test_a_page_says_what_the_program_says(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "shell", shell_or_here)
    told = blocks.played(page)
    assert told
    for block, truth in told:
        assert block.lines == truth, (
            f"{page.name}, block at line {block.line}: run make docs, and look at what it changed"
        )


def test_every_page_with_blocks_is_played() -> None:
    """The reference is not: it is made by running what it shows."""
    played = set(make().PAGES) | set((DOCS / "reference").iterdir())
    for page in PAGES:
        if any(
            block.kind in {"console", "python", "toml"} for block in blocks.blocks(page.read_text(encoding="utf-8"))
        ):
            assert page in played, f"add {page.name} to PAGES in docs/make.py"


def test_the_reference_is_up_to_date() -> None:
    assert not [page.name for page in make().stale_reference()], "run make docs"


def test_the_check_fails_if_something_is_out_of_date(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = make()
    monkeypatch.setattr(sys, "argv", ["make.py", "--check"])
    monkeypatch.setattr(module, "stale_reference", dict)
    monkeypatch.setattr(module, "stale_pages", dict)
    assert module.main() == 0
    monkeypatch.setattr(module, "stale_pages", lambda: {DOCS / "tutorial.md": "new"})
    assert module.main() == 1
    assert "tutorial.md is out of date" in capsys.readouterr().out


def test_every_field_of_every_step_is_in_the_reference() -> None:
    page = (DOCS / "reference" / "steps.md").read_text(encoding="utf-8")
    from undercroft.steps import STEPS

    for name, step in STEPS.items():
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert f"Edition {step.edition}." in section
        assert all(f"| `{field.name}` |" in section for field in dataclasses.fields(step))  # type: ignore[arg-type]


def test_the_reference_shows_what_every_step_and_parameter_does() -> None:
    from undercroft.steps import STEPS

    assert [name for name, step in STEPS.items() if not reference.shown_by(name, step)] == [], (
        "draw in the docstring, or add to docs/making/step_examples.py"
    )
    assert set(reference.EXAMPLES) <= set(STEPS)
    page = (DOCS / "reference" / "steps.md").read_text(encoding="utf-8")
    assert "|  |\n" not in page, "a field without a text under it"
    assert not re.search(r"^>>> ", prose(DOCS / "reference" / "steps.md"), re.MULTILINE)


def test_every_key_of_a_recipe_is_documented() -> None:
    from undercroft.core.draft import FACTS
    from undercroft.recipe import document, params

    page = (DOCS / "recipes.md").read_text(encoding="utf-8")
    written = {"param": "`[param.NAME]`", "step": "`[[step]]`", "require": "`[require]`"}
    for key in (*document._KEYS, *params._PARAM_KEYS, "use", "id", *FACTS):
        assert written.get(key, f"`{key}`") in page, key


def test_every_method_has_a_page_a_picture_and_a_place_among_the_methods() -> None:
    from undercroft.recipe.catalogue import names

    index, reading = DOCS / "methods" / "README.md", (DOCS / "further-reading.md").read_text(encoding="utf-8")
    for name in names():
        page = reference.page_of(name)
        assert page, f"write docs/methods/{name}.md"
        assert f"[`{name}`]({page})" in prose(index)
        assert f"](../pictures/{name}.png)" in prose(index)
        assert f"`{name}`" in reading
    for page in sorted((DOCS / "methods").glob("*.md")):
        assert page == index or f"]({page.name})" in prose(index)


def test_every_method_page_has_the_same_parts() -> None:
    parts = {"Parameters", "Guarantees", "Cost", "Further reading"}
    for page in (DOCS / "methods").glob("*.md"):
        if page.name not in {"README.md", "finishing.md"}:
            assert parts <= set(re.findall(r"^## (.+)$", prose(page), re.MULTILINE)), page.name


@pytest.mark.parametrize("page", sorted(DOCS.glob("methods/*.md")), ids=lambda page: page.name)
def test_a_time_is_told_with_its_machine(page: Path) -> None:
    """Milliseconds mean nothing without it; ratios do."""
    for paragraph in prose(page).split("\n\n"):
        if re.search(r"\d (ms|s)\b|millisecond|of a second\b|a second[.,;]", paragraph):
            assert "2-core machine" in paragraph, paragraph


def test_the_example_file_is_the_one_on_the_page_and_reads_back() -> None:
    [block] = [
        block for block in blocks.blocks((DOCS / "formats.md").read_text(encoding="utf-8")) if block.kind == "json"
    ]
    path = EXAMPLES / "chapel.json"
    assert block.text == path.read_text(encoding="utf-8")
    from undercroft import formats

    level = uc.load(path)
    assert formats.dump(level, "json") == path.read_bytes()
    for name in ("json", "npz"):
        assert formats.loads(formats.dump(level, name), name) == level
    assert level.regions[0].tags == ("chapel",)
    assert [thing.kind for thing in level.things] == ["chest", "bat"]
    assert uc.survey(level).links == level.links


def test_every_key_of_the_native_format_is_documented() -> None:
    from undercroft.formats.native.read_level import LEVEL_KEYS

    page = (DOCS / "formats.md").read_text(encoding="utf-8")
    assert all(f"`{key}`" in page or f"`{key}." in page for key in LEVEL_KEYS)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.name)
def test_an_example_recipe_makes_levels(path: Path) -> None:
    if path.name == "ruff.toml":
        return
    recipe = uc.Recipe.load(path)
    assert recipe.about
    assert recipe.params
    assert recipe.require
    for seed in range(8):
        result = recipe.generate(seed=seed)
        assert uc.measure(result.level, "components") == {"components": 1}
        assert result.level.start is not None
        assert result.level.end is not None
        assert len(result.level.path) > 1
    assert recipe.generate(seed=3).level == recipe.generate(seed=3).level


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_an_example_program_runs(path: Path, tmp_path: Path) -> None:
    settings = {**os.environ, "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, str(path)],
        cwd=tmp_path,
        env=settings,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") > 10
    assert f"python examples/{path.name}" in path.read_text(encoding="utf-8")


def test_the_readme_tells_how_its_picture_was_made() -> None:
    recipe, seed, _ = gallery.KEEP
    assert f"The keep above is the recipe `{recipe}` with seed {seed}." in (ROOT / "README.md").read_text(
        encoding="utf-8"
    )


def test_the_pictures_are_there_and_used() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for picture in pictures.PICTURES:
        assert (DOCS / "pictures" / picture.name).read_bytes().startswith((b"\x89PNG", b"RIFF")), "run make docs"
        assert f"pictures/{picture.name}" in text
    # taken by docs/making/studio_pictures.py in a browser
    others = {path.name for path in (DOCS / "pictures").glob("studio-*.webp")}
    assert {path.name for path in (DOCS / "pictures").iterdir()} - others == {
        picture.name for picture in pictures.PICTURES
    }


def test_the_gallery_shows_every_style() -> None:
    text = (DOCS / "gallery" / "README.md").read_text(encoding="utf-8")
    for style in STYLES:
        for what in ("keep", "cave"):
            assert (DOCS / "gallery" / f"{style}-{what}.webp").read_bytes().startswith(b"RIFF"), "run make docs"
            assert f"({style}-{what}.webp)" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_link_leads_nowhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), target
        assert file.is_relative_to(ROOT), target
        if anchor:
            assert anchor in anchors(file), target


def prose(page: Path) -> str:
    """The page without its blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    }
