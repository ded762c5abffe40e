"""Search seeds and parameters for levels that are as required."""
