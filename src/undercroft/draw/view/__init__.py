"""The view of a level that all styles draw from: outlines, doors, stairs, symbols, labels, legend."""
