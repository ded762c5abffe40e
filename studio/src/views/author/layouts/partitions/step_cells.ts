/** What one step of growth does to a row of cells. */
import type { Part } from "../model"

/** Which of the first cells each of the cells after a step is a copy of, and which are new. */
export function cellsAfterStep(many: number, of: Part["x"]): { from: number; fresh: boolean }[] {
  const cells = Array.from({ length: many }, (_, from) => ({ from, fresh: false }))
  const copies = (from: number, count: number): { from: number; fresh: boolean }[] => Array.from({ length: Math.max(0, count) }, () => ({ from, fresh: true }))
  if (of.by === "multiples") {
    const middle = of.direction === 0 && many % 2 === 1 ? (many - 1) / 2 : -1
    return cells.flatMap((cell) => [cell, ...copies(cell.from, cell.from === middle ? 2 : 1)])
  }
  const before = of.direction < 0 ? of.amount : of.direction === 0 ? of.amount / 2 : 0
  const after = of.direction > 0 ? of.amount : of.direction === 0 ? of.amount / 2 : 0
  return [...copies(0, before), ...cells, ...copies(many - 1, after)]
}
