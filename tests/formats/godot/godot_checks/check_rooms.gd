# Puts rooms in their places with rooms_from_json.gd, and prints them.
extends SceneTree

const ROOM := """extends Node2D
var opened := {}
func open_door(side: String, kind: String) -> void:
	opened[side] = kind
"""


func _initialize() -> void:
	var script := GDScript.new()
	script.source_code = ROOM
	script.reload()
	var room := Node2D.new()
	room.set_script(script)
	var scene := PackedScene.new()
	scene.pack(room)
	room.free()
	var holder := Node2D.new()
	holder.set_script(load("res://rooms_from_json.gd"))
	holder.room_scene = scene
	holder.room_size = Vector2i(100, 200)
	root.add_child(holder)


func _process(_delta: float) -> bool:
	for room in root.get_child(-1).get_children():
		var told := {x = room.position.x, y = room.position.y, opened = room.opened}
		for key in room.get_meta_list():
			told[key] = room.get_meta(key)
		print(JSON.stringify(told))
	return true
