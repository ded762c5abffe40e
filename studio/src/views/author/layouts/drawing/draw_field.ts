/** What is drawn on the field: the cells, how they grow, and the room that lies over them as a ghost. */
import { effect } from "@preact/signals"
import { LAYER_ORDER, type Pen } from "../../../../canvas/map_view"
import { STANDARD_TILES } from "../../../../canvas/standard_tiles"
import { colour, theme } from "../../../../state/theme"
import { field, map } from "./field"
import { drawSquare, inks, readableInk, translucent } from "./ink"
import { colourOf } from "../part_colours"
import { placeOfKey, boxOf, OVERLAY, type Box, type Cell, type Doc } from "../model"
import { coloursOf, drawCrosses, drawRoom } from "../sizes/draw_room"
import { sizeKey } from "../sizes/size_words"
import { ghosted, madeSizes, shows } from "../sizes/sizes"
import { chosen, doc, reading } from "../state"
import { dependOn } from "../../../../state/depend_on"

const roleOf = (cell: Cell): string => STANDARD_TILES.find((tile) => tile.name === cell.tile)?.role ?? "floor"

effect(() => {
  dependOn(doc.value, chosen.value, theme.value, ghosted.value, madeSizes.value, field.value, reading.value, shows.value)
  map.redraw()
})

/* ---- layers ---- */

map.add({
  name: "field",
  order: LAYER_ORDER.ground,
  draw: ({ ctx, px }) => {
    const { width, height } = field.peek()
    ctx.fillStyle = colour("line2")
    for (let y = 0; y <= height; y++)
      for (let x = 0; x <= width; x++) {
        ctx.beginPath()
        ctx.arc(x, y, 1.1 * px, 0, 7)
        ctx.fill()
      }
  },
})

map.add({
  name: "ghost",
  order: LAYER_ORDER.picture,
  draw: (pen) => {
    const now = doc.peek()
    const next = reading.peek()?.next
    if (!now || ghosted.peek() || !next) return
    const room = madeSizes.peek().get(sizeKey(next))
    if (!room?.head.made || !room.head.corner) return
    drawGhost(pen, room.head.corner, 0.26, (ctx, x, y, s) => drawRoom(ctx, { ...room, wrong: null, head: { ...room.head, sockets: [] } }, x, y, s, coloursOf(room, now), inks()))
  },
})

/** Draws in pixels rather than cells, so that lines and letters have their usual sizes. */
function drawInPixels(pen: Pen, draw: (ctx: CanvasRenderingContext2D, s: number, ox: number, oy: number) => void): void {
  const { ctx, scale } = pen
  const { x, y } = map.camera
  const ratio = map.canvas.width / (map.camera.width || 1)
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  draw(ctx, scale, x - field.peek().x * scale, y - field.peek().y * scale)
}

function drawGhost(pen: Pen, corner: readonly [number, number], alpha: number, draw: (ctx: CanvasRenderingContext2D, x: number, y: number, s: number) => void): void {
  drawInPixels(pen, (ctx, s, ox, oy) => {
    ctx.globalAlpha = alpha
    draw(ctx, ox + corner[0] * s, oy + corner[1] * s, s)
    ctx.globalAlpha = 1
  })
}

map.add({
  name: "cells",
  order: LAYER_ORDER.tint,
  draw: (pen) => {
    const now = doc.peek()
    if (!now) return
    const over = ghosted.peek()
    drawInPixels(pen, (ctx, s, ox, oy) => drawCells(ctx, now, s, ox, oy, over ? 0.22 : 1))
  },
})

function drawCells(ctx: CanvasRenderingContext2D, now: Doc, s: number, ox: number, oy: number, alpha: number): void {
  const look = inks()
  const hues = new Map(now.parts.map((part) => [part.id, colourOf(now, part.id)]))
  const held = chosen.peek()
  const inset = s > 14 ? 1 : 0.4
  const round = Math.min(4, s / 8)
  const behind = colour("bg0")
  for (const [one, cell] of now.cells) {
    const [x, y] = placeOfKey(one)
    const [left, top] = [ox + x * s, oy + y * s]
    ctx.globalAlpha = 1
    if (alpha === 1) {
      ctx.fillStyle = behind
      ctx.fillRect(left, top, s, s)
    }
    ctx.globalAlpha = alpha
    ctx.save()
    ctx.beginPath()
    ctx.roundRect(left + inset, top + inset, s - 2 * inset, s - 2 * inset, round)
    ctx.clip()
    drawSquare(ctx, { role: roleOf(cell), ...(cell.mark ? { mark: cell.mark } : {}) }, left, top, s, hues.get(cell.part) ?? null, look)
    ctx.restore()
    if (cell.part === OVERLAY) drawOutline(ctx, left, top, s, look.ring, 1.8, theme.peek() === "light")
    else if (cell.part === held && held >= 0) drawOutline(ctx, left, top, s, "#fff3dc", 2, theme.peek() === "light")
  }
  ctx.globalAlpha = 1
}

function drawOutline(ctx: CanvasRenderingContext2D, x: number, y: number, s: number, ink: string, width: number, dark: boolean): void {
  const thin = s < 16 ? width / 2 : width
  ctx.strokeStyle = dark ? "#211c2e" : ink
  ctx.lineWidth = thin
  ctx.beginPath()
  ctx.roundRect(x + 1 + thin / 2, y + 1 + thin / 2, s - 2 - thin, s - 2 - thin, Math.min(3.5, s / 9))
  ctx.stroke()
}

/* The room of a size that is pointed at lies over the drawing. */
map.add({
  name: "room",
  order: LAYER_ORDER.lines,
  draw: (pen) => {
    const now = doc.peek()
    const size = ghosted.peek()
    const room = size && madeSizes.peek().get(sizeKey(size))
    if (!now || !size || !room) return
    const box = boxOf(now.cells.keys())
    if (!room.head.made || !room.head.corner) {
      if (box) drawFrame(pen, box.x, box.y, size, colour("bad"), `${size[0]} × ${size[1]} cannot be made`)
      return
    }
    const [x, y] = room.head.corner
    drawGhost(pen, room.head.corner, 0.86, (ctx, left, top, s) => {
      drawRoom(ctx, { ...room, wrong: null }, left, top, s, shows.peek() === "partitions" ? coloursOf(room, now) : null, inks())
      ctx.globalAlpha = 1
      if (room.wrong) drawCrosses(ctx, room.wrong, room.head.made?.[0] ?? 1, left, top, s)
    })
    if (box) drawDashedBox(pen, box)
    drawFrame(pen, x, y, room.head.made, room.head.exact ? colour("tx") : colour("accent-fill"), `${room.head.made[0]} × ${room.head.made[1]}`)
  },
})

/** Where the drawing itself lies. */
function drawDashedBox(pen: Pen, box: Box): void {
  drawInPixels(pen, (ctx, s, ox, oy) => {
    ctx.setLineDash([4, 4])
    ctx.strokeStyle = theme.peek() === "dark" ? "rgba(255,255,255,.75)" : "rgba(33,28,46,.7)"
    ctx.lineWidth = 1.5
    ctx.strokeRect(ox + box.x * s, oy + box.y * s, box.width * s, box.height * s)
    ctx.setLineDash([])
  })
}

function drawFrame(pen: Pen, x: number, y: number, size: readonly [number, number], ink: string, words: string): void {
  drawInPixels(pen, (ctx, s, ox, oy) => {
    ctx.strokeStyle = ink
    ctx.lineWidth = 1.5
    ctx.beginPath()
    ctx.roundRect(ox + x * s - 3, oy + y * s - 3, size[0] * s + 6, size[1] * s + 6, 5)
    ctx.stroke()
  })
  pen.plate(words, x - field.peek().x + size[0] / 2, y - field.peek().y + size[1] + 20 * pen.px, { fill: ink, ink: readableInk(ink), size: 12 })
}

/* ---- how it grows ---- */

interface Arrow {
  axis: 0 | 1
  way: -1 | 1
  words: string
  parts: number[]
}

/** One arrow for all partitions that grow alike. */
function arrowsOf(now: Doc): Arrow[] {
  const found = new Map<string, Arrow>()
  for (const part of now.parts)
    for (const axis of [0, 1] as const) {
      const { locked, by, amount, direction } = axis === 0 ? part.x : part.y
      if (locked) continue
      for (const way of direction === 0 ? ([-1, 1] as const) : ([direction] as const)) {
        const words = by === "multiples" ? "×2" : `+${direction === 0 ? amount / 2 : amount}`
        const name = `${axis}${way}${words}`
        const arrow = found.get(name) ?? { axis, way, words, parts: [] }
        arrow.parts.push(part.id)
        found.set(name, arrow)
      }
    }
  return [...found.values()]
}

map.add({
  name: "growth",
  order: LAYER_ORDER.marks,
  draw: (pen) => {
    const now = doc.peek()
    if (!now || ghosted.peek()) return
    const placed: { x: number; y: number }[] = []
    for (const arrow of arrowsOf(now)) drawArrow(pen, now, arrow, placed)
  },
})

function drawArrow(pen: Pen, now: Doc, arrow: Arrow, placed: { x: number; y: number }[]): void {
  const box = boxOf([...now.cells].filter(([, cell]) => arrow.parts.includes(cell.part)).map(([one]) => one))
  if (!box) return
  const of = arrow.parts.includes(chosen.peek()) ? chosen.peek() : (arrow.parts[0] as number)
  const ink = colourOf(now, of)
  drawInPixels(pen, (ctx, s, ox, oy) => {
    const edge = arrow.axis === 0 ? (arrow.way > 0 ? box.x + box.width : box.x) : arrow.way > 0 ? box.y + box.height : box.y
    const middle = arrow.axis === 0 ? box.y + box.height / 2 : box.x + box.width / 2
    let [x, y] = arrow.axis === 0 ? [ox + edge * s, oy + middle * s] : [ox + middle * s, oy + edge * s]
    while (placed.some((other) => Math.abs(other.x - x) < 34 && Math.abs(other.y - y) < 26))
      if (arrow.axis === 0) y += 28
      else x += 38
    placed.push({ x, y })
    ctx.save()
    ctx.translate(x, y)
    ctx.rotate(arrow.axis === 0 ? (arrow.way > 0 ? 0 : Math.PI) : arrow.way > 0 ? Math.PI / 2 : -Math.PI / 2)
    ctx.lineCap = ctx.lineJoin = "round"
    for (const [width, stroke] of [[5, colour("bg0")], [2.6, ink]] as const) {
      ctx.strokeStyle = stroke
      ctx.lineWidth = width
      ctx.beginPath()
      ctx.moveTo(17, 0)
      ctx.lineTo(38, 0)
      ctx.moveTo(32, -6)
      ctx.lineTo(38, 0)
      ctx.lineTo(32, 6)
      ctx.stroke()
    }
    ctx.restore()
    const [px, py] = arrow.axis === 0 ? [x + arrow.way * 58, y] : [x, y + arrow.way * 53]
    ctx.font = `600 12px "Inter Variable", sans-serif`
    ctx.fillStyle = ink
    ctx.beginPath()
    ctx.roundRect(px - 15, py - 10, 30, 20, 6)
    ctx.fill()
    ctx.fillStyle = readableInk(ink)
    ctx.textAlign = "center"
    ctx.textBaseline = "middle"
    ctx.fillText(arrow.words, px, py + 0.5)
  })
}

/** The cell under the pointer. */
map.add({
  name: "pointer",
  order: LAYER_ORDER.cursor - 1,
  draw: ({ ctx, px }) => {
    const cell = map.hovered.peek()
    if (!cell || !doc.peek()) return
    ctx.strokeStyle = translucent(theme.peek() === "dark" ? "#ffffff" : "#211c2e", 0.8)
    ctx.lineWidth = 1.5 * px
    ctx.strokeRect(cell[0] + px, cell[1] + px, 1 - 2 * px, 1 - 2 * px)
  },
})
