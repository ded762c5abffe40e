"""The style `pixels`: a scene of a game in torchlight."""
