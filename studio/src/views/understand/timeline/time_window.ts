/** Which part of time is in sight, and how far the lanes are scrolled. */
import { effect, signal } from "@preact/signals"
import { clamped, zoomed, type TimeWindow } from "./axis"
import { playing } from "./playback"
import { run, turn } from "../state"

/** The part of time in sight; null for all of it. */
export const timeWindow = signal<TimeWindow | null>(null)
export const scroll = signal(0)
/** The turn under the pointer. */
export const hoveredTurn = signal<number | null>(null)
export const tip = signal("")

let known = run.peek()?.log
effect(() => {
  const log = run.value?.log
  if (log === known) return
  known = log
  timeWindow.value = null
  scroll.value = 0
  hoveredTurn.value = null
})

export const units = (): number => run.peek()?.axis.units ?? 1
const windowNow = (): TimeWindow => timeWindow.peek() ?? { from: 0, to: units() }

export function zoomTime(by: number, about?: number): void {
  const now = run.peek()
  if (!now) return
  const next = zoomed(windowNow(), units(), by, about ?? now.axis.at(turn.peek()))
  timeWindow.value = next.to - next.from >= units() * 0.999 ? null : next
}
export const fitTime = (): void => void (timeWindow.value = null)
export const isZoomed = (): boolean => timeWindow.value !== null

/** While playing, the playhead stays in sight. */
export function followPlayhead(): void {
  const now = run.peek()
  const window = timeWindow.peek()
  if (!now || !window || !playing.peek()) return
  const at = now.axis.at(turn.peek())
  const wide = window.to - window.from
  if (at >= window.from && at <= window.to - wide * 0.05) return
  const next = clamped({ from: at - wide * 0.2, to: at + wide * 0.8 }, units())
  // At the end of time there is nowhere to go.
  if (Math.abs(next.from - window.from) > wide * 1e-6) timeWindow.value = next
}
