/** The picture of something to choose: a room drawn as a thumbnail, or a sample in lines. */
import { useMemo } from "preact/hooks"
import type { SmallLevel } from "../canvas/draw_thumbnail"
import { STANDARD_TILES } from "../canvas/standard_tiles"
import type { Choice } from "../server/protocol"
import { Thumb } from "./thumbnail"

/** Rows of standard glyphs as a small level. */
export function levelOfRows(rows: readonly string[]): SmallLevel {
  const width = Math.max(1, ...rows.map((row) => row.length))
  const codes = new Map(STANDARD_TILES.map((tile, code) => [tile.glyph, code]))
  const tiles = rows.flatMap((row) => [...row.padEnd(width)].map((glyph) => codes.get(glyph) ?? 0))
  return { width, height: rows.length, tiles, palette: STANDARD_TILES, start: null, end: null }
}

/** A choice; a recipe's picture is a level, null until it is made. */
export interface PicturedChoice extends Choice {
  level?: SmallLevel | null
}

export function ChoicePicture({ of, width, height }: { of: PicturedChoice; width: number; height: number }) {
  const small = useMemo(() => of.level ?? (of.rows?.length ? levelOfRows(of.rows) : null), [of.level, of.rows])
  if (small || of.level === null) return <Thumb of={small} width={width} height={height} flat={of.rows?.some((row) => !row.trim()) ?? false} />
  if (!of.sample?.length) return null
  return (
    <span class="choice-sample" style={{ width, minHeight: height }}>
      {of.sample.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  )
}
