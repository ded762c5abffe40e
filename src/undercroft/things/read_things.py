"""Read a set of things from TOML: check every key at its place, then the references between the parts."""

from __future__ import annotations

from collections.abc import Callable

from undercroft import limits
from undercroft.core.region import REGION_KINDS
from undercroft.errors import BadInput
from undercroft.inputs import toml
from undercroft.things import cross_checks
from undercroft.things.fields import Fields
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
MAX_COUNT = 1_000_000
MAX_WEIGHT = 1000
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
    whole = Fields(toml.parse_toml(text, file))
    whole.check_keys(FILE_KEYS)
    base = _load_base(whole, shipped)
    types = {name: _read_type(name, fields) for name, fields in whole.named_tables("thing")}
    items = {name: _read_item(name, fields) for name, fields in whole.named_tables("item")}
    kinds = {name: _read_room_kind(name, fields) for name, fields in whole.named_tables("kind")}
    if ANY in kinds:
        raise BadInput(
            "'any' is what rooms of no kind get",
            place=whole.place("kind", ANY),
            fix="write [any] instead of [kind.any]",
        )
    rest = base.any
    if ANY in whole.table:
        fields = whole.subtable(ANY)
        fields.check_keys(("always", "things"))
        rest = _read_room_kind(ANY, fields)
    made = ThingSet(base.types | types, base.items | items, base.kinds | kinds, rest, whole.text("about"))
    limits.THING_TYPES.check(len(made.types), f"{file}: its number of things")
    if not made.types or not (made.kinds or made.any.things or made.any.always):
        raise BadInput(
            "there is nothing to put into rooms here",
            place=whole.place(),
            fix="write [thing.NAME] tables, and [kind.NAME] or [any] with things = { ... }",
        )
    cross_checks.check(made, whole)
    return made


def _load_base(whole: Fields, shipped: Shipped | None) -> ThingSet:
    """The set that this one extends; an empty one if it extends none."""
    name = whole.text("extends")
    if not name:
        return ThingSet({}, {}, {}, RoomKind(ANY))
    if shipped is None:
        raise whole.error("this set cannot extend another", "extends", fix="leave 'extends' out")
    try:
        return shipped(name)
    except BadInput as error:
        error.place = whole.document.value_place("extends")
        raise


def _read_type(name: str, fields: Fields) -> ThingType:
    fields.check_keys(TYPE_KEYS)
    group = fields.choice("group", "prop", GROUPS)
    rarity = fields.choice("rarity", "common", RARITIES)
    if "danger" in fields.table and group != "monster":
        fix = 'take it out, or write group = "monster"'
        raise BadInput(
            f"only a monster has 'danger', and {name!r} is of the group {group!r}",
            place=fields.place("danger"),
            fix=fix,
        )
    if "count" in fields.table and "holds" not in fields.table:
        raise BadInput(
            f"{name!r} has a count, and holds nothing",
            place=fields.place("count"),
            fix='add holds = ["..."], or take the count out',
        )
    count = fields.pair("count", (1, 5), 0, 100)
    if count[0] > count[1]:
        raise fields.error(
            f"'count' is the least and the greatest number, not [{count[0]}, {count[1]}]",
            "count",
            fix="put the smaller one first",
        )
    return ThingType(
        name,
        group,
        fields.choice("place", "anywhere", PLACES),
        fields.text("near"),
        fields.pair("size", (1, 1), 1, limits.THING_SIDE.value),
        fields.boolean("blocks", group == "prop"),
        rarity,
        fields.whole_number("most", MAX_PER_ROOM[rarity], 1, MAX_COUNT),
        fields.whole_number("total", 0, 0, MAX_COUNT),
        fields.whole_number("from_start", 0, 0, MAX_COUNT),
        fields.whole_number("danger", 1 if group == "monster" else 0, 0, 1000),
        fields.word_list("holds"),
        count,
        fields.text("about"),
    )


def _read_item(name: str, fields: Fields) -> Item:
    fields.check_keys(ITEM_KEYS)
    return Item(name, fields.text("sort"), fields.choice("rarity", "common", ITEM_RARITIES), fields.text("about"))


def _read_room_kind(name: str, fields: Fields) -> RoomKind:
    fields.check_keys(KIND_KEYS)
    usual = RoomKind(name)
    kind = RoomKind(
        name,
        fields.choice("rarity", "common", RARITIES),
        fields.whole_number("min_area", usual.min_area, 0, usual.max_area),
        fields.whole_number("max_area", usual.max_area, 1, usual.max_area),
        fields.whole_number("least", usual.least, 0, MAX_COUNT),
        fields.whole_number("most", usual.most, 0, usual.most),
        fields.choice("where", usual.where, ROOM_POSITIONS),
        fields.word_list("regions", usual.regions, [word for word in REGION_KINDS if word != "corridor"]),
        fields.word_list("tags"),
        fields.word_list("always"),
        fields.weights("things", MAX_WEIGHT),
    )
    if kind.min_area > kind.max_area:
        raise fields.error(
            f"min_area is {kind.min_area:,}, and max_area {kind.max_area:,}: no room is of this kind",
            "min_area",
            fix="make one of them fit",
        )
    if kind.least > kind.most:
        raise fields.error(
            f"there are at least {kind.least:,} and at most {kind.most:,} rooms of this kind",
            "least",
            fix="make one of them fit",
        )
    if not kind.things and not kind.always:
        raise BadInput(
            f"nothing stands in a room of the kind {name!r}", place=fields.place(), fix="add things = { ... }"
        )
    return kind
