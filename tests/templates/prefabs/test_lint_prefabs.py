"""What lint finds in room types: each kind of finding, against what really happens on maps, and on the command line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from support.maps import HEAVY, after
from support.paths import ROOT
from undercroft.cli import run
from undercroft.core.draft import Draft
from undercroft.errors import BadInput
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.steps.rooms.attach import Attach
from undercroft.templates.prefabs import feasible
from undercroft.templates.prefabs.default_rooms import parse_default_rooms
from undercroft.templates.prefabs.lint_prefabs import CHECKS, PrefabSubject, find_prefab_remarks
from undercroft.templates.prefabs.prefab import RoomType, begins_like_rooms, parse

SETS = sorted((SHIPPED_FOLDER / "prefabs").glob("*.txt"))
HALL = "room  hall\n    ##+##\n    +...+\n    ##+##\n"
BOX = "room  box\n    ###\n    #.#\n    ###\n"

CASES = [
    (
        "must",
        "error",
        "5:7",
        "'box' must stand 2 times, and no room can lead to it",
        HALL + BOX.replace("box", "box, at least 2"),
    ),
    (
        "must",
        "error",
        "1:7",
        "'hall' and 'box' must all stand, and no map",
        HALL.replace("hall", "hall, exactly 1") + BOX.replace("box", "box, exactly 1"),
    ),
    ("must", "error", "1:7", "no room may stand at all", BOX.replace("box", "box, at most 0")),
    ("sockets", "warning", "5:7", "'box' has no socket: it can only be the first room", HALL + BOX),
    (
        "fits",
        "warning",
        "5:7",
        "no socket of 'cell' fits one of any room",
        HALL + "room  cell\n    #S#\n    #.#\n    ###\n",
    ),
    (
        "fits",
        "warning",
        "5:7",
        "no socket of 'cell' fits one of any room",
        HALL + "room  cell\n    ####\n    #..#\n    #++#\n",
    ),
    (
        "fits",
        "warning",
        "4:7",
        "this socket of 'hall' fits no socket of any room, and always becomes wall",
        "room  hall\n    #####\n    +...+\n    ##L##\n",
    ),
    (
        "fits",
        "warning",
        "5:5",
        "this socket of 'hall' fits no",
        "room  hall\n    #+###\n; a comment between\n    #.###\n    '...#\n    #+###\n",
    ),
    (
        "joined",
        "warning",
        "5:7",
        "'way' never stands in one map with 'hall'",
        HALL + "room  way\n    ###\n    '.'\n    ###\n",
    ),
    ("off", "note", "5:7", "'box' never stands: at most 0", HALL + BOX.replace("box", "box, at most 0")),
]


@pytest.mark.parametrize(("kind", "severity", "place", "problem", "text"), CASES)
def test_findings(kind: str, severity: str, place: str, problem: str, text: str) -> None:
    found = [finding for finding in find_prefab_remarks(parse(text, "keep.txt")) if finding.kind == kind]
    assert [(finding.severity, str(finding.place)) for finding in found] == [(severity, f"keep.txt:{place}")]
    assert found[0].problem.startswith(problem)
    assert found[0].fix or severity == "note"


def test_every_check_has_a_case() -> None:
    assert {case[0] for case in CASES} == set(CHECKS)


def test_good_rooms_have_nothing_to_mend() -> None:
    for path in SETS:
        assert find_prefab_remarks(parse(path.read_text(encoding="utf-8"), path.name)) == []
    assert find_prefab_remarks(parse_default_rooms()) == []
    assert find_prefab_remarks(parse(HALL.replace("hall", "hall, at least 3"), "x")) == []


@pytest.mark.parametrize("word", ["turned", "mirrored", "turned, mirrored"])
def test_a_socket_may_fit_its_own_room_in_another_position(word: str) -> None:
    text = f"room  end, {word}\n    ###\n    +.#\n    ###\n"
    assert find_prefab_remarks(parse(text, "x")) == []
    assert [finding.kind for finding in find_prefab_remarks(parse(text.replace(f", {word}", ""), "x"))] == ["fits"]


def test_many_names_are_cut() -> None:
    ways = "".join(f"room  way {number}\n    ###\n    '.'\n    ###\n" for number in range(9))
    halls = "".join(HALL.replace("hall", f"hall {number}") for number in range(30))
    (finding,) = find_prefab_remarks(parse(halls + ways, "x"))
    assert (
        "'way 0', 'way 1', 'way 2', 'way 3' and 5 more never stand in one map with 'hall 0', 'hall 1', 'hall 2', "
        "'hall 3' and 26 more"
    ) in finding.problem


# --- against what happens ---------------------------------------------------------------------------------------------


def some_types(source: random.Random) -> str:
    """A few small rooms with doors of a few kinds here and there; some must stand, some are switched off."""
    text = ""
    for number in range(source.randint(1, 5)):
        rows = [list("#####"), list("#...#"), list("#...#"), list("#####")]
        usual = source.choice("++'L")
        for x, y in source.sample([(2, 0), (4, 1), (2, 3), (0, 2)], source.choice([0, 1, 2, 3, 3])):
            rows[y][x] = source.choice([usual] * 9 + ["S"])
        words = source.choice(["", "", ", turned", ", mirrored"]) + source.choice(
            ["", "", ", at least 1", ", exactly 2", ", at most 0"]
        )
        text += f"room  room {number}{words}\n" + "".join(f"    {''.join(row)}\n" for row in rows)
    return text


def test_an_error_is_what_no_first_room_can_mend() -> None:
    """The oracle asks of every type whether it could be the first room."""
    errors = good = 0
    for number in range(3000 if HEAVY else 240):
        types = parse(some_types(random.Random(number)), "x")

        def can_be(root: int, kinds: tuple[RoomType, ...] = types.types) -> bool:
            try:
                feasible.check_feasible(kinds, kinds[root], 0)
            except BadInput:
                return False
            return True

        possible = any(can_be(root) for root in range(len(types.types)))
        assert any(finding.severity == "error" for finding in find_prefab_remarks(types)) == (not possible)
        errors += not possible
        good += possible
    assert errors > 50
    assert good > 50


def test_what_is_found_is_true_on_maps() -> None:
    """Rooms that never meet another stand alone, and groups never mix."""
    mixed = 0
    for number in range(300 if HEAVY else 24):
        text = some_types(random.Random(number)).replace(", at least 1", "").replace(", exactly 2", "")
        types = parse(text, "x")
        subject = PrefabSubject(types)
        if not subject.kinds:
            continue
        alone = {kind.template.name for kind in subject.isolated_types}
        groups = [{kind.template.name for kind in group} for group in subject.groups]
        together: set[frozenset[str]] = set()
        for seed in range(25):
            draft = after(Attach(rooms=text), Draft(30, 30), seed=seed)
            assert draft.regions is not None
            names = {region.template for region in draft.regions}
            together.add(frozenset(names))
            assert any(names <= group for group in groups) or (names <= alone and len(draft.regions) == 1)
        assert set().union(*together) == alone.union(*groups), "each of them stands in some map"
        mixed += len(groups) > 1
    assert mixed > 3


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("good.txt", HALL),
        ("lonely.txt", HALL + BOX),
        ("wrong.txt", CASES[0][4]),
        ("broken.txt", "room  hall\n    ###\n    #.\n    ###\n"),
    ):
        Path(name).write_text(text, encoding="utf-8")
    Path("good.rooms").write_text("; by another name\n\n" + HALL, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["good.txt"], 0),
        (["good.rooms", "--strict"], 0),
        (["lonely.txt"], 0),
        (["lonely.txt", "--strict"], 1),
        (["wrong.txt"], 1),
        (["wrong.txt", "good.txt"], 1),
        (["broken.txt"], 2),
        (["nowhere.txt"], 2),
        (["nowhere.rooms"], 2),
        (["good.txt", "--size", "9x9"], 2),
    ],
)
def test_exit_codes(args: list[str], code: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", *args]) == code
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err


@pytest.mark.usefixtures("folder")
def test_what_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "good.rooms", "lonely.txt", "broken.txt"]) == 2
    out, err = capfd.readouterr()
    assert out.split("\n") == [
        "good.rooms: 1 room type, 5 checks: nothing to fix",
        "lonely.txt:5:7: warning: 'box' has no socket: it can only be the first room, and the only one",
        "    room  box",
        "          ^",
        "  fix: draw a door (+) in its outline",
        "lonely.txt: 2 room types, 5 checks: 1 warning",
        "",
    ]
    assert err.startswith("undercroft: broken.txt:3:6: the room is open here\n        #.\n         ^\n  fix: draw wall")


@pytest.mark.usefixtures("folder")
def test_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "wrong.txt", "--json"]) == 1
    (file,) = json.loads(capfd.readouterr().out)["files"]
    assert (file["file"], file["room types"]) == ("wrong.txt", ["hall", "box"])
    assert [(finding["kind"], finding["line"], finding["column"]) for finding in file["findings"]] == [
        ("must", 5, 7),
        ("sockets", 5, 7),
    ]


def test_what_looks_like_room_types() -> None:
    for path in SETS:
        assert begins_like_rooms(path.read_text(encoding="utf-8"))
    for text in ("", "\n\n", "; only this", "one  AB -> BA", "about = 1", "####\n#..#", "rooms\n"):
        assert not begins_like_rooms(text)
    assert begins_like_rooms("\ufeff; a set\r\n\r\nlattice 4\r\n")


def test_the_page_tells_all_checks() -> None:
    page = (ROOT / "docs" / "prefabs.md").read_text(encoding="utf-8")
    table = page.partition("## Checking room types")[2]
    rows = [line.strip("| ").split(" | ") for line in table.split("\n") if line.startswith("| `")]
    assert rows == [[f"`{name}`", check.about] for name, check in CHECKS.items()]
