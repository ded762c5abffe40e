"""Write levels in three dimensions: glTF models and voxels."""
