"""Steps that make rooms."""
