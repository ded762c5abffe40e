"""Places in the strings of a TOML text."""

from __future__ import annotations

import random

import pytest

from support.maps import each
from undercroft.errors import Place
from undercroft.inputs.toml import parse_toml
from undercroft.inputs.toml_strings import locate_in_string

ESCAPES = {"\\n": "\n", '\\"': '"', "\\\\": "\\", "\\u0061": "a", "\\U0001F409": "\N{DRAGON}", "\\t": "\t"}
PLAIN = [*"ab.# {", "\N{DRAGON}", "é"]


def draw_string(chance: random.Random) -> tuple[str, list[tuple[str, int]]]:
    """A TOML string, and each sign of its value with the index of what it is written as."""
    quotes = chance.choice(['"""', "'''", '"', "'"])
    pieces, signs = [quotes], []
    at = len(quotes)

    def add(source: str, sign: str) -> None:
        nonlocal at
        if sign:
            signs.append((sign, at))
        pieces.append(source)
        at += len(source)

    newline = chance.choice(["\n", "\r\n"])
    if len(quotes) == 3 and chance.random() < 0.7:
        add(newline, "")
    for _ in range(chance.randrange(30)):
        kind = chance.random()
        if kind < 0.25 and quotes[0] == '"':
            source, sign = chance.choice(list(ESCAPES.items()))
            add(source, sign)
        elif kind < 0.45 and len(quotes) == 3 and signs:
            add(newline, "\n")
        elif kind < 0.5 and quotes == '"""':
            add("\\" + " " * chance.randrange(2) + newline * chance.randint(1, 2) + " " * chance.randrange(3), "")
            add("x", "x")  # what follows would be blanks that are left out
        else:
            sign = chance.choice(PLAIN)
            add(sign, sign)
    signs.append(("", at))
    return "".join(pieces) + quotes, signs


@each("seed", 300)
def test_every_sign_is_found_where_it_is_written(seed: int) -> None:
    chance = random.Random(seed)
    source, signs = draw_string(chance)
    head = "# one\nx = 3\n[[step]]\nuse = 'é'\nrules = "
    document = parse_toml(f"{head}{source}  # behind\n", "a.toml")
    text = document.data["step"][0]["rules"]
    assert text == "".join(sign for sign, _ in signs)
    for index, (_, at) in enumerate(signs):
        before = text[:index]
        place = Place("rules", before.count("\n") + 1, index - (before.rfind("\n") + 1) + 1)
        found = locate_in_string(document, text, place, "step", 0, "rules")
        assert found == document.lines.locate(len(head) + at)


@pytest.mark.parametrize("path", [("step",), ("step", 0), ("step", 0, "no"), ("x",), ("x", "y"), ()])
def test_other_values_have_no_such_place(path: tuple[str | int, ...]) -> None:
    document = parse_toml("x = 3\n[[step]]\nrules = 'abc'\n", "a.toml")
    assert locate_in_string(document, "abc", Place("rules", 1, 1), *path) is None
    here = ("step", 0, "rules")
    assert locate_in_string(document, "abd", Place("rules", 1, 1), *here) is None, "another text stands there"
    assert locate_in_string(document, "abc", Place("rules", 2, 1), *here) is None
    assert locate_in_string(document, "abc", Place("rules", 1, 5), *here) is None
    assert locate_in_string(document, "abc", Place("rules", 1, 4), *here)
