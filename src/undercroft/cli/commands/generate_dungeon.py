"""`undercroft generate` with a dungeon recipe: all floors, or some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from undercroft import formats
from undercroft.bulk.make_dungeon import make_dungeon
from undercroft.cli.dungeons.write_dungeon import describe_floor, describe_level, resolve_dungeon_targets, write_dungeon
from undercroft.cli.messages import print_message, print_output
from undercroft.cli.options.output_files import encode_outputs, resolve_outputs, write_outputs
from undercroft.cli.options.values import parse_settings, parse_size
from undercroft.cli.output.progress import ProgressBar
from undercroft.core.dungeon import Dungeon, resolve_floor_id
from undercroft.core.frozen import thaw
from undercroft.core.level import Level
from undercroft.core.rng import seed_number
from undercroft.errors import BadInput, UndercroftError
from undercroft.formats.dungeons.files import (
    describe_dungeon,
    is_dungeon,
    read_dungeon_provenance,
)
from undercroft.inputs import files
from undercroft.recipe.catalogue import dungeon_names
from undercroft.recipe.dungeon.document import DungeonRecipe, is_dungeon_recipe
from undercroft.recipe.dungeon.make import DungeonMaker
from undercroft.recipe.dungeon.request import DUNGEON_TRIES, DungeonRequest
from undercroft.recipe.run import draw_seed

if TYPE_CHECKING:
    from collections.abc import Callable

ONE_LEVEL_OPTIONS = {
    "animate": "--animate",
    "frames": "--frames",
    "storyboard": "--storyboard",
    "watch": "--watch",
    "on": "--on",
    "start": "--start",
    "end": "--end",
    "reach": "--reach",
    "then": "--then",
    "link": "--link",
}
"""Options that are about a single level that is made by itself."""


class DungeonOrigin(NamedTuple):
    """A dungeon recipe, and the rest of a request, as far as a file tells it."""

    recipe: DungeonRecipe
    seed: str | None
    size: tuple[int, int] | None
    params: Mapping[str, Any]
    attempt: int | None
    floor: str | None


def find_dungeon_origin(recipe: str | None, origin: str | None, seed: str | None) -> DungeonOrigin | None:
    """The dungeon recipe that a command line names, by itself or by a file; None if it names a recipe for levels."""
    if origin is None:
        if recipe is None or not is_dungeon_recipe(recipe):
            return None
        return DungeonOrigin(DungeonRecipe.load(recipe), seed, None, {}, None, None)
    told: Any = None
    if is_dungeon(origin):
        told = read_dungeon_provenance(origin)
    elif files.is_file(Path(origin)):
        try:
            told = formats.read_origin(origin).get("dungeon")
        except UndercroftError:  # a file of another kind: whoever reads it as a level says what is wrong
            return None
    if not isinstance(told, Mapping):
        return None
    return _read_origin(origin, told, recipe, seed)


def _read_origin(file: str, told: Mapping[str, Any], recipe: str | None, seed: str | None) -> DungeonOrigin:
    """What a file records about its dungeon. Anybody may have written it, so it is checked."""
    fix = "name a file that 'undercroft generate' wrote"
    name, number, attempt = (told.get(key) for key in ("recipe", "seed", "attempt"))
    params, size, floor = told.get("params", {}), told.get("size"), told.get("floor")
    if not (
        isinstance(name, str)
        and isinstance(number, str)
        and type(attempt) is int
        and isinstance(params, Mapping)
        and (size is None or (isinstance(size, tuple) and len(size) == 2 and all(type(side) is int for side in size)))
        and (floor is None or isinstance(floor, str))
    ):
        raise BadInput(f"{file} does not record how its dungeon was made", fix=fix)
    if recipe is None and name not in dungeon_names():
        raise BadInput(
            f"{file} was made by {name!r}, which is none of our recipes",
            fix="name the recipe's file: undercroft generate RECIPE --from FILE",
        )
    loaded = DungeonRecipe.load(recipe or name)
    if loaded.name != name:
        print_message(f"note: {file} was made by {name!r}, and this is {loaded.name}")
    text = told.get("seed_text", number)
    kept = {key: thaw(value) for key, value in params.items() if key in loaded.params}
    return DungeonOrigin(
        loaded,
        seed if seed is not None else text if isinstance(text, str) else number,
        None if size is None else (size[0], size[1]),
        kept,
        None if seed is not None else attempt,
        floor,
    )


def run_generate_dungeon(
    origin: DungeonOrigin,
    *,
    size: str | None,
    settings: Sequence[str],
    tries: int | None,
    attempt: int | None,
    until: Sequence[str],
    floor: str | None,
    floors: str | None,
    workers: int,
    outputs: tuple[str, ...],
    format_name: str | None,
    print_level: Callable[[Level], None],
    max_cells: int | None,
    max_steps: int | None,
    quiet: bool,
    picture: Mapping[str, Any],
    others: Mapping[str, Any],
) -> None:
    """Make the dungeon, or the floors that are named, and write or print them."""
    for name, word in ONE_LEVEL_OPTIONS.items():
        if others.get(name):
            raise BadInput(
                f"{word} is about one level, and {origin.recipe.name} makes a dungeon",
                fix="name the recipe as the finish of a [[floor]]"
                if name == "then"
                else f"leave {word} out, or write a recipe for one level",
            )
    if floor is not None and floors is not None:
        raise BadInput("--floor and --floors name floors twice", fix="give one of them")
    if until and (floor is not None or floors is not None):
        raise BadInput(
            "--until is asked of the whole dungeon, and some floors alone are no whole",
            fix="make the whole, and name the attempt that it took: --floor 3 --attempt N",
        )
    request = DungeonRequest(
        origin.recipe,
        seed=draw_seed() if origin.seed is None else origin.seed,
        size=parse_size(size) if size else origin.size,
        params={**origin.params, **parse_settings(settings)},
        tries=DUNGEON_TRIES if tries is None else tries,
        until=until,
        attempt=origin.attempt if attempt is None else attempt,
        max_cells=max_cells,
        max_steps=max_steps,
    )
    plan = origin.recipe.plan(request.params, DungeonMaker(request, request.attempt or 0).rng)
    one = floor if floor is not None else (origin.floor if floors is None else None)
    ids = [resolve_floor_id(one, plan.floors)] if one is not None else _parse_floors(floors, [*plan.floors])
    targets: Sequence[Any] = (
        resolve_dungeon_targets(outputs, format_name, picture, count=len(ids))
        if one is None
        else resolve_outputs(outputs, format_name, **picture)
    )
    with ProgressBar(not quiet) as bar:
        made: list[str] = []

        def progress(id_: str) -> None:
            made.append(id_)
            bar.show(len(made), len(plan.floors), f"floor {id_}")

        if one is not None or len(ids) < len(plan.floors):
            maker = DungeonMaker(request, request.attempt or 0, progress=progress)
            results = [maker.make_floor(id_) for id_ in ids]
            notes = tuple(f"floor {result.floor.id}: {note}" for result in results for note in result.notes)
            if one is not None:
                level = results[0].floor.level
                _write_level(level, targets, print_level)
                _tell(quiet, notes, f"{origin.recipe.name}, floor {one}, {describe_level(level)}", request, targets)
                return
            dungeon = Dungeon([result.floor for result in results], provenance=maker.describe())
        else:
            dungeon, notes = make_dungeon(request, workers, progress=progress)
    write_dungeon(dungeon, targets)
    for each in dungeon if not targets else ():
        print_output(f"\n{describe_floor(each.id, each.level)}\n")
        print_level(each.level)
    _tell(quiet, notes, f"{origin.recipe.name}, {describe_dungeon(dungeon)}", request, targets, dungeon)


def _parse_floors(text: str | None, ids: list[str]) -> list[str]:
    """The floors that `--floors` names: `1..3`, or ids with commas between them."""
    if text is None:
        return ids
    found: list[str] = []
    for part in text.split(","):
        first, dots, last = (word.strip() for word in part.partition(".."))
        one = resolve_floor_id(first, ids)
        other = resolve_floor_id(last, ids) if dots else one
        if one.rpartition("-")[0] != other.rpartition("-")[0] or ids.index(one) > ids.index(other):
            raise BadInput(f"there are no floors from {one} to {other}", fix="for example --floors 1..3 or 2,crypt-1")
        found += ids[ids.index(one) : ids.index(other) + 1]
    return list(dict.fromkeys(found))


def _write_level(level: Level, targets: Sequence[Any], print_level: Callable[[Level], None]) -> None:
    write_outputs(encode_outputs(level, targets))
    if not targets:
        print_level(level)


def _tell(
    quiet: bool,
    notes: Sequence[str],
    text: str,
    request: DungeonRequest,
    targets: Sequence[Any],
    dungeon: Dungeon | None = None,
) -> None:
    """Tell on standard error what was made."""
    if quiet:
        return
    for note in notes:
        print_message(f"note: {note}")
    seed = str(seed_number(request.seed)) + (
        f" ({request.seed!r})" if str(request.seed) != str(request.seed_number) else ""
    )
    attempt = dungeon.provenance.get("attempt") if dungeon is not None else request.attempt
    paths = [target.path for target in targets if target.path != "-"]
    parts = [text, f"seed {seed}"]
    if attempt:
        parts.append(f"attempt {attempt}")
    if paths:
        parts.append(f"written to {', '.join(paths)}")
    print_message(", ".join(parts))
