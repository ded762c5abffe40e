# Prints what Godot has read of scenes, a line of JSON for each. Arguments: names of scenes.
extends SceneTree


func _init() -> void:
	for name in OS.get_cmdline_user_args():
		var scene: PackedScene = load("res://" + name)
		if scene == null:
			break  # Godot has said why
		var level := scene.instantiate()
		root.add_child(level)
		var told := {scene = name, name = level.name, meta = _meta(level), layers = {}, nodes = []}
		for child in level.get_children():
			if child is TileMapLayer:
				told.layers[child.name] = _cells(child)
		_tell(level, level, told.nodes)
		print(JSON.stringify(told, "", true, true))
		root.remove_child(level)
		level.free()
	quit()


func _cells(layer: TileMapLayer) -> Array:
	var rows := []
	for cell in layer.get_used_cells():
		var atlas := layer.get_cell_atlas_coords(cell)
		var data := layer.get_cell_tile_data(cell)
		var source := layer.tile_set.get_source(layer.get_cell_source_id(cell)) as TileSetAtlasSource
		var picture := source.get_tile_texture_region(atlas)
		var solid := data.get_collision_polygons_count(0) > 0
		rows.append([cell.x, cell.y, atlas.x, atlas.y, layer.get_cell_alternative_tile(cell), solid, data.get_custom_data("role"),
			data.get_custom_data("piece"), picture.position.x, picture.position.y, picture.size.x])
	return rows


func _meta(node: Node) -> Dictionary:
	var told := {}
	for key in node.get_meta_list():
		told[key] = _plain(node.get_meta(key))
	return told


func _plain(value: Variant) -> Variant:
	match typeof(value):
		TYPE_VECTOR2, TYPE_VECTOR2I:
			return [value.x, value.y]
		TYPE_RECT2I, TYPE_RECT2:
			return [value.position.x, value.position.y, value.size.x, value.size.y]
		TYPE_PACKED_VECTOR2_ARRAY:
			return Array(value).map(_plain)
		_:
			return value


func _tell(level: Node, node: Node, rows: Array) -> void:
	for child in node.get_children():
		var row := {path = str(level.get_path_to(child)), type = child.get_class(), position = _plain(child.position), meta = _meta(child)}
		row.groups = child.get_groups().map(func(group): return str(group)).filter(func(group): return not group.begins_with("_"))
		if child is CollisionShape2D:
			row.size = _plain(child.shape.size)
		if child is Sprite2D:
			row.region = _plain(child.region_rect)
			row.picture = child.texture.get_width()
		rows.append(row)
		_tell(level, child, rows)
