/** Small levels that are drawn as text, with the signs of the standard tiles. */
import { STANDARD_TILES } from "../../src/canvas/standard_tiles"
import type { Level } from "../../src/state/level"

export const codeOf = (sign: string): number => STANDARD_TILES.findIndex((tile) => tile.glyph === sign)

/** Tile numbers of some rows; a blank is void. */
export const tilesOf = (rows: readonly string[]): Uint8Array => Uint8Array.from(rows.join(""), codeOf)

/** A level whose regions are given as digits, in rows as large as the map. */
export function levelOf(rows: readonly string[], regions: readonly string[] = [], head: Partial<Level["head"]> = {}): Level {
  const [width, height] = [rows[0]?.length ?? 0, rows.length]
  const source = { recipe: { name: "test" }, seed: "1", size: null, params: {}, until: [], tries: 100 }
  return {
    head: {
      title: "", recipe: "test", seed: "1", attempt: 1, size: [width, height], palette: STANDARD_TILES, start: null, end: null, rooms: [], doors: [], links: [], things: [],
      measures: {}, requirements: [], rejected: 0, causes: {}, notes: [], moved: [], milliseconds: 1, steps: [], editions: {}, ...head,
    },
    width,
    height,
    tiles: tilesOf(rows),
    labels: Uint16Array.from(regions.length ? regions.join("") : "0".repeat(width * height), Number),
    path: new Int32Array(0),
    source,
    exact: { ...source, attempt: 1 },
    unmet: null,
    number: 1,
  }
}

export const roomOf = (id: number, number: number, at: [number, number], more: Partial<Level["head"]["rooms"][number]> = {}): Level["head"]["rooms"][number] => ({ id, number, kind: number ? "room" : "corridor", name: "", area: 9, at, tags: [], ...more })
