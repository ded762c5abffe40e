"""Steps that lock doors and place keys."""
