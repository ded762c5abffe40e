"""The output of commands: tables, progress bars, the terminal screen, files."""
