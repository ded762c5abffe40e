"""Resolve what levels come from: recipes, rules and level files, as the page names them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from undercroft import formats, limits
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.errors import BadInput, unknown_name_error
from undercroft.formats.native.read_level import read_level_value
from undercroft.formats.shared.siblings import SiblingFiles
from undercroft.inputs import files
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.inputs.values import in_file
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.rewrite.rules import Rules
from undercroft.rewrite.text import header, parse
from undercroft.steps import STEPS
from undercroft.steps.step import describe_step
from undercroft.studio.protocol.project import Project, digest_content
from undercroft.studio.protocol.requests import RecipeRef

MAX_CACHED_RECIPES = 32
Origin = Recipe | Rules | Level


class CachedLevel(NamedTuple):
    """A level from a file, and the files that were opened with it."""

    level: Level
    beside: SiblingFiles | None

    def is_current(self) -> bool:
        """Whether those files are unchanged."""
        return self.beside is None or self.beside.is_unchanged()


class OriginResolver:
    """The recipes, rules and levels of one project. What cannot have changed is cached."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.imports: Mapping[str, Mapping[str, Any]] = {}
        """The imported files that the current request names, by their ids: the server sends them along."""
        self._shipped: dict[str, Recipe] = {}
        self._recipes: OrderedDict[tuple[str, str], Recipe] = OrderedDict()
        self._levels: OrderedDict[str, CachedLevel] = OrderedDict()

    def resolve(self, ref: RecipeRef) -> tuple[Origin, str]:
        """The recipe, rules or level that a reference means, and its name."""
        given = [one for one in (ref.name, ref.path, ref.text, ref.imported, ref.map) if one is not None]
        if len(given) != 1:
            raise BadInput(
                "a level comes from a recipe by its name, a file, a text or an import: one of these",
                fix="reload the page",
            )
        if ref.imported is not None:
            return self._load_import(ref), Path(self.imports[ref.imported]["file"]).stem
        if ref.map is not None:
            return read_map(ref.map), Path(ref.file).stem
        if ref.name is not None:
            if ref.name not in names():  # Recipe.load would read it as a path, anywhere on the machine
                raise unknown_name_error("recipe", ref.name[:60], names())
            return self._load_shipped(ref.name), ref.name
        file = ref.path if ref.path is not None else ref.file
        suffix = Path(file).suffix.casefold()
        if suffix == ".rules":
            return self._parse_rules(self._read_text(ref, limits.RULES_BYTES), file), Path(file).stem
        if self._is_level(ref):
            return self._load_level(file)[1].level, Path(file).stem
        found = self._parse_recipe(self._read_text(ref, limits.TOML_BYTES), file)
        return found, found.name

    def digest(self, ref: RecipeRef, params: Mapping[str, Any]) -> list[Any]:
        """The content of all files that determine the level: if it changes, the level changes."""
        if ref.imported is not None:
            return [ref.imported]
        if ref.map is not None:
            return [ref.map]
        if self._is_level(ref):
            key, kept = self._load_level(str(ref.path))
            return [key, kept.beside.marks if kept.beside else {}]
        found, _ = self.resolve(ref)
        assert not isinstance(found, Level)
        if isinstance(found, Rules):
            # the repr of a palette does not show its tiles
            return [repr(found.program), found.program.palette.tiles]
        return [found.source[0], found.source[1], found.reads(params)]

    def folder(self, file: str) -> Path:
        """The folder of the files that a text names. The edited, unsaved text of a shipped recipe still reads the
        shipped files.
        """
        path = self.project.resolve_path(file)
        is_ours = file.removesuffix(".toml") in names() and not path.exists()
        return SHIPPED_FOLDER if is_ours else path.parent

    def include_loader(self, file: str) -> header.Load:
        """The loader of the files that a rule file includes: they lie in its folder or below it."""
        above = PurePosixPath(file).parent

        def load(name: str, inside: str) -> tuple[str, str]:
            path = files.safe_join(
                self.project.folder / above, str(PurePosixPath(inside).parent.relative_to(above) / name)
            )
            found = path.relative_to(self.project.folder).as_posix()
            return found, self.project.read_text(found, limits.RULES_BYTES)

        return load

    def _read_text(self, ref: RecipeRef, limit: limits.Limit) -> str:
        return ref.text if ref.text is not None else self.project.read_text(str(ref.path), limit)

    def _load_shipped(self, name: str) -> Recipe:
        if name in self._shipped:
            return self._shipped[name]
        recipe = Recipe.load(name).confine_params(self.project.folder)
        if not _can_read_files(recipe):
            self._shipped[name] = recipe
        return recipe

    def _parse_recipe(self, text: str, file: str) -> Recipe:
        key = (text, file)
        if key in self._recipes:
            return self._recipes[key]
        recipe = Recipe.parse(text, file, self.folder(file)).confine_params(self.project.folder)
        if not _can_read_files(recipe):
            self._recipes[key] = recipe
            if len(self._recipes) > MAX_CACHED_RECIPES:
                self._recipes.popitem(last=False)
        return recipe

    def _parse_rules(self, text: str, file: str) -> Rules:
        read = parse.parse(text, file, self.include_loader(file))
        return Rules(read.program, expects=read.expects)

    @staticmethod
    def _is_level(ref: RecipeRef) -> bool:
        return ref.path is not None and ref.text is None and Path(ref.path).suffix.casefold() not in (".toml", ".rules")

    def _load_level(self, path: str) -> tuple[str, CachedLevel]:
        """A level of the project, and its cache key. It is the level that the library loads from there, with all files
        that it names.
        """
        formats.resolve_suffix(path)
        data = self.project.read_bytes(path, limits.STUDIO_UPLOAD_BYTES)
        key = f"{path} {digest_content(data)}"
        return key, self._load_cached(key, data, path, None, SiblingFiles(path, self.project.resolve_path(path).parent))

    def _load_import(self, ref: RecipeRef) -> Level:
        found = self.imports.get(str(ref.imported))
        if found is None:
            raise BadInput("that import is not there any more", fix="import the file again")
        return self._load_cached(f"{ref.imported}", found["data"], found["file"], found["read_as"]).level

    def _load_cached(
        self, key: str, data: bytes, file: str, read_as: str | None, beside: SiblingFiles | None = None
    ) -> CachedLevel:
        if key not in self._levels or not self._levels[key].is_current():
            self._levels[key] = CachedLevel(read_level(data, file, read_as, beside), beside)
            if len(self._levels) > MAX_CACHED_RECIPES // 4:
                self._levels.popitem(last=False)
        return self._levels[key]


def _can_read_files(recipe: Recipe) -> bool:
    """Whether a step of the recipe can read files. They may change at any time, and a recipe keeps what it has read."""
    return recipe.base is not None or any(describe_step(STEPS[plan.use]).reads for plan in recipe.plans)


def _find_readable_format(file: str) -> formats.Format:
    """The format of a file by its suffix. If that format is only written, a variant of it that can be read: a PNG is
    read with one pixel for each cell.
    """
    row = formats.resolve_suffix(file)
    kinds = (kind for name, kind in formats.FORMATS.items() if kind.load and name.startswith(f"{row.name}:"))
    return row if row.load else next(kinds, row)


def read_map(data: Mapping[str, Any] | None) -> Level:
    """A map that stands in a request itself, as `undercroft-level`."""
    level = read_level_value(in_file(data, "map", "the request"))
    limits.STUDIO_CELLS.check(level.tiles.size, "the number of cells of a map")
    return level


def read_level(data: bytes, file: str, read_as: str | None, beside: SiblingFiles | None = None) -> Level:
    """The level in some bytes, and in the files that they name if they lie in a folder. If a file has no rooms, they
    are inferred.
    """
    row = formats.resolve_format(read_as) if read_as else _find_readable_format(file)
    if read_as is None and row.name == "json":
        from undercroft.formats.detect import detect_format

        row = detect_format(data, file)
    level = formats.loads(data, row.name, file, beside)
    limits.STUDIO_CELLS.check(level.tiles.size, f"{file}: its number of cells")
    return level if len(level.regions) else surveyed(level)
