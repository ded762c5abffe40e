/** Layers that show a level: the sketch, the server's picture over it, start and end, kept cells. Views put them on their maps. */
import { effect, type ReadonlySignal } from "@preact/signals"
import type { Level } from "../state/level"
import type { Picture } from "../state/picture"
import { reducedMotion, theme } from "../state/theme"
import { END, START } from "./colours"
import { LAYER_ORDER, type MapView, type Pen } from "./map_view"
import { STYLE_INKS, Sketch } from "./sketch"
import { dependOn } from "../state/depend_on"

const FADE_MILLISECONDS = 120

/** Shows a level in a style, and its picture when it comes. Gives back how to take it off again. */
export function showLevel(map: MapView, level: ReadonlySignal<Level | null>, style: ReadonlySignal<string>, picture?: ReadonlySignal<Picture | null>, faded?: ReadonlySignal<number>): () => void {
  const sketch = new Sketch()
  const stops = [
    effect(() => {
      const now = level.value
      if (!now) return
      const wanted = style.value === "plan" && theme.value === "light" ? "plan light" : style.value
      const inks = STYLE_INKS[wanted] ?? STYLE_INKS.plain
      map.resizeMap(now.width, now.height)
      if (inks) sketch.draw({ width: now.width, height: now.height, tiles: now.tiles, labels: now.labels, palette: now.head.palette, start: now.head.start }, inks, Math.max(map.camera.fitting, map.camera.scale))
      map.redraw()
    }),
    map.add({
      name: "level",
      order: LAYER_ORDER.ground,
      draw: (pen) => {
        const now = level.peek()
        if (!now) return
        const shown = picture?.peek()
        const fits = shown && shown.number === now.number && shown.style === style.peek()
        const share = fits ? (reducedMotion.matches ? 1 : Math.min(1, (performance.now() - shown.at) / FADE_MILLISECONDS)) : 0
        const strength = faded?.peek() ?? 1
        const [canvas, cell] = sketch.at(pen.scale)
        const sharp = sketch.sharp(pen.seen, pen.scale, fits ? shown.cell : cell)
        if (share < 1 && !sharp) pen.image(canvas, cell, [0, 0], strength)
        if (fits && !sharp) pen.image(shown.bitmap, shown.cell, shown.origin, share * strength)
        if (sharp) pen.image(...sharp, strength)
        if (fits && share < 1) map.redraw()
      },
    }),
  ]
  if (picture)
    stops.push(
      effect(() => {
        dependOn(picture.value)
        map.redraw()
      }),
    )
  if (faded)
    stops.push(
      effect(() => {
        dependOn(faded.value)
        map.redraw()
      }),
    )
  return () => stops.forEach((stop) => stop())
}

/** Start and end as discs, with their letters when there is room. */
export function drawEnds({ ctx, px, scale }: Pen, start: [number, number] | null, end: [number, number] | null): void {
  for (const [at, ink, letter] of [[start, START, "S"], [end, END, "E"]] as const) {
    if (!at) continue
    const size = Math.max(0.42, 5 * px)
    ctx.beginPath()
    ctx.arc(at[0] + 0.5, at[1] + 0.5, size, 0, 7)
    ctx.fillStyle = "rgba(8,8,16,.85)"
    ctx.fill()
    ctx.lineWidth = Math.max(1.5 * px, 0.1)
    ctx.strokeStyle = ink
    ctx.stroke()
    if (size * scale < 7) continue
    ctx.save()
    ctx.translate(at[0] + 0.5, at[1] + 0.5)
    ctx.scale(px, px)
    ctx.font = `700 ${Math.round(size * scale * 1.1)}px "Inter Variable", sans-serif`
    ctx.textAlign = "center"
    ctx.textBaseline = "middle"
    ctx.fillStyle = ink
    ctx.fillText(letter, 0, size * scale * 0.08)
    ctx.restore()
  }
}

/** The outline of a set of cells, as segments; only of what is in sight. */
export function traceOutline({ ctx, seen }: Pen, has: (x: number, y: number) => boolean): void {
  ctx.beginPath()
  for (let y = seen.y0; y < seen.y1; y++)
    for (let x = seen.x0; x < seen.x1; x++) {
      if (!has(x, y)) continue
      if (!has(x, y - 1)) addSegment(ctx, x, y, x + 1, y)
      if (!has(x, y + 1)) addSegment(ctx, x, y + 1, x + 1, y + 1)
      if (!has(x - 1, y)) addSegment(ctx, x, y, x, y + 1)
      if (!has(x + 1, y)) addSegment(ctx, x + 1, y, x + 1, y + 1)
    }
}
export function addSegment(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  ctx.moveTo(x0, y0)
  ctx.lineTo(x1, y1)
}
