"""Steps, measures, formats and styles of other packages, and of programs that register their own."""
