"""The graph of a level as DOT and GraphML."""
