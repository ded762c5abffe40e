"""The parts of a layout that scale: partitions, and how each scales along X and Y."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_name, require_type
from undercroft.limits import LAYOUT_AMOUNT
from undercroft.templates.layouts.arguments import check_fields
from undercroft.templates.layouts.tile_array import EMPTY_PATCH, Patch
from undercroft.wording import format_value_briefly


class Axis(NamedTuple):
    """How a partition scales along X or Y."""

    locked: bool = False
    """Whether it does not scale along this axis at all."""
    type: Literal["amount", "multiples"] = "amount"
    """amount: clone the first or last tile of every row (column); multiples: double every column (row) that has a tile,
    but not gaps.
    """
    amount: int = 1
    """Cells that one step adds, if it scales by amount."""
    direction: Literal[-1, 0, 1] = 1
    """1 grows towards larger coordinates, -1 towards smaller ones, 0 both ways from the centre, half the amount each.
    """


FREE_AXIS = Axis()
PARTITION_FIELDS = {
    "tiles": (Patch, "a Patch"),
    "x": (Axis, "an Axis"),
    "y": (Axis, "an Axis"),
    "lock_ratio": (bool, "True or False"),
    "name": (str, "a text"),
    "colour": (str, "a text"),
    "icon": (str, "a text"),
}
"""The types of the fields of a partition, in words."""


@dataclass(frozen=True)
class Partition:
    """Tiles that scale together."""

    tiles: Patch = EMPTY_PATCH
    """Its drawn tiles."""
    x: Axis = FREE_AXIS
    """How it scales along X."""
    y: Axis = FREE_AXIS
    """How it scales along Y."""
    lock_ratio: bool = True
    """Whether X and Y take the same number of steps."""
    name: str = ""
    """What it is called in errors and in the studio."""
    colour: str = ""
    """Its colour in an editor."""
    icon: str = ""
    """Its icon in an editor."""

    def __post_init__(self) -> None:
        check_fields("a partition", self, PARTITION_FIELDS, "for example Partition(tiles, x=Axis(amount=2))")
        for axis, along, one in ((self.x, "X", "width"), (self.y, "Y", "height")):
            require_name("type of scaling", axis.type, ("amount", "multiples"))
            require_type("'locked' of an axis", axis.locked, bool, "True or False", "leave it out if it scales")
            direction: Any = axis.direction
            if type(direction) is not int or direction not in (-1, 0, 1):
                raise BadInput(
                    f"a direction is 1, -1 or 0, not {format_value_briefly(axis.direction)}",
                    fix="1 grows right or down, -1 left or up, 0 both ways",
                )
            if type(axis.amount) is not int or not 1 <= axis.amount <= LAYOUT_AMOUNT.value:
                raise BadInput(
                    f"the amount along {along} is a whole number from 1 to {LAYOUT_AMOUNT.value:,}, "
                    f"not {format_value_briefly(axis.amount)}",
                    fix=f"lock {along} if the {one} shall stay",
                )
            if axis.type == "amount" and axis.direction == 0 and axis.amount % 2:
                raise BadInput(
                    f"the amount along {along} is {axis.amount}, and half of it cannot go to either side of the centre",
                    fix=f"give an even amount, such as {axis.amount + 1}",
                )
        if self.lock_ratio and self.x.locked != self.y.locked:
            locked = "X" if self.x.locked else "Y"
            raise BadInput(
                f"the ratio is locked, and {locked} is locked as well: nothing could scale",
                fix=f"unlock the ratio, or {locked}",
            )
