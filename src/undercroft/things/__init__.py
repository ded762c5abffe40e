"""The contents and names of rooms: sets of things and word grammars, read from TOML."""
