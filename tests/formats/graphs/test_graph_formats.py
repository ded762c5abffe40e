"""The graph of a level as DOT, GraphML and a picture: read back by programs that others wrote."""

from __future__ import annotations

import io
import json
import warnings
from typing import Any
from xml.etree import ElementTree as ET

import networkx
import numpy as np
import pydot
import pytest
from numpy.typing import NDArray
from PIL import Image

import undercroft as uc
from support.maps import soup
from undercroft.analysis.survey import surveyed
from undercroft.core.frozen import thaw
from undercroft.core.level import Level
from undercroft.core.region import LINK_DTYPE, Regions, Thing, view_links
from undercroft.draw.scene.svg import svg
from undercroft.draw.styles.dark.dark import END, LINK_COLOURS, START
from undercroft.draw.styles.graph_picture import render_graph_picture
from undercroft.draw.styles.printed.black_map import BlackMap
from undercroft.draw.styles.table import render_vector
from undercroft.draw.view.level_view import LevelView
from undercroft.errors import BadInput
from undercroft.formats import dump, resolve_suffix
from undercroft.formats.graphs import dot as dot_format
from undercroft.formats.graphs import graphml as graphml_format

RECIPES = ("rooms-and-mazes", "bsp", "tinykeep", "isaac", "dungeoning", "cave", "maze")


def graphml(level: Level) -> Any:
    """As networkx reads it."""
    return networkx.read_graphml(io.BytesIO(dump(level, "graphml")), node_type=int, force_multigraph=True)


def dot(level: Level) -> Any:
    """As pydot reads it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # pydot calls its parser by old names
        graphs: Any = pydot.graph_from_dot_data(dump(level, "dot").decode())
    assert len(graphs) == 1
    return graphs[0]


def plain(value: str) -> str | int | bool:
    """A value of DOT as what it stands for."""
    if value.startswith('"'):
        return value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return value == "true" if value in ("true", "false") else int(value)


def assert_read_back(level: Level) -> None:
    wanted = level.graph.to_networkx()
    theirs = graphml(level)
    assert dict(theirs.nodes(data=True)) == dict(wanted.nodes(data=True))
    assert _edges(theirs) == _edges(wanted)
    assert (theirs.graph["width"], theirs.graph["height"]) == level.size
    drawn = dot(level)
    nodes = {
        int(node.get_name()): node.get_attributes()
        for node in drawn.get_nodes()
        if node.get_name() not in ("node", "graph", '"\\n"')
    }
    assert nodes.keys() == set(wanted.nodes)
    for label, told in wanted.nodes(data=True):
        box = ",".join(str(told[name]) for name in ("x", "y", "width", "height"))
        assert plain(nodes[label]["box"]) == box
        rest = {name: value for name, value in told.items() if name not in ("x", "y", "width", "height")}
        assert {name: plain(nodes[label]["title" if name == "name" else name]) for name in rest} == rest
    links = sorted((link.a, link.b, sorted(told.items())) for link, told in level.graph.about_links())
    ours = {"style", "color", "dir"}
    edges = [
        (edge, {name: plain(value) for name, value in edge.get_attributes().items() if name not in ours})
        for edge in drawn.get_edges()
    ]
    assert (
        sorted((int(edge.get_source()), int(edge.get_destination()), sorted(told.items())) for edge, told in edges)
        == links
    )


def _edges(graph: Any) -> list[tuple[Any, ...]]:
    return sorted((min(a, b), max(a, b), sorted(told.items())) for a, b, told in graph.edges(data=True))


@pytest.mark.parametrize("recipe", RECIPES)
def test_levels_are_read_back(recipe: str) -> None:
    assert_read_back(uc.generate(recipe, seed=1, size=(49, 33)))


def test_soups_are_read_back() -> None:
    for number in range(12):
        assert_read_back(surveyed(soup(number, "##.,+LS", 9).level()))


def test_names_with_odd_signs_are_read_back() -> None:
    names = ['the "Great" Hall', "back\\slash", "<b>&amp;", "Él 漢 🗝", "semi;colon -- 1 [label=2]", "}{"]
    level = Level.parse("1#2#3#4#5#6")
    regions = level.regions
    level = Level(
        level.tiles,
        regions=Regions(
            regions.labels, regions.table, {1: (names[0], names[2])}, {2: names[1]}, dict(enumerate(names, 1))
        ),
        things=[Thing(name, 0, 0) for name in names],
        title=names[0],
    )
    assert_read_back(level)
    assert graphml(level).graph["title"] == names[0]
    assert plain(dot(level).get_name()) == names[0]


def test_what_cannot_be_written_becomes_a_blank() -> None:
    level = Level.parse("1")
    level = Level(
        level.tiles, regions=Regions(level.regions.labels, level.regions.table, names={1: "a\x00b\nc\ud800d\uffff"})
    )
    assert graphml(level).nodes[1]["name"] == "a b c d "
    assert plain(dot(level).get_node("1")[0].get("title")) == "a b c d "


def test_a_map_without_regions_is_surveyed_first() -> None:
    level = Level.parse("#.+.#")
    assert not len(level.regions)
    assert graphml(level).number_of_edges() == len(dot(level).get_edges()) == 1
    assert dump(level, "graphml") == dump(surveyed(level), "graphml")


@pytest.mark.parametrize("picture", ["#", ".", "#\n#"])
def test_hardly_a_graph(picture: str) -> None:
    level = Level.parse(picture)
    assert graphml(level).number_of_nodes() == (picture == ".")
    assert len(dot(level).get_edges()) == 0
    with Image.open(io.BytesIO(dump(level, "png:graph"))) as image:
        assert image.size[0] > 0


def test_links_to_nowhere_are_left_out() -> None:
    level = Level.parse("1#2")
    table = np.array([(0, 2, 1, -1, True), (1, 2, 0, -1, True), (1, 0, 3, -1, False)], LINK_DTYPE)
    level = Level(level.tiles, regions=level.regions, links=view_links(table))
    assert graphml(level).number_of_edges() == len(dot(level).get_edges()) == 1


def test_the_direction_of_one_way_links_is_not_lost() -> None:
    """Both languages have undirected graphs only, unless all links have a direction."""
    ends = set()
    for to in "EW":
        draft = uc.Draft.of(Level.parse("#..+..+..#"))
        draft.things = [Thing("one-way", 3, 0, {"to": to})]
        level = surveyed(draft.level())
        assert_read_back(level)
        [edge] = [told for *_, told in graphml(level).edges(data=True) if told["kind"] == "one-way"]
        lines = [line for line in dump(level, "dot").decode().splitlines() if 'kind="one-way"' in line]
        assert len(lines) == 1
        assert f"  {edge['from']} -- {edge['to']} [" in lines[0]
        assert 'dir="forward"' in lines[0]
        assert dump(level, "dot").decode().count("dir=") == 1
        ends.add((edge["from"], edge["to"]))
    assert ends == {(1, 2), (2, 1)}


def test_graphml_says_what_its_keys_are() -> None:
    root = ET.fromstring(dump(uc.generate("bsp", seed=1), "graphml"))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert root.tag == f"{space}graphml"
    known = {key.get("id") for key in root.iter(f"{space}key")}
    used = {data.get("key") for data in root.iter(f"{space}data")}
    assert used <= known
    assert len(known) == len(list(root.iter(f"{space}key")))


def test_the_same_bytes_every_time() -> None:
    level = uc.generate("rooms-and-mazes", seed=4)
    for name in ("dot", "graphml"):
        assert dump(level, name) == dump(uc.generate("rooms-and-mazes", seed=4), name)


# --- how the level was made ---

ODD = {
    "recipe": 'the "old" one',
    "params": {"back\\slash": ["\n", "\x7f", "\u200b", "\u2028", "漢 🗝", "<&>]]>", None, 2.5]},
    "seed": "18446744073709551615",
}


def made_levels() -> list[Level]:
    odd = Level(Level.parse("#.+.#").tiles, title='"\n  undercroft="{}"; --', provenance=ODD)
    return [uc.generate("bsp", seed=3), odd, Level(odd.tiles, provenance={"undercroft": 'undercroft="{}"'})]


def test_networkx_and_pydot_read_how_the_level_was_made() -> None:
    for level in made_levels():
        assert json.loads(graphml(level).graph["undercroft"]) == thaw(level.provenance)
        assert json.loads(str(plain(dot(level).get("undercroft")))) == thaw(level.provenance)
        if len(level.regions):
            assert_read_back(level)


def test_a_graph_tells_how_its_level_was_made_also_when_others_wrote_it_anew() -> None:
    for level in made_levels():
        anew = io.BytesIO()
        networkx.write_graphml(graphml(level), anew)
        for data in (dump(level, "graphml"), anew.getvalue()):
            assert graphml_format.read_origin(data, "a.graphml") == level.provenance
        for text in (dump(level, "dot").decode(), dot(level).to_string()):
            assert dot_format.read_origin(text.encode(), "a.dot") == level.provenance


def test_dot_as_graphviz_writes_it() -> None:
    """It puts what is told of the graph in brackets, and breaks long texts with a backslash at the end of a line."""
    text = 'graph level {\n\tgraph [undercroft="{\\"recipe\\":\\"ca\\\nve\\"}"\n\t];\n}\n'
    assert dot_format.read_origin(text.encode(), "a.dot") == {"recipe": "cave"}
    assert dot_format.read_origin(text.replace("\n", "\r\n").encode(), "a.dot") == {"recipe": "cave"}


def test_a_level_of_which_nothing_is_known_tells_nothing() -> None:
    level = Level.parse("#.+.#")
    assert b"undercroft" not in dump(level, "dot")
    assert "undercroft" not in graphml(level).graph
    for read, name in ((graphml_format.read_origin, "graphml"), (dot_format.read_origin, "dot")):
        with pytest.raises(BadInput, match=r"a\.x: the graph does not record how it was made"):
            read(dump(level, name), "a.x")


KEY = b'<graphml><key id="d0" for="graph" attr.name="undercroft" attr.type="string"/>'


@pytest.mark.parametrize(
    ("problem", "data"),
    [
        ("this is not XML", b""),
        ("this is not XML", b"<graphml>"),
        ("this is <svg>, not a graph", b"<svg/>"),
        ("a document type stands here", b'<!DOCTYPE graphml [<!ENTITY a "b">]><graphml/>'),
        ("elements in each other", b"<graphml>" + b"<a>" * 1000),
        ("does not record", b"<graphml/>"),
        ("does not record", KEY + b"<graph><data>{}</data><node><data key='d0'>{}</data></node></graph></graphml>"),
        ("does not record", KEY.replace(b'graph"', b'node"') + b"<graph><data key='d0'>{}</data></graph></graphml>"),
        ("this is not JSON", KEY + b"<graph><data key='d0'>{</data></graph></graphml>"),
        ("an object belongs here", KEY + b"<graph><data key='d0'>[]</data></graph></graphml>"),
        ("the number is too large", KEY + b"<graph><data key='d0'>{\"a\":1e999}</data></graph></graphml>"),
    ],
)
def test_graphml_of_strangers(problem: str, data: bytes) -> None:
    with pytest.raises(BadInput, match=problem) as caught:
        graphml_format.read_origin(data, "a.graphml")
    assert "a.graphml" in str(caught.value)
    assert caught.value.fix


@pytest.mark.parametrize(
    ("problem", "data"),
    [
        ("does not record", b""),
        ("does not record", b'undercroft="'),
        ("does not record", b'graph {\n1 [label="undercroft={}"];\n}'),
        ("this is not JSON", b'undercroft="{";'),
        ("does not record how it was made", b'undercroft="";'),
        ("an object belongs here", b'undercroft="[]";'),
        ("its nesting is", b'undercroft="' + b"[" * 1000 + b'";'),
        ("this is not JSON", b'undercroft="{\xff}";'),
    ],
)
def test_dot_of_strangers(problem: str, data: bytes) -> None:
    with pytest.raises(BadInput, match=problem) as caught:
        dot_format.read_origin(data, "a.dot")
    assert "a.dot" in str(caught.value)
    assert caught.value.fix


def test_suffixes_and_that_they_are_only_written() -> None:
    assert [resolve_suffix(f"a.{suffix}").name for suffix in ("dot", "gv", "graphml", "png")] == [
        "dot",
        "dot",
        "graphml",
        "png",
    ]
    with pytest.raises(BadInput, match="can only be written"):
        uc.load("a.dot")


# --- the picture ---


def colours(image: Image.Image) -> set[tuple[int, int, int]]:
    return {tuple(pixel) for pixel in np.unique(np.asarray(image).reshape(-1, 3), axis=0).tolist()}


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))


@pytest.mark.parametrize(("door", "kind"), [("+", "door"), ("L", "locked"), ("S", "secret"), ("", "open")])
def test_links_have_the_colour_of_their_kind(door: str, kind: str) -> None:
    level = surveyed(Level.parse(f"##########\n#....{door or ','},,,#\n##########"))
    seen = colours(render_graph_picture(level, cell=20))
    assert {other for other, colour in LINK_COLOURS.items() if rgb(colour) in seen} - {"door"} == {kind} - {"door"}
    assert kind != "door" or rgb(LINK_COLOURS["door"]) in seen


def test_the_line_goes_from_room_to_room_through_the_door() -> None:
    level = surveyed(Level.parse("#########\n#...#...#\n#...+...#\n#...#...#\n#########"))
    image = render_graph_picture(level, cell=20)
    line = np.asarray(image)[30 + 50, :, :].min(axis=1)  # the row through both middles
    left, right = 30 + 50, 30 + 130
    assert (line[left + 20 : right - 20] > 200).all(), "white all the way between the discs"
    assert (line[: left - 20] < 200).all()
    assert (line[right + 20 :] < 200).all()


def test_start_and_end_are_on_the_graph_too() -> None:
    level = surveyed(Level.parse("###########\n#<...#...>#\n#....+....#\n#....#....#\n###########"))
    assert {rgb(START), rgb(END)} <= colours(render_graph_picture(level, cell=20))
    assert not {rgb(START), rgb(END)} & colours(
        render_graph_picture(surveyed(Level.parse("#########\n#...+...#\n#########")), cell=20)
    )


@pytest.mark.parametrize(("style", "hidden"), [("dark", "numbers"), ("parchment", "names"), ("ink", "numbers")])
def test_rooms_of_a_graph_have_one_number_each(style: str, hidden: str) -> None:
    level = uc.generate("bsp", seed=1, size=(49, 33))
    assert svg(render_vector(level, style, show=["graph"]), 12) == svg(
        render_vector(level, style, show=["graph"], hide=[hidden]), 12
    )


def test_printed_numbers_stand_in_the_rings_of_the_graph() -> None:
    plan = LevelView(uc.generate("bsp", seed=1, size=(49, 33)))
    drawn = BlackMap(plan, frozenset({"graph", "numbers"}))
    page = RecordingPage()
    drawn._draw_graph(page)  # type: ignore[arg-type]
    rings = {tuple(ring.mean(axis=0).round(3).tolist()) for ring in page.areas}
    ends = {tuple(point.round(3).tolist()) for line in page.lines for point in (line[0], line[-1])}
    linked = {label for link in plan.level.links for label in (link.a, link.b)}
    assert len(plan.labels) > 5
    for label in drawn._labels:
        x, y = label.x, label.y
        assert (round(x, 3), round(y, 3)) in rings
        assert label.label not in linked or (round(x, 3), round(y, 3)) in ends


class RecordingPage:
    """A page that remembers what is drawn on it."""

    def __init__(self) -> None:
        self.areas: list[NDArray[np.float64]] = []
        self.lines: list[NDArray[np.float64]] = []

    def fill_area(self, shapes: list[NDArray[np.float64]], *_: object, **__: object) -> None:
        self.areas += shapes

    def stroke(self, lines: list[NDArray[np.float64]], *_: object, **__: object) -> None:
        self.lines += lines


def test_a_picture_has_the_size_of_the_plain_one() -> None:
    for recipe in RECIPES:
        level = uc.generate(recipe, seed=1, size=(49, 33))
        sizes = []
        for name in ("png", "png:graph"):
            options = {"hide": ["title", "legend", "measures"]} if name == "png" else {}
            with Image.open(io.BytesIO(dump(level, name, cell=6, **options))) as image:
                sizes.append(image.size)
                assert "undercroft" in image.text  # type: ignore[attr-defined]
        assert sizes[0] == sizes[1]
    with pytest.raises(BadInput, match="unknown style 'drak'"):
        dump(level, "png:graph", style="drak")
