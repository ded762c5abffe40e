"""A session for each public name whose docstring has none, or shows too little; run for the reference."""

from __future__ import annotations

EXAMPLES = {
    "generate": """
>>> print(uc.generate("cave", seed=7, size=(30, 7), fill_prob=0.4))
>>> uc.generate("cave", seed=7, size=(30, 7), until="loops >= 1").provenance["attempt"]
""",
    "Recipe": """
>>> recipe = uc.Recipe.load("cave")
>>> recipe.source[1], sorted(recipe.params)[:3]
>>> recipe.values({"fill_prob": 0.3})["fill_prob"]
>>> [one.text for one in recipe.combine_requirements("loops >= 2")]
>>> values, steps = recipe.prepare({}, 40, 20)
>>> [type(step).__name__ for step in steps]
>>> recipe.reads({}), dict(recipe.describe_steps(steps)["editions"]), recipe.describe_files(steps)
>>> recipe.then, recipe.joints
>>> recipe.generate(seed=1, size=(40, 20), until="loops >= 2").attempt
>>> own = uc.Recipe.parse('extends = "dungeoning"\\n[param.things]\\ndefault = 0.5', "own.toml")
>>> own.base.name, own.find_own_place("param", "things", "default").line, own.find_own_place("step", 0)
>>> own.folder_of(1, "file").name, own.named_files()
""",
    "Result": """
>>> result = uc.Recipe.load("cave").generate(seed=1, size=(40, 20), until=["loops >= 4", "dead_ends == 0"])
>>> result.attempt, result.rejected, result.notes
>>> uc.measure(result.facts, "loops")
""",
    "Flow": """
>>> flow = uc.Flow.parse("room gate, start\\nlink gate - hall - throne, door\\nroom throne, end")
>>> print(flow)
>>> flow.start, flow.end, flow.room("hall")
>>> flow.save("keep.dot")
>>> uc.Flow.load("keep.dot") == flow
>>> uc.Flow.of(uc.Level.parse("#.+.#")).places, uc.Flow.of(uc.Level.parse("#.+.#")).without_history().places
""",
    "load": """
>>> uc.generate("cave", seed=7, size=(20, 8)).save("cave.json")
>>> uc.load("cave.json").size
""",
    "__version__": """
>>> isinstance(uc.__version__, str)
""",
    "Level": """
>>> level = uc.generate("rooms-and-mazes", seed=3, size=(41, 11))
>>> level.width, level.height, level.start, level.end
>>> level.walkable.shape, int(level.opaque.sum())
>>> level.rooms[0].area, level.graph.neighbours(1)
>>> room = level.rooms[0]
>>> level.centre(room), level.cells(room).shape, level.room_at(*level.centre(room)) == room
>>> int(level.passable.sum()), int(level.passable_with(["red"]).sum())
>>> print(uc.Level.parse("#.+").pretty_text())
>>> level.save("keep.png", style="ink")
""",
    "Region": """
>>> level = uc.generate("rooms-and-mazes", seed=3, size=(41, 11))
>>> level.rooms[0]
>>> level.regions.at(9, 1).label
""",
    "Door": """
>>> uc.generate("rooms-and-mazes", seed=3, size=(41, 11)).doors[0]
""",
    "Link": """
>>> uc.generate("rooms-and-mazes", seed=3, size=(41, 11)).links[0]
""",
    "Thing": """
>>> key = uc.Thing("key", 1, 0, {"opens": "red"})
>>> uc.Level.parse("#.#").replace(things=[key]).things
""",
    "Graph": """
>>> graph = uc.survey(uc.Level.parse("#..+..#")).graph
>>> dict(graph.about_nodes())[1]
>>> [told for link, told in graph.about_links()]
>>> graph.to_networkx().number_of_edges()
""",
    "Dungeon": """
>>> dungeon = uc.Dungeon.generate("delve", seed=7, size=(40, 24), deep=3)
>>> dungeon.ids, dungeon.start, dungeon.end
>>> dungeon["2"].start == dungeon["1"].end, dungeon.floor("2").depth, dungeon.stairs_of("1")
>>> dungeon.save("delve.json")
>>> uc.Dungeon.load("delve.json") == dungeon
>>> dungeon.replace_levels({"1": dungeon["1"].replace(title="The Gate")})["1"].title
>>> room = uc.Level.parse("#..#")
>>> uc.Dungeon.of([room, room], [("1", (1, 0), "2", (1, 0))]).stairs[0].way
""",
    "Floor": """
>>> uc.Floor("crypt-1", "crypt", 3, uc.Level.parse("#..#"))
""",
    "Stairs": """
>>> uc.Dungeon.generate("delve", seed=7, size=(40, 24), deep=2).stairs[0]
""",
    "DungeonRecipe": """
>>> recipe = uc.DungeonRecipe.load("delve")
>>> recipe.size, dict(recipe.values({"deep": 3})), len(recipe.tables)
>>> plan = recipe.plan({"deep": 3}, uc.Rng.root(7))
>>> list(plan.floors), recipe.floor_values({"deep": 3}, plan, "2")["depth"], recipe.floor_size(recipe.tables[0], None)
>>> recipe.source[1], recipe.title
>>> recipe.named_files(), recipe.combine_requirements("floors >= 3")[0].text
([], 'floors >= 3')
>>> recipe.chain_finish(recipe.tables[0])
>>> own = uc.DungeonRecipe.parse('[[floor]]\\ndepths = "1..2"\\nrecipe = "cave"', "caves.toml")
>>> own
""",
    "descend": """
>>> from itertools import islice
>>> [(floor.id, floor.level.start) for floor in islice(uc.descend("cave", seed=7, size=(40, 24)), 3)]
""",
    "survey": """
>>> uc.survey(uc.Level.parse("#..+...#")).regions[1]
""",
    "Palette": """
>>> uc.STANDARD.code("door"), uc.STANDARD.role("floor")
>>> bool(uc.STANDARD.rock[uc.STANDARD["#"]]), uc.STANDARD.role_mask("water", "pit").nonzero()[0].tolist()
>>> text = '[[tile]]\\nname = "mud"\\nrole = "floor"\\nglyph = "%"'
>>> both, codes = uc.STANDARD.merged(uc.Palette.parse(text, "mud.toml"))
>>> both["mud"], int(codes[0])
>>> with open("mud.toml", "w") as file:
...     _ = file.write(text)
>>> uc.Palette.load("mud.toml").tiles[0].walkable
""",
    "Tile": """
>>> uc.STANDARD.tiles[6]
""",
    "STANDARD": """
>>> uc.STANDARD
>>> " ".join(uc.STANDARD.glyphs[: len(uc.STANDARD)])
""",
    "prove": """
>>> uc.prove(uc.Level.parse("#<..>#")).solvable
""",
    "Solution": """
>>> solution = uc.solve(uc.Level.parse("#<..>#"))
>>> solution.solvable, solution.unlosable, solution.length, solution.backtrack
>>> solution.order, solution.depth
""",
    "Rules": """
>>> with open("doors.rules", "w") as file:
...     _ = file.write("one  doors, turned\\n    #.# -> #+#\\n")
>>> rules = uc.Rules.load("doors.rules")
>>> corridor = rules.parse_map("##.##", "map.txt")
>>> print(rules.level(), rules.palette_with(uc.STANDARD)[0])
>>> draft = uc.Draft.of(corridor)
>>> rules.rewrite(draft, uc.Rng.root(1).stream("rules"), uc.Run())
>>> print(draft)
""",
    "Layout": """
>>> throne = uc.Layout.load("throne")
>>> throne.smallest, throne.fits((17, 13)), throne.fits((2, 2))
>>> print(throne.room((17, 13)))
>>> throne.try_room((2, 2)) is None, throne.corner((17, 13)), throne.scaled(1, 1).tiles.shape
>>> throne.part_name(-1), throne.part_name(0), len(throne.part(0))
>>> wall, floor = uc.STANDARD["wall"], uc.STANDARD["floor"]
>>> changed = throne.with_tile(0, 0, wall).with_tags("grand").without_tags("room")
>>> changed.tile(0, 0), changed.without_tile(0, 0).tile(0, 0)
>>> more = throne.with_partition(uc.Partition(name="carpet"))
>>> more.with_part(-1, throne.base).without_partition(len(throne.partitions)) == throne
>>> throne.save("throne.layout")
>>> uc.Layout.load("throne.layout") == throne
""",
    "Partition": """
>>> uc.Partition(name="carpet", x=uc.Axis(locked=True), lock_ratio=False).x.locked
""",
    "Axis": """
>>> uc.Axis(amount=2, direction=0)
""",
    "Pool": """
>>> pool = uc.Pool.load("any")
>>> pool.room(uc.Rng.root(1), (12, 9)).name
>>> pool.try_room(uc.Rng.root(1), (1, 1)) is None
""",
    "Timeline": """
>>> timeline = uc.Timeline()
>>> level = uc.generate("cave", seed=7, size=(30, 12), watcher=timeline)
>>> timeline.turns > 10, sorted(set(timeline.sources))
>>> timeline.sizes(), timeline.codes(), timeline.palette(0)
>>> int(timeline.counts()[1]), len(timeline.change(1).cells), timeline.all_turns().turns == timeline.turns
>>> timeline.writer(*level.start).source
>>> tiles = timeline.at(3)
>>> timeline.step(tiles, 4)
>>> timeline.step_back(tiles, 4)
>>> timeline.go(tiles, 3, timeline.turns - 1)
>>> bool((tiles == level.tiles).all())
>>> copy = uc.Timeline()
>>> copy.codes_mean(level.palette)
>>> copy("begin", timeline.at(0) * 0)
>>> copy.log_later(timeline.turns, timeline.all_turns)
>>> bool((copy.at(copy.turns - 1) == level.tiles).all())
""",
    "Draft": """
>>> draft = uc.Draft.of(uc.Level.parse("#1<1#"))
>>> draft.width, draft.height
>>> draft.tiles[0, 1] = draft.palette.role("water")
>>> draft.forget(["regions"])
>>> print(draft.level())
>>> draft.begin_anew(uc.Draft(4, 1, fill="wall").tiles, uc.STANDARD)
>>> print(draft)
""",
    "Rng": """
>>> rng = uc.Rng.root(7).stream("rooms")
>>> rng.next(), rng.below(6), rng.between(3, 9), rng.chance(0.5)
>>> cards = list("abcdef")
>>> rng.shuffle(cards)
>>> cards, rng.choose(cards), rng.weighted_index([1, 0, 9])
""",
    "Run": """
>>> run = uc.Run(budget=100)
>>> run.spend(60)
>>> run.note("one door had no wall to stand in")
>>> run.used, run.notes
>>> seen = []
>>> watched = uc.Run(watcher=lambda source, tiles: seen.append((source, tiles.tolist())))
>>> draft = uc.Draft(2, 1)
>>> watched.tiles, watched.source = draft.tiles, "dig"
>>> watched.show()
>>> watched.sketch(draft.tiles + 1)
>>> seen
>>> watched.work(lambda fuel: 0, lambda: None)
>>> timeline = uc.Timeline()
>>> furnishing = uc.Run(watcher=timeline)
>>> furnishing.tiles, furnishing.source = draft.tiles, "furnish"
>>> furnishing.show()
>>> furnishing.show_things([uc.Thing("chest", 1, 0)])
>>> [(turn, len(things)) for turn, things in timeline.things]
""",
    "BadInput": """
>>> try:
...     uc.generate("cav", seed=1)
... except uc.BadInput as error:
...     print(error)
""",
    "TooBig": """
>>> try:
...     uc.generate("cave", size=(40_000, 40_000))
... except uc.TooBig as error:
...     print(error)
""",
    "FileTrouble": """
>>> try:
...     uc.load("nowhere.json")
... except uc.FileTrouble as error:
...     print(error)
""",
    "NotMet": """
>>> try:
...     uc.generate("cave", seed=1, size=(20, 10), until="loops >= 90", tries=3)
... except uc.NotMet as error:
...     print(error.rejected, error.best.size)
""",
    "OutOfBudget": """
>>> try:
...     uc.generate("cave", seed=1, max_steps=1000)
... except uc.OutOfBudget as error:
...     print(error)
""",
    "Cancelled": """
>>> try:
...     uc.generate("cave", seed=1, cancelled=lambda: True)
... except uc.Cancelled as error:
...     print(error)
""",
    "NoLayoutFits": """
>>> try:
...     uc.Layout.load("throne").room((2, 2))
... except uc.NoLayoutFits as error:
...     print(error)
""",
    "Place": """
>>> place = uc.Place("cave.toml", 2, 7, 'use = "nois"')
>>> print(place)
>>> print(place.excerpt())
""",
}
"""By the public name; lines that print are run, and what they print is written under them."""
