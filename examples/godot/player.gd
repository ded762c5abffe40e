# Walks with the arrow keys. The walls are solid: their tiles have collision shapes.
extends CharacterBody2D

@export var speed := 90.0  # pixels a second; a cell has 16


func _physics_process(_delta: float) -> void:
	velocity = speed * Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down")
	move_and_slide()
