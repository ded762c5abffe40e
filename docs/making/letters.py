"""The letters that pictures are lettered with: outlines of open fonts, flattened, as small tables without any font
machinery.

    python docs/making/letters.py FOLDER

FOLDER holds the fonts, as Debian's packages fonts-goudybookletter, fonts-ebgaramond, fonts-oldstandard,
fonts-jetbrains-mono, fonts-inter and fonts-dejavu lay them down. It needs fontTools and uharfbuzz, which nothing else
needs. A table has a line for each letter: the letter, its advance, and its outlines as relative points; then a line for
each pair of letters that is set closer or wider than usual. Units are thousandths of the letter's size.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

FACES = {
    "title": "GoudyBookletter1911.otf",
    "text": "EBGaramond12-Regular.otf",
    "italic": "EBGaramond12-Italic.otf",
    "figures": "OldStandard-Bold.ttf",
    "mono": "JetBrainsMono-Medium.ttf",
    "sans": "Inter-Medium.otf",
    "strong": "Inter-SemiBold.otf",
}
MORE_FACES = {"more-serif": "DejaVuSerif.ttf", "more-sans": "DejaVuSans.ttf"}
"""The fonts of letters that the others lack: Greek and Cyrillic."""
TARGET = Path(__file__).parents[2] / "src/undercroft/draw/scene/letters"
SIGNS = [chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x180), *map(ord, "–—‘’‚“”„•…‹›′″−×÷←↑→↓≤≥≈°²³½¼¾ft"))]
MORE_SIGNS = [chr(code) for code in (*range(0x384, 0x3CF), *range(0x400, 0x460), 0x490, 0x491)]
FLAT = 2.5
"""How far a flattened curve may be from the curve."""


def main(folder: Path) -> None:
    fonts = {path.name: path for path in folder.rglob("*") if path.suffix in {".otf", ".ttf"}}
    for face, name in FACES.items():
        (TARGET / f"{face}.txt").write_text(_table(fonts[name], SIGNS), encoding="utf-8")
    write_more(fonts)


def write_more(fonts: dict[str, Path]) -> None:
    for face, name in MORE_FACES.items():
        (TARGET / f"{face}.txt").write_text(_table(fonts[name], MORE_SIGNS), encoding="utf-8")


def _table(path: Path, signs: list[str]) -> str:
    import uharfbuzz as hb  # type: ignore[import-not-found,import-untyped,unused-ignore]

    face = hb.Face(hb.Blob.from_file_path(str(path)))
    font = hb.Font(face)
    scale = 1000 / face.upem
    rows, advances = [], {}
    for sign in dict.fromkeys(signs):
        glyphs, advance = _shaped(hb, font, sign)
        if 0 in glyphs:
            continue
        advances[sign] = advance
        lines = [line for glyph in glyphs for line in _outlines(font, glyph, scale)]
        rows.append(f"{sign}\t{round(advance * scale)}\t{';'.join(' '.join(map(str, line)) for line in lines)}")
    letters = [sign for sign in advances if sign.isascii() and (sign.isalpha() or sign in ".,'-")]
    for first in letters:
        for second in letters:
            kern = round((_shaped(hb, font, first + second)[1] - advances[first] - advances[second]) * scale)
            if abs(kern) >= 8:
                rows.append(f"{first}{second}\t{kern}")
    return "\n".join(rows) + "\n"


def _shaped(hb, font, text: str) -> tuple[list[int], int]:  # type: ignore[no-untyped-def]
    """The glyphs of a text with lining figures and without ligatures, and its advance."""
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(
        font,
        buffer,
        {"lnum": True, "onum": False, "liga": False, "clig": False, "dlig": False, "calt": False, "swsh": False},
    )
    return [info.codepoint for info in buffer.glyph_infos], sum(place.x_advance for place in buffer.glyph_positions)


def _outlines(font, glyph: int, scale: float) -> list[list[int]]:  # type: ignore[no-untyped-def]
    """Closed lines: the first point, then steps; y goes down."""
    import uharfbuzz as hb  # type: ignore[import-not-found,import-untyped,unused-ignore]

    lines: list[list[tuple[float, float]]] = []

    def move(x: float, y: float, _: object) -> None:
        lines.append([(x, y)])

    def line(x: float, y: float, _: object) -> None:
        lines[-1].append((x, y))

    def quadratic(ax: float, ay: float, x: float, y: float, _: object) -> None:
        (bx, by) = lines[-1][-1]
        cubic(bx + 2 / 3 * (ax - bx), by + 2 / 3 * (ay - by), x + 2 / 3 * (ax - x), y + 2 / 3 * (ay - y), x, y, None)

    def cubic(ax: float, ay: float, bx: float, by: float, x: float, y: float, _: object) -> None:
        ox, oy = lines[-1][-1]
        bend = max(abs(ox - 2 * ax + bx), abs(ax - 2 * bx + x), abs(oy - 2 * ay + by), abs(ay - 2 * by + y)) * scale
        parts = max(1, min(24, round((0.75 * bend / FLAT) ** 0.5 + 0.5)))
        for part in range(1, parts + 1):
            t = part / parts
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            lines[-1].append((a * ox + b * ax + c * bx + d * x, a * oy + b * ay + c * by + d * y))

    pen = hb.DrawFuncs()
    pen.set_move_to_func(move)
    pen.set_line_to_func(line)
    pen.set_quadratic_to_func(quadratic)
    pen.set_cubic_to_func(cubic)
    pen.set_close_path_func(lambda _: None)
    font.draw_glyph(glyph, pen)
    out = []
    for points in lines:
        whole = [(round(x * scale), -round(y * scale)) for x, y in points]
        kept = [point for at, point in enumerate(whole) if point != whole[at - 1]]
        steps = [*kept[0]] if kept else []
        for (ax, ay), (bx, by) in pairwise(kept):
            steps += [bx - ax, by - ay]
        if len(kept) > 2:
            out.append(steps)
    return out


if __name__ == "__main__":
    main(Path(sys.argv[1]))
