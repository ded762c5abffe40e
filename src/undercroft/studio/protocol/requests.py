"""The requests of the page, checked. All of it comes from a page, so nothing is trusted."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from undercroft import limits
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


class KeptCells(msgspec.Struct):
    """Cells that stay as they are in the level of another source, as runs (first, length)."""

    of: LevelSource
    cells: list[Point]


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


class RulesRun(msgspec.Struct):
    rule: str
    seed: str
    size: Point
    line: int = 0
    """The line of the rule: several rules may have the same name."""
    until: str = "end"
    """"end", or "rule": the map after the last use of the rule."""


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
