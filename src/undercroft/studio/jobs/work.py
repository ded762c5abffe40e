"""The jobs of a studio worker: `JOB_MODULES` names the module with the function `do_NAME` of each request.

Each function gets the sources, the request and a `JobContext`, and returns an `Answer`. Errors become answers too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from undercroft.bulk.workers.jobs import Work
from undercroft.errors import BadInput, Cancelled, NotMet, OutOfBudget, UndercroftError
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.protocol import messages
from undercroft.studio.protocol.messages import MessagePart
from undercroft.studio.protocol.project import Project

JOB_MODULES = {
    "hello": "undercroft.studio.jobs.hello",
    "make": "undercroft.studio.jobs.make",
    "picture": "undercroft.studio.jobs.make",
    "wall": "undercroft.studio.jobs.make",
    "range": "undercroft.studio.jobs.make",
    "timeline": "undercroft.studio.jobs.timeline",
    "overlay": "undercroft.studio.jobs.overlays",
    "inspect": "undercroft.studio.jobs.inspect_cell",
    "explain": "undercroft.studio.jobs.explain",
    "coverage": "undercroft.studio.jobs.explain",
    "recipe": "undercroft.studio.jobs.recipe_text",
    "vocabulary": "undercroft.studio.jobs.vocabulary",
    "choices": "undercroft.studio.jobs.choices",
    "rules": "undercroft.studio.jobs.rules_text",
    "layout": "undercroft.studio.jobs.layouts",
    "layout_text": "undercroft.studio.jobs.layouts",
    "layouts": "undercroft.studio.jobs.layouts",
    "sizes": "undercroft.studio.jobs.layouts",
    "allow": "undercroft.studio.jobs.layouts",
    "export": "undercroft.studio.jobs.export",
    "losses": "undercroft.studio.jobs.export",
    "import": "undercroft.studio.jobs.import_level",
    "save": "undercroft.studio.jobs.export",
    "work": "undercroft.studio.jobs.works",
    "base_maps": "undercroft.studio.jobs.works",
    "again": "undercroft.studio.jobs.works",
}
"""The module with the function `do_NAME`. No other request is possible."""
PROGRESS_SECONDS, FIRST_PROGRESS_SECONDS = 0.05, 0.1
"""Seconds between two progress messages, and before the first."""


class Answer:
    """A message for the page, and plain data for the server."""

    def __init__(
        self,
        head: Mapping[str, Any] | None = None,
        parts: Mapping[str, MessagePart] | None = None,
        data: Any = None,
        kind: str = "done",
    ) -> None:
        self.head, self.parts, self.data, self.kind = head, parts, data, kind

    def encode(self, number: int) -> str | bytes | None:
        """The message to the page."""
        if self.head is None:
            return None
        answer = {"id": number, "kind": self.kind, **self.head}
        return messages.pack_message(answer, self.parts) if self.parts else messages.encode_json(answer)


class OutOfTime(Cancelled):
    """The work took too long."""


class JobContext:
    """The link from the work of one request to its page: whether to stop, and messages about progress."""

    def __init__(self, number: int, signal: Any, seconds: float) -> None:
        self.number = number
        self._signal = signal
        self._seconds = seconds
        self._begun = time.perf_counter()
        self._last_progress = self._begun + FIRST_PROGRESS_SECONDS - PROGRESS_SECONDS
        self._steps: list[str] = []
        self._attempt = 0

    def is_cancelled(self) -> bool:
        """Whether the request was cancelled. Raises `OutOfTime` if it takes too long."""
        if time.perf_counter() - self._begun > self._seconds:
            raise OutOfTime(f"this took more than {self._seconds:g} seconds, and was given up")
        return bool(self._signal())

    def send_part(self, head: Mapping[str, Any], parts: Mapping[str, MessagePart] | None = None) -> None:
        """Send an intermediate result to the page."""
        self._signal.send_part(Answer(head, parts, kind="part").encode(self.number))

    def progress_hooks(self, steps: list[str]) -> dict[str, Any]:
        """Keywords for `Recipe.generate` that report the running step to the page."""
        self._steps = steps
        return {"on_step": self._on_step, "progress": self._on_attempt, "tick": self._on_step}

    def _on_attempt(self, attempts: int, of: int) -> None:  # noqa: ARG002
        self._attempt = attempts

    def _on_step(self, step: str) -> None:
        if step in self._steps:
            self.report_progress(step, self._steps.index(step), len(self._steps))

    def report_progress(self, step: str, index: int, of: int) -> None:
        """Report progress, unless a message was sent a moment ago."""
        now = time.perf_counter()
        if now - self._last_progress < PROGRESS_SECONDS:
            return
        self._last_progress = now
        head = {"step": step, "index": index, "of": of, "attempt": self._attempt, "share": round(index / max(of, 1), 3)}
        self._signal.send_part(Answer(head, kind="progress").encode(self.number))


JobFunction = Callable[[LevelSources, dict[str, Any], JobContext], Answer]


def prepare(setup: Mapping[str, Any]) -> Work:
    """Load what most requests need. A task is a request and its time limit; the result is the message for the page and
    data for the server.
    """
    sources = LevelSources(Project(setup["project"]))
    for name in ("make", "recipe", "hello"):
        import_module(JOB_MODULES[name])

    def work(task: Any, signal: Any) -> dict[str, Any]:
        ask, seconds = task
        number = int(ask.get("id", 0))
        answer = run_job(sources, ask, JobContext(number, signal, seconds))
        return {"send": answer.encode(number), "data": answer.data, "kind": answer.kind}

    return work


def run_job(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """Run the job of a request; errors that a user can act on become answers."""
    name = ask.get("do")
    sources.origins.imports = ask.get("imports") or {}
    try:
        if name not in JOB_MODULES:
            raise BadInput(
                f"the page asked for {str(name)[:40]!r}, which the server does not do", fix="reload the page"
            )
        do: JobFunction = getattr(import_module(JOB_MODULES[name]), f"do_{name}")
        return do(sources, ask, job)
    except OutOfTime as error:
        return Answer(
            {**messages.build_problem(error), "fix": "ask for a smaller level, or for less of it"}, kind="problem"
        )
    except Cancelled:
        raise
    except UndercroftError as error:
        return answer_error(error)


def answer_error(
    error: UndercroftError, more: Mapping[str, Any] | None = None, parts: Mapping[str, MessagePart] | None = None
) -> Answer:
    """The answer for an error, with `more` in its head, such as the nearest level."""
    problem = {**messages.build_problem(error), "chance": isinstance(error, (NotMet, OutOfBudget))}
    rejected = {"rejected": error.rejected} if isinstance(error, NotMet) else {}
    data = {"problem": problem, "error": type(error).__name__}
    return Answer({**problem, **rejected, **(more or {})}, parts, data=data, kind="problem")
