"""The basic types: palettes, levels, drafts, regions, graphs, random streams, runs and timelines."""
