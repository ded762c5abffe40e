"""Steps that join rooms."""
