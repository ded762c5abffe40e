/** What happened, in the recipe's words: its steps one after the other, and a lane for each rule. */
import type { LevelHead } from "../../../server/protocol"
import { BY_HAND, type WriteLog } from "./write_log"

export interface Act {
  id: string
  use: string
  about: string
  /** Its first and last turn; `last` is before `first` if it wrote no tile. */
  first: number
  last: number
  /** Its number in the recipe, from 1; 0 for what is no step. */
  number: number
}

export interface Lane {
  /** As the timeline names it: "step: rule". */
  name: string
  step: string
  rule: string
  /** The turns that it made, in order. */
  turns: Uint32Array
}

/** "furnish: pillars" is the rule pillars of the step furnish; "maze" is a step. */
export function splitName(name: string, steps: readonly string[]): { step: string; rule: string } {
  const step = steps.filter((id) => name.startsWith(id + ": ")).sort((a, b) => b.length - a.length)[0]
  if (step !== undefined) return { step, rule: name.slice(step.length + 2) }
  const at = steps.includes(name) ? -1 : name.indexOf(": ")
  return at < 0 ? { step: name, rule: "" } : { step: name.slice(0, at), rule: name.slice(at + 2) }
}

export function actsOf(log: WriteLog, steps: LevelHead["steps"]): Act[] {
  const ids = steps.map((step) => step.id)
  const owner = log.names.map((name) => splitName(name, ids).step)
  const runs: { id: string; first: number; last: number }[] = []
  for (let turn = 1; turn < log.turns; turn++) {
    const id = owner[log.who[turn] as number] ?? ""
    const now = runs[runs.length - 1]
    if (now?.id === id) now.last = turn
    else runs.push({ id, first: turn, last: turn })
  }
  const acts: Act[] = []
  let at = 0
  const actOutsideSteps = (run: { id: string; first: number; last: number }): Act => ({
    ...run,
    use: run.id === BY_HAND ? "" : "rewrite",
    about: run.id === BY_HAND ? "Tiles painted in Make, after all steps" : "",
    number: 0,
  })
  for (const [index, step] of steps.entries()) {
    // What no step of the recipe wrote comes before the step that follows.
    while (runs[at] && !ids.includes((runs[at] as { id: string }).id)) acts.push(actOutsideSteps(runs[at++] as { id: string; first: number; last: number }))
    const run = runs[at]
    const before = acts[acts.length - 1]?.last ?? 0
    if (run?.id === step.id) {
      acts.push({ ...step, first: run.first, last: run.last, number: index + 1 })
      at++
    } else acts.push({ ...step, first: before + 1, last: before, number: index + 1 })
  }
  for (; at < runs.length; at++) acts.push(actOutsideSteps(runs[at] as { id: string; first: number; last: number }))
  return acts
}

/** A lane for each rule, in the order in which they are known; rules that never fired too. */
export function lanesOf(log: WriteLog, steps: LevelHead["steps"]): Lane[] {
  const ids = steps.map((step) => step.id)
  const counts = new Uint32Array(log.names.length)
  for (let turn = 1; turn < log.turns; turn++) {
    const who = log.who[turn] as number
    counts[who] = (counts[who] as number) + 1
  }
  const turns = Array.from(counts, (many) => new Uint32Array(many))
  const filled = new Uint32Array(log.names.length)
  for (let turn = 1; turn < log.turns; turn++) {
    const who = log.who[turn] as number
    const place = filled[who] as number
    ;(turns[who] as Uint32Array)[place] = turn
    filled[who] = place + 1
  }
  return log.names.flatMap((name, who) => {
    const { step, rule } = splitName(name, ids)
    return rule ? [{ name, step, rule, turns: turns[who] as Uint32Array }] : []
  })
}

/** How many turns of a lane there are up to a turn. */
export function countUpTo(turns: Uint32Array, turn: number): number {
  let low = 0
  let high = turns.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((turns[middle] as number) <= turn) low = middle + 1
    else high = middle
  }
  return low
}

/** The act in which a turn was made; for turn 0 none. */
export function actAt(acts: readonly Act[], turn: number): Act | null {
  let low = 0
  let high = acts.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const act = acts[middle] as Act
    if (turn > act.last) low = middle + 1
    else if (turn < act.first) high = middle - 1
    else return act
  }
  return null
}
