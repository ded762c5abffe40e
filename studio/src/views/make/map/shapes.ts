/** The cells of shapes that are painted: lines, rectangles, and all cells of a tile that are connected. */
import { cellsBetween } from "../../../canvas/cells_between"
import { cellsUnderBrush } from "./tool_cells"

export type Shape = "brush" | "line" | "rectangle" | "fill"
type Point = readonly [number, number]
interface Size {
  width: number
  height: number
}

/** The cells of a straight line, as wide as the brush. */
export function lineCells(from: Point, to: Point, brush: number, size: Size): number[] {
  return [...new Set(cellsBetween(from, to).flatMap((at) => cellsUnderBrush(at, brush, size)))]
}

/** The cells of a rectangle between two corners on the map: all of them, or those at its edge. */
export function rectangleCells(from: Point, to: Point, hollow: boolean, { width }: Size): number[] {
  const [left, right, top, bottom] = [Math.min(from[0], to[0]), Math.max(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[1], to[1])]
  const cells: number[] = []
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) if (!hollow || x === left || x === right || y === top || y === bottom) cells.push(y * width + x)
  return cells
}

/** The cells with the tile of one cell that can be reached from it over sides, in reading order. */
export function floodCells(at: Point, { width, height, tiles }: Size & { tiles: Uint8Array }): number[] {
  const first = at[1] * width + at[0]
  const found = new Uint8Array(width * height)
  found[first] = 1
  const waiting = [first]
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    const x = cell % width
    for (const next of [x > 0 ? cell - 1 : -1, x < width - 1 ? cell + 1 : -1, cell - width, cell + width]) {
      if (next < 0 || next >= found.length || found[next] || tiles[next] !== tiles[first]) continue
      found[next] = 1
      waiting.push(next)
    }
  }
  const cells: number[] = []
  for (let cell = 0; cell < found.length; cell++) if (found[cell]) cells.push(cell)
  return cells
}

/** The end that Shift gives a shape: of a line along, down or diagonal, and of a rectangle with equal sides, as far as the map goes. */
export function straightenedEnd(shape: Shape, from: Point, to: Point, { width, height }: Size): [number, number] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const [across, down] = [Math.abs(dx), Math.abs(dy)]
  if (shape === "line" && across > 2 * down) return [to[0], from[1]]
  if (shape === "line" && down > 2 * across) return [from[0], to[1]]
  const length = Math.min(Math.max(across, down), dx < 0 ? from[0] : width - 1 - from[0], dy < 0 ? from[1] : height - 1 - from[1])
  return [from[0] + (dx < 0 ? -length : length), from[1] + (dy < 0 ? -length : length)]
}
