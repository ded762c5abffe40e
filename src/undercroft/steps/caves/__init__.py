"""Steps that make caves."""
