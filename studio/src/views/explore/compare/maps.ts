/** The two maps: they pan and zoom together, show the same overlays, and the pointer over one is seen on the other. */
import { effect, untracked } from "@preact/signals"
import { css, pixel, ramp, rgb } from "../../../canvas/colours"
import { drawEnds } from "../../../canvas/level_layers"
import { MapView, LAYER_ORDER, type Pen } from "../../../canvas/map_view"
import { STYLE_INKS, Sketch } from "../../../canvas/sketch"
import { distances } from "../../../canvas/draw_thumbnail"
import type { Level } from "../../../state/level"
import { colour, theme } from "../../../state/theme"
import type { Mark } from "../state"
import { differing, overlays, SIDES, sides } from "./state"
import { dependOn } from "../../../state/depend_on"

export const maps: Record<Mark, MapView> = { a: new MapView(), b: new MapView() }
const otherSide = (which: Mark): Mark => (which === "a" ? "b" : "a")

/* ---- together ---- */

/** The same part of the map in the middle, at the same share of the size that fits: so that levels of two sizes go together too. */
function copyCamera(from: MapView, to: MapView): void {
  const [a, b] = [from.camera, to.camera]
  const scale = b.fitting * (a.scale / a.fitting)
  const x = b.width / 2 - ((a.width / 2 - a.x) / (a.scale * a.columns)) * scale * b.columns
  const y = b.height / 2 - ((a.height / 2 - a.y) / (a.scale * a.rows)) * scale * b.rows
  // Each move updates the other map, which would update this one again: equal cameras end the loop.
  const off = Math.abs(scale - b.scale) * b.columns + Math.abs(x - b.x) + Math.abs(y - b.y)
  if (!(off > 0.01)) return
  Object.assign(b, { scale, x, y })
  to.notifyMoved()
}

for (const which of SIDES) {
  const [map, its] = [maps[which], maps[otherSide(which)]]
  effect(() => {
    dependOn(map.moved.value)
    untracked(() => copyCamera(map, its))
  })
  effect(() => {
    dependOn(map.hovered.value, map.cursor.value)
    its.redraw()
  })
  addLayers(which, map, its)
}

/* ---- layers ---- */

/** A canvas with one pixel a cell. */
function cellCanvas(level: Level, ink: (cell: number) => number): HTMLCanvasElement {
  const canvas = document.createElement("canvas")
  canvas.width = level.width
  canvas.height = level.height
  const ctx = canvas.getContext("2d")
  const image = ctx?.createImageData(level.width, level.height)
  if (!ctx || !image) return canvas
  const pixels = new Uint32Array(image.data.buffer)
  for (let cell = 0; cell < pixels.length; cell++) pixels[cell] = ink(cell)
  ctx.putImageData(image, 0, 0)
  return canvas
}

function addLayers(which: Mark, map: MapView, its: MapView): void {
  const { level, choke } = sides[which]
  const sketch = new Sketch()
  let far: HTMLCanvasElement | null = null
  let unlike: HTMLCanvasElement | null = null

  effect(() => {
    const now = level.value
    const light = theme.value === "light"
    const inks = STYLE_INKS[light ? "plan light" : "plan"]
    if (!now || !inks) return
    const tinted = overlays.value.regions && !overlays.value.distance ? inks.tinted : 0
    sketch.draw({ width: now.width, height: now.height, tiles: now.tiles, labels: now.labels, palette: now.head.palette }, { ...inks, tinted })
    far = overlays.value.distance ? distanceInk(now, light) : null
    const cells = overlays.value.differences ? differing.value?.cells : undefined
    const ink = pixel(rgb(colour("info")), 150)
    unlike = cells ? cellCanvas(now, (cell) => (cells[cell] ? ink : 0)) : null
    map.resizeMap(now.width, now.height)
    map.redraw()
  })
  effect(() => {
    dependOn(choke.value)
    map.redraw()
  })

  map.add({
    name: "level",
    order: LAYER_ORDER.ground,
    draw: (pen) => {
      if (!level.peek()) return
      pen.image(...sketch.at(pen.scale))
      if (far) pen.image(far, 1, [0, 0], 0.82)
      if (unlike) pen.image(unlike, 1)
    },
  })
  map.add({
    name: "lines",
    order: LAYER_ORDER.lines,
    draw: (pen) => {
      const now = level.peek()
      if (!now) return
      if (overlays.peek().doors) drawDoors(pen, now)
      if (overlays.peek().graph) drawGraph(pen, now)
      if (overlays.peek().path) drawPath(pen, now)
      if (overlays.peek().choke) for (const { at } of choke.peek()?.at ?? []) drawChoke(pen, at)
      drawEnds(pen, now.head.start, now.head.end)
    },
  })
  map.add({ name: "pointer of the other", order: LAYER_ORDER.marks, draw: (pen) => drawPointer(pen, map, its) })
}

function distanceInk(level: Level, light: boolean): HTMLCanvasElement | null {
  const { width, height, tiles } = level
  if (!level.head.start) return null
  const away = distances({ width, height, tiles, palette: level.head.palette, start: null, end: null }, level.head.start)
  const most = away.reduce((sum, one) => Math.max(sum, one), 1)
  const inks = Array.from({ length: 256 }, (_, at) => pixel(ramp(at / 255, light)))
  return cellCanvas(level, (cell) => ((away[cell] ?? -1) < 0 ? 0 : (inks[Math.round(((away[cell] ?? 0) / most) * 255)] ?? 0)))
}

function drawPath({ ctx, px }: Pen, { path, width }: Level): void {
  if (path.length < 2) return
  ctx.lineJoin = ctx.lineCap = "round"
  ctx.beginPath()
  for (const cell of path) ctx.lineTo((cell % width) + 0.5, Math.floor(cell / width) + 0.5)
  const strokes = theme.peek() === "light" ? [[4.5, "rgba(255,255,255,.9)"], [2, "#211c2e"]] as const : [[5, "rgba(10,12,20,.55)"], [2, "rgba(240,248,255,.95)"]] as const
  for (const [wide, ink] of strokes) {
    ctx.lineWidth = wide * px
    ctx.strokeStyle = ink
    ctx.stroke()
  }
}

function drawDoors({ ctx, px, seen }: Pen, { head }: Level): void {
  ctx.lineWidth = 1.5 * px
  ctx.strokeStyle = colour("tx")
  ctx.fillStyle = colour("bg1")
  for (const { at: [x, y] } of head.doors) {
    if (x < seen.x0 || y < seen.y0 || x >= seen.x1 || y >= seen.y1) continue
    ctx.fillRect(x + 0.12, y + 0.12, 0.76, 0.76)
    ctx.strokeRect(x + 0.12, y + 0.12, 0.76, 0.76)
  }
}

function drawGraph({ ctx, px }: Pen, { head }: Level): void {
  const at = new Map(head.rooms.map((room) => [room.id, room.at]))
  ctx.lineWidth = 1.5 * px
  ctx.strokeStyle = colour("info")
  ctx.beginPath()
  for (const link of head.links) {
    const [a, b] = [at.get(link.a), at.get(link.b)]
    if (!a || !b) continue
    ctx.moveTo(a[0] + 0.5, a[1] + 0.5)
    ctx.lineTo(b[0] + 0.5, b[1] + 0.5)
  }
  ctx.stroke()
  ctx.fillStyle = colour("info")
  for (const room of head.rooms) {
    ctx.beginPath()
    ctx.arc(room.at[0] + 0.5, room.at[1] + 0.5, (room.number ? 4 : 2.5) * px, 0, 7)
    ctx.fill()
  }
}

function drawChoke({ ctx, px }: Pen, [x, y]: [number, number]): void {
  const size = Math.max(0.4, 4 * px)
  ctx.beginPath()
  ctx.moveTo(x + 0.5, y + 0.5 - size)
  ctx.lineTo(x + 0.5 + size, y + 0.5)
  ctx.lineTo(x + 0.5, y + 0.5 + size)
  ctx.lineTo(x + 0.5 - size, y + 0.5)
  ctx.closePath()
  ctx.fillStyle = css(ramp(1))
  ctx.fill()
  ctx.lineWidth = px
  ctx.strokeStyle = "rgba(8,8,16,.8)"
  ctx.stroke()
}

/** Where the pointer would be on this map. */
function drawPointer({ ctx, px }: Pen, map: MapView, its: MapView): void {
  const at = its.hovered.peek() ?? (document.activeElement === its.canvas ? its.cursor.peek() : null)
  if (!at) return
  const [a, b] = [its.camera, map.camera]
  const x = a.columns === b.columns ? at[0] : Math.floor(((at[0] + 0.5) / a.columns) * b.columns)
  const y = a.rows === b.rows ? at[1] : Math.floor(((at[1] + 0.5) / a.rows) * b.rows)
  ctx.lineWidth = 1.5 * px
  ctx.strokeStyle = colour("accent")
  ctx.strokeRect(x, y, 1, 1)
  const reach = 7 * px
  ctx.beginPath()
  for (const [dx, dy] of [[-1, 0], [1, 0], [0, -1], [0, 1]] as const) {
    ctx.moveTo(x + 0.5 + dx * (0.5 + 2 * px), y + 0.5 + dy * (0.5 + 2 * px))
    ctx.lineTo(x + 0.5 + dx * (0.5 + reach), y + 0.5 + dy * (0.5 + reach))
  }
  ctx.stroke()
}

export const fitBoth = (): void => maps.a.fit()
export const zoomBoth = (by: number): void => maps.a.zoom(by)
export const panBoth = (dx: number, dy: number): void => maps.a.pan(dx, dy)
