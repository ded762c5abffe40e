"""Rule texts that are broken at random, or made to hurt: a program or a sentence comes of each, and soon."""

from __future__ import annotations

import random
import time

import pytest

from support.language_mistakes import MISTAKES
from support.maps import HEAVY
from support.texts import CASES, PROGRAMS, again, outcome, same
from undercroft.rewrite.text.expectations import find_problems
from undercroft.rewrite.text.parse import ParsedRules

PIECES = [
    "->",
    " | ",
    ";",
    "?",
    "\n",
    "\n    ",
    "        ",
    "{",
    "}",
    '"',
    ",",
    "/",
    "=",
    "not ",
    " or ",
    "once",
    "rule x\n",
    "one ",
    "expect room\n",
    "\t",
    "\u2028",
    "X",
    "0",
    "%",
    ":",
    "(",
    ")",
    " <= 3",
    " >= ",
    ", keep connected(., +)",
    ", keep count(#) <= 5",
    "distance(",
    ", each room",
    ", in rooms",
    " tagged ",
    "thing rat = r, on .\n",
    ", ports NE",
]


def mutated(source: str, chance: random.Random) -> str:
    """A text with a few things wrong."""
    for _ in range(chance.choice([1, 1, 2, 5, 20])):
        lines = source.split("\n")
        at = chance.randrange(len(source) + 1)
        here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
        kind = chance.randrange(8)
        if kind == 0:
            source = source[:at] + source[at + chance.choice([1, 1, 3, 40]) :]
        elif kind == 1:
            source = source[:at] + chance.choice(PIECES) + source[at:]
        elif kind == 2:
            source = source[:at] + chance.choice(source or " ") + source[at + 1 :]
        elif kind == 3:
            lines[here], lines[there] = lines[there], lines[here]
            source = "\n".join(lines)
        elif kind == 4:
            source = "\n".join(lines[:here] + lines[there:])
        elif kind == 5:
            lines[here] = " " * chance.randrange(9) + lines[here].lstrip()
            source = "\n".join(lines)
        elif kind == 6:
            lines.insert(here, lines[there])
            source = "\n".join(lines)
        else:
            source = (
                source[:at] + chr(chance.choice([0, 9, 13, 34, 92, 160, 0x301, 0xFEFF, 0xD7FF, 0x1F5DD])) + source[at:]
            )
    return source


def test_three_thousand_mutated_files_end_in_a_program_or_a_sentence() -> None:
    sources = [path.read_text(encoding="utf-8") for path in [*PROGRAMS, *sorted(CASES.glob("*/rules.rules"))]]
    sources += [row[0] for row in MISTAKES]
    parts = {"parts/trim.rules": (CASES / "programs" / "parts" / "trim.rules").read_text(encoding="utf-8")}
    read = refused = guarded = 0
    for number in range(20_000 if HEAVY else 3000):
        chance = random.Random(number)
        source = mutated(sources[number % len(PROGRAMS)] if number % 3 else chance.choice(sources), chance)
        began = time.process_time()
        found = outcome(parts | {"x.rules": source})
        if isinstance(found, ParsedRules):
            find_problems(found)
            assert same(again(found.program), found.program), source
            read += 1
            guarded += any(rule.guards for rule in found.program.rules()) and any(
                leaf.each for leaf in found.program.root.leaves()
            )
        else:
            assert found.place, source
            assert found.fix, source
            assert len(str(found)) < 3000
            refused += 1
        assert time.process_time() - began < 5, source
    assert read > 200
    assert guarded > 20
    assert refused > 1000


HEAVY_TEXTS = [
    "one\n" + "    " + ". " * 32_000,
    "one\n    " + ". | " * 16_000 + "\n    -> ",
    "one  " + "{" * 65_000,
    "one  . -> " + "# | " * 16_000 + "#",
    "one\n" + "  x\n" * 16_000,
    "set s = " + "# or " * 13_000 + "#",
    "set s = " + "#" * 65_000,
    "one  " + "a" * 65_000,
    "one  " + "a b " * 16_000 + "\n  . -> #\nexpect " + "a b ",
    "expect " + "a " * 32_000 + "\n  . -> #\none  a\n  . -> #",
    "one  a" + ", once" * 10_000,
    'one  "' + "\\" * 65_000,
    '"' * 65_000,
    "one  . -> #" + ", " * 30_000,
    "palette letters " + "".join(chr(0x4E00 + index) for index in range(20_000)),
    "tile a = " + "x" * 65_000,
    "\n".join(f"tile t{index} = {chr(0x4E00 + index)}, floor" for index in range(2500)),
    "\n".join(f"set s{index} = # or X" for index in range(3000)),
    "one  " + "(" * 65_000,
    "one  " + "(," * 32_000,
    "one  keep count(" * 4000,
    "one  . -> #" + ", keep count(.) <= 3" * 3000,
    "one  . -> #" + "".join(f", count(.)<={number}" for number in range(3000)),
    "one  . -> #, keep " + "a" * 65_000 + "!(.)",
    "one  . -> #, " + "<" * 65_000,
    "one  . -> #, keep " + "<" * 60_000 + "count(.) <= 3",
    "one  . -> #, keep connected(" + ".," * 32_000 + ".)",
    "one  . -> #, keep connected(" + ". or " * 13_000 + ".)",
    'one  . -> #, keep connected("' + '\\"' * 32_000 + ")",
    "one  . -> #, rooms tagged " + "a " * 32_000,
    "thing " + "a" * 65_000,
    "\n".join(f"thing t{index} = {chr(0x4E00 + index)}, on ." for index in range(2500)),
    "one  a, keep distance(., .) >= 10000\n  . -> .\nexpect a\n"
    + "\n".join("    " + "." * 64 + ("  ->" if index == 0 else "") for index in range(64)),
]


@pytest.mark.parametrize("source", HEAVY_TEXTS, ids=range(len(HEAVY_TEXTS)))
def test_a_full_page_of_nonsense_is_dealt_with_quickly(source: str) -> None:
    began = time.process_time()
    found = outcome({"x.rules": source[:65_536] if source.isascii() else source[:21_000]})
    if isinstance(found, ParsedRules):
        find_problems(found)
    assert len(str(found)) < 3000 or isinstance(found, ParsedRules)
    assert time.process_time() - began < 5
