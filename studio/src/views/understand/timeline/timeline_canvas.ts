/** Draws the timeline into its canvas, and listens to the pointer there. */
import { colour, theme } from "../../../state/theme"
import { clamped } from "./axis"
import { playing } from "./playback"
import { actAtX, drawActs, drawMarks, drawPlayhead, drawRuler, drawTracks, LANE_HEIGHT, RIGHT_MARGIN, RULER_HEIGHT, STEPS_HEIGHT, LANES_TOP, unitOf, xOf, type Look } from "./draw_lanes"
import { turnZeroName } from "../imported_map"
import { fitTime, hoveredTurn, timeWindow, scroll, tip, units, zoomTime } from "./time_window"
import { choose, chosen, goTo, run, turn } from "../state"

export class TimelineCanvas {
  gone = false
  private width = 1
  private height = 1
  private asked = 0
  private readonly marks = document.createElement("canvas")
  private drawn = ""
  private drag: "scrub" | "pan" | null = null
  private last = 0

  constructor(private readonly canvas: HTMLCanvasElement) {
    canvas.addEventListener("pointerdown", (event) => this.down(event))
    canvas.addEventListener("pointermove", (event) => this.move(event))
    canvas.addEventListener("pointerup", () => (this.drag = null))
    canvas.addEventListener("pointercancel", () => (this.drag = null))
    canvas.addEventListener("pointerleave", () => {
      hoveredTurn.value = null
      tip.value = ""
    })
    canvas.addEventListener("dblclick", (event) => {
      if (this.place(event).x > this.look().left) fitTime()
    })
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false })
  }

  resize(width: number, height: number): void {
    if (!width || !height) return
    this.width = width
    this.height = height
    const ratio = window.devicePixelRatio || 1
    for (const one of [this.canvas, this.marks]) {
      one.width = Math.round(width * ratio)
      one.height = Math.round(height * ratio)
    }
    this.drawn = ""
    this.scrollTo(scroll.peek())
    this.paint()
  }

  reveal(lane: number): void {
    const room = this.height - LANES_TOP - 4
    const y = lane * LANE_HEIGHT
    if (y < scroll.peek()) this.scrollTo(y)
    else if (y + LANE_HEIGHT > scroll.peek() + room) this.scrollTo(y + LANE_HEIGHT - room)
  }

  private scrollTo(to: number): void {
    const most = Math.max(0, (run.peek()?.lanes.length ?? 0) * LANE_HEIGHT - (this.height - LANES_TOP - 4))
    scroll.value = Math.max(0, Math.min(most, to))
  }

  redraw(): void {
    if (!this.asked) this.asked = requestAnimationFrame(() => this.paint())
  }

  private look(): Look {
    return {
      width: this.width,
      height: this.height,
      ratio: this.canvas.width / this.width,
      left: this.width < 900 ? 104 : 150,
      scroll: scroll.peek(),
      window: timeWindow.peek() ?? { from: 0, to: units() },
      light: theme.peek() === "light",
      colour,
    }
  }

  private paint(): void {
    if (this.asked) cancelAnimationFrame(this.asked)
    this.asked = 0
    const ctx = this.canvas.getContext("2d")
    const now = run.peek()
    if (!ctx || this.gone) return
    const look = this.look()
    ctx.setTransform(look.ratio, 0, 0, look.ratio, 0, 0)
    ctx.clearRect(0, 0, this.width, this.height)
    if (!now) return
    ctx.textBaseline = "middle"
    const shown = { run: now, turn: turn.peek(), chosen: chosen.peek(), over: this.drag ? null : hoveredTurn.peek() }
    drawRuler(ctx, now, look)
    drawActs(ctx, now, shown.turn, look)
    drawTracks(ctx, shown, look)
    this.drawMarks(ctx, look)
    drawPlayhead(ctx, shown, look)
    this.drawPart(ctx, look)
  }

  /** Marks are drawn once for a window, then shown strong up to the playhead and weak behind it. */
  private drawMarks(ctx: CanvasRenderingContext2D, look: Look): void {
    const now = run.peek()
    if (!now) return
    const pick = chosen.peek()
    const key = JSON.stringify([look.width, look.height, look.left, look.scroll, look.window, look.light, pick])
    if (key !== this.drawn || this.of !== now.log) {
      this.drawn = key
      this.of = now.log
      const inner = this.marks.getContext("2d")
      if (!inner) return
      inner.setTransform(look.ratio, 0, 0, look.ratio, 0, 0)
      inner.clearRect(0, 0, this.width, this.height)
      drawMarks(inner, now, pick, look)
    }
    const head = Math.max(look.left, Math.min(this.width - RIGHT_MARGIN, xOf(now.axis.at(turn.peek()), look)))
    for (const [from, to, alpha] of [[0, head, 1], [head, this.width, 0.33]] as const) {
      ctx.save()
      ctx.beginPath()
      ctx.rect(from, LANES_TOP, to - from, this.height - LANES_TOP)
      ctx.clip()
      ctx.globalAlpha = alpha
      ctx.drawImage(this.marks, 0, 0, this.width, this.height)
      ctx.restore()
    }
  }
  private of: unknown = null

  /** Which part of time is in sight, as a scroll bar at the foot. */
  private drawPart(ctx: CanvasRenderingContext2D, look: Look): void {
    const window = timeWindow.peek()
    const now = run.peek()
    if (!window || !now) return
    const wide = this.width - look.left - RIGHT_MARGIN
    const y = this.height - 4
    ctx.fillStyle = colour("bg3")
    ctx.fillRect(look.left, y, wide, 3)
    ctx.fillStyle = colour("tx3")
    ctx.fillRect(look.left + (window.from / units()) * wide, y, Math.max(8, ((window.to - window.from) / units()) * wide), 3)
    ctx.fillStyle = colour("accent-fill")
    ctx.fillRect(look.left + (now.axis.at(turn.peek()) / units()) * wide - 1, y - 1, 2, 5)
  }

  private place(event: MouseEvent): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }

  private laneAt(y: number): number {
    return y < LANES_TOP ? -1 : Math.floor((y - LANES_TOP + scroll.peek()) / LANE_HEIGHT)
  }

  private down(event: PointerEvent): void {
    const now = run.peek()
    if (!now || event.button > 1) return
    const { x, y } = this.place(event)
    const look = this.look()
    if (x < look.left - 6) {
      const lane = now.lanes[this.laneAt(y)]
      if (lane) choose({ step: lane.step, rule: lane.rule })
      return
    }
    this.canvas.setPointerCapture(event.pointerId)
    this.last = x
    this.drag = event.button === 1 || (y > this.height - 8 && timeWindow.peek()) ? "pan" : "scrub"
    if (this.drag === "pan") return
    playing.value = false
    this.scrub(x)
  }

  private scrub(x: number): void {
    const now = run.peek()
    if (!now) return
    const look = this.look()
    goTo(now.axis.turn(Math.max(look.window.from, Math.min(look.window.to, unitOf(x, look)))))
  }

  private move(event: PointerEvent): void {
    const now = run.peek()
    if (!now) return
    const { x, y } = this.place(event)
    const look = this.look()
    if (this.drag === "pan") {
      const by = ((x - this.last) / (this.width - look.left - RIGHT_MARGIN)) * (y > this.height - 12 ? -units() : look.window.to - look.window.from)
      timeWindow.value = clamped({ from: look.window.from - by, to: look.window.to - by }, units())
      this.last = x
      return
    }
    if (this.drag === "scrub") {
      this.scrub(x)
      return
    }
    const inTime = x >= look.left - 6
    this.canvas.style.cursor = inTime ? "ew-resize" : now.lanes[this.laneAt(y)] ? "pointer" : "default"
    hoveredTurn.value = inTime ? now.axis.turn(Math.max(look.window.from, Math.min(look.window.to, unitOf(x, look)))) : null
    const act = inTime && y >= RULER_HEIGHT && y < RULER_HEIGHT + STEPS_HEIGHT ? actAtX(now, x, look) : null
    const lane = now.lanes[this.laneAt(y)]
    tip.value = act
      ? `${act.number ? `Step ${act.number}: ` : ""}${act.id}${act.use && act.use !== act.id ? ` (${act.use})` : ""}${act.last < act.first ? ". It wrote no tile." : ""} ${act.about}`.trim()
      : lane && !inTime
        ? `${lane.rule}: ${lane.turns.length ? `fired ${lane.turns.length.toLocaleString("en")} times` : "never fired"}`
        : inTime && hoveredTurn.peek() !== null
          ? turnText(hoveredTurn.peek() ?? 0, now.log.source(hoveredTurn.peek() ?? 0))
          : ""
  }

  private wheel(event: WheelEvent): void {
    const now = run.peek()
    if (!now) return
    event.preventDefault()
    const { x, y } = this.place(event)
    const look = this.look()
    const lines = event.deltaMode === 1 ? 20 : 1
    if (x < look.left && y > LANES_TOP) this.scrollTo(scroll.peek() + event.deltaY * lines)
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = (((event.deltaX || event.deltaY) * lines) / (this.width - look.left - RIGHT_MARGIN)) * (look.window.to - look.window.from)
      if (timeWindow.peek()) timeWindow.value = clamped({ from: look.window.from + by, to: look.window.to + by }, units())
    } else zoomTime(Math.exp(-event.deltaY * lines * 0.0022), unitOf(Math.max(look.left, x), look))
  }
}

const turnText = (at: number, source: string): string => (at === 0 ? `The ${turnZeroName()}` : `Turn ${at.toLocaleString("en")}: ${source}`)
