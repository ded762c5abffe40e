# The room grids of the recipes `neighbours` and `drunkard`: the same seed and parameters give the same grid as
#   undercroft generate neighbours --seed 7 --set expand=false
# A grid is a Dictionary: `grid` (its size), `tiles` (row by row: 0 empty, 1 room, 2 start, 3 end), `start`, `end`; it is empty if no try was valid.
# Parameters are called as in the recipes: grid, rooms, level, base, per_level, jitter, max_tries; refuse and crowded; border.
# Secret rooms are not made here, and all of `valid` must hold.
extends RefCounted

const Rng := preload("undercroft_rng.gd")
const EMPTY := 0
const ROOM := 1
const START := 2
const END := 3
const AROUND: Array[Vector2i] = [Vector2i.UP, Vector2i.LEFT, Vector2i.RIGHT, Vector2i.DOWN]
const DEFAULTS := {
	grid = Vector2i(8, 8), rooms = 0, level = 1, base = 7, per_level = 3.0, jitter = 3, max_tries = 1000,
	refuse = 1.0 / 3.0, crowded = [1.0 / 3.0, 0.5, 1.0], border = "restart",
}

var size: Vector2i
var tiles: PackedByteArray
var start: Vector2i
var end: Vector2i
var count: int
var rng: Rng


# Rooms that grow in rounds from the middle, the less the more neighbours there are.
static func neighbours(seed_number: int, params := {}) -> Dictionary:
	return new()._made(seed_number, DEFAULTS.merged(params, true), false)


# Rooms wherever a drunkard walks.
static func drunkard(seed_number: int, params := {}) -> Dictionary:
	return new()._made(seed_number, DEFAULTS.merged(params, true), true)


func _made(seed_number: int, params: Dictionary, walked: bool) -> Dictionary:
	rng = Rng.root(seed_number).stream("room-grid")
	size = params.grid
	var more: int = rng.below(params.jitter + 1)
	var target: int = params.rooms if params.rooms else params.base + floori(params.per_level * params.level + 0.0000005) + more
	for attempt in params.max_tries:
		tiles = PackedByteArray()
		tiles.resize(size.x * size.y)
		tiles.fill(EMPTY)
		count = 1
		if walked:
			_walk(target, params.border)
		else:
			_grow(target, params.refuse, params.crowded)
		if _is_valid(target):
			tiles[_index(end)] = END
			tiles[_index(start)] = START
			return {grid = size, tiles = tiles, start = start, end = end}
	return {}


func _grow(target: int, refuse_share: float, crowded_shares: Array) -> void:
	start = (size - Vector2i.ONE) / 2
	tiles[_index(start)] = ROOM
	var refuse := Rng.threshold(refuse_share)
	var crowded: Array[int] = [0]
	for share in crowded_shares:
		crowded.append(Rng.threshold(share))
	var hope := crowded.duplicate()  # the least chance of refusal with so many rooms around, or more
	for around in [2, 1, 0]:
		hope[around] = mini(hope[around], hope[around + 1])
	var rooms: Array[Vector2i] = [start]
	while count < target and not rooms.is_empty():
		var kept: Array[Vector2i] = []
		var built: Array[Vector2i] = []
		var chance := false
		for room in rooms:
			if count == target:
				return
			var stays := false
			for side in AROUND:
				var there := room + side
				if not _is_inside(there) or tiles[_index(there)] != EMPTY:
					continue
				var around := _exits(there) - 1
				stays = stays or hope[around] < Rng.ONE
				if crowded[around] >= Rng.ONE or refuse >= Rng.ONE:
					continue
				chance = true
				if crowded[around] > 0 and rng.next() < crowded[around]:
					continue
				if rng.next() < refuse:
					continue
				tiles[_index(there)] = ROOM
				built.append(there)
				count += 1
				if count == target:
					return
			if stays:
				kept.append(room)
		if not chance:
			return
		rooms = kept + built


func _walk(target: int, border: String) -> void:
	var x: int = rng.below(size.x)
	start = Vector2i(x, rng.below(size.y))
	tiles[_index(start)] = ROOM
	var here := start
	var left := size.x * size.y * (1000 + 8 * maxi(size.x, size.y))
	while count < target and left > 0:
		var there: Vector2i = here + AROUND[rng.next() >> 30]
		if not _is_inside(there):
			if border == "reject":
				continue
			there = here if border == "clamp" else start
		left -= 1
		here = there
		if tiles[_index(here)] == EMPTY:
			tiles[_index(here)] = ROOM
			count += 1


# Chooses the end, the first of the farthest rooms that has one door, and tells whether all is as it must be.
func _is_valid(target: int) -> bool:
	var steps := {start: 0}
	var waiting: Array[Vector2i] = [start]
	var farthest := 0
	while not waiting.is_empty():
		var here: Vector2i = waiting.pop_front()
		farthest = steps[here]
		for side in AROUND:
			var there := here + side
			if _is_inside(there) and tiles[_index(there)] != EMPTY and not steps.has(there):
				steps[there] = farthest + 1
				waiting.append(there)
	var dead_end := false
	var found := false
	for index in tiles.size():
		var cell := Vector2i(index % size.x, index / size.x)
		if steps.get(cell, -1) == farthest and not dead_end:
			dead_end = _exits(cell) == 1
			if dead_end or not found:
				end = cell
			found = true
	return count == target and steps.size() == count and farthest > 1 and dead_end


func _exits(cell: Vector2i) -> int:
	var found := 0
	for side in AROUND:
		if _is_inside(cell + side) and tiles[_index(cell + side)] != EMPTY:
			found += 1
	return found


func _is_inside(cell: Vector2i) -> bool:
	return cell.x >= 0 and cell.y >= 0 and cell.x < size.x and cell.y < size.y


func _index(cell: Vector2i) -> int:
	return cell.y * size.x + cell.x
