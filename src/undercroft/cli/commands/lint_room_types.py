"""Lint room types, for `undercroft lint`."""

from __future__ import annotations

from pathlib import Path

from undercroft.cli.commands.lint import LintReport
from undercroft.inputs.files import is_folder


def can_lint(what: str) -> bool:
    """Whether this is a text of room types: a .txt file, or any file whose first line marks it as one."""
    from undercroft import limits
    from undercroft.errors import UndercroftError
    from undercroft.inputs import files
    from undercroft.templates.prefabs.prefab import begins_like_rooms

    suffix = Path(what).suffix.casefold()
    if suffix in (".rules", ".toml", ".json"):
        return False
    try:
        if is_folder(what):
            return False
        return suffix == ".txt" or begins_like_rooms(files.read_text(what, limits.PREFAB_BYTES))
    except (OSError, UndercroftError):  # a missing file is reported elsewhere
        return False


def lint_file(what: str) -> LintReport:
    """The findings about room types, each with its place."""
    from undercroft import limits
    from undercroft.inputs import files
    from undercroft.rewrite.lint.finding import Finding
    from undercroft.templates.prefabs.lint_prefabs import CHECKS, find_prefab_remarks
    from undercroft.templates.prefabs.prefab import parse
    from undercroft.wording import plural

    types = parse(files.read_text(what, limits.PREFAB_BYTES), what)
    names = [kind.template.name for kind in types.types]
    return LintReport(
        what,
        0,
        tuple(Finding(*remark) for remark in find_prefab_remarks(types)),
        True,
        f"{plural(len(names), 'room type')}, {len(CHECKS)} checks",
        {"room types": names},
    )
