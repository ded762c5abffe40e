"""What workers of the studio do: one function for each request of the page."""
