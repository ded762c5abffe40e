"""Read user input: bounded files, and TOML and JSON with the place of every value."""
