"""Write the graph of a level as DOT and GraphML."""
