"""Check the references within a set of things: names exist, things can be placed, and no thing depends on itself."""

from __future__ import annotations

from collections.abc import Iterator

from undercroft import limits
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs.values import CheckedValue
from undercroft.things.thing_set import ANY, RoomKind, ThingSet

NEAR_PLACES = ("wall", "corner", "inner corner", "open", "anywhere")
"""The places that are allowed for a thing that stands near another."""


def check(made: ThingSet, whole: CheckedValue) -> None:
    """Raise if the parts contradict each other. The extended set is checked again, since the file may change parts of
    it.
    """
    _check_types(made, whole)
    _check_items(made, whole)
    _check_tags(made, whole)
    for name in (ANY, *made.kinds):
        _check_kind(made, whole, name)


def _check_types(made: ThingSet, whole: CheckedValue) -> None:
    """Check that the type in `near` exists, can be placed, and does not depend on the type itself."""
    written = whole.value.get("thing", {})
    for name in sorted(made.types, key=lambda name: name not in written):  # first those with a place in the file
        kind = made.types[name]
        if not kind.near:
            continue
        fields = whole.at("thing", name)
        if kind.near not in made.types:
            raise unknown_name_error("thing", kind.near, made.types, place=whole.at("thing", name, "near").place())
        if kind.place not in NEAR_PLACES:
            fix = f"write one of {', '.join(NEAR_PLACES)}, or leave one of the two out"
            raise fields.at("place").error(f"{name!r} stands near {kind.near!r}, and its place is {kind.place!r}", fix)
        if made.types[kind.near].place == "slot":
            raise fields.at("near").error(
                f"{name!r} stands near {kind.near!r}, which stands on slots only",
                "name another, or give that another place",
            )
        chain = list(_near_chain(made, name))
        if chain[-1] in chain[:-1]:
            loop = " near ".join(map(repr, chain[chain.index(chain[-1]) :]))
            raise fields.at("near").error(
                f"each waits for the next, and none can be first: {loop}", "take one 'near' out"
            )
        if len(chain) > limits.THING_CHAIN.value:
            raise fields.at("near").error(
                f"{len(chain)} things in a row stand near each other, from {name!r} on",
                f"let {limits.THING_CHAIN.value} be the most",
            )


def _near_chain(made: ThingSet, name: str) -> Iterator[str]:
    """A type, the type it stands near, and so on, up to the first repetition."""
    seen: set[str] = set()
    while name in made.types and name not in seen:
        seen.add(name)
        yield name
        name = made.types[name].near
    if name in seen:
        yield name


def _check_items(made: ThingSet, whole: CheckedValue) -> None:
    """Check that every word in `holds` is an item or a sort, and that no word is both."""
    sorts = sorted({item.sort for item in made.items.values()} - {""})
    for name in made.items:
        if name in sorts:
            raise BadInput(
                f"{name!r} is an item, and a sort of items too",
                place=whole.at("item", name).key_place(),
                fix="give one of them another name",
            )
    for name, kind in made.types.items():
        for index, word in enumerate(kind.holds):
            if word not in made.items and word not in sorts:
                raise unknown_name_error(
                    "item", word, [*made.items, *sorts], place=whole.at("thing", name, "holds", index).place()
                )
        most = min(kind.held[1], len(made.items_of(kind)))
        if most > limits.THING_ENTRIES.value:
            raise whole.at("thing", name, "holds").error(
                f"{name!r} may hold {most} different items; the limit is {limits.THING_ENTRIES.value}",
                "lower its count, or name fewer items",
            )


def _check_tags(made: ThingSet, whole: CheckedValue) -> None:
    """Check that no tag stands for two kinds."""
    owners = {name: name for name in made.kinds}
    for kind in made.kinds.values():
        for index, tag in enumerate(kind.tags):
            if tag in owners:
                fields = whole.at("kind", kind.name)
                raise fields.at("tags", index).error(
                    f"the tag {tag!r} means the kind {owners[tag]!r} already", "take it out of one of them"
                )
            owners[tag] = kind.name


def _check_kind(made: ThingSet, whole: CheckedValue, name: str) -> None:
    """Check that the types that a kind of room names exist, and fit into such rooms."""
    kind = made.any if name == ANY else made.kinds[name]
    path = (ANY,) if name == ANY else ("kind", name)
    for word in kind.things:
        if error := _find_problem(made, kind, word, must=False):
            error.place = whole.at(*path, "things", word).key_place()
            raise error
    for index, word in enumerate(kind.always):
        if error := _find_problem(made, kind, word, must=True):
            error.place = whole.at(*path, "always", index).place()
            raise error


def _find_problem(made: ThingSet, kind: RoomKind, name: str, *, must: bool) -> BadInput | None:
    """The error if a kind of room cannot name a type; None if it can."""
    if name not in made.types:
        return unknown_name_error("thing", name, made.types)
    wide, deep = made.types[name].size
    if wide * deep > kind.max_area:
        return BadInput(
            f"{name!r} of {wide}x{deep} cells does not fit into a room of at most {kind.max_area}",
            fix="make it smaller, or max_area larger",
        )
    if must and made.types[name].place == "slot":
        return BadInput(f"{name!r} stands on slots only", fix="take it out, or give it another place")
    return None
