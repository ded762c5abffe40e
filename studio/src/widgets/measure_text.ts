/** Measures and requirements in words. */
import type { Level } from "../state/level"
import { greeting } from "../server/connection"

export type Required = Level["head"]["requirements"][number]

export const measureName = (measure: string): string => measure.replaceAll("_", " ")

/** What is asked of a measure, without its name: "≥ 3", "12 to 20". */
export function requirementText(one: Required): string {
  const rest = one.text.startsWith(one.measure) ? one.text.slice(one.measure.length).trim() : one.text
  return rest
    .replace(/^between (\S+) and (\S+)$/, "$1 to $2")
    .replace("<=", "≤")
    .replace(">=", "≥")
    .replace("==", "=")
    .replace("!=", "≠")
}

/** A value with its unit: shares as per cent, flags as words. */
export function valueText(measure: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return "none"
  const unit = greeting.peek()?.measures.find((one) => one.name === measure)?.unit
  if (unit === "share") return `${Math.round(value * 1000) / 10} %`
  if (unit === "flag") return value ? "yes" : "no"
  if (Number.isInteger(value)) return value.toLocaleString("en")
  return String(Math.round(value * 100) / 100)
}

export function aboutMeasure(measure: string): string {
  return greeting.peek()?.measures.find((one) => one.name === measure)?.about ?? ""
}
