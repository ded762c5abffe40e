"""Rules as a user holds them: loaded from a file or a folder, applied to levels."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.survey import survey
from undercroft.core import drawing
from undercroft.core.draft import FACTS, Draft
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.rng import Rng, seed_number
from undercroft.core.run import Run, Watcher
from undercroft.errors import BadInput
from undercroft.rewrite import grammar, language
from undercroft.rewrite.engine import Engine
from undercroft.rewrite.grammar_tiles import GRAMMAR
from undercroft.rewrite.program import LEAVES, Program

EDITION = 1
"""Raised when the same rules, map and seed give another result than before."""


class Rules:
    """A rewriting program. `Rules.load` takes a `.rules` file or a folder of grammar rules, `Rules.parse` the text of a `.rules` file.

    >>> rules = Rules.parse("one  #.# -> #+#, turned", "doors.rules")
    >>> print(rules.apply(Level.drawn("##.##"), seed=1))
    ##+##
    """

    def __init__(self, program: Program, *, start: NDArray[np.uint8] | None = None, notes: tuple[str, ...] = ()) -> None:
        self.program = program
        self.start = start
        """The map the rules begin with, if they bring one."""
        self.notes = notes

    @classmethod
    def load(cls, path: str | Path, *, strict: bool = True) -> Rules:
        """Rules from a `.rules` file, or from a folder of grammar rules with its `base.txt`."""
        path = Path(path)
        if path.is_dir():
            found = grammar.folder(path, strict=strict)
            return cls(found.program, start=found.base, notes=tuple(map(str, found.notes)))
        return cls(language.load(path).program)

    @classmethod
    def parse(cls, text: str, file: str) -> Rules:
        """Rules from the text of a `.rules` file; `file` names it in errors."""
        return cls(language.parse(text, file).program)

    def __repr__(self) -> str:
        return f"<Rules {self.program.name}: {sum(1 for _ in self.program.rules())} rules>"

    def drawn(self, text: str, file: str) -> Level:
        """A map drawn with the rules' own letters, or a grammar's base with its header."""
        palette = self.program.palette
        if palette == GRAMMAR and re.match(r"\s*\d+\s*,\s*\d+", text):
            return Level(grammar.base(text, file)[0], palette)
        return Level(drawing.parse(text, palette, file=file)[0], palette)

    def level(self) -> Level | None:
        """The map the rules begin with, as a level."""
        return None if self.start is None else Level(self.start, self.program.palette)

    def apply(
        self,
        level: Level,
        seed: int | str = 0,
        *,
        steps: int = 0,
        max_steps: int | None = None,
        watcher: Watcher | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Level:
        """A new level: this one, rewritten until the rules are done, or `steps` rewrites of a single leaf and turns of larger programs have been made.

        Its regions, doors and links are found anew if the level had any.
        """
        run = Run(budget=max_steps, watcher=watcher, cancelled=cancelled)
        palette, table = self.palette_with(level.palette)
        draft = Draft.of(level)
        draft.palette = palette
        draft.tiles = table[level.tiles]
        run.source, run.tiles = "begin", draft.tiles
        run.show()
        run.source = self.program.name
        program = self.program._replace(palette=palette)
        if steps:
            program = _limited(program, steps)
        engine = Engine(program, draft.tiles, Rng.root(seed_number(seed)).stream(self.program.name))
        engine.run(run, 0 if program.root.kind in LEAVES else steps)
        had_regions = draft.regions is not None
        draft.forget(FACTS[1:])
        if had_regions:
            draft.regions, draft.doors, draft.links = survey(draft.tiles, palette, run=run)
        return draft.level({**level.provenance, "rules": self.program.name, "rules_seed": str(seed_number(seed)), "rules_edition": EDITION})

    def palette_with(self, other: Palette) -> tuple[Palette, NDArray[np.uint8]]:
        """The rules' palette with the further tiles of a map, and the table from the map's codes to it."""
        try:
            return self.program.palette.merged(other)
        except BadInput as error:
            raise BadInput(
                f"the map's palette {other.name!r} and that of the rules, {self.program.palette.name!r}, do not go together: {error.problem}",
                fix="read the map with the palette of the rules, or write the rules for that of the map",
            ) from error


def _limited(program: Program, steps: int) -> Program:
    """A single leaf with another limit; the turns of larger programs are limited as they run."""
    root = program.root
    return program._replace(root=root._replace(limit=steps)) if root.kind in LEAVES else program
