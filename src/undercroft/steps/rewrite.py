"""Rules as a step of a recipe."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.steps.step import ALL_BUT_TILES

if TYPE_CHECKING:
    from undercroft.rewrite.rules import Rules


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """Apply rules, written in the step as in a `.rules` file, until they are done."""

    rules: str = ""
    """The text of the rules; none do nothing."""
    turns: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    """At most so many turns; 0 for no limit."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ALL_BUT_TILES

    def __post_init__(self) -> None:
        if self.rules:
            _parsed(self.rules)

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        from undercroft.rewrite.engine import Engine

        if not self.rules:
            return
        rules = _parsed(self.rules)
        draft.palette, table = rules.palette_with(draft.palette)
        draft.tiles = run.tiles = table[draft.tiles]
        Engine(rules.program._replace(palette=draft.palette), draft.tiles, rng).run(run, self.turns)


@functools.lru_cache(maxsize=64)
def _parsed(text: str) -> Rules:
    """The rules in a step's text; parsed once, and imported only by recipes that have some."""
    from undercroft.rewrite.rules import Rules

    return Rules.parse(text, "rules")
