"""Read and write dungeons: files that hold several floors, and folders with a file for each."""
