/** The plot: both axes cut into bins, the seeds in each, and the bin that is chosen. */
import { computed, effect, signal, untracked } from "@preact/signals"
import { work } from "../../../state/work"
import { doneSeeds, range } from "../loading"
import { arrived, makeLevels, quickMeasures, type About } from "../wall/level_cache"
import { measured, placeOf, rangeOf, seedAt } from "./measured_range"
import { binOf, edgesOf, scaleOf } from "./scale"
import { second } from "./second_recipe"
import { about, aboutKey, across, hung, WALL_SEEDS, levelOfSeed, seeds, up } from "../state"
import { rangeText, isWhole } from "../measure_words"
import { measureName } from "../../../widgets/measure_text"
import { dependOn } from "../../../state/depend_on"
import { type Plotted, type Spot, type Bin, makeCloud, binAt, spotOf, placesIn } from "./bins"

const MAX_COLUMNS = 32
const MAX_ROWS = 26

function* bothValues(measure: string): Generator<number> {
  yield* range.value?.values(measure) ?? []
  if (second.value) yield* rangeOf(second.value.about).values(measure) ?? []
}

export const plotted = computed<Plotted | null>(() => {
  dependOn(measured.value)
  const now = range.value
  if (!now) return null
  const x = scaleOf(bothValues(across.value), isWhole(across.value), MAX_COLUMNS)
  const y = scaleOf(bothValues(up.value), isWhole(up.value), MAX_ROWS)
  if (!x || !y) return null
  return { x, y, first: makeCloud(now, [across.value, x], [up.value, y]), second: second.value ? makeCloud(rangeOf(second.value.about), [across.value, x], [up.value, y]) : null }
})

/* ---- the chosen bin ---- */
export const chosenSpot = signal<Spot | null>(null)
export const hoveredSpot = signal<Spot | null>(null)
export const chosenBin = computed(() => binAt(chosenSpot.value, plotted.value))
export const hoveredBin = computed(() => binAt(hoveredSpot.value, plotted.value))

/** "path length 105 to 109 steps, density 27.5 to 30 %" */
export function binWords(bin: Bin, { x, y }: Plotted): string {
  return `${measureName(across.value)} ${rangeText(across.value, edgesOf(x, bin.column))}, ${measureName(up.value)} ${rangeText(up.value, edgesOf(y, bin.row))}`
}

// Other axes or another recipe: choose the bin of the current level, else the fullest.
effect(() => {
  dependOn(across.value, up.value, aboutKey.value)
  chosenSpot.value = null
})
const MIN_SEEDS_TO_CHOOSE = 150
effect(() => {
  if (doneSeeds.value < MIN_SEEDS_TO_CHOOSE || chosenSpot.value) return
  untracked(() => {
    const now = plotted.peek()
    const here = placeOf(work.peek()?.seed ?? "")
    const [xs, ys] = [range.peek()?.values(across.peek()), range.peek()?.values(up.peek())]
    if (!now || !xs || !ys) return
    const own = binAt({ x: xs[here] ?? NaN, y: ys[here] ?? NaN }, now)
    const fullest = now.first.bins.findIndex((bin) => bin.length === now.first.most)
    chosenSpot.value = spotOf(own ?? { column: fullest % now.x.bins, row: Math.floor(fullest / now.x.bins) }, now)
  })
})

/** Seeds of the wall in the bin under the pointer, or in the chosen one. */
export const litSeeds = computed<Set<string>>(() => {
  dependOn(arrived.value)
  const now = plotted.value
  const bin = hoveredBin.value ?? chosenBin.value
  const lit = new Set<string>()
  if (!now || !bin) return lit
  for (const seed of seeds.value) {
    const values = levelOfSeed(seed)?.measures
    const [x, y] = [values?.[across.value], values?.[up.value]]
    if (x === null || x === undefined || y === null || y === undefined) continue
    if (binOf(now.x, x) === bin.column && binOf(now.y, y) === bin.row) lit.add(seed)
  }
  return lit
})

/* ---- the levels behind it ---- */

/** How many of them are shown beside the plot. */
export const MAX_BIN_LEVELS = 8
const shownPlaces = (which: "first" | "second") => computed(() => placesIn(plotted.value?.[which], chosenBin.value, plotted.value?.x).slice(0, MAX_BIN_LEVELS).join())
/** As text, so that a bin that did not change asks for nothing while more is measured. */
const [firstShown, secondShown] = [shownPlaces("first"), shownPlaces("second")]

/** Makes thumbnails of the levels of the chosen bin while Explore is shown. */
export function followBin(): () => void {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()
  const one = (lane: string, of: () => About | null, places: () => string) =>
    effect(() => {
      const from = of()
      const list = places().split(",").filter(Boolean).map(Number).map(seedAt)
      clearTimeout(waiting.get(lane))
      // With a short delay, so that passing over bins requests nothing.
      if (from && list.length) waiting.set(lane, setTimeout(() => void makeLevels(lane, from, list, quickMeasures()), 60))
    })
  const stops = [one("bin", () => about.value, () => firstShown.value), one("second bin", () => second.value?.about ?? null, () => secondShown.value)]
  return () => {
    waiting.forEach((timer) => clearTimeout(timer))
    stops.forEach((stop) => stop())
  }
}

export function hangBin(): void {
  const now = plotted.peek()
  const bin = chosenBin.peek()
  if (!now || !bin) return
  const places = placesIn(now.first, bin, now.x)
  if (places.length) hung.value = { kind: "list", of: "bin", seeds: places.slice(0, WALL_SEEDS).map(seedAt), title: binWords(bin, now) }
}
