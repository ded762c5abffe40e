"""Read a set of things from TOML: check every key at its place, then the references between the parts."""

from __future__ import annotations

from collections.abc import Callable

from undercroft import limits
from undercroft.core.region import REGION_KINDS
from undercroft.errors import BadInput
from undercroft.inputs import toml
from undercroft.inputs.values import CheckedValue
from undercroft.things import cross_checks
from undercroft.things.thing_set import (
    ANY,
    GROUPS,
    ITEM_RARITIES,
    MAX_PER_ROOM,
    PLACES,
    RARITIES,
    ROOM_POSITIONS,
    Item,
    RoomKind,
    ThingSet,
    ThingType,
)

TYPE_KEYS = (
    "group",
    "place",
    "near",
    "size",
    "blocks",
    "rarity",
    "most",
    "total",
    "from_start",
    "danger",
    "holds",
    "count",
    "about",
)
ITEM_KEYS = ("sort", "rarity", "about")
KIND_KEYS = ("rarity", "min_area", "max_area", "least", "most", "where", "regions", "tags", "always", "things")
FILE_KEYS = ("about", "extends", "thing", "item", "kind", ANY)
Shipped = Callable[[str], ThingSet]


def parse_things(text: str, file: str, shipped: Shipped | None = None) -> ThingSet:
    """Parse the set in a text; `file` names it in errors. `shipped` loads the set that it extends by name.

    >>> den = parse_things('''
    ... [thing.bones]
    ... place = "corner"
    ... [any]
    ... things = { bones = 1 }
    ... ''', "den.toml")
    >>> den.types["bones"].place, den.any.things
    ('corner', {'bones': 1})
    """
    whole = toml.parse_toml(text, file).root()
    whole.table(FILE_KEYS)
    base = _load_base(whole, shipped)
    types = {name: _read_type(name, fields) for name, fields in _named_tables(whole, "thing")}
    items = {name: _read_item(name, fields) for name, fields in _named_tables(whole, "item")}
    kinds = {name: _read_room_kind(name, fields) for name, fields in _named_tables(whole, "kind")}
    if ANY in kinds:
        raise BadInput(
            "'any' is what rooms of no kind get",
            place=whole.at("kind", ANY).key_place(),
            fix="write [any] instead of [kind.any]",
        )
    rest = base.any
    if ANY in whole.value:
        fields = whole.subtable(ANY)
        fields.table(("always", "things"))
        rest = _read_room_kind(ANY, fields)
    made = ThingSet(base.types | types, base.items | items, base.kinds | kinds, rest, whole.key("about", "").text())
    limits.THING_TYPES.check(len(made.types), f"{file}: its number of things")
    if not made.types or not (made.kinds or made.any.things or made.any.always):
        raise BadInput(
            "there is nothing to put into rooms here",
            place=whole.key_place(),
            fix="write [thing.NAME] tables, and [kind.NAME] or [any] with things = { ... }",
        )
    cross_checks.check(made, whole)
    return made


def _load_base(whole: CheckedValue, shipped: Shipped | None) -> ThingSet:
    """The set that this one extends; an empty one if it extends none."""
    name = whole.key("extends", "").text()
    if not name:
        return ThingSet({}, {}, {}, RoomKind(ANY))
    if shipped is None:
        raise whole.key("extends").error("this set cannot extend another", "leave 'extends' out")
    try:
        return shipped(name)
    except BadInput as error:
        error.place = whole.key("extends").place()
        raise


def _named_tables(whole: CheckedValue, key: str) -> list[tuple[str, CheckedValue]]:
    """The tables in a table, each with its name."""
    outer = whole.subtable(key)
    for name in outer.value:
        if (
            not name.strip()
            or name != name.strip()
            or len(name) > limits.THING_NAME_LENGTH.value
            or not name.isprintable()
        ):
            raise BadInput(
                f"{name[:60]!r} is no name",
                place=outer.at(name).key_place(),
                fix=f"a name has 1 to {limits.THING_NAME_LENGTH.value} letters, and no blanks around it",
            )
    return [(name, outer.subtable(name)) for name in outer.value]


def _read_weights(table: CheckedValue) -> dict[str, int]:
    """Names with a weight each."""
    return {name: table.key(name).integer(1, limits.THING_WEIGHT.value) for name in table.value}


def _read_type(name: str, fields: CheckedValue) -> ThingType:
    fields.table(TYPE_KEYS)
    group = fields.key("group", "prop").choice(GROUPS)
    rarity = fields.key("rarity", "common").choice(RARITIES)
    if "danger" in fields.value and group != "monster":
        fix = 'take it out, or write group = "monster"'
        raise BadInput(
            f"only a monster has 'danger', and {name!r} is of the group {group!r}",
            place=fields.at("danger").key_place(),
            fix=fix,
        )
    if "count" in fields.value and "holds" not in fields.value:
        raise BadInput(
            f"{name!r} has a count, and holds nothing",
            place=fields.at("count").key_place(),
            fix='add holds = ["..."], or take the count out',
        )
    count = fields.key("count", [1, 5]).pair(0, 100)
    if count[0] > count[1]:
        raise fields.key("count").error(
            f"'count' is the least and the greatest number, not [{count[0]}, {count[1]}]", "put the smaller one first"
        )
    return ThingType(
        name,
        group,
        fields.key("place", "anywhere").choice(PLACES),
        fields.key("near", "").text(),
        fields.key("size", [1, 1]).pair(1, limits.THING_SIDE.value),
        fields.key("blocks", group == "prop").boolean(),
        rarity,
        fields.key("most", MAX_PER_ROOM[rarity]).integer(1, limits.THING_COUNT.value),
        fields.key("total", 0).integer(0, limits.THING_COUNT.value),
        fields.key("from_start", 0).integer(0, limits.THING_COUNT.value),
        fields.key("danger", 1 if group == "monster" else 0).integer(0, limits.THING_DANGER.value),
        fields.key("holds", []).words(),
        count,
        fields.key("about", "").text(),
    )


def _read_item(name: str, fields: CheckedValue) -> Item:
    fields.table(ITEM_KEYS)
    return Item(
        name,
        fields.key("sort", "").text(),
        fields.key("rarity", "common").choice(ITEM_RARITIES),
        fields.key("about", "").text(),
    )


def _read_room_kind(name: str, fields: CheckedValue) -> RoomKind:
    fields.table(KIND_KEYS)
    usual = RoomKind(name)
    kind = RoomKind(
        name,
        fields.key("rarity", "common").choice(RARITIES),
        fields.key("min_area", usual.min_area).integer(0, usual.max_area),
        fields.key("max_area", usual.max_area).integer(1, usual.max_area),
        fields.key("least", usual.least).integer(0, limits.THING_COUNT.value),
        fields.key("most", usual.most).integer(0, usual.most),
        fields.key("where", usual.where).choice(ROOM_POSITIONS),
        fields.key("regions", list(usual.regions)).words([word for word in REGION_KINDS if word != "corridor"]),
        fields.key("tags", []).words(),
        fields.key("always", []).words(),
        _read_weights(fields.subtable("things")),
    )
    if kind.min_area > kind.max_area:
        raise fields.key("min_area").error(
            f"min_area is {kind.min_area:,}, and max_area {kind.max_area:,}: no room is of this kind",
            "make one of them fit",
        )
    if kind.least > kind.most:
        raise fields.key("least").error(
            f"there are at least {kind.least:,} and at most {kind.most:,} rooms of this kind", "make one of them fit"
        )
    if not kind.things and not kind.always:
        raise BadInput(
            f"nothing stands in a room of the kind {name!r}", place=fields.key_place(), fix="add things = { ... }"
        )
    return kind
