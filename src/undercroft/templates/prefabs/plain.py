"""Room types for those who draw none."""

from __future__ import annotations

import functools

from undercroft.templates.prefabs.prefab import RoomTypes, parse

TEXT = """
positions turned, mirrored

room  chamber, weight 2
    #+#####
    #.....#
    #.....+
    +.....#
    #####+#

room  cell
    #+###
    #...+
    +...#
    ###+#

room  passage
    ###########
    +.........+
    ###########

room  bend
    #####
    +...#
    ###.#
      #.#
      #+#
"""


@functools.cache
def plain() -> RoomTypes:
    """Chambers, cells and passages."""
    return parse(TEXT, "plain rooms")
