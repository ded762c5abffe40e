/** Rules in words. */
import type { Row } from "./explanations"
import type { TileInfo } from "../../../server/protocol"

/** Text for how often it fired: in words where a number says less. */
export function firedText(row: Row): string {
  if (row.fired === 0) return "never fired"
  if (row.firedNow === 0) return "not yet"
  return row.firedNow === 1 ? "fired once" : `fired ${row.firedNow.toLocaleString("en")}`
}

export const firstClause = (text: string): string => text.split(/[.:;]/)[0] ?? ""

/** "middle", "top left", or the column and row. */
export function placeText([x, y]: [number, number], [width, height]: [number, number], variant: number): string {
  const [wide, high] = variant & 1 ? [height, width] : [width, height]
  if (wide === 3 && high === 3) return (["top", "", "bottom"][y] + " " + ["left", "middle", "right"][x]).trim()
  if (wide === 1 && high === 1) return "only"
  return `(${x + 1}, ${y + 1})`
}

export const tileName = (sign: string, palette: readonly TileInfo[]): string => palette.find((tile) => tile.glyph === sign || (tile.glyph === " " && sign === "X"))?.name ?? ""
