"""The style `blueprint`: white lines on blue."""
