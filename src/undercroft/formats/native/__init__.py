"""Read and write the native format `undercroft-level/1`."""
