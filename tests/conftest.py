"""The same examples on every machine: a failure anybody can see again."""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

EXAMPLES = 1000 if os.environ.get("UNDERCROFT_HEAVY") == "1" else 60
settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    max_examples=EXAMPLES,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep the tests themselves, which are many and stay, out of every later look for garbage."""
    gc.collect()
    gc.freeze()
