"""The style `pixels`: a scene of a game by torchlight."""
