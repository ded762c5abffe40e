"""Export levels as files: the same bytes that `undercroft generate ... -o` writes."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

from undercroft import formats, limits
from undercroft.core.level import Level
from undercroft.errors import BadInput, UndercroftError
from undercroft.formats.table import FILE_OPTIONS
from undercroft.studio.jobs.catalogue import list_suffixes
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.project import Project
from undercroft.studio.protocol.requests import ExportRequest, LevelSource, OutputFile

PART_LABELS = {
    "origin": "how it was made",
    "layers": "further layers",
    "ends": "start and end",
    "palette": "the palette",
}
ROOM_GRID_FORMATS = ("json:rooms", "godot:rooms")
"""Formats for room grids only. Whether a level is one is found by trying, since that is quick."""
ARCHIVE_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time stamp of files in an archive: the same level gives the same archive."""


def do_export(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """All files of a level, encoded before any is written, with the files that belong beside them."""
    request = requests.read_request(ask, ExportRequest)
    if not 0 < len(request.outputs) <= limits.STUDIO_EXPORT_FILES.value:
        raise BadInput(
            f"{len(request.outputs)} files are asked for; one to {limits.STUDIO_EXPORT_FILES.value} can be",
            fix=limits.STUDIO_EXPORT_FILES.raise_by,
        )
    for output in request.outputs:
        _check_output(sources, output)
    plain = requests.read_request(ask, LevelSource)
    level = sources.make_cached(plain, job.is_cancelled, **job.progress_hooks(sources.list_step_ids(plain))).level
    found: dict[str, bytes] = {}
    rows = []
    for index, output in enumerate(request.outputs):
        job.is_cancelled()
        job.report_progress(output.path, index, len(request.outputs))
        contents = (
            _render_animation(sources, plain, output, job)
            if output.animation
            else _dump_files(level, output, sources.project)
        )
        for name, data in contents.items():
            if found.get(name, data) != data:
                raise BadInput(
                    f"{name} would be written twice, with different contents", fix="give one of the files another name"
                )
            found[name] = data
        losses = [] if output.animation else list_losses(level, output.format)
        rows.append({"path": output.path, "bytes": len(contents[output.path]), "dropped": losses})
    if ask.get("into") == "download":
        return Answer(data=_build_download(found, request.outputs))
    return Answer(data={"files": found, "exported": rows})


def do_save(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """Save the complete level as Undercroft JSON."""
    output = {"format": "json", "path": ask.get("path")}
    return do_export(sources, {**ask, "outputs": [output], "into": "project"}, job)


def do_losses(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """What each format would lose of a level, and which formats cannot hold it at all. The page shows it before
    saving.
    """
    source = requests.read_request(ask, LevelSource)
    level = sources.make_cached(source, job.is_cancelled, **job.progress_hooks(sources.list_step_ids(source))).level
    problems = {}
    for name in ROOM_GRID_FORMATS:
        try:
            formats.dump(level, name)
        except UndercroftError as error:
            problems[name] = error.problem
    losses = {row.name: list_losses(level, row.name) for row in formats.FORMATS.values() if row.dump is not None}
    return Answer({"losses": losses, "refused": problems})


def list_losses(level: Level, name: str) -> list[str]:
    """The parts of a level that a file of a format does not hold, in words. Pictures hold nothing but the origin, and
    list nothing.
    """
    row = formats.resolve_format(name)
    return (
        [PART_LABELS.get(part, part) for part in formats.list_lost_parts(level, row)]
        if {*row.keeps} - {"origin"}
        else []
    )


def _check_output(sources: LevelSources, output: OutputFile) -> None:
    """Raise for an invalid output before any work is done: a path outside the project, or a suffix of another
    format.
    """
    sources.project.resolve_path(output.path)
    suffixes = (
        (".gif", ".webp", ".png", ".apng") if output.animation else list_suffixes(formats.resolve_format(output.format))
    )
    if not output.path.casefold().endswith(tuple(suffixes)):
        raise BadInput(
            f"{output.path[:60]!r} is no name for this kind of file", fix=f"end it in {' or '.join(suffixes)}"
        )
    if not output.animation:
        formats.resolve_writer(formats.resolve_format(output.format))


def _dump_files(level: Level, output: OutputFile, project: Project) -> dict[str, bytes]:
    options = {
        name: str(project.resolve_path(str(value))) if name in FILE_OPTIONS else value
        for name, value in output.options.items()
    }
    contents = formats.dump_files(level, output.path, formats.resolve_format(output.format), **options)
    return {path.as_posix(): data for path, data in contents.items()}


def _render_animation(
    sources: LevelSources, source: LevelSource, output: OutputFile, job: JobContext
) -> dict[str, bytes]:
    """An animation of how the level was made."""
    from undercroft.draw.film.animation import animation, detect_animation_kind

    frames = output.options.get("frames")
    if frames is not None and type(frames) is not int:
        raise BadInput(f"frames is a whole number, not {str(frames)[:40]!r}", fix="leave it out for 240")
    record, timeline = sources.make_watched(source, job.is_cancelled)

    def report_frame(done: int, total: int) -> None:
        job.is_cancelled()
        job.report_progress("drawing", done, total)

    return {
        output.path: animation(
            timeline, record.level, detect_animation_kind(output.path), frames=frames, progress=report_frame
        ).data
    }


def _build_download(found: dict[str, bytes], outputs: list[OutputFile]) -> dict[str, Any]:
    """A single file as it is, or several as an archive."""
    if len(found) == 1:
        name, data = next(iter(found.items()))
        return {"name": Path(name).name, "data": data}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in found.items():
            archive.writestr(zipfile.ZipInfo(name, ARCHIVE_EPOCH), data, zipfile.ZIP_DEFLATED)
    return {"name": f"{Path(outputs[0].path).stem}.zip", "data": file.getvalue()}
