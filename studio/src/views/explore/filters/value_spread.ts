/** How the values of a measure are spread over all seeds that are known: the range, and what hangs on the wall beside it. */
import { computed, untracked } from "@preact/signals"
import { doneSeeds, range } from "../loading"
import { arrived, SLOW_MEASURES } from "../wall/level_cache"
import { placeOf } from "../range/measured_range"
import { scaleOf, type Scale } from "../range/scale"
import { aboutKey, bars, complete, filters, levelOfSeed, seeds, sortBy, SEED } from "../state"
import { isWhole } from "../measure_words"
import { dependOn } from "../../../state/depend_on"

/** Values of a measure, without those that have none. */
export function valuesOf(measure: string): number[] {
  const now = range.peek()
  const found: number[] = []
  for (const value of now?.values(measure) ?? []) if (!Number.isNaN(value)) found.push(value)
  for (const seed of seeds.peek()) {
    const value = now?.has(measure, placeOf(seed)) ? null : levelOfSeed(seed)?.measures[measure]
    if (value !== null && value !== undefined) found.push(value)
  }
  return found
}

export interface Spread {
  scale: Scale
  values: number[]
}

const spreadOf = (measure: string, bins: number): Spread | null => {
  const values = valuesOf(measure)
  const scale = scaleOf(values, isWhole(measure), bins)
  return scale && { scale, values }
}

/** Levels on the wall, counted by the dozen. */
const dozens = computed(() => {
  dependOn(arrived.value)
  return Math.floor(seeds.value.filter((seed) => levelOfSeed(seed)).length / 12)
})

/** Things that need not follow each seed follow every so many. */
const changesEvery = (count: number) => computed(() => [aboutKey.value, complete.value, dozens.value, Math.floor(doneSeeds.value / count)].join())
const often = changesEvery(40)
const seldom = changesEvery(400)

/** Of the measures in the strip. */
export const spreads = computed(() => {
  dependOn(often.value)
  const names = filters.value.map((filter) => filter.measure)
  // What is slow to measure comes later than the rest.
  if (names.some((name) => SLOW_MEASURES.has(name))) dependOn(doneSlow.value)
  return untracked(() => new Map(names.map((name) => [name, spreadOf(name, 16)])))
})
const doneSlow = computed(() => {
  dependOn(arrived.value)
  return doneSeeds.value
})

/** Of the bars under the thumbnails and of what colours them. */
export const barScales = computed(() => {
  dependOn(seldom.value)
  const names = [...bars.value, ...(sortBy.value === SEED ? [] : [sortBy.value])]
  return untracked(() => new Map(names.map((name) => [name, spreadOf(name, 16)?.scale ?? null])))
})
