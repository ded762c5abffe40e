/**
 * The page's own quick drawing of a level, into a canvas that the map then shows.
 *
 * It takes a few milliseconds, so it appears with the level. Each style has colours close to those of the server's picture, so that little changes when
 * that picture arrives. `plan` is the plain drawing under overlays: regions tinted, walls a thin line.
 */
import type { TileInfo } from "../server/protocol"
import { mix, pixel, ramp, rgb, tint, type Rgb } from "./colours"
import { distances } from "./draw_thumbnail"

export interface Inks {
  /** Walls beside open ground; null: not drawn. */
  wall: Rgb | null
  /** The front of a wall that has ground below it. */
  face: Rgb | null
  floor: Rgb
  corridor: Rgb
  door: Rgb
  water: Rgb
  pit: Rgb
  /** The line between ground and rock; null: none. */
  line: Rgb | null
  /** The lines between squares of ground; null: none. */
  grid: Rgb | null
  /** How much of a region's tint goes into its ground. */
  tinted: number
  /** Rock beside ground is hatched. */
  hatched?: boolean
  /** Ground is coloured by its distance from the start. */
  distant?: boolean
}

const makeInks = (wall: string, face: string, floor: string, corridor: string, door: string, water: string, pit: string, line: string, grid: string, tinted: number): Inks => {
  const optionalRgb = (text: string): Rgb | null => (text ? rgb(text) : null)
  return { wall: optionalRgb(wall), face: optionalRgb(face), floor: rgb(floor), corridor: rgb(corridor), door: rgb(door), water: rgb(water), pit: rgb(pit), line: optionalRgb(line), grid: optionalRgb(grid), tinted }
}

export const STYLE_INKS: Record<string, Inks> = {
  pixels: makeInks("#1c182b", "#574450", "#745846", "#463730", "#7a4a28", "#1d4459", "#0b0a12", "", "#684e3e", 0.05),
  dark: { ...makeInks("#242a3e", "", "#b3627f", "#a16073", "#f2e6ee", "#2b4c6d", "#05060a", "#c9c3d8", "", 0), distant: true },
  ink: { ...makeInks("#6b6459", "", "#fdfbf5", "#fdfbf5", "#f6f1e4", "#d6dcdc", "#1b1720", "#1b1720", "#ece6da", 0), hatched: true },
  parchment: makeInks("#8f744d", "", "#e2d2ab", "#d5c298", "#a8803f", "#93aea3", "#3a2a18", "#4a331b", "#d3c195", 0),
  blueprint: makeInks("#335c91", "", "#153c70", "#1c4377", "#c7dcf7", "#204679", "#0c2750", "#d6e6fb", "#1f4a82", 0),
  plain: makeInks("", "", "#d6c7a5", "#b3a385", "#c77b30", "#4a86b8", "#1c1a22", "", "#cbbc99", 0),
  print: { ...makeInks("#8a8a8a", "", "#ffffff", "#f2f2f2", "#5a5a5a", "#dcdcdc", "#222222", "#222222", "#ececec", 0), hatched: true },
  plan: makeInks("#141826", "", "#3a3f5c", "#2c3146", "#c9d2ea", "#235069", "#05060a", "#a9b1c9", "", 0.85),
  "plan light": makeInks("", "", "#dcd9e8", "#e6e1da", "#544d63", "#a9c9d8", "#3b3648", "#6d6579", "", 0.28),
}

/** What lies around the ground in a style: the same as far from all ground in the server's picture. */
export const STYLE_BACKGROUNDS: Record<string, string> = { pixels: "#030206", dark: "#0d0f16", ink: "#f6f1e4", parchment: "#c9b182", blueprint: "#123e78", plain: "#3b4252", print: "#ffffff" }

export interface Drawable {
  width: number
  height: number
  tiles: ArrayLike<number>
  labels?: ArrayLike<number>
  palette: TileInfo[]
  start?: [number, number] | null
}

/** Cells from (x0, y0) to before (x1, y1). */
export interface CellWindow {
  x0: number
  y0: number
  x1: number
  y1: number
}

/** The most pixels of a cell in a sketch of what is seen. */
const FINEST_CELL = 32

export class Sketch {
  readonly canvas = document.createElement("canvas")
  private readonly detail = document.createElement("canvas")
  private detailed: { window: CellWindow; cell: number } | null = null
  private drawn: { of: Drawable; inks: Inks; far: ArrayLike<number> | null } | null = null
  /** Halved again and again, so that a large map far away is still drawn from about as many pixels as it covers. */
  readonly smaller: HTMLCanvasElement[] = []
  cell = 8

  /** `scale`: pixels that a cell has on the screen now. More would be work for nothing. */
  draw(of: Drawable, inks: Inks, scale = 16): void {
    const { width, height } = of
    this.detailed = null
    this.drawn = { of, inks, far: inks.distant && of.start ? distances({ ...of, start: of.start, end: null }, of.start) : null }
    // About four million pixels at most; a multiple of four, so that halves are exact.
    const most = Math.floor(Math.sqrt(4_000_000 / (width * height)) / 4) * 4
    const cell = (this.cell = Math.max(4, Math.min(16, most, Math.ceil((scale * (window.devicePixelRatio || 1) * 0.9) / 4) * 4)))
    const { canvas } = this
    canvas.width = width * cell
    canvas.height = height * cell
    const ctx = canvas.getContext("2d")
    if (!ctx) return
    const image = ctx.createImageData(canvas.width, canvas.height)
    paintCells(new Uint32Array(image.data.buffer), of, inks, cell, wholeOf(of), this.drawn.far)
    ctx.putImageData(image, 0, 0)
    this.smaller.length = 0
    let from = canvas
    while (from.width > 1400 || from.height > 1400) {
      const half = document.createElement("canvas")
      half.width = Math.ceil(from.width / 2)
      half.height = Math.ceil(from.height / 2)
      half.getContext("2d")?.drawImage(from, 0, 0, half.width, half.height)
      this.smaller.push(half)
      from = half
    }
  }

  /**
   * Only what is seen of a large map, in as many pixels as the screen has: the canvas, the pixels its cells have, and where cell (0, 0) would lie.
   * Null if `cell` pixels a cell, which there are already, are enough.
   */
  sharp(seen: CellWindow, scale: number, cell: number): [HTMLCanvasElement, number, [number, number]] | null {
    const { drawn } = this
    const wanted = Math.min(FINEST_CELL, Math.ceil((scale * (window.devicePixelRatio || 1)) / 4) * 4)
    if (!drawn || cell * 2 > wanted || seen.x1 <= seen.x0 || seen.y1 <= seen.y0) return null
    const had = this.detailed
    const { width, height } = drawn.of
    if (!had || had.cell !== wanted || seen.x0 < had.window.x0 || seen.y0 < had.window.y0 || seen.x1 > had.window.x1 || seen.y1 > had.window.y1) {
      // A little more than is seen, so that panning does not paint in every frame.
      const [across, down] = [Math.ceil((seen.x1 - seen.x0) / 4), Math.ceil((seen.y1 - seen.y0) / 4)]
      const view = { x0: Math.max(0, seen.x0 - across), y0: Math.max(0, seen.y0 - down), x1: Math.min(width, seen.x1 + across), y1: Math.min(height, seen.y1 + down) }
      this.detail.width = (view.x1 - view.x0) * wanted
      this.detail.height = (view.y1 - view.y0) * wanted
      const ctx = this.detail.getContext("2d")
      if (!ctx) return null
      const image = ctx.createImageData(this.detail.width, this.detail.height)
      paintCells(new Uint32Array(image.data.buffer), drawn.of, drawn.inks, wanted, view, drawn.far)
      ctx.putImageData(image, 0, 0)
      this.detailed = { window: view, cell: wanted }
    }
    const { x0, y0 } = (this.detailed as { window: CellWindow }).window
    return [this.detail, wanted, [-x0 * wanted, -y0 * wanted]]
  }

  /** The canvas to draw at a scale, and the pixels its cells have. */
  at(scale: number): [HTMLCanvasElement, number] {
    let found: [HTMLCanvasElement, number] = [this.canvas, this.cell]
    for (const [level, half] of this.smaller.entries()) {
      const cell = this.cell / 2 ** (level + 1)
      if (cell < scale * (window.devicePixelRatio || 1)) break
      found = [half, cell]
    }
    return found
  }
}

const OPEN = 1
const DOOR = 2

const wholeOf = (of: Drawable): CellWindow => ({ x0: 0, y0: 0, x1: of.width, y1: of.height })

/** Paints a level, or a window of it, into the pixels of an image, `cell` pixels a cell. `far` is the distance of each cell from the start, if the inks show it. */
export function paintCells(out: Uint32Array, of: Drawable, inks: Inks, cell: number, view: CellWindow = wholeOf(of), far: ArrayLike<number> | null = null): void {
  const { width, height, tiles, labels, palette } = of
  // What each tile's ground looks like, and whether it is ground at all.
  const kinds = new Uint8Array(256)
  const base: (Rgb | null)[] = []
  palette.forEach((tile, code) => {
    const { role } = tile
    const open = role !== "void" && role !== "wall"
    const door = role === "door" || role === "locked" || role === "secret"
    kinds[code] = open ? OPEN | (door ? DOOR : 0) : 0
    const ground = role === "corridor" ? inks.corridor : inks.floor
    // Tiles that are not of the standard palette show something of their own colour.
    base[code] = !open ? null : role === "water" ? inks.water : role === "pit" ? inks.pit : /^#[0-9a-f]{6}$/i.test(tile.colour) && !(role in STANDARD_ROLES) ? mix(ground, rgb(tile.colour), 0.5) : ground
  })
  const kindAt = (x: number, y: number): number => (x < 0 || y < 0 || x >= width || y >= height ? 0 : (kinds[tiles[y * width + x] ?? 0] ?? 0))
  const across = (view.x1 - view.x0) * cell
  const shades = new Map<number, number>()
  const line = inks.line ? pixel(inks.line) : 0
  const thick = Math.max(1, Math.round(cell / 9))

  let most = 1
  if (far) for (let cell = 0; cell < far.length; cell++) most = Math.max(most, far[cell] ?? 0)

  const wall = inks.wall ? pixel(inks.wall) : 0
  const face = inks.face ? pixel(inks.face) : 0
  const joint = inks.face ? pixel(mix(inks.face, [0, 0, 0], 0.35)) : 0
  const ledge = inks.face ? pixel(mix(inks.face, [255, 255, 255], 0.18)) : 0
  const gridInk = inks.grid ? pixel(inks.grid) : 0
  const pillar = pixel(inks.line ?? mix(inks.floor, [255, 255, 255], 0.25))
  const doorInk = pixel(inks.line && inks.tinted === 0 ? inks.line : inks.door)
  /** Slabs of stone are not all alike: 17 shades of each ground. */
  const slabs = base.map((ground) => (ground && inks.face ? Array.from({ length: 17 }, (_, k) => pixel(mix(ground, [0, 0, 0], (k / 17) * 0.16))) : null))
  const shadow = base.map((ground) => (ground ? pixel(mix(ground, [0, 0, 0], 0.28)) : 0))

  const fill = (x: number, y: number, w: number, h: number, ink: number): void => {
    // A loop: `fill` of the array costs more than the few pixels of a row.
    for (let row = y; row < y + h; row++) for (let at = row * across + x, end = at + w; at < end; at++) out[at] = ink
  }

  for (let y = view.y0; y < view.y1; y++)
    for (let x = view.x0; x < view.x1; x++) {
      const code = tiles[y * width + x] ?? 0
      const left = (x - view.x0) * cell
      const top = (y - view.y0) * cell
      const ground = base[code]
      if (!ground) {
        if (!inks.wall) continue
        const below = kindAt(x, y + 1) !== 0
        const near = below || kindAt(x - 1, y) || kindAt(x + 1, y) || kindAt(x, y - 1) || kindAt(x - 1, y - 1) || kindAt(x + 1, y - 1) || kindAt(x - 1, y + 1) || kindAt(x + 1, y + 1)
        if (!near) continue
        if (inks.hatched && cell >= 8) {
          const lean = (x + y) & 1 ? 1 : -1
          for (let row = 0; row < cell; row++) for (let column = ((lean * row) % 4 + 4) % 4; column < cell; column += 4) out[(top + row) * across + left + column] = wall
          continue
        }
        fill(left, top, cell, cell, wall)
        if (below && inks.face) {
          const high = Math.max(1, Math.floor(cell * 0.62))
          fill(left, top + cell - high, cell, high, face)
          if (cell >= 8) {
            // Two courses of stones, the second half a stone further.
            const course = top + cell - Math.floor(high / 2)
            fill(left, course, cell, 1, joint)
            fill(left + ((x & 1) * cell) / 2, top + cell - high, 1, Math.floor(high / 2), joint)
            fill(left + cell / 4 + ((x & 1) * cell) / 2, course, 1, Math.floor(high / 2), joint)
            fill(left, top + cell - high, cell, 1, ledge)
          }
        }
        continue
      }
      const label = labels ? (labels[y * width + x] ?? 0) : 0
      const key = label * 256 + code
      let shade = shades.get(key)
      if (shade === undefined) {
        shade = pixel(label > 0 && inks.tinted && ground !== inks.water && ground !== inks.pit ? mix(ground, tint(label), inks.tinted) : ground)
        shades.set(key, shade)
      }
      const plain = ground === inks.water || ground === inks.pit
      if (far && !plain) shade = pixel(ramp((far[y * width + x] ?? 0) / most))
      else if (inks.face && !plain) shade = slabs[code]?.[(x * 73 + y * 151 + ((x * y) % 7) * 31) % 17] ?? shade
      fill(left, top, cell, cell, shade)
      if (inks.grid && cell >= 8 && !plain) {
        fill(left, top, cell, 1, gridInk)
        fill(left, top, 1, cell, gridInk)
      }
      if (inks.face && !kindAt(x, y - 1) && cell >= 8) fill(left, top, cell, Math.max(1, cell >> 2), shadow[code] ?? 0)
      const role = palette[code]?.role
      if (role === "pillar") {
        const inner = Math.max(1, cell >> 2)
        fill(left + inner, top + inner, cell - 2 * inner, cell - 2 * inner, pillar)
      } else if ((kinds[code] ?? 0) & DOOR) {
        const upright = kindAt(x, y - 1) && kindAt(x, y + 1) ? 0 : 1
        const inner = Math.max(1, Math.floor(cell / 3))
        if (upright) fill(left + inner, top, cell - 2 * inner, cell, doorInk)
        else fill(left, top + inner, cell, cell - 2 * inner, doorInk)
      }
      if (line) {
        if (!kindAt(x - 1, y)) fill(left, top, thick, cell, line)
        if (!kindAt(x + 1, y)) fill(left + cell - thick, top, thick, cell, line)
        if (!kindAt(x, y - 1)) fill(left, top, cell, thick, line)
        if (!kindAt(x, y + 1)) fill(left, top + cell - thick, cell, thick, line)
      }
    }
}

const STANDARD_ROLES: Record<string, true> = { floor: true, corridor: true, door: true, opening: true, locked: true, secret: true, entry: true, exit: true, pillar: true, water: true, pit: true }
