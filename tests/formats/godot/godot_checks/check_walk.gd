# Plays main.tscn: walks the player along the path from start to end, as somebody at the keys would, then against walls.
# Prints where the player is in the end, and which rooms were entered.
extends SceneTree

const STEP := 4.0  # as near as that to the middle of a cell is there

var main: Node
var player: CharacterBody2D
var path: PackedVector2Array
var at := 0
var frames := 0
var seen: Array[String] = []


func _initialize() -> void:
	main = load("res://main.tscn").instantiate()
	root.add_child(main)


func _physics_process(_delta: float) -> bool:
	frames += 1
	if frames == 2:
		player = main.get_node("Player")
		path = main.find_child("Terrain", true, false).get_parent().get_meta("path")
	if frames < 3:
		return false
	var message: String = main.get_node("Screen/Message").text
	if message and (seen.is_empty() or seen[-1] != message):
		seen.append(message)
	if at < path.size():
		var goal := path[at] * 16 + Vector2(8, 8)
		var way := goal - player.position
		_press("ui_left", way.x < -1)
		_press("ui_right", way.x > 1)
		_press("ui_up", way.y < -1)
		_press("ui_down", way.y > 1)
		if way.length() < STEP:
			at += 1
		if frames > 30 * path.size() + 200:
			print(JSON.stringify({stuck = at, of = path.size(), place = [player.position.x, player.position.y]}))
			return true
		return false
	if at == path.size():
		print(JSON.stringify({reached = [floori(player.position.x / 16), floori(player.position.y / 16)], seen = seen}))
		at += 1
		frames = 1000000
	for key in ["ui_left", "ui_right", "ui_down"]:
		_press(key, false)
	_press("ui_up", true)
	if frames == 1000200:
		print(JSON.stringify({against = [floori(player.position.x / 16), floori(player.position.y / 16)], wall = player.is_on_wall()}))
		return true
	return false


func _press(action: String, down: bool) -> void:
	if down:
		Input.action_press(action)
	else:
		Input.action_release(action)
