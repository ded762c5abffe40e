/** The cells that a tool takes at a cell of the map: those under a brush, or a whole room. */
import type { Level } from "../../../state/level"

/** Cells of a square brush, `size` cells long, as far as they lie on the map. */
export function cellsUnderBrush(at: readonly [number, number], size: number, now: Pick<Level, "width" | "height">): number[] {
  const cells: number[] = []
  const from = -Math.floor((size - 1) / 2)
  for (let dy = from; dy < from + size; dy++)
    for (let dx = from; dx < from + size; dx++) {
      const [x, y] = [at[0] + dx, at[1] + dy]
      if (x >= 0 && y >= 0 && x < now.width && y < now.height) cells.push(y * now.width + x)
    }
  return cells
}

type Rooms = Pick<Level, "labels" | "tiles" | "width"> & { head: Pick<Level["head"], "doors" | "palette"> }

/**
 * All cells of the room at a cell: its ground, its doors, and the pools, pits and pillars in it; none if there is no room. A click on a pool takes the
 * room around it. Walls are left out: the server keeps those of a whole room.
 */
export function roomCells(at: readonly [number, number], now: Rooms): number[] {
  const cell = at[1] * now.width + at[0]
  const label = (now.labels[cell] ?? 0) || labelAround(cell, now)
  if (!label) return []
  const cells = new Set<number>()
  for (let one = 0; one < now.labels.length; one++) if (now.labels[one] === label) cells.add(one)
  spread(cells, now, (one) => isInside(one, now))
  for (const door of now.head.doors) if (door.between.includes(label)) cells.add(door.at[1] * now.width + door.at[0])
  return [...cells]
}

/** Whether a cell stands in a room without being its ground: water, a pit, a pillar. */
function isInside(cell: number, now: Rooms): boolean {
  const tile = now.head.palette[now.tiles[cell] ?? 0]
  return tile !== undefined && !tile.walkable && tile.role !== "wall" && tile.role !== "void"
}

/** The room that a pool, a pit or a pillar stands in; 0 if it is neither. */
function labelAround(cell: number, now: Rooms): number {
  if (!isInside(cell, now)) return 0
  const found = new Set([cell])
  spread(found, now, (one) => isInside(one, now))
  for (const one of found) for (const next of neighbours(one, now)) if (now.labels[next]) return now.labels[next] ?? 0
  return 0
}

/** Adds the cells that touch the set on a side, and those that touch these, as long as they are wanted. */
function spread(cells: Set<number>, now: Rooms, wanted: (cell: number) => boolean): void {
  for (const cell of cells) for (const next of neighbours(cell, now)) if (wanted(next)) cells.add(next) // a set visits what is added meanwhile
}

function neighbours(cell: number, now: Pick<Rooms, "width" | "labels">): number[] {
  const x = cell % now.width
  return [x > 0 ? cell - 1 : -1, x < now.width - 1 ? cell + 1 : -1, cell - now.width, cell + now.width].filter((next) => next >= 0 && next < now.labels.length)
}
