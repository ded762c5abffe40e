"""TOML behind its guard: the places agree with the text, the mistakes are sentences, and no small file can stall us."""

from __future__ import annotations

import random
import re
import time
import tomllib
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from undercroft import limits
from undercroft.errors import BadInput, Place, TooBig
from undercroft.inputs import toml
from undercroft.inputs.values import KeyMark

Path = tuple[str | int, ...]

RECIPE = '''\
# A cave, with the traps that a careless scanner falls into.
about = "A cave: [not] = a # header"
size = [60, 30]

[param.fill_prob]
default = 0.4
range = [
    0.0,  # a comment, with ] and "
    1.0,
]
"two words" = """
wall = "no key"
[no.header]
""" # the end
'lite.ral' = { x = 1, y.z = [{ w = 2 }] }

[[step]]
use = "noise"
wall = "$fill_prob"

  [[ step ]]
  use = 'automaton'
  a . b = 1979-05-27 07:32:00
  [step.deep]
  x = """"quoted"""""

[[step.part]]
[[step.part]]
y = true
'''

EXPECTED: list[tuple[Path, str, str]] = [
    # path, place of the key, place of the value
    ((), "1:1", "1:1"),
    (("about",), "2:1", "2:9"),
    (("size",), "3:1", "3:8"),
    (("size", 1), "3:13", "3:13"),
    (("param",), "5:2", "5:2"),
    (("param", "fill_prob"), "5:8", "5:8"),
    (("param", "fill_prob", "default"), "6:1", "6:11"),
    (("param", "fill_prob", "range", 0), "8:5", "8:5"),
    (("param", "fill_prob", "range", 1), "9:5", "9:5"),
    (("param", "fill_prob", "two words"), "11:1", "11:15"),
    (("param", "fill_prob", "lite.ral"), "15:1", "15:14"),
    (("param", "fill_prob", "lite.ral", "x"), "15:16", "15:20"),
    (("param", "fill_prob", "lite.ral", "y"), "15:23", "15:23"),
    (("param", "fill_prob", "lite.ral", "y", "z"), "15:25", "15:29"),
    (("param", "fill_prob", "lite.ral", "y", "z", 0), "15:30", "15:30"),
    (("param", "fill_prob", "lite.ral", "y", "z", 0, "w"), "15:32", "15:36"),
    (("step",), "17:3", "17:3"),
    (("step", 0), "17:3", "17:3"),
    (("step", 0, "use"), "18:1", "18:7"),
    (("step", 0, "wall"), "19:1", "19:8"),
    (("step", 1), "21:6", "21:6"),
    (("step", 1, "use"), "22:3", "22:9"),
    (("step", 1, "a"), "23:3", "23:3"),
    (("step", 1, "a", "b"), "23:7", "23:11"),
    (("step", 1, "deep"), "24:9", "24:9"),
    (("step", 1, "deep", "x"), "25:3", "25:7"),
    (("step", 1, "part"), "27:8", "27:8"),
    (("step", 1, "part", 1), "28:8", "28:8"),
    (("step", 1, "part", 1, "y"), "29:1", "29:5"),
    # what is not there has the place of its nearest ancestor's key
    (("step", 1, "rounds"), "21:6", "21:6"),
    (("step", 7, "use"), "17:3", "17:3"),
    (("size", 9), "3:1", "3:1"),
    (("nothing",), "1:1", "1:1"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_each_key_has_its_place(newline: str) -> None:
    document = toml.parse_toml(RECIPE.replace("\n", newline), "cave.toml")
    for path, key, value in EXPECTED:
        assert str(document.place(*path)) == f"cave.toml:{key}", path
        assert str(document.value_place(*path)) == f"cave.toml:{value}", path


def test_a_place_shows_its_line_without_the_line_end() -> None:
    document = toml.parse_toml("a = 1\r\nb = '\x85é'  # \u0435\r\n", "x.toml")
    assert document.place("b") == Place("x.toml", 2, 1, "b = '�é'  # \u0435")
    assert document.text == "a = 1\r\nb = '\x85é'  # \u0435\r\n"


def test_an_implicit_table_has_the_place_that_made_it_first() -> None:
    document = toml.parse_toml("[a.b.c]\nx = 1\n[a]\ny.z = 2\n", "x.toml")
    assert [str(document.place(*path))[7:] for path in (("a",), ("a", "b"), ("a", "b", "c"), ("a", "y"))] == [
        "1:2",
        "1:4",
        "1:6",
        "4:1",
    ]


# --- random documents -------------------------------------------------------------------------------------------------

SNIPPETS = [
    "a = 1",
    "[x]",
    "[[a]]",
    "# no",
    "'",
    "'''",
    '"',
    '"""',
    '""',
    "]",
    "}",
    "\\",
    "é",
    "{b = 2}",
    ",",
    " ",
    "\n",
    "\ny = 3\n",
    "\t",
    "\U0001f5dd",
]
NAMES = [
    "a",
    "b",
    "c",
    "7",
    "x-y",
    "two words",
    "a.b",
    "é",
    "",
    'q"uote',
    "apo'strophe",
    "back\\slash",
    "tab\t",
    "#",
    "[a]",
    "new\nline",
]


def basic(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def long_basic(text: str) -> str:
    """Quotes stay as they are where that is allowed: up to two in a row, also just before the closing three."""
    return '"""\n' + text.replace("\\", "\\\\").replace('"""', '""\\"') + '"""'


@st.composite
def texts(draw: st.DrawFn) -> str:
    text = "".join(draw(st.lists(st.sampled_from(SNIPPETS), max_size=5)))
    ways = [basic(text)]
    if not re.search(r'"{3}$', text):
        ways.append(long_basic(text))
    if "'" not in text and "\n" not in text:
        ways.append(f"'{text}'")
    if "'''" not in text:
        ways.append(f"'''{text}'''")
    return draw(st.sampled_from(ways))


@st.composite
def names(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(NAMES))
    ways = [basic(name)]
    if re.fullmatch(r"[A-Za-z0-9_-]+", name):
        ways = [name, name, name, *ways]
    if "'" not in name and "\n" not in name:
        ways.append(f"'{name}'")
    return draw(st.sampled_from(ways))


blanks = st.sampled_from(["", "", " ", "\t", "  "])
gaps = st.sampled_from(["", "", " ", "\n", "\n  ", " # ] } , a = 'x'\n", "\n\n#\n"])
scalars = st.one_of(
    texts(),
    st.sampled_from(
        [
            "0",
            "-17",
            "+1_000",
            "0xff",
            "3.14",
            "-1e6",
            "true",
            "false",
            "1979-05-27",
            "1979-05-27 07:32:00",
            "1979-05-27T07:32:00-08:00",
            "07:32:00.5",
        ]
    ),
)


@st.composite
def keys(draw: st.DrawFn) -> str:
    parts = draw(st.lists(names(), min_size=1, max_size=3))
    return "".join(draw(blanks) + "." + draw(blanks) + part if index else part for index, part in enumerate(parts))


@st.composite
def arrays(draw: st.DrawFn, elements: st.SearchStrategy[str]) -> str:
    inner = draw(st.lists(elements, max_size=3))
    written = ",".join(draw(gaps) + element + draw(gaps) for element in inner)
    return f"[{written}{draw(st.sampled_from(['', ',']) if inner else st.just(''))}{draw(gaps)}]"


@st.composite
def inline_tables(draw: st.DrawFn, elements: st.SearchStrategy[str]) -> str:
    inner = draw(st.lists(st.tuples(keys(), elements), max_size=3))
    written = ",".join(
        f"{draw(blanks)}{key}{draw(blanks)}={draw(blanks)}{element}{draw(blanks)}" for key, element in inner
    )
    return "{" + written + "}"


values = st.recursive(scalars, lambda inner: arrays(inner) | inline_tables(inner), max_leaves=6)


@st.composite
def statements(draw: st.DrawFn) -> str:
    kind = draw(st.integers(0, 5))
    key = draw(keys())
    if kind == 0:
        line = f"[{draw(blanks)}{key}{draw(blanks)}]"
    elif kind == 1:
        line = f"[[{draw(blanks)}{key}{draw(blanks)}]]"
    else:
        line = f"{key}{draw(blanks)}={draw(blanks)}{draw(values)}"
    end = draw(st.sampled_from(["\n", "\n", " # [x] = 'y'\n", "\n\n", "\r\n", "\n# a = 1\n"]))
    return draw(blanks) + line + draw(blanks) + end


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except ValueError:
        return False
    return True


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Statements at random; one that does not go with those before it is left out."""
    text = ""
    for statement in draw(st.lists(statements(), max_size=10)):
        if is_toml(text + statement):
            text += statement
    return text


def paths(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    inner: Any = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, element in inner:
        yield (*path, name), element
        yield from paths(element, (*path, name))


def marked(mark: KeyMark, path: Path = ()) -> Iterator[Path]:
    for name, inner in mark.inside.items():
        yield (*path, name)
        yield from marked(inner, (*path, name))


def text_at(document: toml.TomlDocument, place: Place) -> str:
    lines = document.text.split("\n")
    assert 1 <= place.line <= len(lines)
    assert 1 <= place.column <= len(lines[place.line - 1])
    return "\n".join([lines[place.line - 1][place.column - 1 :], *lines[place.line :]])


def key_written(text: str) -> str:
    """The name that the key at the start of this text stands for."""
    written = re.match(r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'""", text)
    assert written, text
    return next(iter(tomllib.loads(f"{written.group()} = 0")))


def starts_with_value(text: str, value: Any) -> bool:
    """Whether some start of this text is this value, and nothing shorter than it is a number that goes on."""
    for end in range(1, len(text) + 1):
        if text[end - 1] in "\"'}]" or not re.match(r"[\w.:+-]", text[end : end + 1]):
            start = f"x = {text[:end]}"
            if is_toml(start) and tomllib.loads(start)["x"] == value:
                return True
    return False


@pytest.mark.long
@settings(max_examples=200, deadline=None, derandomize=True)
@given(documents())
def test_the_places_agree_with_the_data(text: str) -> None:
    document = toml.parse_toml(text, "random.toml")
    assert document.data == tomllib.loads(text)
    known = dict(paths(document.data))
    assert set(marked(document.tree)) == set(known)
    for path, value in known.items():
        key, start = document.place(*path), document.value_place(*path)
        if isinstance(path[-1], str):
            assert key_written(text_at(document, key)) == path[-1]
        elif key != start or not starts_with_value(text_at(document, key), value):  # an element made by a header
            assert key_written(text_at(document, key)) == path[-2]
            assert re.search(r"\[\[[^\n]*$", key.text[: key.column - 1])
        if key != start or not isinstance(value, dict | list):
            assert starts_with_value(text_at(document, start), value)


def test_the_random_documents_are_not_all_dull() -> None:
    """The strategy above must draw what it promises, or its test proves nothing."""
    seen = {"[[": 0, "{": 0, '"""': 0, "'''": 0, ".": 0, "#": 0, "\\": 0, "deep": 0}

    @settings(max_examples=60, deadline=None, derandomize=True, database=None)
    @given(documents())
    def count(text: str) -> None:
        for sign in seen:
            seen[sign] += sign in text
        seen["deep"] += any(len(path) > 3 for path, _ in paths(tomllib.loads(text)))

    count()
    assert min(seen.values()) >= 6, seen


# --- mistakes ---------------------------------------------------------------------------------------------------------

MISTAKES: list[tuple[str, list[str]]] = [
    (
        "this is not TOML: Expected '=' after a key",
        ["wall 0.4", "wall: 0.4", "two words = 1", "a = 1\n\n  b", "a.b", "a = {b 1}"],
    ),
    (
        "this is not TOML: Invalid value",
        [
            "use = noise",
            "a =",
            "a = True",
            "a = .5",
            "a = [1, x]",
            "a = [1,, 2]",
            "a = # nothing",
            "a = [\n1,\nb = 2\n",
        ],
    ),
    (
        "this is not TOML: Expected newline",
        ["a = 1 b = 2", "a = 05", "a = 'it's'", "a = 3 rooms", "a = 1,", "[a] b = 1", "a = 5.", "a = 2024-1-1"],
    ),
    ("this is not TOML: Expected ']' at the end", ["[a", "[a\nb = 1", "[two words]", "[a}"]),
    ("this is not TOML: Expected ']]' at the end", ["[[a]", "[[a\nb = 1", "[[two words]]"]),
    (
        "this is not TOML: a string is not closed",
        [
            'a = "x',
            'a = "x\nb = 1',
            "a = 'x",
            "a = 'x\nb = '",
            'a = """x\n\n',
            "a = '''x\n",
            '"a = 1\n',
            "a = [1, 'x\n]",
            'a = [1,\n"x]\n',
        ],
    ),
    (
        "this is not TOML: a bracket is not closed",
        ["a = [1,\n2\n", "a = [", "a = [[1], 2", "a = {b = 1", "a = [{b = [1", "a = {b = "],
    ),
    ("this is not TOML: Unclosed array", ["a = [1 2]", "size = [60, 30\n[[step]]\n", "a = [1; 2]", "a = [1\nb = 2"]),
    ("this is not TOML: Unclosed inline table", ["a = {b = 1 c = 2}", "a = {b = 1\n}", "a = {b = 1]"]),
    ("this is not TOML: Invalid initial character", ["[]", "a. = 1", "a = {b = 1,}", "[a.]", "[é]", "a = {\nb = 1}"]),
    (
        "this is not TOML: Invalid statement",
        ["= 1", "\ufeffa = 1", "!", "a = 1\n]", "a = 1\n\0", "a = 1\rb = 2".replace("a = 1", ""), "é = 1", "{}"],
    ),
    ("this is not TOML: Unescaped '\\'", ['a = "C:\\dir"', 'a = "\\\n"', 'a = """\\ x"""', '"\\d" = 1', 'a = "\\']),
    ("this is not TOML: Invalid hex value", ['a = "\\u12"', 'a = "\\Uxyz"']),
    ("this is not TOML: Escaped character", ['a = "\\ud800"', 'a = "\\UFFFFFFFF"']),
    ("this is not TOML: Invalid date", ["a = 2023-02-29", "a = 0000-01-01", "a = [1,\n2024-04-31]"]),
    ("this is not TOML: Illegal character", ['a = "\0"', 'a = "\x1b[0m"', 'a = """\x7f"""']),
    ("this is not TOML: Found invalid character", ["a = '\0'", "a = 1 # \x1b", "# \x07"]),
    (
        "the key 'a' is already defined",
        [
            "a = 1\na = 2",
            "[a]\n[b]\n[a]",
            "a = 1\n[a]",
            "x = {a = 1, a = 2}",
            "a = 1\n[[a]]",
            "[a]\n[[a]]",
            "[[a]]\n[a]",
            "'a' = 1\n\"a\" = [\n1]",
        ],
    ),
    (
        "the key 'a' is already defined",
        [
            "a = 1\na.b = 2",
            "a = {}\n[a.b]",
            "a.b = 1\n[a]",
            "a = []\n[[a]]",
            "x = {a = {}, a.b = 1}",
            "a = [{}]\n[a.b]",
        ],
    ),
    ("the key '' is already defined", ["'' = 1\n['''x]", '"" = 1\n["""x]']),
    (
        "the key 'a.b' is already defined",
        ["a.b = 1\na.b = 2", "[a.b]\n[a]\n[a.b]", "[x]\na.b = 1\na.b.c = 2", "[a.b.c]\n[a]\nb.x = 1\n[a.b]"],
    ),
    (
        "the key 'b' is already defined",
        ["[a.b]\n[a]\nb.c = 1", "[[a.b]]\n[a]\nb.c = 1", "[a]\nb = 1\nb = 2", "[[a]]\nb = 1\n[[a]]\nb = 1\nb = 2"],
    ),
    (
        "this whole number does not fit in 64 bits",
        ["a = 9223372036854775808", "a = -9223372036854775809", "a = [{b = 0xfffffffffffffffff}]"],
    ),
    ("this number is not finite", ["a = inf", "a = -inf", "a = nan", "[[a]]\nb = [1e999]"]),
    ("this value has 5,000 characters and no quotes", ["a = " + "9" * 5000, "a = [0x" + "f" * 4998]),
    ("this is half of a character", ["a = '\ud800'", "# \udfff"]),
    (
        "the number of dots in this key",
        [".".join("a" * 18) + " = 1", "[" + " . ".join("a" * 18), "a = {" + ".".join("a" * 18) + "}"],
    ),
    ("the nesting of brackets here is 33", ["a = " + "[" * 33, "a = " + "{a = " * 33, "a = " + "[{a = " * 17]),
    (
        "the nesting of tables and arrays is 33",
        ["[" + ".".join("a" * 17) + "]\n" + ".".join("a" * 17) + " = 1", "[[a]]\nb = " + "[" * 31 + "]" * 31],
    ),
    ("the size of this TOML text in bytes is", ["#" * 65537, "#" + "é" * 32768, "a" * 1_000_000]),
]


@pytest.mark.parametrize(
    ("start", "text"),
    [(start, text) for start, texts in MISTAKES for text in texts],
    ids=lambda given: given[:40].encode("unicode_escape").decode(),
)
def test_a_mistake_is_a_sentence_with_a_place_and_a_fix(start: str, text: str) -> None:
    with pytest.raises(BadInput) as caught:
        toml.parse_toml(text, "wrong.toml")
    error = caught.value
    assert error.problem.startswith(start)
    assert "(at " not in error.problem
    assert error.fix
    assert error.place
    is_within(error.place, text)
    str(error).encode()  # it can be printed


def is_within(place: Place, text: str) -> None:
    lines = text.split("\n")
    assert 1 <= place.line <= len(lines)
    assert 1 <= place.column <= len(lines[place.line - 1]) + 1


@pytest.mark.parametrize(
    ("text", "place", "fix"),
    [
        ("a = 1\nuse = The Keep # x", "2:7", 'put quotes around text: "The Keep"'),
        ("a = [True]", "1:6", "write true, in small letters"),
        ("a = -.5", "1:5", "write a digit before the point, as in 0.5"),
        ("a = 05", "1:6", "write the number without zeros before it"),
        ("a =\nb = 1", "1:4", 'write a value here, such as 0.4, true or "text"'),
        ("a = 'x\n'", "1:5", "close it with ' on the same line, or write ''' around a text of several lines"),
        ('b = 1\na = """\nx\n', "2:5", 'close it with """'),
        ("a = [1,\n[2,\n3\n", "2:1", "close it with ']'"),
        (
            "a = [1,\n  2\n[b]\n",
            "3:1",
            "put a comma between values and ']' after the last; or close the bracket of line 1 with ']'",
        ),
        ('a = """\nx \\d"""', "2:3", "write \\\\ for a backslash, or put the text in 'single quotes'"),
        ('a = "x\\uD8"', "1:7", "write four hexadecimal digits after \\u, eight after \\U"),
        ("\ufeffa = 1", "1:1", "save the file as UTF-8 without a byte order mark"),
        ("[a]\nb = 1\nb = [\n2]", "3:1", "it is first defined on line 2; keep one"),
        ("a = 1\na = 2\nb = 1\nb = 2", "2:1", "it is first defined on line 1; keep one"),
        ("x = 0\na.b = 1\na.b = 2", "3:3", "it is first defined on line 2; keep one"),
        (
            "[step]\n\n[step]",
            "3:2",
            "it is first defined on line 1; keep one, or write [[step]] for each entry of a list",
        ),
        ("a = {b = 1, b = 2}", "1:13", "it is first defined on line 1; keep one"),
        ("x = 1\r\na = [1,\r\n  1e999]", "3:3", "write a number with an end, such as 1e9"),
    ],
)
def test_a_fix_fits_its_mistake(text: str, place: str, fix: str) -> None:
    with pytest.raises(BadInput) as caught:
        toml.parse_toml(text, "wrong.toml")
    assert (str(caught.value.place), caught.value.fix) == (f"wrong.toml:{place}", fix)


def test_a_mistake_is_drawn() -> None:
    with pytest.raises(BadInput) as caught:
        toml.parse_toml("[[step]]\nuse = noise\n", "cave.toml")
    assert str(caught.value) == (
        "cave.toml:2:7: this is not TOML: Invalid value\n    use = noise\n          ^\n"
        '  fix: put quotes around text: "noise"'
    )


@pytest.mark.parametrize(
    "text",
    [
        "[" + ".".join("a" * 17) + "]",
        "a = " + "[" * 32 + "]" * 32,
        "a = " + "{a = " * 31 + "{}" + "}" * 31,
        "a = 9223372036854775807\nb = -9223372036854775808\nc = 1e308",
        "#" * 65536,
        f"a = '{'.' * 100}{'[' * 100}' # {'.' * 100}{'[' * 100}",
        f"'{'.' * 100}' = '''\n{'[' * 100}\n'''",
        "",
        "\n",
        "# x",
    ],
)
def test_what_is_just_below_a_limit_is_read(text: str) -> None:
    assert toml.parse_toml(text, "big.toml").data == tomllib.loads(text)


def test_a_parser_out_of_stack_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(_: str) -> None:
        raise RecursionError

    monkeypatch.setattr(tomllib, "loads", deep)
    with pytest.raises(BadInput, match="nests too deeply"):
        toml.parse_toml("a = 1", "deep.toml")


def test_a_parser_that_knows_more_toml_than_the_guard_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tomllib, "loads", lambda _: {"a": 1})
    with pytest.raises(BadInput, match=r"not TOML 1\.0") as caught:
        toml.parse_toml("a := 1", "new.toml")
    assert str(caught.value.place) == "new.toml:1:2"


def test_an_error_without_a_place_gets_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: str) -> None:
        raise ValueError("something else")

    monkeypatch.setattr(tomllib, "loads", broken)
    with pytest.raises(BadInput, match="this is not TOML: something else") as caught:
        toml.parse_toml("a = 1", "odd.toml")
    assert str(caught.value.place) == "odd.toml:1:1"


# --- single values ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.4", 0.4),
        (" 7 ", 7),
        ("true", True),
        ("[[5,2,4]]", [[5, 2, 4]]),
        ("[1,\n2]", [1, 2]),
        ('"two words"', "two words"),
        ("'largest'", "largest"),
        ("{a = 1}", {"a": 1}),
        ("largest", "largest"),
        (" north-east ", "north-east"),
        ("infernal", "infernal"),
        ("é", "é"),
        ("crypt.toml", "crypt.toml"),
    ],
)
def test_one_value(text: str, value: object) -> None:
    assert toml.parse_value(text, "--set") == value


@pytest.mark.parametrize(
    ("text", "place", "start"),
    [
        ("two words", "1:1", "this is not TOML: Invalid value"),
        ("", "1:1", "this is not TOML: Invalid value"),
        ("0,4", "1:2", "this is not TOML: Expected newline"),
        ("[1,\n2,,]", "2:3", "this is not TOML: Invalid value"),
        ("[1, 'x]", "1:5", "this is not TOML: a string is not closed"),
        ("1\nb = 2", "2:1", "this is more than one value"),
        ("1\n[b]", "2:2", "this is more than one value"),
        ("{}\nvalue.x = 1", "2:1", "the key 'value' is already defined"),
        ("inf", "1:1", "this number is not finite"),
        ("nan", "1:1", "this number is not finite"),
        ("[1e999]", "1:2", "this number is not finite"),
        ("99999999999999999999", "1:1", "this whole number"),
        ("[" * 40, "1:33", "the nesting of brackets"),
        ("x" * 70_000, "1:1", "the size of this TOML text in bytes is 70,000"),
        ("x\ud800", "1:2", "this is half of a character"),
    ],
)
def test_a_wrong_value_is_placed_in_what_was_given(text: str, place: str, start: str) -> None:
    with pytest.raises(BadInput) as caught:
        toml.parse_value(text, "--set")
    assert caught.value.problem.startswith(start)
    assert str(caught.value.place) == f"--set:{place}"
    assert caught.value.place
    assert caught.value.place.text[:100] == text.split("\n")[caught.value.place.line - 1].replace("\ud800", "�")[:100]


# --- hostile texts ----------------------------------------------------------------------------------------------------


def full(unit: str, head: str = "", tail: str = "") -> str:
    """As much of it as the size cap lets through; `{i}` counts."""
    room, parts = limits.TOML_BYTES.value - len(head) - len(tail), list[str]()
    while room >= len(part := unit.replace("{i}", str(len(parts)))):
        parts.append(part)
        room -= len(part)
    return head + "".join(parts) + tail


DOTTED = ".".join("a" * 17)
HOSTILE = {
    "one key of 20,000 parts": ".".join("a" * 20_000) + " = 1",
    "one key that never ends": full("a."),
    "one key that never ends, with blanks": full("a . "),
    "one header of 20,000 parts": "[" + ".".join("a" * 20_000) + "]",
    "one inline key that never ends": full("a.", "a = {"),
    "many deep headers": full("[" + DOTTED[:-1] + "x{i}]\n"),
    "many deep lists": full(f"[[{DOTTED}]]\n"),
    "many headers": full("[x{i}]\n"),
    "many list elements": full("[[a]]\n"),
    "many list elements with a table": full("[[a]]\n[a.b]\n"),
    "many list elements with dotted keys": full("[[a]]\nb.c=1\n"),
    "many deep keys under a deep header": full("b." * 14 + "c{i}=1\n", "[" + DOTTED + "]\n"),
    "many keys with escapes": full('"\\t{i}"=1\n'),
    "dotted keys, then headers": full("a.b{i}.c=1\n", tail="[[z]]\n" * 1000),
    "a wide array": full("1,", "a=[", "]"),
    "a wide array with a mistake at the end": full("1,", "a=[", "x]"),
    "a wide array of arrays": full("[],", "a=[", "]"),
    "a wide inline table": full("k{i}=1,", "a={", "z=1}"),
    "a deep array": full("[", "a="),
    "deep inline tables": full("{a=", "a="),
    "deep inline tables with deep keys": full("{" + DOTTED + "=", "a="),
    "many arrays as deep as allowed": full("k{i}=" + "[" * 32 + "]" * 32 + "\n"),
    "many inline tables with deep keys": full("k{i}={" + DOTTED + "=1}\n"),
    "an integer": full("9", "a="),
    "a hexadecimal integer": full("f", "a=0x"),
    "a float": full("3", "a=0."),
    "dates that do not exist": full("2024-02-30,", "a=["),
    "escapes": full("\\n", 'a="', '"'),
    "escapes without an end": full("\\\\", 'a="'),
    "escaped line ends": full("\\\n", 'a="""', '"""'),
    "quotes without an end": full('"" ', 'a="""'),
    "apostrophes without an end": full("'' ", "a='''"),
    "blanks": full(" "),
    "comments": full("#\n"),
    "comments in an array": full("#\n", "a=["),
    "nothing but quotes": full('"'),
    "nothing but brackets": full("["),
    "nothing but NUL": full("\0"),
    "a key defined twice at the end": full("k{i}=1\n", tail="k1=2"),
    "ten million characters": "a" * 10_000_000,
}


def refusal(text: str) -> BadInput | None:
    try:
        toml.parse_toml(text, "mutant.toml")
    except BadInput as error:
        return error
    return None


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_small_text_stalls_us(text: str) -> None:
    start = time.process_time()
    error = refusal(text)
    assert time.process_time() - start < 5.0
    assert error is None or (error.place and error.fix)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in HOSTILE
        if name.startswith(("one", "a wide array with", "comments", "quotes", "dotted", "many arrays", "ten"))
    ],
)
def test_no_small_text_fills_the_memory(name: str) -> None:
    tracemalloc.start()
    try:
        refusal(HOSTILE[name])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 64 * 1024 * 1024


BASES = [
    RECIPE,
    "a = 1\nb.c = \"x\"\n[d]\ne = [1, 2, {f = 3}]\n[[g]]\nh = 2024-01-01\n[[g]]\n[g.i]\nj = '''k\nl'''\n",
    'x = { y = { z = [ "a", \'b\' ] } }\r\n"q\\u0041" = """\\\r\n  t"""\r\n[x2."y z"]\r\nw = -1.5e3\r\n',
]
PIECES = [
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    ".",
    "=",
    ",",
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    "\n",
    "\r\n",
    "\r",
    "#",
    " ",
    "\t",
    "\0",
    "a",
    "1",
    "-",
    "_",
    ":",
    "inf",
    "1e999",
]
PIECES += [
    "a = 1\n",
    "[a]\n",
    "[[g]]\n",
    "d.e = 1\n",
    "\ud800",
    "\ufeff",
    "é",
    "9" * 30,
    "9" * 200,
    "a." * 20,
    "[" * 40,
    "\\u0041",
    "\\ud800",
    "true",
    "2024-02-30",
]


def mutants(count: int) -> Iterator[str]:
    chance = random.Random(20240229)
    for _ in range(count):
        text = chance.choice(BASES)
        for _ in range(chance.choice((1, 1, 2, 4))):
            start = chance.randrange(len(text) + 1)
            end = min(len(text), start + chance.choice((0, 0, 1, 1, 3, 20)))
            other = chance.randrange(len(text) + 1)
            new = chance.choice(
                ("", chance.choice(PIECES), chance.choice(PIECES), text[other : other + chance.randrange(30)])
            )
            text = text[:start] + new + text[end:]
        yield text


def starts() -> Iterator[str]:
    for text in BASES:
        yield from (text[:end] for end in range(len(text)))


def outcome(text: str) -> str:
    """What became of a text, after all that must be so in each case."""
    error = refusal(text)
    if error is None:
        document = toml.parse_toml(text, "mutant.toml")
        assert document.data == tomllib.loads(text)
        assert set(marked(document.tree)) == {path for path, _ in paths(document.data)}
        return "read"
    assert error.fix
    assert error.place
    is_within(error.place, text)
    str(error).encode()  # it can be printed
    if isinstance(error, TooBig) or not error.problem.startswith(("this is not TOML:", "the key ")):
        return "refused by the guard"
    assert not is_toml(text)
    assert not error.problem.startswith("this is not TOML: Cannot")  # the scanner found the clash as well
    assert "toml.io" not in error.fix  # the table of fixes has a row for it
    return "not TOML"


def test_a_mutant_is_read_or_refused_with_a_place() -> None:
    seen = {"read": 0, "not TOML": 0, "refused by the guard": 0}
    for text in [*mutants(3000), *starts()]:
        seen[outcome(text)] += 1
    assert min(seen.values()) > 50, seen
