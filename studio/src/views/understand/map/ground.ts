/**
 * The ground as it was in a turn: one pixel a cell in a small canvas that the map enlarges, and lines for what is in sight.
 *
 * Nothing here depends on how many cells changed since the last frame, so a jump over a hundred thousand rewrites costs what a single one does.
 */
import type { TileInfo } from "../../../server/protocol"
import { mix, pixel, ramp, rgb, tint, type Rgb } from "../../../canvas/colours"
import { addSegment } from "../../../canvas/level_layers"
import type { Pen } from "../../../canvas/map_view"
import { STANDARD_TILES } from "../../../canvas/standard_tiles"
import { STYLE_INKS } from "../../../canvas/sketch"

export interface Shown {
  width: number
  height: number
  tiles: Uint8Array
  palette: readonly TileInfo[]
  /** The region of each cell in the finished level; null if regions are not shown or the map had another size. */
  labels: ArrayLike<number> | null
  /** Which regions are corridors: they keep the colour of corridors, so that rooms stand out. */
  corridors: ArrayLike<boolean | undefined>
  /** Steps from somewhere, -1 where it cannot be reached; null if distances are not shown. */
  far: Int32Array | null
  light: boolean
}

const STANDARD_NAMES = new Set(STANDARD_TILES.map((tile) => tile.name))
const DOORS = new Set(["door", "locked", "secret", "opening"])
/** From so many pixels a cell on there are lines; from `MIN_SCALE_FOR_GRID` on squares. */
const MIN_SCALE_FOR_LINES = 5
const MIN_SCALE_FOR_GRID = 9

interface Kinds {
  open: Uint8Array
  door: Uint8Array
  pillar: Uint8Array
  own: Uint8Array
  fixed: Uint32Array
  ground: Rgb[]
}

export class Ground {
  private readonly canvas = document.createElement("canvas")
  private image: ImageData | null = null
  private words = new Uint32Array(0)
  private kinds: Kinds | null = null
  private shown: Shown | null = null
  private doors: number[] = []
  private pillars: number[] = []

  /** Takes a new state. Call it once for each frame that differs. */
  show(now: Shown): void {
    const { width, height } = now
    if (!this.image || this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width
      this.canvas.height = height
      this.image = new ImageData(width, height)
      this.words = new Uint32Array(this.image.data.buffer)
    }
    const before = this.shown
    if (!this.kinds || before?.palette !== now.palette || before.light !== now.light) this.kinds = kindsOf(now.palette, now.light)
    this.shown = now
    this.paint(now, this.kinds)
    this.canvas.getContext("2d")?.putImageData(this.image, 0, 0)
  }

  isOpen(cell: number): boolean {
    const now = this.shown
    return now !== null && this.kinds !== null && this.kinds.open[now.tiles[cell] as number] === 1
  }

  private paint(now: Shown, kinds: Kinds): void {
    const { tiles, width, height, labels, far } = now
    const { open, fixed, ground, door, pillar, own } = kinds
    const { corridors } = now
    const out = this.words
    const inks = STYLE_INKS[now.light ? "plan light" : "plan"]
    const rim = inks?.wall ? pixel(inks.wall) : 0
    const shades = new Map<number, number>()
    const steps = far ? distanceInks(far, now.light) : null
    const nowhere = pixel(now.light ? rgb("#ded8cc") : rgb("#20232f"))
    this.doors = []
    this.pillars = []
    for (let y = 0, cell = 0; y < height; y++)
      for (let x = 0; x < width; x++, cell++) {
        const code = tiles[cell] as number
        if (!open[code]) {
          out[cell] = rim && touchesGround(tiles, open, x, y, width, height) ? rim : 0
          continue
        }
        if (door[code]) this.doors.push(cell)
        else if (pillar[code]) this.pillars.push(cell)
        if (far && steps) {
          const away = far[cell] as number
          out[cell] = away >= 0 ? (steps[away] as number) : nowhere
          continue
        }
        if (fixed[code]) {
          out[cell] = fixed[code]
          continue
        }
        let label = labels ? (labels[cell] ?? 0) : 0
        if (corridors[label]) label = 0
        const key = label * 256 + code
        let shade = shades.get(key)
        if (shade === undefined) {
          const base = ground[code] as Rgb
          shade = pixel(label > 0 ? mix(base, tint(label), (inks?.tinted ?? 0.5) * (own[code] ? 0.4 : 1)) : base)
          shades.set(key, shade)
        }
        out[cell] = shade
      }
  }

  draw(pen: Pen, alpha = 1): void {
    const now = this.shown
    if (!now || !this.kinds) return
    pen.image(this.canvas, 1, [0, 0], alpha)
    if (pen.scale < MIN_SCALE_FOR_LINES) return
    pen.ctx.globalAlpha = alpha
    if (pen.scale >= MIN_SCALE_FOR_GRID) this.drawGrid(pen, now)
    this.drawMarks(pen, now)
    this.drawOutline(pen, now)
    pen.ctx.globalAlpha = 1
  }

  /** Faint squares, so that cells can be counted. Runs of ground are one line. */
  private drawGrid({ ctx, px, seen }: Pen, now: Shown): void {
    const has = this.has(now)
    ctx.beginPath()
    for (let y = seen.y0 + 1; y < seen.y1; y++) forEachRun(seen.x0, seen.x1, (x) => has(x, y) && has(x, y - 1), (from, to) => addSegment(ctx, from, y, to, y))
    for (let x = seen.x0 + 1; x < seen.x1; x++) forEachRun(seen.y0, seen.y1, (y) => has(x, y) && has(x - 1, y), (from, to) => addSegment(ctx, x, from, x, to))
    ctx.lineWidth = 0.8 * px
    ctx.strokeStyle = now.light ? "rgba(60,50,90,.09)" : "rgba(255,255,255,.055)"
    ctx.stroke()
  }

  private drawOutline({ ctx, px, seen, scale }: Pen, now: Shown): void {
    const has = this.has(now)
    ctx.beginPath()
    for (let y = seen.y0; y <= seen.y1; y++) forEachRun(seen.x0, seen.x1, (x) => has(x, y) !== has(x, y - 1), (from, to) => addSegment(ctx, from, y, to, y))
    for (let x = seen.x0; x <= seen.x1; x++) forEachRun(seen.y0, seen.y1, (y) => has(x, y) !== has(x - 1, y), (from, to) => addSegment(ctx, x, from, x, to))
    ctx.lineWidth = (scale < 8 ? 0.9 : 1.4) * px
    ctx.lineCap = "square"
    ctx.strokeStyle = now.light ? "#8b8398" : "#a3abc3"
    ctx.stroke()
  }

  /** Doors as bars across the way, pillars as discs. */
  private drawMarks({ ctx, px, seen }: Pen, now: Shown): void {
    const { width } = now
    const has = this.has(now)
    const inside = (x: number, y: number): boolean => x >= seen.x0 && x < seen.x1 && y >= seen.y0 && y < seen.y1
    ctx.fillStyle = now.light ? "#4d465c" : "#e9edf8"
    for (const cell of this.doors) {
      const x = cell % width
      const y = Math.floor(cell / width)
      if (!inside(x, y)) continue
      const thick = Math.max(0.22, 2 * px)
      if (now.palette[now.tiles[cell] as number]?.role === "opening") continue
      if (has(x - 1, y) && has(x + 1, y)) ctx.fillRect(x + 0.5 - thick / 2, y, thick, 1)
      else ctx.fillRect(x, y + 0.5 - thick / 2, 1, thick)
    }
    ctx.fillStyle = now.light ? "#6d6579" : "#c3cade"
    ctx.beginPath()
    for (const cell of this.pillars) {
      const x = cell % width
      const y = Math.floor(cell / width)
      if (!inside(x, y)) continue
      ctx.moveTo(x + 0.84, y + 0.5)
      ctx.arc(x + 0.5, y + 0.5, 0.34, 0, 7)
    }
    ctx.fill()
  }

  private has(now: Shown): (x: number, y: number) => boolean {
    const { tiles, width, height } = now
    const open = (this.kinds as Kinds).open
    return (x, y) => x >= 0 && y >= 0 && x < width && y < height && open[tiles[y * width + x] as number] === 1
  }
}

function forEachRun(first: number, end: number, is: (at: number) => boolean, put: (from: number, to: number) => void): void {
  let from = -1
  for (let at = first; at < end; at++) {
    if (is(at)) {
      if (from < 0) from = at
    } else if (from >= 0) {
      put(from, at)
      from = -1
    }
  }
  if (from >= 0) put(from, end)
}

function touchesGround(tiles: Uint8Array, open: Uint8Array, x: number, y: number, width: number, height: number): boolean {
  const left = x > 0
  const right = x < width - 1
  const at = y * width + x
  if (left && open[tiles[at - 1] as number]) return true
  if (right && open[tiles[at + 1] as number]) return true
  if (y > 0) {
    const up = at - width
    if (open[tiles[up] as number] || (left && open[tiles[up - 1] as number]) || (right && open[tiles[up + 1] as number])) return true
  }
  if (y < height - 1) {
    const down = at + width
    if (open[tiles[down] as number] || (left && open[tiles[down - 1] as number]) || (right && open[tiles[down + 1] as number])) return true
  }
  return false
}

function kindsOf(palette: readonly TileInfo[], light: boolean): Kinds {
  const inks = STYLE_INKS[light ? "plan light" : "plan"]
  const kinds: Kinds = { open: new Uint8Array(256), door: new Uint8Array(256), pillar: new Uint8Array(256), own: new Uint8Array(256), fixed: new Uint32Array(256), ground: [] }
  palette.forEach((tile, code) => {
    const { role } = tile
    if (role === "void" || role === "wall" || !inks) return
    kinds.open[code] = 1
    const floor = role === "corridor" ? inks.corridor : inks.floor
    kinds.ground[code] = floor
    if (DOORS.has(role)) {
      kinds.door[code] = 1
      kinds.ground[code] = role === "locked" ? rgb(light ? "#e3a39c" : "#7a3033") : role === "secret" ? rgb(light ? "#cbbbe8" : "#4d3f86") : inks.corridor
    } else if (role === "pillar") kinds.pillar[code] = 1
    else if (role === "water") kinds.fixed[code] = pixel(inks.water)
    else if (role === "pit") kinds.fixed[code] = pixel(inks.pit)
    // Tiles of other palettes, and things while rules put them down, show something of their own colour.
    else if (!STANDARD_NAMES.has(tile.name) && /^#[0-9a-f]{6}$/i.test(tile.colour)) {
      kinds.ground[code] = mix(floor, rgb(tile.colour), 0.55)
      kinds.own[code] = 1
    }
  })
  return kinds
}

/** The ink for each number of steps. */
function distanceInks(far: Int32Array, light: boolean): Uint32Array {
  let most = 1
  for (const away of far) if (away > most) most = away
  const inks = new Uint32Array(most + 1)
  for (let away = 0; away <= most; away++) inks[away] = pixel(ramp(away / most, light))
  return inks
}

/** Regions with what stands in them: pillars and water belong to none, but the ground below them, which earlier turns show, takes the tint around it. */
export function extendLabels(of: { labels: ArrayLike<number>; tiles: Uint8Array; width: number; height: number }, palette: readonly TileInfo[]): Uint16Array | Uint32Array {
  const { labels, tiles, width, height } = of
  const found = labels instanceof Uint32Array ? labels.slice() : Uint16Array.from(labels)
  const fills = palette.map((tile) => tile.role === "water" || tile.role === "pit" || tile.role === "pillar")
  const queue: number[] = []
  for (let cell = 0; cell < found.length; cell++) if (found[cell]) queue.push(cell)
  for (let head = 0; head < queue.length; head++) {
    const cell = queue[head] as number
    const x = cell % width
    for (const next of [x > 0 ? cell - 1 : -1, x < width - 1 ? cell + 1 : -1, cell - width, cell + width]) {
      if (next < 0 || next >= width * height || found[next] || !fills[tiles[next] as number]) continue
      found[next] = found[cell] as number
      queue.push(next)
    }
  }
  return found
}
