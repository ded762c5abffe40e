"""What everything is made of: palettes, levels, drafts, regions, random streams, runs and timelines."""
