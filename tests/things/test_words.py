"""Word grammars: what is read, what is refused, and what comes out."""

from __future__ import annotations

import random

import pytest

from support.maps import HEAVY
from undercroft import limits
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.inputs import files
from undercroft.things import shipped
from undercroft.things.read_words import parse_words
from undercroft.things.words import WordGrammar, capitalise_name, capitalise_sentences, put_in_sentence

REST = "[title]\nany = ['T']\n[room]\nany = ['R']\n[note]\nany = ['N']\n"
"""What every file needs."""

MISTAKES = [
    ("", "1:1", "there is nothing to say for any title", 'add any = ["..."] to [title]'),
    (
        "[title]\nany = ['T']\n[room]\nany = ['R']\n",
        "1:1",
        "there is nothing to say for any note",
        'add any = ["..."] to [note]',
    ),
    (
        "[title]\ncave = ['T']\n[room]\nany = ['R']\n[note]\nany = ['N']\n",
        "1:2",
        "there is nothing to say for any title",
        'add any = ["..."] to [title]',
    ),
    ("[words]\n" + REST, "1:2", "unknown key 'words'", "did you mean 'word'?"),
    ("word = 3\n" + REST, "1:8", "'word' is a table, not 3", "write [word] on a line of its own"),
    ("[word]\na = 'x'\n" + REST, "2:5", "'a' is a list of phrases, not \"x\"", 'write a = ["...", "..."]'),
    ("[word]\na = []\n" + REST, "2:5", "'a' is a list of phrases, not []", 'write a = ["...", "..."]'),
    ("[word]\na = [3]\n" + REST, "2:6", "a phrase is a text, not 3", 'put it in quotes: "..."'),
    ("[word]\na = ['']\n" + REST, "2:6", "a phrase has letters, and is on one line", "write some"),
    (
        "[word]\na = ['x\u0007']\n" + REST,
        "2:8",
        "this is not TOML: Found invalid character '\\x07'",
        "remove the control character",
    ),
    ('[word]\na = ["x\\u0007"]\n' + REST, "2:6", "a phrase has letters, and is on one line", "write some"),
    (
        "[word]\na = ['x', 'y', 'x']\n" + REST,
        "2:16",
        "the phrase 'x' is listed twice",
        'write a table with weights: a = { "x" = 2 }',
    ),
    ("[word]\na = { x = 0 }\n" + REST, "2:11", "'x' is 0, which is out of range", "use a whole number from 1 to 1,000"),
    (
        "[word]\na = { x = 'y' }\n" + REST,
        "2:11",
        "'x' is a whole number, not \"y\"",
        "use a whole number from 1 to 1,000",
    ),
    (
        "[word]\nBeast = ['x']\n" + REST,
        "2:1",
        "a word cannot be called 'Beast'",
        "write small letters, digits, - and _",
    ),
    (
        "[word]\nroom = ['x']\n" + REST,
        "2:1",
        "a word cannot be called 'room'",
        "room, here, title are given to notes: choose another name",
    ),
    ("[word]\nbeast = ['x']\na = ['the {best}']\n" + REST, "3:11", "unknown word 'best'", "did you mean 'beast'?"),
    (
        "[word]\nbeast = ['x']\na = { 'the {best}' = 2 }\n" + REST,
        "3:12",
        "unknown word 'best'",
        "did you mean 'beast'?",
    ),
    (
        "[title]\nany = ['{x}']\n[room]\nany = ['R']\n[note]\nany = ['N']\n",
        "2:9",
        "unknown word 'x'",
        "there is no word to name here",
    ),
    ("[word]\na = ['{room}']\n" + REST, "2:7", "only notes may name {room}", "name a word of [word] instead"),
    (
        "[title]\nany = ['{here}']\n[room]\nany = ['R']\n[note]\nany = ['N']\n",
        "2:9",
        "only notes may name {here}",
        "name a word of [word] instead",
    ),
    (
        "[word]\na = ['x { y']\n" + REST,
        "2:9",
        "this brace holds no word",
        "write {word}, {Word}, {a word} or {A word}: letters, digits, - and _",
    ),
    (
        "[word]\na = ['x}']\n" + REST,
        "2:8",
        "this brace holds no word",
        "write {word}, {Word}, {a word} or {A word}: letters, digits, - and _",
    ),
    (
        "[word]\na = ['{}']\n" + REST,
        "2:7",
        "this brace holds no word",
        "write {word}, {Word}, {a word} or {A word}: letters, digits, - and _",
    ),
    (
        "[word]\na = ['{the b}']\nb = ['x']\n" + REST,
        "2:7",
        "this brace holds no word",
        "write {word}, {Word}, {a word} or {A word}: letters, digits, - and _",
    ),
    (
        "[word]\na = ['x {a}']\n" + REST,
        "2:9",
        "these words lead to each other without end: a -> a",
        "take one of them out of the other's phrases",
    ),
    (
        "[word]\na = ['{b}']\nb = ['x', '{c}']\nc = ['{b}']\n" + REST,
        "4:7",
        "these words lead to each other without end: b -> c -> b",
        "take one of them out of the other's phrases",
    ),
    (
        "[word]\n" + "".join(f"w{k} = ['{{w{k + 1}}}']\n" for k in range(40)) + "w40 = ['x']\n" + REST,
        "2:1",
        "33 words lead from one to the next, from 'w0' on",
        "let 32 be the most",
    ),
    (
        "[title]\nany = ['T']\n[room]\nany = ['R']\n[note]\nany = ['to {room}', 'in {here}']\n",
        "6:7",
        "every note names something of the level, and a level may have no names",
        "add a phrase without {room}, {here}, {title}",
    ),
    ("extends = 'englisch'\n", "1:11", "unknown set of words 'englisch'", "did you mean 'english'?"),
    ("extends = 'english'\n[room]\nden = ['{lare}']\n", "3:9", "unknown word 'lare'", "did you mean 'lair'?"),
]


@pytest.mark.parametrize(
    ("text", "place", "problem", "fix"),
    MISTAKES,
    ids=[f"{number} {row[2][:40]}" for number, row in enumerate(MISTAKES)],
)
def test_a_mistake_is_a_sentence_with_a_place_and_a_fix(text: str, place: str, problem: str, fix: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_words(text, "words.toml", shipped.load_words)
    assert caught.value.problem == problem
    assert caught.value.fix == fix
    assert str(caught.value.place) == f"words.toml:{place}"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"[word]\na = ['{'x' * 401}']\n" + REST, "2:6"),
        ("[word]\na = ['" + "{b}" * 50 + "']\nb = ['0123456789']\n" + REST, "2:1"),
        (
            "[word]\n" + "".join(f"w{k} = ['{{w{k + 1}}}{{w{k + 1}}}']\n" for k in range(30)) + "w30 = ['x']\n" + REST,
            "23:1",
        ),
        (
            "[word]\nb = ['0123456789']\n[title]\nany = ['"
            + "{b}" * 50
            + "']\n[room]\nany = ['R']\n[note]\nany = ['N']\n",
            "4:8",
        ),
        ("[title]\nany = ['T']\n[room]\nany = ['R']\n[note]\nany = ['N', '" + "{room}" * 6 + "']\n", "6:13"),
    ],
)
def test_what_would_grow_too_long_is_refused(text: str, place: str) -> None:
    with pytest.raises(TooBig, match="the number of letters of this, with all its words, is") as caught:
        parse_words(text, "words.toml")
    assert str(caught.value.place) == f"words.toml:{place}"


def test_a_file_cannot_extend_another_where_there_is_none() -> None:
    with pytest.raises(BadInput, match="these words cannot extend others"):
        parse_words("extends = 'english'\n", "words.toml")


def test_words_on_top_of_others() -> None:
    words = parse_words(
        "extends = 'english'\n[word]\nbeast = ['snail']\n[title]\ncave = ['The {Beast}']\n",
        "words.toml",
        shipped.load_words,
    )
    base = shipped.load_words("english")
    assert expand_often(words, "titles", "cave", 20) == {"The Snail"}
    assert words.rooms.keys() == base.rooms.keys()
    assert len(expand_often(base, "titles", "cave", 20)) > 10


def expand_often(words: WordGrammar, part: str, key: str, number: int, **given: str) -> set[str]:
    rng = Rng.root(3)
    found = set()
    for _ in range(number):
        phrase = getattr(words, part)[key].pick(rng, given or ("room", "here", "title"))
        assert phrase is not None
        found.add(words.expand(phrase, rng, given))
    return found


def test_articles_and_capitals() -> None:
    words = parse_words(
        "[word]\nb = ['old owl', 'rat']\n[title]\nany = ['{b}|{B}|{a b}|{A b}|{a B}']\n[room]\nany = ['R']\n[note]\n"
        "any = ['N']\n",
        "words.toml",
    )
    found = {part for line in expand_often(words, "titles", "any", 60) for part in line.split("|")}
    assert found == {
        "old owl",
        "rat",
        "Old Owl",
        "Rat",
        "an old owl",
        "a rat",
        "An old owl",
        "A rat",
        "an Old Owl",
        "a Rat",
    }
    assert capitalise_name("a hundred bells of the east") == "a Hundred Bells of the East"
    assert capitalise_sentences("one. two? three! four: five") == "One. Two? Three! Four: five"
    assert put_in_sentence("Where Edda Stopped") == "Where Edda Stopped"


def test_weights() -> None:
    words = parse_words("[title]\nany = { a = 9, b = 1 }\n[room]\nany = ['R']\n[note]\nany = ['N']\n", "words.toml")
    rng = Rng.root(1)
    drawn = [words.titles["any"].pick(rng) for _ in range(2000)]
    assert abs(sum(phrase == words.titles["any"].phrases[0] for phrase in drawn) / 2000 - 0.9) < 0.03


def test_a_note_names_only_what_there_is() -> None:
    words = parse_words(
        "[title]\nany = ['T']\n[room]\nany = ['R']\n[note]\n"
        "any = ['see {room}', 'in {here}', 'plain', '{room} and {title}']\n",
        "words.toml",
    )
    assert expand_often(words, "notes", "any", 60, title="X") == {"plain"}
    assert expand_often(words, "notes", "any", 60, title="X", room="The Den") == {
        "plain",
        "see the Den",
        "the Den and X",
    }
    lacking = parse_words(
        "[title]\nany = ['T']\n[room]\nany = ['R']\n[note]\nany = ['N']\nden = ['see {room}']\n", "words.toml"
    )
    assert lacking.notes["den"].pick(Rng.root(1), {}) is None


def test_the_shipped_words_read_well() -> None:
    words = shipped.load_words("english")
    dungeon = shipped.load_things("dungeon")
    assert dungeon.kinds.keys() <= words.rooms.keys()
    assert {"start", "end", "largest", "secret", "boss", "any"} <= words.rooms.keys()
    assert {"cave", "crypt", "keep", "dungeon", "maze", "forest", "any"} <= words.titles.keys()
    used = {
        name
        for table in (words.words, words.titles, words.rooms, words.notes)
        for choice in table.values()
        for phrase in choice.phrases
        for name in phrase.names
    }
    assert words.words.keys() <= used, "no word is left that nothing names"
    for part in ("titles", "rooms"):
        for key in getattr(words, part):
            names = expand_often(words, part, key, 200)
            assert len(names) >= 6
            for name in names:
                assert "{" not in name
                assert "  " not in name
                assert name == name.strip()
                assert len(name) <= 60
    for key in words.notes:
        for line in expand_often(words, "notes", key, 100, title="The Keep", room="The Den", here="The Hall"):
            assert line.endswith(".")
            assert len(line) < 200


# --- broken at random -------------------------------------------------------------------------------------------------

PIECES = [
    "{",
    "}",
    "{a }",
    "{beast}",
    "{room}",
    "[",
    "]",
    '"',
    "'",
    "=",
    ",",
    "\n",
    "[note]\n",
    "any = ",
    "0",
    "\x00",
    "é",
    "'''",
    "#",
]
SOURCES = [
    *(text for text, _, _, _ in MISTAKES),
    files.read_text(files.SHIPPED_FOLDER / "names" / "english.toml", limits.TOML_BYTES),
]


@pytest.mark.long
def test_a_mutant_is_read_or_refused_with_a_place() -> None:
    chance = random.Random(7)
    read, refused = 0, []
    for number in range(20_000 if HEAVY else 1_500):
        text = SOURCES[-1] if number % 8 == 0 else chance.choice(SOURCES)
        for _ in range(chance.choice([1, 1, 2, 4])):
            at, end = chance.randrange(len(text) + 1), chance.choice([0, 1, 1, 3, 20])
            text = text[:at] + chance.choice([*PIECES, "", text[max(0, at - 15) : at]]) + text[at + end :]
        try:
            words = parse_words(text, "words.toml", shipped.load_words)
            phrase = words.titles["any"].pick(Rng.root(number))
            assert phrase is not None
            assert len(words.expand(phrase, Rng.root(number))) <= limits.PHRASE_LENGTH.value
            read += 1
        except UndercroftError as error:
            refused.append(error)
    assert all(error.fix and error.place is not None for error in refused)
    assert read > 20
    assert len(refused) > 500
