"""Scenes as SVG: short paths of whole numbers, nothing that a viewer must fetch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.scene import Points, Scene, Shape

UNITS = 100
"""Parts of a cell that coordinates are counted in: at 24 pixels a cell, a quarter of a pixel."""
FLAT = 0.45
"""Units by which a line may miss a point that is left out."""


def svg(scene: Scene, cell: float, *, items: Sequence[Shape] | None = None, ground: bool = True, units: int = UNITS) -> bytes:
    """The scene as a file, `cell` pixels a cell; or some shapes of it, without the ground, to be laid over a picture.

    >>> from undercroft.draw.scene import square
    >>> scene = Scene(2, 1, "#ffffff")
    >>> scene.area([square(0, 0, 1, 1)], "#000000")
    >>> print(svg(scene, 10).decode(), end="")
    <svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 200 100">
    <rect width="100%" height="100%" fill="#ffffff"/>
    <path fill="#000000" fill-rule="evenodd" d="M0 0l100 0 0 100-100 0z"/>
    </svg>
    """
    shapes = [item for item in scene.items if isinstance(item, Shape)] if items is None else items
    size = f'width="{_number(scene.width * cell)}" height="{_number(scene.height * cell)}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {_number(scene.width * units)} {_number(scene.height * units)}">']
    if ground:
        if "title" in scene.notes:
            parts.append(f"<title>{escape(scene.notes['title'])}</title>")
        if "undercroft" in scene.notes:
            parts.append(f"<metadata>{escape(scene.notes['undercroft'])}</metadata>")
        parts.append(f'<rect width="100%" height="100%" fill="{scene.ground}"/>')
    used = dict.fromkeys(shape.clip for shape in shapes if shape.clip)
    if used:
        parts.append("<defs>")
        parts += [f'<clipPath id="{name}"><path clip-rule="evenodd" d="{path(scene.clips[name], units, scene, closed=True)}"/></clipPath>' for name in used]
        parts.append("</defs>")
    for clip, run in groupby(shapes, key=lambda shape: shape.clip):  # whoever draws it lays a mask over each group: few are quick
        drawn = [_shape(shape, scene, units) for shape in run]
        parts += [f'<g clip-path="url(#{clip})">', *drawn, "</g>"] if clip else drawn
    return ("\n".join(parts) + "\n</svg>\n").encode()


def _shape(shape: Shape, scene: Scene, units: int) -> str:
    words = [f'fill="{shape.fill or "none"}"']
    if shape.fill:
        words.append('fill-rule="evenodd"')
    if shape.stroke:
        words.append(f'stroke="{shape.stroke}" stroke-width="{_number(shape.width * units)}" stroke-linejoin="round"')
        if shape.cap == "round":
            words.append('stroke-linecap="round"')
        if shape.dash:
            words.append(f'stroke-dasharray="{" ".join(_number(length * units) for length in shape.dash)}"')
    if shape.opacity < 1:  # of a fill or a stroke alone, since that needs no layer of its own
        kind = "" if shape.fill and shape.stroke else "fill-" if shape.fill else "stroke-"
        words.append(f'{kind}opacity="{_number(shape.opacity, 3)}"')
    if shape.crisp:
        words.append('shape-rendering="crispEdges"')
    return f'<path {" ".join(words)} d="{path(shape.lines, units, scene, closed=shape.closed)}"/>'


def path(lines: Iterable[Points], units: int, scene: Scene, *, closed: bool) -> str:
    """Lines as the data of a path: the first point of all in place, all others as steps from the one before."""
    kept = [line for line in (simplified(line * units + (scene.left * units, scene.top * units), closed) for line in lines) if len(line)]
    if not kept:
        return ""
    words = []
    last = np.zeros(2, np.int64)
    for number, line in enumerate(kept):
        first, steps = line[0] - last, np.diff(line, axis=0)
        words.append(f"{'m' if number else 'M'}{_joined(first)}l{_joined(steps) if len(steps) else '0 0'}")
        words.append("z" if closed else "")
        last = line[0] if closed else line[-1]
    return "".join(words)


def _joined(numbers: NDArray[np.int64]) -> str:
    return " ".join(map(str, numbers.reshape(-1).tolist())).replace(" -", "-")


def simplified(line: Points, closed: bool) -> NDArray[np.int64]:
    """A line on whole numbers, without points that do not move it by as much as can be seen.

    >>> simplified(np.array([[0, 0], [5, 0.2], [10, 0], [10, 10.0]]), closed=False).tolist()
    [[0, 0], [10, 0], [10, 10]]
    """
    for shift in (0, 1, 0, 1):  # every other point at most, so that a slow bend is not flattened bit by bit
        if len(line) < 4 + closed:
            break
        before, here, after = line[:-2], line[1:-1], line[2:]
        chord = after - before
        length = np.hypot(chord[:, 0], chord[:, 1])
        off = np.abs(chord[:, 0] * (here[:, 1] - before[:, 1]) - chord[:, 1] * (here[:, 0] - before[:, 0]))
        along = ((here - before) * chord).sum(axis=1)
        needless = (off <= FLAT * length) & (along > 0) & (along < length * length)
        needless[shift::2] = False
        line = line[np.concatenate([[True], ~needless, [True]])]
    whole: NDArray[np.int64] = np.rint(line).astype(np.int64)
    moved = np.ones(len(whole), bool)
    moved[1:] = (np.diff(whole, axis=0) != 0).any(axis=1)
    if closed and len(whole) > 1 and (whole[0] == whole[-1]).all():
        moved[-1] = False
    return whole[moved]


def _number(value: float, places: int = 2) -> str:
    """A number without needless digits.

    >>> _number(3.0), _number(0.125), _number(2.5)
    ('3', '0.12', '2.5')
    """
    return f"{value:.{places}f}".rstrip("0").rstrip(".")
