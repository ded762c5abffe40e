"""Read and write drawings of REXPaint."""
