"""The requests of the page, checked. All of it comes from a page, so nothing is trusted."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from undercroft import limits
from undercroft.analysis.edits import HandEdits, ThingSpot
from undercroft.core.region import Thing
from undercroft.errors import BadInput

T = TypeVar("T")
Point = tuple[int, int]


class RecipeRef(msgspec.Struct):
    """What a level comes from: a recipe by name, a file of the project, an edited text that belongs to a file, or an
    import.
    """

    name: str | None = None
    path: str | None = None
    text: str | None = None
    file: str = "recipe.toml"
    imported: str | None = None
    """The id of an import, known to the server."""
    map: dict[str, Any] | None = None
    """A map itself, as `undercroft-level`."""


class KeptCells(msgspec.Struct):
    """Cells that stay as they are, as runs (first, length): in the level of another source, or on a map."""

    cells: list[Point]
    of: LevelSource | None = None
    map: dict[str, Any] | None = None
    """The map, as `undercroft-level`."""


class ThingRef(msgspec.Struct):
    """A thing that is taken away."""

    kind: str
    x: int
    y: int


class PlacedThing(ThingRef):
    """A thing that is placed by hand."""

    data: dict[str, Any] = {}


class LevelSource(msgspec.Struct):
    """A description of a level."""

    recipe: RecipeRef
    seed: str = "0"
    size: Point | None = None
    params: dict[str, Any] = {}
    until: list[str] = []
    tries: int = 100
    attempt: int | None = None
    keep: KeptCells | None = None
    edits: list[tuple[int, str]] = []
    placed: list[PlacedThing] = []
    removed: list[ThingRef] = []

    def by_hand(self) -> HandEdits:
        """What was done by hand. Raises `BadInput` for a thing that no level can have."""
        return HandEdits(
            tuple(self.edits),
            tuple(Thing(thing.kind, thing.x, thing.y, thing.data) for thing in self.placed),
            tuple(ThingSpot(thing.kind, thing.x, thing.y) for thing in self.removed),
        )


class MakeRequest(LevelSource):
    measures: list[str] | str = "all"


class PictureRequest(LevelSource):
    style: str = "dark"
    cell: int = 16
    show: list[str] = []
    hide: list[str] = []


class WallRequest(LevelSource):
    seeds: list[str] = []
    measures: list[str] = []


class OverlayRequest(LevelSource):
    what: list[str] = []
    from_: Point | None = msgspec.field(default=None, name="from")


class InspectRequest(LevelSource):
    """What stands in a cell; without one, only the kinds of things."""

    at: Point | None = None


class ExplainRequest(LevelSource):
    step: str = ""
    turn: int = 0
    rule: str | None = None
    at: Point | None = None


class CoverageRequest(LevelSource):
    seeds: int = 20


class TextRequest(msgspec.Struct):
    text: str
    file: str = "recipe.toml"


class WorkRequest(msgspec.Struct):
    """A work to open: in a file of the project, or as text."""

    path: str | None = None
    text: str | None = None


class RunMap(msgspec.Struct):
    """The map that a run of rules begins with: a level, or a blank map."""

    level: LevelSource | None = None
    step: str = ""
    """The step of the level in whose place the rules run, on the map right before it; empty: on the whole level."""
    fill: str = ""
    """The tile of a blank map; empty: the first one of the rules."""
    edits: list[tuple[int, str]] = []
    """Tiles drawn on a blank map, as `LevelSource.edits`."""


class ChoicesRequest(TextRequest):
    """What a field is chosen from. `text` is the recipe's, for fields that depend on it."""

    of: str = ""
    text: str = ""


class RulesRun(msgspec.Struct):
    rule: str
    seed: str
    size: Point
    line: int = 0
    """The line of the rule: several rules may have the same name."""
    until: str = "end"
    """"end", or "rule": the map after the last use of the rule."""
    on: RunMap = msgspec.field(default_factory=RunMap)
    """The map. Only a blank one has the `size`; a run at a step has the seed of its level."""


class RulesRequest(TextRequest):
    run: RulesRun | None = None
    seeds: int = 0
    """Over how many seeds uses are counted."""


class SizesRequest(TextRequest):
    sizes: list[Point] = []
    leniency: Point = (0, 0)
    overgrow: bool = False


class AllowRequest(TextRequest):
    size: Point = (1, 1)
    leniency: Point = (0, 0)
    overgrow: bool = False


class LayoutTextRequest(msgspec.Struct):
    """A layout in the editor: its data, its file, and its old text."""

    data: Any = None
    file: str | None = None
    text: str | None = None


class OutputFile(msgspec.Struct):
    """A file to write: its format, its path, and options of the format."""

    format: str
    path: str
    options: dict[str, Any] = {}
    animation: bool = False


class ExportRequest(LevelSource):
    outputs: list[OutputFile] = []


def read_request(ask: Any, kind: type[T]) -> T:
    """A request as one of these types. Raises `BadInput` with the reason if it does not fit."""
    try:
        return msgspec.convert(ask, kind)
    except msgspec.ValidationError as error:
        raise BadInput(f"the page sent an invalid request: {error}", fix="reload the page") from None


def check_seed_count(count: int) -> None:
    """Raise if there are more seeds than a request may have."""
    limits.STUDIO_SEEDS.check(count, "the number of seeds")
