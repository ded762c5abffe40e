/**
 * Small levels of many seeds, with their measures: asked for once and remembered while there is room.
 *
 * The wall, the levels behind a bin and the favourites all take them from here.
 */
import { signal } from "@preact/signals"
import { STANDARD_TILES } from "../../../canvas/standard_tiles"
import type { SmallLevel } from "../../../canvas/draw_thumbnail"
import type { Problem, Source, ThumbHead } from "../../../server/protocol"
import { ask, greeting, type Reply } from "../../../server/connection"
import { cellsOfPairs } from "../../../state/level"

/** A level but for its seed. */
export type About = Omit<Source, "seed">

export interface Seeded extends SmallLevel {
  seed: string
  measures: Record<string, number | null>
  /** Why it is not as required, if it is only the nearest; or why there is none. */
  problem: string
}

/** Takes as long as all others together, so it is measured only where it is shown. */
export const SLOW_MEASURES = new Set(["diameter"])
export const quickMeasures = (): string[] => (greeting.peek()?.measures ?? []).map((one) => one.name).filter((name) => !SLOW_MEASURES.has(name))

const MAX_CACHED_CELLS = 16_000_000
const shelves = new Map<string, Map<string, Seeded>>()
let cells = 0

/** Counts up when levels arrived; at most once a frame. */
export const arrived = signal(0)
let frameRequest = 0
function notifySoon(): void {
  frameRequest ||= requestAnimationFrame(() => {
    frameRequest = 0
    arrived.value++
  })
}

export const keyOf = (about: About): string => JSON.stringify(about)

/** A level that was made before. Read `arrived` while rendering to see it come. */
export const levelOf = (key: string, seed: string): Seeded | undefined => shelves.get(key)?.get(seed)

function store(key: string, level: Seeded): void {
  let shelf = shelves.get(key)
  if (shelf) shelves.delete(key)
  else shelf = new Map()
  // The shelf used last is moved to the end, so that the oldest is dropped first.
  shelves.set(key, shelf)
  const before = shelf.get(level.seed)
  if (before) cells -= before.tiles.length
  shelf.set(level.seed, before ? { ...level, measures: { ...before.measures, ...level.measures } } : level)
  cells += level.tiles.length
  for (const [old, held] of shelves) {
    if (cells <= MAX_CACHED_CELLS || old === key) break
    for (const one of held.values()) cells -= one.tiles.length
    shelves.delete(old)
  }
}

/** Makes the levels that are missing, or that lack a measure. They can be had by `levelOf` as they arrive. */
export async function makeLevels(lane: string, about: About, seeds: readonly string[], measures: readonly string[]): Promise<Reply<unknown>["kind"] | Problem> {
  const key = keyOf(about)
  const missing = seeds.filter((seed) => {
    const found = levelOf(key, seed)
    return !found || (found.width > 0 && measures.some((name) => !(name in found.measures)))
  })
  if (missing.length === 0) return "done"
  const reply = await ask<unknown, ThumbHead>(
    lane,
    { do: "wall", seeds: missing, measures: [...measures], ...about },
    {
      part: (head, blocks) => {
        const [width, height] = head.size
        store(key, {
          seed: head.seed,
          width,
          height,
          tiles: blocks.tiles ?? new Uint8Array(0),
          palette: head.palette ?? STANDARD_TILES,
          start: head.start,
          end: head.end,
          path: cellsOfPairs(blocks.path, width),
          measures: head.measures,
          problem: head.problem ?? "",
        })
        notifySoon()
      },
    },
  )
  if (reply.kind === "problem") return reply.problem
  return reply.kind
}
