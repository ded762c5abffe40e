"""What `undercroft lint` says of layouts."""

from __future__ import annotations

from pathlib import Path

from undercroft.cli.commands.lint import Looked


def takes(what: str) -> bool:
    """Whether this is a layout: a .layout file, a JSON file with partitions, or the name of one of ours."""
    from undercroft.recipe.document import names as recipes
    from undercroft.templates.layouts import layout_files, pool_files

    suffix = Path(what).suffix.casefold()
    if suffix == ".json":
        return pool_files.is_layout(what)
    return suffix == ".layout" or (what in layout_files.names() and what not in recipes() and not Path(what).is_dir())


def looked(what: str) -> Looked:
    """The remarks about a layout, each with its place."""
    from undercroft.rewrite.lint.finding import Finding, counted
    from undercroft.templates.layouts import layout_files
    from undercroft.templates.layouts.lint_layout import CHECKS, look
    from undercroft.templates.layouts.lint_subject import MORE, Remark, Subject
    from undercroft.templates.layouts.places import places
    from undercroft.templates.layouts.room_faults import FAULTS
    from undercroft.templates.layouts.sizes import written

    text, file = layout_files.text_of(what)
    layout = layout_files.parse(text, file)
    where = places(text, file)
    subject = Subject(layout)

    def finding(remark: Remark) -> Finding:
        place = where.whole if remark.part is None else where.partitions[remark.part]
        return Finding(remark.kind, remark.severity, place, remark.problem, remark.fix, remark.picture)

    wide, high = layout.smallest
    sizes = (
        f"{counted(len(subject.there), 'size')} from {written((wide, high))} to {written((wide + MORE, high + MORE))}"
    )
    summary = f"{sizes}, {len(CHECKS) - 1 + len(FAULTS)} checks"
    return Looked(
        file,
        0,
        tuple(map(finding, look(subject))),
        True,
        summary,
        {"layout": layout.name, "sizes": list(map(written, subject.there))},
    )
