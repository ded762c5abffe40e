/** Measures in words: names, values with their unit, and what a filter asks. */
import { greeting } from "../../server/connection"
import { measureName, valueText } from "../../widgets/measure_text"

/** Measures that count steps; for others the name is the unit. */
const MEASURES_OF_STEPS = new Set(["path_length", "longest_path", "diameter", "solution_length", "backtrack"])
const SHORT_NAMES: Record<string, string> = { dead_ends: "dead ends", choke_points: "chokes", graph_loops: "loops", components: "parts" }

export const isWhole = (measure: string): boolean => greeting.peek()?.measures.find((one) => one.name === measure)?.whole ?? false
export const isShare = (measure: string): boolean => unitOf(measure) === "share"
const unitOf = (measure: string): string => greeting.peek()?.measures.find((one) => one.name === measure)?.unit ?? ""

/** A value under a thumbnail: "122 steps", "3 loops", "32 %". */
export function valueWithUnit(measure: string, value: number | null | undefined): string {
  const text = valueText(measure, value)
  if (value === null || value === undefined || unitOf(measure) !== "count") return text
  const word = MEASURES_OF_STEPS.has(measure) ? (value === 1 ? "step" : "steps") : (SHORT_NAMES[measure] ?? (measure.length <= 9 ? measureName(measure) : ""))
  return word ? `${text} ${value === 1 && word.endsWith("s") && !MEASURES_OF_STEPS.has(measure) ? word.slice(0, -1) : word}` : text
}

/** A number of a scale without its unit. */
export function numberText(measure: string, value: number): string {
  if (unitOf(measure) === "flag") return value ? "yes" : "no"
  const shown = isShare(measure) ? value * 100 : value
  const rounded = Math.abs(shown) >= 100 ? Math.round(shown * 10) / 10 : Math.round(shown * 100) / 100
  return rounded.toLocaleString("en", { maximumFractionDigits: 2 })
}

export const unitWord = (measure: string): string => (isShare(measure) ? "%" : MEASURES_OF_STEPS.has(measure) ? "steps" : "")

/** "105 to 109 steps", "27.5 to 30 %", "3". */
export function rangeText(measure: string, [from, to]: [number, number]): string {
  const numbers = from === to ? numberText(measure, from) : `${numberText(measure, from)} to ${numberText(measure, to)}`
  const unit = unitWord(measure)
  return unit ? `${numbers} ${unit}` : numbers
}

/** "path length, steps" beside an axis. */
export function axisName(measure: string): string {
  const unit = unitWord(measure)
  return unit && unit !== "%" ? `${measureName(measure)}, ${unit}` : measureName(measure)
}

/** "1 seed", "1,200 seeds". */
export const countText = (count: number, one: string): string => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`
