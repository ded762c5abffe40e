"""The public class for rules: load them from a file or a folder, apply them to levels."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.update_facts import KnownFacts, update_facts
from undercroft.core import drawing
from undercroft.core.arguments import require_level, require_mask, require_palette, require_rng, require_run
from undercroft.core.draft import Draft
from undercroft.core.level import Level, check_level_size
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.rng import Rng, seed_number
from undercroft.core.run import Run, Watcher
from undercroft.core.stairs import find_ends
from undercroft.deprecation import RenamedMember
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_text, require_type
from undercroft.inputs.files import as_path, is_folder
from undercroft.inputs.points import as_point
from undercroft.rewrite import template_pairs
from undercroft.rewrite.engine.engine import Engine
from undercroft.rewrite.grammar import folder as grammar
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import LEAF_KINDS, Program
from undercroft.rewrite.model.role_sets import resolve_program
from undercroft.rewrite.model.things_as_tiles import place_thing_tiles, restore_things
from undercroft.rewrite.text import parse as language
from undercroft.rewrite.text.rule_files import check_is_rule_file
from undercroft.wording import format_value_briefly, plural

if TYPE_CHECKING:
    from undercroft.rewrite.explain.explanation import Explanation
    from undercroft.rewrite.lint.finding import Finding
    from undercroft.rewrite.text.expectations import Expectation

EDITION = 3
"""Raised when the same rules, map and seed give a different result than before."""


class Rules:
    """A rewriting program. `Rules.load` takes a `.rules` file or a folder of grammar rules, `Rules.parse` the text of a
    `.rules` file.

    >>> rules = Rules.parse("one  #.# -> #+#, turned", "doors.rules")
    >>> print(rules.apply(Level.parse("##.##"), seed=1))
    ##+##
    """

    def __init__(
        self,
        program: Program,
        *,
        start: NDArray[np.uint8] | None = None,
        notes: tuple[str, ...] = (),
        expects: tuple[Expectation, ...] = (),
        open_program: Program | None = None,
    ) -> None:
        self.program = program
        """The rules as a tree of nodes, with their palette."""
        self.start = start
        """The start map of the rules, if they have one."""
        self.notes = notes
        """What the user should know about the files they were read from."""
        self.expects = expects
        """The expectations in the rule file."""
        self._open_program = open_program

    @classmethod
    def load(cls, path: str | Path, *, strict: bool = True, palette: Palette | None = None) -> Rules:
        """Rules from a `.rules` file, from a folder of grammar rules with its `base.txt`, or from a template in a
        `.txt` file. A `palette` is for templates, and for rules that name none.
        """
        path = as_path(path)
        if palette is not None:
            require_palette("palette", palette)
        if is_folder(path):
            found = grammar.load_folder(path, strict=strict)
            return cls(found.program, start=found.base, notes=tuple(map(str, found.notes)))
        if path.suffix.casefold() == ".txt":
            program, notes = template_pairs.load(path, palette or STANDARD)
            return cls(program, notes=notes)
        check_is_rule_file(path)
        read = language.load(path, palette)
        return cls(read.program, expects=read.expects, open_program=read.open_program)

    @classmethod
    def parse(cls, text: str, file: str) -> Rules:
        """Rules from the text of a `.rules` file; `file` names it in errors."""
        require_text("text", text, "for example Rules.parse('one  #.# -> #+#', 'doors.rules')")
        require_text("file", file, "give the name that errors show, for example 'doors.rules'")
        read = language.parse(text, file)
        return cls(read.program, expects=read.expects, open_program=read.open_program)

    def __repr__(self) -> str:
        count = sum(1 for _ in self.program.rules())
        return f"<Rules {self.program.name}: {plural(count, 'rule')}>"

    def parse_map(self, text: str, file: str) -> Level:
        """A map drawn with the rules' own letters, or a grammar's base with its header. A single `<` is its start, a
        single `>` its end.

        >>> Rules.parse("one  . -> #", "rock.rules").parse_map("#<..>#", "map.txt").end
        (4, 0)
        """
        require_text("text", text, "draw a map with the letters of the rules")
        require_text("file", file, "give the name that errors show, for example 'map.txt'")
        palette = self.program.palette
        if palette == GRAMMAR_PALETTE and re.match(r"\s*\d+\s*,\s*\d+", text):
            return Level(grammar.parse_base(text, file)[0], palette)
        tiles = drawing.parse_tiles(text, palette, file=file)[0]
        start, end = find_ends(tiles, palette)
        return Level(tiles, palette, start=start, end=end)

    def level(self) -> Level | None:
        """The start map of the rules as a level; None if they have none."""
        return None if self.start is None else Level(self.start, self.program.palette)

    def apply(
        self,
        level: Level,
        seed: int | str = 0,
        *,
        steps: int = 0,
        max_steps: int | None = None,
        mask: NDArray[np.bool_] | None = None,
        watcher: Watcher | None = None,
        cancelled: Callable[[], bool] | None = None,
        notes: list[str] | None = None,
    ) -> Level:
        """A new level: this one, rewritten until the rules end or reach `steps`, which counts rewrites of a single leaf
        and turns of larger programs.

        With a `mask`, `[y, x]`, only its cells are written. What the rules did not touch stays: rooms with their names
        and tags, doors, links, things, start and end. Stairs `<` and `>` that they write are the start and the end.
        Messages to the user about the work are added to `notes`.
        """
        require_level("level", level)
        steps = _check_steps(steps)
        if mask is not None:
            require_mask("mask", mask, *level.size, "for example level.walkable")
        if notes is not None:
            require_type("notes", notes, list, "a list", "give an empty list, or leave it out")
        run = Run(budget=max_steps, watcher=watcher, cancelled=cancelled)
        draft = Draft.of(level)
        before = KnownFacts.of(draft)
        run.source = "begin"
        self._merge_palette(draft, run)
        run.show()
        run.source = self.program.name
        rewrites = self.rewrite(draft, Rng.root(seed_number(seed)).stream("rules"), run, steps=steps, mask=mask)
        if not rewrites:
            run.note("no rule was applied; 'undercroft explain' says why")
        update_facts(draft, before, run)
        if notes is not None:
            notes += run.notes
        return draft.level(
            {
                **level.provenance,
                "rules": self.program.name,
                "rules_seed": str(seed_number(seed)),
                "rules_edition": EDITION,
            }
        )

    def rewrite(
        self, draft: Draft, rng: Rng, run: Run, *, steps: int = 0, mask: NDArray[np.bool_] | None = None
    ) -> int:
        """Rewrite a draft in place: its palette, its tiles and its things. Its other facts may no longer hold
        afterwards.

        Returns the number of rewrites.
        """
        require_type("draft", draft, Draft, "a Draft", "for example undercroft.Draft.of(level)")
        require_rng("rng", rng)
        require_run("run", run)
        self._merge_palette(draft, run)
        program = self.program_with(draft.palette)
        if steps:
            program = _limited(program, steps, usual=self.start is not None)
        ground = place_thing_tiles(draft.tiles, draft.things, program.things)
        run.show()
        rewriting = run.hooks.rewriting
        engine = Engine(program, draft.tiles, rng, remember=rewriting is not None, regions=draft.regions, mask=mask)
        if rewriting is not None:
            rewriting(run.source, engine)
        alone = program.root.kind in LEAF_KINDS and program.root.each is None
        engine.run(run, 0 if alone else steps)
        draft.things = restore_things(draft.tiles, draft.things, program.things, ground)
        return engine.rewrites

    def _merge_palette(self, draft: Draft, run: Run) -> None:
        """Merge the palette of the rules into that of a draft, in place."""
        draft.palette, table = self.palette_with(draft.palette)
        draft.tiles = run.tiles = table[draft.tiles]
        run.palette = draft.palette

    def explain(self, level: Level, rule: str | None = None, at: tuple[int, int] | None = None) -> Explanation:
        """Explain why the rules match on a level, or do not: all rules, or those of a name. `at` is a cell of interest.
        Print it, or take its data.

        >>> print(Rules.parse("one  #.# -> #+#", "doors.rules").explain(Level.parse("#.,"), at=(1, 0)))
        rule 1  (one, doors.rules:1:6)
          matches nowhere; 1 place tried as drawn
          1 placement would change (1,0); the nearest to a match first:
          1 cell off: at (2,0) wanted `#`, found `,` (top left (0,0), as drawn)
             # .[,]      # .[#]
        """
        from undercroft.rewrite.explain.explain import explain

        require_level("level", level)
        at = None if at is None else as_point(at)
        if rule is not None:
            require_text("rule", rule, "give the name of a rule, or leave it out")
        palette, table = self.palette_with(level.palette)
        regions = level.regions if len(level.regions) else None
        return explain(self.program_with(palette), table[level.tiles], rule=rule, at=at, regions=regions)

    def lint(self, size: tuple[int, int] | None = None) -> list[Finding]:
        """The findings of the linter: errors first, then warnings and notes. `size` is that of the empty map they start
        with, if they have no start map.

        >>> print(Rules.parse("one  #.# -> #.#", "doors.rules").lint()[0])
        doors.rules:1:6: warning: rule 1 changes nothing
            one  #.# -> #.#
                 ^
          fix: write another tile into its result, or take the rule out
        """
        from undercroft.rewrite.lint.finding import RulesSubject
        from undercroft.rewrite.lint.lint import lint_rules

        size = None if size is None else check_level_size(size)
        start = self.start if self.start is not None or size is None else np.zeros((size[1], size[0]), np.uint8)
        return lint_rules(RulesSubject(self.program, self.expects, start))

    @property
    def has_role_sets(self) -> bool:
        """Whether some set of the rules depends on the roles of a map's tiles, such as `walkable`.

        >>> Rules.parse("one  {walkable} -> #", "fill.rules").has_role_sets
        True
        """
        return self._open_program is not None

    def program_with(self, palette: Palette) -> Program:
        """The program for a palette that `palette_with` gave: sets by role hold for the tiles of the map, too.

        >>> from undercroft.core.palette import STANDARD
        >>> rules = Rules.parse("one  {walkable} -> #", "fill.rules")
        >>> rules.program_with(STANDARD) == rules.program
        True
        """
        require_palette("palette", palette)
        if self._open_program is None:
            return self.program._replace(palette=palette)
        return resolve_program(self._open_program, palette)

    def palette_with(self, other: Palette) -> tuple[Palette, NDArray[np.uint8]]:
        """The rules' palette with the additional tiles of a map, and the table from the map's codes to it."""
        require_palette("the palette of the map", other)
        try:
            return self.program.palette.merged(other)
        except BadInput as error:
            raise BadInput(
                f"the map's palette {other.name!r} and that of the rules, {self.program.palette.name!r}, do not go "
                f"together: {error.problem}",
                fix="read the map with the palette of the rules, or write the rules for that of the map",
            ) from error

    drawn = RenamedMember("drawn", "parse_map")


def _check_steps(steps: object) -> int:
    if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or not 0 <= steps <= limits.RULE_TIMES.value:
        raise BadInput(
            f"steps is a whole number from 0 to {limits.RULE_TIMES.value:,}, not {format_value_briefly(steps)}",
            fix="give such a number; 0 is no limit",
        )
    return int(steps)


def _limited(program: Program, steps: int, *, usual: bool) -> Program:
    """The program with a limit of `steps`. Only a single leaf gets it: a lower limit, or another one if its own is only
    the default. The turns of larger programs are limited while they run.
    """
    root = program.root
    limit = steps if usual or not root.limit else min(root.limit, steps)
    return (
        program._replace(root=root._replace(limit=limit)) if root.kind in LEAF_KINDS and root.each is None else program
    )
