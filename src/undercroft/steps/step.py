"""The protocol of a step, and the facts that steps share."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol

from msgspec import Meta

from undercroft.core.draft import FACTS, TILE_FACTS, Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run

Share = Annotated[float, Meta(ge=0, le=1)]
"""A probability or a fraction, 0 to 1."""


def all_facts_but(*facts: str) -> tuple[str, ...]:
    """Every other fact: what a step spoils if it starts a new map and gives these."""
    return tuple(fact for fact in FACTS if fact not in facts)


ALL_BUT_TILES = TILE_FACTS
"""The facts spoiled by a step that writes single tiles and updates nothing else. Things stay where they are."""


class Step(Protocol):
    """A frozen dataclass of parameters. `apply` draws on the draft, with numbers from its own stream only.

    A step may have any of these members too; `describe_step` reads them:

    - `check(width, height)` raises `BadInput` if a level of that size does not suit the step.
    - `reads` names its fields that hold paths of files, `digest` is a digest of what those files hold.
    - `texts` names its fields that hold a text in a language of their own, such as rules.
    - `forgets = True`: it spoils its facts only sometimes, and forgets them itself.
    """

    edition: ClassVar[int]
    """Raised when the same parameters and stream give a different result than before."""
    needs: ClassVar[tuple[str, ...]]
    gives: ClassVar[tuple[str, ...]]
    spoils: ClassVar[tuple[str, ...]]
    """Facts that are forgotten after the step."""

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None: ...


def _accept_any_size(step: Step, width: int, height: int) -> None:
    """The check of a step that suits every size."""


def _no_digest(step: Step) -> str:  # noqa: ARG001 - as a step's own digest
    """The digest of a step that reads no file."""
    return ""


class StepDescription(NamedTuple):
    """All that a class of steps declares, with defaults for what it leaves out."""

    name: str
    """The step's name in a recipe."""
    edition: int
    needs: tuple[str, ...]
    gives: tuple[str, ...]
    spoils: tuple[str, ...]
    fields: tuple[str, ...]
    reads: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    forgets: bool = False
    check: Callable[[Any, int, int], None] = _accept_any_size
    digest: Callable[[Any], str] = _no_digest


@functools.cache
def describe_step(step: type[Step]) -> StepDescription:
    """What a class of steps declares. Raises `TypeError` if a member is not as `Step` says.

    >>> from undercroft.steps.start.noise import Noise
    >>> found = describe_step(Noise)
    >>> found.name, found.gives, found.reads, found.forgets
    ('noise', ('tiles',), (), False)
    """
    fields = tuple(field.name for field in dataclasses.fields(step))  # type: ignore[arg-type]
    known = {"needs": FACTS, "gives": FACTS, "spoils": FACTS, "reads": fields, "texts": fields}
    members = {name: getattr(step, name) for name in _MEMBERS if hasattr(step, name)}
    for name, words in known.items():
        value = members.get(name, () if name in ("reads", "texts") else None)
        if not isinstance(value, tuple) or not set(value) <= set(words):
            raise TypeError(f"{name} of the step {step.__name__} is a tuple of {', '.join(words)}, not {value!r}")
    for name, kind, default in (("edition", int, None), ("forgets", bool, False)):
        value = members.get(name, default)
        if type(value) is not kind:
            raise TypeError(f"{name} of the step {step.__name__} is of the type {kind.__name__}, not {value!r}")
    check = members.get("check", _accept_any_size)
    if not callable(check):
        raise TypeError(f"check of the step {step.__name__} is a method, not {check!r}")
    digest = members.pop("digest", property(_no_digest))
    if not isinstance(digest, property) or digest.fget is None:
        raise TypeError(f"digest of the step {step.__name__} is a property, not {digest!r}")
    return StepDescription(name=step_name(step.__name__), fields=fields, digest=digest.fget, **members)


_MEMBERS = ("edition", "needs", "gives", "spoils", "reads", "texts", "forgets", "check", "digest")


def step_name(kind: str) -> str:
    """A step's name in a recipe, from the name of its class.

    >>> step_name("RoomGrid")
    'room-grid'
    """
    return "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in kind).removeprefix("-")
