"""Check whether later steps damage the locks of a map."""

from __future__ import annotations

from undercroft.core.draft import Draft
from undercroft.core.run import Run
from undercroft.errors import BadInput, OutOfBudget
from undercroft.steps.step import Step

LOCK = "lock"
UNSOLVABLE_NOTE, LOSABLE_NOTE, SECRET_NOTE = (
    "its end cannot be reached any more",
    "it can be lost now",
    "it takes secret doors now",
)


class LockMonitor:
    """Examines a map with locks before the first step that may spoil them, and again at the end.

    A recipe that spoils its own locks is refused when it is loaded. So this covers the locks of the start map, and
    rules, which may only place things.
    """

    def __init__(self) -> None:
        self._steps: list[str] = []
        self._before: dict[str, bool] = {}

    def observe_step(self, draft: Draft, step: Step | type[Step], name: str, run: Run) -> None:
        """Record a step that may spoil locks, before it runs."""
        if (
            not draft.things  # most maps have none
            or "locks" not in step.spoils
            or "things" in step.spoils
            or not any(thing.kind == LOCK for thing in draft.things)
        ):
            return
        if not self._steps:
            self._before = _prove_locks(draft, run)
        self._steps.append(name)

    def note_damage(self, draft: Draft, run: Run) -> None:
        """Note after the last step what got worse."""
        if not self._steps or not any(self._before.values()) or not any(thing.kind == LOCK for thing in draft.things):
            return
        who = f"the map has locks, and {', '.join(map(repr, self._steps))} may have changed it: "
        if draft.start is None or draft.end is None:
            run.note(f"{who}without start and end nobody knows whether it can still be solved")
            return
        now = _prove_locks(draft, run)
        worse = [words for words, held in self._before.items() if held and not now.get(words, True)]
        if worse:
            run.note(who + worse[0])


def _prove_locks(draft: Draft, run: Run) -> dict[str, bool]:
    """Whether each property holds, keyed by the note for when it does not; the worst first. Empty if undecided."""
    from undercroft.analysis.solver.solve import prove  # few levels have locks

    try:
        proof = prove(draft, run=run)
        return {
            UNSOLVABLE_NOTE: proof.solvable,
            LOSABLE_NOTE: proof.unlosable,
            SECRET_NOTE: prove(draft, secrets=False, run=run).solvable,
        }
    except (BadInput, OutOfBudget):
        return {}
