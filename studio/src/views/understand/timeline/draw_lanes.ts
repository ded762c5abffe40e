/** Draws the timeline: a ruler, the steps of the recipe, a lane for each rule, and the playhead. */
import type { Act, Lane } from "./acts"
import { roundStep, type TimeWindow } from "./axis"
import type { Chosen, Run } from "../state"

export const RULER_HEIGHT = 24
export const STEPS_HEIGHT = 22
export const LANE_HEIGHT = 17
const BAR_HEIGHT = 13
/** Where the lanes begin. */
export const LANES_TOP = RULER_HEIGHT + STEPS_HEIGHT + 7
export const RIGHT_MARGIN = 20
/** Under so many pixels a rewrite, a lane shows how dense they are. */
const DENSE_BELOW_PIXELS = 2

export interface Look {
  width: number
  height: number
  ratio: number
  /** Where names end and time begins. */
  left: number
  scroll: number
  window: TimeWindow
  light: boolean
  colour: (name: string) => string
}

export interface Shown {
  run: Run
  turn: number
  chosen: Chosen | null
  /** Under the pointer. */
  over: number | null
}

const LANE_INKS = { dark: ["#93a8ff", "#6fc6f0", "#5cc4bd", "#4fa8d8", "#b59cff", "#c98be0", "#86b7f5", "#7f93e0"], light: ["#4456c8", "#1f7fa8", "#0d7d78", "#2d6fa0", "#6d4fc4", "#9a4fb0", "#3a70c4", "#4a58b0"] }
const ACT_INKS = { dark: ["#4b5fb8", "#5d76c9", "#47809f", "#6a5fb0", "#3f7a8c", "#5a6ba8"], light: ["#c3cbf2", "#cfd8f7", "#bfdbe8", "#d6cdf0", "#bfe0e0", "#cbd3ea"] }

export const laneInk = (at: number, light: boolean): string => LANE_INKS[light ? "light" : "dark"][at % LANE_INKS.dark.length] as string

export const xOf = (unit: number, look: Look): number => look.left + ((unit - look.window.from) / (look.window.to - look.window.from)) * (look.width - look.left - RIGHT_MARGIN)
export const unitOf = (x: number, look: Look): number => look.window.from + ((x - look.left) / (look.width - look.left - RIGHT_MARGIN)) * (look.window.to - look.window.from)

/** What changes only with the window, the size and the theme: bars of steps and marks of rules, at full strength. */
export function drawMarks(ctx: CanvasRenderingContext2D, run: Run, chosen: Chosen | null, look: Look): void {
  const perUnit = (look.width - look.left - RIGHT_MARGIN) / (look.window.to - look.window.from)
  const ends = look.width - RIGHT_MARGIN
  ctx.save()
  ctx.beginPath()
  ctx.rect(look.left, LANES_TOP, ends - look.left, look.height - LANES_TOP)
  ctx.clip()
  run.lanes.forEach((lane, at) => {
    const y = LANES_TOP + at * LANE_HEIGHT - look.scroll
    if (y < LANES_TOP - LANE_HEIGHT || y > look.height || !lane.turns.length) return
    const mine = chosen?.step === lane.step && chosen.rule === lane.rule
    ctx.fillStyle = mine ? look.colour("accent-fill") : laneInk(at, look.light)
    const each = run.axis.unitsPerTurn(lane.turns[0] as number) * perUnit
    if (each >= DENSE_BELOW_PIXELS) drawSingle(ctx, run, lane, y, each, look)
    else drawDense(ctx, run, lane, y, look)
  })
  ctx.restore()
}

function visibleTurns(run: Run, lane: Lane, look: Look): [number, number] {
  const { turns } = lane
  const search = (unit: number): number => {
    let low = 0
    let high = turns.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (run.axis.span(turns[middle] as number)[1] < unit) low = middle + 1
      else high = middle
    }
    return low
  }
  return [search(look.window.from), Math.min(turns.length, search(look.window.to) + 1)]
}

function drawSingle(ctx: CanvasRenderingContext2D, run: Run, lane: Lane, y: number, each: number, look: Look): void {
  const [first, end] = visibleTurns(run, lane, look)
  const wide = Math.max(1.5, Math.min(6, each - 1))
  for (let k = first; k < end; k++) {
    const [from, to] = run.axis.span(lane.turns[k] as number)
    ctx.fillRect((xOf(from, look) + xOf(to, look)) / 2 - wide / 2, y + 2, wide, BAR_HEIGHT - 4)
  }
}

/** A column a pixel, the more rewrites the stronger. */
function drawDense(ctx: CanvasRenderingContext2D, run: Run, lane: Lane, y: number, look: Look): void {
  const [first, end] = visibleTurns(run, lane, look)
  const columns = new Uint32Array(Math.ceil(look.width) + 1)
  // Within a step all turns are equally wide, so places follow from two of them.
  const [from, to] = run.axis.span(lane.turns[0] as number)
  const base = xOf(from, look)
  const each = xOf(to, look) - base
  const zero = lane.turns[0] as number
  let most = 1
  for (let k = first; k < end; k++) {
    const x = Math.floor(base + ((lane.turns[k] as number) - zero) * each)
    if (x < 0 || x >= columns.length) continue
    const many = (columns[x] as number) + 1
    columns[x] = many
    if (many > most) most = many
  }
  for (let x = 0; x < columns.length; x++) {
    const many = columns[x] as number
    if (!many) continue
    ctx.globalAlpha = 0.3 + 0.7 * (many / most)
    ctx.fillRect(x, y + 2, 1, BAR_HEIGHT - 4)
  }
  ctx.globalAlpha = 1
}

export function drawActs(ctx: CanvasRenderingContext2D, run: Run, turn: number, look: Look): void {
  const head = run.axis.at(turn)
  run.axis.pieces.forEach(({ act, from, to }, at) => {
    const x0 = Math.max(look.left, xOf(from, look) + 1)
    const x1 = Math.min(look.width - RIGHT_MARGIN, xOf(to, look) - 1)
    if (x1 - x0 < 0.5) return
    const silent = act.last < act.first
    const now = !silent && turn >= act.first && turn <= act.last && turn < run.log.last
    ctx.globalAlpha = from < head - 1e-9 ? 1 : silent ? 0.6 : 0.45
    ctx.beginPath()
    ctx.roundRect(x0, RULER_HEIGHT, x1 - x0, STEPS_HEIGHT, 4)
    if (silent) {
      ctx.strokeStyle = look.colour("line2")
      ctx.lineWidth = 1
      ctx.setLineDash([3, 2])
      ctx.stroke()
      ctx.setLineDash([])
    } else {
      ctx.fillStyle = now ? (look.light ? "#f3cf8d" : "#9a6a24") : (ACT_INKS[look.light ? "light" : "dark"][at % ACT_INKS.dark.length] as string)
      ctx.fill()
    }
    ctx.fillStyle = silent ? look.colour("tx3") : look.light ? "#2a2340" : "#ffffff"
    ctx.font = `${silent ? 500 : 600} 11px "Inter Variable", sans-serif`
    ctx.textAlign = "left"
    const text = shortenedToFit(ctx, act.id, x1 - x0 - (silent ? 8 : 14))
    if (text) ctx.fillText(text, x0 + (silent ? 4 : 8), RULER_HEIGHT + STEPS_HEIGHT / 2 + 0.5)
    ctx.globalAlpha = 1
  })
}

/** As much of a name as there is room for; nothing if that is less than three letters. */
function shortenedToFit(ctx: CanvasRenderingContext2D, text: string, room: number): string {
  if (ctx.measureText(text).width <= room) return text
  for (let length = text.length - 1; length >= 3; length--) {
    const short = text.slice(0, length).trimEnd() + "…"
    if (ctx.measureText(short).width <= room) return short
  }
  return ""
}

export function drawRuler(ctx: CanvasRenderingContext2D, run: Run, look: Look): void {
  const perUnit = (look.width - look.left - RIGHT_MARGIN) / (look.window.to - look.window.from)
  ctx.font = '500 11px "Inter Variable", sans-serif'
  ctx.textAlign = "center"
  ctx.fillStyle = look.colour("tx3")
  let free = look.left - 4
  const put = (turn: number, x: number): void => {
    if (x < look.left - 0.5 || x > look.width - RIGHT_MARGIN + 0.5) return
    const text = turn.toLocaleString("en")
    const half = ctx.measureText(text).width / 2
    if (x - half < free) return
    ctx.fillText(text, x, 9)
    ctx.fillRect(x - 0.5, 17, 1, 4)
    free = x + half + 16
  }
  put(0, xOf(0, look))
  for (const { act, from, to } of run.axis.pieces) {
    const count = act.last - act.first + 1
    if (count < 1) continue
    const each = ((to - from) / count) * perUnit
    const step = roundStep(72 / each)
    const first = Math.max(act.first, run.axis.turn(look.window.from) - step)
    const end = Math.min(act.last, run.axis.turn(look.window.to) + step)
    if (each >= 40 || count === 1) put(act.last, xOf(run.axis.span(act.last)[1], look))
    for (let turn = Math.ceil(first / step) * step; turn <= end; turn += step) put(turn, xOf(run.axis.span(turn)[1], look))
  }
}

export function drawTracks(ctx: CanvasRenderingContext2D, shown: Shown, look: Look): void {
  const { run, chosen, turn } = shown
  ctx.textAlign = "left"
  ctx.font = '500 11px "Inter Variable", sans-serif'
  ctx.fillStyle = look.colour("tx2")
  ctx.fillText("Steps", 16, RULER_HEIGHT + STEPS_HEIGHT / 2 + 0.5)
  ctx.save()
  ctx.beginPath()
  ctx.rect(0, LANES_TOP - 2, look.width, look.height - LANES_TOP + 2)
  ctx.clip()
  run.lanes.forEach((lane, at) => {
    const y = LANES_TOP + at * LANE_HEIGHT - look.scroll
    if (y < LANES_TOP - LANE_HEIGHT || y > look.height) return
    const mine = chosen?.step === lane.step && chosen.rule === lane.rule
    const never = lane.turns.length === 0
    const now = run.log.source(turn) === lane.name && turn > 0 && turn < run.log.last
    ctx.fillStyle = look.colour(never ? "bad" : mine || now ? "accent" : "tx2")
    ctx.font = `${mine || never || now ? 600 : 500} 11px "Inter Variable", sans-serif`
    ctx.fillText(shortenedToFit(ctx, lane.rule, look.left - 26) || lane.rule.slice(0, 4), 16, y + BAR_HEIGHT / 2 + 0.5)
    ctx.beginPath()
    ctx.roundRect(look.left, y, look.width - look.left - RIGHT_MARGIN, BAR_HEIGHT, 3)
    ctx.fillStyle = look.colour(mine ? "bg3" : "bg2")
    ctx.fill()
    if (never) drawNever(ctx, y, look)
  })
  ctx.restore()
}

function drawNever(ctx: CanvasRenderingContext2D, y: number, look: Look): void {
  ctx.save()
  ctx.beginPath()
  ctx.roundRect(look.left, y, look.width - look.left - RIGHT_MARGIN, BAR_HEIGHT, 3)
  ctx.clip()
  ctx.globalAlpha = 0.22
  ctx.strokeStyle = look.colour("bad")
  ctx.lineWidth = 1
  ctx.beginPath()
  for (let x = look.left - 20; x < look.width; x += 7) {
    ctx.moveTo(x, y + BAR_HEIGHT + 1)
    ctx.lineTo(x + BAR_HEIGHT + 1, y)
  }
  ctx.stroke()
  ctx.globalAlpha = 1
  ctx.font = '500 11px "Inter Variable", sans-serif'
  const middle = look.left + (look.width - look.left - RIGHT_MARGIN) / 2
  const wide = ctx.measureText("never fired").width + 14
  ctx.fillStyle = look.colour("bg2")
  ctx.fillRect(middle - wide / 2, y, wide, BAR_HEIGHT)
  ctx.fillStyle = look.colour("bad")
  ctx.textAlign = "center"
  ctx.fillText("never fired", middle, y + BAR_HEIGHT / 2 + 0.5)
  ctx.restore()
}

export function drawPlayhead(ctx: CanvasRenderingContext2D, shown: Shown, look: Look): void {
  const { run, turn, over } = shown
  if (over !== null && over !== turn) drawPill(ctx, over.toLocaleString("en"), xOf(run.axis.at(over), look), look, look.colour("bg3"), look.colour("tx2"), look.colour("line2"))
  drawPill(ctx, turn.toLocaleString("en"), xOf(run.axis.at(turn), look), look, look.colour("accent-fill"), look.colour("on-accent"), look.colour("accent-fill"))
}

function drawPill(ctx: CanvasRenderingContext2D, text: string, x: number, look: Look, fill: string, ink: string, line: string): void {
  if (x < look.left - 1 || x > look.width - RIGHT_MARGIN + 1) return
  ctx.font = '600 11px "Inter Variable", sans-serif'
  ctx.textAlign = "center"
  const wide = ctx.measureText(text).width + 14
  const middle = Math.max(wide / 2 + 2, Math.min(look.width - wide / 2 - 2, x))
  ctx.fillStyle = line
  ctx.fillRect(x - 0.75, 14, 1.5, look.height - 18)
  ctx.fillStyle = fill
  ctx.beginPath()
  ctx.roundRect(middle - wide / 2, 0, wide, 18, 5)
  ctx.fill()
  ctx.fillStyle = ink
  ctx.fillText(text, middle, 9.5)
}

/** The act under a place. */
export function actAtX(run: Run, x: number, look: Look): Act | null {
  const unit = unitOf(x, look)
  return run.axis.pieces.find((piece) => unit >= piece.from && unit < piece.to)?.act ?? null
}
