"""The parts that some work uses: worker processes have to know all of them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from undercroft.recipe.request import Request


def check_worker_parts(
    request: Request,
    measures: Sequence[str] = (),
    form: str = "",
    options: Mapping[str, Any] | None = None,
    *,
    elsewhere: bool = False,
) -> None:
    """Raise `BadInput` if worker processes cannot have a part that the program registered and the work uses; those
    `elsewhere`, on other machines, have only what is installed.
    """
    if "undercroft.registration" not in sys.modules:  # then nothing is registered
        return
    from undercroft.registration import require_importable

    used = {
        "step": [plan.use for plan in request.recipe.plans],
        "measure": [*(requirement.measure for requirement in request.requirements), *measures],
        "format": [form],
        "style": [str((options or {}).get("style", ""))],
    }
    require_importable(used, elsewhere=elsewhere)
