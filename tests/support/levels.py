"""Levels for tests of formats: a small one that uses every feature, and random ones."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from undercroft.core.level import Level
from undercroft.core.palette import ROLES, STANDARD, Palette, Tile
from undercroft.core.region import (
    DOOR_DTYPE,
    DOOR_STATES,
    LINK_DTYPE,
    LINK_KINDS,
    REGION_DTYPE,
    REGION_KINDS,
    Regions,
    Thing,
    view_doors,
    view_links,
)


def crypt() -> Level:
    """A small level that uses every feature; the golden files hold it."""
    drawn = Level.parse("""
        ###########X
        #<11#22222##
        #111+22:22,#
        #1o1#22222##
        #####LSSSS##
        X###,,,~~'>#
        XXX#########
    """)
    table = drawn.regions.table.copy()
    table["kind"] = [REGION_KINDS.index("room"), REGION_KINDS.index("vault")]
    layers = {
        "path": drawn.tiles == 3,
        "height": np.arange(84, dtype=np.int16).reshape(7, 12) // 20 - 1,
        "warmth": np.full((7, 12), 0.25, np.float32),
    }
    return Level(
        drawn.tiles,
        regions=Regions(drawn.regions.labels, table, {2: ("library", "lit")}, {2: "hall"}),
        doors=view_doors(np.array([(4, 2, 1, 2, 1)], DOOR_DTYPE)),
        links=view_links(np.array([(1, 2, 1, 0, True), (2, 1, 3, -1, False)], LINK_DTYPE)),
        things=[Thing("chest", 2, 2, {"gold": 7, "open": False, "label": "Él"}), Thing("rat", 6, 1)],
        start=drawn.start,
        end=drawn.end,
        path=np.array([(1, 1), (1, 2), (2, 2), (3, 2), (4, 2), (5, 2)], np.int32),
        layers=layers,
        provenance={
            "recipe": "by hand",
            "seed": "18446744073709551615",
            "params": {"share": 0.5, "names": ["a", None]},
        },
    )


SIGNS = [chr(code) for code in range(32, 127)] + list("é█漢🗝·")


DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")


WORDS = st.text(st.characters(codec="utf-8"), max_size=6)


PLAIN = (
    WORDS
    | st.sampled_from(["[1]", '["a"]', '{"a":1}', "[", "{}", "null"])
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
)
"""Texts, numbers and truth values; some texts look like JSON."""


FLAT_TABLES = st.dictionaries(WORDS, PLAIN, max_size=3)


DATA = st.dictionaries(
    WORDS | st.sampled_from(["contents", "holds", "name", "data", "width"]),
    PLAIN
    | FLAT_TABLES
    | st.lists(PLAIN | FLAT_TABLES, max_size=4)
    | st.one_of(*(st.lists(kind, max_size=3) for kind in (WORDS, st.booleans(), st.integers(-9, 9), st.floats(0, 1)))),
    max_size=3,
)
"""The data of a thing: all that it may hold."""


JSON = st.recursive(
    st.none() | WORDS | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def palettes(draw: st.DrawFn) -> Palette:
    glyphs = draw(st.lists(st.sampled_from(SIGNS), min_size=1, max_size=8, unique=True))
    spare = [sign for sign in SIGNS if sign not in glyphs]
    roles = draw(st.lists(st.sampled_from(list(ROLES)), min_size=len(glyphs), max_size=len(glyphs)))
    tiles = [
        Tile(
            f"tile {code}",
            role,
            glyph,
            draw(st.sampled_from(SIGNS)),
            f"#{code:02x}33aA",
            draw(st.booleans()),
            draw(st.booleans()),
            spare[code] if draw(st.booleans()) else "",
        )
        for code, (glyph, role) in enumerate(zip(glyphs, roles, strict=True))
    ]
    return Palette(tiles, draw(WORDS))


@st.composite
def levels(draw: st.DrawFn, palette: st.SearchStrategy[Palette] | None = None) -> Level:
    width, height = draw(st.tuples(st.integers(1, 7), st.integers(1, 7)) | st.sampled_from([(1, 1), (1, 40), (40, 1)]))
    used = draw(st.just(STANDARD) | palettes() if palette is None else palette)
    shape = height, width
    cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    count = draw(st.integers(0, 4))
    labels = draw(arrays.arrays(np.int32, shape, elements=st.integers(0, count)))
    table = np.zeros(count, REGION_DTYPE)
    table[: int(labels.max())] = Regions.of(labels).table  # a region without a cell has no box either
    table["kind"] = draw(st.lists(st.integers(0, len(REGION_KINDS) - 1), min_size=count, max_size=count))
    door_rows = draw(
        st.lists(
            st.builds(
                lambda cell, a, b, state: (*cell, a, b, state),
                cells,
                st.integers(0, count),
                st.integers(0, count),
                st.integers(0, len(DOOR_STATES) - 1),
            ),
            max_size=3,
        )
    )
    link = st.tuples(
        st.integers(0, count),
        st.integers(0, count),
        st.integers(0, len(LINK_KINDS) - 1),
        st.integers(-1, len(door_rows) - 1),
        st.booleans(),
    )
    marked = [label for label in range(1, count + 1) if draw(st.booleans())]
    layers = {}
    for name in draw(st.lists(st.text(st.sampled_from("abc:./ é*"), min_size=1, max_size=4), max_size=2, unique=True)):
        dtype = np.dtype(draw(st.sampled_from(DTYPES)))
        layers[name] = draw(
            arrays.arrays(dtype, shape, elements=arrays.from_dtype(dtype, allow_nan=False, allow_infinity=False))
        )
    return Level(
        draw(arrays.arrays(np.uint8, shape, elements=st.integers(0, len(used) - 1))),
        used,
        regions=Regions(
            labels,
            table,
            {label: tuple(draw(st.lists(WORDS, min_size=1, max_size=2))) for label in marked},
            {label: draw(WORDS.filter(bool)) for label in marked},
        ),
        doors=view_doors(np.array(door_rows, DOOR_DTYPE)),
        links=view_links(np.array(draw(st.lists(link, max_size=3)), LINK_DTYPE)),
        things=draw(
            st.lists(
                st.builds(lambda kind, cell, data: Thing(kind, cell[0], cell[1], data), WORDS, cells, DATA), max_size=3
            )
        ),
        start=draw(st.none() | cells),
        end=draw(st.none() | cells),
        path=np.array(draw(st.lists(cells, max_size=4)), np.int32).reshape(-1, 2),
        layers=layers,
        provenance=draw(st.dictionaries(WORDS, JSON, max_size=3)),
    )


def assert_same(found: Level, level: Level) -> None:
    assert found == level
    assert found.provenance == level.provenance
    assert {name: layer.dtype for name, layer in found.layers.items()} == {
        name: layer.dtype for name, layer in level.layers.items()
    }
    assert found.palette.name == level.palette.name
