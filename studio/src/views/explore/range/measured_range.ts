/**
 * The expressive range of a recipe: the measures of its first 1,200 seeds, taken in the background.
 *
 * What was measured stays while the page is open. A range that was stopped goes on where it was.
 */
import { signal } from "@preact/signals"
import type { Problem, RangePart } from "../../../server/protocol"
import { ask, cancel } from "../../../server/connection"
import { keyOf, type About } from "../wall/level_cache"

export const RANGE_SEEDS = 1200
const FIRST_SEED = 1
const MAX_RANGES = 8

interface Column {
  values: Float64Array
  have: Uint8Array
  count: number
}

export class Range {
  private readonly columns = new Map<string, Column>()
  /** Seeds whose quick measures are there. */
  done = 0
  /** The run that measures it now. */
  run: object | null = null
  problem: Problem | null = null

  constructor(readonly about: About) {}

  /** The values of a measure by the seed's place, NaN where there is none; null if it was not measured. */
  values(measure: string): Float64Array | null {
    return this.columns.get(measure)?.values ?? null
  }

  /** Whether this place was measured, with or without a value. */
  has(measure: string, place: number): boolean {
    return this.columns.get(measure)?.have[place] === 1
  }

  isComplete(measures: readonly string[]): boolean {
    return this.missingRuns(measures).length === 0
  }

  /** Runs of places that lack one of these measures. */
  missingRuns(measures: readonly string[]): [number, number][] {
    const runs: [number, number][] = []
    const columns = measures.map((name) => this.columns.get(name))
    for (let place = 0; place < RANGE_SEEDS; place++) {
      if (columns.every((column) => column?.have[place])) continue
      const last = runs.at(-1)
      if (last && last[0] + last[1] === place) last[1]++
      else runs.push([place, 1])
    }
    return runs
  }

  addPart(part: RangePart): void {
    const places = part.seeds.map((seed) => Number(seed) - FIRST_SEED)
    for (const [name, values] of Object.entries(part.values)) {
      let column = this.columns.get(name)
      if (!column) this.columns.set(name, (column = { values: new Float64Array(RANGE_SEEDS).fill(NaN), have: new Uint8Array(RANGE_SEEDS), count: 0 }))
      for (const [at, place] of places.entries()) {
        column.values[place] = values[at] ?? NaN
        column.count += 1 - (column.have[place] ?? 0)
        column.have[place] = 1
      }
      this.done = Math.max(this.done, column.count)
    }
  }
}

export const seedAt = (place: number): string => String(FIRST_SEED + place)
export const placeOf = (seed: string): number => (/^\d{1,6}$/.test(seed) ? Number(seed) - FIRST_SEED : -1)

const ranges = new Map<string, Range>()

/** Counts up when more was measured, or measuring began or ended; at most once a frame. */
export const measured = signal(0)
let frameRequest = 0
function notifySoon(): void {
  frameRequest ||= requestAnimationFrame(() => {
    frameRequest = 0
    measured.value++
  })
}

export function rangeOf(about: About): Range {
  const key = keyOf(about)
  let found = ranges.get(key)
  if (found) ranges.delete(key)
  else found = new Range(about)
  ranges.set(key, found)
  for (const old of ranges.keys()) {
    if (ranges.size <= MAX_RANGES) break
    ranges.delete(old)
  }
  return found
}

/** Measures what is missing, until it is done or cancelled. */
export async function measure(lane: string, range: Range, names: readonly string[]): Promise<void> {
  const lacking = names.filter((name) => !range.isComplete([name]))
  const mine = {}
  range.problem = null
  range.run = mine
  notifySoon()
  for (const [place, length] of range.missingRuns(lacking)) {
    const reply = await ask<unknown, RangePart>(
      lane,
      { do: "range", first: seedAt(place), count: length, measures: lacking, ...range.about },
      {
        part: (part) => {
          range.addPart(part)
          notifySoon()
        },
      },
    )
    if (reply.kind === "problem") range.problem = reply.problem
    if (reply.kind !== "done") break
  }
  if (range.run === mine) range.run = null
  notifySoon()
}

export function stopMeasuring(lane: string, range: Range): void {
  cancel(lane)
  range.run = null
  notifySoon()
}
