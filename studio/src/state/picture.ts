/**
 * The style of the map, and the server's picture of the level in it.
 *
 * The page's own sketch of a level is shown at once. The picture arrives later and covers it, cell on cell. None is requested during a drag on a
 * slider, nor while the map is panned or zoomed.
 */
import { computed, effect, signal, untracked } from "@preact/signals"
import type { PictureHead } from "../server/protocol"
import { ask, cancel, connection, greeting } from "../server/connection"
import { level, type Level } from "./level"
import { isText, recall, remember } from "./storage"
import { theme } from "./theme"

export const STYLE_ORDER = ["pixels", "ink", "parchment", "blueprint", "dark", "plain"]
export const chosenStyle = signal<string | null>(recall<string | null>("style", null, isText))
/** The default style is `pixels` in the dark theme, and `ink` in the light one. */
export const style = computed(() => chosenStyle.value ?? (theme.value === "dark" ? "pixels" : "ink"))
export const styles = computed(() => {
  const names = (greeting.value?.styles ?? []).map((one) => one.name)
  return [...STYLE_ORDER.filter((name) => names.includes(name)), ...names.filter((name) => !STYLE_ORDER.includes(name))]
})
effect(() => remember("style", chosenStyle.value))

export interface Picture {
  bitmap: HTMLCanvasElement
  origin: [number, number]
  cell: number
  style: string
  /** The level it shows. */
  number: number
  at: number
}

export const picture = signal<Picture | null>(null)
/** The style of a picture that has been drawn for longer than `UNNOTICED_DRAWING_MILLISECONDS`. */
export const drawing = signal<string | null>(null)
const UNNOTICED_DRAWING_MILLISECONDS = 500
/** A slider is dragged, or cells are painted: no pictures are requested. */
export const busyHand = signal(false)

/** Pixels that a cell has on the screen, once panning and zooming rest. A view that shows pictures sets it. */
export const sharpness = signal(12)
const CELL_SIZES = [4, 6, 8, 10, 12, 16, 20, 24, 32]

/** Pixels of a cell: as many as the screen has, since pictures take their time. The tiles of `pixels` are always drawn with 16. */
function cellFor(of: Level, look: string): number {
  const most = Math.sqrt(6_000_000 / (of.width * of.height))
  if (look === "pixels") return most >= 16 ? 16 : most >= 8 ? 8 : 4
  const least = sharpness.value * (window.devicePixelRatio || 1)
  return Math.max(2, Math.min(Math.floor(most), CELL_SIZES.find((cell) => cell >= least * 0.95) ?? 32))
}

const MAX_LEVEL_CELLS = 300_000

/** Pictures drawn before, the last ones used at the end: back and forward through seeds needs no new ones. */
const pictures = new Map<string, Omit<Picture, "number" | "at">>()
const MAX_PICTURES = 16

effect(() => {
  const now = level.value
  const look = style.value
  if (!now || busyHand.value || connection.value.kind !== "open") return
  const cell = cellFor(now, look)
  untracked(() => {
    const shown = picture.value
    if (shown?.number === now.number && shown.style === look && shown.cell >= cell) return
    cancel("picture")
    clearTimeout(waiting)
    if (now.width * now.height > MAX_LEVEL_CELLS) return
    // While seeds change quickly, sketches are enough: pictures would occupy the workers and delay the levels.
    const leafing = performance.now() - last < LEAFING_MILLISECONDS
    last = performance.now()
    waiting = setTimeout(() => void fetchPicture(now, look, cell), leafing && !pictures.has(look + JSON.stringify(now.exact)) ? 220 : 0)
  })
})
const LEAFING_MILLISECONDS = 700
let last = 0
let waiting: ReturnType<typeof setTimeout> | undefined

let fetches = 0

async function fetchPicture(now: Level, look: string, cell: number): Promise<void> {
  if (level.peek()?.number !== now.number) return
  const key = look + JSON.stringify(now.exact)
  const before = pictures.get(key)
  const finer = picture.peek()?.number === now.number && picture.peek()?.style === look
  if (before && !finer) {
    pictures.delete(key)
    pictures.set(key, before)
    picture.value = { ...before, number: now.number, at: 0 }
    if (before.cell >= cell) return
  }
  const noticed = setTimeout(() => (drawing.value = look), UNNOTICED_DRAWING_MILLISECONDS)
  const mine = ++fetches
  const reply = await ask<PictureHead>("picture", { do: "picture", style: look, cell, show: [], hide: [], ...now.exact })
  clearTimeout(noticed)
  if (mine === fetches) drawing.value = null
  const png = reply.kind === "done" ? reply.blocks.png : undefined
  if (reply.kind !== "done" || !png) return
  const { origin } = reply.head
  const bitmap = softenEdges(await createImageBitmap(new Blob([png as BlobPart], { type: "image/png" })), reply.head.cell)
  pictures.set(key, { bitmap, origin, cell: reply.head.cell, style: look })
  for (const [old] of pictures) if (pictures.size > MAX_PICTURES) pictures.delete(old)
  // A finer picture of the same takes the place of the coarser without a fade.
  const at = picture.peek()?.number === now.number && picture.peek()?.style === look ? 0 : performance.now()
  if (level.peek()?.number === now.number && style.peek() === look) picture.value = { bitmap, origin, cell: reply.head.cell, style: look, number: now.number, at }
}

/** Fades the edges of a picture, so that a map that ends in the middle of rock does not look cut off. */
function softenEdges(bitmap: ImageBitmap, cell: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas")
  const { width, height } = bitmap
  canvas.width = width
  canvas.height = height
  const ctx = canvas.getContext("2d")
  if (!ctx) return canvas
  ctx.drawImage(bitmap, 0, 0)
  bitmap.close()
  ctx.globalCompositeOperation = "destination-out"
  for (const [x0, y0, x1, y1] of [[0, 0, cell, 0], [width, 0, width - cell, 0], [0, 0, 0, cell], [0, height, 0, height - cell]] as const) {
    const fade = ctx.createLinearGradient(x0, y0, x1, y1)
    fade.addColorStop(0, "#000")
    fade.addColorStop(1, "transparent")
    ctx.fillStyle = fade
    ctx.fillRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0) || width, Math.abs(y1 - y0) || height)
  }
  return canvas
}
