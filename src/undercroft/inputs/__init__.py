"""Read what people give us: bounded files, TOML and JSON with the place of every value."""
