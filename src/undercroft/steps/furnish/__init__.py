"""Steps that furnish rooms and name them."""
