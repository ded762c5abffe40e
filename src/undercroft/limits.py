"""Every cap in one table, with its reason. Exceeding a cap raises an error that names it; nothing is cut silently."""

from __future__ import annotations

from typing import NamedTuple

from undercroft.errors import Place, TooBig
from undercroft.wording import format_count


class Limit(NamedTuple):
    """A cap, its reason, and how to raise it."""

    name: str
    value: int
    reason: str
    raise_by: str
    """What a user does to raise it."""

    def check(self, asked: int, what: str, place: Place | None = None) -> None:
        """Raise `TooBig`, with the place in a text if there is one, if `asked` is over the cap."""
        if asked > self.value:
            problem = f"{what} is {format_count(asked)}; the limit is {self.value:,} ({self.reason})"
            error = TooBig(problem, place=place, fix=self.raise_by)
            error.asked, error.most = asked, self.value
            raise error


CELLS = Limit(
    "cells",
    4096 * 4096,
    "a level holds about 10 bytes a cell, more while it is made",
    "ask for a smaller size, or pass --max-cells N (max_cells= in Python)",
)
KERNEL_CELLS = Limit("most cells", 1 << 29, "the kernels number cells with 31 bits", "cut the map into parts")
SIDE = Limit("side", 1 << 20, "a row must fit the kernels' counters", "ask for a smaller size")
STEPS = Limit("steps", 2_000_000_000, "about a minute of compiled work", "pass --max-steps N (max_steps= in Python)")
TRIES = Limit("tries", 1_000_000, "each try is a whole level", "search over seeds instead")
SEARCH_COMBINATIONS = Limit(
    "combinations of values",
    1_000_000,
    "each is tried with every seed",
    "give fewer values, or leave the steps out: then one is drawn for each seed",
)
RANGE_END = Limit(
    "the greater end of a range", 10**15, "whole numbers up to it are exact", "give ends that a measure can have"
)
PLOT_BINS = Limit(
    "bins along a measure of a plot", 400, "more cannot be told apart", "ask for fewer, or plot the numbers yourself"
)
SEARCH_NUMBERS = Limit("whole numbers of a range to draw from", 1 << 32, "a draw has 32 bits", "bring the ends nearer")
WORKERS = Limit("workers", 256, "each is a process of some 50 MB", "ask for fewer: more than one a core is of no use")
WORKER_MEMORY = Limit(
    "bytes of memory of a worker",
    2 << 30,
    "so that several fit into a machine",
    "pass --max-memory MB to search (memory= in Python)",
)
WORKER_MEMORY_SETTING = Limit(
    "bytes of memory that a worker can be given",
    1 << 44,
    "no machine has more, and systems accept no much larger number",
    "give a smaller number",
)
CHUNK_CELLS = Limit(
    "cells in a chunk of a batch",
    1 << 28,
    "a chunk is made in memory as a whole",
    "ask for smaller chunks (--chunk K, chunk= in Python)",
)
LEVEL_TABLE_ROWS = Limit(
    "regions, doors, links or things of a level in a batch",
    256,
    "on the average over a chunk, beside one for every eight cells; a chunk is read as a whole",
    "write the levels as files of their own, for example --as json",
)
BATCH_CHUNKS = Limit(
    "chunks of a batch",
    1_000_000,
    "each is a file, and a folder takes no more",
    "ask for larger chunks (--chunk K, chunk= in Python), or for several batches",
)
FORMULA_LENGTH = Limit("characters of a formula", 200, "it fits on a line or two", "use parameters for parts of it")
FORMULA_BRACKETS = Limit("brackets in each other in a formula", 32, "the parser calls itself", "write it with fewer")
FORMULA_BITS = Limit(
    "binary digits of a value in a formula", 4096, "exact fractions may grow without end", "use smaller numbers"
)
FLOW_ROOMS = Limit("rooms of a flow", 1_000, "more are several levels", "split it into several flows")
FLOW_LINKS = Limit(
    "links of a flow", 4_000, "a drawing of 1,000 rooms has room for fewer", "split it into several flows"
)
FLOW_THINGS = Limit("things in the rooms of a flow", 4_000, "four for each room", "leave furniture to the step furnish")
FLOW_BYTES = Limit("bytes of a flow", 256 * 1024, "a thousand rooms need no more", "split it into several flows")
FLOW_WORD_LENGTH = Limit("letters of a name in a flow", 40, "it stands in lines and on maps", "give a shorter name")
FLOW_TITLE_LENGTH = Limit("letters of the name of a flow", 80, "it stands in one line", "give a shorter name")
FLOW_SIDE = Limit("side of a room of a flow in tiles", 999, "a larger room is a level of its own", "ask for less")
FLOW_DISTANCE = Limit(
    "tiles of a hallway, or steps between rooms, of a flow", 9_999, "no map of a flow is so large", "ask for less"
)
FLOW_GRAPH_BYTES = Limit(
    "bytes of a graph that becomes a flow", 4 << 20, "a thousand rooms need far fewer", "leave out what draws it"
)
FLOW_GRAPH_PARTS = Limit(
    "nodes or edges of a graph that becomes a flow",
    16_000,
    "corridors and two directions of a link are among them",
    "split it into several flows",
)
FLOW_GRAPH_DEPTH = Limit("groups in each other in a graph", 32, "the parser calls itself", "nest less")
FLOORS = Limit("floors of a dungeon", 100, "more are another dungeon", "make two dungeons")
FLOOR_CELLS = Limit(
    "cells of all floors of a dungeon",
    4 * 4096 * 4096,
    "all floors are held at once",
    "ask for smaller or fewer floors, or make them alone with --floor (floor= in Python)",
)
STAIRS_OF_FLOORS = Limit("links between the floors of a dungeon", 400, "four for each floor", "ask for fewer")
PROFILE_SIZES = Limit("sizes of a profile", 12, "more do not fit on a line", "leave some out")
DIAMETER_VISITS = Limit(
    "cells looked at for the diameter",
    1 << 28,
    "some seconds of compiled work",
    "ask for longest_path, which says how long it is at least",
)
SOLVER_SPOTS = Limit(
    "cells with locks, keys and one-way doors",
    1024,
    "the whole map is searched from each",
    "ask about a level with fewer: 16 locks are few enough",
)
SOLVER_STATES = Limit(
    "states of keys held and doors opened",
    1 << 22,
    "each takes some fifty bytes; sixteen locks that can be opened in any order have half as many",
    "ask about a level with fewer locks and keys",
)
INTEREST_WEIGHT = Limit(
    "weights of all nodes together", (1 << 31) - 1, "costs of paths have 32 bits", "give smaller weights"
)
PALETTE_TILES = Limit(
    "tiles", 255, "a tile is one byte, and 255 is kept free", "merge tiles that differ only in colour"
)
TOML_BYTES = Limit("toml bytes", 64 * 1024, "a recipe is a page, not a database", "split the file")
TOML_DOTS = Limit("toml dots", 16, "a key with thousands of dots stalls the TOML parser", "nest tables instead")
TOML_DEPTH = Limit("toml depth", 32, "deeper nesting exhausts the parser's stack", "nest less")
TOML_VALUE_LENGTH = Limit(
    "letters of a toml value without quotes",
    100,
    "no number or date is longer",
    "write a shorter number, or put quotes around text",
)
JSON_DEPTH = Limit("json depth", 64, "deeper nesting exhausts the parser's stack", "nest less")
NUMBER_LENGTH = Limit("signs of a number in json or tmx", 40, "no number is longer", "write a shorter one")
ORIGIN_BYTES = Limit(
    "bytes of the provenance in a file",
    4 * 1024 * 1024,
    "recipe, seed and parameters are a page, and the file around them may be large",
    "keep less in the level's provenance",
)
ORIGIN_NOTE_BYTES = Limit(
    "bytes of the provenance in a file, with all escapes",
    16 * 1024 * 1024,
    "no file of ours escapes a text to more than four times its length",
    "keep less in the level's provenance",
)
TEXT_BYTES = Limit("text bytes", 64 * 1024 * 1024, "a map of the largest size as UTF-8 text", "cut the map into parts")
JSON_BYTES = Limit("json bytes", 256 * 1024 * 1024, "a level of the largest size", "cut the map into parts")
NPZ_BYTES = Limit("npz bytes", 512 * 1024 * 1024, "a level of the largest size, unpacked", "cut the map into parts")
NPZ_ARRAYS = Limit(
    "arrays of an npz file", 1_000, "a level has seven, and one for each layer", "name a file that holds a level"
)
DUNGEON_ARRAYS = Limit(
    "arrays of an npz file with several floors", 10_000, "a hundred for each of 100 floors", "write a file a floor"
)
NPZ_HEADER_BYTES = Limit(
    "bytes of the header of an array in an npz file", 1 << 16, "ours take 128", "save the level again"
)
NPZ_ROWS = Limit(
    "rows of a table in the npz file of a small map",
    1 << 16,
    "zeros are packed a thousand to one, and a map has no use for more",
    "save the level again",
)
NPZ_ROWS_PER_CELL = Limit(
    "rows of such a table for each cell of a large map", 4, "a map has no use for more", "save the level again"
)
LAYER_BYTES = Limit(
    "bytes of all layers of a small map, unpacked",
    64 * 1024 * 1024,
    "a run of zeros is a few letters, and a map has no use for more",
    "leave layers out, or take types with fewer bytes",
)
LAYER_BYTES_PER_CELL = Limit(
    "bytes of all layers for each cell of a large map",
    64,
    "eight layers of the largest type have as many",
    "leave layers out, or take types with fewer bytes",
)
XP_BYTES = Limit("xp bytes", 64 * 1024 * 1024, "a drawing of the largest size, packed", "cut the map into parts")
XP_LAYERS = Limit("layers of an xp file", 9, "REXPaint has no more", "merge layers")
DRAWING_MARKS = Limit(
    "marks in a drawing", 100_000, "each becomes a thing", "draw ground in the first layer or the second"
)
FOREIGN_BYTES = Limit(
    "bytes of a map from elsewhere",
    4 * 1024 * 1024,
    "the programs that write such maps write small ones",
    "name another file",
)
FOREIGN_CELLS = Limit(
    "cells of a map from elsewhere", 1 << 20, "the programs that write such maps write small ones", "name another file"
)
FOREIGN_DISTANCE = Limit(
    "distance from the origin in a map from elsewhere",
    1 << 20,
    "the programs that write such maps write small ones",
    "move the map to the origin",
)
PNG_BYTES = Limit("png bytes", 64 * 1024 * 1024, "a picture of a pixel a cell is small", "cut the picture into parts")
PNG_CELL_PIXELS = Limit(
    "pixels of a cell's side in a png file that is read back",
    1024,
    "a picture of a pixel a cell is small",
    "ask for fewer pixels a cell (cell=)",
)
TILESET_BYTES = Limit(
    "bytes of a tileset's picture", 32 * 1024 * 1024, "a sheet of tiles is small", "cut the picture into parts"
)
TILESET_PIXELS = Limit(
    "pixels of a tileset's picture", 4096 * 4096, "game engines take no larger texture", "cut the picture into parts"
)
TILESET_SIDE = Limit(
    "pixels of a tileset's longer side", 16_384, "game engines take no longer texture", "put the tiles into more rows"
)
TILESET_CELL_PIXELS = Limit("pixels of a tile's side in a tileset", 256, "a tile is small", "draw smaller tiles")
TILESET_CELLS = Limit(
    "cells of a tileset", 1 << 16, "each has a number", "leave the cells out that you do not use, or draw larger tiles"
)
TILESET_VARIANTS = Limit(
    "cells for one name in a tileset", 256, "a variant is drawn for each cell of a map", "give fewer variants"
)
MODEL_CORNERS = Limit(
    "corners of a model's walls",
    5_000_000,
    "the file would be larger than a gigabyte, and no engine opens such",
    "cut the map into parts",
)
GLB_BYTES = Limit(
    "glb bytes", 1024 * 1024 * 1024, "its text is read to find how it was made", "make the model again from its recipe"
)
VOX_BYTES = Limit(
    "vox bytes", 512 * 1024 * 1024, "its scene is read to find how it was made", "make the model again from its recipe"
)
MODEL_NODES = Limit(
    "parts of a model", 200_000, "each is a line of its text and an object in an engine", "cut the map into parts"
)
MODEL_METRES = Limit(
    "metres of a cell or a wall in a glb file", 1000, "no dungeon has larger cells", "ask for fewer metres"
)
VOX_WALL_CUBES = Limit(
    "cubes of a wall's height in a vox file",
    255,
    "a model is 256 cubes high, and the ground takes one",
    "ask for lower walls (height=)",
)
GODOT_SIDE = Limit(
    "side of a godot scene", 1 << 15, "Godot numbers the cells of a tile map with 16 bits", "cut the map into parts"
)
GODOT_ROOM_PIXELS = Limit(
    "pixels of a room's side in a godot scene", 1 << 20, "no screen shows so large a room", "ask for smaller rooms"
)
LDTK_CELLS = Limit(
    "cells of an ldtk project",
    1 << 20,
    "a cell takes some 150 bytes, and LDtk keeps all of it in memory",
    "cut the map into parts",
)
LDTK_NUMBER = Limit(
    "numbers in an ldtk project", (1 << 31) - 1, "places and sizes have 31 bits", "save the project again in LDtk"
)
XML_DEPTH = Limit("xml depth", 64, "nobody puts as many groups into each other", "nest less")
TILED_BYTES = Limit(
    "tmx bytes",
    768 * 1024 * 1024,
    "a level of the largest size, with all its layers",
    "cut the map into parts, or save it compressed",
)
TILED_TILES = Limit("tile numbers", 1 << 20, "there is a table of them", "take out tilesets that the map does not use")
TILED_CELLS = Limit(
    "cells of all tile layers",
    8 * 4096 * 4096,
    "each is unpacked and looked at",
    "take out layers that are decoration only",
)
TILED_FILES = Limit("files that a tmx map names", 10_000, "each is opened", "cut the map into parts")
TILED_FILES_BYTES = Limit(
    "bytes of the files that a tmx map names",
    64 * 1024 * 1024,
    "a tileset is a few pages",
    "take out what the map does not use",
)
TILED_INHERITED_LETTERS = Limit(
    "letters that all objects of a tmx map take from templates",
    8 * 1024 * 1024,
    "a template is a few lines, and each of its objects is read with all of them",
    "put fewer properties into the templates, or cut the map into parts",
)
TILED_TILE_PIXELS = Limit(
    "pixels of a tile's side in a tmx map", 100_000, "no tile is nearly as large", "save the map again in Tiled"
)
TILED_DISTANCE = Limit(
    "pixels from the origin of a tmx map", 1 << 40, "no map is nearly as large", "move the objects back to the map"
)
PICTURE_PIXELS = Limit(
    "picture pixels",
    40_000_000,
    "a picture takes about 20 bytes a pixel while it is drawn",
    "ask for fewer pixels a cell (cell=)",
)
FLAT_PICTURE_PIXELS = Limit(
    "flat picture pixels",
    100_000_000,
    "a picture of flat squares takes three bytes a pixel while it is drawn",
    "ask for fewer pixels a cell (cell=)",
)
PICTURE_SIDE = Limit(
    "picture side",
    16_384,
    "most programs open no larger picture",
    "ask for fewer pixels a cell (cell=), or cut the map into parts",
)
PICTURE_MARGIN = Limit(
    "cells of a picture's margin", 1_000, "a wider one leaves no room for the map", "ask for a narrower margin"
)
TILE_LOOKS = Limit("looks of a tile besides the usual one", 31, "they are numbered with five bits", "give fewer shares")
PRINTED_PAGES = Limit(
    "printed pages",
    1_000,
    "nobody lays out a larger stack",
    "print a part of the map, or all of it on one page (--format pdf:page)",
)
SVG_BYTES = Limit(
    "svg bytes", 256 * 1024 * 1024, "it is read to find how its level was made", "make the file again from its recipe"
)
PDF_BYTES = Limit(
    "pdf bytes", 256 * 1024 * 1024, "it is read to find how its level was made", "make the file again from its recipe"
)
ANIMATION_FRAMES = Limit(
    "frames", 2_000, "nobody watches a longer film of a map", "ask for fewer frames (--frames N, frames= in Python)"
)
ANIMATION_SECONDS = Limit(
    "seconds of an animation", 3_600, "nobody watches a longer film of a map", "leave it out, or ask for 10"
)
ANIMATION_SIDE = Limit(
    "animation side",
    16_383,
    "a WebP picture is no larger",
    "ask for fewer pixels a cell (cell=), or cut the map into parts",
)
ANIMATION_PIXELS = Limit(
    "animation pixels",
    120_000_000,
    "all frames of an animation are held while it is written",
    "ask for fewer frames (--frames N, frames= in Python)",
)
RECIPE_BASES = Limit(
    "recipes that build on each other", 8, "nobody can follow a longer chain", "copy one of them: undercroft show FILE"
)
STEPS_IN_RECIPE = Limit("steps in a recipe", 256, "each step walks the whole map", "split the recipe")

RULES_BYTES = Limit(
    "rules bytes", 64 * 1024, "a rule file is a page, not a database", "split the file, and include its parts"
)
RULES_IN_FILE = Limit(
    "rules in a program", 1000, "each rule is looked for on the whole map", "split the program in two"
)
PATTERN_SIDE = Limit("pattern side", 64, "a larger pattern is a map", "draw a smaller pattern")
NESTING_DEPTH = Limit("nesting of blocks", 32, "nobody can read deeper ones", "take blocks apart")
RULE_CELLS = Limit(
    "cells of a rule", 64 * 1024, "as many as a rule file of the largest size can draw", "split the rule"
)
RULE_TIMES = Limit("times of a node or a rule", 1_000_000_000, "the engine counts with 31 bits", "leave the limit out")
RULE_WEIGHT = Limit(
    "weight of a rule or a result", 1_000_000, "the others would never be drawn", "divide all weights alike"
)
RULE_GUARDS = Limit("guards of a rule", 16, "each is tested at every match", "join some of them, or split the rule")
GUARD_COUNT = Limit("count in a guard", 1_000_000_000, "no map has more cells", "write a smaller number")
GUARD_DISTANCE = Limit(
    "distance in a guard", 10_000, "the cells around every match are searched", "write a smaller number"
)
EXPECTED_OUTCOMES = Limit(
    "outcomes of an expectation", 1_000, "each is compared with what is drawn", "draw a smaller map"
)
EXPECTATION_CELLS = Limit(
    "cells that guards examine for an expectation", 1_000_000, "each is looked at in Python", "draw a smaller map"
)
PROGRAM_RESULTS = Limit(
    "results of a program in all positions", (1 << 20) - 1, "the engine numbers them with 20 bits", "split the program"
)
NODE_VARIANTS = Limit(
    "positions of the rules of a node", (1 << 16) - 1, "the engine numbers them with 16 bits", "split the node"
)
NODE_WEIGHT = Limit(
    "weights of a node's rules together",
    (1 << 32) - 1,
    "a draw has 32 bits",
    "give its rules smaller weights",
)
REMEMBERED_REWRITES = Limit(
    "rewrites that are remembered",
    2_000_000,
    "they take about 100 MB while they are processed",
    "limit the node (up to N times), or take a smaller map",
)
THEME_TURNS = Limit(
    "turns of a theme", 10_000, "a theme that still changes something may never end", "give a number of turns: times=N"
)
COVERAGE_STEPS = Limit(
    "steps of a run whose coverage is counted",
    100_000_000,
    "every rewrite is stored, and a program may never end",
    "pass --max-steps N (max_steps= in Python)",
)
GRAMMAR_CELLS = Limit(
    "cells of a grammar",
    4_000_000,
    "every cell of every position is looked for",
    "draw smaller rules, or split the folder",
)
GRAMMAR_WEIGHT = Limit(
    "weight in a grammar",
    100_000,
    "the sum over the largest folder fits a draw of 32 bits",
    "divide all weights by the same number",
)
GRAMMAR_NAME_LENGTH = Limit(
    "letters of a rule's name in a grammar", 100, "it is the name of a file", "give the rule a shorter name"
)
FOLDER_ENTRIES = Limit(
    "entries of a folder", 10_000, "a folder of rules is a handful of files", "move other files elsewhere"
)
FOLDER_DEPTH = Limit("folders in folders", 8, "deeper ones are no folders of rules", "move the files up")
INCLUDES = Limit(
    "included files", 64, "a file that includes others many times grows without end", "include fewer files"
)
PREFAB_BYTES = Limit("room types bytes", 128 * 1024, "a set of drawn rooms is a few pages", "split the set in two")
PREFAB_TYPES = Limit("room types", 500, "each is tried at every door", "split the set in two")
PREFAB_SIDE = Limit("side of a drawn room", 255, "a larger room is a map", "draw a smaller room")
PREFAB_NAME_LENGTH = Limit("letters of the name of a drawn room", 60, "a longer text is no name", "write less")
PREFAB_NUMBER = Limit(
    "weight or number of a drawn room", 1_000_000, "no map holds as many rooms", "write a smaller number"
)
LAYOUT_BYTES = Limit(
    "layout bytes", 1024 * 1024, "a layout is a drawing of some hundred tiles", "split the drawing in two"
)
FONT_BYTES = Limit("font bytes", 64 * 1024 * 1024, "fonts of all scripts are smaller", "name a font with fewer letters")
LAYOUT_SIDE = Limit("side of a layout", 255, "a larger one is a map", "draw it smaller: it is there to be scaled")
LAYOUT_PARTITIONS = Limit(
    "partitions of a layout", 60, "each has a letter or a digit in its drawing", "join partitions that scale alike"
)
LAYOUT_MARKS = Limit("slots and sockets of a layout", 40, "each kind has a letter in its drawing", "use fewer names")
LAYOUT_AMOUNT = Limit(
    "tiles by which a partition of a layout grows", 1_000_000, "no room is as large", "let it grow in smaller steps"
)
LAYOUT_DISTANCE = Limit(
    "distance of a layout's tile from its origin", 1_000_000, "no room is as large", "move the drawing to the origin"
)
LAYOUT_WEIGHT = Limit(
    "weight of a layout in a pool", 1_000_000, "the others would never be drawn", "divide all weights alike"
)
ROOM_SIDE = Limit("side of a scaled room", 4096, "a larger room is a map", "ask for a smaller room")
THING_TYPES = Limit("things in a set", 500, "each is tried in every room of its kind", "split the set in two")
THING_SIDE = Limit("side of a thing", 8, "a larger thing is a room", "make several of it")
THING_NAME_LENGTH = Limit("letters of the name of a kind", 40, "a longer text is no name", "write less")
THING_DATA = Limit("values of a thing in rules", 64, "each thing that is placed has them all", "say less of it")
THING_COUNT = Limit("number of a thing", 1_000_000, "no map holds as many", "write a smaller number")
THING_WEIGHT = Limit("weight of a thing", 1_000, "the others would never be drawn", "divide all weights alike")
THING_DANGER = Limit("danger of a thing", 1_000, "it is a number to compare things by", "divide all dangers alike")
THING_ENTRIES = Limit(
    "entries of a list or table in the data of a thing",
    64,
    "a thing is one object, not a database",
    "give the rest a key of its own, or put it into another thing",
)
THING_TEXT_LENGTH = Limit(
    "letters of a text in the data of a thing", 65_536, "it is shown beside the map", "write less, or split the text"
)
THING_CHAIN = Limit(
    "things in a row that stand near each other", 8, "each waits for the next to be placed", "take a 'near' out"
)
PHRASE_LENGTH = Limit(
    "letters of a name or note", 400, "a longer text is no name", "write less, or name fewer words in it"
)
PHRASE_WEIGHT = Limit("weight of a phrase", 1_000, "the others would never be drawn", "divide all weights alike")

WORK_BYTES = Limit(
    "bytes of a saved work",
    512 * 1024,
    "the studio's page reads all of it at once",
    "save the level itself, and go on from that map",
)
LINK_LENGTH = Limit(
    "letters of a link",
    30_000,
    "command lines and chat programs cut longer ones",
    "save the work, and share the file: undercroft generate --from FILE",
)

STUDIO_CELLS = Limit(
    "cells of a level in the studio", 1 << 20, "somebody waits for it", "make larger levels with 'undercroft generate'"
)
STUDIO_SECONDS = Limit(
    "seconds of work in the studio", 10, "somebody waits for it", "ask for a smaller level, or for less of it"
)
STUDIO_EXPORT_SECONDS = Limit(
    "seconds of an export in the studio", 120, "somebody waits for it", "write the files with 'undercroft generate'"
)
STUDIO_MEMORY = Limit(
    "bytes of memory of a studio's worker",
    1 << 30,
    "so that several fit into a machine",
    "make larger levels with 'undercroft generate'",
)
STUDIO_PIXELS = Limit(
    "picture pixels in the studio",
    16_000_000,
    "a browser shows no larger picture quickly",
    "ask for fewer pixels a cell",
)
STUDIO_SEEDS = Limit(
    "seeds of one ask in the studio", 10_000, "somebody waits for them", "measure more seeds with 'undercroft measure'"
)
STUDIO_REQUEST_BYTES = Limit("bytes of a request to the studio", 1 << 20, "a recipe is a page", "send less")
STUDIO_UPLOAD_BYTES = Limit(
    "bytes of a map given to the studio",
    8 << 20,
    "it is sent as one text",
    "read larger maps with 'undercroft convert'",
)
STUDIO_REQUESTS = Limit("asks that wait in the studio", 256, "a page has no use for more", "wait for some of them")
STUDIO_FILES = Limit(
    "files of a studio's project",
    5_000,
    "they are looked through every second",
    "begin the studio in a smaller folder: --project DIR",
)
STUDIO_PATH_LENGTH = Limit(
    "letters of a path in a studio's project", 1_000, "not every system accepts longer ones", "give a shorter name"
)
STUDIO_NAME_BYTES = Limit(
    "bytes of a name in a studio's project", 255, "not every system accepts longer ones", "give a shorter name"
)
STUDIO_OVERWRITTEN = Limit(
    "bytes of a file that an export of the studio replaces",
    256 << 20,
    "it is read, to notice changes made elsewhere",
    "export under another name",
)
STUDIO_TRASH = Limit(
    "deleted files that the studio lists", 500, "a longer list helps nobody", "look into .undercroft/trash"
)
STUDIO_STATE_BYTES = Limit(
    "bytes of a file in which the studio keeps its state",
    4 << 20,
    "it is written again with every change",
    "remove favourites, or save drafts into files",
)
STUDIO_STATE_NAME = Limit(
    "letters of a name in the state of the studio", 1_200, "it holds at most a path", "give a shorter name"
)
STUDIO_EXPORT_FILES = Limit("files of an export in the studio", 64, "somebody waits for them", "choose some")
STUDIO_KEEP_DEPTH = Limit(
    "levels made one from the other in the studio",
    16,
    "each is made again for the next",
    "save the level, and go on from the file",
)
STUDIO_WORKERS = Limit("workers of the studio", 64, "one page keeps no more busy", "ask for fewer")
STUDIO_PAGES = Limit("pages of the studio at a time", 16, "all share the same workers", "close some")
STUDIO_QUEUED_BYTES = Limit(
    "bytes that wait for a page of the studio",
    256 << 20,
    "a page that does not read its messages is disconnected",
    "reload the page",
)
STUDIO_CHANGES = Limit(
    "changes of cells in a timeline", 8_000_000, "they are all held by the page", "ask for a smaller level"
)

LIMITS: tuple[Limit, ...] = tuple(value for value in tuple(globals().values()) if isinstance(value, Limit))
"""Every limit of this module, in the order above."""
