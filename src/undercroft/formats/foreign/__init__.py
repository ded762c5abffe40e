"""Read maps that other generators export."""
