/** A room of one size: in the colours of its partitions, or as tiles. */
import { STANDARD_TILES } from "../../../../canvas/standard_tiles"
import { colourOf, hexColour } from "../part_colours"
import { type Doc } from "../model"
import { drawSquare, type Inks } from "../drawing/ink"
import type { MadeSize } from "./sizes"

const NO_CELL = 255
export const OWNER = { base: 254, overlay: 253 }

/** The colours of a room's partitions, as they are now. */
export function coloursOf(of: MadeSize, doc: Doc): (string | null)[] {
  return of.parts.map((id) => (doc.parts.some((part) => part.id === id) ? colourOf(doc, id) : null))
}

/**
 * Draws a room with its corner at (x, y) of the canvas, `s` pixels a cell. With colours it shows partitions, without them tiles.
 * Corner and cell should be whole pixels: then no seams show.
 */
export function drawRoom(ctx: CanvasRenderingContext2D, of: MadeSize, x: number, y: number, s: number, colours: (string | null)[] | null, look: Inks): void {
  const [width, height] = of.head.made ?? [0, 0]
  const slots = new Map((of.head.slots ?? []).map((slot) => [slot.at[1] * width + slot.at[0], slot.kind]))
  for (let cell = 0; cell < width * height; cell++) {
    const code = of.tiles[cell] ?? NO_CELL
    if (code === NO_CELL) continue
    const owner = of.owner[cell] ?? NO_CELL
    const slot = slots.get(cell)
    const [column, row] = [cell % width, Math.floor(cell / width)]
    const colour = colours && owner < OWNER.overlay ? (colours[owner] ?? null) : null
    drawSquare(ctx, { role: STANDARD_TILES[code]?.role ?? "floor", ...(slot !== undefined ? { mark: { what: "slot", kind: slot } } : {}) }, x + column * s, y + row * s, s, colour, look)
    if (colours && owner === OWNER.overlay && s >= 5) drawRing(ctx, x + column * s, y + row * s, s, look.ring)
  }
  if (!colours) drawContour(ctx, of, x, y, s, look)
  drawSockets(ctx, of, x, y, s)
  if (of.wrong) drawCrosses(ctx, of.wrong, width, x, y, s)
}

function drawRing(ctx: CanvasRenderingContext2D, x: number, y: number, s: number, ink: string): void {
  ctx.strokeStyle = ink
  ctx.lineWidth = Math.max(0.7, s / 18)
  ctx.strokeRect(x + ctx.lineWidth / 2, y + ctx.lineWidth / 2, s - ctx.lineWidth, s - ctx.lineWidth)
}

/** The line between ground and rock: what makes tiles read as a room. */
function drawContour(ctx: CanvasRenderingContext2D, of: MadeSize, x: number, y: number, s: number, look: Inks): void {
  const [width, height] = of.head.made ?? [0, 0]
  const rock = (column: number, row: number): boolean => {
    const code = column < 0 || row < 0 || column >= width || row >= height ? NO_CELL : (of.tiles[row * width + column] ?? NO_CELL)
    return code === NO_CELL || STANDARD_TILES[code]?.role === "wall" || STANDARD_TILES[code]?.role === "void"
  }
  ctx.strokeStyle = look.edge
  ctx.lineWidth = Math.max(1, s / 9)
  ctx.lineCap = "square"
  ctx.beginPath()
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      if (rock(column, row)) continue
      const [left, top] = [x + column * s, y + row * s]
      if (rock(column - 1, row)) addLine(ctx, left, top, left, top + s)
      if (rock(column + 1, row)) addLine(ctx, left + s, top, left + s, top + s)
      if (rock(column, row - 1)) addLine(ctx, left, top, left + s, top)
      if (rock(column, row + 1)) addLine(ctx, left, top + s, left + s, top + s)
    }
  ctx.stroke()
}

function addLine(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  ctx.moveTo(x0, y0)
  ctx.lineTo(x1, y1)
}

const OUTWARD = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] } as const

/** Where rooms can be joined: a small arrow that leads out. */
function drawSockets(ctx: CanvasRenderingContext2D, of: MadeSize, x: number, y: number, s: number): void {
  for (const socket of of.head.sockets ?? []) {
    const [dx, dy] = OUTWARD[socket.side]
    const along = (socket.width - 1) / 2
    const cx = x + (socket.at[0] + 0.5 + (dx ? 0 : along) + dx * 0.8) * s
    const cy = y + (socket.at[1] + 0.5 + (dy ? 0 : along) + dy * 0.8) * s
    const r = Math.max(1.8, Math.min(6, s * 0.3))
    ctx.fillStyle = hexColour("#e9a35c")
    ctx.beginPath()
    ctx.moveTo(cx + dx * r, cy + dy * r)
    ctx.lineTo(cx - dx * r * 0.3 + dy * r, cy - dy * r * 0.3 + dx * r)
    ctx.lineTo(cx - dx * r * 0.3 - dy * r, cy - dy * r * 0.3 - dx * r)
    ctx.closePath()
    ctx.fill()
  }
}

/** What is wrong is crossed out. */
export function drawCrosses(ctx: CanvasRenderingContext2D, wrong: Uint8Array, width: number, x: number, y: number, s: number): void {
  ctx.strokeStyle = "#ff4d55"
  ctx.lineWidth = Math.max(1.1, s / 9)
  ctx.lineCap = "round"
  ctx.beginPath()
  for (let cell = 0; cell < wrong.length; cell++) {
    if (!wrong[cell]) continue
    const [left, top] = [x + (cell % width) * s + s * 0.22, y + Math.floor(cell / width) * s + s * 0.22]
    addLine(ctx, left, top, left + s * 0.56, top + s * 0.56)
    addLine(ctx, left + s * 0.56, top, left, top + s * 0.56)
  }
  ctx.stroke()
}
