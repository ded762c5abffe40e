"""Find what is probably wrong in a set of things: what never stands anywhere, and promises that cannot be kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from undercroft.inputs import toml
from undercroft.inputs.values import CheckedValue
from undercroft.things.remarks import SetRemark
from undercroft.things.thing_set import ANY, RoomKind, ThingSet

Check = Callable[[ThingSet, CheckedValue], Iterator[SetRemark]]


def find_thing_remarks(things: ThingSet, text: str, file: str) -> list[SetRemark]:
    """The remarks on a set, in the order of the checks. Only what its own text says is judged, not the set that it
    extends.
    """
    whole = toml.parse_toml(text, file).root()
    return [remark for check in CHECKS.values() for remark in check(things, whole)]


def _own_tables(whole: CheckedValue, key: str) -> list[str]:
    return list(whole.value.get(key, {}))


def _room_kinds(things: ThingSet) -> Iterator[RoomKind]:
    yield from things.kinds.values()
    yield things.any


def _find_unused_things(things: ThingSet, whole: CheckedValue) -> Iterator[SetRemark]:
    """Things that no kind of room names, and that no such thing stands near. Slots may name any thing, but only
    `place = "slot"` says so.
    """
    used = {name for kind in _room_kinds(things) for name in (*kind.things, *kind.always)}
    todo = list(used)
    while todo:
        near = things.types[todo.pop()].near
        if near and near not in used:
            used.add(near)
            todo.append(near)
    for name in _own_tables(whole, "thing"):
        if name not in used and things.types[name].place != "slot":
            yield SetRemark(
                "unused thing",
                "warning",
                whole.at("thing", name).key_place(),
                f"{name!r} stands in no room: no kind of room names it",
                'name it in the things of a [kind.NAME] or of [any], or write place = "slot"',
            )


def _find_unused_items(things: ThingSet, whole: CheckedValue) -> Iterator[SetRemark]:
    """Items that nothing holds, neither by name nor by sort."""
    held = {word for kind in things.types.values() for word in kind.holds}
    for name in _own_tables(whole, "item"):
        sort = things.items[name].sort
        if name not in held and sort not in held:
            yield SetRemark(
                "unused item",
                "warning",
                whole.at("item", name).key_place(),
                f"{name!r} is in nothing: no thing holds it{f', or the sort {sort!r}' if sort else ''}",
                f'add "{sort or name}" to the holds of a thing, or take it out',
            )


def _find_missing_always(things: ThingSet, whole: CheckedValue) -> Iterator[SetRemark]:
    """Things that stand in every room of a kind, though a level has fewer of them than such rooms."""
    for name in [*_own_tables(whole, "kind"), *([ANY] if ANY in whole.value else [])]:
        kind = things.any if name == ANY else things.kinds[name]
        path = (ANY,) if name == ANY else ("kind", name)
        for index, word in enumerate(kind.always):
            total = things.types[word].total
            if 0 < total < kind.most:
                rooms = f"the kind {name!r}" if name != ANY else "no kind"
                yield SetRemark(
                    "missing thing",
                    "warning",
                    whole.at(*path, "always", index).place(),
                    f"{word!r} stands always in rooms of {rooms}, and a level has at most {total}",
                    f"write most = {total} for that kind, or raise the total of {word!r}"
                    if name != ANY
                    else f"raise the total of {word!r}",
                )


def _find_empty_kinds(things: ThingSet, whole: CheckedValue) -> Iterator[SetRemark]:
    """Kinds that no room gets."""
    for name in _own_tables(whole, "kind"):
        if things.kinds[name].most == 0:
            yield SetRemark(
                "unused kind",
                "warning",
                whole.at("kind", name, "most").key_place(),
                f"only rooms that have the tag already are of the kind {name!r}: most is 0",
                "raise it, or take the kind out",
            )


def _find_replaced(things: ThingSet, whole: CheckedValue) -> Iterator[SetRemark]:  # noqa: ARG001
    """Own parts that replace one of the set that is extended."""
    from undercroft.things import shipped

    base = whole.value.get("extends")
    if not base:
        return
    known = shipped.load_things(base)
    tables: dict[str, Mapping[str, object]] = {"thing": known.types, "item": known.items, "kind": known.kinds}
    for key, old in tables.items():
        for name in _own_tables(whole, key):
            if name in old:
                yield SetRemark(
                    "replaced part",
                    "note",
                    whole.at(key, name).key_place(),
                    f"the {key} {name!r} replaces that of {base!r}",
                )


CHECKS: Mapping[str, Check] = {
    "unused thing": _find_unused_things,
    "unused item": _find_unused_items,
    "unused kind": _find_empty_kinds,
    "missing thing": _find_missing_always,
    "replaced part": _find_replaced,
}
"""All checks, in the order of their remarks."""
