"""The jobs of the studio's workers: one function for each request of the page."""
