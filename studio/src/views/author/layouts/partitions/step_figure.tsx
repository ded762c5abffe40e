/** A small figure: a row of the partition before and after one step, so that amount, multiples and direction need no explaining. */
import { boxOf, cellsOfPart, colourOf, type Doc, type Part } from "../model"

const MAX_CELLS = 7

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

export function Step({ now, part, axis }: { now: Doc; part: Part; axis: "x" | "y" }) {
  const box = boxOf(cellsOfPart(now, part.id))
  if (!box) return null
  const long = axis === "x" ? box.width : box.height
  const many = Math.min(MAX_CELLS, long)
  const shown = cellsAfterStep(many, part[axis]).slice(0, 20)
  const after = part[axis].by === "multiples" ? (part[axis].direction === 0 && long % 2 ? 2 * long + 1 : 2 * long) : long + part[axis].amount
  const colour = colourOf(now, part.id)
  const shade = (from: number): number => 0.45 + (0.55 * (many === 1 ? 1 : from)) / Math.max(1, many - 1)
  return (
    <div class={"lay-step" + (shown.length > 11 ? " many" : "")} role="img" aria-label={`One step: ${long} becomes ${after}`}>
      <span class="lay-step-row">
        {Array.from({ length: many }, (_, from) => (
          <i key={from} style={{ background: colour, opacity: shade(from) }} />
        ))}
      </span>
      <span class="lay-step-arrow">→</span>
      <span class="lay-step-row">
        {shown.map((cell, at) => (
          <i key={at} class={cell.fresh ? "fresh" : ""} style={{ background: colour, opacity: shade(cell.from) }} />
        ))}
      </span>
      <span class="lay-step-count">
        {long} → {after}
      </span>
    </div>
  )
}
