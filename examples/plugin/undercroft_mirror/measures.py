"""A measure: how symmetric a level is."""

from __future__ import annotations

import numpy as np

from undercroft.analysis.measures.table import Facts, Measure


def symmetry(facts: Facts) -> float:
    """The share of cells that are as walkable as their image, in the better of the two mirrors.

    >>> from undercroft import Level
    >>> symmetry(Facts(Level.parse("#..#"))), symmetry(Facts(Level.parse("##../....".replace("/", chr(10)))))
    (1.0, 0.5)
    """
    walkable = facts.walkable
    return float(max(np.mean(walkable == walkable[:, ::-1]), np.mean(walkable == walkable[::-1])))


SYMMETRY = Measure("symmetry", "cells that are as walkable as their image in a mirror / all cells", symmetry, "share")
