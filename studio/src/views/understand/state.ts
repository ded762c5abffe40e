/** The state of Understand: the log of the current level, the turn that is shown, and what is chosen. It is kept while another view is shown. */
import { batch, computed, effect, signal, untracked } from "@preact/signals"
import type { Problem, Source, TimelineHead } from "../../server/protocol"
import { ask, connection, type Progress } from "../../server/connection"
import { level, makeAgain, type Level } from "../../state/level"
import { view } from "../../state/navigation"
import { changedFile } from "../../state/recipes"
import { oneOf, recall, remember } from "../../state/storage"
import { actAt, actsOf, lanesOf, type Act, type Lane } from "./timeline/acts"
import { Axis } from "./timeline/axis"
import { WriteLog } from "./timeline/write_log"

export interface Run {
  log: WriteLog
  acts: Act[]
  lanes: Lane[]
  axis: Axis
  /** The level whose log it is, and what it is asked with. */
  level: Level
  source: Source
}

export const run = signal<Run | null>(null)
/** The log is being fetched; how far it is. */
export const fetching = signal<{ step: Progress | null } | null>(null)
export const trouble = signal<Problem | null>(null)

/** The map is shown as it was after this turn. */
export const turn = signal(0)
export const lastTurn = computed(() => run.value?.log.last ?? 0)
export const finished = computed(() => turn.value >= lastTurn.value)
export const act = computed<Act | null>(() => (run.value ? actAt(run.value.acts, turn.value) : null))

export type Snap = "step" | "rewrite"
export const snap = signal<Snap>(recall<Snap>("snap", "rewrite", oneOf<Snap>("step", "rewrite")))
effect(() => remember("snap", snap.value))

export interface Chosen {
  step: string
  rule: string
}
/** The rule that is being looked at. */
export const chosen = signal<Chosen | null>(null)
export const sameRule = (a: Chosen | null, b: Chosen | null): boolean => a?.step === b?.step && a?.rule === b?.rule

/** What is shown on the right, and on a tablet which of the two panels. */
export const side = signal<"rule" | "measures">("measures")
export const drawer = signal<"left" | "right">("left")

export function choose(one: Chosen | null): void {
  batch(() => {
    chosen.value = one
    if (one) {
      side.value = "rule"
      drawer.value = "right"
    }
  })
}

/* ---- the playhead ---- */

/** To a turn, or to the end of a step if the playhead snaps to steps. */
export function goTo(to: number, how: Snap = snap.peek()): void {
  const now = run.peek()
  if (!now) return
  const within = Math.max(0, Math.min(now.log.last, Math.round(to)))
  turn.value = how === "rewrite" ? within : nearestTo(stepEnds(now), within)
}

/** The turns at which steps end, and the blank map. */
export const stepEnds = (of: Run): number[] => [0, ...new Set(of.acts.filter((one) => one.last >= one.first).map((one) => one.last))]

const nearestTo = (list: number[], to: number): number => list.reduce((best, one) => (Math.abs(one - to) < Math.abs(best - to) ? one : best), list[0] ?? 0)

export const stepBy = (by: 1 | -1): void => (snap.peek() === "step" ? stepRecipeBy(by) : goTo(turn.peek() + by, "rewrite"))

/** To the end of the next or of the last step of the recipe. */
export function stepRecipeBy(by: 1 | -1): void {
  const now = run.peek()
  if (!now) return
  const all = stepEnds(now)
  const to = by > 0 ? all.find((one) => one > turn.peek()) : all.findLast((one) => one < turn.peek())
  if (to !== undefined) turn.value = to
}

/* ---- the log follows the level ---- */

let asked = ""
let mine = 0
let stale = false

/** The files behind the level changed: the next level has another log, though its source is the same. */
export function forgetLog(): void {
  stale = true
}
effect(() => {
  if (!changedFile.value?.path.endsWith(".rules")) return
  forgetLog()
  if (view.peek() === "understand") makeAgain()
})

/** Asks for the log of a level, unless it is here already. */
async function fetchLog(of: Level): Promise<void> {
  const key = JSON.stringify(of.exact)
  const had = run.peek()
  if (had && !stale && JSON.stringify(had.source) === key) {
    if (had.level !== of) run.value = { ...had, level: of }
    return
  }
  if (key === asked && !stale) return
  asked = key
  stale = false
  const number = ++mine
  fetching.value = { step: null }
  const reply = await ask<TimelineHead>("timeline", { do: "timeline", ...of.exact }, { progress: (step) => number === mine && (fetching.value = { step }) })
  if (number !== mine) return
  asked = ""
  fetching.value = null
  if (reply.kind === "problem") trouble.value = reply.problem
  if (reply.kind !== "done") return
  const latest = level.peek()
  const shown = latest && JSON.stringify(latest.exact) === key ? latest : of
  const log = new WriteLog(reply.head, reply.blocks, { tiles: shown.tiles, size: [shown.width, shown.height], palette: shown.head.palette })
  const acts = actsOf(log, shown.head.steps)
  // The log of the same level again, as after a change of a file: the playhead stays where it was, also at the end.
  const old = run.peek()
  const same = old && JSON.stringify(old.source) === key && turn.peek() < old.log.last ? turn.peek() : log.last
  batch(() => {
    trouble.value = null
    run.value = { log, acts, lanes: lanesOf(log, shown.head.steps), axis: new Axis(acts, log.turns), level: shown, source: of.exact }
    turn.value = Math.min(same, log.last)
    const known = chosen.peek()
    // The rule stays chosen if the new level's recipe has it too; with another recipe nothing is chosen.
    if (known && !run.peek()?.lanes.some((lane) => lane.step === known.step && lane.rule === known.rule)) {
      chosen.value = null
      side.value = "measures"
    }
  })
}

effect(() => {
  const now = level.value
  if (!now || view.value !== "understand" || connection.value.kind !== "open") return
  untracked(() => void fetchLog(now))
})
