"""Levels in three dimensions: glTF models and voxels."""
