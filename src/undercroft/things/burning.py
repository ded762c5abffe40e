"""Whether a thing that can burn does: what is told of it decides."""

from __future__ import annotations

import re

from undercroft.core.region import Thing

_UNLIT = re.compile(r"\b(?:burnt[ -]out|unlit|gone out|put out|extinguished|ashes|cold)\b", re.IGNORECASE)
MAX_READ = 400
"""The letters of a text that are read."""


def is_lit(thing: Thing) -> bool:
    """Whether a torch, a hearth or anything else that can burn does burn: unless `lit` is false, or what is told about
    it says that it is burnt out.

    >>> is_lit(Thing("torch", 0, 0)), is_lit(Thing("torch", 0, 0, {"about": "burnt out in its ring"}))
    (True, False)
    """
    about = thing.data.get("about")
    return thing.data.get("lit") is not False and not (isinstance(about, str) and _UNLIT.search(about[:MAX_READ]))
