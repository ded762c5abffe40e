"""The reference page of the Python names leaves nothing out, and shows each of them at work."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from support.paths import ROOT
from undercroft.deprecation import RenamedMember

sys.path.insert(0, str(ROOT / "docs"))
python_page: Any = importlib.import_module("making.python_page")
python_source: Any = importlib.import_module("making.python_source")

PAGE = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
NAMES = [name for names in python_page.GROUPS.values() for name in names]
CLASSES = [name for name in uc.__all__ if inspect.isclass(getattr(uc, name))]


def section(name: str) -> str:
    """What the page says of a public name."""
    return re.split(r"^##+ ", PAGE.partition(f"\n### {name}\n")[2], maxsplit=1, flags=re.MULTILINE)[0] + "".join(
        f"{part}\n" for part in re.findall(rf"^#### {name}\.\w+\n(?:(?!^#).*\n)*", PAGE, re.MULTILINE)
    )


def public_members(kind: type) -> Iterator[tuple[str, object]]:
    """What a class has under public names, that it defines itself; what it inherits stands with the other class."""
    yield from ((name, value) for name, value in vars(kind).items() if not name.startswith("_"))
    yield from ((name, None) for name in vars(kind).get("__annotations__", {}) if not name.startswith("_"))


def test_every_public_name_is_in_one_group() -> None:
    assert sorted(NAMES) == sorted(uc.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_has_a_text_and_an_example(name: str) -> None:
    assert f"\n### {name}\n" in PAGE
    text = re.sub(r"^```.*?^```$", "", section(name), flags=re.MULTILINE | re.DOTALL).strip()
    assert len(text.split()) >= 4
    assert "\n>>> " in section(name)


@pytest.mark.parametrize("name", CLASSES)
def test_no_member_of_a_class_is_missing(name: str) -> None:
    kind, told = getattr(uc, name), section(name)
    for member, value in public_members(kind):
        if isinstance(value, RenamedMember):
            assert f"#### {name}.{member}\n" not in PAGE
        elif inspect.isfunction(getattr(value, "__func__", value)):
            assert f"#### {name}.{member}\n" in PAGE
        elif member not in vars(Exception) and not any(member in vars(base) for base in kind.__mro__[1:]):
            assert re.search(rf"^\|.*`{member}[:`]", told, re.MULTILINE), member


@pytest.mark.parametrize("name", CLASSES)
def test_every_method_is_called_in_an_example(name: str) -> None:
    examples = "".join(re.findall(r"^(?:>>>|\.\.\.) .*$", section(name), re.MULTILINE))
    assert [
        method.name for method in python_source.methods(getattr(uc, name)) if f".{method.name}(" not in examples
    ] == []


EXAMPLES = [match[1] for match in re.finditer(r"^```python\n(>>> .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)]


@pytest.mark.parametrize("example", EXAMPLES, ids=[str(number) for number in range(len(EXAMPLES))])
def test_an_example_runs_alone_after_the_import(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(example, {"uc": uc}, "python.md", None, 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not result.failed, "".join(said)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 60


def test_no_attribute_is_without_a_text() -> None:
    assert "|  |\n" not in PAGE


def test_a_link_leads_to_one_heading() -> None:
    headings = [heading.lower() for heading in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)]
    assert len(set(headings)) == len(headings)


def test_what_an_example_prints_is_what_it_printed() -> None:
    assert python_page.run_example("\n>>> uc.Level.parse('#.').size\n>>> a = 1\n") == (
        ">>> uc.Level.parse('#.').size",
        "(2, 1)",
        ">>> a = 1",
    )
    with pytest.raises(ValueError, match="ZeroDivisionError"):
        python_page.run_example(">>> 1 / 0")


class Sample:
    """A class to read."""

    plain: int
    """What it is."""

    def __init__(self, left: str, *rest: int, right: str = "r", **more: bool) -> None:
        self.left = left
        self.right = right + left
        """Both."""
        self.count = 0
        self._hidden = rest or more

    @property
    def size(self) -> int:
        """How much."""
        return 0

    @classmethod
    def load(cls, path: str) -> Sample:
        """One from a file."""
        return cls(path)


def test_how_a_class_is_read() -> None:
    field = python_source.Field
    assert python_source.constructor(Sample) == 'Sample(left: str, *rest: int, right: str = "r", **more: bool)'
    assert python_source.attributes(Sample) == [
        field("plain", "int", about="What it is."),
        field("left", "str"),
        field("right", "", about="Both."),
        field("count", "int"),
        field("size", "int", about="How much."),
    ]
    [load] = python_source.methods(Sample)
    assert load.signature == "Sample.load(path: str) -> Sample"
    assert load.of_class
