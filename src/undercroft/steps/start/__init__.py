"""Steps that start a map."""
