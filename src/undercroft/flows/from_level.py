"""The flow of a level: the one that it was made from, or its graph of regions."""

from __future__ import annotations

from undercroft import limits
from undercroft.analysis.survey import surveyed
from undercroft.core.arguments import require_level
from undercroft.core.flow import NAMED_KINDS, Flow, FlowLink, FlowRoom, FlowThing, Point
from undercroft.core.level import Level
from undercroft.core.passable import LOCK, lock_name
from undercroft.core.region import Link, Region
from undercroft.flows.graph_data import UNNAMED_LOCK
from undercroft.flows.source import FlowSource
from undercroft.flows.words import to_new_word, to_word

SIZED_KINDS = ("room", "vault")
"""Regions that are rectangles, or nearly: their size is kept."""


def read_level_flow(level: Level, file: str = "level") -> FlowSource:
    """The flow of a level. Without one, it is the graph of its regions: corridors between two rooms become links, and
    keys and switches become things.

    >>> print(read_level_flow(Level.parse("#.+,+..#")).flow)
    room  room-1, size 1x1
    room  room-2, size 1x1 to 3x1
    link  room-1 - room-2, door
    """
    require_level("level", level)
    if level.flow is not None:
        return FlowSource(level.flow, file)
    if not len(level.regions):
        level = surveyed(level)
    reader = _GraphReader(level)
    return FlowSource(reader.build(), file, notes=tuple(reader.notes))


class _GraphReader:
    """The rooms and links of a level."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.notes: list[str] = []
        self.locks = {(thing.x, thing.y): lock_name(thing) for thing in level.things if thing.kind == LOCK}
        self.links = [link for link in level.links if link.carved and link.a and link.b]
        self.at: dict[int, list[int]] = {}
        """The numbers of the links at each region."""
        for number, link in enumerate(self.links):
            for label in {link.a, link.b}:
                self.at.setdefault(label, []).append(number)

    def build(self) -> Flow:
        """The flow."""
        regions, level = self.level.regions, self.level
        passed = {
            region.label for region in regions if region.kind == "corridor" and len(self.at.get(region.label, ())) == 2
        }
        kept = [region for region in regions if region.area and self._is_room(region, passed)]
        names: dict[int, str] = {}
        taken: dict[str, None] = {}
        for number, region in enumerate(kept, 1):
            names[region.label] = to_new_word(region.name or f"{region.kind}-{number}", taken)
            taken[names[region.label]] = None
        ends = self._find_ends(names)
        rooms = tuple(_build_room(region, names[region.label], ends.get(region.label, "")) for region in kept)
        rows = self._list_links(names, passed)
        things = tuple(
            FlowThing(
                thing.kind,
                names[label],
                to_word(str(thing.data.get("opens", "")), UNNAMED_LOCK),
                thing.kind == "key" and thing.data.get("consumed") is True,
            )
            for thing in level.things
            if thing.kind in NAMED_KINDS and (label := int(regions.labels[thing.y, thing.x])) in names
        )
        return Flow(
            level.title if _is_title(level.title) else "",
            rooms,
            tuple(link for link, _ in rows),
            things,
            places=tuple(self._place(region) for region in kept),
            ways=tuple(cells for _, cells in rows),
        )

    def _is_room(self, region: Region, passed: set[int]) -> bool:
        """Whether a region becomes a room: no hallway but one where several meet, and no cell that nothing uses."""
        links = len(self.at.get(region.label, ()))
        if region.kind == "corridor":
            return links > 2 and region.label not in passed
        return region.kind != "cell" or links > 0 or not self.links

    def _find_ends(self, names: dict[int, str]) -> dict[int, str]:
        found: dict[int, str] = {}
        for end in ("start", "end"):
            point = getattr(self.level, end)
            label = 0 if point is None else int(self.level.regions.labels[point[1], point[0]])
            if label in found:
                self.notes.append("left out: the end, which is in the room of the start")
            elif label in names:
                found[label] = end
            elif point is not None:
                self.notes.append(f"left out: the {end}, which is in no room")
        return found

    def _place(self, region: Region) -> Point:
        """A cell of the region."""
        labels = self.level.regions.labels
        if self.level.walkable[labels == region.label].any():
            return self.level.centre(region)
        y, x = divmod(int((labels == region.label).argmax()), labels.shape[1])
        return x, y

    def _list_links(self, names: dict[int, str], passed: set[int]) -> list[tuple[FlowLink, tuple[Point, ...]]]:
        """The links between rooms, through hallways with two ends, and the door cells of each."""
        found: list[tuple[FlowLink, tuple[Point, ...]]] = []
        used: set[int] = set()
        for number, link in enumerate(self.links):
            if number in used or (link.a in passed and link.b in passed):
                continue
            here, at = (link.a, link.b) if link.a not in passed else (link.b, link.a)
            chain = [number]
            while at in passed and (further := next((one for one in self.at[at] if one != chain[-1]), -1)) >= 0:
                chain.append(further)
                at = self.links[further].a if self.links[further].b == at else self.links[further].b
            used.update(chain)
            if here in names and at in names and here != at:
                found.append(self._join(names, here, at, [self.links[one] for one in chain]))
        return found

    def _join(
        self, names: dict[int, str], here: int, there: int, chain: list[Link]
    ) -> tuple[FlowLink, tuple[Point, ...]]:
        """The link that leads through these links of the level: of the kind that is hardest to pass."""
        cells = [self._door_cell(link) for link in chain]
        kinds = ["locked" if cell in self.locks else link.kind for link, cell in zip(chain, cells, strict=True)]
        order = ("open", "door", "locked", "secret", "one-way")
        hard = max(range(len(chain)), key=lambda at: (order.index(kinds[at]), -at))
        a, b = names[here], names[there]
        if kinds[hard] == "one-way":
            label = here
            for link in chain[:hard]:
                label = link.b if link.a == label else link.a
            if chain[hard].a != label:
                a, b = b, a
                cells.reverse()
        key = to_word(self.locks.get(cells[hard] or (-1, -1), ""), UNNAMED_LOCK) if kinds[hard] == "locked" else ""
        return FlowLink(a, b, kinds[hard], key), tuple(cell for cell in cells if cell is not None)

    def _door_cell(self, link: Link) -> Point | None:
        if link.door < 0:
            return None
        door = self.level.doors[link.door]
        return door.x, door.y


def _build_room(region: Region, name: str, ends: str) -> FlowRoom:
    tags = tuple(dict.fromkeys(to_word(tag, "tag") for tag in region.tags))
    size = None
    if region.kind in SIZED_KINDS and max(region.width, region.height) < limits.FLOW_SIDE.value:
        odd = [(side - (side + 1) % 2, side + (side + 1) % 2) for side in (region.width, region.height)]
        size = (max(1, odd[0][0]), max(1, odd[1][0])), (odd[0][1], odd[1][1])
    return FlowRoom(name, tags, ends, size)


def _is_title(text: str) -> bool:
    return (
        len(text) <= limits.FLOW_TITLE_LENGTH.value
        and text.isprintable()
        and ";" not in text
        and text == " ".join(text.split())
    )
