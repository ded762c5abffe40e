"""Write sheets as a PDF file: the shapes of their scenes as paths, at exact sizes. The output is deterministic: it has
no dates and nothing random.

ISO 32000-1 defines the parts of PDF that are used: file structure 7.5, paths 8.5, transparency 11, document information
14.3.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.paper import POINTS_PER_INCH, PaperSheet
from undercroft.draw.scene.pdf_paths import format_path
from undercroft.draw.scene.scene import Scene, Shape, rectangle

CATALOGUE, PAGES, INFO, RESOURCES = 1, 2, 3, 4
"""The numbers of the objects that every file has."""
COORDINATE_POINTS = 0.05
"""The maximum rounding step of coordinates, in points."""
SEAM_CELLS = 0.02
"""Cells by which crisp areas are widened: viewers smooth every edge, so neighbours would show a line between them."""


def pdf(sheets: Sequence[PaperSheet], notes: Mapping[str, str] | None = None) -> bytes:
    """The sheets as a PDF file. Viewers show the note `title`; other notes are kept under their own names.

    >>> from undercroft.draw.scene.paper import PAPERS, fit_scene
    >>> data = pdf([fit_scene(Scene(4, 3, "#ffffff"), PAPERS["a4"])], {"title": "Crypt"})
    >>> data[:8], b"/MediaBox [0 0 841.89 595.276]" in data, b"/Title (Crypt)" in data
    (b'%PDF-1.7', True, True)
    """
    objects: list[bytes] = [b"", b"", b"", b""]
    opacities: dict[int, None] = {}
    groups: list[int] = []
    kids: list[int] = []
    for sheet in sheets:
        drawing = _PageStream(sheet, objects, opacities, groups)
        objects.append(_build_stream(drawing.content()))
        width, height = sheet.paper.width * POINTS_PER_INCH, sheet.paper.height * POINTS_PER_INCH
        box = f"[0 0 {_format_number(width)} {_format_number(height)}]"
        objects.append(
            (
                f"<< /Type /Page /Parent {PAGES} 0 R /MediaBox {box} /Resources {RESOURCES} 0 R /Contents "
                f"{len(objects)} 0 R >>"
            ).encode()
        )
        kids.append(len(objects))
    labels = "".join(
        f" {place} << /P {_format_text(sheet.label or str(place + 1))} >>" for place, sheet in enumerate(sheets)
    )
    objects[CATALOGUE - 1] = (
        f"<< /Type /Catalog /Pages {PAGES} 0 R /PageLabels << /Nums [{labels} ] >> /ViewerPreferences << "
        "/DisplayDocTitle true /PrintScaling /None >> >>"
    ).encode()
    objects[PAGES - 1] = (
        f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>".encode()
    )
    told = {"Title" if name == "title" else name: text for name, text in (notes or {}).items()}
    entries = "".join(f" /{name} {_format_text(text)}" for name, text in told.items())
    objects[INFO - 1] = f"<< /Producer (Undercroft){entries} >>".encode()
    states = "".join(
        f" /O{share} << /ca {_format_number(share / 1000)} /CA {_format_number(share / 1000)} >>" for share in opacities
    )
    forms = "".join(f" /G{number} {number} 0 R" for number in groups)
    objects[RESOURCES - 1] = f"<< /ExtGState <<{states} >> /XObject <<{forms} >> >>".encode()
    return _build_file(objects)


class _PenState(NamedTuple):
    """The state that the next path is painted with; each field is the operator that sets it."""

    fill: str = ""
    stroke: str = ""
    width: str = ""
    cap: str = ""
    dash: str = ""
    opacity: str = ""


class _PageStream:
    """The content stream of one sheet."""

    def __init__(self, sheet: PaperSheet, objects: list[bytes], opacities: dict[int, None], groups: list[int]) -> None:
        self.sheet, self.objects, self.opacities, self.groups = sheet, objects, opacities, groups
        points = sheet.cell * POINTS_PER_INCH
        self.units = 100 * max(1, -int(-points // (100 * COORDINATE_POINTS)))
        """The units that a cell is divided into for coordinates."""
        self.unit = points / self.units
        self.pen = _PenState()

    def content(self) -> bytes:
        """The whole stream, the background first."""
        sheet = self.sheet
        scene, height = sheet.scene, sheet.paper.height * POINTS_PER_INCH
        parts = []
        if scene.ground.casefold() != "#ffffff":
            parts.append(
                f"{_colour_operator(scene.ground)} 0 0 {_format_number(sheet.paper.width * POINTS_PER_INCH)} "
                f"{_format_number(height)} re f"
            )
        parts.append(
            f"q {self.unit:.6f} 0 0 {-self.unit:.6f} {_format_number(sheet.left * POINTS_PER_INCH)} "
            f"{_format_number(height - sheet.top * POINTS_PER_INCH)} cm 1 j"
        )
        # Clip to the scene: other formats have no page beyond it.
        parts.append(
            f"{format_path([rectangle(0, 0, scene.width, scene.height)], self.units, Scene(0, 0, ''), closed=True)} W n"
        )
        clip = ""
        before = self.pen
        for shape in scene.list_vector_shapes():
            if shape.clip != clip:
                if clip:
                    parts.append("Q")
                    self.pen = before
                clip = shape.clip
                if clip:
                    before = self.pen
                    parts.append(f"q {format_path(scene.clips[clip], self.units, scene, closed=True)} W* n")
            parts.append(self._shape_operators(shape))
        parts.append("Q Q" if clip else "Q")
        return "\n".join(parts).encode()

    def _shape_operators(self, shape: Shape) -> str:
        lines = format_path(shape.lines, self.units, self.sheet.scene, closed=shape.closed)
        if not lines:
            return ""
        width = shape.width
        stroke = shape.stroke
        if shape.crisp and shape.fill and not stroke and shape.opacity >= 1:
            stroke, width = shape.fill, SEAM_CELLS
        paint = "B*" if shape.fill and stroke else "f*" if shape.fill else "S"
        pen = self.pen
        if shape.fill:
            pen = pen._replace(fill=_colour_operator(shape.fill))
        if stroke:
            pen = pen._replace(
                stroke=_colour_operator(stroke).upper(),
                width=f"{_format_number(width * self.units)} w",
                cap=f"{int(shape.cap == 'round')} J",
                dash=f"[{' '.join(_format_number(length * self.units) for length in shape.dash)}] 0 d",
            )
        together = paint == "B*" and shape.opacity < 1
        pen = pen._replace(opacity=self._opacity_operator(shape.opacity) if shape.opacity < 1 or pen.opacity else "")
        if together:  # blend both as one group, so the fill does not show through the stroke
            inside = pen._replace(opacity="")
            group = self._add_group(f"{' '.join(part for part in inside if part)} 1 j\n{lines} {paint}")
            said = pen.opacity if pen.opacity != self.pen.opacity else ""
            self.pen = self.pen._replace(opacity=pen.opacity)
            return f"{said} /G{group} Do"
        changed = " ".join(new for new, old in zip(pen, self.pen, strict=True) if new != old)
        self.pen = pen
        return f"{changed}\n{lines} {paint}" if changed else f"{lines} {paint}"

    def _opacity_operator(self, share: float) -> str:
        name = round(share * 1000)
        self.opacities[name] = None
        return f"/O{name} gs"

    def _add_group(self, content: str) -> int:
        """Add an object that is blended as a whole; return its number."""
        scene = self.sheet.scene
        box = f"[0 0 {_format_number(scene.width * self.units)} {_format_number(scene.height * self.units)}]"
        more = f"/Type /XObject /Subtype /Form /BBox {box} /Group << /S /Transparency >> /Resources {RESOURCES} 0 R "
        self.objects.append(_build_stream(content.encode(), more))
        self.groups.append(len(self.objects))
        return len(self.objects)


def _colour_operator(colour: str) -> str:
    """The operator for a fill colour; in upper case it is for strokes. Greys are one number, so that printers use black
    ink for black.

    >>> _colour_operator("#000000"), _colour_operator("#ff0033")
    ('0 g', '1 0 0.2 rg')
    """
    red, green, blue = (_format_number(part / 255, 4) for part in rgb(colour))
    return f"{red} g" if red == green == blue else f"{red} {green} {blue} rg"


def _format_text(text: str) -> str:
    """A text as a PDF string.

    >>> _format_text("The (Old) Well"), _format_text("Höhle")
    ('(The \\\\(Old\\\\) Well)', '<FEFF004800F60068006C0065>')
    """
    if text.isascii() and text.isprintable():
        return f"({text.replace(chr(92), chr(92) * 2).replace('(', chr(92) + '(').replace(')', chr(92) + ')')})"
    return f"<FEFF{text.encode('utf-16-be', 'replace').hex().upper()}>"


def _format_number(value: float, places: int = 3) -> str:
    """A number without superfluous digits."""
    return f"{value:.{places}f}".rstrip("0").rstrip(".") if value else "0"


def _build_stream(content: bytes, more: str = "") -> bytes:
    packed = zlib.compress(content, 6)
    return f"<< {more}/Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode() + packed + b"\nendstream"


def _build_file(objects: Sequence[bytes]) -> bytes:
    """The objects one after the other, and the cross-reference table of their offsets."""
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
