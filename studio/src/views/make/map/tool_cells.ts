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

/** All cells of the room at a cell, with its doors; none if there is no room. Its walls are left out: new rooms may be joined there. */
export function roomCells(at: readonly [number, number], now: Pick<Level, "labels" | "width"> & { head: Pick<Level["head"], "doors"> }): number[] {
  const label = now.labels[at[1] * now.width + at[0]] ?? 0
  if (!label) return []
  const cells: number[] = []
  for (let cell = 0; cell < now.labels.length; cell++) if (now.labels[cell] === label) cells.push(cell)
  for (const door of now.head.doors) if (door.between.includes(label)) cells.push(door.at[1] * now.width + door.at[0])
  return cells
}
