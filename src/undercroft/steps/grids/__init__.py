"""Steps on grids of rooms."""
