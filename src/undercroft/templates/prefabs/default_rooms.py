"""The default room types, if none are given."""

from __future__ import annotations

import functools

from undercroft.templates.prefabs.prefab import RoomTypes, parse

DEFAULT_ROOMS_TEXT = """
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
def parse_default_rooms() -> RoomTypes:
    """The default room types: chambers, cells and passages."""
    return parse(DEFAULT_ROOMS_TEXT, "plain rooms")
