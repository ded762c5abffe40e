"""Find and replace on a grid: several notations of rules, one program model, one engine."""
