"""Make many levels into a folder; an interrupted batch can be resumed."""
