"""Check whether a program ends: find a proof, a counterexample, or neither."""

from __future__ import annotations

from collections.abc import Iterator

from undercroft.rewrite.lint.endless_runs import MAX_PLACEMENTS, Cycle, find_cycle
from undercroft.rewrite.lint.finding import Budget, Finding, RulesSubject
from undercroft.rewrite.lint.loops import RuleLoop, analyse_loops
from undercroft.rewrite.lint.reachable import find_reachable_tiles
from undercroft.rewrite.lint.termination_proof import Certificate, TurnBound, bound_turns, prove_termination
from undercroft.rewrite.model.program import Node
from undercroft.rewrite.text import tile_wording
from undercroft.rewrite.text.alphabet import choose_signs
from undercroft.wording import join_words, plural

MAX_DRAWN_MAPS = 5
"""The most maps of a cycle to draw."""
MAX_LINE_WIDTH = 100
MAX_NAMED_TILES = 8
_FIXES = {
    "markov": "limit its nodes, for example: up to 100 times",
    "sequence": "limit the loop: write repeat, 100 times",
    "repeat": "say how often: repeat, 100 times",
}


def judge_termination(subject: RulesSubject) -> Iterator[Finding]:
    """One note with a bound if the whole program ends; else a finding for each loop that may not."""
    root = subject.program.root
    place = root.place or next((rule.place for rule in subject.program.rules()), None)
    if subject.turns or not subject.is_small:
        if subject.turns:
            yield Finding("ends", "note", place, f"it ends: it is given at most {plural(subject.turns, 'turn')}")
        return
    possible = find_reachable_tiles(subject).tiles
    taken = analyse_loops(root)
    bound: TurnBound | None = TurnBound()
    proofs: list[tuple[RuleLoop, Certificate]] = []
    budget = Budget(MAX_PLACEMENTS)
    for loop in taken.loops:
        proof = prove_termination(subject, loop, possible)
        if proof is None:
            yield _build_endless_finding(subject, loop, find_cycle(subject, loop, possible, budget))
        else:
            proofs.append((loop, proof))
            bound = bound.plus(proof.bound) if bound and proof.bound else None
    if len(proofs) < len(taken.loops):
        return
    for leaf, limit in taken.limited:
        bound = bound and bound.plus(bound_turns(leaf, limit))
    in_turns = any(proof.in_turns for _, proof in proofs) or any(leaf.kind != "one" for leaf, _ in taken.limited)
    lines = [line for loop, proof in proofs if (line := _describe_weights(subject, loop, proof))]
    yield Finding(
        "ends",
        "note",
        place,
        f"it ends: {_describe_bound(bound, subject, 'turn' if in_turns else 'rewrite')}",
        picture="\n".join(lines),
    )


def _describe_bound(bound: TurnBound | None, subject: RulesSubject, unit: str) -> str:
    if bound is None:
        return "every change lowers a sum, and turns that change nothing do not go on for ever"
    if bound == TurnBound():
        return "nothing can ever match"
    if subject.size:
        width, height = subject.size
        return f"after at most {plural(bound.total_for(width * height), unit)} on a map of {width}x{height}"
    rate = bound.each_cell
    more = int(bound.more)
    if not rate:
        return f"after at most {plural(more, unit)}"
    each = (
        f"{plural(int(rate), unit)} a cell"
        if rate.denominator == 1
        else f"{plural(rate.numerator, unit)} for every {rate.denominator:,} cells"
    )
    return f"after at most {each}" + f", and {more:,} more" * bool(more)


def _describe_weights(subject: RulesSubject, loop: RuleLoop, proof: Certificate) -> str:
    """The phrase for the sum that every rewrite lowers."""
    palette = subject.program.palette
    heavy = sorted(((weight, -code) for code, weight in proof.weights.items() if code < len(palette)), reverse=True)
    if not heavy:
        return ""
    sums = [
        f"{f'{weight:,} x ' * (weight > 1)}`{tile_wording.format_tile(-code, palette)}`"
        for weight, code in heavy[:MAX_NAMED_TILES]
    ]
    more = f" and {len(heavy) - MAX_NAMED_TILES} more" if len(heavy) > MAX_NAMED_TILES else ""
    what = "change" if proof.bound is None else "turn" if proof.in_turns else "rewrite"
    return (
        f"  every {what}{_format_owner(loop.node)} lowers {' + '.join(sums)}{more}"
        if len(heavy) > 1
        else f"  every {what}{_format_owner(loop.node)} uses up {sums[0]}"
    )


def _format_owner(node: Node) -> str:
    return f" of '{node.name}'" if node.name else ""


def _build_endless_finding(subject: RulesSubject, loop: RuleLoop, found: Cycle | None) -> Finding:
    place = loop.node.place or next((rule.place for leaf in loop.leaves for rule in leaf.rules), None)
    fix = _FIXES.get(loop.node.kind, "limit it, for example: up to 100 times")
    if found is None:
        problem = "it may run forever: there is no proof that it ends, and no endless run was found"
        return Finding("ends", "note", place, problem, f"if it does, {fix}")
    order = [rule for leaf in loop.leaves for rule in leaf.rules]
    used = {id(move.rule) for moves in found.moves for move in moves}
    names = join_words([subject.rule_name(rule) for rule in order if id(rule) in used])
    if found.maps[0] == found.maps[1]:
        what = f"{names} can match and change nothing"
    elif len(found.moves) == 2 and len(used) == 2:
        what = f"{names} undo each other"
    else:
        what = f"{plural(len(found.moves), 'turn')} of {names} lead back to the same map"
    when = "" if found.fresh else ", once limits are used up"
    return Finding(
        "ends",
        "warning",
        place,
        f"it may run forever: {what}{when}",
        f"{fix}, or let every rule use up a tile that no other writes",
        _render_cycle(subject, found),
    )


def _render_cycle(subject: RulesSubject, found: Cycle) -> str:
    """The maps side by side, with the arrows of the rules between them."""
    palette = subject.program.palette
    shown = [sign or tile.glyph for sign, tile in zip(choose_signs(palette), palette.tiles, strict=True)]
    room = max(2, min(MAX_DRAWN_MAPS, (MAX_LINE_WIDTH + 6) // (found.width + 6)))
    maps = found.maps if len(found.maps) <= room else (*found.maps[: room - 1], found.maps[-1])
    lines = []
    for y in range(found.height):
        row = [
            "".join(
                shown[code] if code < len(shown) else "?" for code in tiles[y * found.width : (y + 1) * found.width]
            )
            for tiles in maps
        ]
        arrow = "  ->  " if y == found.height // 2 else "      "
        text = arrow.join(row)
        if len(maps) < len(found.maps):
            head, tail = arrow.join(row[:-1]), row[-1]
            text = f"{head}{arrow}{'...' if arrow.strip() else '   '}{arrow}{tail}"
        lines.append(f"    {text.rstrip()}")
    return "\n".join(lines)
