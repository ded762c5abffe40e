"""An example of a package that extends Undercroft. Its entry points are in pyproject.toml."""
