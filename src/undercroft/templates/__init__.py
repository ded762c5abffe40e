"""Small drawn grids that larger maps are made of."""
