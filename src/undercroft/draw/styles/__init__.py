"""The styles: one package each, and the table that lists them."""
