# Prints hashes, random numbers and room grids, a line of JSON each. Arguments: how many seeds.
extends SceneTree

const Blake2b := preload("res://blake2b.gd")
const Rng := preload("res://undercroft_rng.gd")
const RoomGrids := preload("res://room_grids.gd")


func _init() -> void:
	var seeds := int(OS.get_cmdline_user_args()[0])
	for length in [0, 1, 3, 16, 127, 128, 129, 255, 256, 300]:
		var message := PackedByteArray()
		for index in length:
			message.append((index * 7 + length) % 256)
		var line := {what = "hash", length = length, plain = Blake2b.digest(message, 64).hex_encode()}
		line.keyed = Blake2b.digest(message, 16, message.slice(0, 64)).hex_encode()
		print(JSON.stringify(line))
	for number in [0, 1, 7, 9223372036854775807, -1, -9223372036854775807 - 1]:
		var rng: Rng = Rng.root(number, 3).stream("rooms")
		var drawn := []
		for turn in 50:
			drawn.append(rng.next())
		for bound in [1, 2, 3, 10, 1000, 2147483648, 1500000001]:
			drawn.append(rng.below(bound))
		print(JSON.stringify({what = "draws", seed = str(number), drawn = drawn}))
	for text in ["7", " 007 ", "18446744073709551615", "18446744073709551616", "Saint Ossory", "é", "-1"]:
		print(JSON.stringify({what = "seed", text = text, number = str(Rng.seed_of(text))}))
	for seed_number in seeds:
		_grid("neighbours", seed_number, {})
		_grid("drunkard", seed_number, {})
		_grid("neighbours", seed_number, {grid = Vector2i(5 + seed_number % 7, 9), rooms = 12, refuse = 0.5, crowded = [0.1, 0.9, 0.95]})
		_grid("neighbours", seed_number, {level = seed_number % 9, per_level = 2.6, grid = Vector2i(9, 8), jitter = 1, crowded = [1.0, 1.0, 1.0]})
		for border in ["restart", "reject", "clamp"]:
			_grid("drunkard", seed_number, {border = border, grid = Vector2i(7, 4 + seed_number % 5), rooms = 10, max_tries = 50})
		_grid("drunkard", seed_number, {max_tries = 1})  # some fail, and then there is no grid
	quit()


func _grid(method: String, seed_number: int, params: Dictionary) -> void:
	var made: Dictionary = RoomGrids.neighbours(seed_number, params) if method == "neighbours" else RoomGrids.drunkard(seed_number, params)
	var told := params.duplicate()
	if told.has("grid"):
		told.grid = [params.grid.x, params.grid.y]
	var line := {what = "grid", method = method, seed = seed_number, params = told, rows = []}
	if not made.is_empty():
		for y in made.grid.y:
			line.rows.append("".join(Array(made.tiles.slice(y * made.grid.x, (y + 1) * made.grid.x)).map(func(code): return str(code))))
		line.start = [made.start.x, made.start.y]
		line.end = [made.end.x, made.end.y]
	print(JSON.stringify(line))
