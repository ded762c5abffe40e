"""Compile a program into tables, and run them."""
