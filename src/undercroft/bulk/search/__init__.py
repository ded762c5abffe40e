"""Search seeds and parameters for levels that meet requirements."""
