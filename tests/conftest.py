"""The same examples on every machine: a failure anybody can see again."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("steady", derandomize=True, deadline=None, max_examples=200, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
