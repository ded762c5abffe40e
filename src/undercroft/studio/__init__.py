"""The studio: a page in the browser of this machine, and the server behind it. No algorithm lives here.

The server process looks after requests, files and workers; every level is made in a worker (`jobs/work.py`).
"""
