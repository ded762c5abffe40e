"""Find and replace on a grid: several ways to write rules, one program, one engine."""
