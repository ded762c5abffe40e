/** Blocks of cells, as rules draw them: a square a cell, in the colour of its tile, with its sign. */
import { memo } from "../../../../widgets/memo"
import { lookOf, type Look } from "./tile_looks"

export type Rows = readonly (readonly string[])[]

interface Props {
  rows: Rows
  size: number
  label: string
  /** Classes of a cell: "written" (pale line), "wrong", "dim", "fits". */
  mark?: (x: number, y: number) => string
}

export const splitRows = (rows: readonly string[]): string[][] => rows.map((row) => [...row])

export const cellStyle = (look: Look): Record<string, string> => (look.fill ? { background: look.fill, ...(look.ink ? { color: look.ink } : {}) } : {})

export function gridStyle(rows: Rows, size: number): Record<string, string> {
  return { gridTemplateColumns: `repeat(${rows[0]?.length ?? 1}, ${size}px)`, gridAutoRows: `${size}px`, gap: size >= 26 ? "3px" : size >= 12 ? "2px" : "1px", fontSize: `${Math.max(8, Math.round(size * 0.44))}px` }
}

/** The room that a block takes, with the gaps between its cells. */
export const gridWidth = (columns: number, size: number): number => columns * size + (columns - 1) * (size >= 26 ? 3 : size >= 12 ? 2 : 1)

function Still({ rows, size, label, mark }: Props) {
  return (
    <div class="ar-cells" role="img" aria-label={`${label}: ${rows.map((row) => row.join("")).join(" / ")}`} style={gridStyle(rows, size)}>
      {rows.flatMap((row, y) =>
        row.map((sign, x) => {
          const look = lookOf(sign)
          return (
            <span key={`${x} ${y}`} class={`ar-cell ${look.kind}${look.fill ? "" : " bare"} ${mark?.(x, y) ?? ""}`} style={cellStyle(look)}>
              {size >= 12 && (look.kind === "set" ? <b>{look.sign}</b> : look.sign)}
            </span>
          )
        }),
      )}
    </div>
  )
}

/** A block that only shows. */
export const Cells = memo(Still)

/** The cells of a result that are written anew. */
export const marksDifferences =
  (from: Rows, to: Rows) =>
  (x: number, y: number): string =>
    to[y]?.[x] !== "?" && to[y]?.[x] !== from[y]?.[x] ? "written" : ""
