"""Steps that begin a map."""
