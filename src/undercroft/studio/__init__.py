"""The studio: a page in the browser of this machine, and the server behind it. It holds no algorithms.

The server process handles requests, files and workers; every level is made in a worker (`jobs/work.py`).
"""
