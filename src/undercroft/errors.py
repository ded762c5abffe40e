"""The errors of the package. Each message says where the mistake is, what it is, and how to fix it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from undercroft.deprecation import RenamedMember
from undercroft.wording import format_number, format_value_briefly, shorten

if TYPE_CHECKING:
    from undercroft.core.level import Level


class _PlaceFields(NamedTuple):
    """The fields of `Place`: a named tuple cannot hold a `RenamedMember` itself."""

    file: str
    """The file's name."""
    line: int
    """Its line, from 1."""
    column: int
    """Its column, from 1."""
    text: str = ""
    """The whole line, which the error prints."""


class Place(_PlaceFields):
    """A position in a text file or string. Lines and columns count from 1."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def excerpt(self) -> str:
        """The line with a caret under the column. A tab counts as one column, as in editors."""
        shown, column = _crop_line("".join(sign if sign.isprintable() else " " for sign in self.text), self.column - 1)
        return f"    {shown}\n    {' ' * column}^"

    drawn = RenamedMember("drawn", "excerpt")


class UndercroftError(Exception):
    """An error that the user can act on. The command line prints `str()` of it.

    >>> place = Place("cave.toml", 2, 7, 'use = "nois"')
    >>> print(UndercroftError("unknown step 'nois'", place=place, fix="write 'noise'"))
    cave.toml:2:7: unknown step 'nois'
        use = "nois"
              ^
      fix: write 'noise'
    """

    exit_code: ClassVar[int] = 2
    """What the command line exits with."""
    instead: tuple[str, str] | None = None
    """The wrong text at the place and its correction, if replacing it fixes the mistake."""

    def __init__(self, problem: str, *, place: Place | None = None, fix: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        """What is wrong, in a sentence."""
        self.place = place
        """Where in a file it is, if it is in one."""
        self.fix = fix
        """How to mend it."""

    def __str__(self) -> str:
        lines = [f"{self.place}: {self.problem}" if self.place else self.problem]
        if self.place and self.place.text.strip():
            lines.append(self.place.excerpt())
        if self.fix:
            lines.append(f"  fix: {self.fix}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_error, (type(self), self.__dict__)


class BadInput(UndercroftError):
    """A mistake in the input: a name, a value, the content of a file."""


class OutOfRange(BadInput, IndexError):
    """An index beyond the ends of a sequence. It is an `IndexError` too, as the protocol of sequences wants it."""


class TooBig(BadInput):
    """A cap of `limits.py` was exceeded."""

    asked: int = 0
    """What was asked for."""
    most: int = 0
    """The limit."""


class FileTrouble(UndercroftError):
    """The operating system failed to read or write a file."""


class NotMet(UndercroftError):
    """No attempt met the requirements."""

    exit_code = 1
    best: Level | None
    """The nearest level; if a step gave up, the map as far as it came. None if there is none."""
    rejected: dict[str, int]
    """How often each requirement failed."""
    distance: float
    """How far the nearest level is from what was required."""
    hopeless: bool
    """Whether so many tries failed that further attempts are useless."""
    spent: int
    """Steps of work that were done before a step gave up."""

    def __init__(
        self,
        problem: str,
        *,
        place: Place | None = None,
        fix: str = "",
        best: Level | None = None,
        rejected: Mapping[str, int] | None = None,
        distance: float = 0.0,
        hopeless: bool = False,
    ) -> None:
        super().__init__(problem, place=place, fix=fix)
        self.best, self.rejected, self.distance = best, dict(rejected or {}), distance
        self.hopeless, self.spent = hopeless, 0


class OutOfBudget(UndercroftError):
    """The work used up its budget of steps before it found an answer. It says nothing about what the answer is."""

    exit_code = 3


class PluginTrouble(UndercroftError):
    """A step, measure, format or style of another package, or of the program, failed or cannot be loaded.

    >>> print(PluginTrouble("the step 'spiral' of the package cellars 1.2 failed: KeyError: 3", fix="tell its authors"))
    the step 'spiral' of the package cellars 1.2 failed: KeyError: 3
      fix: tell its authors
    """

    exit_code = 3


class Cancelled(UndercroftError):
    """The caller cancelled the work."""

    exit_code = 130


MAX_NAME_LENGTH = 80
"""The most characters of a name that messages show, and for which a similar one is looked up."""
MAX_LISTED_NAMES = 100
"""The most names that a message lists."""


_PICTURES = (".png", "png")
_MODELS = (".glb", "glb")
_TILED = (".tmx", "tmx")
_TABLETOPS = (".dd2vtt", "uvtt")
OTHER_WORDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("color", "colors", "colours"), ("colour",)),
    **dict.fromkeys(("rotate", "rotated", "rotation", "rotations", "rotating"), ("turned",)),
    **dict.fromkeys(("flip", "flipped", "reflect", "reflected", "reflection"), ("mirrored",)),
    **dict.fromkeys(("probability", "prob", "likelihood"), ("chance",)),
    **dict.fromkeys((".godot", "tscn"), (".tscn", "godot")),
    **dict.fromkeys((".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff", "jpg", "jpeg", "gif"), _PICTURES),
    **dict.fromkeys((".gltf", ".obj", ".fbx", ".stl", ".blend", "gltf", "obj"), _MODELS),
    **dict.fromkeys((".tiled", ".tsx", ".xml", "tiled"), _TILED),
    **dict.fromkeys((".vtt", ".roll20", "vtt", "dd2vtt", "roll20"), _TABLETOPS),
    **dict.fromkeys((".foundry", "fvtt"), (".fvtt.json", "foundry")),
    **dict.fromkeys((".rexpaint", "rexpaint"), (".xp", "xp")),
    **dict.fromkeys((".magicavoxel", "magicavoxel"), (".vox", "vox")),
    **dict.fromkeys((".md", ".asc", ".ascii", ".map", "ascii", "txt"), (".txt", "text")),
    **dict.fromkeys((".graphviz", "graphviz", "gv"), (".dot", "dot")),
    **dict.fromkeys((".yaml", ".yml", ".pickle", ".pkl", "yaml"), (".json", "json")),
    **dict.fromkeys(("gen", "make", "create", "new", "render", "run", "draw"), ("generate",)),
    **dict.fromkeys(("print", "cat", "view", "text"), ("show",)),
    **dict.fromkeys(("check", "validate", "verify"), ("lint",)),
    **dict.fromkeys(("export", "import", "save"), ("convert",)),
    **dict.fromkeys(("stats", "analyse", "analyze", "metrics"), ("measure",)),
    **dict.fromkeys(("apply", "replace"), ("rewrite",)),
    **dict.fromkeys(("bench", "benchmark", "time"), ("profile",)),
    **dict.fromkeys(("serve", "server", "web", "gui", "ui"), ("studio",)),
}
"""Words that others use, and what we call the same: the first that is known where the word stands is suggested. They
come before words that only look alike.
"""


def find_similar_word(word: str, known: Iterable[str]) -> str:
    """The known word that is most similar to `word`, or means the same; else an empty string.

    >>> find_similar_word("cavve", ["cave", "maze"]), find_similar_word(".godot", [".dot", ".tscn"])
    ('cave', '.tscn')
    """
    import difflib  # slow to import, and only needed when something is wrong

    if len(word) > MAX_NAME_LENGTH:  # it would take long, and nobody mistypes so much
        return ""
    folded = {name.casefold(): name for name in known if len(name) <= MAX_NAME_LENGTH}
    for other in OTHER_WORDS.get(word.casefold(), ()):
        if other in folded:
            return folded[other]
    close = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else ""


def unknown_name_error(what: str, word: object, known: Iterable[str], *, place: Place | None = None) -> BadInput:
    """The error for a name that is in no table, or that is no text, with the most similar known name or the whole
    list.
    """
    known = list(known)
    if type(word) in (bool, int, float):  # as from a command line: --option style=5
        word = format_number(word)
    guess = find_similar_word(word, known) if isinstance(word, str) else ""
    if guess:
        fix = f"did you mean {guess!r}?"
    elif known:
        fix = "one of: " + ", ".join(shorten(name, MAX_NAME_LENGTH) or '""' for name in known[:MAX_LISTED_NAMES])
        fix += f" and {len(known) - MAX_LISTED_NAMES:,} more" if len(known) > MAX_LISTED_NAMES else ""
    else:
        fix = f"there is no {what} to name here"
    if not isinstance(word, str):
        return BadInput(f"the name of the {what} is a text, not {format_value_briefly(word)}", place=place, fix=fix)
    error = BadInput(f"unknown {what} {shorten(word, MAX_NAME_LENGTH)!r}", place=place, fix=fix)
    error.instead = (word, guess) if guess else None
    return error


def _rebuild_error(kind: type[UndercroftError], state: dict[str, object]) -> UndercroftError:
    error = kind(str(state["problem"]))
    error.__dict__.update(state)
    return error


def _crop_line(text: str, column: int, width: int = 100) -> tuple[str, int]:
    """Cut a long line around the column of the mistake."""
    if len(text) <= width:
        return text, min(column, len(text))
    start = max(0, min(column - width // 2, len(text) - width))
    return ("…" if start else "") + text[start : start + width], column - start + bool(start)
