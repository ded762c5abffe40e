"""`undercroft lint`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from undercroft.cli.messages import clean_text, print_json, print_message, print_output
from undercroft.cli.options import values as words
from undercroft.cli.options.palettes import RULES_PALETTE_OPTION
from undercroft.inputs.files import is_folder

if TYPE_CHECKING:
    from undercroft.core.level import Level
    from undercroft.inputs.toml import TomlDocument
    from undercroft.rewrite.lint.finding import Finding, RulesSubject
    from undercroft.rewrite.rules import Rules

SEVERITY_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
MAP_CHECKS = ("reach", "size", "areas")
"""Checks that report nothing while the map is unknown."""
LINT_MODULES = (
    "undercroft.cli.commands.check_dungeons",
    "undercroft.cli.commands.check_sets",
    "undercroft.cli.commands.lint_layouts",
    "undercroft.cli.commands.flows",
    "undercroft.cli.commands.lint_room_types",
)
"""Modules that lint other files than rules and recipes: each has `can_lint(what)` and `lint_file(what)`."""


class LintReport(NamedTuple):
    """A file, and the findings in it."""

    file: str
    rules: int
    findings: tuple[Finding, ...]
    knows_map: bool
    summary: str = ""
    """What was linted, if the file holds no rules."""
    data: Mapping[str, Any] = {}
    """Further data for the JSON output."""

    def count(self, severity: str) -> int:
        """The number of findings of a severity."""
        return sum(finding.severity == severity for finding in self.findings)


@click.command("lint")
@click.argument("what", metavar="FILE...", nargs=-1, required=True)
@click.option("--on", metavar="MAP", help="The start map of rules; - is standard input.")
@click.option("--read-as", metavar="NAME", help="The format of MAP, if its suffix does not determine it.")
@RULES_PALETTE_OPTION
@click.option("--size", metavar="WxH", help="Use an empty map of this size; with a recipe, the size of the level.")
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings too.")
@click.option("--quiet", is_flag=True, help="Leave the notes out.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--lenient",
    is_flag=True,
    help="Read a grammar folder as the first program for such folders did, with notes instead of errors.",
)
def command(what: tuple[str, ...], strict: bool, quiet: bool, as_json: bool, **options: Any) -> int:
    """Find mistakes in FILEs before they run: .rules files, folders of grammar rules, recipes with the rules in
    them, dungeon recipes, layouts, room types, flows, sets of things and words for names.

    Prints errors (certainly wrong), warnings (probably wrong) and notes. Exits with 1 if there is an error, with 2 if
    a file cannot be read.
    """
    from undercroft.errors import UndercroftError

    done: list[LintReport | tuple[str, str]] = []
    for name in what:
        try:
            done.append(_lint_file(name, **options))
        except UndercroftError as error:  # the other files are linted anyway
            done.append((name, str(error)))
    good = [each for each in done if isinstance(each, LintReport)]
    if as_json:
        print_json({"files": [_build_data(each, quiet) for each in done]})
    else:
        for each in done:
            _print_report(each, quiet)
    if len(good) < len(done):
        return 2
    return int(any(each.count("error") or (strict and each.count("warning")) for each in good))


def _lint_file(
    what: str, on: str | None, read_as: str | None, palette: str | None, size: str | None, lenient: bool
) -> LintReport:
    from undercroft.cli.options.start_map import load_rules, resolve_start_map
    from undercroft.errors import BadInput, unknown_name_error
    from undercroft.recipe.catalogue import dungeon_names, finish_names, names
    from undercroft.rewrite.text.rule_files import check_is_rule_file

    recipes = (*names(), *finish_names())
    other = None if what in recipes else _find_lint_module(what)
    if other is None and (what in recipes or (what.endswith(".toml") and not is_folder(what))):
        if on or palette:
            raise BadInput(
                f"{what} is a recipe, and begins with a map of its own",
                fix="leave --on and --palette out, or name the rules",
            )
        return _lint_recipe(what, words.parse_size(size) if size else None)
    if other is not None:
        if on or size or lenient or palette:
            raise BadInput(
                f"{what} holds no rules, and --on, --palette, --size and --lenient are about these",
                fix="leave them out",
            )
        found: LintReport = other.lint_file(what)
        return found
    if not is_folder(what):
        check_is_rule_file(what)
    if not what.casefold().endswith(".rules") and not is_folder(what):
        raise unknown_name_error("rules or recipe", what, (*recipes, *dungeon_names()))
    rules = load_rules(what, lenient=lenient, palette=palette)
    begin = resolve_start_map(rules, on, read_as, size, palette=palette) if on or size else rules.level()
    return _lint_subjects(what, [_build_subject(rules, begin)], rules.notes)


def _find_lint_module(what: str) -> Any:
    """The module that lints this file; None if it holds rules, or is a recipe."""
    return next((module for module in map(import_module, LINT_MODULES) if module.can_lint(what)), None)


def _build_subject(rules: Rules, begin: Level | None) -> RulesSubject:
    from undercroft.rewrite.lint.finding import RulesSubject
    from undercroft.rewrite.model.things_as_tiles import place_thing_tiles

    if begin is None:
        return RulesSubject(rules.program, rules.expects)
    palette, table = rules.palette_with(begin.palette)
    tiles = table[begin.tiles]
    place_thing_tiles(tiles, begin.things, rules.program.things)
    return RulesSubject(
        rules.program_with(palette), rules.expects, tiles, begin.regions if len(begin.regions) else None
    )


def _lint_subjects(what: str, subjects: list[RulesSubject], notes: tuple[str, ...] = ()) -> LintReport:
    from undercroft.rewrite.lint.finding import Finding
    from undercroft.rewrite.lint.lint import lint_rules

    findings = [finding for subject in subjects for finding in lint_rules(subject)]
    findings += [Finding("reading", "note", None, note) for note in notes]
    return LintReport(
        what,
        sum(len(list(subject.program.rules())) for subject in subjects),
        tuple(findings),
        all(subject.size for subject in subjects),
    )


# --- recipes


def _lint_recipe(what: str, size: tuple[int, int] | None) -> LintReport:
    """Lint all rules of a recipe, each step on its own."""
    from undercroft import limits
    from undercroft.core.level import check_level_size
    from undercroft.core.palette import STANDARD
    from undercroft.inputs import files
    from undercroft.recipe.catalogue import recipe_folder, recipe_path
    from undercroft.recipe.document import Recipe

    shipped = recipe_path(what)
    path = shipped or Path(what)
    label = path.name if shipped else what
    text = files.read_text(path, limits.TOML_BYTES)
    folder = recipe_folder(path)
    recipe = Recipe.parse(text, label, folder)
    document = recipe.document
    findings: list[Finding] = []
    rules = 0
    known_tiles: set[str] | None = None if recipe.begins else {"wall"}
    for index, plan in enumerate(recipe.plans):
        values = {
            key: recipe.params[value[1:]].default if isinstance(value, str) and value.startswith("$") else value
            for key, value in plan.values.items()
        }
        if plan.use == "rewrite" and (values.get("rules") or values.get("file")):
            subject, notes = _build_step_subject(
                values,
                label,
                recipe.folder_of(index, "file") or folder,
                check_level_size(size or recipe.size),
                known_tiles,
            )
            report = _lint_subjects(what, [subject], notes)
            rules += report.rules
            known_tiles = _find_tiles_left(subject)
            name = plan.parameter("rules")
            where: tuple[str | int, ...] = ("step", index, "rules") if name is None else ("param", name, "default")
            findings += [
                _place_in_recipe(finding, document, values["rules"], where) if values.get("rules") else finding
                for finding in report.findings
                if finding.kind != "unread"
            ]
        elif plan.use == "fill":
            known_tiles = {STANDARD.tiles[STANDARD.role(values.get("role", "wall"))].name}
        elif plan.use != "rewrite":
            known_tiles = None
    return LintReport(what, rules, tuple(findings), True)


def _build_step_subject(
    values: dict[str, Any], label: str, folder: Path, size: tuple[int, int], known_tiles: set[str] | None
) -> tuple[RulesSubject, tuple[str, ...]]:
    """The rules of a step, on a map of which only the size is known, and perhaps which tiles it has; or on the map that
    the rules bring.
    """
    import numpy as np

    from undercroft.inputs import files
    from undercroft.rewrite.lint.finding import RulesSubject
    from undercroft.rewrite.model.program import ANY, tile_set
    from undercroft.rewrite.rules import Rules

    rules = (
        Rules.parse(values["rules"], label)
        if values.get("rules")
        else Rules.load(files.resolve_named(folder, values["file"]))
    )
    start = None
    if values.get("base") and rules.start is not None:
        start = np.zeros((size[1], size[0]), np.uint8)
        start[: rules.start.shape[0], : rules.start.shape[1]] = rules.start
    codes = {tile.name: code for code, tile in enumerate(rules.program.palette.tiles)}
    # 255: a tile that these rules do not have; sets by role may hold it
    is_open = known_tiles is None or (rules.has_role_sets and not known_tiles <= set(codes))
    tiles = ANY if known_tiles is None or is_open else tile_set(codes.get(name, 255) for name in known_tiles)
    return RulesSubject(
        rules.program, rules.expects, start, only_size=size, only_tiles=tiles, turns=values.get("turns", 0)
    ), rules.notes


def _find_tiles_left(subject: RulesSubject) -> set[str] | None:
    """The names of the tiles that the map can hold afterwards; None if there may be others."""
    from undercroft.rewrite.lint.reachable import find_reachable_tiles

    palette = subject.program.palette
    tiles = find_reachable_tiles(subject).tiles if subject.is_small else -1
    return (
        {tile.name for code, tile in enumerate(palette.tiles) if tiles >> code & 1}
        if tiles >= 0 and not tiles >> len(palette)
        else None
    )


def _place_in_recipe(finding: Finding, document: TomlDocument, rules: str, path: tuple[str | int, ...]) -> Finding:
    """A finding about rules inside a recipe, with its place in the recipe."""
    from undercroft.inputs.toml_strings import locate_in_string

    place = finding.place
    here = document.value_place(*path)
    if place is None:
        return finding._replace(place=here)
    found = locate_in_string(document, rules, place, *path)
    if found is not None:
        return finding._replace(place=found if place.text else found._replace(text=""))
    return finding._replace(
        place=here, problem=f"{finding.problem} (line {place.line} of the rules)" if place.text else finding.problem
    )


# --- output


def _print_report(each: LintReport | tuple[str, str], quiet: bool) -> None:
    from undercroft.cli.stdio import wants_colour
    from undercroft.rewrite.lint.finding import SEVERITIES
    from undercroft.rewrite.lint.lint import CHECKS
    from undercroft.wording import join_words, plural

    if not isinstance(each, LintReport):
        print_message(each[1])
        return
    for finding in _visible_findings(each, quiet):
        word = f"{finding.severity}:"
        text = clean_text(str(finding) if finding.place else f"{each.file}: {finding}")
        if wants_colour():
            text = text.replace(word, click.style(word, fg=SEVERITY_COLOURS[finding.severity], bold=True), 1)
        print_output(text, coloured=wants_colour())
    counts = [plural(each.count(severity), severity) for severity in SEVERITIES if each.count(severity)]
    verdict = (
        ", ".join(counts) if each.count("error") + each.count("warning") else ", ".join(["nothing to fix", *counts])
    )
    checks = (
        f"{len(CHECKS)} checks"
        if each.knows_map
        else f"{len(CHECKS) - len(MAP_CHECKS)} checks (--size or --on adds {join_words(list(MAP_CHECKS))})"
    )
    if each.summary:
        print_output(f"{each.file}: {each.summary}: {verdict}")
    else:
        print_output(
            f"{each.file}: {plural(each.rules, 'rule')}, {checks}: {verdict}"
            if each.rules
            else f"{each.file}: no rules in it, nothing to fix"
        )


def _visible_findings(each: LintReport, quiet: bool) -> Iterator[Finding]:
    return (finding for finding in each.findings if finding.severity != "note" or not quiet)


def _build_data(each: LintReport | tuple[str, str], quiet: bool) -> dict[str, Any]:
    if not isinstance(each, LintReport):
        return {"file": each[0], "error": each[1], "findings": []}
    found = []
    for finding in _visible_findings(each, quiet):
        row: dict[str, Any] = {"kind": finding.kind, "severity": finding.severity}
        if finding.place:
            row |= {"file": finding.place.file, "line": finding.place.line, "column": finding.place.column}
        row |= {"problem": finding.problem, "fix": finding.fix, "picture": finding.picture}
        found.append(row)
    return {"file": each.file, **(each.data or {"rules": each.rules}), "findings": found}
