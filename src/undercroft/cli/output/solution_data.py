"""A solution as plain data, for JSON output."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from undercroft.analysis.solver.solution import Event, Solution
from undercroft.analysis.solver.solve_flow import FlowEvent, FlowSolution


def build_solution_data(solution: Solution) -> dict[str, Any]:
    """A solution as plain data."""
    return {
        "solvable": solution.solvable,
        "reason": solution.reason,
        "unlosable": solution.unlosable,
        "counterexample": None if solution.counterexample is None else _build_events_data(solution.counterexample),
        "length": solution.length,
        "backtrack": solution.backtrack,
        "needs_secrets": solution.needs_secrets,
        "depth": solution.depth,
        "order": [list(cell) for cell in solution.order],
        "events": _build_events_data(solution.events),
        "cells": solution.cells.tolist(),
    }


def build_flow_solution_data(solution: FlowSolution) -> dict[str, Any]:
    """A solution of a flow as plain data."""
    lost = solution.counterexample
    return {
        "solvable": solution.solvable,
        "reason": solution.reason,
        "unlosable": solution.unlosable,
        "counterexample": None if lost is None else _build_events_data(lost),
        "length": solution.length,
        "needs_secrets": solution.needs_secrets,
        "events": _build_events_data(solution.events),
        "rooms": list(solution.rooms),
    }


def _build_events_data(events: Iterable[Event] | Iterable[FlowEvent]) -> list[dict[str, Any]]:
    return [event._asdict() for event in events]
