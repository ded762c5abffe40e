/**
 * The map: a canvas that pans and zooms, with layers over it and a tool under the pointer.
 *
 *   const map = new MapView()
 *   const remove = map.add({ name: "path", order: LAYER_ORDER.lines, draw: (pen) => { ... } })
 *   map.redraw()                        // whenever something that a layer shows has changed
 *   map.tool = { name: "keep", cursor: "crosshair", begin: ..., move: ..., end: ... }
 *   <MapCanvas map={map} label="..." />  // see map_canvas.tsx
 *
 * A layer draws in cells: (3, 4) to (4, 5) is the cell in column 3, row 4. `pen.px` is the length of one CSS pixel, for lines that stay thin at any
 * zoom. Only what lies in `pen.seen` need be drawn; with 1,024 x 1,024 cells that is what keeps panning smooth.
 * Cells that seldom change are drawn once into a separate canvas, and shown by `pen.image` (see sketch.ts).
 */
import { signal } from "@preact/signals"
import { Camera } from "./camera"
import { listenToMap } from "./map_input"

/** Lower is drawn first. Leave gaps: a view may put its own between. */
export const LAYER_ORDER = { ground: 0, picture: 10, tint: 20, lines: 30, marks: 40, cursor: 50 }

export interface Layer {
  name: string
  order: number
  draw(pen: Pen): void
}

export interface Pen {
  ctx: CanvasRenderingContext2D
  /** CSS pixels a cell has now. */
  scale: number
  /** The length of a CSS pixel, in cells. */
  px: number
  seen: Camera["seen"]
  /** Draws a picture whose cell is `cell` pixels, with cell (0, 0) at `origin`. */
  image: (from: CanvasImageSource, cell: number, origin?: [number, number], alpha?: number) => void
  /** Writes a short text on a plate, in CSS pixels, centred at a place given in cells. Nothing if the plate is larger than `within` cells. */
  plate: (text: string, x: number, y: number, look: { fill: string; ink: string; line?: string; size?: number; within?: number }) => void
}

export interface Tool {
  name: string
  cursor: string
  /** Return false to let the drag pan. */
  begin(at: [number, number], event: PointerEvent): boolean
  move?(at: [number, number] | null, event: PointerEvent): void
  end?(event: PointerEvent): void
}

export class MapView {
  readonly camera = new Camera()
  readonly canvas = document.createElement("canvas")
  /** The cell under the pointer. */
  readonly hovered = signal<[number, number] | null>(null)
  /** The cell cursor, moved by arrow keys while the map has the focus. */
  readonly cursor = signal<[number, number] | null>(null)
  /** 1 is the whole map in sight. */
  readonly zoomed = signal(1)
  /** Counts up with every move of the camera: for elements that are placed over the map. */
  readonly moved = signal(0)
  tool: Tool | null = null
  /** A click that did not drag, when no tool took it. */
  onClick: ((at: [number, number], event: PointerEvent) => void) | null = null
  /** What Enter does on the cell cursor; null: nothing. */
  onEnter: ((at: [number, number], event: KeyboardEvent) => void) | null = null

  private layers: Layer[] = []
  private asked = 0
  private known = false

  constructor() {
    listenToMap(this)
    this.add({ name: "cell cursor", order: LAYER_ORDER.cursor, draw: (pen) => this.drawCursor(pen) })
  }

  add(layer: Layer): () => void {
    this.layers = [...this.layers.filter((one) => one.name !== layer.name), layer].sort((a, b) => a.order - b.order)
    this.redraw()
    return () => {
      this.layers = this.layers.filter((one) => one !== layer)
      this.redraw()
    }
  }

  /** Another number of cells. The view is kept if the number stays, and fits again if not. */
  resizeMap(columns: number, rows: number): void {
    if (this.camera.columns === columns && this.camera.rows === rows) return
    this.camera.columns = columns
    this.camera.rows = rows
    this.cursor.value = null
    this.hovered.value = null
    this.fit()
  }

  resizeCanvas(width: number, height: number): void {
    if (!width || !height) return
    const fits = !this.known || this.camera.fits
    this.known = true
    this.camera.width = width
    this.camera.height = height
    const ratio = window.devicePixelRatio || 1
    this.canvas.width = Math.round(width * ratio)
    this.canvas.height = Math.round(height * ratio)
    const { scale, x, y } = this.camera
    this.camera.fit()
    if (!fits) Object.assign(this.camera, { scale, x, y })
    this.notifyMoved()
    this.paint()
  }

  fit(): void {
    this.camera.fit()
    this.notifyMoved()
  }

  zoom(by: number, at = { x: this.camera.width / 2, y: this.camera.height / 2 }): void {
    this.camera.zoom(by, at)
    this.notifyMoved()
  }

  pan(dx: number, dy: number): void {
    this.camera.pan(dx, dy)
    this.notifyMoved()
  }

  moveCursor(dx: number, dy: number): void {
    const { columns, rows } = this.camera
    const now = this.cursor.peek() ?? this.hovered.peek() ?? [Math.floor(columns / 2) - dx, Math.floor(rows / 2) - dy]
    const to: [number, number] = [Math.max(0, Math.min(columns - 1, now[0] + dx)), Math.max(0, Math.min(rows - 1, now[1] + dy))]
    this.cursor.value = to
    this.camera.showCell(...to)
    this.notifyMoved()
  }

  notifyMoved(): void {
    this.zoomed.value = this.camera.scale / this.camera.fitting
    this.moved.value = this.moved.peek() + 1
    this.redraw()
  }

  /** Draw in the next frame. */
  redraw(): void {
    if (!this.asked) this.asked = requestAnimationFrame(() => this.paint())
  }

  /** Where a cell's corner lies, in CSS pixels of the canvas. */
  at(column: number, row: number): { x: number; y: number } {
    return { x: this.camera.x + column * this.camera.scale, y: this.camera.y + row * this.camera.scale }
  }

  private paint(): void {
    if (this.asked) cancelAnimationFrame(this.asked)
    this.asked = 0
    const ctx = this.canvas.getContext("2d")
    if (!ctx) return
    const ratio = this.canvas.width / (this.camera.width || 1)
    const { scale, x, y } = this.camera
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.clearRect(0, 0, this.canvas.width, this.canvas.height)
    const pen: Pen = {
      ctx,
      scale,
      px: 1 / scale,
      seen: this.camera.seen,
      image: (from, cell, origin = [0, 0], alpha = 1) => drawImage(ctx, from, cell, origin, alpha, this.camera),
      plate: (text, column, row, look) => drawPlate(ctx, ratio, x + column * scale, y + row * scale, scale, text, look),
    }
    for (const layer of this.layers) {
      ctx.save()
      ctx.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y)
      layer.draw(pen)
      ctx.restore()
    }
  }

  private drawCursor({ ctx, px }: Pen): void {
    const at = this.cursor.peek()
    if (!at || document.activeElement !== this.canvas) return
    ctx.lineWidth = 2 * px
    ctx.strokeStyle = "rgba(0,0,0,.6)"
    ctx.strokeRect(at[0] - 2 * px, at[1] - 2 * px, 1 + 4 * px, 1 + 4 * px)
    ctx.strokeStyle = getComputedStyle(this.canvas).getPropertyValue("--accent-fill")
    ctx.strokeRect(at[0], at[1], 1, 1)
  }
}

/** Only the part in sight is drawn: drawing all of a large picture and letting the canvas cut it is what makes panning slow. */
function drawImage(ctx: CanvasRenderingContext2D, from: CanvasImageSource, cell: number, origin: [number, number], alpha: number, camera: Camera): void {
  const size = from as { width: number; height: number }
  const { scale } = camera
  const left = Math.max(-origin[0] / cell, -camera.x / scale)
  const top = Math.max(-origin[1] / cell, -camera.y / scale)
  const right = Math.min((size.width - origin[0]) / cell, (camera.width - camera.x) / scale)
  const bottom = Math.min((size.height - origin[1]) / cell, (camera.height - camera.y) / scale)
  if (right <= left || bottom <= top) return
  ctx.globalAlpha = alpha
  ctx.imageSmoothingEnabled = scale < cell * 1.5
  ctx.imageSmoothingQuality = "medium"
  ctx.drawImage(from, left * cell + origin[0], top * cell + origin[1], (right - left) * cell, (bottom - top) * cell, left, top, right - left, bottom - top)
  ctx.globalAlpha = 1
}

function drawPlate(ctx: CanvasRenderingContext2D, ratio: number, x: number, y: number, scale: number, text: string, look: Parameters<Pen["plate"]>[3]): void {
  const size = look.size ?? 11
  ctx.save()
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  ctx.font = `600 ${size}px "Inter Variable", sans-serif`
  const wide = Math.max(ctx.measureText(text).width + size * 0.7, size * 1.5)
  if (look.within === undefined || wide <= look.within * scale) {
    const high = size * 1.5
    ctx.beginPath()
    ctx.roundRect(x - wide / 2, y - high / 2, wide, high, high / 2)
    ctx.fillStyle = look.fill
    ctx.fill()
    if (look.line) {
      ctx.lineWidth = 1
      ctx.strokeStyle = look.line
      ctx.stroke()
    }
    ctx.fillStyle = look.ink
    ctx.textAlign = "center"
    ctx.textBaseline = "middle"
    ctx.fillText(text, x, y + size * 0.06)
  }
  ctx.restore()
}
