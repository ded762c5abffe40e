import { colourOf } from "../part_colours"
/** A small figure: a row of the partition before and after one step, so that amount, multiples and direction need no explaining. */
import { boxOf, cellsOfPart, type Doc, type Part } from "../model"
import { cellsAfterStep } from "./step_cells"

const MAX_CELLS = 7

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
