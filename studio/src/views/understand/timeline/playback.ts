/** Playback: moves the playhead by so many rewrites a second. */
import { effect, signal } from "@preact/signals"
import { view } from "../../../state/navigation"
import { oneOf, recall, remember } from "../../../state/storage"
import { lastTurn, run, snap, stepRecipeBy, turn } from "../state"
import { dependOn } from "../../../state/depend_on"

export type Speed = "1" | "8" | "64" | "max"
export const SPEEDS: Speed[] = ["1", "8", "64", "max"]
/** Rewrites a second at 1×; steps a second if the playhead snaps to them. */
const REWRITES_PER_SECOND = 6
const STEPS_PER_SECOND = 1.25
/** At most speed the whole run takes so many seconds. */
const MAX_SPEED_SECONDS = 3

export const speed = signal<Speed>(recall<Speed>("speed", "8", oneOf(...SPEEDS)))
effect(() => remember("speed", speed.value))
export const playing = signal(false)

export function togglePlay(): void {
  if (playing.peek()) {
    playing.value = false
    return
  }
  if (!run.peek()) return
  if (turn.peek() >= lastTurn.peek()) turn.value = 0
  playing.value = true
}

/** Rewrites a second. */
export function rewriteRate(of: Speed, turns: number): number {
  return of === "max" ? Math.max(REWRITES_PER_SECOND * 64, turns / MAX_SPEED_SECONDS) : REWRITES_PER_SECOND * Number(of)
}

let frame = 0
let before = 0
let owed = 0

function tick(time: number): void {
  frame = requestAnimationFrame(tick)
  const seconds = Math.min(0.25, (time - before) / 1000)
  before = time
  const steps = snap.peek() === "step"
  owed += seconds * (steps ? STEPS_PER_SECOND * Math.min(8, speed.peek() === "max" ? 8 : Number(speed.peek())) : rewriteRate(speed.peek(), lastTurn.peek()))
  const whole = Math.floor(owed)
  if (!whole) return
  owed -= whole
  if (steps) for (let k = 0; k < whole; k++) stepRecipeBy(1)
  else turn.value = Math.min(lastTurn.peek(), turn.peek() + whole)
  if (turn.peek() >= lastTurn.peek()) playing.value = false
}

effect(() => {
  const on = playing.value && view.value === "understand"
  if (on && !frame) {
    before = performance.now()
    owed = 0
    frame = requestAnimationFrame(tick)
  } else if (!on && frame) {
    cancelAnimationFrame(frame)
    frame = 0
  }
})
// Another view, or another level: the playing ends.
effect(() => {
  dependOn(run.value)
  if (view.value !== "understand") playing.value = false
})
