/** Changes to one drawing of a text: its own lines change, and comments stay where they are. */
import type { Outline } from "./anatomy"
import { blockOf, signsOf, type PatternDrawing } from "./blocks"
import type { Line } from "./lines"

export type Signs = string[][]

/** Other signs in some cells. A block is the pattern (-1) or a result, from 0. */
export interface Stroke {
  block: number
  x: number
  y: number
  sign: string
}

/** The text with some cells written anew. */
export function withCellsPainted(outline: Outline, drawn: PatternDrawing, strokes: readonly Stroke[]): string {
  const lines = outline.lines.map((line) => line.text)
  const cells = strokes.flatMap(({ block, x, y, sign }) => {
    const cell = blockOf(drawn, block)?.[y]?.[x]
    return cell && cell.text !== sign ? [{ ...cell, sign }] : []
  })
  // From the right, so that the columns of the others stay true.
  for (const cell of cells.sort((a, b) => b.line - a.line || b.from - a.from)) {
    const line = lines[cell.line] ?? ""
    lines[cell.line] = line.slice(0, cell.from) + cell.sign + line.slice(cell.to)
  }
  return lines.join("\n")
}

/**
 * The text with the drawing replaced by another. `from` says for each new row which of the old it was, so that comments go along; -1 for a new one.
 * A rule on one line stays on one line, with "/" between its rows.
 */
export function withDrawing(outline: Outline, drawn: PatternDrawing, left: Signs, right: readonly Signs[], from: readonly number[] = left.map((_, at) => at)): string {
  const lines = outline.lines.map((line) => line.text)
  if (drawn.form === "line") {
    const line = lines[drawn.first] ?? ""
    const word = (signs: Signs): string => signs.map((row) => row.join("")).join("/")
    lines[drawn.first] = line.slice(0, drawn.from) + `${word(left)} -> ${right.map(word).join(" | ")}`.trimEnd() + line.slice(drawn.to)
    return lines.join("\n")
  }
  const old = drawn.rows.map((row) => outline.lines[row] as Line)
  const indent = " ".repeat(old[0]?.indent ?? 4)
  const was = old.findIndex((line) => / -> |^ *-> | ->$/.test(line.body))
  const arrow = left.length === old.length && was >= 0 ? was : Math.floor((left.length - 1) / 2)
  const bodies = rowsOf(left, right, arrow).map((row) => indent + row)
  // Comments of rows that are gone go to the next that stays.
  const tails = bodies.map((_, at) => (from[at] === undefined || from[at] < 0 ? "" : (old[from[at]]?.tail ?? "")))
  const lost = old.flatMap((line, at) => (from.includes(at) || !line.tail.trim() ? [] : [line.tail.trim()]))
  if (lost.length) tails[tails.length - 1] = [tails.at(-1)?.trimEnd() ?? "", ...lost.map((tail) => "  " + tail)].join("")
  // Lines that hold only a comment keep their place among the rows.
  const between = new Map<number, string[]>()
  for (let at = drawn.first; at <= drawn.last; at++) {
    if (drawn.rows.includes(at)) continue
    const after = drawn.rows.filter((row) => row < at).length - 1
    const now = Math.max(0, Math.min(bodies.length - 2, from.lastIndexOf(after) < 0 ? after : from.lastIndexOf(after)))
    between.set(now, [...(between.get(now) ?? []), lines[at] ?? ""])
  }
  const out = bodies.flatMap((body, at) => [body + (tails[at] ?? ""), ...(between.get(at) ?? [])])
  lines.splice(drawn.first, drawn.last - drawn.first + 1, ...out)
  return lines.join("\n")
}

/** Rows of a drawing, blocks side by side, the arrow and the bars in one of them. */
export function rowsOf(left: Signs, right: readonly Signs[], arrow = Math.floor((left.length - 1) / 2)): string[] {
  return left.map((row, y) => {
    const here = y === arrow
    const results = right.map((block) => (block[y] ?? []).join("")).join(here ? "  |  " : "     ")
    return (row.join("") + (here ? "  ->  " : "      ") + results).trimEnd()
  })
}

export type Side = "left" | "right" | "top" | "bottom"
export const MAX_SIDE = 64

/** Rows or columns more (or less) at a side, in the pattern and in all results. `fill` stands in new cells. */
export function withSize(outline: Outline, drawn: PatternDrawing, side: Side, by: number, fill: { left: string; right: string }): string | null {
  const wide = drawn.left[0]?.length ?? 0
  const high = drawn.left.length
  const across = side === "left" || side === "right"
  const now = across ? wide : high
  const to = Math.max(1, Math.min(MAX_SIDE, now + by))
  const change = to - now
  if (change === 0) return null
  const grown = (signs: Signs, sign: string): Signs => {
    if (across) return signs.map((row) => withEnds(row, () => sign, side === "left", change))
    return withEnds(signs, () => Array.from({ length: wide }, () => sign), side === "top", change)
  }
  const from = across ? drawn.left.map((_, at) => at) : withEnds(drawn.left.map((_, at) => at), () => -1, side === "top", change)
  return withDrawing(outline, drawn, grown(signsOf(drawn.left), fill.left), drawn.right.map((block) => grown(signsOf(block), fill.right)), from)
}

/** A list with some more or fewer at one of its ends. */
function withEnds<T>(list: readonly T[], fresh: () => T, atStart: boolean, change: number): T[] {
  if (change < 0) return atStart ? list.slice(-change) : list.slice(0, change)
  const more = Array.from({ length: change }, fresh)
  return atStart ? [...more, ...list] : [...list, ...more]
}
