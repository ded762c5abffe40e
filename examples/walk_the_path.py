"""Walk the path of interest from room to room: python examples/walk_the_path.py"""

import undercroft as uc

level = uc.generate("rooms-and-mazes", seed=3, size=(61, 21))
print(level)

here = None
for step, (x, y) in enumerate(level.path.tolist()):
    region = level.regions.at(x, y)
    if region is not None and region.label != here:
        print(
            f"step {step:3}: {region.kind} {region.label}, {region.width}x{region.height} at ({region.x}, {region.y})"
        )
        here = region.label
doors = {(door.x, door.y) for door in level.doors}
print(f"{len(level.path) - 1} steps, through {sum((x, y) in doors for x, y in level.path.tolist())} doors")
