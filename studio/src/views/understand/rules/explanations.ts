/** The server's explanations of rules: on the map of the current turn, and over many seeds. */
import { batch, computed, effect, signal, untracked } from "@preact/signals"
import type { CoverageSeen, Problem, RuleSeen, RulesSeen } from "../../../server/protocol"
import { ask, connection } from "../../../server/connection"
import { view } from "../../../state/navigation"
import { countUpTo, type Lane } from "../timeline/acts"
import { chosen, run, turn, type Chosen, type Run } from "../state"
import { dependOn } from "../../../state/depend_on"

/** Pause of the playhead before a request, in milliseconds. */
const REST_MILLISECONDS = 60

interface StepAnswer {
  of: Run["source"]
  turn: number
  rules: RuleSeen[]
}

/** The last answer for each step. It may be of an earlier turn while the next one is under way. */
const answers = signal<Record<string, StepAnswer>>({})
export const problem = signal<Problem | null>(null)

/** Steps with rules, in the order of the recipe. */
export const ruled = computed<string[]>(() => {
  const now = run.value
  if (!now) return []
  const names = new Set(now.lanes.map((lane) => lane.step))
  return now.acts.map((one) => one.id).filter((id, at, all) => names.has(id) && all.indexOf(id) === at)
})

export interface Row extends Chosen {
  seen: RuleSeen | null
  lane: Lane
  /** `seen` is of the turn that is shown. */
  fresh: boolean
  firedNow: number
  fired: number
}

/** All rules of the recipe, with what is known of them. */
export const rows = computed<Row[]>(() => {
  const now = run.value
  if (!now) return []
  return ruled.value.flatMap((step) => {
    const known = answers.value[step]
    const mine = known?.of === now.source ? known : undefined
    return now.lanes
      .filter((lane) => lane.step === step)
      .map((lane) => ({
        step,
        rule: lane.rule,
        lane,
        seen: mine?.rules.find((one) => one.name === lane.rule) ?? null,
        fresh: mine?.turn === turn.value,
        firedNow: countUpTo(lane.turns, turn.value),
        fired: lane.turns.length,
      }))
  })
})

export const chosenRow = computed<Row | null>(() => rows.value.find((row) => row.step === chosen.value?.step && row.rule === chosen.value.rule) ?? null)

/** Which of the nearest misses is shown, and whether all are marked on the map. */
export const miss = signal(0)
export const allMisses = signal(false)
effect(() => {
  dependOn(chosen.value, run.value)
  batch(() => {
    miss.value = 0
    allMisses.value = false
  })
})

let waiting: ReturnType<typeof setTimeout> | undefined
const underWay = new Map<string, number>()

function askFor(now: Run, step: string, at: number): void {
  // One request at a time for each step; the turn that is current when it is answered is requested next.
  if (underWay.has(step)) return
  underWay.set(step, at)
  void ask<RulesSeen>(`explain ${step}`, { do: "explain", step, turn: now.log.serverTurn(at), ...now.source }).then((reply) => {
    underWay.delete(step)
    if (reply.kind === "done") {
      batch(() => {
        problem.value = null
        answers.value = { ...answers.peek(), [step]: { of: now.source, turn: at, rules: reply.head.rules } }
      })
    } else if (reply.kind === "problem") problem.value = reply.problem
    const latest = run.peek()
    if (reply.kind !== "gone" && latest && ruled.peek().includes(step) && (latest.source !== now.source || turn.peek() !== at) && view.peek() === "understand") askFor(latest, step, turn.peek())
  })
}

effect(() => {
  const now = run.value
  const at = turn.value
  const steps = ruled.value
  if (!now || !steps.length || view.value !== "understand" || connection.value.kind !== "open") return
  untracked(() => {
    clearTimeout(waiting)
    const missing = steps.some((step) => answers.peek()[step]?.of !== now.source)
    const request = (): void => {
      for (const step of steps) {
        const had = answers.peek()[step]
        if (had?.of !== now.source || had.turn !== at) askFor(now, step, Math.min(at, now.log.last))
      }
    }
    if (missing) request()
    else waiting = setTimeout(request, REST_MILLISECONDS)
  })
})

/* ---- coverage ---- */

/** Seeds to count over: fewer if a level takes long, to keep the wait short. */
export const seedsFor = computed(() => Math.max(3, Math.min(20, Math.floor(3000 / Math.max(1, run.value?.level.head.milliseconds ?? 1)))))
const covered = signal<{ key: string; seen: CoverageSeen } | null>(null)
export const covering = signal<{ done: number } | null>(null)
const keyOf = (of: Run): string => JSON.stringify([of.source.recipe, of.source.size, of.source.params])
export const coverage = computed<CoverageSeen | null>(() => (run.value && covered.value?.key === keyOf(run.value) ? covered.value.seen : null))

let covers = ""

/** Asks how often rules fire over the first seeds, once a recipe with its parameters. */
effect(() => {
  const now = run.value
  if (!now || !chosen.value || view.value !== "understand" || connection.value.kind !== "open") return
  const key = keyOf(now)
  untracked(() => {
    if (covers === key || covered.peek()?.key === key || !("name" in now.source.recipe || "path" in now.source.recipe || "text" in now.source.recipe)) return
    covers = key
    covering.value = { done: 0 }
    void ask<CoverageSeen>("coverage", { do: "coverage", seeds: seedsFor.peek(), ...now.source }, { progress: (step) => covers === key && (covering.value = { done: step.index }) }).then((reply) => {
      if (covers !== key) return
      covers = ""
      covering.value = null
      if (reply.kind === "done") covered.value = { key, seen: reply.head }
    })
  })
})
