/** What can be offered when no level came: only what the fix of the problem names. */
import type { Problem } from "../../../server/protocol"

export interface Help {
  /** A size that would do, or is likelier to. */
  size: [number, number] | null
  /** Another seed may go better. */
  seed: boolean
}

export function helpFor(problem: Problem, size: readonly [number, number]): Help {
  const told = /\bask for (?:at least )?(\d+) ?x ?(\d+)\b/.exec(problem.fix)
  const by = /\bsmaller (?:level|map|grid)\b/.test(problem.fix) ? 0.75 : /\blarger (?:level|map|grid)\b/.test(problem.fix) ? 1.25 : 0
  const scaled = (side: number): number => Math.max(1, by < 1 ? Math.floor(side * by) : Math.ceil(side * by))
  return {
    size: told ? [Number(told[1]), Number(told[2])] : by ? [scaled(size[0]), scaled(size[1])] : null,
    seed: problem.chance ?? false,
  }
}
