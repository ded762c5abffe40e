"""Lint layouts, for `undercroft lint`."""

from __future__ import annotations

from pathlib import Path

from undercroft.cli.commands.lint import LintReport
from undercroft.inputs.files import is_folder


def can_lint(what: str) -> bool:
    """Whether this is a layout: a .layout file, a JSON file with partitions, or the name of a shipped one."""
    from undercroft.recipe.catalogue import names as recipes
    from undercroft.templates.layouts import layout_files, pool_files

    suffix = Path(what).suffix.casefold()
    if suffix == ".json":
        return pool_files.is_layout(what)
    return suffix == ".layout" or (
        what in layout_files.list_layouts() and what not in recipes() and not is_folder(what)
    )


def lint_file(what: str) -> LintReport:
    """The remarks on a layout, each with its place."""
    from undercroft.rewrite.lint.finding import Finding
    from undercroft.templates.layouts import layout_files
    from undercroft.templates.layouts.lint_layout import CHECKS, find_layout_remarks
    from undercroft.templates.layouts.lint_subject import EXTRA_CELLS, LayoutRemark, LayoutSubject
    from undercroft.templates.layouts.places import find_places
    from undercroft.templates.layouts.room_faults import FAULTS
    from undercroft.templates.layouts.sizes import format_size
    from undercroft.wording import plural

    text, file = layout_files.load_layout_text(what)
    layout = layout_files.parse(text, file)
    where = find_places(text, file)
    subject = LayoutSubject(layout)

    def build_finding(remark: LayoutRemark) -> Finding:
        place = where.whole if remark.part is None else where.partitions[remark.part]
        return Finding(remark.kind, remark.severity, place, remark.problem, remark.fix, remark.picture)

    wide, high = layout.smallest
    largest = wide + EXTRA_CELLS, high + EXTRA_CELLS
    number = plural(len(subject.existing_sizes), "size")
    sizes = f"{number} from {format_size((wide, high))} to {format_size(largest)}"
    summary = f"{sizes}, {len(CHECKS) - 1 + len(FAULTS)} checks"
    return LintReport(
        file,
        0,
        tuple(map(build_finding, find_layout_remarks(subject))),
        True,
        summary,
        {"layout": layout.name, "sizes": list(map(format_size, subject.existing_sizes))},
    )
