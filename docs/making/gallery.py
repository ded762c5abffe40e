"""The gallery: one level in all styles, cut together and side by side, and a large picture of each style."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import undercroft as uc
from undercroft.draw.scene import lettering
from undercroft.draw.scene.raster import raster
from undercroft.draw.scene.scene import Scene
from undercroft.draw.styles.table import STYLES, render_picture

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "gallery"
HERO = FOLDER / "hero.webp"
KEEP, CAVE = ("cozy", 112, (60, 42)), ("examples/smugglers-cave.toml", 1, None)
BANDS = ("ink", "blueprint", "parchment", "pixels", "dark")
"""The styles of the picture that opens the README, from left to right."""
QUALITY = 84
LEAN = 0.16
"""How far the cuts lean, in heights of the picture."""


@cache
def level(which: tuple[str, int, tuple[int, int] | None]) -> uc.Level:
    recipe, seed, size = which
    return uc.generate(ROOT / recipe if recipe.endswith(".toml") else recipe, seed=seed, size=size)


def draw() -> Iterator[Path]:
    """Draw them all; the files written."""
    FOLDER.mkdir(exist_ok=True)
    yield _saved(hero(), HERO)
    yield _saved(sheet(), FOLDER / "styles.webp")
    for name in STYLES.own:
        for which, what in ((KEEP, "keep"), (CAVE, "cave")):
            image = render_picture(level(which), name, cell=20)
            image.thumbnail((1500, 1500), Image.Resampling.LANCZOS)
            yield _saved(image, FOLDER / f"{name}-{what}.webp")


def _saved(image: Image.Image, path: Path) -> Path:
    image.convert("RGB").save(path, quality=QUALITY, method=6)
    return path


def hero() -> Image.Image:
    """One level, cut into bands that lean, each in another style."""
    drawn = [render_picture(level(KEEP), name, cell=24, margin=0).convert("RGB") for name in BANDS]
    width, height = drawn[0].size
    out = drawn[0].copy()
    cuts = [(number + 1) * width / len(BANDS) for number in range(len(BANDS) - 1)]
    lean = LEAN * height / 2
    for image, cut in zip(drawn[1:], cuts, strict=True):
        fine = Image.new("L", (2 * width, 2 * height))
        ImageDraw.Draw(fine).polygon(
            [(2 * (cut + lean), 0), (2 * width, 0), (2 * width, 2 * height), (2 * (cut - lean), 2 * height)], fill=255
        )
        out.paste(image, (0, 0), fine.resize((width, height), Image.Resampling.BOX))
    over = Image.new("RGBA", (2 * width, 2 * height))
    for cut in cuts:
        ImageDraw.Draw(over).line(
            [(2 * (cut + lean), 0), (2 * (cut - lean), 2 * height)], fill=(255, 255, 255, 255), width=8
        )
    for number, name in enumerate(BANDS):
        centre = 2 * ((number + 0.5) * width / len(BANDS) - LEAN * height * 0.42)
        _pill(over, name, centre, 2 * height - 90)
    out.paste(
        over.resize((width, height), Image.Resampling.LANCZOS),
        (0, 0),
        over.resize((width, height), Image.Resampling.LANCZOS),
    )
    out.thumbnail((1600, 1600), Image.Resampling.LANCZOS)
    return out


def _pill(over: Image.Image, name: str, x: float, y: float) -> None:
    half = lettering.text_width(name, 40, "strong") / 2 + 34
    ImageDraw.Draw(over).rounded_rectangle((x - half, y - 34, x + half, y + 34), 34, fill=(16, 18, 26, 255))
    page = Scene(2 * half, 68, "#10121a")
    page.fill_area(lettering.text_outlines(name, half, 46, 40, "strong", anchor=0.5), "#ffffff")
    text = np.asarray(raster(page, 1).convert("L"))
    over.paste(
        (255, 255, 255, 255),
        (round(x - half), round(y - 34)),
        Image.fromarray(np.where(text > 40, text, 0).astype(np.uint8)),
    )


def sheet() -> Image.Image:
    """All styles, side by side."""
    gap, wide, caption = 26, 700, 56
    images = []
    for name in STYLES.own:
        image = render_picture(level(KEEP), name, cell=20, margin=0).convert("RGB")
        images.append((name, image.resize((wide, round(image.height * wide / image.width)), Image.Resampling.LANCZOS)))
    high = images[0][1].height
    columns, rows = 2, -(-len(images) // 2)
    width, height = columns * (wide + gap) + gap, rows * (high + caption + gap) + gap
    page = Scene(width, height, "#f6f1e4")
    places = []
    for number, (name, image) in enumerate(images):
        x, y = gap + number % columns * (wide + gap), gap + number // columns * (high + caption + gap)
        page.fill_area(lettering.text_outlines(name, x, y + high + 38, 30, "title"), "#1d1916")
        about = lettering.shorten_to_fit(STYLES[name].about, wide - 170, 22, "italic")
        page.fill_area(lettering.text_outlines(about, x + wide, y + high + 37, 22, "italic", anchor=1), "#6f665a")
        places.append((image, x, y))
    out = raster(page, 1)
    for image, x, y in places:
        out.paste(image, (x, y))
    return out
