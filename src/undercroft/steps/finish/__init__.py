"""Steps that finish a map: water, ragged edges, secret doors, rules."""
