/** What is known about a rule, in words. */
import type { Rule } from "./text/anatomy"
import { weightsOf } from "./text/edit_words"

/** Without the blanks that all lines begin with. */
export function dedented(text: string): string {
  const lines = text.split("\n")
  const least = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(least)).join("\n")
}

const SHARES: [number, string][] = [[1 / 4, "1 time in 4"], [1 / 3, "1 time in 3"], [1 / 2, "every other time"], [2 / 3, "2 times in 3"], [3 / 4, "3 times in 4"]]

/** "First result 3 times in 4": by weight, as drawn by lot. */
export function shareText(rule: Rule): string {
  const weights = weightsOf(rule)
  const sum = weights.reduce((a, b) => a + b, 0)
  if (weights.length < 2 || sum === 0) return ""
  const share = (weights[0] ?? 0) / sum
  const near = SHARES.find(([value]) => Math.abs(value - share) < 1e-6)?.[1] ?? `${Math.round(share * 100)} times in 100`
  return ` First result ${near}.`
}

export const perRun = (times: number): string => (Math.abs(times - 1) < 0.05 ? "once" : `${times < 10 ? Math.round(times * 10) / 10 : Math.round(times)} times`)
