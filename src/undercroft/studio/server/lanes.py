"""Requests in progress. Each is in a lane, where a newer request replaces an older one. A request for many seeds is
split into small tasks, so that others get their turn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from undercroft import limits
from undercroft.errors import BadInput, UndercroftError
from undercroft.studio.protocol import messages
from undercroft.studio.server.tasks import LATER, QUICK, SOON, Task, TaskEnd
from undercroft.studio.server.worker_pool import StudioWorkers

Send = Callable[[str | bytes], None]
CHUNK_SECONDS = 0.04
"""The target seconds of a small task: so long a key press may have to wait for it."""
MAX_SEED_DIGITS = 20
SOURCE_KEYS = ("recipe", "seed", "size", "params", "until", "tries", "attempt", "keep", "edits", "placed", "removed")


class AskPolicy(NamedTuple):
    """How a kind of request is scheduled."""

    rank: int = QUICK
    long: bool = False
    bites: str = ""
    """The key of the list that can be split; empty if the request cannot be split."""


ASK_POLICIES = {
    "make": AskPolicy(),
    "recipe": AskPolicy(),
    "overlay": AskPolicy(),
    "inspect": AskPolicy(),
    "explain": AskPolicy(),
    "rules": AskPolicy(),
    "layout": AskPolicy(),
    "work": AskPolicy(),
    "base_maps": AskPolicy(),
    "again": AskPolicy(),
    "layouts": AskPolicy(SOON),
    "vocabulary": AskPolicy(SOON),
    "choices": AskPolicy(SOON),
    "allow": AskPolicy(SOON),
    "losses": AskPolicy(SOON),
    "picture": AskPolicy(SOON, long=True),
    "timeline": AskPolicy(SOON, long=True),
    "wall": AskPolicy(LATER, bites="seeds"),
    "range": AskPolicy(LATER, bites="seeds"),
    "sizes": AskPolicy(LATER, bites="sizes"),
    "coverage": AskPolicy(LATER, long=True),
}
"""The requests that are allowed over the socket."""


class Lanes:
    """The requests of one page. `send` sends messages to it; `on_level` gets the source of each level that was made in
    the lane "level".

    `fill` adds to a request the data that the page only names.
    """

    def __init__(
        self,
        workers: StudioWorkers,
        send: Send,
        on_level: Callable[[dict[str, Any]], None] = lambda _: None,
        fill: Callable[[dict[str, Any]], dict[str, Any]] = dict,
    ) -> None:
        self.workers, self.send, self._on_level, self._fill = workers, send, on_level, fill
        self._under_way: dict[str, Ask] = {}

    def on_message(self, message: Any) -> None:
        """Handle a message of the page: a request, or the cancellation of one."""
        if isinstance(message, dict) and isinstance(message.get("cancel"), str):
            self.cancel(message["cancel"])
            return
        number = message.get("id") if isinstance(message, dict) else None
        if not isinstance(number, int) or not 0 < number < 1 << 53:
            self.refuse(0, BadInput("an ask has a number", fix="reload the page"))
            return
        lane, do = message.get("lane"), message.get("do")
        if not isinstance(lane, str) or len(lane) > 200 or not isinstance(do, str) or do not in ASK_POLICIES:
            self.refuse(
                number,
                BadInput(f"the page asked for {str(do)[:40]!r}, which the server does not do", fix="reload the page"),
            )
            return
        self.cancel(lane)
        try:
            limits.STUDIO_REQUESTS.check(len(self._under_way) + 1, "the number of requests under way")
            ask = Ask(self, lane, number, self._fill(message), ASK_POLICIES[do])
        except UndercroftError as error:
            self.refuse(number, error)
            return
        self._under_way[lane] = ask
        ask.begin()

    def cancel(self, lane: str) -> None:
        """Cancel the request in a lane."""
        ask = self._under_way.pop(lane, None)
        if ask is not None:
            ask.cancel()
            self.send(messages.encode_json({"id": ask.number, "kind": "cancelled"}))

    def close(self) -> None:
        """Cancel all requests: the page is gone."""
        for ask in self._under_way.values():
            ask.cancel()
        self._under_way.clear()

    def on_ask_end(self, ask: Ask, outcome: TaskEnd) -> None:
        """Send the answer of a request, unless a newer one has replaced it."""
        if self._under_way.get(ask.lane) is not ask:
            return
        del self._under_way[ask.lane]
        if outcome.send is not None:
            self.send(outcome.send)
        elif outcome.problem is not None:
            self.send(messages.encode_json({"id": ask.number, "kind": "problem", **outcome.problem}))
        if outcome.kind == "done" and ask.lane == "level" and ask.ask["do"] == "make":
            self._on_level({name: ask.ask[name] for name in SOURCE_KEYS if name in ask.ask})

    def refuse(self, number: int, error: UndercroftError) -> None:
        """Send the problem of a request."""
        self.send(messages.encode_json({"id": number, "kind": "problem", **messages.build_problem(error)}))


class Ask:
    """A request with its tasks: a single one, or a few of many at a time."""

    def __init__(self, lanes: Lanes, lane: str, number: int, ask: dict[str, Any], policy: AskPolicy) -> None:
        self.lane, self.number, self.ask = lane, number, ask
        self._lanes, self._manner = lanes, policy
        self._tasks: set[Task] = set()
        self._left: list[Any] = []
        self._done, self._of, self._bite = 0, 0, 1
        if policy.bites:
            self._left = self._list_items()
            self._of = len(self._left)

    def _list_items(self) -> list[Any]:
        """The items to split into tasks."""
        if self.ask["do"] == "range":
            first, count = self.ask.get("first"), self.ask.get("count")
            if (
                not isinstance(first, str)
                or not first.isdecimal()
                or len(first) > MAX_SEED_DIGITS
                or type(count) is not int
                or count < 1
            ):
                raise BadInput("a range is a first seed and how many there are", fix="reload the page")
            limits.STUDIO_SEEDS.check(count, "the number of seeds")
            return [str((int(first) + more) % (1 << 64)) for more in range(count)]
        found = self.ask.get(self._manner.bites)
        if not isinstance(found, list):
            raise BadInput(f"the {self._manner.bites} are a list", fix="reload the page")
        limits.STUDIO_SEEDS.check(len(found), f"the number of {self._manner.bites}")
        return list(found)

    def begin(self) -> None:
        """Submit the first tasks."""
        if not self._manner.bites:
            self._submit(self.ask, self._on_task_end)
        elif not self._left:
            self._finish()
        else:
            for _ in range(self._lanes.workers.count):
                self._submit_chunk()

    def _submit(self, ask: dict[str, Any], on_end: Callable[[Task, TaskEnd], None]) -> None:
        task = Task(
            ask,
            lambda outcome: on_end(task, outcome),
            self._lanes.send,
            self._manner.rank,
            self._manner.long,
            about=digest_source(ask),
        )
        self._tasks.add(task)
        self._lanes.workers.submit(task)

    def _on_task_end(self, task: Task, outcome: TaskEnd) -> None:
        self._tasks.discard(task)
        if outcome.kind != "cancelled":
            self._lanes.on_ask_end(self, outcome)

    def _submit_chunk(self) -> None:
        if self._left:
            bite, self._left = self._left[: self._bite], self._left[self._bite :]
            self._submit({**self.ask, self._manner.bites: bite}, self._on_chunk_end)

    def _on_chunk_end(self, task: Task, outcome: TaskEnd) -> None:
        self._tasks.discard(task)
        if outcome.kind == "cancelled":
            return
        if outcome.kind == "problem":
            for other in list(self._tasks):
                self._lanes.workers.cancel(other)
            self._lanes.on_ask_end(self, outcome)
            return
        many = len(task.ask[self._manner.bites])
        self._done += many
        self._bite = max(1, min(200, int(CHUNK_SECONDS * many / max(outcome.seconds, 1e-4))))
        if outcome.data is not None:
            self._lanes.send(
                messages.encode_json(
                    {"id": self.number, "kind": "part", **outcome.data, "done": self._done, "of": self._of}
                )
            )
        self._submit_chunk()
        if not self._tasks and not self._left:
            self._finish()

    def _finish(self) -> None:
        self._lanes.on_ask_end(self, TaskEnd("done", send=messages.encode_json({"id": self.number, "kind": "done"})))

    def cancel(self) -> None:
        """Cancel all its tasks."""
        self._left = []
        for task in list(self._tasks):
            self._lanes.workers.cancel(task)


def digest_source(ask: dict[str, Any]) -> str:
    """A short digest of the level that a request is about; empty if it is about none."""
    source = find_source(ask)
    if "recipe" not in source or ("seeds" in ask and source is ask):
        return ""
    return hashlib.blake2b(msgspec.json.encode([source.get(name) for name in SOURCE_KEYS]), digest_size=12).hexdigest()


def find_source(ask: dict[str, Any]) -> dict[str, Any]:
    """The source of the level that a request is about: the request itself, or the level that rules run on."""
    run = ask.get("run")
    on = run.get("on") if isinstance(run, dict) else None
    level = on.get("level") if isinstance(on, dict) else None
    return level if isinstance(level, dict) else ask
