"""Parse and write the `.rules` language."""
