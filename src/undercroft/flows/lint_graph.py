"""Find out whether a flow can be drawn, and solved."""

from __future__ import annotations

from collections.abc import Iterator

from undercroft.analysis.solver.solve_flow import solve_flow
from undercroft.core.flow import Flow
from undercroft.core.run import Run
from undercroft.errors import OutOfBudget
from undercroft.flows.figure import (
    describe_figure,
    draw_figure,
    find_figure,
    list_links_too_many,
    list_rooms_too_many,
)
from undercroft.flows.planarity import Pair
from undercroft.flows.remarks import FlowRemark
from undercroft.flows.source import FlowSource
from undercroft.wording import join_words

MAX_LOSING_EVENTS = 8
"""The most events that a message tells of how a flow is lost."""
SEARCH_BUDGET = 50_000_000
"""Steps of work for each check."""


def check_planarity(source: FlowSource) -> Iterator[FlowRemark]:
    """Links that cannot be drawn without crossings, floor by floor."""
    flow = source.flow
    for floor in dict.fromkeys(room.floor for room in flow.rooms):
        names = [room.name for room in flow.rooms if room.floor == floor]
        numbers = {name: number for number, name in enumerate(names)}
        inside = [index for index, link in enumerate(flow.links) if link.a in numbers and link.b in numbers]
        pairs = [(numbers[flow.links[index].a], numbers[flow.links[index].b]) for index in inside]
        run = Run(budget=SEARCH_BUDGET)
        try:
            figure = find_figure(len(names), pairs, run)
            if figure is None:
                continue
            fix = _describe_ways_out(flow, names, pairs, inside, run)
        except OutOfBudget as error:
            yield FlowRemark("planar", "warning", None, f"whether all links can be drawn: {error.problem}", error.fix)
            continue
        yield FlowRemark(
            "planar",
            "error",
            source.link_place(inside[figure.links[-1]]),
            f"these {len(figure.links)} links cannot be drawn without crossings: {describe_figure(figure, names)}",
            fix,
            draw_figure(figure, names),
        )


def _describe_ways_out(flow: Flow, names: list[str], pairs: list[Pair], inside: list[int], run: Run) -> str:
    """What would be enough: links to leave out, or rooms to put on another floor."""
    links = list_links_too_many(len(names), pairs, run)
    if links is None:
        return "leave links out: any one of them undoes this figure, and there are many others"
    told = join_words([f"{flow.links[inside[one]].a} - {flow.links[inside[one]].b}" for one in links])
    fix = f"leave any one of them out, which undoes this figure; for all it is enough to leave out {told}"
    rooms = list_rooms_too_many(len(names), pairs, run)
    if rooms:
        fix += f"; or put {join_words([names[room] for room in rooms])} on another floor"
    return fix


def check_solution(source: FlowSource) -> Iterator[FlowRemark]:
    """A flow that cannot be solved, or that can be lost."""
    flow = source.flow
    if not (flow.start and flow.end):
        return
    place = source.room_place(flow.end, "ends")
    try:
        found = solve_flow(flow, run=Run(budget=SEARCH_BUDGET))
    except OutOfBudget as error:
        yield FlowRemark("solution", "warning", place, f"whether it can be solved: {error.problem}", error.fix)
        return
    if not found.solvable:
        fix = "put what opens the lock where one can get it, or add a link"
        yield FlowRemark("solution", "error", place, f"the end cannot be reached: {found.reason}", fix)
    elif found.counterexample is not None:
        events = [str(event) for event in found.counterexample[:MAX_LOSING_EVENTS]]
        more = len(found.counterexample) - len(events)
        told = "; ".join([*events, *([f"and {more} more"] if more > 0 else [])])
        yield FlowRemark(
            "solution",
            "error",
            place,
            f"it can be lost: {told}",
            "add a way back, or a second key",
        )
