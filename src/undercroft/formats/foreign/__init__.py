"""Maps that other generators export."""
