"""Read and write the native format `undercroft-level`."""
