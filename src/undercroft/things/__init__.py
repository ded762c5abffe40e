"""What stands in rooms, and what rooms are called: sets of things and word grammars, read from TOML."""
