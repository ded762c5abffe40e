"""Steps that make mazes."""
