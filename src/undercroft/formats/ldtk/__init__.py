"""Read and write LDtk projects."""
