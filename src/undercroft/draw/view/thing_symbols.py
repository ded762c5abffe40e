"""Signs of things, seen from above: a small drawing for each kind, and a generic one for unknown kinds.

Signs of a fixed size are in `signs.txt`, those of furniture in `furniture_signs`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np

from undercroft import limits
from undercroft.core.dungeon_stairs import STAIRS_FORMS
from undercroft.core.region import Thing
from undercroft.core.stairs import STAIRS
from undercroft.draw.scene.lettering import text_outlines
from undercroft.draw.scene.scene import Points, circle, rectangle
from undercroft.draw.view.furniture_signs import SIZED_SIGNS
from undercroft.draw.view.label_space import LabelSpace
from undercroft.draw.view.symbols import Sign, SignPart, disc, place_sign
from undercroft.inputs import files

FLAT_KINDS = frozenset({"rug", "carpet", "summoning circle", "circle", "cobwebs"})
"""Kinds that other things can stand on."""
BADGE_SIZE = 0.4
"""The size of the letter on a badge, in cells."""
BADGE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789"
SHRUNK_SIZES = (1.0, 0.85, 0.7)
"""The sizes that are tried for a sign at a round or rough wall."""
MAX_MOVE = 4
"""The largest move of such a sign in each direction, in eighths of a cell."""
ARC_POINTS = 11
"""The number of points of an arc."""


def drawn_kind(found: Thing) -> str:
    """The kind that a thing is drawn as: for stairs their form.

    >>> drawn_kind(Thing("stairs", 0, 0, {"form": "ladder"})), drawn_kind(Thing("rat", 0, 0))
    ('ladder', 'rat')
    """
    form = found.data.get("form")
    return form if found.kind == STAIRS and isinstance(form, str) and form in STAIRS_FORMS else found.kind


def thing_group(found: Thing) -> str:
    """The group of a thing; empty if it has none."""
    group = found.data.get("group")
    return group if isinstance(group, str) else ""


def find_badges(things: Iterable[Thing]) -> dict[str, str]:
    """A letter for each kind whose sign would look like that of another kind here.

    >>> find_badges([Thing("owl", 0, 0, {"group": "monster"}), Thing("newt", 1, 0, {"group": "monster"})])
    {'newt': 'N', 'owl': 'O'}
    >>> find_badges([Thing("owl", 0, 0), Thing("rat", 1, 0)])
    {}
    """
    alike: dict[str, list[str]] = {}
    for kind, group in sorted({(drawn_kind(thing), thing_group(thing)) for thing in things}):
        kinds = alike.setdefault(_sign_names()[resolve_sign_name(kind, group)], [])
        if kind not in kinds:
            kinds.append(kind)
    badges: dict[str, str] = {}
    for kinds in alike.values():
        used: set[str] = set()
        for kind in kinds if len(kinds) > 1 else ():
            letters = (*(sign for sign in kind.upper() if sign.isalnum()), *BADGE_LETTERS)
            badges[kind] = next((letter for letter in letters if letter not in used), "+")
            used.add(badges[kind])
    return badges


@cache
def _sign_names() -> dict[str, str]:
    """For each name of a sign the first name of the same sign."""
    found = {name: names[0] for names, _, _ in _read_sign_file() for name in names}
    firsts: dict[object, str] = {}
    return found | {name: firsts.setdefault(drawing, name) for name, drawing in SIZED_SIGNS.items()}


def badge_sign(letter: str) -> Sign:
    """A letter on a small disc, to be laid over the lower right part of a sign."""
    lines = text_outlines(letter, 0.24, 0.24 + 0.36 * BADGE_SIZE, BADGE_SIZE, "figures", anchor=0.5)
    return [disc(0.24, 0.24, 0.21, "paper", 0.03), SignPart(lines, "ink", 0)]


def place_thing_sign(found: Thing, badge: str = "") -> Sign:
    """The sign of a thing, on its cells and in its direction; with a letter, if it has one."""
    wide, high = _size_in_cells(found, "width"), _size_in_cells(found, "height")
    facing = found.data.get("facing")
    facing = facing if facing in ("N", "E", "S", "W") else "S"
    across, deep = (wide, high) if facing in ("N", "S") else (high, wide)
    name = resolve_sign_name(drawn_kind(found), thing_group(found))
    x, y = found.x + wide / 2, found.y + high / 2
    turns = name in SIZED_SIGNS or name in load_turning_names()
    sign = place_sign(_build_sign(name, across, deep), x, y, str(facing) if turns else "S")
    return [*sign, *place_sign(badge_sign(badge), x, y)] if badge else sign


def fit_sign(sign: Sign, space: LabelSpace) -> Sign:
    """The sign, moved as little as possible so that all of it is on the drawn ground; a smaller one if need be. A sign
    that fits nowhere near stays as it is.
    """
    points = np.concatenate([line for part in sign for line in part.lines])
    if space.covers(points):
        return sign
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    for size in SHRUNK_SIZES:
        small = (points - middle) * size + middle
        for off in _nearest_offsets():
            if space.covers(small + off):
                return [
                    part._replace(lines=[(line - middle) * size + middle + off for line in part.lines]) for part in sign
                ]
    return sign


@cache
def _nearest_offsets() -> list[Points]:
    """Moves by eighths of a cell, the shortest first."""
    eighths = [(x, y) for y in range(-MAX_MOVE, MAX_MOVE + 1) for x in range(-MAX_MOVE, MAX_MOVE + 1)]
    return [np.array(move) / 8 for move in sorted(eighths, key=lambda move: (move[0] ** 2 + move[1] ** 2, move))]


def thing_sign(kind: str, group: str = "", wide: float = 1, deep: float = 1) -> Sign:
    """The sign of a kind, centred on (0, 0). For an unknown kind, a word of its name or its group (monster, loot, clue)
    selects the sign.

    >>> len(thing_sign("chest")), thing_sign("giant owl", "monster") == thing_sign("monster")
    (3, True)
    >>> thing_sign("rusty key") == thing_sign("key"), thing_sign("spoon") == thing_sign("fork")
    (True, True)
    """
    return _build_sign(resolve_sign_name(kind, group), wide, deep)


def room_sign(name: str) -> Sign:
    """The sign of a special room: that of a thing, in a ring, so that it is not taken for the thing.

    >>> len(room_sign("chest")) == len(thing_sign("chest")) + 1
    True
    """
    return [disc(0, 0, 0.5, "paper", 0.045, 24), *place_sign(load_signs()[name], 0, 0, size=0.68)]


def resolve_sign_name(kind: str, group: str = "") -> str:
    """The name of the sign for a kind.

    >>> resolve_sign_name("Rusty Key"), resolve_sign_name("giant owl", "monster"), resolve_sign_name("spoon")
    ('key', 'monster', 'unknown')
    """
    name = kind.casefold()
    words = (name, *reversed(name.replace("-", " ").split()), group)
    return next((word for word in words if word in SIZED_SIGNS or word in load_signs()), "unknown")


def _build_sign(name: str, wide: float, deep: float) -> Sign:
    return SIZED_SIGNS[name](wide, deep) if name in SIZED_SIGNS else load_signs()[name]


def lies_flat(found: Thing) -> bool:
    """Whether other things can stand on it."""
    return found.kind.casefold() in FLAT_KINDS


@cache
def load_signs() -> dict[str, Sign]:
    """The signs of `signs.txt` by their names."""
    return {name: sign for names, sign, _ in _read_sign_file() for name in names}


@cache
def load_turning_names() -> frozenset[str]:
    """The names of the signs that turn with the thing."""
    return frozenset(name for names, _, turns in _read_sign_file() for name in names if turns)


@cache
def _read_sign_file() -> list[tuple[list[str], Sign, bool]]:
    found: list[tuple[list[str], Sign, bool]] = []
    for line in files.read_text(Path(__file__).parent / "signs.txt", limits.LAYOUT_BYTES).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            found[-1][1].append(_parse_part(line.split()))
        else:
            found.append((line.removeprefix("turned ").split(", "), [], line.startswith("turned ")))
    return found


def _parse_part(words: list[str]) -> SignPart:
    fill, width, *rest = words
    lines: list[Points] = []
    closed = True
    for drawn in " ".join(rest).split(" / "):
        name, *numbers = drawn.split()
        closed = name != "line"
        lines.append(_parse_line(name, numbers) / 100)
    return SignPart(lines, "" if fill == "none" else fill, float(width) / 100, closed)


def _parse_line(name: str, words: list[str]) -> Points:
    if name == "box":
        return rectangle(*map(float, words))
    if name == "disc":
        x, y, radius, corners = map(float, words)
        return circle(x, y, radius, int(corners))
    points: list[tuple[float, float]] = []
    at = 0
    while at < len(words):
        if words[at] == "arc":
            x, y, across, up, first, last = map(float, words[at + 1 : at + 7])
            turn = np.radians(np.linspace(first, last, ARC_POINTS))
            points += zip((x + across * np.cos(turn)).tolist(), (y - up * np.sin(turn)).tolist(), strict=True)
            at += 7
        else:
            points.append((float(words[at]), float(words[at + 1])))
            at += 2
    return np.array(points)


def _size_in_cells(found: Thing, key: str) -> int:
    size = found.data.get(key, 1)
    return max(1, min(64, size)) if type(size) is int else 1
