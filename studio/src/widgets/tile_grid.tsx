/** A small picture of glyphs, as rules and nearest misses show it: one square a cell, in the colour of its tile. */
import type { TileInfo } from "../server/protocol"

export interface TileGridProps {
  /** Rows of glyphs. */
  rows: readonly string[]
  palette: readonly TileInfo[]
  /** Pixels of a cell. */
  size: number
  /** Show the glyphs; only with room for them. */
  glyphs?: boolean
  /** The look of a cell: "wanted" (amber line), "wrong" (amber fill, red line), "written" (pale line), "dim". */
  mark?: (x: number, y: number) => string
  label: string
  onCell?: (x: number, y: number, event: PointerEvent) => void
}

const INK = { dark: "#14161f", light: "#f2f3f8" }

/** The colour of a glyph, and what can be read on it. "?" and glyphs that no tile has are empty squares. */
export function glyphLook(glyph: string, palette: readonly TileInfo[]): { fill: string; ink: string } | null {
  const tile = palette.find((one) => one.glyph === glyph)
  if (!tile || glyph === "?" || tile.role === "void") return null
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(tile.colour.slice(at, at + 2), 16)) as [number, number, number]
  return { fill: tile.colour, ink: red * 0.3 + green * 0.6 + blue * 0.1 > 120 ? INK.dark : INK.light }
}

export function TileGrid({ rows, palette, size, glyphs = size >= 16, mark, label, onCell }: TileGridProps) {
  const columns = Math.max(1, ...rows.map((row) => [...row].length))
  return (
    <div class={"tile-grid" + (size < 10 ? " tiny" : "")} role="img" aria-label={label} style={{ gridTemplateColumns: `repeat(${columns}, ${size}px)`, gridAutoRows: `${size}px` }}>
      {rows.flatMap((row, y) =>
        [...row].map((glyph, x) => {
          const look = glyphLook(glyph, palette)
          const names = ["tile", look ? "" : "none", mark?.(x, y) ?? ""].filter(Boolean).join(" ")
          return (
            <span key={`${x} ${y}`} class={names} style={look ? { background: look.fill, color: look.ink } : {}} onPointerDown={onCell ? (event) => onCell(x, y, event) : undefined}>
              {glyphs ? glyph : ""}
            </span>
          )
        }),
      )}
    </div>
  )
}
