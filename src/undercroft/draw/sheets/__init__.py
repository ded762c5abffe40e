"""Many small pictures on one page."""
