/** Lines along cells: paths may have thousands of them, and are drawn in every frame. */
import type { Pen } from "../../../canvas/map_view"

const centre = (at: readonly [number, number]): [number, number] => [at[0] + 0.5, at[1] + 0.5]

/** A line along cells, made once: what lies straight between two turns is one piece, since a path may have thousands of cells. */
export interface Line {
  whole: Path2D
  /** The same in short pieces: a browser draws many small lines much faster than a single one with thousands of corners. */
  pieces: Path2D[]
}

const CORNERS_PER_PIECE = 48

/** The corners of a way over cells, with its ends: cells that lie straight between two of them are left out. */
export function cornersOf(cells: Iterable<[number, number]>): [number, number][] {
  const corners: [number, number][] = []
  for (const at of cells) {
    const [before, last] = [corners[corners.length - 2], corners[corners.length - 1]]
    if (before && last && (at[0] - last[0]) * (last[1] - before[1]) === (at[1] - last[1]) * (last[0] - before[0])) corners[corners.length - 1] = at
    else corners.push(at)
  }
  return corners
}

export function lineOf(cells: Iterable<[number, number]>): Line {
  const corners = cornersOf(cells)
  const pathOf = (some: [number, number][]): Path2D => {
    const path = new Path2D()
    for (const at of some) path.lineTo(...centre(at))
    return path
  }
  const pieces: Path2D[] = []
  for (let k = 0; k < corners.length - 1; k += CORNERS_PER_PIECE) pieces.push(pathOf(corners.slice(k, k + CORNERS_PER_PIECE + 1)))
  return { whole: pathOf(corners), pieces }
}

/** Strokes from wide and faint to fine and bright. Far away the wide ones are left out: they are slow and hardly visible. */
export function drawLine({ ctx, px, scale }: Pen, line: Line, strokes: [number, string][], dash: number[] = []): void {
  const far = scale < 4
  ctx.lineJoin = far ? "bevel" : "round"
  ctx.lineCap = far ? "butt" : "round"
  ctx.setLineDash(dash.map((one) => one * px))
  for (const [wide, ink] of far ? strokes.slice(-1) : strokes) {
    ctx.lineWidth = wide * (far ? 0.8 : 1) * px
    ctx.strokeStyle = ink
    if (far) for (const piece of line.pieces) ctx.stroke(piece)
    else ctx.stroke(line.whole)
  }
  ctx.setLineDash([])
}
