"""Columns of the kernel's tables; a test checks that they agree with the kernel `engine`."""

from __future__ import annotations

NODE_KINDS = ("one", "all", "parallel", "sequence", "markov", "repeat")
NODE_COLUMNS, VARIANT_COLUMNS, ACTION_COLUMNS, STATE_PLACES = 64, 32, 8, 16

# columns of a node
KIND, PARENT, FIRST, LAST, LIMIT, LIST, COUNT, LIST_CAPACITY = 0, 1, 2, 3, 6, 7, 8, 9
SCANNED, BITS, BYTES, PAIRS, TRIGGERS, PICK, SORTED, MAX_NEW_MATCHES = 11, 12, 13, 14, 15, 16, 17, 19
OUTSIDE, LISTED_BY, HASH, HASH_MASK, ANCHORS, BY_LOT, MAY_TRY_BY_LOT = 21, 22, 23, 24, 25, 26, 28
RADIUS, PARKED, MAX_WIDTH, MAX_HEIGHT, REGIONS, AREAS, FIRST_RULE, LAST_RULE, IS_PLAIN, IS_ONLY_LEAF = (
    29,
    30,
    33,
    34,
    35,
    37,
    38,
    39,
    40,
    41,
)

# columns of a variant
V_PLANE = 14

# columns of an action
A_GUARDS = 4

# columns of a guard
G_REFUSED = 6

# places in the state
(
    CURRENT_BRANCH,
    TURNS,
    MAX_TURNS,
    NODE_NEEDING_ROOM,
    REWRITES,
    EVENTS,
    LOG_CELLS,
    NEWEST_ACTION,
    MAX_LOG_PER_ACTION,
    EVENTS_FULL,
    LAST_LEAF,
    COUNTS_TILES,
    STAMP,
) = (
    0,
    1,
    2,
    4,
    5,
    6,
    7,
    9,
    10,
    11,
    12,
    13,
    14,
)
