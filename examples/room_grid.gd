# room_grid.gd puts a room scene on every room of a grid that Undercroft made. For Godot 4, on a Node2D.
# Make the file beside your project: undercroft generate isaac --set expand=false -o floor.json
extends Node2D

@export var room_scene: PackedScene  # its script has open_door(side: Vector2i, kind: String)
@export var room_size := Vector2i(100, 200)  # in pixels; all rooms have the same size
@export_file("*.json") var file := "res://floor.json"

func _ready() -> void:
	var level: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(file))
	var cells := {}
	var rooms := {}
	for region in level["regions"]["table"]:
		var label := int(region["label"])
		cells[label] = Vector2i(int(region["x"]), int(region["y"]))
		rooms[label] = room_scene.instantiate()
		rooms[label].position = Vector2(cells[label] * room_size)  # the top left corner
		rooms[label].set_meta("tags", region.get("tags", []))  # start, end, boss, dead end, secret
		add_child(rooms[label])
	for link in level["links"]:
		var a := int(link["a"])
		var b := int(link["b"])
		rooms[a].open_door(cells[b] - cells[a], link["kind"])  # kind: door or secret
		rooms[b].open_door(cells[a] - cells[b], link["kind"])
