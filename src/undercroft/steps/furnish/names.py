"""The step that gives the level a title, its rooms names, and its notes texts."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from undercroft import limits
from undercroft.core.draft import Draft
from undercroft.core.region import DOOR_STATES, Region, Regions, Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.inputs import files
from undercroft.steps.rectangles import regions_of
from undercroft.wording import plural

if TYPE_CHECKING:
    from undercroft.things.words import Choice, Phrase, WordGrammar

ANY_WORD = "any"
WORDS_BEFORE_TAGS, WORDS_AFTER_TAGS = ("boss", "secret"), ("start", "end", "largest")
"""The words that name a room before its tags do, and after them."""
MAX_NAME_DRAWS = 20
"""The most draws for a name that is not yet taken."""


@dataclass(frozen=True, kw_only=True)
class Names:
    """Name the level and its rooms, and write the texts of notes. No two rooms get the same name, and existing names
    stay.

    Rooms are named after their kind if `furnish` or a template gave them one. Other rooms are notable if they hold the
    start or the end, are hidden, or are the largest.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     ##########
    ...     #1111#222#
    ...     #1111+222#
    ...     ##########'''))
    >>> draft.start, draft.end = (1, 1), (8, 1)
    >>> Names(theme=("crypt",)).apply(draft, Rng.root(3).stream("names"), Run())
    >>> draft.title
    'The Mausoleum of Radegund'
    >>> [region.name for region in draft.regions]
    ['The Way In', 'The Nameless End']
    """

    set: str = "english"
    """The name of the set of words."""
    file: str = ""
    """Instead of a name: a file with words, which may extend a named set."""
    theme: tuple[str, ...] = ()
    """The theme of the level's title: the first of these words that has titles. If left out, the recipe's tags, then
    the kinds of regions.
    """
    rooms: Literal["notable", "all", "none"] = "notable"
    """Which rooms get names. Corridors never do."""
    notes: bool = True
    """Whether notes get a text."""

    edition: ClassVar[int] = 1
    reads: ClassVar[tuple[str, ...]] = ("file",)
    needs: ClassVar[tuple[str, ...]] = ("tiles", "regions")
    gives: ClassVar[tuple[str, ...]] = ("regions", "things")
    spoils: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        self._words_and_digest  # noqa: B018 - report a mistake in the words now

    @functools.cached_property
    def _words_and_digest(self) -> tuple[WordGrammar, str]:
        """The words, and a digest of the file they came from."""
        if self.file:
            return _load_words(self.file, files.read_text(self.file, limits.TOML_BYTES))
        from undercroft.things import shipped

        return shipped.load_words(self.set), ""

    @property
    def digest(self) -> str:
        """The digest of the file that was read; empty if there is none."""
        return self._words_and_digest[1]

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        regions = regions_of(draft)
        run.spend(draft.tiles.size + len(draft.things))
        draft.title = draft.title or self._compose_title(regions, run.tags, rng.stream("title"))
        names = (
            dict(regions.names) if self.rooms == "none" else self._name_rooms(draft, regions, rng.stream("rooms"), run)
        )
        draft.regions = Regions(regions.labels, regions.table, regions.tags, regions.templates, names)
        if self.notes:
            draft.things = self._fill_in_notes(draft, draft.regions, rng.stream("notes"))

    def _compose_title(self, regions: Regions, tags: tuple[str, ...], rng: Rng) -> str:
        words = self._words_and_digest[0]
        themes = (*self.theme, *(tags if not self.theme else ()), *dict.fromkeys(region.kind for region in regions))
        choice = next((words.titles[theme] for theme in themes if theme in words.titles), words.titles[ANY_WORD])
        return _compose_name(words, choice, rng)

    def _name_rooms(self, draft: Draft, regions: Regions, rng: Rng, run: Run) -> dict[int, str]:
        """The names of rooms by label: existing ones and new ones."""
        words = self._words_and_digest[0]
        hidden, special = _hidden_regions(draft, regions), _special_rooms(draft, regions)
        names = {label: name for label, name in regions.names.items() if name}
        taken, used_up = {draft.title, *names.values()}, set[int]()
        nameless = 0
        for region in regions:
            if region.label in names:
                continue
            choice = self._phrases_for(words, region, region.label in hidden, special.get(region.label, ()))
            if choice is None:
                continue
            name = _compose_new_name(words, choice, taken, used_up, rng) or _compose_new_name(
                words, words.rooms[ANY_WORD], taken, used_up, rng
            )
            if name:
                names[region.label] = name
                taken.add(name)
            nameless += not name
        if nameless:
            run.note(f"{plural(nameless, 'room')} without a name: the words are used up")
        return dict(sorted(names.items()))

    def _phrases_for(self, words: WordGrammar, region: Region, hidden: bool, special: tuple[str, ...]) -> Choice | None:
        """The phrases that name a room; None if it gets no name."""
        if region.kind == "corridor" or not region.area:
            return None
        is_a = {*region.tags, *(["secret"] if hidden else [])}
        order = (*(word for word in WORDS_BEFORE_TAGS if word in is_a), *reversed(region.tags), *special)
        found = next((words.rooms[word] for word in order if word in words.rooms and word != ANY_WORD), None)
        return found or (words.rooms[ANY_WORD] if self.rooms == "all" else None)

    def _fill_in_notes(self, draft: Draft, regions: Regions, rng: Rng) -> list[Thing]:
        """The things, with a text for every note that has none."""
        words = self._words_and_digest[0]
        named = sorted(regions.names)
        told: list[Thing] = []
        said: set[Phrase] = set()
        for thing in draft.things:
            if thing.data.get("group") != "note" or "text" in thing.data:
                told.append(thing)
                continue
            label = int(regions.labels[thing.y, thing.x])
            given = {"title": draft.title}
            others = [other for other in named if other != label]
            if label in regions.names:
                given["here"] = regions.names[label]
            if others:
                given["room"] = regions.names[rng.choose(others)]
            told.append(
                thing._replace(
                    data={**thing.data, "text": _compose_note(words, regions.tags.get(label, ()), given, said, rng)}
                )
            )
        return told


def _compose_note(
    words: WordGrammar, tags: tuple[str, ...], given: Mapping[str, str], said: set[Phrase], rng: Rng
) -> str:
    """The text of a note. Half of the draws take a phrase for its room, if there is one; unused phrases are preferred
    while there are any.
    """
    from undercroft.things.words import capitalise_sentences

    own = next((words.notes[tag] for tag in tags if tag in words.notes), words.notes[ANY_WORD])
    phrase: Phrase | None = None
    for _ in range(MAX_NAME_DRAWS):
        phrase = (own if rng.below(2) else words.notes[ANY_WORD]).pick(rng, given) or words.notes[ANY_WORD].pick(
            rng, given
        )
        if phrase not in said:
            break
    assert phrase is not None
    said.add(phrase)
    return capitalise_sentences(words.expand(phrase, rng, given))


def _compose_name(words: WordGrammar, choice: Choice, rng: Rng) -> str:
    """A name that starts with a capital letter."""
    phrase = choice.pick(rng)
    assert phrase is not None
    name = words.expand(phrase, rng)
    return name[:1].upper() + name[1:]


def _compose_new_name(words: WordGrammar, choice: Choice, taken: set[str], used_up: set[int], rng: Rng) -> str:
    """A name that is not taken; empty if it is hard to find one, and from then on always for these phrases."""
    if id(choice) in used_up:
        return ""
    for _ in range(MAX_NAME_DRAWS):
        name = _compose_name(words, choice, rng)
        if name not in taken:
            return name
    used_up.add(id(choice))
    return ""


def _hidden_regions(draft: Draft, regions: Regions) -> set[int]:
    """Regions that can be entered only through secret doors."""
    rows, ways = draft.doors.table, draft.links.table
    is_secret = rows["state"] == DOOR_STATES.index("secret")
    secret = np.bincount(np.concatenate([rows["a"][is_secret], rows["b"][is_secret]]), minlength=len(regions) + 1)
    loose = ways[(ways["door"] < 0) & ways["carved"]]
    others = np.bincount(
        np.concatenate([rows["a"][~is_secret], rows["b"][~is_secret], loose["a"], loose["b"]]),
        minlength=len(regions) + 1,
    )
    return set(np.flatnonzero((secret > 0) & (others == 0)).tolist())


def _special_rooms(draft: Draft, regions: Regions) -> dict[int, tuple[str, ...]]:
    """The rooms that are notable by themselves, with their words: start, end and largest."""
    found: dict[int, tuple[str, ...]] = {}
    rooms = [region for region in regions if region.kind != "corridor" and region.area]
    spots = {
        word: int(regions.labels[point[1], point[0]])
        for word, point in (("start", draft.start), ("end", draft.end))
        if point is not None
    }
    if rooms:
        spots["largest"] = max(rooms, key=lambda region: region.area).label
    for word in WORDS_AFTER_TAGS:
        if spots.get(word):
            found[spots[word]] = (*found.get(spots[word], ()), word)
    return found


@functools.lru_cache(maxsize=16)
def _load_words(file: str, text: str) -> tuple[WordGrammar, str]:
    """The words in a file."""
    from undercroft.things import shipped
    from undercroft.things.read_words import parse_words

    return parse_words(text, file, shipped.load_words), blake2b(text.encode(), digest_size=16).hexdigest()
