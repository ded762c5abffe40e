"""Overlays for a level: choke points, the solution of its locks, and distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from undercroft.analysis import reach
from undercroft.analysis.chokes import choke_points
from undercroft.core.level import Level
from undercroft.core.run import Run
from undercroft.errors import BadInput, OutOfBudget, TooBig, unknown_name_error
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.messages import MessagePart
from undercroft.studio.protocol.requests import OverlayRequest

OVERLAY_NAMES = ("choke", "solution", "distance")
MAX_CHOKE_POINTS = 5_000
"""The most choke points that are sent, those first that cut off most."""


def do_overlay(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """The requested overlays of one level."""
    request = requests.read_request(ask, OverlayRequest)
    for what in request.what:
        if what not in OVERLAY_NAMES:
            raise unknown_name_error("overlay", what, OVERLAY_NAMES)
    level = sources.make_cached(request, job.is_cancelled).level
    head: dict[str, Any] = {}
    parts: dict[str, MessagePart] = {}
    if "choke" in request.what:
        head["choke"] = list_choke_points(level, Run(cancelled=job.is_cancelled))
    if "solution" in request.what:
        head["solution"] = build_solution(level, Run(cancelled=job.is_cancelled))
    if "distance" in request.what:
        begin = request.from_ or level.start
        head["from"] = begin
        parts["distance"] = measure_distances(level, begin, Run(cancelled=job.is_cancelled))
    return Answer(head, parts)


def list_choke_points(level: Level, run: Run) -> list[dict[str, Any]]:
    """The choke points, each with how many cells it cuts off."""
    found = choke_points(level.walkable, run)
    ys, xs = np.nonzero(found)
    cut = found[ys, xs]
    order = np.argsort(-cut, kind="stable")[:MAX_CHOKE_POINTS]
    return [
        {"at": (x, y), "cut": many}
        for x, y, many in zip(xs[order].tolist(), ys[order].tolist(), cut[order].tolist(), strict=True)
    ]


def build_solution(level: Level, run: Run) -> dict[str, Any]:
    """The shortest solution, with what is taken and opened on it, or why there is none."""
    from undercroft.analysis.solver.solve import solve

    try:
        found = solve(level, run=run)
    except (OutOfBudget, TooBig, BadInput) as error:
        return {"refused": error.problem}
    if not found.solvable:
        return {"refused": found.reason}
    keys = [
        {"at": (event.x, event.y), "opens": event.name, "turn": event.step, "kind": event.kind}
        for event in found.events
    ]
    return {
        "cells": found.cells.tolist(),
        "keys": keys,
        "length": found.length,
        "backtrack": found.backtrack,
        "unlosable": found.unlosable,
    }


def measure_distances(level: Level, begin: tuple[int, int] | None, run: Run) -> MessagePart:
    """Steps from a cell to each other one; -1 for unreachable cells."""
    if begin is None:
        return np.full(level.tiles.shape, -1, np.int32)
    if not (0 <= begin[0] < level.width and 0 <= begin[1] < level.height):
        raise BadInput(
            f"({begin[0]}, {begin[1]}) is outside the level", fix=f"name a cell of {level.width}x{level.height}"
        )
    return np.maximum(reach.distances(level.walkable, [begin], run), -1).astype(np.int32)
