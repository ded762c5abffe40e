/** Rows of glyphs turned and mirrored, as rules are: variants 1 to 3 are quarter turns clockwise, 4 to 7 the same after left and right were changed. */

export function turned(rows: readonly string[], variant: number): string[] {
  let now = rows.map((row) => [...row])
  if (variant & 4) now = now.map((row) => [...row].reverse())
  for (let k = 0; k < (variant & 3); k++) {
    const high = now.length
    const wide = now[0]?.length ?? 0
    now = Array.from({ length: wide }, (_, y) => Array.from({ length: high }, (_, x) => now[high - 1 - x]?.[y] ?? "?"))
  }
  return now.map((row) => row.join(""))
}

/** Where a cell of a variant stands in the pattern as it is drawn in the text. */
export function unturned([x, y]: [number, number], variant: number, [width, height]: [number, number]): [number, number] {
  // Turn back quarter by quarter: the size before each turn is the other way round.
  let at: [number, number] = [x, y]
  const turns = variant & 3
  for (let k = turns; k > 0; k--) {
    const high = k % 2 === 1 ? height : width
    // (x, y) came from (y, high - 1 - x) of what was `high` rows high before this turn.
    at = [at[1], high - 1 - at[0]]
  }
  return variant & 4 ? [width - 1 - at[0], at[1]] : at
}

/** The cells that a rule would change, seen from its top left corner: those of the first result that say something else than the pattern. */
export function writtenCells(pattern: readonly string[], results: readonly (readonly string[])[], variant: number): [number, number][] {
  const before = turned(pattern, variant).map((row) => [...row])
  const cells = new Map<string, [number, number]>()
  for (const result of results)
    turned(result, variant).forEach((row, y) =>
      [...row].forEach((glyph, x) => {
        if (glyph !== "?" && glyph !== before[y]?.[x]) cells.set(`${x} ${y}`, [x, y])
      }),
    )
  return [...cells.values()]
}

/** Width and height of a variant. */
export const variantSize = ([width, height]: [number, number], variant: number): [number, number] => (variant & 1 ? [height, width] : [width, height])

export const POSITIONS = ["as drawn", "turned once", "turned twice", "turned three times", "mirrored", "mirrored, turned once", "mirrored, turned twice", "mirrored, turned three times"]
