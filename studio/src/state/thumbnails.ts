/** Thumbnails of works: made one after the other, in a lane of their own; those that are seen and the last ones before them are remembered. */
import { signal } from "@preact/signals"
import type { Small } from "../canvas/draw_thumbnail"
import { STANDARD } from "../canvas/standard_tiles"
import type { Source, ThumbHead } from "../server/protocol"
import { ask, connection } from "../server/connection"
import { cellsOf, type Level } from "./level"
import { cardOf } from "./recipes"
import { isMap, type Work } from "./work"

/** How many are remembered, besides those that are seen. */
const KEPT = 60
/** A thumbnail, or null if none could be made; and when it was rendered last, as `smallsMade` counts. The one that was not seen for longest comes first. */
const made = new Map<string, { small: Small | null; seen: number }>()
/** Counts up when one more is there. */
export const smallsMade = signal(0)
const queue: { key: string; source: Source }[] = []
let busy = false

export const keyOf = (source: Source): string => JSON.stringify(source)

/** The source of a work without reading its text: named if it is the recipe's own, else the text itself. */
export function roughSource(of: Work): Source {
  return {
    recipe: isMap(of) || cardOf(of.base)?.text === of.text ? of.base : { text: of.text, file: of.file },
    seed: of.seed,
    size: of.size,
    params: of.values,
    until: of.until,
    tries: of.tries,
    ...(of.keep?.cells.length ? { keep: of.keep } : {}),
    ...(of.edits?.length ? { edits: of.edits } : {}),
  }
}

/** A thumbnail; null until it is made. Call it while rendering: `smallsMade` renders again. */
export function small(source: Source): Small | null {
  void smallsMade.value
  const key = keyOf(source)
  const found = made.get(key)
  if (found) {
    found.seen = smallsMade.peek()
    made.delete(key)
    made.set(key, found)
    return found.small
  }
  if (!queue.some((one) => one.key === key)) queue.push({ key, source })
  void work()
  return null
}

/** No level could be made of it. */
export const smallFailed = (source: Source): boolean => made.get(keyOf(source))?.small === null

/** A level that is there already needs no asking. */
export function keepSmall(source: Source, of: Level): void {
  // The tiles are a part of the whole answer, which would be remembered with them.
  keep(keyOf(source), { width: of.width, height: of.height, tiles: of.tiles.slice(), palette: of.head.palette, start: of.head.start, end: of.head.end, path: of.path })
}

/** One more is there. What is on the screen is rendered again then, so that all that was not seen since the last few may be forgotten. */
function keep(key: string, small: Small | null): void {
  const now = smallsMade.peek() + 1
  made.delete(key)
  made.set(key, { small, seen: now })
  for (const [oldest, { seen }] of made) {
    if (made.size <= KEPT || seen > now - 4) break
    made.delete(oldest)
  }
  smallsMade.value = now
}

async function work(): Promise<void> {
  if (busy || connection.peek().kind !== "open") return
  busy = true
  await Promise.resolve()
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { key, source } = next
    if (made.has(key)) continue
    const { seed, ...rest } = source
    let found: Small | null = null
    const reply = await ask<unknown, ThumbHead>(
      "gallery",
      { do: "wall", seeds: [seed], measures: [], ...rest },
      {
        part: (head, blocks) => {
          if (blocks.tiles)
            found = { width: head.size[0], height: head.size[1], tiles: blocks.tiles.slice(), palette: head.palette ?? STANDARD, start: head.start, end: head.end, path: cellsOf(blocks.path, head.size[0]) }
        },
      },
    )
    if (reply.kind === "gone") break
    if (found || reply.kind !== "cancelled") keep(key, found) // one that was cancelled is asked for again when it is wanted
  }
  busy = false
}
connection.subscribe((now) => {
  if (now.kind === "open") void work()
})
