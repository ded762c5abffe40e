/** Logs of what was written to a map, made turn by turn. */
import { STANDARD_TILES } from "../../src/canvas/standard_tiles"
import type { TimelineHead } from "../../src/server/protocol"
import type { Blocks } from "../../src/server/message"
import { WriteLog } from "../../src/views/understand/timeline/write_log"

export interface Turn {
  who: string
  /** Cells and what is written there. */
  writes: [number, number][]
  /** The map has another size from here on: then every cell is written. */
  size?: [number, number]
}

/** A log, with the tiles after every turn as they should be. */
export function logOf(size: [number, number], turns: readonly Turn[], last?: { tiles: Uint8Array; size: [number, number] }): { log: WriteLog; maps: Uint8Array[] } {
  const names = [...new Set(turns.map((turn) => turn.who))]
  const who = [0]
  const ends = [0]
  const [cells, old, fresh]: number[][] = [[], [], []]
  const sizes: TimelineHead["sizes"] = [{ from: 0, size }]
  let tiles = new Uint8Array(size[0] * size[1])
  const maps = [tiles.slice()]
  turns.forEach((turn, at) => {
    if (turn.size) {
      sizes.push({ from: at + 1, size: turn.size })
      tiles = new Uint8Array(turn.size[0] * turn.size[1])
    }
    for (const [cell, code] of turn.writes) {
      cells?.push(cell)
      old?.push(tiles[cell] as number)
      fresh?.push(code)
      tiles[cell] = code
    }
    who.push(names.indexOf(turn.who))
    ends.push(cells?.length ?? 0)
    maps.push(tiles.slice())
  })
  const head: TimelineHead = { turns: turns.length + 1, size, sizes, names, palettes: [{ from: 0, tiles: STANDARD_TILES }], thinned: false }
  const blocks: Blocks = { who: Uint16Array.from(who), ends: Uint32Array.from(ends), cells: Uint32Array.from(cells ?? []), old: Uint8Array.from(old ?? []), new: Uint8Array.from(fresh ?? []), first: new Uint8Array(size[0] * size[1]) }
  return { log: new WriteLog(head, blocks, last && { ...last, palette: STANDARD_TILES }), maps }
}
