"""The regions of a level: infer, number, divide and update them."""
