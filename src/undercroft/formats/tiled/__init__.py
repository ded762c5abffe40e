"""Read and write maps of Tiled, as XML and as JSON."""
