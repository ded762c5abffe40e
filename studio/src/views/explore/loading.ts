/** Makes the wall and measures the range while Explore is shown, and the order in which the wall hangs. */
import { computed, effect, signal, untracked } from "@preact/signals"
import type { Problem } from "../../server/protocol"
import { cancel, connection } from "../../server/connection"
import { passes } from "./filters/filters"
import { arrived, makeLevels, quickMeasures, type About } from "./wall/level_cache"
import { measure, measured, rangeOf, stopMeasuring, type Range } from "./range/measured_range"
import { about, aboutKey, chosen, complete, dragged, filters, levelOfSeed, seeds, SEED, slowWanted, sortBy } from "./state"
import { second, retryInOwnSize } from "./range/second_recipe"
import { dependOn } from "../../state/depend_on"

/** The wall is being made. */
export const makingWall = signal(false)
/** Why it could not be made. */
export const wallProblem = signal<Problem | null>(null)
/** From the request to the last thumbnail, in milliseconds. */
export const wallTook = signal(0)
/** Measuring was stopped by hand, for this recipe. */
export const stoppedKey = signal("")

export const range = computed<Range | null>(() => (about.value ? rangeOf(about.value) : null))
/** The measures that the range needs now: the quick ones, and slow ones that are shown. */
const neededMeasures = (): string[] => [...quickMeasures(), ...slowWanted.value.split(",").filter(Boolean)]

export const WALL = "wall"
export const RANGE = "range"
export const SECOND = "second range"

/** Starts loading, and returns a function that ends it. What was loaded stays. */
export function startLoading(): () => void {
  const stops = [
    effect(() => {
      const from = about.value
      const list = seeds.value
      const measures = neededMeasures()
      if (!from || connection.value.kind !== "open") return
      untracked(() => void makeWall(from, list, measures))
    }),
    effect(() => {
      const now = range.value
      const names = neededMeasures()
      if (!now || connection.value.kind !== "open" || makingWall.value || wallProblem.value || stoppedKey.value === aboutKey.value) return
      untracked(() => {
        if (!now.isComplete(names)) void measure(RANGE, now, names)
      })
      return () => stopMeasuring(RANGE, now)
    }),
    effect(() => {
      const other = second.value
      const names = neededMeasures()
      if (!other || connection.value.kind !== "open" || makingWall.value) return
      const its = rangeOf(other.about)
      untracked(() => {
        if (!its.isComplete(names)) void measure(SECOND, its, names).then(() => retryInOwnSize(other, its))
      })
      return () => stopMeasuring(SECOND, its)
    }),
  ]
  return () => {
    stops.forEach((stop) => stop())
    cancel(WALL)
    makingWall.value = false
  }
}

let turn = 0
async function makeWall(from: About, list: readonly string[], measures: readonly string[]): Promise<void> {
  const mine = ++turn
  const began = performance.now()
  makingWall.value = true
  wallProblem.value = null
  const ended = await makeLevels(WALL, from, list, measures)
  if (mine !== turn) return
  makingWall.value = false
  arrived.value++
  if (ended === "done") wallTook.value = performance.now() - began
  if (typeof ended === "object") wallProblem.value = ended
}

/** Stop the range; it can go on later. */
export function stopRange(): void {
  stoppedKey.value = aboutKey.peek()
}
export function goOnWithRange(): void {
  stoppedKey.value = ""
}

/** How many seeds of the range were measured. */
export const doneSeeds = computed(() => {
  dependOn(measured.value)
  return range.value?.done ?? 0
})

/* ---- order ---- */

/** Seeds in the order in which they hang: as they come until all are there, then sorted, those that the filters leave out at the end. */
export const order = signal<string[]>([])
effect(() => {
  const list = seeds.value
  if (!complete.value) {
    order.value = list
    return
  }
  // Slow measures come after the levels.
  dependOn(makingWall.value)
  if (dragged.value) return
  const name = sortBy.value
  const sign = chosen.value.falling ? -1 : 1
  const place = new Map(list.map((seed, at) => [seed, at]))
  const valueOf = (seed: string): number | null => (name === SEED ? (place.get(seed) ?? 0) : (levelOfSeed(seed)?.measures[name] ?? null))
  const wanted = filters.value
  const ranked = list.map((seed) => ({ seed, out: passes(wanted, levelOfSeed(seed)?.measures ?? {}) ? 0 : 1, value: valueOf(seed) }))
  ranked.sort((a, b) => a.out - b.out || (a.value === null ? 1 : 0) - (b.value === null ? 1 : 0) || sign * ((a.value ?? 0) - (b.value ?? 0)) || (place.get(a.seed) ?? 0) - (place.get(b.seed) ?? 0))
  order.value = ranked.map((one) => one.seed)
})

/** Seeds on the wall that the filters let through. */
export const matching = computed(() => {
  dependOn(arrived.value)
  const wanted = filters.value
  return new Set(seeds.value.filter((seed) => passes(wanted, levelOfSeed(seed)?.measures ?? {})))
})
