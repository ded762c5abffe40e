"""Read word grammars from TOML. Checks that every referenced word exists, that none refers to itself, and that no
phrase gets too long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from undercroft import limits
from undercroft.errors import BadInput, Place, unknown_name_error
from undercroft.inputs import toml
from undercroft.inputs.values import CheckedValue
from undercroft.things.words import GIVEN_NAMES, REFERENCE, SYMBOL, Choice, Phrase, Reference, WordGrammar

FILE_KEYS = ("about", "extends", "word", "title", "room", "note")
ANY = "any"
ASSUMED_NAME_LENGTH = 80
"""The assumed number of letters of a name in a note."""
Shipped = Callable[[str], WordGrammar]
PhraseTables = dict[str, dict[Phrase, int]]


def parse_words(text: str, file: str, shipped: Shipped | None = None) -> WordGrammar:
    """Parse the words in a text; `file` names it in errors. `shipped` loads the words that it extends by name.

    >>> from undercroft.core.rng import Rng
    >>> words = parse_words('''
    ... [word]
    ... beast = ["owl", "rat"]
    ... [title]
    ... any = ["House of {a Beast}"]
    ... [room]
    ... any = ["The {Beast}'s Hole"]
    ... [note]
    ... any = ["Beware."]
    ... ''', "small.toml")
    >>> words.expand(words.titles["any"].phrases[0], Rng.root(1))
    'House of an Owl'
    """
    whole = toml.parse_toml(text, file).root()
    whole.table(FILE_KEYS)
    base = _load_base(whole, shipped)
    parts = {key: _read_choices(whole, key) for key in FILE_KEYS[2:]}
    for name in parts["word"]:
        if not SYMBOL.fullmatch(name) or name in GIVEN_NAMES:
            fix = (
                "write small letters, digits, - and _"
                if name not in GIVEN_NAMES
                else f"{', '.join(GIVEN_NAMES)} are given to notes: choose another name"
            )
            raise BadInput(f"a word cannot be called {name[:40]!r}", place=whole.at("word", name).key_place(), fix=fix)
    tables = {
        key: {**old, **{name: Choice(own) for name, own in parts[key].items()}} for key, old in _list_tables(base)
    }
    made = WordGrammar(tables["word"], tables["title"], tables["room"], tables["note"], whole.key("about", "").text())
    for key, table in _list_tables(made)[1:]:
        if ANY not in table:
            raise BadInput(
                f"there is nothing to say for any {key}",
                place=whole.at(key).key_place(),
                fix=f'add any = ["..."] to [{key}]',
            )
    if all(phrase.names & set(GIVEN_NAMES) for phrase in made.notes[ANY].phrases):
        raise whole.at("note", ANY).error(
            "every note names something of the level, and a level may have no names",
            f"add a phrase without {{{'}, {'.join(GIVEN_NAMES)}}}",
        )
    _check_words(made, whole)
    return made


def _list_tables(words: WordGrammar) -> tuple[tuple[str, Mapping[str, Choice]], ...]:
    """The four parts with their keys in a file."""
    return ("word", words.words), ("title", words.titles), ("room", words.rooms), ("note", words.notes)


def _load_base(whole: CheckedValue, shipped: Shipped | None) -> WordGrammar:
    """The words that these extend; empty if they extend none."""
    name = whole.key("extends", "").text()
    if not name:
        return WordGrammar({}, {}, {}, {})
    if shipped is None:
        raise whole.key("extends").error("these words cannot extend others", "leave 'extends' out")
    try:
        return shipped(name)
    except BadInput as error:
        error.place = whole.key("extends").place()
        raise


def _read_choices(whole: CheckedValue, key: str) -> PhraseTables:
    """Read one of the tables: phrases with their weights, by name."""
    fields = whole.subtable(key)
    return {name: dict(_read_phrases(fields, name)) for name in fields.value}


def _read_phrases(fields: CheckedValue, name: str) -> Iterator[tuple[Phrase, int]]:
    """Read the phrases of one name: a list of equal weights, or a table with weights."""
    listed = fields.key(name)
    found = listed.value
    if isinstance(found, str) or not found or not isinstance(found, list | dict):
        raise listed.mismatch("a list of phrases", fix=f'write {name} = ["...", "..."]')
    if isinstance(found, dict):
        for text in found:
            yield (
                _parse_phrase(text, listed.key(text).key_place()),
                listed.key(text).integer(1, limits.PHRASE_WEIGHT.value),
            )
        return
    seen: set[str] = set()
    for index, text in enumerate(found):
        listed.item(index).text("a phrase")
        place = listed.item(index).place()
        if text in seen:
            raise BadInput(
                f"the phrase {text[:40]!r} is listed twice",
                place=place,
                fix=f'write a table with weights: {name} = {{ "{text[:20]}" = 2 }}',
            )
        seen.add(text)
        yield _parse_phrase(text, place), 1


def _parse_phrase(text: str, place: Place) -> Phrase:
    """Parse a phrase into its parts."""
    if not text.strip() or not text.isprintable():
        raise BadInput("a phrase has letters, and is on one line", place=place, fix="write some")
    _check_length(len(text), place)
    parts: list[str | Reference] = []
    done = 0
    for found in REFERENCE.finditer(text):
        parts += [text[done : found.start()]] if found.start() > done else []
        parts.append(Reference(_referenced_word(found["name"]), found["name"][0].isupper(), found["article"] or ""))
        done = found.end()
    for column, sign in enumerate(REFERENCE.sub(lambda found: "." * len(found[0]), text)):
        if sign in "{}":
            fix = "write {word}, {Word}, {a word} or {A word}: letters, digits, - and _"
            raise BadInput("this brace holds no word", place=_place_inside(text, column, place), fix=fix)
    return Phrase((*parts, text[done:]) if done < len(text) else tuple(parts))


def _referenced_word(name: str) -> str:
    """The name of the word that a reference stands for."""
    return name[0].lower() + name[1:]


def _place_inside(text: str, column: int, place: Place) -> Place:
    """The place of a letter of a phrase, if the file holds it without escapes; else the place of the phrase."""
    written = place.text[place.column - 1 :]
    as_read = written[:1] in {'"', "'"} and written[1 : 1 + len(text)] == text
    return place._replace(column=place.column + 1 + column) if as_read else place


def _check_length(length: int, place: Place) -> None:
    """Refuse a length that is too long for a name."""
    limits.PHRASE_LENGTH.check(length, "the number of letters of this, with all its words,", place)


def _phrase_place(whole: CheckedValue, key: str, name: str, number: int, word: str = "") -> Place:
    """The place of a phrase, or of a word in it."""
    raw = whole.value.get(key, {}).get(name, ())
    if not raw:
        return whole.at(key, name).key_place()
    text = list(raw)[number]
    place = whole.at(key, name, text).key_place() if isinstance(raw, dict) else whole.at(key, name, number).place()
    column = next((found.start() for found in REFERENCE.finditer(text) if _referenced_word(found["name"]) == word), -1)
    return place if column < 0 else _place_inside(text, column, place)


def _check_words(made: WordGrammar, whole: CheckedValue) -> None:
    """Check that all words exist, that none refers to itself, and that the longest phrase is not too long."""
    lengths: dict[str, int] = {}
    for name in made.words:
        _measure_word(made, whole, name, lengths)
    for key, table in _list_tables(made)[1:]:
        known = {**lengths, **dict.fromkeys(GIVEN_NAMES, ASSUMED_NAME_LENGTH)} if key == "note" else lengths
        for name, choice in table.items():
            for number, phrase in enumerate(choice.phrases):
                for word in sorted(phrase.names - known.keys()):
                    raise _unknown_word(made, word, _phrase_place(whole, key, name, number, word))
                if _max_length(phrase, known) > limits.PHRASE_LENGTH.value:
                    _check_length(_max_length(phrase, known), _phrase_place(whole, key, name, number))


def _measure_word(made: WordGrammar, whole: CheckedValue, first: str, lengths: dict[str, int]) -> None:
    """Find the greatest length of a word, after those it refers to. Uses its own stack, since chains may be long."""
    waiting = {} if first in lengths else {first: _list_references(made, first)}
    while waiting:
        name = next(reversed(waiting))
        phrases = made.words[name].phrases
        missing = next((found for found in waiting[name] if found[1] not in lengths), None)
        if len(waiting) > limits.NESTING_DEPTH.value:
            problem = f"{len(waiting)} words lead from one to the next, from {first!r} on"
            raise BadInput(
                problem, place=whole.at("word", first).key_place(), fix=f"let {limits.NESTING_DEPTH.value} be the most"
            )
        if missing is None:
            lengths[name] = max(_max_length(phrase, lengths) for phrase in phrases)
            _check_length(lengths[name], whole.at("word", name).key_place())
            del waiting[name]
            continue
        number, word = missing
        if word not in made.words:
            raise _unknown_word(made, word, _phrase_place(whole, "word", name, number, word))
        if word in waiting:
            loop = " -> ".join([*list(waiting)[list(waiting).index(word) :], word])
            fix = "take one of them out of the other's phrases"
            raise BadInput(
                f"these words lead to each other without end: {loop}",
                place=_phrase_place(whole, "word", name, number, word),
                fix=fix,
            )
        waiting[word] = _list_references(made, word)


def _list_references(made: WordGrammar, name: str) -> Iterator[tuple[int, str]]:
    """The words in the phrases of a word, each with the index of its phrase."""
    return ((number, word) for number, phrase in enumerate(made.words[name].phrases) for word in sorted(phrase.names))


def _max_length(phrase: Phrase, lengths: Mapping[str, int]) -> int:
    """The most letters of a phrase, with articles."""
    return sum(
        len(part) if isinstance(part, str) else lengths[part.name] + (3 if part.article else 0) for part in phrase.parts
    )


def _unknown_word(made: WordGrammar, word: str, place: Place) -> BadInput:
    if word in GIVEN_NAMES:
        return BadInput(f"only notes may name {{{word}}}", place=place, fix="name a word of [word] instead")
    return unknown_name_error("word", word, made.words, place=place)
