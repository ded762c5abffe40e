# Shows a level, puts the player at its start, and says where the player is.
extends Node2D

@export_file("*.tscn") var level_file := "res://level.tscn"

@onready var player: CharacterBody2D = $Player
@onready var message: Label = $Screen/Message


func _ready() -> void:
	if not ResourceLoader.exists(level_file):
		message.text = "There is no level yet. Make one here:\n  undercroft generate rooms-and-mazes -o level.tscn"
		return
	var level: Node2D = load(level_file).instantiate()
	add_child(level)
	if level.has_node("Start"):
		player.position = level.get_node("Start").position
	for room in get_tree().get_nodes_in_group("rooms"):
		room.body_entered.connect(_on_room_entered.bind(room))


func _on_room_entered(_body: Node2D, room: Node2D) -> void:
	var title: String = room.get_meta("title")
	message.text = title if title else "%s %d" % [room.get_meta("kind"), room.get_meta("label")]
