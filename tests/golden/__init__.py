"""Digests of what seeds give; `make.py` writes them."""
