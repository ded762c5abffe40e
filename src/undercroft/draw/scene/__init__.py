"""The parts of a picture (shapes, colours, letters) and the files that it is written to."""
