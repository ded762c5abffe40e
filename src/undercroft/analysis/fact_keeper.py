"""Keep facts of a map through the last steps of a recipe that spoil them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from undercroft.core.draft import Draft
from undercroft.core.run import Run
from undercroft.core.stairs import find_only_stairs

if TYPE_CHECKING:
    from undercroft.analysis.update_facts import KnownFacts


class FactKeeper:
    """Restores at the end of a recipe what is still true of the facts that its last steps spoiled."""

    def __init__(self) -> None:
        self._before: KnownFacts | None = None

    def observe_step(self, draft: Draft, spoils: Collection[str]) -> None:
        """Record the facts of a draft before a step that spoils these facts. A new map has nothing of the old one."""
        if "things" in spoils:
            self._before = None
        elif ("regions" in spoils or "ends" in spoils) and (
            draft.regions is not None or (self._before is None and draft.start is not None)
        ):
            from undercroft.analysis.update_facts import KnownFacts  # few recipes change tiles after a survey

            self._before = KnownFacts.of(draft)

    def restore(self, draft: Draft, run: Run) -> None:
        """Restore regions and ends if they are not known. Otherwise the only stairs of a map are its start and end."""
        if self._before is not None and (draft.regions is None or draft.start is None or draft.end is None):
            from undercroft.analysis.update_facts import mark_one_way, move_ends_to_stairs, restore_facts  # as above

            restore_facts(draft, self._before, run)
            mark_one_way(draft)
            move_ends_to_stairs(draft, self._before, run)
        if draft.start is None:
            draft.start = find_only_stairs(draft.tiles, draft.palette, "entry")
        if draft.end is None:
            draft.end = find_only_stairs(draft.tiles, draft.palette, "exit")
