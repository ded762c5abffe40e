"""Layouts that scale: rooms from the shipped pool, single rooms of growing size, and the same by a table of tiles in
plain Python.
"""
