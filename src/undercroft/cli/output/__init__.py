"""What commands print and write: tables, progress, screens, files."""
