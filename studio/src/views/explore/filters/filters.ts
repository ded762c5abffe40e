import { measureName } from "../../../widgets/measure_text"
import { numberText } from "../measure_words"

export interface Filter {
  measure: string
  /** Inclusive; null: any. */
  low: number | null
  high: number | null
}

export type Values = Record<string, number | null | undefined>

export const isOn = (filter: Filter): boolean => filter.low !== null || filter.high !== null

/** How far a value is from what a filter lets through; 0 if it passes. Something without a value is as far as can be. */
function shortfall(filter: Filter, value: number | null | undefined): number {
  if (!isOn(filter)) return 0
  if (value === null || value === undefined || Number.isNaN(value)) return Infinity
  if (filter.low !== null && value < filter.low) return filter.low - value
  if (filter.high !== null && value > filter.high) return value - filter.high
  return 0
}

export const passes = (filters: readonly Filter[], values: Values): boolean => filters.every((filter) => shortfall(filter, values[filter.measure]) === 0)

/** "≥ 70", "≤ 5", "2 to 6", "any". */
export function filterText({ measure, low, high }: Filter): string {
  if (low !== null && high !== null) return low === high ? `= ${numberText(measure, low)}` : `${numberText(measure, low)} to ${numberText(measure, high)}`
  if (low !== null) return `≥ ${numberText(measure, low)}`
  if (high !== null) return `≤ ${numberText(measure, high)}`
  return "any"
}

export interface Near {
  seed: string
  /** What it lacks: "loops 1". */
  lacks: string
}

/** The seed that misses the least, measured in widths of each measure's scale. */
export function nearestSeed(filters: readonly Filter[], seeds: readonly (readonly [string, Values])[], width: (measure: string) => number): Near | null {
  let best: { seed: string; values: Values; far: number } | null = null
  for (const [seed, values] of seeds) {
    let far = 0
    for (const filter of filters) far += Math.min(2, shortfall(filter, values[filter.measure]) / Math.max(width(filter.measure), 1e-9))
    if (!best || far < best.far) best = { seed, values, far }
  }
  if (!best) return null
  const { values } = best
  const lacking = filters.filter((filter) => shortfall(filter, values[filter.measure]) > 0)
  const lacks = lacking.map(({ measure }) => {
    const value = values[measure]
    return `${measureName(measure)} ${value === null || value === undefined ? "none" : numberText(measure, value)}`
  })
  return { seed: best.seed, lacks: lacks.join(", ") }
}

/** The same filters, opened just so far that these values pass. */
export function relaxed(filters: readonly Filter[], values: Values): Filter[] {
  return filters.map((filter) => {
    const value = values[filter.measure]
    if (shortfall(filter, value) === 0) return filter
    if (value === null || value === undefined) return { ...filter, low: null, high: null }
    return { ...filter, low: filter.low !== null && value < filter.low ? value : filter.low, high: filter.high !== null && value > filter.high ? value : filter.high }
  })
}
