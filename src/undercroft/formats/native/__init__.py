"""The native format `undercroft-level/1`."""
