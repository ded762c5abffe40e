"""The origin of a level: a named recipe, or with `--from FILE` the provenance stored in a file, a saved work, or the
request of a batch; with `--link LINK` the work that a link holds.

Anyone may have written the file, so its data is checked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from undercroft import formats
from undercroft.analysis.edits import HandEdits
from undercroft.cli.messages import print_message
from undercroft.cli.options.begin_map import check_recorded_map, parse_ends, read_begin_map, select_map_options
from undercroft.cli.options.reading import ReadOptions
from undercroft.cli.options.values import parse_settings, parse_size
from undercroft.core.frozen import thaw
from undercroft.errors import BadInput, FileTrouble, UndercroftError
from undercroft.inputs.files import is_file
from undercroft.recipe.catalogue import finish_names, names
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import DEFAULT_TRIES, Request
from undercroft.recipe.then import chain_recipes

if TYPE_CHECKING:
    from undercroft.cli.options.batch_rows import BatchWord
    from undercroft.works.level_work import LevelWork

ORIGIN_FIX = "name a file that 'undercroft generate' wrote"


class LevelOrigin(NamedTuple):
    """A recipe, and the rest of a request, as far as it is known."""

    recipe: Recipe
    seed: str | None
    size: tuple[int, int] | None = None
    params: Mapping[str, Any] = MappingProxyType({})
    attempt: int | None = None
    ends: Mapping[str, Any] = MappingProxyType({})
    begin: Any = None
    """What a file records about the map that its level began with."""
    digests: Mapping[str, Any] = MappingProxyType({})
    """What it records of the `files` that the recipe reads, and of those that it `extends`."""
    by_hand: HandEdits = HandEdits()


class ResolvedRequest(NamedTuple):
    """A request, and what is done by hand to its level."""

    request: Request
    by_hand: HandEdits


def resolve_request(
    recipe: str | None,
    seed: str | None,
    file: str | None,
    work: LevelWork | None = None,
    *,
    size: str | None = None,
    settings: Sequence[str] = (),
    until: Sequence[str] = (),
    attempt: int | None = None,
    tries: int = DEFAULT_TRIES,
    on: str | None = None,
    reading: ReadOptions = ReadOptions(),  # noqa: B008 - it cannot be changed
    reach: str | None = None,
    then: Sequence[str] = (),
    **others: Any,
) -> ResolvedRequest:
    """The request of a command line: the values of its options, and the rest from the work or the file. `on` names a
    map to begin with; --start, --end and `reach` are for the steps that place ends, if there are some. `others` are
    arguments of `Request`.
    """
    own_params = parse_settings(settings)
    if work is not None and then:
        raise BadInput("--then is for a recipe, and a work has its own", fix="leave it out")
    origin = (
        _resolve_origin(recipe, seed, file, own_params, then) if work is None else _resolve_work(work, recipe, seed)
    )
    if file is not None and on is None:
        check_recorded_map(file, origin.begin, None)
    begin = read_begin_map(origin.recipe, on, select_map_options(origin.recipe, on, reading, reach), size)
    if file is not None and begin is not None:
        check_recorded_map(file, origin.begin, begin)
    if attempt is None and not until:
        attempt = origin.attempt
    frozen = None
    if work is not None:
        until = (*work.until, *until)
        tries = work.tries if tries == DEFAULT_TRIES else tries
        if (start := work.build_start_map()) is not None:
            if size is not None or on is not None:
                raise BadInput(
                    f"{work.file} keeps cells of a map of {start[0].width}x{start[0].height}",
                    fix=f"leave {'--size' if size is not None else '--on'} out",
                )
            begin, frozen = start
    request = Request(
        origin.recipe,
        seed=origin.seed,
        size=None if begin is not None else parse_size(size) if size else origin.size,
        begin=begin,
        frozen=frozen,
        params={**origin.params, **own_params},
        until=until,
        attempt=attempt,
        tries=tries,
        ends={**origin.ends, **parse_ends(origin.recipe, on, reading, reach)},
        **others,
    )
    if file is not None and work is None and not own_params:
        _note_changed_files(file, origin, request)
    return ResolvedRequest(request, _select_edits(origin, anew=seed is not None or size is not None))


def _select_edits(origin: LevelOrigin, *, anew: bool) -> HandEdits:
    """What was done by hand, if the level is the one that it was done to."""
    if anew and any(origin.by_hand):
        print_message("note: what was painted and placed by hand is left out, since it belongs to another level")
        return HandEdits()
    return origin.by_hand


def _note_changed_files(file: str, origin: LevelOrigin, request: Request) -> None:
    """Tell if the recipe reads other files, or builds on other recipes, than it did."""
    from undercroft.recipe.extends import digest_bases
    from undercroft.recipe.run import read_files

    now = read_files(request.recipe.plans, request.steps) | digest_bases(request.recipe.base)
    for key, what in (("files", "a file that {} reads"), ("extends", "a recipe that {} builds on")):
        if thaw(origin.digests.get(key, {})) != now.get(key, {}):
            changed = what.format(request.recipe.name)
            print_message(f"note: {changed} has changed since {file} was made, so this may be another level")


def _resolve_origin(
    recipe: str | None, seed: str | None, file: str | None, own_params: Collection[str], then: Sequence[str] = ()
) -> LevelOrigin:
    """The origin that a command line names. The file's values for `own_params` are not needed."""
    if file is not None:
        return _read_origin(file, recipe, seed, own_params, then)
    if recipe is None:
        raise BadInput(
            "no recipe is named", fix="for example 'undercroft generate cave'; 'undercroft list recipes' shows them all"
        )
    return LevelOrigin(chain_recipes([load_recipe(name) for name in (recipe, *then)]), seed)


def _read_batch_origin(found: BatchWord, recipe: str | None, seed: str | None) -> LevelOrigin:
    """The origin of a level in a batch, or of the batch as a whole: then the seed is given, or drawn."""
    from undercroft.cli.options.batch_rows import open_batch_word, parse_row

    opened = open_batch_word(found, None if recipe is None else load_recipe(recipe))
    changed = [
        name
        for name, edition in opened.order.request.recipe.editions.items()
        if opened.data["editions"].get(name) != edition
    ]
    if changed:
        print_message(
            f"note: {found.folder} was made by another edition of {', '.join(changed)}, so this will be another level"
        )
    if found.row is None and opened.order.vary.names:
        raise BadInput(
            f"{', '.join(opened.order.vary.names)} varies in {found.folder}",
            fix=f"name a level of it, for example {found.folder}#{opened.order.name_row(opened.order.first)}",
        )
    request = opened.order.request if found.row is None else opened.request_of(*parse_row(found, opened))
    if found.row is None or seed is not None:
        return LevelOrigin(
            request.recipe, seed, request.size, request.values, ends=request.ends, digests=opened.data["recipe"]
        )
    return LevelOrigin(
        *(request.recipe, str(request.seed), request.size, request.values, request.attempt, request.ends),
        digests=opened.data["recipe"],
    )


def _read_origin(
    file: str, recipe: str | None, seed: str | None, own_params: Collection[str], then: Sequence[str] = ()
) -> LevelOrigin:
    from undercroft.cli.options.batch_rows import find_batch  # only needed for a file
    from undercroft.recipe.packages import require_packages

    if (found := find_batch(file)) is not None:
        return _read_batch_origin(found, recipe, seed)
    provenance = formats.read_origin(file)
    name, number, attempt, size = (
        _require_value(provenance, key, kind, file)
        for key, kind in (("recipe", str), ("seed", str), ("attempt", int), ("size", tuple))
    )
    params, editions, ends = (provenance.get(key, {}) for key in ("params", "editions", "ends"))
    if (
        len(size) != 2
        or not all(type(side) is int for side in size)
        or not all(isinstance(table, Mapping) for table in (params, editions, ends))
    ):
        raise BadInput(f"{file} records how it was made in a form that cannot be read", fix=ORIGIN_FIX)
    if recipe is None and name not in names():
        raise BadInput(
            f"{file} was made by {name!r}, which is none of our recipes",
            fix="name the recipe's file: undercroft generate RECIPE --from FILE",
        )
    for note in require_packages(provenance.get("packages"), file):
        print_message(f"note: {note}")
    loaded = chain_recipes([load_recipe(one) for one in (recipe or name, *(then or _read_then(file, provenance)))])
    if loaded.name != name:
        print_message(f"note: {file} was made by {name!r}, and this is {loaded.name}")
    if changed := [name for name, edition in loaded.editions.items() if editions.get(name, edition) != edition]:
        print_message(
            f"note: {file} was made by another edition of {', '.join(changed)}, so this will be another level"
        )
    if seed is not None:
        attempt = None
    text = provenance.get("seed_text", number)
    kept = {key: value for key, value in params.items() if key in loaded.params and key not in own_params}
    _check_named_files(loaded, kept, file)
    from undercroft.works.load_work import read_recorded_edits

    return LevelOrigin(
        loaded,
        seed if seed is not None else text if isinstance(text, str) else number,
        (size[0], size[1]),
        kept,
        attempt,
        ends,
        provenance.get("begin"),
        provenance,
        read_recorded_edits(provenance, file),
    )


def _resolve_work(work: LevelWork, recipe: str | None, seed: str | None) -> LevelOrigin:
    """The origin that a work describes."""
    if recipe is not None:
        raise BadInput(f"{work.file} is a work, which has a recipe of its own", fix="leave RECIPE out")
    from undercroft.works.load_work import load_work_recipe

    loaded = load_work_recipe(work, Path())
    if changed := [name for name, edition in loaded.editions.items() if work.editions.get(name, edition) != edition]:
        print_message(
            f"note: {work.file} was made by another edition of {', '.join(changed)}, so this will be another level"
        )
    return LevelOrigin(
        loaded,
        work.seed if seed is None else seed,
        work.size,
        work.params,
        work.attempt if seed is None else None,
        by_hand=work.by_hand,
    )


def _read_then(file: str, provenance: Mapping[str, Any]) -> tuple[str, ...]:
    """The recipes that followed, as a file records them: names of ours."""
    found = provenance.get("then", ())
    if not isinstance(found, tuple) or not all(isinstance(name, str) for name in found):
        raise BadInput(f"{file} records how it was made in a form that cannot be read", fix=ORIGIN_FIX)
    for name in found:
        if name not in (*names(), *finish_names()):
            raise BadInput(
                f"{file} was made with {name!r}, which is none of our recipes",
                fix="name the recipe's file: --then FILE",
            )
    return found


def _check_named_files(recipe: Recipe, params: Mapping[str, Any], file: str) -> None:
    """Refuse parameters that name files outside of the current folder: anybody may have written the level."""
    try:
        recipe.confine_params(Path()).reads(params)
    except FileTrouble as error:
        raise FileTrouble(
            f"a parameter in {file} names a file: {error.problem}",
            fix="if that file is meant, name it yourself with --set, as in --set 'layouts=[\"FILE\"]'",
        ) from error


def load_recipe(recipe: str) -> Recipe:
    """A recipe by its name, or from a file. Raises a helpful error if the name is that of a level."""
    try:
        return Recipe.load(recipe)
    except UndercroftError as error:
        if recipe not in names() and is_file(Path(recipe)) and (fix := _suggest_for_level(recipe)):
            raise BadInput(f"{recipe} is a level, and levels are made from recipes", fix=fix) from error
        raise


def _suggest_for_level(file: str) -> str:
    """Suggestions for a file that holds a level; empty if it holds none."""
    from undercroft.cli.options.works import read_work_file

    try:
        if read_work_file(file) is not None:
            return f"make the level of this work with 'undercroft generate --from {file}'"
        readable = formats.resolve_suffix(file).load is not None
        provenance = formats.load(file).provenance if readable else formats.read_origin(file)
    except UndercroftError:
        return ""
    remake = f"make it again with 'undercroft generate --from {file}'" if "recipe" in provenance else ""
    other = f"write it in another format with 'undercroft convert {file} OUT'" if readable else ""
    return ", or ".join(filter(None, (other, remake)))


def _require_value(provenance: Mapping[str, Any], key: str, kind: type, file: str) -> Any:
    value = provenance.get(key)
    if type(value) is not kind:
        raise BadInput(f"{file} does not record its {key}", fix=ORIGIN_FIX)
    return value
