"""Sheets as a PDF file: the shapes of their scenes as paths, at exact sizes. The same sheets give the same file: no
dates, no chance.

The little of PDF that is needed is in ISO 32000-1: file structure 7.5, paths 8.5, transparency 11, notes about the file
14.3.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.paper import POINTS, Sheet
from undercroft.draw.scene.pdf_paths import path
from undercroft.draw.scene.scene import Scene, Shape, square

CATALOGUE, PAGES, INFO, RESOURCES = 1, 2, 3, 4
"""Numbers of the objects that every file has."""
FINE = 0.05
"""Points that coordinates are rounded to, at most."""
SEAM = 0.02
"""Cells by which crisp areas are widened: viewers smooth every edge, and neighbours would show a line between them."""


def pdf(sheets: Sequence[Sheet], notes: Mapping[str, str] | None = None) -> bytes:
    """The sheets as a file. Of the notes, `title` is what viewers show; all others are kept under their own names.

    >>> from undercroft.draw.scene.paper import PAPERS, fitted
    >>> data = pdf([fitted(Scene(4, 3, "#ffffff"), PAPERS["a4"])], {"title": "Crypt"})
    >>> data[:8], b"/MediaBox [0 0 841.89 595.276]" in data, b"/Title (Crypt)" in data
    (b'%PDF-1.7', True, True)
    """
    objects: list[bytes] = [b"", b"", b"", b""]
    opacities: dict[int, None] = {}
    groups: list[int] = []
    kids: list[int] = []
    for sheet in sheets:
        drawing = _Drawing(sheet, objects, opacities, groups)
        objects.append(_stream(drawing.content()))
        box = f"[0 0 {_number(sheet.paper.width * POINTS)} {_number(sheet.paper.height * POINTS)}]"
        objects.append(
            (
                f"<< /Type /Page /Parent {PAGES} 0 R /MediaBox {box} /Resources {RESOURCES} 0 R /Contents "
                f"{len(objects)} 0 R >>"
            ).encode()
        )
        kids.append(len(objects))
    labels = "".join(f" {place} << /P {_text(sheet.label or str(place + 1))} >>" for place, sheet in enumerate(sheets))
    objects[CATALOGUE - 1] = (
        f"<< /Type /Catalog /Pages {PAGES} 0 R /PageLabels << /Nums [{labels} ] >> /ViewerPreferences << "
        "/DisplayDocTitle true /PrintScaling /None >> >>"
    ).encode()
    objects[PAGES - 1] = (
        f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>".encode()
    )
    told = {"Title" if name == "title" else name: text for name, text in (notes or {}).items()}
    objects[INFO - 1] = (
        f"<< /Producer (Undercroft){''.join(f' /{name} {_text(text)}' for name, text in told.items())} >>".encode()
    )
    states = "".join(f" /O{share} << /ca {_number(share / 1000)} /CA {_number(share / 1000)} >>" for share in opacities)
    forms = "".join(f" /G{number} {number} 0 R" for number in groups)
    objects[RESOURCES - 1] = f"<< /ExtGState <<{states} >> /XObject <<{forms} >> >>".encode()
    return _file(objects)


class _Pen(NamedTuple):
    """What the next path is painted with; each part is the operator that sets it."""

    fill: str = ""
    stroke: str = ""
    width: str = ""
    cap: str = ""
    dash: str = ""
    opacity: str = ""


class _Drawing:
    """The shapes of one sheet, as operators."""

    def __init__(self, sheet: Sheet, objects: list[bytes], opacities: dict[int, None], groups: list[int]) -> None:
        self.sheet, self.objects, self.opacities, self.groups = sheet, objects, opacities, groups
        points = sheet.cell * POINTS
        self.units = 100 * max(1, -int(-points // (100 * FINE)))
        """Parts of a cell that coordinates are counted in."""
        self.unit = points / self.units
        self.pen = _Pen()

    def content(self) -> bytes:
        """All of it, the ground first."""
        sheet = self.sheet
        scene, height = sheet.scene, sheet.paper.height * POINTS
        parts = []
        if scene.ground.casefold() != "#ffffff":
            parts.append(f"{_ink(scene.ground)} 0 0 {_number(sheet.paper.width * POINTS)} {_number(height)} re f")
        parts.append(
            f"q {self.unit:.6f} 0 0 {-self.unit:.6f} {_number(sheet.left * POINTS)} "
            f"{_number(height - sheet.top * POINTS)} cm 1 j"
        )
        # Nothing is painted beyond the scene: other files have no paper there.
        parts.append(f"{path([square(0, 0, scene.width, scene.height)], self.units, Scene(0, 0, ''), closed=True)} W n")
        clip = ""
        before = self.pen
        for shape in scene.items:
            if not isinstance(shape, Shape):
                continue
            if shape.clip != clip:
                if clip:
                    parts.append("Q")
                    self.pen = before
                clip = shape.clip
                if clip:
                    before = self.pen
                    parts.append(f"q {path(scene.clips[clip], self.units, scene, closed=True)} W* n")
            parts.append(self._shape(shape))
        parts.append("Q Q" if clip else "Q")
        return "\n".join(parts).encode()

    def _shape(self, shape: Shape) -> str:
        lines = path(shape.lines, self.units, self.sheet.scene, closed=shape.closed)
        if not lines:
            return ""
        width = shape.width
        stroke = shape.stroke
        if shape.crisp and shape.fill and not stroke and shape.opacity >= 1:
            stroke, width = shape.fill, SEAM
        paint = "B*" if shape.fill and stroke else "f*" if shape.fill else "S"
        pen = self.pen
        if shape.fill:
            pen = pen._replace(fill=_ink(shape.fill))
        if stroke:
            pen = pen._replace(
                stroke=_ink(stroke).upper(),
                width=f"{_number(width * self.units)} w",
                cap=f"{int(shape.cap == 'round')} J",
                dash=f"[{' '.join(_number(length * self.units) for length in shape.dash)}] 0 d",
            )
        together = paint == "B*" and shape.opacity < 1
        pen = pen._replace(opacity=self._opacity(shape.opacity) if shape.opacity < 1 or pen.opacity else "")
        if together:  # a stroke must not show the fill under it: both are painted, and then seen through
            inside = pen._replace(opacity="")
            group = self._group(f"{' '.join(part for part in inside if part)} 1 j\n{lines} {paint}")
            said = pen.opacity if pen.opacity != self.pen.opacity else ""
            self.pen = self.pen._replace(opacity=pen.opacity)
            return f"{said} /G{group} Do"
        changed = " ".join(new for new, old in zip(pen, self.pen, strict=True) if new != old)
        self.pen = pen
        return f"{changed}\n{lines} {paint}" if changed else f"{lines} {paint}"

    def _opacity(self, share: float) -> str:
        name = round(share * 1000)
        self.opacities[name] = None
        return f"/O{name} gs"

    def _group(self, content: str) -> int:
        """An object of its own that is painted as one."""
        scene = self.sheet.scene
        box = f"[0 0 {_number(scene.width * self.units)} {_number(scene.height * self.units)}]"
        more = f"/Type /XObject /Subtype /Form /BBox {box} /Group << /S /Transparency >> /Resources {RESOURCES} 0 R "
        self.objects.append(_stream(content.encode(), more))
        self.groups.append(len(self.objects))
        return len(self.objects)


def _ink(colour: str) -> str:
    """The operator for a colour of areas; in capitals it is for strokes. Greys are one number, so that printers take
    black ink for black.

    >>> _ink("#000000"), _ink("#ff0033")
    ('0 g', '1 0 0.2 rg')
    """
    red, green, blue = (_number(part / 255, 4) for part in rgb(colour))
    return f"{red} g" if red == green == blue else f"{red} {green} {blue} rg"


def _text(text: str) -> str:
    """A text as PDF writes it.

    >>> _text("The (Old) Well"), _text("Höhle")
    ('(The \\\\(Old\\\\) Well)', '<FEFF004800F60068006C0065>')
    """
    if text.isascii() and text.isprintable():
        return f"({text.replace(chr(92), chr(92) * 2).replace('(', chr(92) + '(').replace(')', chr(92) + ')')})"
    return f"<FEFF{text.encode('utf-16-be', 'replace').hex().upper()}>"


def _number(value: float, places: int = 3) -> str:
    """A number without needless digits."""
    return f"{value:.{places}f}".rstrip("0").rstrip(".") if value else "0"


def _stream(content: bytes, more: str = "") -> bytes:
    packed = zlib.compress(content, 6)
    return f"<< {more}/Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode() + packed + b"\nendstream"


def _file(objects: Sequence[bytes]) -> bytes:
    """Objects one after the other, and the table that says where each begins."""
    parts = [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"]
    at = len(parts[0])
    places = []
    for number, body in enumerate(objects, 1):
        places.append(at)
        parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, body))
        at += len(parts[-1])
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    parts.append(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode())
    parts.append(
        (
            f"trailer\n<< /Size {len(objects) + 1} /Root {CATALOGUE} 0 R /Info {INFO} 0 R >>\nstartxref\n{at}\n%%EOF\n"
        ).encode()
    )
    return b"".join(parts)
