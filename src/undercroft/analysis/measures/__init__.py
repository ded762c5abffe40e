"""The measures: one function each, and the facts they share."""
