/** The maps before and after the run: tiles as the drawing shows them, the places where the rule would still fit, and where it nearly does. */
import { computed, effect, signal, untracked } from "@preact/signals"
import { MapView, LAYER_ORDER } from "../../../../canvas/map_view"
import { recall, remember } from "../../../../state/storage"
import { colour, theme } from "../../../../state/theme"
import { lookOf, tiles as ruleTiles, usualSign } from "../drawing/tile_looks"
import { reading, type Reading } from "../reading"
import { brush, doc } from "../state"
import { dependOn } from "../../../../state/depend_on"
import { nearestMiss } from "./nearest_place"
import { cellsBetween, drawCells, startNow } from "./run_start"

export const map = new MapView()
/** The map before the run, beside the other one. */
export const before = new MapView()

/** The last run that is whole; it stays while the text is broken. */
export const run = signal<Reading | null>(null)
/** Both maps are shown, and move together. A drawing is drawn on the one before. */
export const beside = signal(recall("author beside", false))
effect(() => remember("author beside", beside.value))
export const sideBySide = computed(() => beside.value || startNow.value.kind === "drawing")
/** A piece of the map is being picked: from one cell to another. */
export const picking = signal(false)
export const piece = signal<{ from: [number, number]; to: [number, number] } | null>(null)

effect(() => {
  const now = reading.value
  if (run.peek() && run.peek()?.file !== doc.value?.file) run.value = null
  if (!now?.head.run || !now.tiles) return
  run.value = now
  for (const one of [map, before]) one.resizeMap(...now.head.run.size)
})

/** One map shows what the other does. Before both are laid out, each fits on its own. */
function follow(from: MapView, to: MapView): void {
  effect(() => {
    dependOn(from.moved.value)
    const { scale, x, y, width, height } = from.camera
    const alike = Math.abs(to.camera.width - width) < 3 && Math.abs(to.camera.height - height) < 3 && to.camera.columns === from.camera.columns && to.camera.rows === from.camera.rows
    if (!sideBySide.peek() || !alike || (from.camera.fits && to.camera.fits) || (to.camera.scale === scale && to.camera.x === x && to.camera.y === y)) return
    untracked(() => {
      if (from.camera.fits) to.fit()
      else {
        Object.assign(to.camera, { scale, x, y })
        to.notifyMoved()
      }
    })
  })
}
follow(map, before)
follow(before, map)

const MAX_CELL_PIXELS = 14

/** Tiles as small rounded squares, drawn once for each run. */
function drawTiles(sheet: HTMLCanvasElement, now: Reading, tiles: Uint8Array): void {
  const [width, height] = now.head.run?.size ?? [1, 1]
  const cell = Math.max(3, Math.min(MAX_CELL_PIXELS, Math.floor(4096 / Math.max(width, height))))
  sheet.width = width * cell
  sheet.height = height * cell
  sheet.dataset.cell = String(cell)
  const ctx = sheet.getContext("2d")
  if (!ctx) return
  const round = cell > 8 ? 2.5 : 1
  const gap = cell > 8 ? 0.6 : 0
  const look = now.head.run?.tiles ?? []
  for (let at = 0; at < width * height; at++) {
    const tile = look[tiles[at] ?? 0]
    if (!tile || (tiles[at] === 0 && (tile.role === "void" || tile.role === "floor"))) continue
    ctx.fillStyle = tile.role === "void" ? "rgba(128,128,150,.12)" : tile.colour
    ctx.beginPath()
    ctx.roundRect((at % width) * cell + gap, Math.floor(at / width) * cell + gap, cell - 2 * gap, cell - 2 * gap, round)
    ctx.fill()
  }
}

function showTiles(view: MapView, of: (now: Reading) => Uint8Array | null): void {
  const sheet = document.createElement("canvas")
  effect(() => {
    const now = run.value
    dependOn(theme.value)
    const tiles = now && of(now)
    if (tiles) drawTiles(sheet, now, tiles)
    dependOn(piece.value)
    view.redraw()
  })
  view.add({
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
}
showTiles(map, (now) => now.tiles)
showTiles(before, (now) => now.begin)

/** Where a rule that never fired nearly fits. */
map.add({
  name: "nearest",
  order: LAYER_ORDER.marks - 1,
  draw: ({ ctx, px }) => {
    const why = run.peek()?.head.run?.why
    const near = why && nearestMiss(why)
    if (!near) return
    ctx.lineWidth = 1.5 * px
    ctx.strokeStyle = colour("accent")
    ctx.setLineDash([4 * px, 3 * px])
    ctx.strokeRect(...near.at, [...(near.pattern[0] ?? "")].length, near.pattern.length)
    ctx.setLineDash([])
    ctx.strokeStyle = colour("bad")
    for (const { at } of near.wrong) ctx.strokeRect(at[0] + px, at[1] + px, 1 - 2 * px, 1 - 2 * px)
  },
})

/** The tile in hand, on the map before: any makes cells blank again, a set draws its first tile. */
function drawFrom(from: readonly [number, number], to: readonly [number, number]): void {
  const now = brush.peek()
  const tile = now.kind === "tile" ? now.name : now.kind === "set" ? lookOf(`{${now.name}}`).of[0]?.name : undefined
  drawCells(cellsBetween(from, to), tile === undefined || tile === ruleTiles.peek()[0]?.name ? null : tile)
}
let last: readonly [number, number] = [0, 0]
effect(() => {
  const drawing = startNow.value.kind === "drawing"
  before.tool = drawing
    ? {
        name: "draw",
        cursor: "crosshair",
        begin: (at) => {
          drawFrom(at, at)
          last = at
          return true
        },
        move: (at) => {
          if (!at) return
          drawFrom(last, at)
          last = at
        },
      }
    : null
  before.onEnter = drawing ? (at) => drawFrom(at, at) : null
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
      const sign = usualSign(now.head.run?.tiles[now.tiles[row * size[0] + column] ?? 0]?.name ?? "")
      if (!sign) return null
      signs.push(sign)
    }
    rows.push(signs)
  }
  return rows
}

function tileName(of: Uint8Array | null | undefined, [x, y]: [number, number]): string {
  const now = run.peek()?.head.run
  return (of && now?.tiles[of[y * now.size[0] + x] ?? 0]?.name) ?? "nothing"
}

export function describeCell([x, y]: [number, number]): string {
  const now = run.peek()
  const fits = now?.head.run?.places.some(([left, top, wide, high]) => x >= left && y >= top && x < left + wide && y < top + high)
  return `(${x}, ${y}), ${tileName(now?.tiles, [x, y])}${fits ? ", the rule fits here" : ""}`
}

export const describeBefore = (at: [number, number]): string => `(${at.join(", ")}), ${tileName(run.peek()?.begin, at)}`
