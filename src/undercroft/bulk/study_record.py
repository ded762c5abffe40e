"""What a study tells about itself: the version, the recipes with their sizes and parameters, and all editions. Two
numbers can be compared if the editions of their steps and of their measure are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

from undercroft.analysis.measures.table import measure_editions
from undercroft.core.frozen import thaw
from undercroft.inputs.json import format_json
from undercroft.recipe.request import Request
from undercroft.version import VERSION

RECORD_KEY = "undercroft"
"""The key of the record in JSON, and its name in the metadata of pictures."""
DIGEST_PREFIX = "ed-"
"""Begins the digest of editions, so that no program takes it for a number."""


def build_study_record(measures: Iterable[str] = (), requests: Iterable[Request] = (), **more: Any) -> dict[str, Any]:
    """The record of a study, as plain data.

    >>> build_study_record(["graph_loops"])["measures"]
    {'graph_loops': 2}
    """
    recipes = [describe_request(request) for request in requests]
    return {
        "version": VERSION,
        **({"recipes": recipes} if recipes else {}),
        **({"measures": editions} if (editions := measure_editions(measures)) else {}),
        **more,
    }


def describe_request(request: Request) -> dict[str, Any]:
    """The recipe of a request, its parameters, its size, and the editions of its steps."""
    return {
        "recipe": request.recipe.name,
        "params": thaw(request.params),
        "size": list(request.size),
        "editions": dict(request.recipe.editions),
    }


def digest_editions(steps: Mapping[str, int], measures: Mapping[str, int]) -> str:
    """A short text that is the same for the same editions of steps and measures.

    >>> digest_editions({"noise": 1}, {"loops": 1})
    'ed-8673544c'
    """
    text = format_json([sorted(steps.items()), sorted(measures.items())])
    return f"{DIGEST_PREFIX}{blake2b(text.encode(), digest_size=4).hexdigest()}"
