"""The step that applies rewriting rules."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.update_facts import KnownFacts, update_facts
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.inputs import files
from undercroft.inputs.files import is_folder
from undercroft.steps.step import ALL_BUT_TILES

if TYPE_CHECKING:
    from undercroft.rewrite.model.program import Program
    from undercroft.rewrite.rules import Rules


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """Apply rules until they end: rules written in the step as in a `.rules` file, or in a file or a grammar folder
    beside the recipe.

    What the rules do not touch stays: rooms with their names and tags, doors, links, start, end and path. Stairs `<`
    and `>` that they write are the start and the end.
    """

    rules: str = ""
    """The text of the rules; an empty text does nothing."""
    file: str = ""
    """Instead of the text: a `.rules` file, a template in a `.txt` file, or a folder of grammar rules."""
    base: bool = False
    """Start with the base map of the grammar folder, in the middle of the level. On a smaller level only blank cells
    around it are cut off, and one blank row and column stay on each side that had some.
    """
    turns: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    """The most turns; 0: as many as the rules say, which is 150 for a grammar folder."""

    edition: ClassVar[int] = 4
    reads: ClassVar[tuple[str, ...]] = ("file",)
    """Which parameters name files beside the recipe."""
    texts: ClassVar[tuple[str, ...]] = ("rules",)
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ALL_BUT_TILES
    forgets: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.rules and self.file:
            raise BadInput("a step has 'rules' or a 'file', not both", fix="keep one of them")
        if self.base and not (self.file and self._rules_and_digest[0].start is not None):
            raise BadInput(
                "there is no map to begin with",
                fix="name a grammar folder with a base.txt as 'file', or leave 'base' out",
            )
        if self.rules or self.file:
            self._rules_and_digest  # noqa: B018 - report a mistake in the rules now

    @functools.cached_property
    def _rules_and_digest(self) -> tuple[Rules, str]:
        """The rules, and a digest of the files they came from."""
        return _load_rules(self.file, self.turns) if self.file else (_parse_rules(self.rules), "")

    @property
    def parsed_rules(self) -> Rules | None:
        """The parsed rules; None if the step has none."""
        return self._rules_and_digest[0] if self.rules or self.file else None

    @property
    def digest(self) -> str:
        """The digest of all texts that were read; empty if none was."""
        return self._rules_and_digest[1] if self.file else ""

    def check(self, width: int, height: int) -> None:
        """Refuse a level that is too small for the base map or for every rule."""
        start = self._rules_and_digest[0].start if self.base else None
        if start is not None and _centred(start, width, height) is None:
            high, wide = start.shape
            widths = (side for side in range(width, wide + 1) if _centred(start, side, high) is not None)
            heights = (side for side in range(height, high + 1) if _centred(start, wide, side) is not None)
            fix = f"ask for {next(widths, width)}x{next(heights, height)} at least"
            raise BadInput(f"the map to begin with does not fit into {width}x{height}", fix=fix)
        sizes = _pattern_sizes(self._rules_and_digest[0].program) if self.rules or self.file else {}
        if sizes and not any(wide <= width and high <= height for wide, high in sizes):
            wide, high = min(sizes, key=lambda size: max(width, size[0]) * max(height, size[1]))
            fix = f"ask for {max(width, wide)}x{max(height, high)} at least"
            which = repr(sizes[wide, high]) if sizes[wide, high] else "the smallest"
            raise BadInput(f"no rule fits into a map of {width}x{height}: {which} is {wide}x{high}", fix=fix)

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        if not (self.rules or self.file):
            return
        rules = self._rules_and_digest[0]
        for note in rules.notes:
            run.note(note)
        if self.base and rules.start is not None:
            self.check(draft.width, draft.height)
            tiles = _centred(rules.start, draft.width, draft.height)
            assert tiles is not None
            draft.begin_anew(tiles, rules.program.palette)
        mask = None if draft.frozen is None else ~draft.frozen  # frozen cells are not even tried
        before = KnownFacts.of(draft)
        rules.rewrite(draft, rng, run, steps=self.turns, mask=mask)
        update_facts(draft, before, run)


def _pattern_sizes(program: Program) -> dict[tuple[int, int], str]:
    """The sizes of the patterns as they lie on the map, each with the first rule of that size; empty if a pattern may
    reach over the border.
    """
    found: dict[tuple[int, int], str] = {}
    for leaf in program.root.leaves():
        if leaf.outside >= 0:
            return {}
        for rule in leaf.rules:
            for turned in sorted({position & 1 for position in rule.positions if rule.is_enabled()}):
                found.setdefault((rule.height, rule.width) if turned else (rule.width, rule.height), rule.name)
    return found


@functools.lru_cache(maxsize=64)
def _parse_rules(text: str) -> Rules:
    """The rules in a step's text. They are parsed once; only recipes with rules import the parser."""
    from undercroft.rewrite.rules import Rules

    return Rules.parse(text, "rules")


def _load_rules(file: str, steps: int) -> tuple[Rules, str]:
    """The rules of a file or a folder, and a digest of all that was read."""
    from undercroft.rewrite.grammar import folder as grammar
    from undercroft.rewrite.rules import Rules
    from undercroft.rewrite.text import header, parse
    from undercroft.rewrite.text.rule_files import check_is_rule_file

    path = Path(file)
    if is_folder(path):
        found = grammar.load_folder(path, steps=steps or grammar.DEFAULT_STEPS)
        rules = Rules(found.program, start=found.base, notes=tuple(map(str, found.notes)))
        return rules, _digest_texts(found.texts.items())
    check_is_rule_file(path)
    read = {path.name: files.read_text(path, limits.RULES_BYTES)}
    if path.suffix.casefold() == ".txt":
        return Rules.load(path), _digest_texts(read.items())
    fetch = header.build_loader(path.parent)

    def load(name: str, mentioned_in: str) -> tuple[str, str]:
        label, text = fetch(name, mentioned_in)
        read[Path(label).relative_to(path.parent).as_posix()] = text
        return label, text

    parsed = parse.parse(read[path.name], str(path), load)
    return Rules(parsed.program, open_program=parsed.open_program), _digest_texts(read.items())


def _digest_texts(texts: Iterable[tuple[str, str]]) -> str:
    """A digest of the texts: 32 hex digits."""
    found = blake2b(digest_size=16)
    for name, text in texts:
        found.update(f"{name} {len(text)}\n{text}\n".encode())
    return found.hexdigest()


def _centred(start: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8] | None:
    """The map in the middle of one of the given size, filled up with the palette's first tile. If it is cut, a blank
    row and column stay around what is drawn, where there was one. None if it does not fit.
    """
    drawn = start != 0
    top, left = _offset(np.logical_or.reduce(drawn, 1), height), _offset(np.logical_or.reduce(drawn, 0), width)
    if top is None or left is None:
        return None
    tiles = np.zeros((height, width), np.uint8)
    here = np.s_[max(top, 0) : max(top, 0) + start.shape[0], max(left, 0) : max(left, 0) + start.shape[1]]
    there = np.s_[max(-top, 0) : max(-top, 0) + height, max(-left, 0) : max(-left, 0) + width]
    tiles[here] = start[there]
    return tiles


def _offset(drawn: NDArray[np.bool_], side: int) -> int | None:
    """Where a map begins in a level, along one axis; `drawn` marks its lines that are not blank. It lies in the middle,
    or as near to it as it can.

    >>> lines = np.array([0, 0, 1, 1, 0, 0, 0, 0], bool)
    >>> [_offset(lines, side) for side in (10, 8, 6, 4, 3)]
    [1, 0, -1, -1, None]
    """
    middle = (side - len(drawn)) // 2
    lines = np.flatnonzero(drawn)
    if middle >= 0 or not len(lines):
        return middle
    first, last = int(lines[0]), int(lines[-1])
    least = min(first, 1) - first
    most = side - 1 - min(len(drawn) - 1 - last, 1) - last
    return min(max(middle, least), most) if least <= most else None
