/**
 * What Explore shows: which seeds are on the wall, how they are sorted and filtered, the axes of the plot, the marks A and B.
 *
 * Choices of the user stay. Defaults depend on the recipe: measures that are the same for all its seeds are replaced by others.
 */
import { computed, effect, signal, untracked } from "@preact/signals"
import { favourites } from "../../state/history"
import { isText, oneOf, recall, remember } from "../../state/storage"
import { isMap, source, work, type Work } from "../../state/work"
import { isOn, type Filter } from "./filters/filters"
import { arrived, keyOf, levelOf, quickMeasures, SLOW_MEASURES, type About, type Seeded } from "./wall/level_cache"
import { dependOn } from "../../state/depend_on"

export const WALL_SEEDS = 48

/* ---- what is explored ---- */

/** Kept cells stay on all of the wall; what was painted belongs to one seed. Of a map from a file there is only one: nothing to explore. */
export const about = computed<About | null>(() => {
  const from = source.value
  if (!from || !work.value || isMap(work.value)) return null
  const { recipe, size, params, until, tries } = from
  const { keep } = work.value
  return { recipe, size, params, until, tries, ...(keep?.cells.length ? { keep } : {}) }
})
export const aboutKey = computed(() => (about.value ? keyOf(about.value) : ""))

/** The current work with another seed, and nothing painted on it. */
export function workWith(seed: string): Work | null {
  const now = work.peek()
  return now && { ...now, seed, edits: [] }
}

/* ---- the wall ---- */

export type Hung = { kind: "run"; first: number } | { kind: "list"; seeds: string[]; title: string; of: "bin" | "matches" | "favourites" }

export const lastRun = signal(1)
export const hung = signal<Hung>({ kind: "run", first: 1 })
export const seeds = computed<string[]>(() => {
  const now = hung.value
  return now.kind === "list" ? now.seeds : Array.from({ length: WALL_SEEDS }, (_, k) => String(now.first + k))
})
export function hangRun(first: number): void {
  lastRun.value = Math.max(1, first)
  hung.value = { kind: "run", first: lastRun.value }
}
export const newSeeds = (): void => hangRun(lastRun.peek() + (hung.peek().kind === "run" ? WALL_SEEDS : 0))

/** The level of a seed on the wall; undefined until it is made. */
export const levelOfSeed = (seed: string): Seeded | undefined => levelOf(aboutKey.value, seed)

/** The wall is complete: only then it is sorted. */
export const complete = computed(() => {
  dependOn(arrived.value)
  return seeds.value.every((seed) => levelOfSeed(seed) !== undefined)
})

/* ---- measures ---- */

/** Measures in the order of their interest. */
const PREFERRED_MEASURES = [
  ...["path_length", "loops", "dead_ends", "rooms", "density", "linearity", "choke_points", "corridor_ratio", "leaf_rooms", "doors", "room_area_mean"],
  ...["graph_loops", "longest_path", "room_area_gini", "compactness", "branching", "room_area_max", "poi_length", "choke_area_max", "components"],
]

interface Chosen {
  strip: string[] | null
  sort: string | null
  falling: boolean
  across: string | null
  up: string | null
  colour: Colour
}
export type Colour = "distance" | "measure" | "plain"
export const SEED = "seed"

const first: Chosen = { strip: null, sort: null, falling: true, across: null, up: null, colour: "distance" }
const stored = recall<Partial<Chosen>>("explore", first, (value): value is Partial<Chosen> => {
  const { strip = null, sort = null, across = null, up = null, colour = "plain" } = (value ?? {}) as Record<keyof Chosen, unknown>
  return (strip === null || (Array.isArray(strip) && strip.every(isText))) && [sort, across, up].every((one) => one === null || isText(one)) && oneOf<unknown>("distance", "measure", "plain")(colour)
})
export const chosen = signal<Chosen>({ ...first, ...stored })
effect(() => remember("explore", chosen.value))
export function choose(by: Partial<Chosen>): void {
  chosen.value = { ...chosen.peek(), ...by }
}

/** Measures that differ from seed to seed, those asked about first in front. Found anew for each recipe when its wall is complete. */
const varying = signal<string[]>(PREFERRED_MEASURES)
effect(() => {
  if (!complete.value) return
  const all = seeds.value.map((seed) => levelOfSeed(seed)?.measures ?? {})
  if (all.length < 12) return
  untracked(() => {
    const kinds = (name: string): number => new Set(all.map((one) => one[name]).filter((value) => value !== null && value !== undefined)).size
    const names = [...PREFERRED_MEASURES, ...quickMeasures().filter((name) => !PREFERRED_MEASURES.includes(name))]
    const counts = new Map(names.map((name) => [name, kinds(name)]))
    const rank = (name: string): number => ((counts.get(name) ?? 0) > 4 ? 0 : (counts.get(name) ?? 0) > 1 ? 1 : 2)
    const next = names.map((name, at) => ({ name, at })).sort((a, b) => rank(a.name) - rank(b.name) || a.at - b.at).map((one) => one.name)
    if (next.join() !== varying.peek().join()) varying.value = next
  })
})

export const sortBy = computed(() => chosen.value.sort ?? varying.value[0] ?? SEED)
export const across = computed(() => chosen.value.across ?? varying.value[0] ?? "path_length")
export const up = computed(() => chosen.value.up ?? (across.value !== "density" && varying.value.slice(0, 6).includes("density") ? "density" : (varying.value.find((name) => name !== across.value) ?? "density")))

/** Measures in the strip of filters, and what is asked of them. */
export const strip = computed(() => chosen.value.strip ?? varying.value.slice(0, 6))
export const bounds = signal<Record<string, Pick<Filter, "low" | "high">>>({})
export const filters = computed<Filter[]>(() => strip.value.map((measure) => ({ measure, ...(bounds.value[measure] ?? { low: null, high: null }) })))
export const filtersOn = computed(() => filters.value.filter(isOn))
/** A handle is being dragged: seeds fade at once, but sink only when it is let go. */
export const dragged = signal(false)
export function setFilter(filter: Filter): void {
  bounds.value = { ...bounds.peek(), [filter.measure]: { low: filter.low, high: filter.high } }
}
export const clearFilters = (): void => void (bounds.value = {})

// Filters for one recipe do not apply to another.
let lastBase = ""
effect(() => {
  const base = JSON.stringify(work.value?.base ?? null)
  if (base === lastBase) return
  lastBase = base
  untracked(() => {
    bounds.value = {}
    hung.value = { kind: "run", first: 1 }
    lastRun.value = 1
  })
})

/** Bars under each thumbnail. */
export const bars = computed(() => strip.value.slice(0, 4))

/** Measures that are needed now and not measured unless asked for. */
export const slowWanted = computed(() => [...new Set([sortBy.value, across.value, up.value, ...strip.value])].filter((name) => SLOW_MEASURES.has(name)).join())

/* ---- favourites ---- */

const recipeKey = (one: Work): string => JSON.stringify([one.base, one.text, one.values, one.size, one.until, one.tries, one.keep?.cells.length ? one.keep : null])
/** Seeds of what is explored that are favourites; those that were painted on are other levels. */
export const starredSeeds = computed<string[]>(() => {
  const now = work.value
  if (!now) return []
  return favourites.value.filter((one) => !one.edits?.length && recipeKey(one) === recipeKey(now)).map((one) => one.seed)
})
export function starSeed(seed: string): void {
  const now = work.peek()
  if (!now) return
  const like = recipeKey(now)
  if (starredSeeds.peek().includes(seed)) favourites.value = favourites.peek().filter((one) => one.edits?.length || one.seed !== seed || recipeKey(one) !== like)
  else favourites.value = [...favourites.peek(), { ...now, seed, edits: [] }]
}

/* ---- marks ---- */

export type Mark = "a" | "b"
export const marks = signal<Record<Mark, Work | null>>({ a: null, b: null })
/** The next seed that is clicked becomes this mark. */
export const picking = signal<Mark | null>(null)
export function setMark(which: Mark, to: Work | null): void {
  const other = which === "a" ? "b" : "a"
  const held = marks.peek()
  // One level is not both: then the other mark moves.
  const same = to && held[other] && JSON.stringify(to) === JSON.stringify(held[other])
  marks.value = { ...held, [which]: to, ...(same ? { [other]: null } : {}) }
  picking.value = null
}
/** The mark of a seed on the wall. */
export function markOf(seed: string): Mark | null {
  const now = work.value
  if (!now) return null
  for (const which of ["a", "b"] as const) {
    const held = marks.value[which]
    if (held && held.seed === seed && !held.edits?.length && recipeKey(held) === recipeKey(now)) return which
  }
  return null
}

/** The seed under the pointer or with the focus: keys act on it, and the plot shows where it lies. */
export const pointed = signal<string | null>(null)
/** The screen of Explore: on small screens wall and range are apart. */
export const screen = signal<"wall" | "range" | "compare">("wall")
