"""The same examples on every machine: a failure anybody can see again."""

from __future__ import annotations

import os

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
