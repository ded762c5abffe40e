/** Thumbnails of works: made one after the other, in a lane of their own; those that are seen and the last ones before them are remembered. */
import { signal } from "@preact/signals"
import type { SmallLevel } from "../canvas/draw_thumbnail"
import { STANDARD_TILES } from "../canvas/standard_tiles"
import type { Source, ThumbHead } from "../server/protocol"
import { ask, connection } from "../server/connection"
import { cellsOfPairs, type Level } from "./level"
import { cardOf } from "./recipes"
import { isMap, type Work } from "./work"
import { dependOn } from "./depend_on"

/** How many are remembered, besides those that are seen. */
const MAX_REMEMBERED = 60
/** A thumbnail, or null if none could be made; and when it was rendered last, as `thumbnailsMade` counts. The one that was not seen for longest comes first. */
const thumbnails = new Map<string, { small: SmallLevel | null; seen: number }>()
/** Counts up when one more is there. */
export const thumbnailsMade = signal(0)
const queue: { key: string; source: Source }[] = []
let busy = false

export const sourceKey = (source: Source): string => JSON.stringify(source)

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

/** A thumbnail; null until it is made. Call it while rendering: `thumbnailsMade` renders again. */
export function thumbnailOf(source: Source): SmallLevel | null {
  dependOn(thumbnailsMade.value)
  const key = sourceKey(source)
  const found = thumbnails.get(key)
  if (found) {
    found.seen = thumbnailsMade.peek()
    thumbnails.delete(key)
    thumbnails.set(key, found)
    return found.small
  }
  if (!queue.some((one) => one.key === key)) queue.push({ key, source })
  void makeQueued()
  return null
}

/** No level could be made of it. */
export const thumbnailFailed = (source: Source): boolean => thumbnails.get(sourceKey(source))?.small === null

/** A level that is there already needs no asking. */
export function rememberThumbnail(source: Source, of: Level): void {
  // The tiles are a part of the whole answer, which would be remembered with them.
  store(sourceKey(source), { width: of.width, height: of.height, tiles: of.tiles.slice(), palette: of.head.palette, start: of.head.start, end: of.head.end, path: of.path })
}

/** One more is there. What is on the screen is rendered again then, so that all that was not seen since the last few may be forgotten. */
function store(key: string, small: SmallLevel | null): void {
  const now = thumbnailsMade.peek() + 1
  thumbnails.delete(key)
  thumbnails.set(key, { small, seen: now })
  for (const [oldest, { seen }] of thumbnails) {
    if (thumbnails.size <= MAX_REMEMBERED || seen > now - 4) break
    thumbnails.delete(oldest)
  }
  thumbnailsMade.value = now
}

async function makeQueued(): Promise<void> {
  if (busy || connection.peek().kind !== "open") return
  busy = true
  await Promise.resolve()
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { key, source } = next
    if (thumbnails.has(key)) continue
    const { seed, ...rest } = source
    let found = null as SmallLevel | null
    const reply = await ask<unknown, ThumbHead>(
      "gallery",
      { do: "wall", seeds: [seed], measures: [], ...rest },
      {
        part: (head, blocks) => {
          if (blocks.tiles)
            found = { width: head.size[0], height: head.size[1], tiles: blocks.tiles.slice(), palette: head.palette ?? STANDARD_TILES, start: head.start, end: head.end, path: cellsOfPairs(blocks.path, head.size[0]) }
        },
      },
    )
    if (reply.kind === "gone") break
    if (found || reply.kind !== "cancelled") store(key, found) // a cancelled one is requested again when it is needed
  }
  busy = false
}
connection.subscribe((now) => {
  if (now.kind === "open") void makeQueued()
})
