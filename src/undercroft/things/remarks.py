"""What lint says about sets of things and words that can be read."""

from __future__ import annotations

from typing import NamedTuple

from undercroft.errors import Place


class SetRemark(NamedTuple):
    """A remark on a part of a set. A warning is probably a mistake, a note is information."""

    kind: str
    """The name of the check."""
    severity: str
    place: Place | None
    problem: str
    fix: str = ""
