/** The map of Make: the level in its style, kept cells, cells that could not stay, and what is being painted. */
import { computed, effect, signal } from "@preact/signals"
import { mix, css, rgb } from "../../../canvas/colours"
import { traceOutline, showLevel } from "../../../canvas/level_layers"
import { MapView, LAYER_ORDER, type Pen } from "../../../canvas/map_view"
import { failure, level, slow } from "../../../state/level"
import { picture, sharpness, style } from "../../../state/picture"
import { colour, theme } from "../../../state/theme"
import { work } from "../../../state/work"
import { cellsOfRuns } from "./cell_runs"
import { dependOn } from "../../../state/depend_on"

export const map = new MapView()

/** The old level is drawn fainter while a new one is made, or when making failed. */
const strength = computed(() => (failure.value ? 0.3 : slow.value ? 0.55 : 1))
showLevel(map, level, style, picture, strength)

/** Cells of the stroke under way, with the tile that goes there. Kept ones have "". */
export const stroke = signal<Map<number, string>>(new Map())
/** Whether the stroke keeps, lets go or paints. */
export const strokeKind = signal<"keep" | "free" | "paint">("keep")

export const keptCells = computed(() => cellsOfRuns(work.value?.keep?.cells ?? []))
/** Kept cells that are another tile now, unless they were painted by hand. */
export const movedCells = computed(() => {
  const cells = cellsOfRuns(level.value?.head.moved ?? [])
  for (const [cell] of level.value?.source.edits ?? []) cells.delete(cell)
  return cells
})

map.add({
  name: "kept",
  order: LAYER_ORDER.marks,
  draw: (pen) => {
    const drawing = stroke.peek()
    const kind = strokeKind.peek()
    const kept = keptCells.peek()
    const moved = movedCells.peek()
    if (kept.size || (drawing.size && kind !== "paint")) {
      const has = (cell: number): boolean => (kind === "free" && drawing.has(cell) ? false : (kept.has(cell) && !moved.has(cell)) || (kind === "keep" && drawing.has(cell)))
      drawGroup(pen, has, colour("kept"), colour("kept-soft"))
    }
    if (moved.size) drawGroup(pen, (cell) => moved.has(cell), colour("bad"), colour("bad-soft"))
  },
})

map.add({
  name: "painting",
  order: LAYER_ORDER.tint,
  draw: ({ ctx, px }) => {
    if (strokeKind.peek() !== "paint") return
    const now = level.peek()
    if (!now) return
    for (const [cell, name] of stroke.peek()) {
      const tile = now.head.palette.find((one) => one.name === name)
      const ink = tile ? rgb(tile.colour) : ([255, 255, 255] as [number, number, number])
      ctx.fillStyle = css(mix(ink, theme.peek() === "dark" ? [0, 0, 0] : [255, 255, 255], 0.15))
      ctx.fillRect((cell % now.width) + px, Math.floor(cell / now.width) + px, 1 - 2 * px, 1 - 2 * px)
    }
  },
})

function drawGroup(pen: Pen, has: (cell: number) => boolean, line: string, fill: string): void {
  const { ctx, px, seen } = pen
  const width = map.camera.columns
  ctx.fillStyle = fill
  for (let y = seen.y0; y < seen.y1; y++)
    for (let x = seen.x0; x < seen.x1; x++) {
      if (!has(y * width + x)) continue
      let end = x + 1
      while (end < seen.x1 && has(y * width + end)) end++
      ctx.fillRect(x, y, end - x, 1)
      x = end
    }
  traceOutline(pen, (x, y) => x >= 0 && y >= 0 && x < width && y < map.camera.rows && has(y * width + x))
  ctx.lineWidth = 1.5 * px
  ctx.strokeStyle = line
  ctx.setLineDash([4 * px, 3 * px])
  ctx.stroke()
  ctx.setLineDash([])
}

effect(() => {
  dependOn(stroke.value, keptCells.value, movedCells.value, theme.value, strokeKind.value)
  map.redraw()
})
// A stroke is shown until the level that has it is there.
effect(() => {
  dependOn(level.value)
  if (strokeKind.peek() === "paint" && !painting.peek()) stroke.value = new Map()
})
/** A stroke is under way: the pointer is down. */
export const painting = signal(false)

// A finer picture is requested only after a pause.
let sharpnessTimer: ReturnType<typeof setTimeout> | undefined
effect(() => {
  dependOn(map.moved.value)
  clearTimeout(sharpnessTimer)
  sharpnessTimer = setTimeout(() => (sharpness.value = Math.round(map.camera.scale)), 350)
})
