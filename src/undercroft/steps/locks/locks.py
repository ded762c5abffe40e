"""The step that places locked doors with keys and switches, and one-way doors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.steps.step import Share

COLOURS = (
    *("red", "blue", "green", "yellow", "violet", "orange", "white", "black"),
    *("silver", "golden", "brass", "copper", "iron", "ivory", "jade", "crimson"),
)


@dataclass(frozen=True, kw_only=True)
class Locks:
    """Lock doors, and place their keys where they can be reached.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     ################
    ...     #<...+....#....#
    ...     #....#....+....#
    ...     #....#....#....#
    ...     ##+########....#
    ...     #.........#...>#
    ...     ################'''))
    >>> Locks(locks=2, depth=2).apply(draft, Rng.root(2).stream("locks"), Run())
    >>> print(draft)
    ################
    #<...L....#....#
    #....#....L....#
    #....#....#....#
    ##+########....#
    #.........#...>#
    ################
    >>> for thing in draft.things:
    ...     print(thing.kind, thing.x, thing.y, thing.data)
    lock 5 1 {'key': 'red'}
    key 7 5 {'opens': 'red'}
    lock 10 2 {'key': 'blue'}
    key 6 3 {'opens': 'blue'}

    A lock stands where there is no way around it: on a door, or in a narrow place if there are too few doors. A solver
    proves that the level can be solved. Put this step after the steps that change tiles or move start and end, which
    are refused behind it, and before those that put things into rooms.
    """

    locks: Annotated[int, Meta(ge=0, le=16)] = 3
    """How many locks. A room with several doors may have the same lock on all of them; that counts as one."""
    depth: Annotated[int, Meta(ge=0, le=16)] = 0
    """How many locks must be opened one after the other, because the next key lies behind the previous lock. 1: no key
    lies behind a lock; 0: any depth.
    """
    keys: Literal["kept", "consumed"] = "kept"
    """kept: keys can be used again; consumed: a key breaks in its lock."""
    unlosable: bool = True
    """Whether the end must stay reachable whatever the player does first; else one solution is enough. This matters if
    keys break and colours are few.
    """
    switches: Share = 0.0
    """The share of locks that a switch opens instead of a key."""
    one_way: Share = 0.0
    """The share of doors that become one-way doors, back towards the start. Only doors with another way around count,
    so that a player cannot get stuck.
    """
    apart: Annotated[int, Meta(ge=2, le=1_000_000)] = 4
    """The fewest steps from a key to its door."""
    colours: tuple[str, ...] = COLOURS
    """The names of locks, in the order in which they can be opened; after the last, they repeat."""
    guard_end: bool = True
    """Whether the end lies behind at least one lock."""
    exact: bool = False
    """Whether it is an error if the locks are not exactly as requested; else it is a note."""

    edition: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("tiles", "ends")
    gives: ClassVar[tuple[str, ...]] = ("regions", "doors", "links", "path", "things", "locks")
    spoils: ClassVar[tuple[str, ...]] = ("split",)

    def __post_init__(self) -> None:
        if (
            not self.colours
            or not all(colour.strip() for colour in self.colours)
            or len(set(self.colours)) < len(self.colours)
        ):
            raise BadInput("colours are different words, one at least", fix='for example colours = ["red", "blue"]')

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        from undercroft.steps.locks.lock_doors import place_locks  # few levels need the solver

        if draft.flow is not None and (drawn := next((link for link in draft.flow.links if link.key), None)):
            raise BadInput(
                f"the flow says where locks are: {drawn.a} - {drawn.b} is locked by {drawn.key}",
                fix="leave the step 'locks' out, or the locks of the flow",
            )

        place_locks(draft, self, rng, run)
