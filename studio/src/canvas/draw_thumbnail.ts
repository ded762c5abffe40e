/**
 * Thumbnails: ground tinted by its distance from the start, a fine outline, and the path if it is wanted.
 *
 * They are deliberately simple, so that two seeds look as different as they are.
 */
import type { TileInfo } from "../server/protocol"
import { css, END, mix, ramp, rgb, START, type Rgb } from "./colours"

export interface SmallLevel {
  width: number
  height: number
  tiles: ArrayLike<number>
  palette: TileInfo[]
  start: [number, number] | null
  end: [number, number] | null
  path?: ArrayLike<number>
}

export interface ThumbnailLook {
  width: number
  height: number
  pad?: number
  light?: boolean
  path?: boolean
  outline?: boolean
  /** One colour for all ground, instead of the distance from the start. */
  ground?: Rgb
}

/** The distance of each cell from a cell, over all that is not rock; -1 where it cannot be reached. */
export function distances(of: SmallLevel, from: [number, number]): Int32Array {
  const { width, height, tiles, palette } = of
  const open = palette.map((tile) => tile.role !== "void" && tile.role !== "wall")
  const far = new Int32Array(width * height).fill(-1)
  const queue = new Int32Array(width * height)
  let head = 0
  let tail = 0
  const reach = (cell: number, value: number): void => {
    if (far[cell] === -1 && open[tiles[cell] ?? 0]) {
      far[cell] = value
      queue[tail++] = cell
    }
  }
  reach(from[1] * width + from[0], 0)
  while (head < tail) {
    const cell = queue[head++] as number
    const next = (far[cell] as number) + 1
    const x = cell % width
    if (x > 0) reach(cell - 1, next)
    if (x < width - 1) reach(cell + 1, next)
    if (cell >= width) reach(cell - width, next)
    if (cell < width * (height - 1)) reach(cell + width, next)
  }
  return far
}

export function drawThumbnail(canvas: HTMLCanvasElement, of: SmallLevel, look: ThumbnailLook): void {
  const ratio = window.devicePixelRatio || 1
  canvas.width = Math.round(look.width * ratio)
  canvas.height = Math.round(look.height * ratio)
  canvas.style.width = look.width + "px"
  canvas.style.height = look.height + "px"
  const ctx = canvas.getContext("2d")
  if (!ctx) return
  const pad = look.pad ?? 4
  const { width, height, tiles, palette } = of
  const scale = Math.min((look.width - 2 * pad) / width, (look.height - 2 * pad) / height)
  const light = look.light ?? false
  const open = palette.map((tile) => tile.role !== "void" && tile.role !== "wall")
  const first = of.start ?? firstOpenCell(of, open)
  const far = first ? distances(of, first) : new Int32Array(width * height).fill(-1)
  let most = 1
  for (const value of far) if (value > most) most = value

  // Cells are drawn whole into a small canvas and then scaled, so that no seams show between them.
  const cells = document.createElement("canvas")
  cells.width = width
  cells.height = height
  const inner = cells.getContext("2d")
  if (!inner) return
  const image = inner.createImageData(width, height)
  const water = rgb(light ? "#9dbccb" : "#24466b")
  const pit = rgb(light ? "#4a4455" : "#12101c")
  const nowhere = mix(ramp(0, light), rgb(light ? "#f7f2e5" : "#0b0d14"), 0.45)
  for (let cell = 0; cell < width * height; cell++) {
    const code = tiles[cell] ?? 0
    if (!open[code]) continue
    const role = palette[code]?.role
    const away = far[cell] as number
    const colour = role === "water" ? water : role === "pit" ? pit : (look.ground ?? (away < 0 ? nowhere : ramp(away / most, light)))
    image.data.set([colour[0], colour[1], colour[2], 255], cell * 4)
  }
  inner.putImageData(image, 0, 0)

  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  const x = (look.width - scale * width) / 2
  const y = (look.height - scale * height) / 2
  ctx.imageSmoothingEnabled = scale * ratio < 1
  if (look.outline !== false) {
    const edge = Math.max(0.6, Math.min(1.2, scale * 0.25))
    const silhouette = document.createElement("canvas")
    silhouette.width = width
    silhouette.height = height
    const pen = silhouette.getContext("2d")
    if (pen) {
      pen.drawImage(cells, 0, 0)
      pen.globalCompositeOperation = "source-in"
      pen.fillStyle = light ? "#8b7f92" : "#8f8aa6"
      pen.fillRect(0, 0, width, height)
      for (const [dx, dy] of [[-edge, 0], [edge, 0], [0, -edge], [0, edge]] as const) ctx.drawImage(silhouette, x + dx, y + dy, scale * width, scale * height)
    }
  }
  ctx.drawImage(cells, x, y, scale * width, scale * height)
  if (look.path && of.path && of.path.length > 1) {
    ctx.lineJoin = ctx.lineCap = "round"
    const strokes: [number, string][] = light ? [[2.6, "rgba(33,28,46,.55)"], [1.4, "#fff"]] : [[3.2, "rgba(190,225,255,.28)"], [1.3, "rgba(240,250,255,.95)"]]
    for (const [wide, ink] of strokes) {
      ctx.beginPath()
      for (let k = 0; k < of.path.length; k++) {
        const cell = of.path[k] as number
        ctx.lineTo(x + ((cell % width) + 0.5) * scale, y + (Math.floor(cell / width) + 0.5) * scale)
      }
      ctx.lineWidth = wide
      ctx.strokeStyle = ink
      ctx.stroke()
    }
    for (const [at, ink] of [[of.start, START], [of.end, END]] as const) {
      if (!at) continue
      ctx.beginPath()
      ctx.arc(x + (at[0] + 0.5) * scale, y + (at[1] + 0.5) * scale, 2.2, 0, 7)
      ctx.fillStyle = ink
      ctx.fill()
      ctx.lineWidth = 0.8
      ctx.strokeStyle = css([8, 8, 16], 0.8)
      ctx.stroke()
    }
  }
}

function firstOpenCell(of: SmallLevel, open: boolean[]): [number, number] | null {
  for (let cell = 0; cell < of.width * of.height; cell++) if (open[of.tiles[cell] ?? 0]) return [cell % of.width, Math.floor(cell / of.width)]
  return null
}
