/** The blank map after the run: tiles as the drawing shows them, and the places where the rule would still fit. */
import { effect, signal } from "@preact/signals"
import { MapView, LAYER_ORDER } from "../../../../canvas/map_view"
import { colour, theme } from "../../../../state/theme"
import { tiles, usualSign } from "../drawing/tile_looks"
import { reading, type Reading } from "../reading"
import { doc } from "../state"
import { dependOn } from "../../../../state/depend_on"

export const map = new MapView()

/** The last run that is whole; it stays while the text is broken. */
export const run = signal<Reading | null>(null)
/** A piece of the map is being picked: from one cell to another. */
export const picking = signal(false)
export const piece = signal<{ from: [number, number]; to: [number, number] } | null>(null)

effect(() => {
  const now = reading.value
  if (run.peek() && run.peek()?.file !== doc.value?.file) run.value = null
  if (!now?.head.run || !now.tiles) return
  run.value = now
  map.resizeMap(...now.head.run.size)
})

const MAX_CELL_PIXELS = 14
const sheet = document.createElement("canvas")

/** Tiles as small rounded squares, drawn once for each run. */
function drawTiles(now: Reading): void {
  const [width, height] = now.head.run?.size ?? [1, 1]
  const cell = Math.max(3, Math.min(MAX_CELL_PIXELS, Math.floor(4096 / Math.max(width, height))))
  sheet.width = width * cell
  sheet.height = height * cell
  sheet.dataset.cell = String(cell)
  const ctx = sheet.getContext("2d")
  if (!ctx || !now.tiles) return
  const round = cell > 8 ? 2.5 : 1
  const gap = cell > 8 ? 0.6 : 0
  const look = now.head.tiles
  for (let at = 0; at < width * height; at++) {
    const tile = look[now.tiles[at] ?? 0]
    if (!tile || (now.tiles[at] === 0 && (tile.role === "void" || tile.role === "floor"))) continue
    ctx.fillStyle = tile.role === "void" ? "rgba(128,128,150,.12)" : tile.colour
    ctx.beginPath()
    ctx.roundRect((at % width) * cell + gap, Math.floor(at / width) * cell + gap, cell - 2 * gap, cell - 2 * gap, round)
    ctx.fill()
  }
}

effect(() => {
  const now = run.value
  dependOn(theme.value)
  if (now) drawTiles(now)
  dependOn(piece.value)
  map.redraw()
})

map.add({
  name: "tiles",
  order: LAYER_ORDER.ground,
  draw: ({ ctx, image, px }) => {
    const now = run.peek()
    if (!now?.head.run) return
    const [width, height] = now.head.run.size
    ctx.lineWidth = px
    ctx.strokeStyle = colour("line")
    ctx.strokeRect(0, 0, width, height)
    image(sheet, Number(sheet.dataset.cell ?? MAX_CELL_PIXELS))
  },
})

/** So many boxes can still be told apart; of more the ground that they cover is shown, and the box under the pointer. */
const MAX_SINGLE_BOXES = 24

map.add({
  name: "places",
  order: LAYER_ORDER.marks,
  draw: ({ ctx, px }) => {
    const now = run.peek()?.head.run
    if (!now) return
    ctx.lineWidth = 1.3 * px
    ctx.strokeStyle = colour("accent")
    ctx.fillStyle = colour("accent-soft")
    const box = ([x, y, wide, high]: readonly [number, number, number, number]): void => {
      ctx.fillRect(x, y, wide, high)
      ctx.strokeRect(x + px, y + px, wide - 2 * px, high - 2 * px)
    }
    if (now.places.length > MAX_SINGLE_BOXES) {
      const [width] = now.size
      const covered = new Set<number>()
      for (const [x, y, wide, high] of now.places) for (let row = y; row < y + high; row++) for (let column = x; column < x + wide; column++) covered.add(row * width + column)
      ctx.beginPath()
      for (const at of covered) {
        const [x, y] = [at % width, Math.floor(at / width)]
        ctx.fillRect(x, y, 1, 1)
        // Only where the ground ends is there a line.
        if (x === 0 || !covered.has(at - 1)) ctx.rect(x, y, 0, 1)
        if (x === width - 1 || !covered.has(at + 1)) ctx.rect(x + 1, y, 0, 1)
        if (!covered.has(at - width)) ctx.rect(x, y, 1, 0)
        if (!covered.has(at + width)) ctx.rect(x, y + 1, 1, 0)
      }
      ctx.stroke()
      const under = map.hovered.peek()
      const near = under && now.places.find(([x, y, wide, high]) => under[0] === x + Math.floor(wide / 2) && under[1] === y + Math.floor(high / 2))
      if (near) box(near)
      return
    }
    ctx.setLineDash([4 * px, 3 * px])
    now.places.forEach(box)
  },
})

map.add({
  name: "piece",
  order: LAYER_ORDER.cursor - 1,
  draw: ({ ctx, px }) => {
    const now = piece.peek()
    if (!now) return
    const [x, y, wide, high] = boxOf(now)
    ctx.fillStyle = colour("info-soft")
    ctx.fillRect(x, y, wide, high)
    ctx.lineWidth = 2 * px
    ctx.strokeStyle = colour("info")
    ctx.strokeRect(x, y, wide, high)
  },
})

export function boxOf({ from, to }: { from: [number, number]; to: [number, number] }): [number, number, number, number] {
  const x = Math.min(from[0], to[0])
  const y = Math.min(from[1], to[1])
  return [x, y, Math.abs(from[0] - to[0]) + 1, Math.abs(from[1] - to[1]) + 1]
}

/** The signs of a piece of the map; null if some tile of it cannot be drawn. */
export function signsIn([x, y, wide, high]: [number, number, number, number]): string[][] | null {
  const now = run.peek()
  const size = now?.head.run?.size
  if (!now?.tiles || !size) return null
  const rows: string[][] = []
  for (let row = y; row < y + high; row++) {
    const signs: string[] = []
    for (let column = x; column < x + wide; column++) {
      const sign = usualSign(now.head.tiles[now.tiles[row * size[0] + column] ?? 0]?.name ?? "")
      if (!sign) return null
      signs.push(sign)
    }
    rows.push(signs)
  }
  return rows
}

export function describeCell([x, y]: [number, number]): string {
  const now = run.peek()
  const size = now?.head.run?.size
  const tile = now?.tiles && size ? tiles.peek()[now.tiles[y * size[0] + x] ?? 0] : undefined
  const fits = now?.head.run?.places.some(([left, top, wide, high]) => x >= left && y >= top && x < left + wide && y < top + high)
  return `(${x}, ${y}), ${tile?.name ?? "nothing"}${fits ? ", the rule fits here" : ""}`
}
