/** Scales: a measure cut into bins with round edges, for histograms and the plot. */

export interface Scale {
  /** Where the first bin begins. */
  low: number
  step: number
  bins: number
  /** Values are whole numbers: a bin from 3 to 5 holds 3 and 4, and 3 itself covers the stretch from 3 to 4. */
  whole: boolean
}

export const highOf = (scale: Scale): number => scale.low + scale.step * scale.bins

/** The next round number: 1, 2 or 5 (or 2.5) times a power of ten. */
function roundStep(least: number, whole: boolean): number {
  if (whole && least <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  const steps = whole && power < 10 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]
  return (steps.find((step) => step * power >= least * (1 - 1e-9)) ?? 10) * power
}

/** A scale over values, with at most `most` bins; null without any value. */
export function scaleOf(values: Iterable<number>, whole: boolean, most: number): Scale | null {
  let least = Infinity
  let largest = -Infinity
  for (const value of values) {
    if (Number.isNaN(value)) continue
    if (value < least) least = value
    if (value > largest) largest = value
  }
  if (least > largest) return null
  const span = largest - least + (whole ? 1 : 0)
  // One bin less than there may be: round edges may need one more.
  const step = span === 0 ? Math.max(0.01, Math.abs(least) * 0.1) : roundStep(span / Math.max(1, span <= most && whole ? most : most - 1), whole)
  const low = Math.floor(least / step + 1e-9) * step
  const bins = Math.max(1, whole ? Math.floor((largest - low) / step + 1e-9) + 1 : Math.ceil((largest - low) / step - 1e-9))
  return { low: withoutNoise(low), step, bins, whole }
}

/** Without the noise that adding fractions leaves behind. */
export const withoutNoise = (value: number): number => Number(value.toPrecision(12))

/** The bin of a value, or -1 if it has none. The largest value of fractions belongs to the last bin. */
export function binOf(scale: Scale, value: number): number {
  if (Number.isNaN(value)) return -1
  const bin = Math.floor((value - scale.low) / scale.step + 1e-9)
  if (bin === scale.bins && !scale.whole) return bin - 1
  return bin < 0 || bin >= scale.bins ? -1 : bin
}

/** Where a value lies, from 0 to 1. A whole number lies in the middle of its stretch. */
export const shareOf = (scale: Scale, value: number): number => (value + (scale.whole ? 0.5 : 0) - scale.low) / (scale.step * scale.bins)

export function binCounts(scale: Scale, values: Iterable<number>): number[] {
  const counts = new Array<number>(scale.bins).fill(0)
  for (const value of values) {
    const bin = binOf(scale, value)
    if (bin >= 0) counts[bin] = (counts[bin] ?? 0) + 1
  }
  return counts
}

/** Values of a bin: from the first to the last for whole numbers, else its edges. */
export function edgesOf(scale: Scale, bin: number): [number, number] {
  const from = withoutNoise(scale.low + bin * scale.step)
  return [from, withoutNoise(scale.whole ? from + scale.step - 1 : from + scale.step)]
}

/** About so many values to write beside an axis. */
export function ticksOf(scale: Scale, about: number): number[] {
  const every = Math.max(1, Math.ceil(scale.bins / about))
  const found: number[] = []
  for (let bin = 0; bin <= scale.bins - (scale.whole ? 1 : 0); bin += every) found.push(withoutNoise(scale.low + bin * scale.step))
  return found
}
