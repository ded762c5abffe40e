/** Partitions in words: how many cells, painted when, and how they grow. */
import { boxOf, cellsOfPart, type Axis, type Doc, type Part } from "../model"

export const cellCount = (cells: number): string => (cells === 1 ? "1 cell" : `${cells} cells`)

export const ordinal = (number: number): string => ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"][number - 1] ?? `as number ${number}`

const WAYS: Record<"x" | "y", Record<string, string>> = { x: { "-1": "left", "0": "left and right", "1": "right" }, y: { "-1": "up", "0": "up and down", "1": "down" } }

/** How a partition grows, for screen readers. */
export function growthText(part: Part): string {
  const one = (axis: "x" | "y", of: Axis): string => (of.locked ? `${axis === "x" ? "across" : "down"} locked` : `${WAYS[axis][String(of.direction)]} ${of.by === "multiples" ? "doubling" : `by ${of.amount}`}`)
  return `${one("x", part.x)}, ${one("y", part.y)}${part.ratio ? ", ratio locked" : ""}`
}

/** What a step does, in a sentence. */
export function hint(now: Doc, part: Part, axis: "x" | "y", of: Axis, line: string): string {
  const box = boxOf(cellsOfPart(now, part.id))
  if (!box) return "No cell belongs to it yet: paint some."
  const long = axis === "x" ? box.width : box.height
  if (of.by === "multiples") {
    const odd = of.direction === 0 && long % 2 === 1
    return `Every ${line} is doubled: ${long}, ${odd ? long * 2 + 1 : long * 2}, ${odd ? (long * 2 + 1) * 2 + 1 : long * 4} and so on.${odd ? ` An odd number has a middle, which becomes three.` : ""}`
  }
  if (of.direction === 0) return `Half of the amount goes to each side, so it is even.`
  return `The ${of.direction > 0 ? "last" : "first"} cell of every ${line === "column" ? "row" : "column"} is cloned${of.amount === 1 ? "" : ` ${of.amount} times`}.`
}
