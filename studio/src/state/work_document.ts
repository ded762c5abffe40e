/**
 * A work as the data of its document, and back. `works/level_work.py` of the library says what a document holds, and checks it; here it is written and taken
 * apart. Keys that the page does not know stay in `more`, and are written again.
 */
import type { PlacedThing, RecipeCard, Source, ThingRef, Value } from "../server/protocol"
import { canonicalJson, sortedEntries } from "./canonical_json"
import { DEFAULT_TRIES, sameSource, turnedCards, type Work } from "./work"

export type Runs = [first: number, length: number][]
export interface WorkDocument {
  format: string
  recipe?: string
  text?: string
  map?: unknown
  file?: string
  seed?: string
  size?: [number, number] | null
  params?: Record<string, Value>
  until?: string[]
  tries?: number
  attempt?: number
  keep?: { cells: Runs; map: unknown }
  marked?: Runs
  edits?: [first: number, length: number, tile: string][]
  placed?: PlacedThing[]
  removed?: ThingRef[]
  view?: Record<string, unknown>
  editions?: Record<string, number>
}
export const WORK_FORMAT = "undercroft-work/1"
const KNOWN_KEYS = ["format", "recipe", "text", "map", "file", "seed", "size", "params", "until", "tries", "attempt", "keep", "marked", "edits", "placed", "removed", "editions"]

/** What a document holds that does not stand in the work itself. */
export interface DocumentParts {
  /** What the server said of kept cells and of a map that the level is made on. */
  maps: { kept: { cells: Runs; map: unknown } | null; map: unknown }
  view: Record<string, unknown>
  /** Of the level as it is shown, if it is there. */
  attempt?: number
  editions?: Record<string, number>
}

/** The canonical text of a document: one line a key, the format first. */
export function workText(data: object): string {
  const entries = sortedEntries(data).sort(([a], [b]) => Number(b === "format") - Number(a === "format"))
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${canonicalJson(value)}`).join(",\n")}}\n`
}

/** The document of a work, given its source. */
export function documentOf(of: Work, source: Source, parts: DocumentParts): WorkDocument {
  const { view, ...more } = of.more ?? {}
  // Cells that are kept of this very level: it is made without them, and they hold from the next seed on.
  const marked = of.keep && "of" in of.keep && sameSource(source, of.keep.of) ? of.keep.cells : undefined
  return {
    ...more,
    format: WORK_FORMAT,
    ...recipePart(of, source, parts.maps.map),
    seed: of.seed,
    ...(of.size ? { size: of.size } : {}),
    ...(of.until.length ? { until: of.until } : {}),
    ...(of.tries === DEFAULT_TRIES ? {} : { tries: of.tries }),
    ...(parts.attempt === undefined ? {} : { attempt: parts.attempt }),
    ...(source.keep && parts.maps.kept ? { keep: { ...of.keepMore, ...parts.maps.kept } } : {}),
    ...(marked?.length ? { marked } : {}),
    ...(of.edits?.length ? { edits: joinEdits(of.edits) } : {}),
    ...(of.placed?.length ? { placed: of.placed } : {}),
    ...(of.removed?.length ? { removed: of.removed } : {}),
    view: { ...(view as object | undefined), ...parts.view },
    ...(parts.editions && Object.keys(parts.editions).length ? { editions: parts.editions } : {}),
  }
}

function recipePart(of: Work, source: Source, map: unknown): Partial<WorkDocument> {
  if (map) return { map, file: of.file }
  // Sliders of a recipe of ours that is otherwise unchanged are told by their values; any other text stands in the document.
  if ("name" in source.recipe) return { recipe: source.recipe.name, ...paramsPart(source.params) }
  const recipe = "path" in of.base ? of.base.path : "name" in of.base ? of.base.name : of.file
  return { recipe, text: of.text, ...paramsPart(of.values) }
}
const paramsPart = (params: Record<string, Value>): Partial<WorkDocument> => (Object.keys(params).length ? { params } : {})

/** Painted tiles in their order, in runs of cells. */
export function joinEdits(edits: readonly [number, string][]): [number, number, string][] {
  const runs: [number, number, string][] = []
  for (const [cell, tile] of edits) {
    const last = runs.at(-1)
    if (last && last[0] + last[1] === cell && last[2] === tile) last[1]++
    else runs.push([cell, 1, tile])
  }
  return runs
}

/** The work of a document, given the recipe that it names as it is here; a sentence if that recipe is missing. Cells that are `marked` are set once it is open. */
export function workOfDocument(data: WorkDocument, card: RecipeCard | undefined): Work | string {
  const more = Object.fromEntries(Object.entries(data).filter(([key]) => !KNOWN_KEYS.includes(key)))
  const { cells: _cells, map: _map, ...keepMore } = data.keep ?? { cells: [], map: null }
  const rest = {
    seed: data.seed ?? "1",
    size: data.size ?? null,
    until: data.until ?? [],
    tries: data.tries ?? DEFAULT_TRIES,
    ...(data.keep ? { keep: { map: data.keep.map, cells: data.keep.cells } } : {}),
    ...(Object.keys(keepMore).length ? { keepMore } : {}),
    ...(data.edits?.length ? { edits: data.edits.flatMap(([first, length, tile]) => Array.from({ length }, (_, k): [number, string] => [first + k, tile])) } : {}),
    ...(data.placed?.length ? { placed: data.placed } : {}),
    ...(data.removed?.length ? { removed: data.removed } : {}),
    ...(Object.keys(more).length ? { more } : {}),
  }
  if (data.map) return { base: { map: data.map, file: data.file ?? "map.json" }, file: data.file ?? "map.json", text: "", values: {}, ...rest }
  const recipe = data.recipe ?? ""
  const base = recipe.endsWith(".toml") ? { path: recipe } : { name: recipe }
  const file = "path" in base ? recipe : recipe + ".toml"
  if (data.text !== undefined) return { base, file, text: data.text, values: data.params ?? {}, ...rest }
  if (!card) return "path" in base ? `This work is of the recipe ${recipe}, which is not in this project.` : `This work is of the recipe ${recipe}, which this version does not have.`
  const turned = turnedCards(card, data.params ?? {})
  return { base, file, text: turned.card.text, values: turned.values, ...rest }
}
