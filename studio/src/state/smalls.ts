/** Thumbnails of works: made one after the other, in a lane of their own, and remembered while the page is open. */
import { signal } from "@preact/signals"
import type { Small } from "../map/thumb"
import { STANDARD } from "../map/palette"
import type { Source, ThumbHead } from "../protocol"
import { ask, connection } from "../server"
import { cellsOf, type Level } from "./level"
import { cardOf } from "./recipes"
import { isMap, type Work } from "./work"

const made = new Map<string, Small | null>()
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
  if (found !== undefined) return found
  if (!queue.some((one) => one.key === key)) queue.push({ key, source })
  void work()
  return null
}

/** No level could be made of it. */
export const smallFailed = (source: Source): boolean => made.get(keyOf(source)) === null

/** A level that is there already needs no asking. */
export function keepSmall(source: Source, of: Level): void {
  made.set(keyOf(source), { width: of.width, height: of.height, tiles: of.tiles, palette: of.head.palette, start: of.head.start, end: of.head.end, path: of.path })
  smallsMade.value = smallsMade.peek() + 1
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
            found = { width: head.size[0], height: head.size[1], tiles: blocks.tiles, palette: head.palette ?? STANDARD, start: head.start, end: head.end, path: cellsOf(blocks.path, head.size[0]) }
        },
      },
    )
    if (reply.kind === "gone") break
    made.set(key, found)
    smallsMade.value = smallsMade.peek() + 1
  }
  busy = false
}
connection.subscribe((now) => {
  if (now.kind === "open") void work()
})
