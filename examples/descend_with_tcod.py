"""Walk down five floors in a terminal window, with python-tcod: arrows or hjkl walk, > and < take stairs, q ends.

    pip install tcod
    python examples/descend_with_tcod.py 7

The floors are one dungeon of the recipe `delve`. Stairs meet: going down and up again leads back to the same cell.
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

import numpy as np
import tcod

import undercroft as uc

STEPS = {
    **dict.fromkeys((tcod.event.KeySym.UP, tcod.event.KeySym.K), (0, -1)),
    **dict.fromkeys((tcod.event.KeySym.DOWN, tcod.event.KeySym.J), (0, 1)),
    **dict.fromkeys((tcod.event.KeySym.LEFT, tcod.event.KeySym.H), (-1, 0)),
    **dict.fromkeys((tcod.event.KeySym.RIGHT, tcod.event.KeySym.L), (1, 0)),
}
SIGHT = 9


class Player(NamedTuple):
    """Where the player is."""

    floor: str
    x: int
    y: int


class Game:
    """A dungeon and its player. It knows nothing of windows, so that it can be played by a program too."""

    def __init__(self, dungeon: uc.Dungeon) -> None:
        assert dungeon.start is not None
        self.dungeon = dungeon
        self.player = Player(*dungeon.start)
        self.seen = {floor.id: np.zeros(floor.level.tiles.shape, bool) for floor in dungeon}
        self.stairs = {(one.floor, one.x, one.y): one for one in dungeon.stairs}

    @property
    def level(self) -> uc.Level:
        return self.dungeon[self.player.floor]

    def walk(self, dx: int, dy: int) -> bool:
        """Take a step, unless something is in the way."""
        x, y = self.player.x + dx, self.player.y + dy
        inside = 0 <= x < self.level.width and 0 <= y < self.level.height
        if not inside or not self.level.passable[y, x]:
            return False
        self.player = self.player._replace(x=x, y=y)
        return True

    def take_stairs(self) -> bool:
        """Go where the stairs on this cell lead."""
        stairs = self.stairs.get(self.player)
        if stairs is None or stairs.to not in self.dungeon.ids:
            return False
        self.player = Player(stairs.to, stairs.to_x, stairs.to_y)
        return True

    def look(self) -> np.ndarray:
        """The cells in view; they are remembered."""
        view = tcod.map.compute_fov(~self.level.opaque, (self.player.y, self.player.x), SIGHT)
        self.seen[self.player.floor] |= view
        return view

    def draw(self, console: tcod.console.Console) -> None:
        """Draw what is seen and remembered, things in view, and a line about the place."""
        level, view = self.level, self.look()
        tiles = level.to_tcod().rgb.copy()
        tiles["fg"][~view] //= 3
        tiles[~self.seen[self.player.floor]] = (ord(" "), (0, 0, 0), (0, 0, 0))
        console.clear()
        console.rgb[: level.height, : level.width] = tiles
        for thing in level.things:
            if view[thing.y, thing.x] and thing.kind != "stairs":
                console.print(thing.x, thing.y, thing.kind[0], fg=(255, 200, 80))
        console.print(self.player.x, self.player.y, "@", fg=(255, 255, 255))
        room = level.room_at(self.player.x, self.player.y)
        console.print(0, level.height, f"floor {self.player.floor} of {len(self.dungeon)}  {room.name if room else ''}")


def has_screen() -> bool:
    """Whether a window can be opened here."""
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def main(seed: str) -> None:
    """Open a window and play."""
    game = Game(uc.Dungeon.generate("delve", seed=seed))
    if not has_screen():
        print(f"There is no screen to open a window on. This is the first of {len(game.dungeon)} floors:")
        print(game.level)
        return
    console = tcod.console.Console(game.level.width, game.level.height + 1, order="C")
    with tcod.context.new(console=console, title="Undercroft") as context:
        while True:
            game.draw(console)
            context.present(console)
            for event in tcod.event.wait():
                if isinstance(event, tcod.event.Quit):
                    return
                if isinstance(event, tcod.event.KeyDown):
                    if event.sym == tcod.event.KeySym.Q:
                        return
                    if event.sym in STEPS:
                        game.walk(*STEPS[event.sym])
                    elif event.sym in (tcod.event.KeySym.PERIOD, tcod.event.KeySym.COMMA, tcod.event.KeySym.RETURN):
                        game.take_stairs()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "7")
