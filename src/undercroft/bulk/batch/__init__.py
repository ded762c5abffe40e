"""Many levels into a folder, and on after whatever ended it."""
