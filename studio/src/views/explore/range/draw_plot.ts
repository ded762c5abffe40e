/** Draws the plot: bins in the colours of the ramp, side histograms, axes, the second recipe as an outline, and a dot for each seed of the wall. */
import { css, ramp } from "../../../canvas/colours"
import { colour } from "../../../state/theme"
import type { Bin, Cloud, Plotted } from "./bins"
import { shareOf, ticksOf, type Scale } from "./scale"
import { axisName, isShare, numberText } from "../measure_words"

export interface Frame {
  x0: number
  y0: number
  x1: number
  y1: number
}
export const frameOf = (width: number, height: number): Frame => ({ x0: 48, y0: 46, x1: width - 52, y1: height - 40 })

export interface Dot {
  x: number
  y: number
  look: "in" | "out" | "pointed" | "A" | "B"
}

export interface Drawn {
  plot: Plotted
  across: string
  up: string
  light: boolean
  /** The one in colour, and the one that is only an outline. */
  front: Cloud
  behind: Cloud | null
  chosen: Bin | null
  hovered: Bin | null
  dots: Dot[]
}

const FONT = '500 11px "Inter Variable", sans-serif'

export function drawPlot(canvas: HTMLCanvasElement, width: number, height: number, of: Drawn): void {
  // On a small screen the plot may be hidden.
  if (width < 160 || height < 140) return
  const ratio = window.devicePixelRatio || 1
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  const ctx = canvas.getContext("2d")
  if (!ctx) return
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  const frame = frameOf(width, height)
  const { x0, y0, x1, y1 } = frame
  const { x, y } = of.plot
  const [wide, high] = [(x1 - x0) / x.bins, (y1 - y0) / y.bins]
  ctx.fillStyle = colour("bg0")
  ctx.fillRect(x0, y0, x1 - x0, y1 - y0)
  drawAxes(ctx, frame, of)
  const gap = Math.min(0.8, wide * 0.1, high * 0.1)
  of.front.bins.forEach((bin, at) => {
    if (bin.length === 0) return
    ctx.fillStyle = css(ramp(Math.sqrt(bin.length / of.front.most)))
    ctx.beginPath()
    ctx.roundRect(x0 + (at % x.bins) * wide + gap, y1 - (Math.floor(at / x.bins) + 1) * high + gap, wide - 2 * gap, high - 2 * gap, Math.min(2, wide / 4, high / 4))
    ctx.fill()
  })
  drawSides(ctx, frame, of, wide, high)
  if (of.behind) drawOutline(ctx, frame, of.behind, x, wide, high)
  for (const dot of of.dots) drawDot(ctx, frame, of, dot)
  const bin = of.hovered ?? of.chosen
  if (of.chosen) drawChosen(ctx, frame, of.chosen, wide, high, of.light)
  if (bin) drawCross(ctx, frame, bin, wide, high)
  drawKey(ctx, frame, of)
}

function drawAxes(ctx: CanvasRenderingContext2D, { x0, y0, x1, y1 }: Frame, { plot, across, up }: Drawn): void {
  ctx.font = FONT
  ctx.lineWidth = 1
  ctx.strokeStyle = colour("line")
  ctx.fillStyle = colour("tx3")
  const at = (scale: Scale, value: number): number => Math.min(1, (value + (scale.whole && scale.step === 1 ? 0.5 : 0) - scale.low) / (scale.step * scale.bins))
  ctx.textAlign = "center"
  ctx.beginPath()
  for (const value of ticksOf(plot.x, 6)) {
    const x = Math.round(x0 + at(plot.x, value) * (x1 - x0)) + 0.5
    ctx.moveTo(x, y0)
    ctx.lineTo(x, y1)
    ctx.fillText(numberText(across, value) + (isShare(across) ? " %" : ""), x, y1 + 15)
  }
  ctx.textAlign = "right"
  for (const value of ticksOf(plot.y, 5)) {
    const y = Math.round(y1 - at(plot.y, value) * (y1 - y0)) + 0.5
    ctx.moveTo(x0, y)
    ctx.lineTo(x1, y)
    ctx.fillText(numberText(up, value) + (isShare(up) ? " %" : ""), x0 - 6, y + 4)
  }
  ctx.stroke()
  ctx.fillStyle = colour("tx2")
  ctx.textAlign = "left"
  ctx.fillText(axisName(across), x0, y1 + 33)
  ctx.fillText(axisName(up), 8, y0 - 12)
}

function drawSides(ctx: CanvasRenderingContext2D, { x0, y0, x1, y1 }: Frame, { front, behind, chosen, hovered }: Drawn, wide: number, high: number): void {
  const bin = hovered ?? chosen
  const [tall, long] = [30, 36]
  const most = { top: Math.max(1, ...front.top), side: Math.max(1, ...front.side) }
  front.top.forEach((count, column) => {
    const size = (count / most.top) * tall
    ctx.fillStyle = colour(bin?.column === column ? "accent-fill" : "line2")
    ctx.fillRect(x0 + column * wide + 0.6, y0 - 5 - size, wide - 1.2, size)
  })
  front.side.forEach((count, row) => {
    const size = (count / most.side) * long
    ctx.fillStyle = colour(bin?.row === row ? "accent-fill" : "line2")
    ctx.fillRect(x1 + 5, y1 - (row + 1) * high + 0.6, size, high - 1.2)
  })
  if (!behind) return
  const [top, side] = [Math.max(1, ...behind.top), Math.max(1, ...behind.side)]
  ctx.strokeStyle = colour("info")
  ctx.lineWidth = 1.5
  ctx.beginPath()
  ctx.moveTo(x0, y0 - 5)
  behind.top.forEach((count, column) => {
    const y = y0 - 5 - (count / top) * tall
    ctx.lineTo(x0 + column * wide, y)
    ctx.lineTo(x0 + (column + 1) * wide, y)
  })
  ctx.lineTo(x1, y0 - 5)
  ctx.moveTo(x1 + 5, y1)
  behind.side.forEach((count, row) => {
    const x = x1 + 5 + (count / side) * long
    ctx.lineTo(x, y1 - row * high)
    ctx.lineTo(x, y1 - (row + 1) * high)
  })
  ctx.lineTo(x1 + 5, y0)
  ctx.stroke()
}

/** The edge of all bins that the other recipe reaches. */
function drawOutline(ctx: CanvasRenderingContext2D, { x0, y1 }: Frame, of: Cloud, x: Scale, wide: number, high: number): void {
  const has = (column: number, row: number): boolean => column >= 0 && column < x.bins && row >= 0 && (of.bins[row * x.bins + column]?.length ?? 0) > 0
  ctx.beginPath()
  of.bins.forEach((bin, at) => {
    if (bin.length === 0) return
    const [column, row] = [at % x.bins, Math.floor(at / x.bins)]
    const [left, right, bottom, top] = [x0 + column * wide, x0 + (column + 1) * wide, y1 - row * high, y1 - (row + 1) * high]
    const edge = (open: boolean, ...[ax, ay, bx, by]: [number, number, number, number]): void => {
      if (open) return
      ctx.moveTo(ax, ay)
      ctx.lineTo(bx, by)
    }
    edge(has(column - 1, row), left, bottom, left, top)
    edge(has(column + 1, row), right, bottom, right, top)
    edge(has(column, row - 1), left, bottom, right, bottom)
    edge(has(column, row + 1), left, top, right, top)
  })
  ctx.lineCap = "square"
  for (const [width, ink] of [[4, colour("bg0")], [2, colour("info")]] as const) {
    ctx.lineWidth = width
    ctx.strokeStyle = ink
    ctx.stroke()
  }
}

function drawDot(ctx: CanvasRenderingContext2D, { x0, y0, x1, y1 }: Frame, of: Drawn, dot: Dot): void {
  const x = x0 + shareOf(of.plot.x, dot.x) * (x1 - x0)
  const y = y1 - shareOf(of.plot.y, dot.y) * (y1 - y0)
  if (!(x >= x0 && x <= x1 && y >= y0 && y <= y1)) return
  if (dot.look === "A" || dot.look === "B") {
    ctx.beginPath()
    ctx.roundRect(x - 7, y - 7, 14, 14, 4)
    ctx.fillStyle = colour("info")
    ctx.fill()
    ctx.lineWidth = 1.5
    ctx.strokeStyle = colour("bg0")
    ctx.stroke()
    ctx.fillStyle = colour("bg0")
    ctx.font = '700 10px "Inter Variable", sans-serif'
    ctx.textAlign = "center"
    ctx.fillText(dot.look, x, y + 3.6)
    return
  }
  ctx.beginPath()
  ctx.arc(x, y, dot.look === "pointed" ? 4.5 : 2.2, 0, 7)
  ctx.fillStyle = dot.look === "pointed" ? colour("accent-fill") : of.light ? "#211c2e" : "#ffffff"
  ctx.globalAlpha = dot.look === "out" ? 0.3 : 1
  ctx.fill()
  ctx.globalAlpha = 1
  ctx.lineWidth = 1
  ctx.strokeStyle = colour("bg0")
  ctx.stroke()
}

function drawChosen(ctx: CanvasRenderingContext2D, { x0, y1 }: Frame, bin: Bin, wide: number, high: number, light: boolean): void {
  const [x, y] = [x0 + bin.column * wide, y1 - (bin.row + 1) * high]
  for (const [width, ink] of [[5, colour("bg0")], [2.2, light ? colour("accent") : "#ffd28a"]] as const) {
    ctx.lineWidth = width
    ctx.strokeStyle = ink
    ctx.strokeRect(x - 1, y - 1, wide + 2, high + 2)
  }
}

/** From a bin to both axes. */
function drawCross(ctx: CanvasRenderingContext2D, { x0, y1 }: Frame, bin: Bin, wide: number, high: number): void {
  ctx.setLineDash([3, 3])
  ctx.lineWidth = 1
  ctx.strokeStyle = colour("accent-line")
  ctx.beginPath()
  ctx.moveTo(x0 + (bin.column + 0.5) * wide, y1 - bin.row * high)
  ctx.lineTo(x0 + (bin.column + 0.5) * wide, y1)
  ctx.moveTo(x0 + bin.column * wide, y1 - (bin.row + 0.5) * high)
  ctx.lineTo(x0, y1 - (bin.row + 0.5) * high)
  ctx.stroke()
  ctx.setLineDash([])
}

function drawKey(ctx: CanvasRenderingContext2D, { x1, y1 }: Frame, { front }: Drawn): void {
  if (front.most === 0) return
  ctx.font = FONT
  ctx.fillStyle = colour("tx3")
  const words = `${front.most} a bin`
  ctx.textAlign = "right"
  const right = x1 + 40
  ctx.fillText(words, right, y1 + 33)
  const end = right - ctx.measureText(words).width - 6
  const long = 72
  for (let k = 0; k < long; k++) {
    ctx.fillStyle = css(ramp((k + 0.5) / long))
    ctx.fillRect(end - long + k, y1 + 24, 1.3, 9)
  }
  ctx.fillStyle = colour("tx3")
  ctx.fillText("1", end - long - 5, y1 + 33)
}
