# Puts a room scene on every room of a grid. For Godot 4, on a Node2D.
# Make the file in your project: undercroft generate isaac --set expand=false -o floor.json --format json:rooms
extends Node2D

@export var room_scene: PackedScene  # its script may have open_door(side: String, kind: String); side is n, e, s or w
@export var room_size := Vector2i(320, 192)  # in pixels; all rooms have the same size
@export_file("*.json") var file := "res://floor.json"


func _ready() -> void:
	var floor_plan: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(file))
	for told in floor_plan["rooms"]:
		var room: Node2D = room_scene.instantiate()
		room.position = Vector2(Vector2i(int(told["x"]), int(told["y"])) * room_size)  # the top left corner
		for key in ["kind", "tags", "doors", "distance"]:
			room.set_meta(key, told[key])
		add_child(room)
		if room.has_method("open_door"):
			for side in told["doors"]:
				room.open_door(side, told["doors"][side])  # kind: door or secret
