/** The server's reading of the text: rules, variants, expectations, notes, a run on a map, and uses over some seeds. */
import { computed, effect, signal } from "@preact/signals"
import type { Expectation, Problem, Refusals, RuleDrawn, RulesRead } from "../../../server/protocol"
import { ask, connection } from "../../../server/connection"
import { changedFile } from "../../../state/recipes"
import { oneOf, recall, remember } from "../../../state/storage"
import type { Rule } from "./text/anatomy"
import { doc, rule } from "./state"
import { runMap, startNow } from "./trial/run_start"
import { STANDARD_TILES } from "../../../canvas/standard_tiles"
import { dependOn } from "../../../state/depend_on"

export interface Reading {
  text: string
  file: string
  head: RulesRead
  /** The map of the run, and the line of the rule it is about. */
  tiles: Uint8Array | null
  /** The map before it. */
  begin: Uint8Array | null
  line: number
  /** Seed, size and the rest of what was asked of the run. */
  about: string
}

/** The last answer, and the last one without a problem. */
export const reading = signal<Reading | null>(null)
export const lastGood = signal<Reading | null>(null)
export const coverage = signal<{ text: string; of: NonNullable<RulesRead["coverage"]> } | null>(null)
/** The request itself failed: the map is too large, or a worker died. */
export const failure = signal<Problem | null>(null)
/** The text, or what is asked about it, is newer than what is shown. */
export const behind = computed(() => {
  const now = reading.value
  if (!doc.value || !now) return true
  const line = rule.value?.drawn ? rule.value.drawn.first + 1 : 0
  return now.text !== doc.value.text || now.file !== doc.value.file || now.line !== line || now.about !== aboutRun.value
})

export const COVERAGE_SEEDS = 20
export const runSeed = signal(recall("author run seed", "7"))
export const runSize = signal<[number, number]>(recall<[number, number]>("author run size", [27, 23]))
/** The map at the end of the program, or when the rule was used for the last time. */
export const runUntil = signal<"end" | "rule">(recall<"end" | "rule">("author run until", "rule", oneOf("end", "rule")))
effect(() => {
  remember("author run seed", runSeed.value)
  remember("author run size", runSize.value)
  remember("author run until", runUntil.value)
})

/** The map that the run begins with. */
const runOnMap = computed(() => runMap(startNow.value, runSize.value, (tile) => (lastGood.value?.head.tiles ?? STANDARD_TILES).some((one) => one.name === tile)))
const aboutMap = computed(() => JSON.stringify([runOnMap.value, runSize.value]))
const aboutRun = computed(() => [runSeed.value, runUntil.value, aboutMap.value].join(" "))

export const problems = computed<Problem[]>(() => {
  const now = reading.value
  if (!now || now.file !== doc.value?.file) return []
  return now.head.problems.map((one) => (one.place && one.place.file !== now.file ? { ...one, problem: `${one.place.file}, line ${one.place.line}: ${one.problem}`, place: null, change: null } : one))
})

let busy = false
let again = false
/** Something changed while an answer was awaited. */
const isAskedAgain = (): boolean => again
let coverageTimer: ReturnType<typeof setTimeout> | undefined

function currentRequest() {
  const now = doc.peek()
  if (!now) return null
  const at = rule.peek()
  const line = at?.drawn ? at.drawn.first + 1 : 0
  const run = line ? { rule: at?.name ?? "", line, seed: runSeed.peek(), size: runSize.peek(), until: runUntil.peek(), on: runOnMap.peek() } : undefined
  return { text: now.text, file: now.file, line, run, about: aboutRun.peek() }
}

/** One request at a time: during a stroke, the newest text is requested as soon as the last one is answered. */
async function readRules(): Promise<void> {
  if (busy) {
    again = true
    return
  }
  busy = true
  do {
    again = false
    const want = currentRequest()
    if (!want) break
    const { text, file, line, run, about } = want
    const reply = await ask<RulesRead>("author rules", { do: "rules", text, file, ...(run ? { run } : {}) })
    if (reply.kind === "problem") failure.value = reply.problem
    else if (reply.kind !== "done") break
    else {
      failure.value = null
      const found = { text, file, head: reply.head, tiles: (reply.blocks.tiles as Uint8Array | undefined) ?? null, begin: (reply.blocks.begin as Uint8Array | undefined) ?? null, line, about }
      reading.value = found
      if (reply.head.problems.length === 0) lastGood.value = found
    }
  } while (isAskedAgain())
  busy = false
  clearTimeout(coverageTimer)
  coverageTimer = setTimeout(() => void countUses(), 500)
}

/** Uses over seeds are counted on maps up to so many cells: on larger ones that would keep the server from drawing. */
const MAX_COUNTED_CELLS = 20_000
export const isCounted = computed(() => {
  const now = reading.value?.head.run
  return now !== undefined && now.ends && now.size[0] * now.size[1] <= MAX_COUNTED_CELLS
})

async function countUses(): Promise<void> {
  const want = currentRequest()
  const text = want && want.text + aboutMap.peek()
  if (!want?.run || reading.peek()?.text !== want.text || !isCounted.peek() || coverage.peek()?.text === text) return
  const reply = await ask<RulesRead>("author coverage", { do: "rules", text: want.text, file: want.file, run: want.run, seeds: COVERAGE_SEEDS })
  if (reply.kind === "done" && reply.head.coverage) coverage.value = { text: text ?? "", of: reply.head.coverage }
}

effect(() => {
  dependOn(doc.value?.text, doc.value?.file, rule.value?.drawn?.first, aboutRun.value, changedFile.value?.at)
  if (connection.value.kind === "open" && doc.value) queueMicrotask(() => void readRules())
})

/* ---- what belongs to which part of the text ---- */

const fresh = computed(() => (lastGood.value?.file === doc.value?.file ? lastGood.value : null))
export const goodReading = fresh

/** The server's reading of a rule: in this text, or in the last one without problems. */
export function ruleReading(one: Rule): RuleDrawn | null {
  const now = fresh.value
  if (!now) return null
  if (now.text === doc.value?.text) return now.head.rules.find((drawn) => drawn.line === (one.drawn?.first ?? -2) + 1) ?? null
  const own = now.head.rules.filter((drawn) => drawn.line > 0)
  return own.find((drawn) => one.name !== "" && drawn.name === one.name) ?? own[one.index] ?? null
}

export function coverageOf(one: Rule): ({ fired: number; runs: number; results: number[]; seeds: number } & Refusals) | null {
  const now = coverage.value
  const drawn = ruleReading(one)
  const at = drawn ? (fresh.value?.head.rules.indexOf(drawn) ?? -1) : -1
  const found = at < 0 ? undefined : now?.of.rules[at]
  return now && found && now.text === (doc.value?.text ?? "") + aboutMap.value ? { ...found, seeds: now.of.seeds } : null
}

export const expectationAt = (line: number): Expectation | null => (fresh.value?.text === doc.value?.text ? (fresh.value?.head.expectations.find((one) => one.line === line + 1) ?? null) : null)
