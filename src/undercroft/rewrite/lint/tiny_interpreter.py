"""A slow interpreter of programs for tiny maps. It enumerates every possible turn, and follows all outcomes of random
choices.

It leaves out what does not affect whether a program can run for ever. Where it is not sure, it returns no next turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import NamedTuple

from undercroft.rewrite.lint.finding import Budget, RulesSubject
from undercroft.rewrite.model.program import ANY, KEEP, LEAF_KINDS, Node, Rule
from undercroft.rewrite.model.symmetry import Variant

MAX_WAYS = 12
"""The most outcomes of one turn of a leaf to follow."""
PROGRAM_OVER = -1


class Move(NamedTuple):
    """One rewrite: a rule in a position, the number of its result, and its top left cell."""

    leaf: Node
    rule: Rule
    variant: Variant
    result: int
    x: int
    y: int


class ProgramState(NamedTuple):
    """The state of the program: the current branch, and for each node its index, its turns or passes if they are
    limited, and two flags.
    """

    now: int
    at: tuple[int, ...]
    done: tuple[int, ...]
    over: tuple[bool, ...]
    acted: tuple[bool, ...]


Way = tuple[tuple[Move, ...], bytes]
"""Rewrites of one turn, and the map after them."""


class Unsure(Exception):
    """Raised where the engine's next step depends on earlier turns."""


class TinyInterpreter:
    """Interprets a node as a program of its own."""

    def __init__(self, subject: RulesSubject, node: Node, budget: Budget) -> None:
        self.subject, self.budget = subject, budget
        self.width = self.height = 0
        """The size of the current maps."""
        self.nodes: list[Node] = []
        self.parent: list[int] = []
        self.below: list[list[int]] = []
        self._flatten(node if node.kind not in LEAF_KINDS else Node("sequence", children=(node,)), PROGRAM_OVER)
        self._asked: dict[int, list[tuple[Rule, Variant, list[tuple[int, int, int]]]]] = {}

    def _flatten(self, node: Node, parent: int) -> int:
        number = len(self.nodes)
        self.nodes.append(node)
        self.parent.append(parent)
        self.below.append([])
        self.below[number].extend([self._flatten(child, number) for child in node.children])
        return number

    def initial_state(self) -> ProgramState:
        """The state before the first turn."""
        count = len(self.nodes)
        return ProgramState(0, (0,) * count, (0,) * count, (False,) * count, (False,) * count)

    def next_turns(self, state: ProgramState, tiles: bytes) -> Iterator[tuple[tuple[Move, ...], ProgramState, bytes]]:
        """All possible next turns; none if the program has ended or the next turn is uncertain."""
        if state.now == PROGRAM_OVER or not self.budget.spend(len(self.nodes)):
            return
        at, done, over, acted = list(state.at), list(state.done), list(state.over), list(state.acted)
        now = node = begun = state.now
        if self.nodes[node].kind == "markov":
            at[node] = 0
        while True:
            if at[node] >= len(self.below[node]) or over[node]:
                now = self._close_branch(node, at, done, over, acted)
                if node in {begun, now}:
                    yield (), ProgramState(now, tuple(at), tuple(done), tuple(over), tuple(acted)), tiles
                    return
                node = now
                at[node] += 1
                continue
            child = self.below[node][at[node]]
            leaf = self.nodes[child]
            if leaf.kind not in LEAF_KINDS:
                if over[child]:
                    at[node] += 1
                    continue
                now = node = child
                if leaf.kind == "markov":
                    at[node] = 0
                continue
            if leaf.limit and done[child] >= leaf.limit:
                at[node] += 1
                continue
            try:
                ways = list(islice(self.leaf_turns(leaf, tiles), MAX_WAYS))
            except Unsure:
                return
            if ways:
                break
            at[node] += 1
        done[child] += bool(leaf.limit)
        while node != PROGRAM_OVER:
            acted[node] = self.nodes[node].kind == "repeat"
            node = self.parent[node]
        after = ProgramState(now, tuple(at), tuple(done), tuple(over), tuple(acted))
        for moves, changed in ways:
            yield moves, after, changed

    def _close_branch(self, node: int, at: list[int], done: list[int], over: list[bool], acted: list[bool]) -> int:
        """Close a branch without remaining children and reset all below it. Returns the next branch: itself if it
        repeats.
        """
        kind, limit = self.nodes[node].kind, self.nodes[node].limit
        if kind == "repeat" and not over[node]:
            done[node] += bool(limit)
            over[node] = not acted[node] or bool(limit and done[node] >= limit)
        elif limit:
            over[node] = True
        for child in self.below[node]:
            done[child], over[child], at[child] = 0, False, 0
        at[node], acted[node] = 0, False
        return node if kind == "repeat" and not over[node] else self.parent[node]

    # --- leaves

    def find_matches(self, leaf: Node, tiles: bytes) -> list[tuple[Rule, Variant, int, int]]:
        """The matches of the rules of a leaf: by rule, by position, in reading order."""
        found: list[tuple[Rule, Variant, int, int]] = []
        outside = leaf.outside
        for rule, variant, tests in self._list_tests(leaf):
            wide, high = (variant.width - 1, variant.height - 1) if outside >= 0 else (0, 0)
            columns, rows = (
                range(-wide, self.width - variant.width + 1 + wide),
                range(-high, self.height - variant.height + 1 + high),
            )
            if not self.budget.spend(3 + len(columns) * len(rows)):
                raise Unsure
            found += [
                (rule, variant, x, y)
                for y in rows
                for x in columns
                if all(mask >> self._tile_at(tiles, x + dx, y + dy, outside) & 1 for dx, dy, mask in tests)
            ]
        return found

    def _list_tests(self, leaf: Node) -> list[tuple[Rule, Variant, list[tuple[int, int, int]]]]:
        """The rules of a leaf in all positions, each with the cells that it tests: (x, y, set of tiles)."""
        if id(leaf) not in self._asked:
            self._asked[id(leaf)] = [
                (
                    rule,
                    variant,
                    [
                        (k % variant.width, k // variant.width, mask)
                        for k, mask in enumerate(variant.pattern)
                        if mask != ANY
                    ],
                )
                for rule in leaf.rules
                if rule.is_enabled()
                for variant in self.subject.variants(rule)
            ]
        return self._asked[id(leaf)]

    def _tile_at(self, tiles: bytes, x: int, y: int, outside: int) -> int:
        return tiles[y * self.width + x] if 0 <= x < self.width and 0 <= y < self.height else outside

    def writes(self, move: Move) -> dict[int, int]:
        """The cells and tiles that a rewrite writes; those over the border are lost."""
        found = {}
        for k, code in enumerate(move.variant.results[move.result].cells):
            x, y = move.x + k % move.variant.width, move.y + k // move.variant.width
            if code != KEEP and 0 <= x < self.width and 0 <= y < self.height:
                found[y * self.width + x] = code
        return found

    def leaf_turns(self, leaf: Node, tiles: bytes) -> Iterator[Way]:
        """The possible turns of a leaf; none if it cannot act."""
        matches = self.find_matches(leaf, tiles)
        if any(rule.limit or rule.guards or rule.area for rule, *_ in matches) or (matches and leaf.each):
            raise Unsure
        if leaf.pick == "first" and leaf.kind == "one":
            matches = sorted(matches, key=lambda match: (match[3], match[2]))[:1]
        moves = [
            [Move(leaf, rule, variant, number, x, y) for number, result in enumerate(variant.results) if result.weight]
            for rule, variant, x, y in matches
        ]
        if not moves:
            return
        if leaf.kind == "one":
            found = self._list_single_moves(leaf, tiles, [move for each in moves for move in each])
        else:
            found = (
                way for chosen in islice(product(*moves), MAX_WAYS) for way in self._combine_moves(leaf, tiles, chosen)
            )
        if all(_apply_writes(tiles, self.writes(move)) == tiles for each in moves for move in each):
            yield from found
            return
        # at some point a turn changes something
        some = [way for way in islice(found, MAX_WAYS) if way[1] != tiles]
        if not some:
            raise Unsure
        yield from some

    def _list_single_moves(self, leaf: Node, tiles: bytes, moves: list[Move]) -> Iterator[Way]:
        for move in moves:
            changed = _apply_writes(tiles, self.writes(move))
            if leaf.pick == "match":  # a match is used up until a cell that it tests changes
                if changed == tiles:
                    continue
                if not self._rearms_itself(leaf, move, tiles, changed):
                    raise Unsure
            yield (move,), changed

    def _rearms_itself(self, leaf: Node, move: Move, before: bytes, after: bytes) -> bool:
        """Whether a rewrite surely changes a cell that its own pattern tests."""
        for k, mask in enumerate(move.variant.pattern):
            x, y = move.x + k % move.variant.width, move.y + k // move.variant.width
            if mask != ANY and self._tile_at(before, x, y, leaf.outside) != self._tile_at(after, x, y, leaf.outside):
                return True
        return False

    def _combine_moves(self, leaf: Node, tiles: bytes, chosen: tuple[Move, ...]) -> Iterator[Way]:
        """The possible turns of `all`: each match first once, then those still free, in order. Or the turn of
        `parallel`: all matches, the last one wins.
        """
        if leaf.kind == "parallel":
            merged: dict[int, int] = {}
            for move in chosen:
                merged |= self.writes(move)
            yield chosen, _apply_writes(tiles, merged)
            return
        for first in range(len(chosen)):
            self.budget.spend(len(chosen))
            taken: dict[int, int] = {}
            kept = []
            for move in (*chosen[first:], *chosen[:first]):
                writes = self.writes(move)
                if not writes.keys() & taken.keys():
                    taken |= writes
                    kept.append(move)
            yield tuple(kept), _apply_writes(tiles, taken)


def _apply_writes(tiles: bytes, writes: dict[int, int]) -> bytes:
    changed = bytearray(tiles)
    for cell, code in writes.items():
        changed[cell] = code
    return bytes(changed)
