# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The rewriting engine: all nodes of a program, turn after turn, on one padded grid.

The grid holds tile classes 0 to 62; 63 stands in the rim around the map. A *placement* is the index of a pattern's top
left cell, a *variant* is a rule in one of its orientations, an *action* a variant with one of its results. Every leaf
keeps the list of its matches. No search covers the whole map a second time: changes go to the log, each leaf stores how
much of it it has read, and tests only the placements that the unread changes could have made true.

There are two ways to find new matches. *Triggers*: a cell that went from `old` to `new` can only complete patterns that
admit `new` there and not `old`. *Pair tables*: after an action its whole box is known, so for each variant nearby only
a few tests are left; a table says which. Matches that became false stay in the list and are dropped when drawn: the law
of the draw is the same.

A leaf with more matches than a list should hold has no list: it tries random places and variants until one fits, which
is the same law of the draw, and makes its list when the tries begin to fail.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import MASK64, advanced, must_redraw, output
else:
    from undercroft.kernels._primitives import MASK64, advanced, must_redraw, output

HASH_MULTIPLIER = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
PROBABILITY_ONE = cython.declare(cython.longlong, 1 << 32)
RIM = cython.declare(cython.int, 63)
DIGIT_BITS = cython.declare(cython.int, 11)  # a sort by digits: the bits of a digit
MIN_SORTED_BY_DIGITS = cython.declare(cython.int, 256)  # fewer matches are sorted by a heap
MAX_MISSES_PER_VARIANT = cython.declare(
    cython.int, 16
)  # misses in a row, per variant, before a leaf that tries at random makes its list

# kinds of nodes
ONE = cython.declare(cython.int, 0)
ALL = cython.declare(cython.int, 1)
PARALLEL = cython.declare(cython.int, 2)
SEQUENCE = cython.declare(cython.int, 3)
MARKOV = cython.declare(cython.int, 4)
REPEAT = cython.declare(cython.int, 5)

# a row of the table of nodes
NODE_SHIFT = cython.declare(cython.int, 6)  # its length, as a shift
KIND = cython.declare(cython.int, 0)
PARENT = cython.declare(cython.int, 1)
FIRST = cython.declare(cython.int, 2)  # first child, or first variant
LAST = cython.declare(cython.int, 3)  # one after the last
CURRENT_CHILD = cython.declare(cython.int, 4)  # which child is being worked
TURNS_DONE = cython.declare(cython.int, 5)  # turns that succeeded, or passes
LIMIT = cython.declare(cython.int, 6)
LIST = cython.declare(cython.int, 7)  # where its matches begin
COUNT = cython.declare(cython.int, 8)
LIST_CAPACITY = cython.declare(cython.int, 9)
LOG_SEEN = cython.declare(cython.int, 10)
SCANNED = cython.declare(cython.int, 11)
BITS = cython.declare(cython.int, 12)  # where its bits begin
BYTES = cython.declare(cython.int, 13)  # bytes of bits a placement
PAIRS = cython.declare(cython.int, 14)  # where its pair tables begin, or -1
TRIGGERS = cython.declare(cython.int, 15)  # where its trigger tables begin
PICK = cython.declare(cython.int, 16)  # 0 match, 1 rule, 2 token, 3 first
SORTED = cython.declare(cython.int, 17)  # parallel: overlapping writes may differ, so the order matters
IS_OVER = cython.declare(cython.int, 18)  # it has ended until its parent starts again
MAX_NEW_MATCHES = cython.declare(cython.int, 19)  # most matches one log entry can add
ACTED = cython.declare(cython.int, 20)  # whether the present pass of a repeat did anything
OUTSIDE = cython.declare(cython.int, 21)  # patterns may reach over the border
# how it finds what is listed: 0 by bits, 1 by a hash table, 2 not needed: a match becomes true only once
LISTED_BY = cython.declare(cython.int, 22)
HASH = cython.declare(cython.int, 23)  # where its hash table begins
HASH_MASK = cython.declare(cython.int, 24)  # its length less one
ANCHORS = cython.declare(cython.int, 25)  # where its table of anchors begins, or -1: search variant by variant
BY_LOT = cython.declare(cython.int, 26)  # it has no list: random places are tried
MISSES = cython.declare(cython.int, 27)
MAY_TRY_BY_LOT = cython.declare(cython.int, 28)  # whether it may do so
RADIUS = cython.declare(cython.int, 29)  # how far off a change can matter to its guards; 0: no guard; -1: anywhere
PARKED = cython.declare(cython.int, 30)  # where its marks of refused placements begin
REFUSED = cython.declare(cython.int, 31)  # 1: a guard refused something, and no mark says where
REFUSED_AT = cython.declare(cython.int, 32)  # rewrites at that time
MAX_WIDTH = cython.declare(cython.int, 33)  # of its largest box
MAX_HEIGHT = cython.declare(cython.int, 34)
REGIONS = cython.declare(cython.int, 35)  # how many regions it works through, one by one; -1: it does not
REGION = cython.declare(cython.int, 36)  # which of them is being worked
AREAS = cython.declare(cython.int, 37)  # where they begin: rows of label, left, top, right, bottom, turns done
FIRST_RULE = cython.declare(cython.int, 38)
LAST_RULE = cython.declare(cython.int, 39)
IS_PLAIN = cython.declare(
    cython.int, 40
)  # nothing but matches, pair tables and results: its turns can be taken in bursts
IS_ONLY_LEAF = cython.declare(cython.int, 41)  # it is the only leaf
SORTED_COUNT = cython.declare(cython.int, 42)  # how many of its matches, from the first on, are sorted

# a row of the table of variants
VARIANT_SHIFT = cython.declare(cython.int, 5)
V_RULE = cython.declare(cython.int, 0)
V_WIDTH = cython.declare(cython.int, 1)
V_HEIGHT = cython.declare(cython.int, 2)
V_TESTS = cython.declare(cython.int, 3)
V_TESTS_END = cython.declare(cython.int, 4)
V_ACTIONS = cython.declare(cython.int, 5)
V_ACTIONS_END = cython.declare(cython.int, 6)
V_TOTAL = cython.declare(cython.int, 7)  # sum of the weights of its results
V_WEIGHT = cython.declare(cython.int, 8)
V_ACCEPT = cython.declare(cython.int, 9)  # a draw below this is taken; 2^32 for always
V_CHANCE = cython.declare(cython.int, 10)
V_STAYS = cython.declare(cython.int, 11)  # it may still match after it was applied
V_GUARDS = cython.declare(cython.int, 12)
V_GUARDS_END = cython.declare(cython.int, 13)
V_PLANE = cython.declare(cython.int, 14)  # the labels of the regions it may write in, where they begin; -1: anywhere
V_TOUCHED = cython.declare(cython.int, 15)  # all cells that some result writes
V_TOUCHED_END = cython.declare(cython.int, 16)

# a row of the table of actions
ACTION_SHIFT = cython.declare(cython.int, 3)
A_FIRST = cython.declare(cython.int, 0)
A_LAST = cython.declare(cython.int, 1)
A_WEIGHT = cython.declare(cython.int, 2)
A_PAIRED = cython.declare(cython.int, 3)  # it has pair tables
A_GUARDS = cython.declare(cython.int, 4)  # which guards of its variant it can break, as bits
A_RULE = cython.declare(cython.int, 5)

# a row of the table of guards
GUARD_SHIFT = cython.declare(cython.int, 3)
G_KIND = cython.declare(cython.int, 0)  # 0 connected, 1 count, 2 distance
G_TILES = cython.declare(cython.int, 1)
G_OTHERS = cython.declare(cython.int, 2)
G_MIN = cython.declare(cython.int, 3)
G_MAX = cython.declare(cython.int, 4)  # -1 for none
G_WALK = cython.declare(cython.int, 5)  # walkable tiles
G_REFUSED = cython.declare(cython.int, 6)  # how often it refused

# places in the state
CURRENT_BRANCH = cython.declare(cython.int, 0)  # the branch that works, -1 at the end
TURNS = cython.declare(cython.int, 1)
MAX_TURNS = cython.declare(cython.int, 2)  # 0 for no limit
LOGGED = cython.declare(cython.int, 3)
NODE_NEEDING_ROOM = cython.declare(cython.int, 4)  # the node that needs a longer list, + 1
REWRITES = cython.declare(cython.int, 5)
EVENTS = cython.declare(cython.int, 6)
LOG_CELLS = cython.declare(cython.int, 7)  # some leaf finds matches by triggers
WORK = cython.declare(cython.int, 8)  # cells tested by searches, not yet counted as fuel
NEWEST_ACTION = cython.declare(cython.int, 9)  # index in the log of the newest action, if nothing follows it
MAX_LOG_PER_ACTION = cython.declare(cython.int, 10)  # most log entries one action makes
EVENTS_FULL = cython.declare(cython.int, 11)  # the buffer of events is full
LAST_LEAF = cython.declare(cython.int, 12)  # the leaf that acted last
COUNTS_TILES = cython.declare(cython.int, 13)  # some guard counts tiles
STAMP = cython.declare(cython.int, 14)  # of the newest search
UNFINISHED_BRANCH = cython.declare(cython.int, 15)  # the branch in which an unfinished turn began, + 1


@cython.cclass
class EngineState:
    """A program that runs on a map. The tables come from `rewrite/engine/program_tables.py`; `shape` is [width, height,
    stride, first cell].
    """

    state: cython.longlong[::1]
    nodes: cython.longlong[::1]
    children: cython.const[cython.int][::1]
    variants: cython.const[cython.longlong][::1]
    rules: cython.longlong[::1]  # applied and limit of each
    test_at: cython.const[cython.int][::1]
    test_set: cython.const[cython.longlong][::1]
    actions: cython.const[cython.longlong][::1]
    write_at: cython.const[cython.int][::1]
    write_tile: cython.const[cython.uchar][::1]
    touched: cython.const[cython.int][::1]
    changes: cython.const[cython.int][::1]
    spots: cython.const[cython.int][::1]
    pair_at: cython.const[cython.int][::1]
    pairs: cython.const[cython.longlong][::1]
    anchors: cython.const[cython.int][::1]
    guards: cython.longlong[::1]
    planes: cython.const[cython.int][::1]
    areas: cython.longlong[::1]
    shape: cython.const[cython.longlong][::1]
    streams: cython.ulonglong[::1]  # of each node, then of each rule
    grid: cython.uchar[::1]
    used: cython.uchar[::1]
    log: cython.longlong[::1]
    lists: cython.longlong[::1]
    scratch: cython.longlong[::1]  # as long as the longest list that is sorted
    digits: cython.longlong[::1]
    bits: cython.uchar[::1]
    hashes: cython.longlong[::1]
    counts: cython.longlong[::1]
    census: cython.longlong[::1]  # tile counts of the current map, for guards; from 64 on estimates for the initial map
    parked: cython.uchar[::1]
    marks: cython.longlong[::1]
    queue: cython.longlong[::1]
    kept: cython.uchar[::1]
    floods: cython.longlong[::1]
    choices: cython.uchar[::1]
    ring: cython.const[cython.uchar][::1]
    events: cython.longlong[::1]

    def __init__(self, arrays: dict) -> None:
        self.state = arrays["state"]
        self.nodes = arrays["nodes"]
        self.children = arrays["children"]
        self.variants = arrays["variants"]
        self.rules = arrays["rules"]
        self.test_at = arrays["test_at"]
        self.test_set = arrays["test_set"]
        self.actions = arrays["actions"]
        self.write_at = arrays["write_at"]
        self.write_tile = arrays["write_tile"]
        self.touched = arrays["touched"]
        self.changes = arrays["changes"]
        self.spots = arrays["spots"]
        self.pair_at = arrays["pair_at"]
        self.pairs = arrays["pairs"]
        self.anchors = arrays["anchors"]
        self.guards = arrays["guards"]
        self.planes = arrays["planes"]
        self.areas = arrays["areas"]
        self.shape = arrays["shape"]
        self.streams = arrays["streams"]
        self.grid = arrays["grid"]
        self.used = arrays["used"]
        self.log = arrays["log"]
        self.bits = arrays["bits"]
        self.counts = arrays["counts"]
        self.census = arrays["census"]
        self.parked = arrays["parked"]
        self.marks = arrays["marks"]
        self.queue = arrays["queue"]
        self.kept = arrays["kept"]
        self.floods = arrays["floods"]
        self.choices = arrays["choices"]
        self.ring = arrays["ring"]
        self.digits = arrays["digits"]
        self.use_longer_arrays(arrays["lists"], arrays["scratch"], arrays["hashes"], arrays["events"])

    def use_longer_arrays(
        self,
        lists: cython.longlong[::1],
        scratch: cython.longlong[::1],
        hashes: cython.longlong[::1],
        events: cython.longlong[::1],
    ) -> None:
        """Replace arrays by longer ones with the same contents."""
        self.lists = lists
        self.scratch = scratch
        self.hashes = hashes
        self.events = events

    # --- draws

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def draw(self, stream: cython.Py_ssize_t) -> cython.ulonglong:
        """The next 32 bits of a stream, as in `core/rng.py`."""
        old: cython.ulonglong = self.streams[2 * stream]
        self.streams[2 * stream] = advanced(old, self.streams[2 * stream + 1])
        return output(old)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def below(self, stream: cython.Py_ssize_t, bound: cython.ulonglong) -> cython.longlong:
        """A number from 0 to bound - 1, each equally likely."""
        product: cython.ulonglong = self.draw(stream) * bound
        while must_redraw(product, bound):
            product = self.draw(stream) * bound
        return product >> 32

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def passes_chance(self, stream: cython.Py_ssize_t, chance: cython.longlong) -> cython.bint:
        """Whether a draw is below a threshold; no draw if it always is."""
        return chance >= PROBABILITY_ONE or cython.cast(cython.longlong, self.draw(stream)) < chance

    # --- lists of matches

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def fits(self, variant: cython.Py_ssize_t, placement: cython.Py_ssize_t) -> cython.bint:
        """Whether a variant matches at a placement."""
        k: cython.Py_ssize_t
        for k in range(
            self.variants[(variant << VARIANT_SHIFT) + V_TESTS], self.variants[(variant << VARIANT_SHIFT) + V_TESTS_END]
        ):
            if not (self.test_set[k] >> self.grid[placement + self.test_at[k]]) & 1:
                return False
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def may_write(self, n: cython.Py_ssize_t, variant: cython.Py_ssize_t, placement: cython.Py_ssize_t) -> cython.bint:
        """Whether all cells that a variant writes there lie in one region in which it may write."""
        plane: cython.Py_ssize_t = self.variants[(variant << VARIANT_SHIFT) + V_PLANE]
        label: cython.longlong = 0
        here: cython.longlong
        k: cython.Py_ssize_t
        if self.nodes[n + REGIONS] >= 0:
            label = self.areas[self.nodes[n + AREAS] + 6 * self.nodes[n + REGION]]
        for k in range(
            self.variants[(variant << VARIANT_SHIFT) + V_TOUCHED],
            self.variants[(variant << VARIANT_SHIFT) + V_TOUCHED_END],
        ):
            here = self.planes[plane + placement + self.touched[k]]
            if here < 0:  # in the rim nothing is written
                continue
            if here == 0 or (label and here != label):
                return False
            label = here
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def hash_slot(self, n: cython.Py_ssize_t, entry: cython.longlong) -> cython.Py_ssize_t:
        """The slot of an entry in a node's hash table, or the free slot for it."""
        mask: cython.ulonglong = self.nodes[n + HASH_MASK]
        key: cython.ulonglong = cython.cast(cython.ulonglong, entry)
        spot: cython.ulonglong = (((key * HASH_MULTIPLIER) & MASK64) >> 24) & mask
        while self.hashes[self.nodes[n + HASH] + spot] >= 0 and self.hashes[self.nodes[n + HASH] + spot] != entry:
            spot = (spot + 1) & mask
        return self.nodes[n + HASH] + spot

    @cython.cfunc
    @cython.exceptval(check=False)
    def remove_from_hash(self, n: cython.Py_ssize_t, entry: cython.longlong) -> cython.int:
        """Remove an entry from a hash table. The entries behind it move up, so that no lookup ends too early."""
        mask: cython.ulonglong = self.nodes[n + HASH_MASK]
        start: cython.Py_ssize_t = self.nodes[n + HASH]
        hole: cython.ulonglong = self.hash_slot(n, entry) - start
        spot: cython.ulonglong = hole
        home: cython.ulonglong
        key: cython.ulonglong
        self.hashes[start + hole] = -1
        while True:
            spot = (spot + 1) & mask
            if self.hashes[start + spot] < 0:
                return 0
            key = cython.cast(cython.ulonglong, self.hashes[start + spot])
            home = (((key * HASH_MULTIPLIER) & MASK64) >> 24) & mask
            if ((spot - home) & mask) >= ((spot - hole) & mask):
                self.hashes[start + hole] = self.hashes[start + spot]
                self.hashes[start + spot] = -1
                hole = spot

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def add_match(self, n: cython.Py_ssize_t, local: cython.int, placement: cython.longlong) -> cython.int:
        """Add a match to a node's list, unless it is listed or its region is closed."""
        byte: cython.Py_ssize_t
        bit: cython.uchar
        entry: cython.longlong = (placement << 16) | local
        if self.variants[((self.nodes[n + FIRST] + local) << VARIANT_SHIFT) + V_PLANE] >= 0 and not self.may_write(
            n, self.nodes[n + FIRST] + local, placement
        ):
            return 0
        if self.nodes[n + LISTED_BY] == 0:
            byte = self.nodes[n + BITS] + placement * self.nodes[n + BYTES] + (local >> 3)
            bit = 1 << (local & 7)
            if self.bits[byte] & bit:
                return 0
            self.bits[byte] |= bit
        elif self.nodes[n + LISTED_BY] == 1:
            byte = self.hash_slot(n, entry)
            if self.hashes[byte] >= 0:
                return 0
            self.hashes[byte] = entry
        self.lists[self.nodes[n + LIST] + self.nodes[n + COUNT]] = entry
        self.nodes[n + COUNT] += 1
        return 1

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def unlist_match(self, n: cython.Py_ssize_t, entry: cython.longlong) -> cython.int:
        """Note that a match is no longer listed."""
        byte: cython.Py_ssize_t
        if self.nodes[n + LISTED_BY] == 0:
            byte = self.nodes[n + BITS] + (entry >> 16) * self.nodes[n + BYTES] + ((entry & 0xFFFF) >> 3)
            self.bits[byte] &= 255 - (1 << (entry & 7))
        elif self.nodes[n + LISTED_BY] == 1:
            self.remove_from_hash(n, entry)
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def drop_match(self, n: cython.Py_ssize_t, index: cython.longlong) -> cython.int:
        """Remove a match from a node's list; the last one takes its place."""
        start: cython.Py_ssize_t = self.nodes[n + LIST]
        self.unlist_match(n, self.lists[start + index])
        self.nodes[n + COUNT] -= 1
        self.lists[start + index] = self.lists[start + self.nodes[n + COUNT]]
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def clear_matches(self, n: cython.Py_ssize_t) -> cython.int:
        """Drop all matches of a node."""
        k: cython.Py_ssize_t
        for k in range(self.nodes[n + COUNT] - 1, -1, -1):
            self.drop_match(n, k)
        self.nodes[n + SORTED_COUNT] = 0
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def drop_false_matches(self, n: cython.Py_ssize_t) -> cython.int:
        """Drop all matches that became false or whose rule has reached its limit. In a sorted list the others keep
        their order.
        """
        k: cython.longlong
        v: cython.Py_ssize_t
        rule: cython.Py_ssize_t
        entry: cython.longlong
        kept: cython.longlong = 0
        count: cython.longlong = self.nodes[n + COUNT]
        known: cython.longlong = self.nodes[n + SORTED_COUNT]
        if self.nodes[n + SORTED]:
            for k in range(count):
                entry = self.lists[self.nodes[n + LIST] + k]
                if k == known:
                    self.nodes[n + SORTED_COUNT] = kept
                v = self.nodes[n + FIRST] + (entry & 0xFFFF)
                rule = self.variants[(v << VARIANT_SHIFT) + V_RULE]
                if (self.rules[2 * rule + 1] and self.rules[2 * rule] >= self.rules[2 * rule + 1]) or not self.fits(
                    v, entry >> 16
                ):
                    self.unlist_match(n, entry)
                    continue
                self.lists[self.nodes[n + LIST] + kept] = entry
                kept += 1
            if known == count:
                self.nodes[n + SORTED_COUNT] = kept
            self.nodes[n + COUNT] = kept
            return 0
        for k in range(self.nodes[n + COUNT] - 1, -1, -1):
            entry = self.lists[self.nodes[n + LIST] + k]
            v = self.nodes[n + FIRST] + (entry & 0xFFFF)
            rule = self.variants[(v << VARIANT_SHIFT) + V_RULE]
            if (self.rules[2 * rule + 1] and self.rules[2 * rule] >= self.rules[2 * rule + 1]) or not self.fits(
                v, entry >> 16
            ):
                self.drop_match(n, k)
        return 0

    # --- finding matches

    @cython.cfunc
    @cython.exceptval(check=False)
    def scan_variant(self, n: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Find all matches of one variant, in reading order; only around its region if the node works through regions.
        False if the list is too short.
        """
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        row: cython.Py_ssize_t
        k: cython.Py_ssize_t
        area: cython.Py_ssize_t
        wide: cython.Py_ssize_t = self.variants[(v << VARIANT_SHIFT) + V_WIDTH]
        high: cython.Py_ssize_t = self.variants[(v << VARIANT_SHIFT) + V_HEIGHT]
        over: cython.bint = self.nodes[n + OUTSIDE] != 0
        left: cython.Py_ssize_t = 1 - wide if over else 0
        top: cython.Py_ssize_t = 1 - high if over else 0
        right: cython.Py_ssize_t = self.shape[0] if over else self.shape[0] - wide + 1
        bottom: cython.Py_ssize_t = self.shape[1] if over else self.shape[1] - high + 1
        anchor: cython.Py_ssize_t = 0
        admitted: cython.longlong = -1
        if self.nodes[n + REGIONS] >= 0:
            area = self.nodes[n + AREAS] + 6 * self.nodes[n + REGION]
            left = max(left, self.areas[area + 1] - wide + 1)
            top = max(top, self.areas[area + 2] - high + 1)
            right = min(right, self.areas[area + 3])
            bottom = min(bottom, self.areas[area + 4])
        k = self.variants[(v << VARIANT_SHIFT) + V_TESTS]
        if k < self.variants[(v << VARIANT_SHIFT) + V_TESTS_END]:
            anchor = self.test_at[k]
            admitted = self.test_set[k]
        if bottom > top and right > left:
            self.state[WORK] += (bottom - top) * (right - left) // 8 + 1
        for y in range(top, bottom):
            row = self.shape[3] + y * self.shape[2]
            for x in range(left, right):
                if (admitted >> self.grid[row + x + anchor]) & 1 and self.fits(v, row + x):
                    if self.nodes[n + COUNT] >= self.nodes[n + LIST_CAPACITY]:
                        return False
                    self.add_match(n, v - self.nodes[n + FIRST], row + x)
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def scan_node(self, n: cython.Py_ssize_t) -> cython.bint:
        """Find all matches of a node. False if its list is too short.

        By anchors: `anchors[ANCHORS + class]` is where the rows for that class begin: their number, then (local
        variant, offset of its first test) each.
        """
        v: cython.Py_ssize_t
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        row: cython.Py_ssize_t
        k: cython.Py_ssize_t
        m: cython.Py_ssize_t
        placement: cython.Py_ssize_t
        first: cython.Py_ssize_t = self.nodes[n + FIRST]
        table: cython.Py_ssize_t = self.nodes[n + ANCHORS]
        width: cython.Py_ssize_t = self.shape[0]
        total: cython.longlong
        self.clear_matches(n)
        if self.nodes[n + REGIONS] == 0:
            self.nodes[n + SCANNED] = 1
            return True
        if self.nodes[n + ANCHORS] < 0 or self.nodes[n + REGIONS] > 0:
            for v in range(first, self.nodes[n + LAST]):
                if not self.scan_variant(n, v):
                    return False
            self.nodes[n + SCANNED] = 1
            return True
        if self.nodes[n + MAY_TRY_BY_LOT] and self.nodes[n + BY_LOT] == 0:
            total = 0
            for k in range(63):
                total += self.census[64 + k] * self.anchors[self.anchors[table + k]]
            if total > 2 * width * self.shape[1]:
                self.nodes[n + BY_LOT] = 1
                self.nodes[n + MISSES] = 0
                self.nodes[n + SCANNED] = 1
                return True
        self.state[WORK] += width * self.shape[1] // 8 + 1
        for y in range(self.shape[1]):
            row = self.shape[3] + y * self.shape[2]
            for x in range(width):
                k = self.anchors[table + self.grid[row + x]]
                m = self.anchors[k]
                while m > 0:
                    m -= 1
                    placement = row + x - self.anchors[k + 2]
                    if self.fits(first + self.anchors[k + 1], placement):
                        if self.nodes[n + COUNT] >= self.nodes[n + LIST_CAPACITY]:
                            return False
                        self.add_match(n, self.anchors[k + 1], placement)
                    k += 2
        self.nodes[n + BY_LOT] = 0
        self.nodes[n + SCANNED] = 1
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def touches_map(self, v: cython.Py_ssize_t, placement: cython.Py_ssize_t) -> cython.bint:
        """Whether the box of a variant has a cell on the map."""
        beside: cython.Py_ssize_t = self.shape[2] - self.shape[0]
        x: cython.Py_ssize_t = (placement + beside) % self.shape[2] - beside
        y: cython.Py_ssize_t = (placement + beside) // self.shape[2] - self.shape[3] // self.shape[2]
        return (
            x + self.variants[(v << VARIANT_SHIFT) + V_WIDTH] > 0
            and y + self.variants[(v << VARIANT_SHIFT) + V_HEIGHT] > 0
            and y < self.shape[1]
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def retry_refused(self, n: cython.Py_ssize_t, cell: cython.Py_ssize_t) -> cython.int:
        """After a change of a cell, try again the matches nearby that guards refused."""
        y: cython.Py_ssize_t
        x: cython.Py_ssize_t
        v: cython.Py_ssize_t
        reach: cython.Py_ssize_t = self.nodes[n + RADIUS]
        placement: cython.Py_ssize_t
        for y in range(1 - self.nodes[n + MAX_HEIGHT] - reach, reach + 1):
            for x in range(1 - self.nodes[n + MAX_WIDTH] - reach, reach + 1):
                placement = cell + y * self.shape[2] + x
                if (
                    placement < 0
                    or placement >= self.grid.shape[0]
                    or not self.parked[self.nodes[n + PARKED] + placement]
                ):
                    continue
                self.parked[self.nodes[n + PARKED] + placement] = 0
                for v in range(self.nodes[n + FIRST], self.nodes[n + LAST]):
                    if (
                        self.variants[(v << VARIANT_SHIFT) + V_GUARDS]
                        == self.variants[(v << VARIANT_SHIFT) + V_GUARDS_END]
                    ):
                        continue
                    if self.nodes[n + OUTSIDE] and not self.touches_map(v, placement):
                        continue
                    if self.fits(v, placement):
                        self.add_match(n, v - self.nodes[n + FIRST], placement)
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def update_matches(self, n: cython.Py_ssize_t) -> cython.bint:
        """Bring a node's list up to date. False if it is too short.

        `changes[triggers + old * 64 + new]` is where in `spots` the rows for that change begin: their number, then
        (local variant, offset) each. `pair_at[pairs + action]` is where in `pairs` the rows for that action begin:
        their number, then (local variant, offset, tests, (offset, set) ...) each.
        """
        entry: cython.longlong
        placement: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        old: cython.Py_ssize_t
        new: cython.Py_ssize_t
        k: cython.Py_ssize_t
        m: cython.Py_ssize_t
        tests: cython.Py_ssize_t
        local: cython.int
        first: cython.Py_ssize_t = self.nodes[n + FIRST]
        pair_start: cython.Py_ssize_t = self.nodes[n + PAIRS]
        by_pairs: cython.bint = pair_start >= 0
        seen: cython.longlong = self.nodes[n + LOG_SEEN]
        logged: cython.longlong = self.state[LOGGED]
        newest: cython.longlong = self.state[NEWEST_ACTION]
        good: cython.bint
        if self.nodes[n + SCANNED] == 0:
            if not self.scan_node(n):
                return False
            self.nodes[n + LOG_SEEN] = self.state[LOGGED]
            return True
        if self.nodes[n + BY_LOT]:
            self.nodes[n + LOG_SEEN] = self.state[LOGGED]
            return True
        while seen < logged:
            if self.nodes[n + COUNT] + self.nodes[n + MAX_NEW_MATCHES] > self.nodes[n + LIST_CAPACITY]:
                # too many to hold: try random places
                if self.nodes[n + MAY_TRY_BY_LOT] and self.nodes[n + COUNT] > 2 * self.shape[0] * self.shape[1]:
                    self.clear_matches(n)
                    self.nodes[n + BY_LOT] = 1
                    self.nodes[n + MISSES] = 0
                    self.nodes[n + LOG_SEEN] = logged
                    return True
                self.nodes[n + LOG_SEEN] = seen
                return False
            entry = self.log[seen]
            if entry & 3 == 0:  # an action: placement and action
                if by_pairs:
                    placement = entry >> 22
                    k = self.pair_at[pair_start + ((entry >> 2) & 0xFFFFF)]
                    m = self.pairs[k]
                    k += 1
                    while m > 0:
                        m -= 1
                        local = self.pairs[k]
                        cell = placement + self.pairs[k + 1]
                        tests = self.pairs[k + 2]
                        k += 3
                        good = True
                        while tests > 0:
                            if not (self.pairs[k + 1] >> self.grid[placement + self.pairs[k]]) & 1:
                                good = False
                                k += 2 * tests
                                break
                            tests -= 1
                            k += 2
                        if not good:
                            continue
                        if seen != newest and not self.fits(first + local, cell):
                            continue
                        self.add_match(n, local, cell)
            elif entry & 3 == 1 or not by_pairs:  # a cell: its index and its old class
                cell = entry >> 8
                old = (entry >> 2) & 63
                new = self.grid[cell]
                if old != new:
                    k = self.changes[self.nodes[n + TRIGGERS] + old * 64 + new]
                    m = self.spots[k]
                    k += 1
                    while m > 0:
                        m -= 1
                        local = self.spots[k]
                        placement = cell - self.spots[k + 1]
                        k += 2
                        if self.fits(first + local, placement):
                            self.add_match(n, local, placement)
                    if self.nodes[n + RADIUS] > 0:
                        self.retry_refused(n, cell)
            seen += 1
        self.nodes[n + LOG_SEEN] = seen
        return True

    # --- guards

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_broken_guard(
        self, v: cython.Py_ssize_t, action: cython.Py_ssize_t, placement: cython.Py_ssize_t
    ) -> cython.int:
        """The number of the first guard of the variant that an action there breaks, + 1; 0 if it breaks none."""
        k: cython.Py_ssize_t
        g: cython.Py_ssize_t
        first: cython.Py_ssize_t = self.variants[(v << VARIANT_SHIFT) + V_GUARDS]
        fine: cython.bint
        for k in range(self.variants[(v << VARIANT_SHIFT) + V_GUARDS_END] - first):
            if not (self.actions[(action << ACTION_SHIFT) + A_GUARDS] >> k) & 1:
                continue
            g = (first + k) << GUARD_SHIFT
            if self.guards[g + G_KIND] == 1:
                fine = self.keeps_count(g, action, placement)
            elif self.guards[g + G_KIND] == 0:
                fine = self.keeps_connected(
                    g,
                    action,
                    placement,
                    self.variants[(v << VARIANT_SHIFT) + V_WIDTH],
                    self.variants[(v << VARIANT_SHIFT) + V_HEIGHT],
                )
            else:
                fine = self.keeps_distance(g, action, placement)
            if not fine:
                self.guards[g + G_REFUSED] += 1
                return first + k + 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def keeps_count(self, g: cython.Py_ssize_t, action: cython.Py_ssize_t, placement: cython.Py_ssize_t) -> cython.bint:
        """Whether the number of some tiles stays within its bounds. An action that does not change it passes."""
        tiles: cython.longlong = self.guards[g + G_TILES]
        more: cython.longlong = 0
        total: cython.longlong = 0
        k: cython.Py_ssize_t
        tile: cython.int
        for k in range(
            self.actions[(action << ACTION_SHIFT) + A_FIRST], self.actions[(action << ACTION_SHIFT) + A_LAST]
        ):
            tile = self.grid[placement + self.write_at[k]]
            if tile != RIM:
                more += ((tiles >> self.write_tile[k]) & 1) - ((tiles >> tile) & 1)
        if more == 0:
            return True
        for k in range(63):
            if (tiles >> k) & 1:
                total += self.census[k]
        if more > 0:
            return self.guards[g + G_MAX] < 0 or total + more <= self.guards[g + G_MAX]
        return total + more >= self.guards[g + G_MIN]

    @cython.cfunc
    @cython.exceptval(check=False)
    def has_count_slack(self, n: cython.Py_ssize_t) -> cython.bint:
        """Whether some counting guard has slack again."""
        v: cython.Py_ssize_t
        g: cython.Py_ssize_t
        k: cython.Py_ssize_t
        total: cython.longlong
        for v in range(self.nodes[n + FIRST], self.nodes[n + LAST]):
            for g in range(
                self.variants[(v << VARIANT_SHIFT) + V_GUARDS], self.variants[(v << VARIANT_SHIFT) + V_GUARDS_END]
            ):
                if self.guards[(g << GUARD_SHIFT) + G_KIND] == 1:
                    total = 0
                    for k in range(63):
                        if (self.guards[(g << GUARD_SHIFT) + G_TILES] >> k) & 1:
                            total += self.census[k]
                    if (
                        total < self.guards[(g << GUARD_SHIFT) + G_MAX]
                        or total > self.guards[(g << GUARD_SHIFT) + G_MIN] > 0
                    ):
                        return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def write_trial(self, action: cython.Py_ssize_t, placement: cython.Py_ssize_t) -> cython.int:
        """Write an action for a trial, and store the old cells."""
        k: cython.Py_ssize_t
        first: cython.Py_ssize_t = self.actions[(action << ACTION_SHIFT) + A_FIRST]
        cell: cython.Py_ssize_t
        for k in range(first, self.actions[(action << ACTION_SHIFT) + A_LAST]):
            cell = placement + self.write_at[k]
            self.kept[k - first] = self.grid[cell]
            if self.grid[cell] != RIM:
                self.grid[cell] = self.write_tile[k]
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def undo_trial(self, action: cython.Py_ssize_t, placement: cython.Py_ssize_t) -> cython.int:
        """End a trial."""
        k: cython.Py_ssize_t
        first: cython.Py_ssize_t = self.actions[(action << ACTION_SHIFT) + A_FIRST]
        for k in range(first, self.actions[(action << ACTION_SHIFT) + A_LAST]):
            self.grid[placement + self.write_at[k]] = self.kept[k - first]
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def keeps_connected(
        self,
        g: cython.Py_ssize_t,
        action: cython.Py_ssize_t,
        placement: cython.Py_ssize_t,
        wide: cython.Py_ssize_t,
        high: cython.Py_ssize_t,
    ) -> cython.bint:
        """Whether connected cells stay connected and no new part appears. Tests the neighbouring cells first, and
        searches only if they do not decide it.
        """
        tiles: cython.longlong = self.guards[g + G_TILES]
        k: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        spot: cython.Py_ssize_t = -1
        changed: cython.Py_ssize_t = 0
        total: cython.longlong
        after: cython.bint = False
        around: cython.int
        stride: cython.Py_ssize_t = self.shape[2]
        fine: cython.bint
        for k in range(
            self.actions[(action << ACTION_SHIFT) + A_FIRST], self.actions[(action << ACTION_SHIFT) + A_LAST]
        ):
            cell = placement + self.write_at[k]
            if self.grid[cell] != RIM and ((tiles >> self.grid[cell]) & 1) != ((tiles >> self.write_tile[k]) & 1):
                changed += 1
                spot = cell
                after = (tiles >> self.write_tile[k]) & 1
        if changed == 0:
            return True
        if changed == 1:
            around = (
                ((tiles >> self.grid[spot - stride]) & 1)
                | (((tiles >> self.grid[spot - stride + 1]) & 1) << 1)
                | (((tiles >> self.grid[spot + 1]) & 1) << 2)
                | (((tiles >> self.grid[spot + stride + 1]) & 1) << 3)
                | (((tiles >> self.grid[spot + stride]) & 1) << 4)
                | (((tiles >> self.grid[spot + stride - 1]) & 1) << 5)
                | (((tiles >> self.grid[spot - 1]) & 1) << 6)
                | (((tiles >> self.grid[spot - stride - 1]) & 1) << 7)
            )
            if after:
                if around & 0x55:
                    return True
                total = 0
                for k in range(63):
                    if (tiles >> k) & 1:
                        total += self.census[k]
                return total == 0  # the first part on the map
            if self.ring[around] <= 1:
                return True
            self.write_trial(action, placement)
            self.state[STAMP] += 8
            k = 0
            if (around >> 0) & 1:
                k = self.begin_flood(k, spot - stride)
            if (around >> 2) & 1:
                k = self.begin_flood(k, spot + 1)
            if (around >> 4) & 1:
                k = self.begin_flood(k, spot + stride)
            if (around >> 6) & 1:
                k = self.begin_flood(k, spot - 1)
            fine = self.floods_meet(tiles, k)
            self.undo_trial(action, placement)
            return fine
        return self.keeps_parts_joined(tiles, action, placement, wide, high)

    @cython.cfunc
    @cython.exceptval(check=False)
    def keeps_parts_joined(
        self,
        tiles: cython.longlong,
        action: cython.Py_ssize_t,
        placement: cython.Py_ssize_t,
        wide: cython.Py_ssize_t,
        high: cython.Py_ssize_t,
    ) -> cython.bint:
        """The same for several cells: label the box and a ring around it before and after, and compare which parts are
        split.
        """
        stride: cython.Py_ssize_t = self.shape[2]
        width: cython.Py_ssize_t = wide + 2
        cells: cython.Py_ssize_t = width * (high + 2)
        corner: cython.Py_ssize_t = placement - stride - 1
        k: cython.Py_ssize_t
        m: cython.Py_ssize_t
        part: cython.longlong
        old_parts: cython.longlong
        new_parts: cython.longlong
        born: cython.longlong = 0
        died: cython.longlong = 0
        total: cython.longlong = 0
        apart: cython.bint
        fine: cython.bint = True
        old_parts = self.label_window(tiles, corner, width, cells, 0)
        self.write_trial(action, placement)
        new_parts = self.label_window(tiles, corner, width, cells, cells)
        for part in range(1, new_parts + 1):  # a part without any cell that was there before is new
            apart = True
            for k in range(cells):
                if self.counts[cells + k] == part and self.counts[k]:
                    apart = False
                    break
            if apart:
                born += 1
        for part in range(1, old_parts + 1):
            m = 0
            apart = False
            for k in range(cells):
                if self.counts[k] == part and self.counts[cells + k]:
                    if m == 0:
                        m = self.counts[cells + k]
                    elif self.counts[cells + k] != m:
                        apart = True
                        break
            if m == 0:
                died += 1
            elif apart and fine:
                self.state[STAMP] += 8
                fine = self.is_part_joined(tiles, corner, width, cells, part, new_parts)
        self.undo_trial(action, placement)
        if not fine:
            return False
        if born > died:
            for k in range(63):
                if (tiles >> k) & 1:
                    total += self.census[k]
            return total == 0 and born == 1
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def label_window(
        self,
        tiles: cython.longlong,
        corner: cython.Py_ssize_t,
        width: cython.Py_ssize_t,
        cells: cython.Py_ssize_t,
        at: cython.Py_ssize_t,
    ) -> cython.longlong:
        """Number the parts within a window, in `counts` from `at` on; 0 for cells of no part. Returns how many there
        are.
        """
        k: cython.Py_ssize_t
        m: cython.Py_ssize_t
        head: cython.Py_ssize_t
        tail: cython.Py_ssize_t
        parts: cython.longlong = 0
        for k in range(cells):
            self.counts[at + k] = -((tiles >> self.grid[corner + (k // width) * self.shape[2] + k % width]) & 1)
        for k in range(cells):
            if self.counts[at + k] >= 0:
                continue
            parts += 1
            self.counts[at + k] = parts
            self.queue[0] = k
            head = 0
            tail = 1
            while head < tail:
                m = self.queue[head]
                head += 1
                if m % width > 0 and self.counts[at + m - 1] < 0:
                    self.counts[at + m - 1] = parts
                    self.queue[tail] = m - 1
                    tail += 1
                if m % width < width - 1 and self.counts[at + m + 1] < 0:
                    self.counts[at + m + 1] = parts
                    self.queue[tail] = m + 1
                    tail += 1
                if m >= width and self.counts[at + m - width] < 0:
                    self.counts[at + m - width] = parts
                    self.queue[tail] = m - width
                    tail += 1
                if m < cells - width and self.counts[at + m + width] < 0:
                    self.counts[at + m + width] = parts
                    self.queue[tail] = m + width
                    tail += 1
        return parts

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_part_joined(
        self,
        tiles: cython.longlong,
        corner: cython.Py_ssize_t,
        width: cython.Py_ssize_t,
        cells: cython.Py_ssize_t,
        part: cython.longlong,
        new_parts: cython.longlong,
    ) -> cython.bint:
        """Whether the pieces of an old part within the window are still connected outside of it. Joins the pieces one
        after the other.
        """
        k: cython.Py_ssize_t
        piece: cython.longlong
        sources: cython.Py_ssize_t
        first: cython.Py_ssize_t = -1
        here: cython.Py_ssize_t
        for piece in range(1, new_parts + 1):
            here = -1
            for k in range(cells):
                if self.counts[k] == part and self.counts[cells + k] == piece:
                    here = corner + (k // width) * self.shape[2] + k % width
                    break
            if here < 0:
                continue
            if first < 0:
                first = here
                continue
            self.state[STAMP] += 8
            sources = self.begin_flood(0, first)
            sources = self.begin_flood(sources, here)
            if not self.floods_meet(tiles, sources):
                return False
        return True

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def begin_flood(self, number: cython.Py_ssize_t, cell: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Begin a flood at a cell; the floods share one queue, which holds their cells in turns."""
        self.marks[cell] = self.state[STAMP] + number
        self.queue[number] = cell
        return number + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def floods_meet(self, tiles: cython.longlong, sources: cython.Py_ssize_t) -> cython.bint:
        """Whether up to four floods all meet. They advance cell by cell in turns; the answer is no if one ends before
        it meets the others.
        """
        stamp: cython.longlong = self.state[STAMP]
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = sources
        k: cython.Py_ssize_t
        m: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        next_cell: cython.Py_ssize_t
        mine: cython.longlong
        other: cython.longlong
        groups: cython.Py_ssize_t = sources
        side: cython.int
        for k in range(4):  # of each flood: its cells still in the queue, and the group of floods it has met
            self.floods[k] = 1
            self.floods[4 + k] = k
        while groups > 1:
            cell = self.queue[head]
            head += 1
            mine = self.marks[cell] - stamp
            for side in range(4):
                next_cell = cell + (
                    1 if side == 0 else -1 if side == 1 else self.shape[2] if side == 2 else -self.shape[2]
                )
                if not (tiles >> self.grid[next_cell]) & 1:
                    continue
                if self.marks[next_cell] < stamp:
                    self.marks[next_cell] = stamp + mine
                    self.queue[tail] = next_cell
                    tail += 1
                    self.floods[mine] += 1
                else:
                    other = self.marks[next_cell] - stamp
                    if self.floods[4 + other] != self.floods[4 + mine]:
                        m = self.floods[4 + other]
                        for k in range(sources):
                            if self.floods[4 + k] == m:
                                self.floods[4 + k] = self.floods[4 + mine]
                        groups -= 1
            self.floods[mine] -= 1
            if groups > 1:
                m = 0
                for k in range(sources):
                    if self.floods[4 + k] == self.floods[4 + mine]:
                        m += self.floods[k]
                if m == 0:
                    self.state[WORK] += head
                    return False
        self.state[WORK] += head
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def keeps_distance(
        self, g: cython.Py_ssize_t, action: cython.Py_ssize_t, placement: cython.Py_ssize_t
    ) -> cython.bint:
        """Whether no path through a changed cell brings two of the tiles too near to each other."""
        k: cython.Py_ssize_t
        first: cython.Py_ssize_t = self.actions[(action << ACTION_SHIFT) + A_FIRST]
        matter: cython.longlong
        old: cython.int
        fine: cython.bint = True
        self.write_trial(action, placement)
        for k in range(first, self.actions[(action << ACTION_SHIFT) + A_LAST]):
            old = self.kept[k - first]
            if old == RIM or old == self.write_tile[k]:
                continue
            matter = 0
            if not (self.guards[g + G_WALK] >> old) & 1:
                matter |= self.guards[g + G_WALK]
            if not (self.guards[g + G_TILES] >> old) & 1:
                matter |= self.guards[g + G_TILES]
            if not (self.guards[g + G_OTHERS] >> old) & 1:
                matter |= self.guards[g + G_OTHERS]
            if (matter >> self.write_tile[k]) & 1 and not self.is_far_enough(g, placement + self.write_at[k]):
                fine = False
                break
        self.undo_trial(action, placement)
        return fine

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_far_enough(self, g: cython.Py_ssize_t, cell: cython.Py_ssize_t) -> cython.bint:
        """Whether no two of the tiles, on different cells, are nearer than the limit by a path through this cell."""
        tiles: cython.longlong = self.guards[g + G_TILES]
        others: cython.longlong = self.guards[g + G_OTHERS]
        walk: cython.longlong = self.guards[g + G_WALK]
        least: cython.longlong = self.guards[g + G_MIN]
        stamp: cython.longlong
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = 1
        level: cython.Py_ssize_t = 1  # where the cells of the next distance begin
        steps: cython.longlong = 0
        here: cython.Py_ssize_t
        next_cell: cython.Py_ssize_t
        side: cython.int
        tile: cython.int
        # steps to the nearest tile of each kind, its cell, and the steps to the nearest on another cell
        a: cython.longlong = -1
        a_cell: cython.Py_ssize_t = -1
        a_next: cython.longlong = -1
        b: cython.longlong = -1
        b_cell: cython.Py_ssize_t = -1
        b_next: cython.longlong = -1
        through: cython.bint = (walk >> self.grid[cell]) & 1  # else it can only be an end of the path
        self.state[STAMP] += 8
        stamp = self.state[STAMP]
        self.marks[cell] = stamp
        self.queue[0] = cell
        while head < tail:
            if head == level:
                steps += 1
                level = tail
                if steps >= least:
                    break
            here = self.queue[head]
            head += 1
            tile = self.grid[here]
            if (tiles >> tile) & 1:
                if a < 0:
                    a = steps
                    a_cell = here
                elif a_next < 0:
                    a_next = steps
            if (others >> tile) & 1:
                if b < 0:
                    b = steps
                    b_cell = here
                elif b_next < 0:
                    b_next = steps
            if not (walk >> tile) & 1 and here != cell:
                continue
            for side in range(4):
                next_cell = here + (
                    1 if side == 0 else -1 if side == 1 else self.shape[2] if side == 2 else -self.shape[2]
                )
                tile = self.grid[next_cell]
                if self.marks[next_cell] < stamp and tile != RIM and ((walk | tiles | others) >> tile) & 1:
                    self.marks[next_cell] = stamp
                    self.queue[tail] = next_cell
                    tail += 1
        self.state[WORK] += tail
        if a < 0 or b < 0:
            return True
        if not through:  # one of the two is this cell
            if a_cell == cell and b_cell == cell:
                return (a_next < 0 or a_next >= least) and (b_next < 0 or b_next >= least)
            if a_cell != cell and b_cell != cell:
                return True
            return a + b >= least
        if a_cell != b_cell:
            return a + b >= least
        return (a_next < 0 or a_next + b >= least) and (b_next < 0 or a + b_next >= least)

    @cython.cfunc
    @cython.exceptval(check=False)
    def remember_refused(
        self, n: cython.Py_ssize_t, guard: cython.Py_ssize_t, placement: cython.Py_ssize_t
    ) -> cython.int:
        """Store where a guard refused a match, to try it again when something nearby changes."""
        if self.nodes[n + RADIUS] < 0 or self.guards[(guard << GUARD_SHIFT) + G_KIND] == 1:
            self.nodes[n + REFUSED] = 1
            self.nodes[n + REFUSED_AT] = self.state[REWRITES]
        else:
            self.parked[self.nodes[n + PARKED] + placement] = 1
        return 0

    # --- choosing

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def pick_result(self, variant: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Draw one of the variant's results by weight from the stream of its rule, as an action."""
        action: cython.Py_ssize_t = self.variants[(variant << VARIANT_SHIFT) + V_ACTIONS]
        ticket: cython.longlong
        if self.variants[(variant << VARIANT_SHIFT) + V_ACTIONS_END] - action == 1:
            return action
        ticket = self.below(
            (self.nodes.shape[0] >> NODE_SHIFT) + self.variants[(variant << VARIANT_SHIFT) + V_RULE],
            self.variants[(variant << VARIANT_SHIFT) + V_TOTAL],
        )
        while ticket >= self.actions[(action << ACTION_SHIFT) + A_WEIGHT]:
            ticket -= self.actions[(action << ACTION_SHIFT) + A_WEIGHT]
            action += 1
        return action

    @cython.cfunc
    @cython.exceptval(check=False)
    def pick_other_result(
        self, variant: cython.Py_ssize_t, refused: cython.Py_ssize_t, placement: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Draw, by weight, one of the results that guards allow there, after one was refused; -1 if they allow none."""
        first: cython.Py_ssize_t = self.variants[(variant << VARIANT_SHIFT) + V_ACTIONS]
        last: cython.Py_ssize_t = self.variants[(variant << VARIANT_SHIFT) + V_ACTIONS_END]
        action: cython.Py_ssize_t
        total: cython.longlong = 0
        ticket: cython.longlong
        for action in range(first, last):
            self.choices[action - first] = 0
            if (
                action != refused
                and self.actions[(action << ACTION_SHIFT) + A_WEIGHT]
                and self.find_broken_guard(variant, action, placement) == 0
            ):
                self.choices[action - first] = 1
                total += self.actions[(action << ACTION_SHIFT) + A_WEIGHT]
        if total == 0:
            return -1
        ticket = self.below(
            (self.nodes.shape[0] >> NODE_SHIFT) + self.variants[(variant << VARIANT_SHIFT) + V_RULE], total
        )
        for action in range(first, last):
            if self.choices[action - first]:
                if ticket < self.actions[(action << ACTION_SHIFT) + A_WEIGHT]:
                    return action
                ticket -= self.actions[(action << ACTION_SHIFT) + A_WEIGHT]
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def changes_map(self, action: cython.Py_ssize_t, placement: cython.Py_ssize_t) -> cython.bint:
        """Whether an action would change a cell of the map."""
        k: cython.Py_ssize_t
        tile: cython.uchar
        for k in range(
            self.actions[(action << ACTION_SHIFT) + A_FIRST], self.actions[(action << ACTION_SHIFT) + A_LAST]
        ):
            tile = self.grid[placement + self.write_at[k]]
            if tile != RIM and tile != self.write_tile[k]:
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def could_act(
        self, variant: cython.Py_ssize_t, placement: cython.Py_ssize_t, must_change: cython.bint
    ) -> cython.bint:
        """Whether some result could be written there: guards allow it, and it does not lie beyond the border. With
        `must_change`, it also changes the map.
        """
        action: cython.Py_ssize_t
        k: cython.Py_ssize_t
        acts: cython.bint
        for action in range(
            self.variants[(variant << VARIANT_SHIFT) + V_ACTIONS],
            self.variants[(variant << VARIANT_SHIFT) + V_ACTIONS_END],
        ):
            if self.actions[(action << ACTION_SHIFT) + A_WEIGHT] == 0:
                continue
            if must_change:
                acts = self.changes_map(action, placement)
            else:
                acts = (
                    self.actions[(action << ACTION_SHIFT) + A_FIRST] == self.actions[(action << ACTION_SHIFT) + A_LAST]
                )
                for k in range(
                    self.actions[(action << ACTION_SHIFT) + A_FIRST], self.actions[(action << ACTION_SHIFT) + A_LAST]
                ):
                    if self.grid[placement + self.write_at[k]] != RIM:
                        acts = True
                        break
            if acts and (
                self.actions[(action << ACTION_SHIFT) + A_GUARDS] == 0
                or self.find_broken_guard(variant, action, placement) == 0
            ):
                return True
        return False

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def record_event(self, action: cython.longlong, placement: cython.longlong) -> cython.int:
        """Record an action for the timeline, if one is recorded."""
        if self.events.shape[0]:
            self.events[2 * self.state[EVENTS]] = self.state[TURNS]
            self.events[2 * self.state[EVENTS] + 1] = (placement << 22) | action
            self.state[EVENTS] += 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def choose_match(self, n: cython.Py_ssize_t) -> cython.longlong:
        """Choose one of the matches, all of which are true: by rule (a variant, then a place), by token (the contents
        of its cells, then a place), or the first.
        """
        start: cython.Py_ssize_t = self.nodes[n + LIST]
        first: cython.Py_ssize_t = self.nodes[n + FIRST]
        stream: cython.Py_ssize_t = n >> NODE_SHIFT
        count: cython.longlong = self.nodes[n + COUNT]
        k: cython.longlong
        v: cython.Py_ssize_t
        ticket: cython.longlong
        total: cython.longlong = 0
        best: cython.longlong = -1
        key: cython.ulonglong
        most: cython.ulonglong = 0
        salt: cython.ulonglong
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        placement: cython.Py_ssize_t
        seen: cython.ulonglong = 0
        entry: cython.longlong
        if self.nodes[n + PICK] == 1:
            for v in range(first, self.nodes[n + LAST]):
                self.counts[v - first] = 0
            for k in range(count):
                self.counts[self.lists[start + k] & 0xFFFF] += 1
            for v in range(first, self.nodes[n + LAST]):
                if self.counts[v - first]:
                    total += self.variants[(v << VARIANT_SHIFT) + V_WEIGHT]
            if total == 0:
                return -1
            ticket = self.below(stream, total)
            v = first
            while True:
                if self.counts[v - first]:
                    if ticket < self.variants[(v << VARIANT_SHIFT) + V_WEIGHT]:
                        break
                    ticket -= self.variants[(v << VARIANT_SHIFT) + V_WEIGHT]
                v += 1
            ticket = self.below(stream, self.counts[v - first])
            for k in range(count):
                if first + (self.lists[start + k] & 0xFFFF) == v:
                    if ticket == 0:
                        return k
                    ticket -= 1
        if (
            self.nodes[n + PICK] == 2
            # each token gets a random rank from its contents and a draw: the highest wins, then each of its places is
            # equally likely
        ):
            salt = self.draw(stream) << 32  # one draw per line: C may evaluate two in either order
            salt |= self.draw(stream)
            for k in range(count):
                entry = self.lists[start + k]
                v = first + (entry & 0xFFFF)
                placement = entry >> 16
                key = (
                    salt
                    ^ (
                        self.variants[(v << VARIANT_SHIFT) + V_WIDTH] * 64
                        + self.variants[(v << VARIANT_SHIFT) + V_HEIGHT]
                    )
                ) & MASK64
                for y in range(self.variants[(v << VARIANT_SHIFT) + V_HEIGHT]):
                    for x in range(self.variants[(v << VARIANT_SHIFT) + V_WIDTH]):
                        key = advanced(key ^ (self.grid[placement + y * self.shape[2] + x] + 1), 0)  # times MULTIPLIER
                        key ^= key >> 29
                if best < 0 or key > most:
                    most = key
                    best = k
                    seen = 1
                elif key == most:
                    seen += 1
                    if self.below(stream, seen) == 0:
                        best = k
            return best
        entry = 0
        for k in range(count):  # the first: least placement, then least variant
            if best < 0 or self.lists[start + k] < entry:
                entry = self.lists[start + k]
                best = k
        return best

    @cython.cfunc
    @cython.exceptval(check=False)
    def sift_down(self, start: cython.Py_ssize_t, at: cython.longlong, count: cython.longlong) -> cython.int:
        """Move an entry down in a heap ordered by variant, then placement."""
        entry: cython.longlong = self.lists[start + at]
        child: cython.longlong
        a: cython.longlong
        b: cython.longlong
        while 2 * at + 1 < count:
            child = 2 * at + 1
            if child + 1 < count:
                a = self.lists[start + child]
                b = self.lists[start + child + 1]
                if (b & 0xFFFF) > (a & 0xFFFF) or ((b & 0xFFFF) == (a & 0xFFFF) and b > a):
                    child += 1
            a = self.lists[start + child]
            if not ((a & 0xFFFF) > (entry & 0xFFFF) or ((a & 0xFFFF) == (entry & 0xFFFF) and a > entry)):
                break
            self.lists[start + at] = a
            at = child
        self.lists[start + at] = entry
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def sort_by_heap(self, start: cython.Py_ssize_t, count: cython.longlong) -> cython.int:
        """Sort entries of the lists by variant, then placement."""
        k: cython.longlong
        entry: cython.longlong
        for k in range(count // 2 - 1, -1, -1):
            self.sift_down(start, k, count)
        for k in range(count - 1, 0, -1):
            entry = self.lists[start]
            self.lists[start] = self.lists[start + k]
            self.lists[start + k] = entry
            self.sift_down(start, 0, k)
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def sort_by_digit(
        self,
        source: cython.longlong[::1],
        start: cython.Py_ssize_t,
        target: cython.longlong[::1],
        to: cython.Py_ssize_t,
        count: cython.longlong,
        shift: cython.int,
        mask: cython.longlong,
    ) -> cython.int:
        """Move entries to another array, sorted by some of their bits; entries with the same bits keep their order."""
        k: cython.longlong
        digit: cython.Py_ssize_t
        total: cython.longlong = 0
        many: cython.longlong
        for digit in range(mask + 1):
            self.digits[digit] = 0
        for k in range(count):
            self.digits[(source[start + k] >> shift) & mask] += 1
        for digit in range(mask + 1):
            many = self.digits[digit]
            self.digits[digit] = total
            total += many
        for k in range(count):
            digit = (source[start + k] >> shift) & mask
            target[to + self.digits[digit]] = source[start + k]
            self.digits[digit] += 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def sort_by_digits(self, n: cython.Py_ssize_t, start: cython.Py_ssize_t, count: cython.longlong) -> cython.int:
        """The same as `sort_by_heap`, in linear time: by the digits of the placement, then by those of the variant."""
        shift: cython.int
        mask: cython.longlong
        there: cython.bint = False  # whether the entries are in the scratch array
        k: cython.longlong
        phase: cython.int
        for phase in range(2):  # the placement stands above the 16 bits of the variant
            shift = 0 if phase else 16
            while True:
                if phase == 0 and (self.grid.shape[0] - 1) >> (shift - 16) == 0:
                    break
                if phase == 1 and (self.nodes[n + LAST] - self.nodes[n + FIRST] - 1) >> shift == 0:
                    break
                mask = (1 << (16 - DIGIT_BITS if phase and shift else DIGIT_BITS)) - 1
                if there:
                    self.sort_by_digit(self.scratch, 0, self.lists, start, count, shift, mask)
                else:
                    self.sort_by_digit(self.lists, start, self.scratch, 0, count, shift, mask)
                there = not there
                shift += DIGIT_BITS
        if there:
            for k in range(count):
                self.lists[start + k] = self.scratch[k]
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def comes_before(self, one: cython.longlong, other: cython.longlong) -> cython.bint:
        """Whether a match comes before another: by variant, then placement."""
        return (one & 0xFFFF) < (other & 0xFFFF) or ((one & 0xFFFF) == (other & 0xFFFF) and one < other)

    @cython.cfunc
    @cython.exceptval(check=False)
    def sort_matches(self, n: cython.Py_ssize_t) -> cython.int:
        """Sort a node's matches by variant, then placement. Only new matches are sorted, then merged with the others:
        that takes linear time.
        """
        start: cython.Py_ssize_t = self.nodes[n + LIST]
        known: cython.longlong = self.nodes[n + SORTED_COUNT]
        count: cython.longlong = self.nodes[n + COUNT]
        new: cython.longlong = count - known
        k: cython.longlong
        at: cython.longlong
        self.nodes[n + SORTED_COUNT] = count
        if new == 0:
            return 0
        if new < MIN_SORTED_BY_DIGITS:
            self.sort_by_heap(start + known, new)
        else:
            self.sort_by_digits(n, start + known, new)
        if known == 0 or self.comes_before(self.lists[start + known - 1], self.lists[start + known]):
            return 0
        for k in range(new):
            self.scratch[k] = self.lists[start + known + k]
        at = count - 1
        known -= 1
        k = new - 1
        while k >= 0:
            if known >= 0 and self.comes_before(self.scratch[k], self.lists[start + known]):
                self.lists[start + at] = self.lists[start + known]
                known -= 1
            else:
                self.lists[start + at] = self.scratch[k]
                k -= 1
            at -= 1
        return 0

    # --- turns

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def apply_action(self, action: cython.Py_ssize_t, placement: cython.Py_ssize_t) -> cython.int:
        """Write an action, and log it."""
        k: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        tile: cython.uchar
        a: cython.Py_ssize_t = action << ACTION_SHIFT
        kind: cython.longlong = 2
        if self.actions[a + A_PAIRED]:
            self.state[NEWEST_ACTION] = self.state[LOGGED]
            self.log[self.state[LOGGED]] = (cython.cast(cython.longlong, placement) << 22) | (action << 2)
            self.state[LOGGED] += 1
        else:
            self.state[NEWEST_ACTION] = -1
            kind = 1
        for k in range(self.actions[a + A_FIRST], self.actions[a + A_LAST]):
            cell = placement + self.write_at[k]
            tile = self.grid[cell]
            if tile != self.write_tile[k] and tile != RIM:
                self.grid[cell] = self.write_tile[k]
                if self.state[LOG_CELLS] or kind == 1:
                    self.log[self.state[LOGGED]] = (
                        (cython.cast(cython.longlong, cell) << 8) | (cython.cast(cython.longlong, tile) << 2) | kind
                    )
                    self.state[LOGGED] += 1
                if self.state[COUNTS_TILES]:
                    self.census[tile] -= 1
                    self.census[self.write_tile[k]] += 1
        self.state[REWRITES] += 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def apply_one(self, n: cython.Py_ssize_t, fuel: cython.longlong) -> cython.longlong:
        """Choose and apply one match of a leaf. Returns the fuel used; if there is no match, -(fuel + 1); 0 if tries
        used up all the fuel.
        """
        spent: cython.longlong = 0
        stream: cython.Py_ssize_t = n >> NODE_SHIFT
        index: cython.longlong
        entry: cython.longlong
        placement: cython.Py_ssize_t
        v: cython.Py_ssize_t
        rule: cython.Py_ssize_t
        action: cython.Py_ssize_t
        guard: cython.int
        pick: cython.longlong = self.nodes[n + PICK]
        if pick:
            self.drop_false_matches(n)
            spent += self.nodes[n + COUNT]
        while self.nodes[n + COUNT] > 0:
            if pick:
                index = self.choose_match(n)
                if index < 0:
                    break
            else:
                index = self.below(stream, self.nodes[n + COUNT])
            entry = self.lists[self.nodes[n + LIST] + index]
            placement = entry >> 16
            v = self.nodes[n + FIRST] + (entry & 0xFFFF)
            rule = self.variants[(v << VARIANT_SHIFT) + V_RULE]
            if pick:
                if not self.passes_chance(stream, self.variants[(v << VARIANT_SHIFT) + V_CHANCE]):
                    spent += 1
                    if spent >= fuel:
                        return 0
                    continue
            else:
                if (self.rules[2 * rule + 1] and self.rules[2 * rule] >= self.rules[2 * rule + 1]) or not self.fits(
                    v, placement
                ):
                    self.drop_match(n, index)
                    continue
                if not self.passes_chance(stream, self.variants[(v << VARIANT_SHIFT) + V_ACCEPT]):
                    spent += 1
                    if spent >= fuel:
                        return 0
                    continue
            action = self.pick_result(v)
            if self.actions[(action << ACTION_SHIFT) + A_GUARDS]:
                guard = self.find_broken_guard(v, action, placement)
                if guard:
                    self.record_event(action | (1 << 21), placement)
                    action = self.pick_other_result(v, action, placement)
                spent += 1 + self.state[WORK]
                self.state[WORK] = 0
                if action < 0:
                    self.drop_match(n, index)
                    self.remember_refused(n, guard - 1, placement)
                    if self.events.shape[0] and 2 * self.state[EVENTS] + 2 > self.events.shape[0]:
                        self.state[EVENTS_FULL] = 1
                    if spent >= fuel or self.state[EVENTS_FULL]:
                        return 0
                    continue
            if pick == 0 and not (
                # a result that changes nothing does not use up a match that another result would change
                self.variants[(v << VARIANT_SHIFT) + V_STAYS]
                and not self.changes_map(action, placement)
                and self.could_act(v, placement, True)
            ):  # with another pick it stays, and is dropped in the next turn if it is no longer true
                self.drop_match(n, index)
            self.record_event(action, placement)
            self.rules[2 * rule] += 1
            self.apply_action(action, placement)
            return spent + 1
        return -1 - spent

    @cython.cfunc
    @cython.exceptval(check=False)
    def take_plain_turn(self, n: cython.Py_ssize_t, fuel: cython.longlong) -> cython.longlong:
        """One turn of a plain leaf: what `take_turn` does, without tests for features that it does not have."""
        index: cython.longlong
        entry: cython.longlong
        v: cython.Py_ssize_t
        action: cython.Py_ssize_t
        if self.nodes[n + LOG_SEEN] < self.state[LOGGED] and not self.update_matches(n):
            self.state[NODE_NEEDING_ROOM] = (n >> NODE_SHIFT) + 1
            return 0
        if self.nodes[n + BY_LOT]:  # its list had become too long
            return self.take_turn(n, fuel)
        while self.nodes[n + COUNT] > 0:
            index = self.below(n >> NODE_SHIFT, self.nodes[n + COUNT])
            entry = self.lists[self.nodes[n + LIST] + index]
            v = self.nodes[n + FIRST] + (entry & 0xFFFF)
            self.drop_match(n, index)
            if self.fits(v, entry >> 16):
                action = self.pick_result(v)
                self.record_event(action, entry >> 16)
                self.apply_action(action, entry >> 16)
                return 1
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def can_burst(self, n: cython.Py_ssize_t) -> cython.bint:
        """Whether the next turns of a branch can be taken in a burst: its current leaf is plain, or, in a markov, all
        its children are.
        """
        m: cython.Py_ssize_t
        c: cython.Py_ssize_t
        first: cython.Py_ssize_t = self.nodes[n + FIRST]
        last: cython.Py_ssize_t = self.nodes[n + LAST]
        if self.nodes[n + KIND] != MARKOV:
            first += self.nodes[n + CURRENT_CHILD]
            last = first + 1
        for m in range(first, last):
            c = self.children[m] << NODE_SHIFT
            if (
                self.nodes[c + KIND] != ONE
                or not self.nodes[c + IS_PLAIN]
                or (self.nodes[c + LIMIT] and last - first > 1)
            ):
                return False
            if self.nodes[c + SCANNED] == 0 or self.nodes[c + BY_LOT]:
                return False
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def run_burst(self, n: cython.Py_ssize_t, most: cython.longlong) -> cython.longlong:
        """Take up to so many turns of a branch with plain leaves: what `run` and `take_plain_turn` do, with all values
        in registers. Returns how many turns it took.
        """
        grid: cython.uchar[::1] = self.grid
        lists: cython.longlong[::1] = self.lists
        bits: cython.uchar[::1] = self.bits
        log: cython.longlong[::1] = self.log
        events: cython.longlong[::1] = self.events
        nodes: cython.longlong[::1] = self.nodes
        variants: cython.const[cython.longlong][::1] = self.variants
        test_at: cython.const[cython.int][::1] = self.test_at
        test_set: cython.const[cython.longlong][::1] = self.test_set
        actions: cython.const[cython.longlong][::1] = self.actions
        write_at: cython.const[cython.int][::1] = self.write_at
        write_tile: cython.const[cython.uchar][::1] = self.write_tile
        pair_at: cython.const[cython.int][::1] = self.pair_at
        pairs: cython.const[cython.longlong][::1] = self.pairs
        markov: cython.bint = nodes[n + KIND] == MARKOV
        child: cython.Py_ssize_t = nodes[n + FIRST] if markov else nodes[n + FIRST] + nodes[n + CURRENT_CHILD]
        last_child: cython.Py_ssize_t = nodes[n + LAST] if markov else child + 1
        first_child: cython.Py_ssize_t = child
        c: cython.Py_ssize_t = -1  # the leaf whose values the variables below hold
        rng: cython.ulonglong = 0
        increment: cython.ulonglong = 0
        start: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = 0
        count: cython.longlong = 0
        seen: cython.longlong = 0
        enough: cython.longlong = 0
        bit_at: cython.Py_ssize_t = 0
        bytes_each: cython.Py_ssize_t = 0
        by_bits: cython.bint = False
        pair_start: cython.Py_ssize_t = 0
        alone: cython.bint = nodes[(self.children[child] << NODE_SHIFT) + IS_ONLY_LEAF] != 0
        cells_too: cython.bint = self.state[LOG_CELLS] != 0
        logged: cython.longlong = self.state[LOGGED]
        newest: cython.longlong = -1
        most_logged: cython.longlong = log.shape[0] - self.state[MAX_LOG_PER_ACTION]
        noted: cython.longlong = self.state[EVENTS]
        turn: cython.longlong = self.state[TURNS]
        noting: cython.bint = events.shape[0] > 0
        done: cython.longlong = 0
        product: cython.ulonglong
        entry: cython.longlong
        index: cython.longlong
        placement: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        v: cython.Py_ssize_t
        k: cython.Py_ssize_t
        m: cython.Py_ssize_t
        q: cython.Py_ssize_t
        tests: cython.Py_ssize_t
        byte: cython.Py_ssize_t
        local: cython.int
        action: cython.Py_ssize_t
        tile: cython.uchar
        bit: cython.uchar
        good: cython.bint
        if noting and most > events.shape[0] // 2 - noted:
            most = events.shape[0] // 2 - noted
        while done < most and logged <= most_logged:
            if self.children[child] << NODE_SHIFT != c:  # another leaf's turn
                if c >= 0:
                    self.streams[2 * (c >> NODE_SHIFT)] = rng
                    nodes[c + COUNT] = count
                    nodes[c + LOG_SEEN] = seen
                c = self.children[child] << NODE_SHIFT
                rng = self.streams[2 * (c >> NODE_SHIFT)]
                increment = self.streams[2 * (c >> NODE_SHIFT) + 1]
                start = nodes[c + LIST]
                first = nodes[c + FIRST]
                count = nodes[c + COUNT]
                seen = nodes[c + LOG_SEEN]
                enough = nodes[c + LIST_CAPACITY] - nodes[c + MAX_NEW_MATCHES]
                bit_at = nodes[c + BITS]
                bytes_each = nodes[c + BYTES]
                by_bits = nodes[c + LISTED_BY] == 0
                pair_start = nodes[c + PAIRS]
            while seen < logged and count <= enough:
                entry = log[seen]
                if entry & 3 == 1:  # a cell that pair tables do not cover: not for a burst
                    most = done
                    break
                seen += 1
                if entry & 3:
                    continue
                placement = entry >> 22
                k = pair_at[pair_start + ((entry >> 2) & 0xFFFFF)]
                m = pairs[k]
                k += 1
                while m > 0:
                    m -= 1
                    local = pairs[k]
                    cell = placement + pairs[k + 1]
                    tests = pairs[k + 2]
                    k += 3
                    good = True
                    while tests > 0:
                        if not (pairs[k + 1] >> grid[placement + pairs[k]]) & 1:
                            good = False
                            k += 2 * tests
                            break
                        tests -= 1
                        k += 2
                    if good and seen - 1 != newest:
                        v = first + local
                        for q in range(
                            variants[(v << VARIANT_SHIFT) + V_TESTS], variants[(v << VARIANT_SHIFT) + V_TESTS_END]
                        ):
                            if not (test_set[q] >> grid[cell + test_at[q]]) & 1:
                                good = False
                                break
                    if not good:
                        continue
                    if by_bits:
                        byte = bit_at + cell * bytes_each + (local >> 3)
                        bit = 1 << (local & 7)
                        if bits[byte] & bit:
                            continue
                        bits[byte] |= bit
                    lists[start + count] = (cython.cast(cython.longlong, cell) << 16) | local
                    count += 1
            if count > enough or most == done:
                break
            good = False
            placement = 0
            v = first
            while count > 0:
                product = output(rng) * cython.cast(cython.ulonglong, count)
                rng = advanced(rng, increment)
                if must_redraw(product, count):
                    continue
                index = product >> 32
                entry = lists[start + index]
                count -= 1
                lists[start + index] = lists[start + count]
                placement = entry >> 16
                local = entry & 0xFFFF
                v = first + local
                if by_bits:
                    bits[bit_at + placement * bytes_each + (local >> 3)] &= 255 - (1 << (local & 7))
                good = True
                for q in range(variants[(v << VARIANT_SHIFT) + V_TESTS], variants[(v << VARIANT_SHIFT) + V_TESTS_END]):
                    if not (test_set[q] >> grid[placement + test_at[q]]) & 1:
                        good = False
                        break
                if good:
                    break
            if not good:
                child += 1
                if child == last_child:
                    break
                continue
            action = self.pick_result(v)
            done += 1
            if noting:
                events[2 * noted] = turn
                events[2 * noted + 1] = (cython.cast(cython.longlong, placement) << 22) | action
                noted += 1
            turn += 1
            if alone:  # no other leaf reads the log: one entry is enough
                logged = 0
                seen = 0
            newest = logged
            log[logged] = (cython.cast(cython.longlong, placement) << 22) | (action << 2)
            logged += 1
            for k in range(actions[(action << ACTION_SHIFT) + A_FIRST], actions[(action << ACTION_SHIFT) + A_LAST]):
                cell = placement + write_at[k]
                tile = grid[cell]
                if tile != write_tile[k]:
                    grid[cell] = write_tile[k]
                    if cells_too:
                        log[logged] = (
                            (cython.cast(cython.longlong, cell) << 8) | (cython.cast(cython.longlong, tile) << 2) | 2
                        )
                        logged += 1
            child = first_child
        if c >= 0:
            self.streams[2 * (c >> NODE_SHIFT)] = rng
            nodes[c + COUNT] = count
            nodes[c + LOG_SEEN] = seen
            self.state[LAST_LEAF] = c >> NODE_SHIFT
        self.state[LOGGED] = logged
        self.state[NEWEST_ACTION] = newest
        self.state[EVENTS] = noted
        self.state[REWRITES] += done
        return done

    @cython.cfunc
    @cython.exceptval(check=False)
    def apply_by_lot(self, n: cython.Py_ssize_t, fuel: cython.longlong) -> cython.longlong:
        """The same as `apply_one` for a leaf without a list: try random variants and places until one fits. After many
        misses the leaf makes its list.
        """
        spent: cython.longlong = 0
        stream: cython.Py_ssize_t = n >> NODE_SHIFT
        count: cython.longlong = self.nodes[n + LAST] - self.nodes[n + FIRST]
        cell: cython.longlong
        placement: cython.Py_ssize_t
        v: cython.Py_ssize_t
        rule: cython.Py_ssize_t
        action: cython.Py_ssize_t
        while self.nodes[n + MISSES] < MAX_MISSES_PER_VARIANT * count:
            if spent > 0 and spent >= fuel:
                return 0
            spent += 1
            v = self.nodes[n + FIRST] + self.below(stream, count)
            cell = self.below(stream, self.shape[0] * self.shape[1])
            placement = self.shape[3] + (cell // self.shape[0]) * self.shape[2] + cell % self.shape[0]
            rule = self.variants[(v << VARIANT_SHIFT) + V_RULE]
            if (self.rules[2 * rule + 1] and self.rules[2 * rule] >= self.rules[2 * rule + 1]) or not self.fits(
                v, placement
            ):
                self.nodes[n + MISSES] += 1
                continue
            if self.variants[(v << VARIANT_SHIFT) + V_PLANE] >= 0 and not self.may_write(n, v, placement):
                self.nodes[n + MISSES] += 1
                continue
            if not self.passes_chance(stream, self.variants[(v << VARIANT_SHIFT) + V_ACCEPT]):
                continue
            self.nodes[n + MISSES] = 0
            action = self.pick_result(v)
            self.record_event(action, placement)
            self.rules[2 * rule] += 1
            self.apply_action(action, placement)
            return spent
        return -1 - spent

    @cython.cfunc
    @cython.exceptval(check=False)
    def apply_all(self, n: cython.Py_ssize_t) -> cython.longlong:
        """Apply all matches of a leaf in one turn. All are true, and there is room for them. Returns how many were
        applied; -1 if chance alone passed over all that could have been.
        """
        kind: cython.longlong = self.nodes[n + KIND]
        start: cython.Py_ssize_t = self.nodes[n + LIST]
        stream: cython.Py_ssize_t = n >> NODE_SHIFT
        begun: cython.longlong = self.state[LOGGED]
        k: cython.longlong = self.nodes[n + COUNT]
        index: cython.longlong = 0
        m: cython.Py_ssize_t
        entry: cython.longlong
        placement: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        v: cython.Py_ssize_t
        rule: cython.Py_ssize_t
        action: cython.Py_ssize_t
        free: cython.bint
        applied: cython.longlong = 0
        unlucky: cython.longlong = 0
        self.state[NEWEST_ACTION] = -1
        if kind == PARALLEL and self.nodes[n + SORTED]:
            self.sort_matches(n)
        while index < k:
            if kind == ALL:  # draw without replacement: what is drawn moves to the front
                m = index + self.below(stream, k - index)
                entry = self.lists[start + m]
                self.lists[start + m] = self.lists[start + index]
                self.lists[start + index] = entry
            entry = self.lists[start + index]
            placement = entry >> 16
            v = self.nodes[n + FIRST] + (entry & 0xFFFF)
            rule = self.variants[(v << VARIANT_SHIFT) + V_RULE]
            index += 1
            if not self.passes_chance(stream, self.variants[(v << VARIANT_SHIFT) + V_CHANCE]):
                unlucky += 1
                continue
            if self.rules[2 * rule + 1] and self.rules[2 * rule] >= self.rules[2 * rule + 1]:
                continue
            action = self.pick_result(v)
            if self.actions[(action << ACTION_SHIFT) + A_GUARDS] and self.find_broken_guard(v, action, placement):
                self.record_event(action | (1 << 21), placement)
                action = self.pick_other_result(v, action, placement)
                if action < 0:
                    continue
            free = True
            if self.nodes[n + OUTSIDE]:  # an action that writes only beyond the border does nothing
                free = (
                    self.actions[(action << ACTION_SHIFT) + A_FIRST] == self.actions[(action << ACTION_SHIFT) + A_LAST]
                )
                for m in range(
                    self.actions[(action << ACTION_SHIFT) + A_FIRST], self.actions[(action << ACTION_SHIFT) + A_LAST]
                ):
                    if self.grid[placement + self.write_at[m]] != RIM:
                        free = True
                        break
            if kind == ALL and free:
                for m in range(
                    self.actions[(action << ACTION_SHIFT) + A_FIRST], self.actions[(action << ACTION_SHIFT) + A_LAST]
                ):
                    if self.used[placement + self.write_at[m]]:
                        free = False
                        break
            if not free:
                continue
            self.rules[2 * rule] += 1
            applied += 1
            self.record_event(action, placement)
            for m in range(
                self.actions[(action << ACTION_SHIFT) + A_FIRST], self.actions[(action << ACTION_SHIFT) + A_LAST]
            ):
                cell = placement + self.write_at[m]
                if self.grid[cell] == RIM:
                    continue
                if not self.used[cell]:  # the log holds the class before the turn
                    self.used[cell] = 1
                    self.log[self.state[LOGGED]] = (
                        (cython.cast(cython.longlong, cell) << 8)
                        | (cython.cast(cython.longlong, self.grid[cell]) << 2)
                        | 1
                    )
                    self.state[LOGGED] += 1
                if self.state[COUNTS_TILES]:
                    self.census[self.grid[cell]] -= 1
                    self.census[self.write_tile[m]] += 1
                self.grid[cell] = self.write_tile[m]
            if kind == ALL and not self.variants[(v << VARIANT_SHIFT) + V_STAYS]:
                self.lists[start + index - 1] = -1 - entry  # applied: removed from the list below
        for index in range(begun, self.state[LOGGED]):
            self.used[self.log[index] >> 8] = 0
        if kind == ALL:
            for index in range(k - 1, -1, -1):
                if self.lists[start + index] < 0:
                    self.lists[start + index] = -1 - self.lists[start + index]
                    self.drop_match(n, index)
        self.state[REWRITES] += applied
        if applied == 0 and unlucky > 0:
            for index in range(k):
                v = self.nodes[n + FIRST] + (self.lists[start + index] & 0xFFFF)
                rule = self.variants[(v << VARIANT_SHIFT) + V_RULE]
                if (
                    self.rules[2 * rule + 1] == 0 or self.rules[2 * rule] < self.rules[2 * rule + 1]
                ) and self.could_act(v, self.lists[start + index] >> 16, False):
                    return -1
        return applied

    @cython.cfunc
    @cython.exceptval(check=False)
    def catch_up(self) -> cython.bint:
        """Let all leaves read the whole log, and clear it. False if a list is too short for that."""
        node: cython.Py_ssize_t
        for node in range(self.nodes.shape[0] >> NODE_SHIFT):
            if self.nodes[(node << NODE_SHIFT) + KIND] <= PARALLEL and self.nodes[(node << NODE_SHIFT) + SCANNED]:
                if not self.update_matches(node << NODE_SHIFT):
                    self.state[NODE_NEEDING_ROOM] = node + 1
                    return False
        for node in range(self.nodes.shape[0] >> NODE_SHIFT):
            self.nodes[(node << NODE_SHIFT) + LOG_SEEN] = 0
        self.state[LOGGED] = 0
        self.state[NEWEST_ACTION] = -1
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def restart_children(self, n: cython.Py_ssize_t) -> cython.int:
        """Restart all children of a branch, with all their limits."""
        m: cython.Py_ssize_t
        c: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for m in range(self.nodes[n + FIRST], self.nodes[n + LAST]):
            c = self.children[m] << NODE_SHIFT
            self.nodes[c + TURNS_DONE] = 0
            self.nodes[c + IS_OVER] = 0
            if self.nodes[c + KIND] > PARALLEL:
                self.nodes[c + CURRENT_CHILD] = 0
                continue
            self.reset_limits(c)
            if self.nodes[c + REGION] > 0:
                self.nodes[c + REGION] = 0
                self.nodes[c + SCANNED] = 0
            for v in range(self.nodes[c + AREAS], self.nodes[c + AREAS] + 6 * self.nodes[c + REGIONS], 6):
                self.areas[v + 5] = 0
            for v in range(self.nodes[c + FIRST], self.nodes[c + LAST]):
                if self.variants[
                    (v << VARIANT_SHIFT) + V_STAYS
                ]:  # matches that were used up and are still true count again
                    self.nodes[c + SCANNED] = 0
                    break
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def reset_limits(self, n: cython.Py_ssize_t) -> cython.int:
        """Reset the counts of a leaf's rules. Matches that were dropped because of a limit are searched again."""
        k: cython.Py_ssize_t
        for k in range(self.nodes[n + FIRST_RULE], self.nodes[n + LAST_RULE]):
            if self.rules[2 * k + 1] and self.rules[2 * k] >= self.rules[2 * k + 1]:
                self.nodes[n + SCANNED] = 0
            self.rules[2 * k] = 0
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def advance_region(self, n: cython.Py_ssize_t) -> cython.bint:
        """Continue with the next region of a leaf; False after the last, and then the first is current again."""
        self.nodes[n + SCANNED] = 0
        self.reset_limits(n)
        self.nodes[n + REGION] += 1
        if self.nodes[n + REGION] < self.nodes[n + REGIONS]:
            return True
        self.nodes[n + REGION] = 0
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def take_turn(self, n: cython.Py_ssize_t, fuel: cython.longlong) -> cython.longlong:
        """Take one turn of a leaf. Returns the fuel used; if the turn changed nothing, -(fuel + 1); 0 if it has to be
        called again (no fuel, or no room).
        """
        spent: cython.longlong = 0
        used: cython.longlong
        area: cython.Py_ssize_t
        while True:
            if self.nodes[n + REGIONS] > 0 and self.nodes[n + LIMIT]:
                area = self.nodes[n + AREAS] + 6 * self.nodes[n + REGION]
                if self.areas[area + 5] >= self.nodes[n + LIMIT]:
                    spent += 1
                    if not self.advance_region(n):
                        return -1 - spent
                    continue
            if not self.update_matches(n):
                self.state[NODE_NEEDING_ROOM] = (n >> NODE_SHIFT) + 1
                return 0
            spent += self.state[WORK]
            self.state[WORK] = 0
            if self.nodes[n + KIND] == ONE:
                if self.nodes[n + BY_LOT]:
                    used = self.apply_by_lot(n, fuel - spent)
                    if used == 0:
                        return 0
                    if used < 0:
                        spent += -1 - used + self.shape[0] * self.shape[1]
                        self.nodes[n + SCANNED] = 0  # BY_LOT is still set: the search makes the list
                        continue
                else:
                    used = self.apply_one(n, fuel - spent)
                    if used == 0:
                        return 0
                    if used < 0 and self.nodes[n + REFUSED] and self.state[REWRITES] > self.nodes[n + REFUSED_AT]:
                        if self.nodes[n + RADIUS] < 0 or self.has_count_slack(
                            n
                        ):  # guards may now allow what they refused
                            self.nodes[n + REFUSED] = 0
                            self.nodes[n + SCANNED] = 0
                            spent += -1 - used
                            continue
            else:
                self.drop_false_matches(n)
                used = self.nodes[n + COUNT]
                if (
                    used > 0
                    and self.state[LOGGED]
                    and self.state[LOGGED] + self.shape[0] * self.shape[1] > self.log.shape[0]
                    and not self.catch_up()
                ):
                    return 0
                # each may be refused, then applied
                if self.events.shape[0] and 2 * (2 * self.nodes[n + COUNT] + self.state[EVENTS]) > self.events.shape[0]:
                    self.state[EVENTS_FULL] = 2 * self.nodes[n + COUNT]
                    return 0
                used = used + 1 if used > 0 and self.apply_all(n) != 0 else -1 - used
                spent += self.state[WORK]
                self.state[WORK] = 0
            if used > 0:
                if self.nodes[n + REGIONS] > 0:
                    self.areas[self.nodes[n + AREAS] + 6 * self.nodes[n + REGION] + 5] += 1
                return spent + used
            spent += -1 - used
            if self.nodes[n + REGIONS] <= 0 or not self.advance_region(n):
                return -1 - spent

    def run(self, fuel: cython.longlong) -> cython.longlong:
        """Take turns until the program ends, the fuel is used, or Python has to make room (`NODE_NEEDING_ROOM`,
        `EVENTS_FULL`).
        """
        spent: cython.longlong = 0
        n: cython.Py_ssize_t
        c: cython.Py_ssize_t
        begun: cython.Py_ssize_t
        used: cython.longlong
        most: cython.longlong
        same: cython.longlong = 0  # turns in a row that plain leaves took
        while self.state[CURRENT_BRANCH] >= 0 and spent < fuel:
            if self.state[MAX_TURNS] and self.state[TURNS] >= self.state[MAX_TURNS]:
                break
            if self.events.shape[0] and 2 * self.state[EVENTS] + 2 > self.events.shape[0]:
                self.state[EVENTS_FULL] = 1
                break
            if self.state[LOGGED] + self.state[MAX_LOG_PER_ACTION] > self.log.shape[0] and not self.catch_up():
                return spent
            n = self.state[CURRENT_BRANCH] << NODE_SHIFT
            if self.state[UNFINISHED_BRANCH]:  # continue a turn that had no room or fuel
                begun = (self.state[UNFINISHED_BRANCH] - 1) << NODE_SHIFT
                self.state[UNFINISHED_BRANCH] = 0
            else:
                begun = n
                spent += 1
                if self.nodes[n + KIND] == MARKOV:
                    self.nodes[n + CURRENT_CHILD] = 0
            while True:
                # no child is left
                if (
                    self.nodes[n + FIRST] + self.nodes[n + CURRENT_CHILD] >= self.nodes[n + LAST]
                    or self.nodes[n + IS_OVER]
                ):
                    if self.nodes[n + KIND] == REPEAT and self.nodes[n + IS_OVER] == 0:
                        self.nodes[n + TURNS_DONE] += 1
                        if self.nodes[n + ACTED] == 0 or (
                            self.nodes[n + LIMIT] and self.nodes[n + TURNS_DONE] >= self.nodes[n + LIMIT]
                        ):
                            self.nodes[n + IS_OVER] = 1
                    elif self.nodes[n + LIMIT]:  # a block that runs once
                        self.nodes[n + IS_OVER] = 1
                    self.restart_children(n)
                    self.nodes[n + CURRENT_CHILD] = 0
                    self.nodes[n + ACTED] = 0
                    if self.nodes[n + KIND] == REPEAT and self.nodes[n + IS_OVER] == 0:
                        self.state[CURRENT_BRANCH] = n >> NODE_SHIFT
                        break
                    self.state[CURRENT_BRANCH] = self.nodes[n + PARENT]
                    if n == begun:
                        break
                    n = self.nodes[n + PARENT] << NODE_SHIFT
                    self.nodes[n + CURRENT_CHILD] += 1
                    continue
                c = self.children[self.nodes[n + FIRST] + self.nodes[n + CURRENT_CHILD]] << NODE_SHIFT
                if self.nodes[c + KIND] > PARALLEL:
                    if self.nodes[c + IS_OVER]:
                        self.nodes[n + CURRENT_CHILD] += 1
                        continue
                    self.state[CURRENT_BRANCH] = c >> NODE_SHIFT
                    n = c
                    if self.nodes[n + KIND] == MARKOV:
                        self.nodes[n + CURRENT_CHILD] = 0
                    continue
                if (
                    self.nodes[c + LIMIT]
                    and self.nodes[c + REGIONS] < 0
                    and self.nodes[c + TURNS_DONE] >= self.nodes[c + LIMIT]
                ):
                    self.nodes[n + CURRENT_CHILD] += 1
                    continue
                self.state[LAST_LEAF] = c >> NODE_SHIFT
                used = (
                    self.take_plain_turn(c, fuel)
                    if self.nodes[c + IS_PLAIN] and self.nodes[c + SCANNED] and self.nodes[c + BY_LOT] == 0
                    else self.take_turn(c, fuel)
                )
                if used == 0:
                    self.state[UNFINISHED_BRANCH] = (begun >> NODE_SHIFT) + 1
                    return (
                        max(spent, fuel)
                        if self.state[NODE_NEEDING_ROOM] == 0 and self.state[EVENTS_FULL] == 0
                        else spent
                    )
                if used > 0:
                    spent += used - 1
                    same = same + 1 if self.nodes[c + IS_PLAIN] else 0
                    used = 1
                    if same > 8:
                        most = fuel - spent
                        if self.state[MAX_TURNS] and most > self.state[MAX_TURNS] - self.state[TURNS] - 1:
                            most = self.state[MAX_TURNS] - self.state[TURNS] - 1
                        if self.nodes[c + LIMIT] and most > self.nodes[c + LIMIT] - self.nodes[c + TURNS_DONE] - 1:
                            most = self.nodes[c + LIMIT] - self.nodes[c + TURNS_DONE] - 1
                        same = 0
                        if most > 0 and self.can_burst(n):
                            self.state[TURNS] += 1  # of the turn before the burst
                            used += self.run_burst(n, most)
                            self.state[TURNS] += used - 2
                            spent += used - 1
                    self.nodes[c + TURNS_DONE] += used
                    c = n
                    while c >= 0:
                        self.nodes[c + ACTED] = 1
                        if self.nodes[c + KIND] != REPEAT:
                            self.nodes[c + TURNS_DONE] += used
                        c = self.nodes[c + PARENT] << NODE_SHIFT if self.nodes[c + PARENT] >= 0 else -1
                    break
                spent += -1 - used
                self.nodes[n + CURRENT_CHILD] += 1
            self.state[TURNS] += 1
        return spent

    # --- for Python

    def refresh(self, node: cython.Py_ssize_t) -> cython.bint:
        """Bring a node's list up to date and drop what is false, as its next turn would. False if the list is too
        short.
        """
        if not self.update_matches(node << NODE_SHIFT):
            return False
        self.drop_false_matches(node << NODE_SHIFT)
        return True

    def rehash(self, node: cython.Py_ssize_t) -> None:
        """Put a node's list into its empty hash table."""
        k: cython.Py_ssize_t
        entry: cython.longlong
        n: cython.Py_ssize_t = node << NODE_SHIFT
        for k in range(self.nodes[n + LIST], self.nodes[n + LIST] + self.nodes[n + COUNT]):
            entry = self.lists[k]
            self.hashes[self.hash_slot(n, entry)] = entry


def replay_events(
    tiles: cython.uchar[::1],
    actions: cython.const[cython.longlong][::1],
    write_at: cython.const[cython.int][::1],
    write_code: cython.const[cython.uchar][::1],
    events: cython.const[cython.longlong][::1],
    shape: cython.const[cython.longlong][::1],
    who: cython.int[::1],
    ends: cython.longlong[::1],
    cells: cython.int[::1],
    old: cython.uchar[::1],
    new: cython.uchar[::1],
) -> None:
    """Replay recorded actions on the tiles of a map, and record what each changed: its rule, and each cell with its old
    and new tile.

    Refused actions are left out.
    """
    k: cython.Py_ssize_t
    m: cython.Py_ssize_t
    x: cython.longlong
    y: cython.longlong
    cell: cython.Py_ssize_t
    action: cython.Py_ssize_t
    placement: cython.longlong
    width: cython.longlong = shape[0]
    stride: cython.longlong = shape[2]
    left: cython.longlong
    top: cython.longlong
    done: cython.Py_ssize_t = 0
    changed: cython.longlong = 0
    for k in range(events.shape[0]):
        if (events[k] >> 21) & 1:
            continue
        action = (events[k] & 0x1FFFFF) << ACTION_SHIFT
        # all cells written lie in the map; a box may begin outside of it
        placement = (events[k] >> 22) - shape[3] + stride * 64
        top = placement // stride - 64
        left = placement % stride
        for m in range(actions[action + A_FIRST], actions[action + A_LAST]):
            x = left + write_at[m]
            y = top + x // stride
            x = x % stride
            if x >= width or y < 0 or y >= shape[1]:
                continue
            cell = y * width + x
            if tiles[cell] != write_code[m]:
                cells[changed] = cell
                old[changed] = tiles[cell]
                new[changed] = write_code[m]
                tiles[cell] = write_code[m]
                changed += 1
        who[done] = actions[action + A_RULE]
        ends[done] = changed
        done += 1
