"""Levels as files: the same bytes that `undercroft generate ... -o` writes."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

from undercroft import formats
from undercroft.core.level import Level
from undercroft.errors import BadInput, UndercroftError
from undercroft.studio.jobs.catalogue import suffixes_of
from undercroft.studio.jobs.levels import Sources
from undercroft.studio.jobs.work import Answer, Teller
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.requests import Export, Output, Source

SPOKEN = {"origin": "how it was made", "layers": "further layers", "ends": "start and end", "palette": "the palette"}
ROOM_GRIDS = ("json:rooms", "godot:rooms")
"""Formats that hold nothing but room grids: whether a level is one is found out by trying, since that is quick."""
MOST = 64
"""Files that are asked for at a time."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of files in an archive: the same level is the same archive."""


def do_export(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """All files of a level, made before any is written. Those that belong beside a file come with it."""
    asked = requests.read(ask, Export)
    if not 0 < len(asked.outputs) <= MOST:
        raise BadInput(f"{len(asked.outputs)} files are asked for; one to {MOST} can be", fix="choose some")
    for output in asked.outputs:
        _check(sources, output)
    plain = requests.read(ask, Source)
    level = sources.made(plain, teller.cancelled, **teller.hooks(sources.steps(plain))).level
    found: dict[str, bytes] = {}
    rows = []
    for index, output in enumerate(asked.outputs):
        teller.cancelled()
        teller.now_and_then(output.path, index, len(asked.outputs))
        made = _animated(sources, plain, output, teller) if output.animation else _made(level, output)
        for name, data in made.items():
            if found.get(name, data) != data:
                raise BadInput(
                    f"{name} would be written twice, with different contents", fix="give one of the files another name"
                )
            found[name] = data
        lost = [] if output.animation else dropped(level, output.format)
        rows.append({"path": output.path, "bytes": len(made[output.path]), "dropped": lost})
    if ask.get("into") == "download":
        return Answer(data=_download(found, asked.outputs))
    return Answer(data={"files": found, "exported": rows})


def do_save(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """The level with all there is to it, as our own JSON."""
    output = {"format": "json", "path": ask.get("path")}
    return do_export(sources, {**ask, "outputs": [output], "into": "project"}, teller)


def do_losses(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """What each format would leave out of a level, and which cannot hold it at all: told before anybody saves."""
    source = requests.read(ask, Source)
    level = sources.made(source, teller.cancelled, **teller.hooks(sources.steps(source))).level
    refused = {}
    for name in ROOM_GRIDS:
        try:
            formats.dump(level, name)
        except UndercroftError as error:
            refused[name] = error.problem
    lost = {row.name: dropped(level, row.name) for row in formats.FORMATS.values() if row.dump is not None}
    return Answer({"losses": lost, "refused": refused})


def dropped(level: Level, name: str) -> list[str]:
    """What a file of a format does not hold of a level, in words; pictures hold nothing of it but where it came from,
    and say nothing.
    """
    row = formats.named(name)
    return [SPOKEN.get(part, part) for part in formats.dropped(level, row)] if {*row.keeps} - {"origin"} else []


def _check(sources: Sources, output: Output) -> None:
    """Refuse a file that cannot be, before any work is done: a name that leads elsewhere, or one that belongs to
    another kind of file.
    """
    sources.project.path(output.path)
    suffixes = (".gif", ".webp", ".png", ".apng") if output.animation else suffixes_of(formats.named(output.format))
    if not output.path.casefold().endswith(tuple(suffixes)):
        raise BadInput(
            f"{output.path[:60]!r} is no name for this kind of file", fix=f"end it in {' or '.join(suffixes)}"
        )
    if not output.animation:
        formats.check_written(formats.named(output.format))


def _made(level: Level, output: Output) -> dict[str, bytes]:
    made = formats.made(level, output.path, formats.named(output.format), **output.options)
    return {path.as_posix(): data for path, data in made.items()}


def _animated(sources: Sources, source: Source, output: Output, teller: Teller) -> dict[str, bytes]:
    """How the level came to be, as a moving picture."""
    from undercroft.draw.film.animation import animation, kind_of

    frames = output.options.get("frames")
    if frames is not None and type(frames) is not int:
        raise BadInput(f"frames is a whole number, not {str(frames)[:40]!r}", fix="leave it out for 240")
    made, timeline = sources.watched(source, teller.cancelled)

    def move(done: int, total: int) -> None:
        teller.cancelled()
        teller.now_and_then("drawing", done, total)

    return {output.path: animation(timeline, made.level, kind_of(output.path), frames=frames, progress=move).data}


def _download(found: dict[str, bytes], outputs: list[Output]) -> dict[str, Any]:
    """One file as it is, several as an archive."""
    if len(found) == 1:
        name, data = next(iter(found.items()))
        return {"name": Path(name).name, "data": data}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in found.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED)
    return {"name": f"{Path(outputs[0].path).stem}.zip", "data": file.getvalue()}
