/** The difference of two levels in one measure. */
import { greeting } from "../../../server/connection"
import { isShare, numberText } from "../measure_words"

export interface Row {
  name: string
  a: number | null
  b: number | null
  /** Where both lie between the ends of what is known, from 0 to 1. */
  places: [number | null, number | null]
  /** The difference as a share of that. */
  far: number
  /** "more than 93 % of 1,200 seeds", for both. */
  ranks: [string, string]
}

/** From so many seeds on, a value is ranked among them. */
const MIN_SEEDS_TO_RANK = 50

const isKnown = (value: number | null | undefined): value is number => value !== null && value !== undefined && !Number.isNaN(value)

/** How two values of a measure lie in what is known of it: `seen` are its values in the range, without those that have none. */
export function compareMeasure(name: string, a: number | null, b: number | null, seen: readonly number[]): Row {
  const pair = [a, b] as const
  let [low, high] = [Infinity, -Infinity]
  for (const value of [...seen, ...pair.filter(isKnown), ...(seen.length ? [] : [0])]) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const place = (value: number | null): number | null => (value === null ? null : high > low ? (value - low) / (high - low) : 0.5)
  const rank = (value: number | null): string => (value === null || seen.length < MIN_SEEDS_TO_RANK ? "" : `more than ${Math.floor((seen.filter((one) => one < value).length / seen.length) * 100)} % of ${seen.length.toLocaleString("en")} seeds`)
  const far = isKnown(a) && isKnown(b) ? (high > low ? Math.abs(a - b) / (high - low) : 0) : a === b ? 0 : 1
  return { name, a, b, places: [place(a), place(b)], far, ranks: [rank(a), rank(b)] }
}

/** "+12", "−3.5 %", "same". */
export function differenceText(name: string, a: number | null, b: number | null): string {
  if (a === b) return "same"
  if (a === null || b === null) return "–"
  const by = b - a
  const text = numberText(name, Math.abs(by))
  // A difference too small to be written is still one.
  const unit = greeting.peek()?.measures.find((one) => one.name === name)?.unit
  if (unit === "flag") return by > 0 ? "+1" : "−1"
  return `${by > 0 ? "+" : "−"}${text === "0" ? "< 0.01" : text}${isShare(name) ? " %" : ""}`
}
