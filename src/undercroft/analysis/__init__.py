"""Analysis of a map: connectivity, distances, rooms, paths, puzzles and measures."""
