"""Line drawing: outlines, hatching, noise, free space."""
