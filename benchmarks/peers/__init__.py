"""Peers: what people use today for the same work. `MissingError` says why one takes no part."""


class MissingError(Exception):
    """A contender cannot take part; the message is a sentence for the table."""
