/**
 * The current work: a recipe's text, the values of its parameters, a seed, a size, kept cells and painted tiles.
 *
 * Everything is one immutable `Work`, so that history, favourites, undo, links and browser storage are all lists of works.
 * `source` is what requests to the server contain. If the text differs from the recipe it came from only in the defaults of parameters, the source names
 * that recipe and sets the parameters: the command line makes the same level with `--set`. Else the source contains the text itself.
 */
import { batch, computed, signal, type Signal } from "@preact/signals"
import { greeting } from "../server/connection"
import { isRecipePath } from "../project/file_names"
import type { Origin, Param, PlacedThing, RecipeCard, Source, ThingRef, Value } from "../server/protocol"

export interface Work {
  /** The recipe it began with, or a map from a file: then there is no text. */
  base: Exclude<Origin, { text: string }>
  file: string
  text: string
  /** Parameters whose default does not stand in the text as one word, and which were changed. */
  values: Record<string, Value>
  seed: string
  size: [number, number] | null
  until: string[]
  tries: number
  keep?: Source["keep"]
  edits?: [number, string][]
  /** Things placed by hand, and things taken away. */
  placed?: PlacedThing[]
  removed?: ThingRef[]
  /** The file it was opened from or saved to as a whole. */
  document?: string
  /** Keys of its document that the page does not know, and those of its `keep`. */
  more?: Record<string, unknown>
  keepMore?: Record<string, unknown>
}

export const DEFAULT_TRIES = 100

/** Whether a value that was kept is a work: the file it is in may be damaged, or of somebody else. */
export function isWork(value: unknown): value is Work {
  const one = (value ?? {}) as Partial<Record<keyof Work, unknown>>
  const isObject = (inner: unknown): boolean => typeof inner === "object" && inner !== null && !Array.isArray(inner)
  const arePairs = (inner: unknown, second: string): boolean => Array.isArray(inner) && inner.every((pair: unknown) => Array.isArray(pair) && typeof pair[0] === "number" && typeof pair[1] === second)
  const areThings = (inner: unknown): boolean => inner === undefined || (Array.isArray(inner) && inner.every((thing: unknown) => isObject(thing) && typeof (thing as ThingRef).kind === "string"))
  const keep = one.keep as { of?: unknown; map?: unknown; cells?: unknown } | undefined
  return (
    isObject(one.base) &&
    Object.entries(one.base as object).every(([key, inner]) => (key === "map" ? isObject(inner) : typeof inner === "string")) &&
    [one.file, one.text, one.seed].every((inner) => typeof inner === "string") &&
    isObject(one.values) &&
    (one.size === null || arePairs([one.size], "number")) &&
    Array.isArray(one.until) &&
    one.until.every((inner) => typeof inner === "string") &&
    typeof one.tries === "number" &&
    (keep === undefined || (isObject(keep) && (isObject(keep.of) || isObject(keep.map)) && arePairs(keep.cells, "number"))) &&
    (one.edits === undefined || arePairs(one.edits, "string")) &&
    areThings(one.placed) &&
    areThings(one.removed) &&
    (one.document === undefined || typeof one.document === "string") &&
    [one.more, one.keepMore].every((inner) => inner === undefined || isObject(inner))
  )
}

/** A map that was made elsewhere: there is nothing to turn, but it can be painted, measured, drawn and exported. */
export const isMap = (of: Work): boolean => "imported" in of.base || "map" in of.base || ("path" in of.base && !isRecipePath(of.base.path))

/** Whether it holds what is in no recipe: painted and kept cells, things placed and removed. */
export const hasHandwork = (of: Work): boolean => Boolean(of.edits?.length || of.placed?.length || of.removed?.length || of.keep?.cells.length)

export const work = signal<Work | null>(null)
/** The recipe as the server gave it, before anybody changed its text. */
export const base = signal<RecipeCard | null>(null)
/** The last good reading of the text: its parameters, with their places. */
export const card = signal<RecipeCard | null>(null)

/** Whether a work's text belongs to nothing that the server has: it is new, or its file is gone. */
export function isDetached(of: Work): boolean {
  const { base } = of
  const there = greeting.value?.recipes
  if (!there || isMap(of) || "imported" in base || "map" in base) return false
  return !there.some((one) => ("path" in base ? one.path === base.path : one.origin === "ours" && one.name === base.name))
}
export const detached = computed(() => work.value !== null && isDetached(work.value))

export const seed = computed(() => work.value?.seed ?? "")
export const size = computed<[number, number]>(() => work.value?.size ?? card.value?.size ?? [60, 40])

/** The text of a value as TOML writes it. */
export function tomlValue(value: Value): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return JSON.stringify(value)
}

/** A number as its parameter writes it: whole, or with a decimal point so that it stays a fraction. */
export function paramText(param: Param, value: Value): string {
  if (param.kind === "number" && typeof value === "number") return Number.isInteger(value) ? value.toFixed(1) : String(value)
  return tomlValue(value)
}

export const valueOf = (param: Param): Value => work.value?.values[param.name] ?? param.default

const sameValue = (a: Value, b: Value): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** The text with the defaults of parameters as in the recipe it came from, and which of them differ; null if other things differ too. */
function changedDefaults(text: string, now: RecipeCard, was: RecipeCard): Record<string, Value> | null {
  if (text === was.text) return {}
  const lines = text.split("\n")
  const set: Record<string, Value> = {}
  const before = new Map(was.params.map((param) => [param.name, param]))
  // From the back, so that places further on the same line stay true.
  for (const param of [...now.params].reverse()) {
    const old = before.get(param.name)
    if (!param.place || !old?.place) continue
    if (!sameValue(param.default, old.default)) set[param.name] = param.default
    const line = lines[param.place.line - 1] ?? ""
    const oldLine = was.text.split("\n")[old.place.line - 1] ?? ""
    const at = param.place.column - 1
    lines[param.place.line - 1] = line.slice(0, at) + oldLine.slice(old.place.column - 1, old.place.column - 1 + old.place.length) + line.slice(at + param.place.length)
  }
  return lines.join("\n") === was.text ? set : null
}

/** The source of a work, given the readings of its text; null without one. */
export function sourceOf(from: Work, now: RecipeCard | null, was: RecipeCard | null): Source {
  const set = now && was ? changedDefaults(from.text, now, was) : null
  const plain: Source = {
    recipe: set ? from.base : { text: from.text, file: from.file },
    seed: from.seed,
    size: from.size,
    params: set ? { ...set, ...from.values } : from.values,
    until: from.until,
    tries: from.tries,
    ...(from.edits?.length ? { edits: from.edits } : {}),
    ...(from.placed?.length ? { placed: from.placed } : {}),
    ...(from.removed?.length ? { removed: from.removed } : {}),
  }
  if (!from.keep?.cells.length) return plain
  if ("map" in from.keep) return { ...plain, keep: from.keep }
  // Cells that are kept of this very level change nothing: it is made as it was.
  const same = { ...plain, ...(from.keep.of.keep ? { keep: from.keep.of.keep } : {}) }
  return sameSource(same, from.keep.of) ? from.keep.of : { ...plain, keep: from.keep }
}

/** Whether two sources make the same level: the order of names does not matter. */
export function sameSource(a: Source, b: Source): boolean {
  return canonical(a) === canonical(b)
}
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === "object" && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}

/** The last text that was read without a problem: while the current text is broken, sliders and seeds act on this one. */
const goodText = signal("")

export const source = computed<Source | null>(() => {
  const now = work.value
  if (!now || !card.value) return null
  return sourceOf({ ...now, text: goodText.value }, card.value, detached.value ? null : base.value)
})

/** The text differs from the one that was last read from or saved to a file, or from the recipe. */
export const changed = computed(() => detached.value || (work.value !== null && base.value !== null && work.value.text !== base.value.text))

/** The recipe's text as the work's document held it when it was opened or saved last. */
export const documentText = signal<{ document: string; text: string } | null>(null)
/** Whether the text is in a file together with the whole work. */
export const inDocument = computed(() => work.value?.document !== undefined && documentText.value?.document === work.value.document && documentText.value.text === work.value.text)

/* ---- changes ---- */

const redoStack = signal<Work[]>([])
const undoStack = signal<Work[]>([])
export const canUndo = computed(() => undoStack.value.length > 0 || (work.value?.text ?? "") !== (card.value?.text ?? ""))
export const canRedo = computed(() => redoStack.value.length > 0)

let settled: Work | null = null

/** The target of an undo or redo whose text is being read, and the stacks before it. */
let pendingStep: { to: Work; was: [Work[], Work[], Work | null] } | null = null

/** Cancels an undo or redo that failed or was overtaken by a change: the stacks are as before. */
function cancelStep(): void {
  if (pendingStep) [undoStack.value, redoStack.value, settled] = pendingStep.was
  pendingStep = null
}

/** Change the work. Call `settle` when the drag ends: only then it is a step of undo and of the history. */
export function change(by: Partial<Work>): void {
  cancelStep()
  const now = work.peek()
  if (now) work.value = { ...now, ...by }
}

const settledListeners = new Set<(now: Work) => void>()
export const onSettled = (hear: (now: Work) => void): void => void settledListeners.add(hear)

/** What settled as `before` joins that step of undo. */
export function settle(before: Work | null = null): void {
  const now = work.peek()
  if (!now || pendingStep || now === settled) return
  if (settled && settled !== before) undoStack.value = [...undoStack.peek().slice(-199), settled]
  redoStack.value = []
  settled = now
  for (const hear of settledListeners) hear(now)
}

/** Change and settle at once, as a press of a button does; with `before`, as a part of the step that settled as that work. */
export function changeAndSettle(by: Partial<Work>, before: Work | null = null): void {
  change(by)
  settle(before)
}

/** Counts up when another work is opened, so that late answers to the old one can be recognised. */
export let openings = 0

/** Put another work in place, with the readings of its text. */
export function restore(to: Work, was: RecipeCard, now: RecipeCard, undoable = true): void {
  openings++
  if (undoable) {
    // What was typed and not yet read well must not be lost.
    cancelStep()
    settle()
  }
  pendingStep = null
  batch(() => {
    base.value = was
    card.value = now
    goodText.value = now.text
    work.value = to
  })
  if (undoable) settle()
  else settled = to
}

/** A new reading of the text. Values of parameters that are gone go too. */
export function acceptReading(now: RecipeCard): void {
  batch(() => {
    card.value = now
    goodText.value = now.text
    const held = work.peek()
    if (!held) return
    const names = new Set(now.params.filter((param) => !param.place).map((param) => param.name))
    const values = Object.fromEntries(Object.entries(held.values).filter(([name]) => names.has(name)))
    if (Object.keys(values).length !== Object.keys(held.values).length) work.value = { ...held, values }
  })
}

/** Turn a parameter: the number in the text changes and nothing else. */
export function turnParam(param: Param, value: Value): void {
  const now = work.peek()
  const reading = card.peek()
  if (!now || !reading) return
  const place = reading.params.find((one) => one.name === param.name)?.place
  if (!place || now.text !== goodText.peek()) {
    // No place in the text, or the text is broken just now: the value goes beside it.
    change({ values: { ...now.values, [param.name]: value } })
    return
  }
  const turned = turnedCard(reading, param, value)
  batch(() => {
    card.value = turned
    goodText.value = turned.text
    change({ text: turned.text })
  })
}

/** A reading of a text with another default of a parameter: that word of the text changes and nothing else. The reading itself if the default does not stand in the text as one word. */
export function turnedCard(reading: RecipeCard, param: Param, value: Value): RecipeCard {
  const place = reading.params.find((one) => one.name === param.name)?.place
  if (!place) return reading
  const text = paramText(param, value)
  const lines = reading.text.split("\n")
  const line = lines[place.line - 1] ?? ""
  lines[place.line - 1] = line.slice(0, place.column - 1) + text + line.slice(place.column - 1 + place.length)
  const shift = text.length - place.length
  const params = reading.params.map((one) => {
    if (one.name === param.name) return { ...one, default: value, place: { ...place, length: text.length } }
    if (one.place?.line === place.line && one.place.column > place.column) return { ...one, place: { ...one.place, column: one.place.column + shift } }
    return one
  })
  return { ...reading, text: lines.join("\n"), params }
}

/** The same for several parameters, with the values of those whose default does not stand in the text. */
export function turnedCards(reading: RecipeCard, given: Record<string, Value>): { card: RecipeCard; values: Record<string, Value> } {
  const values: Record<string, Value> = {}
  let turned = reading
  for (const [name, value] of Object.entries(given)) {
    const param = reading.params.find((one) => one.name === name)
    if (!param?.place) values[name] = value
    else if (!sameValue(value, param.default)) turned = turnedCard(turned, param, value)
  }
  return { card: turned, values }
}

/** A work of which a file has another name now: that of its recipe, or its own. */
export function withFile(of: Work, path: string, to: string): Work {
  if (of.document === path) return { ...of, document: to }
  return "path" in of.base && of.base.path === path ? { ...of, base: { path: to }, file: to } : of
}

/** The current work follows its file to another name, and so do those of undo. */
export function followFileName(path: string, to: string, was: RecipeCard | undefined): void {
  const rename = (one: Work): Work => withFile(one, path, to)
  batch(() => {
    undoStack.value = undoStack.peek().map(rename)
    redoStack.value = redoStack.peek().map(rename)
    const held = documentText.peek()
    if (held?.document === path) documentText.value = { ...held, document: to }
    const now = work.peek()
    if (!now || rename(now) === now) return
    const isSettled = now === settled
    work.value = rename(now)
    settled = isSettled ? work.peek() : settled && rename(settled)
    if (was) base.value = was
  })
}

function stepHistory(from: Signal<Work[]>, onto: Signal<Work[]>): void {
  settle()
  const to = from.peek().at(-1)
  const now = pendingStep?.to ?? work.peek()
  if (!to || !now) return
  pendingStep = { to, was: pendingStep?.was ?? [undoStack.peek(), redoStack.peek(), settled] }
  from.value = from.peek().slice(0, -1)
  onto.value = [...onto.peek(), now]
  settled = to
  void reopenWork(to).then((good) => good || pendingStep?.to !== to || cancelStep())
}
export const undo = (): void => stepHistory(undoStack, redoStack)
export const redo = (): void => stepHistory(redoStack, undoStack)

/** Set by state/recipes.ts, which reads texts; importing it here would be a cycle. */
let reopenWork: (to: Work) => Promise<boolean>
export const setReopenWork = (how: typeof reopenWork): void => void (reopenWork = how)
