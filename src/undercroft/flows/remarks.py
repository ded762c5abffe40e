"""What lint says about a flow."""

from __future__ import annotations

from typing import NamedTuple

from undercroft.errors import Place


class FlowRemark(NamedTuple):
    """A remark on a part of a flow. An error is a mistake, a warning may be one, a note is information."""

    kind: str
    """The name of the check."""
    severity: str
    place: Place | None
    problem: str
    fix: str = ""
    picture: str = ""
