"""The timeline of a level: all changes of its tiles, as arrays that the page plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.timeline import Timeline
from undercroft.core.turns import TurnBatch
from undercroft.studio.jobs import level_json
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.messages import MessagePart
from undercroft.studio.protocol.requests import LevelSource


def do_timeline(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """The whole timeline."""
    source = requests.read_request(ask, LevelSource)
    record, timeline = sources.make_watched(
        source, job.is_cancelled, **job.progress_hooks(sources.list_step_ids(source))
    )
    return Answer(*build_timeline_data(timeline, record.level))


def build_timeline_data(timeline: Timeline, level: Level) -> tuple[dict[str, Any], dict[str, MessagePart]]:
    """The head and the parts of the message. `things` holds, for each thing of the level, the turn that placed it. If
    there are more changes than the page can hold, only some turns are sent, evenly over the changes.
    """
    log = timeline.all_turns()
    thinned = len(log.cells) - log.cell_end(1) > limits.STUDIO_CHANGES.value
    turns: Sequence[int] = _choose_turns(timeline, log) if thinned else range(timeline.turns)
    who = log.who.astype(np.uint16)
    ends, cells, old, new = _list_thinned_changes(timeline, turns) if thinned else _list_changes(log)
    place = np.searchsorted(np.asarray(turns), np.arange(timeline.turns)) if thinned else None

    def index_of_turn(turn: int) -> int:
        return turn if place is None else int(place[turn])

    head = {
        "turns": len(turns),
        "size": level.size,
        "sizes": [{"from": index_of_turn(turn), "size": wide} for turn, wide in timeline.sizes()],
        "names": log.names,
        "palettes": [
            {"from": index_of_turn(turn), "tiles": level_json.list_tiles(palette)}
            for turn, palette in timeline.palettes
            if turn < timeline.turns
        ],
        "thinned": thinned,
    }
    parts: dict[str, MessagePart] = {
        "who": who[np.asarray(turns)] if thinned else who,
        "ends": ends,
        "cells": cells,
        "old": old,
        "new": new,
        "first": timeline.at(0),
        "things": np.array([index_of_turn(turn) for turn in _list_placing_turns(timeline, level)], np.uint32),
    }
    if thinned:
        parts["numbers"] = np.asarray(turns, np.uint32)
    return head, parts


def _list_placing_turns(timeline: Timeline, level: Level) -> list[int]:
    """For each thing of the level, the first turn after which it stands there to stay; the last turn if none is
    known.
    """
    since: dict[tuple[str, int, int], int] = {}
    for turn, things in timeline.things:
        standing = [(thing.kind, thing.x, thing.y) for thing in things]
        since = {place: since.get(place, turn) for place in standing}
    return [since.get((thing.kind, thing.x, thing.y), timeline.turns - 1) for thing in level.things]


def _list_changes(
    log: TurnBatch,
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint8], NDArray[np.uint8]]:
    """Every change, in order. Turn 0 has none: its map is sent whole."""
    first = log.cell_end(1)
    return (
        (log.ends - first).astype(np.uint32),
        log.cells[first:].astype(np.uint32),
        log.old[first:].astype(np.uint8),
        log.new[first:].astype(np.uint8),
    )


def _choose_turns(timeline: Timeline, log: TurnBatch) -> list[int]:
    """The turns to send: as many as there is room for if each changed the whole map, evenly over the changes, with all
    changes of size and palette.
    """
    largest = max(width * height for _, (width, height) in timeline.sizes())
    room = max(2, limits.STUDIO_CHANGES.value // largest)
    steps = np.searchsorted(log.ends, np.linspace(log.cell_end(1), log.cell_end(log.turns), room))
    fixed = (
        [turn for turn, _ in timeline.sizes()]
        + [turn for turn, _ in timeline.palettes if turn < timeline.turns]
        + [0, timeline.turns - 1]
    )
    return sorted({*np.minimum(steps, timeline.turns - 1).tolist(), *fixed})


def _list_thinned_changes(
    timeline: Timeline, turns: Sequence[int]
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint8], NDArray[np.uint8]]:
    """The differences between each of these turns and the next."""
    before = timeline.at(turns[0])
    ends, cells, old, new = [0], [], [], []
    for turn in turns[1:]:
        now = timeline.at(turn)
        whole = now.shape != before.shape
        changed = np.arange(now.size) if whole else np.flatnonzero(before != now)
        cells.append(changed.astype(np.uint32))
        old.append(np.zeros(now.size, np.uint8) if whole else before.reshape(-1)[changed])
        new.append(now.reshape(-1)[changed])
        ends.append(ends[-1] + len(changed))
        before = now
    return np.array(ends, np.uint32), np.concatenate(cells), np.concatenate(old), np.concatenate(new)
