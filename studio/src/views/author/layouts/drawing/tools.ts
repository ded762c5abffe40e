/** What the tools do on the map, by pointer and by keyboard. */
import { cellsBetween } from "../../../../canvas/cells_between"
import { say } from "../../../../state/navigation"
import { brush, pickUp, tool, wareName, ware } from "./brush"
import { busyHand, cellAt, map, onField } from "./field"
import { floodCells, withLineCopied, withoutLines, withCellsErased, withCellsPainted, withSidePulled, type Side } from "../edits"
import { boxOf, partName, cellKey, type Cell } from "../model"
import { chosen, doc, draw, drawAndSettle, settle } from "../state"

let last: [number, number] | null = null
/** The eraser for this stroke: the other button, or Alt held. */
let erasing = false

map.tool = {
  name: "layout",
  cursor: "crosshair",
  begin: (cell, event) => {
    const now = doc.peek()
    if (!now) return false
    const there = cellAt(cell)
    if (tool.peek() === "pick" || event.ctrlKey || event.metaKey) {
      if (there) pickFromCell(there)
      return true
    }
    if (tool.peek() === "fill") {
      const [x, y] = onField(cell)
      drawAndSettle(withCellsPainted(now, floodCells(now, x, y), brush()))
      return true
    }
    erasing = tool.peek() === "erase" || event.altKey
    busyHand.value = true
    last = onField(cell)
    drawStroke(last, last)
    return true
  },
  move: (cell) => {
    if (!last || !cell) return
    const to = onField(cell)
    drawStroke(last, to)
    last = to
  },
  end: () => {
    if (last) settle()
    last = null
    busyHand.value = false
  },
}

function drawStroke(from: [number, number], to: [number, number]): void {
  const now = doc.peek()
  if (!now) return
  const cells = cellsBetween(from, to).map((cell) => cellKey(...cell))
  draw(erasing ? withCellsErased(now, cells) : withCellsPainted(now, cells, brush()))
}

function pickFromCell(cell: Cell): void {
  pickUp(cell)
  tool.value = "pencil"
  const now = doc.peek()
  if (now) say(`Picked up ${wareName(ware.peek())}, ${partName(now, chosen.peek())}`)
}

/** The same as a click, on the cell cursor. */
map.onEnter = (cell) => {
  const now = doc.peek()
  if (!now) return
  const [x, y] = onField(cell)
  const there = cellAt(cell)
  if (tool.peek() === "pick") {
    if (there) pickFromCell(there)
  } else if (tool.peek() === "erase") drawAndSettle(withCellsErased(now, [cellKey(x, y)]))
  else drawAndSettle(withCellsPainted(now, tool.peek() === "fill" ? floodCells(now, x, y) : [cellKey(x, y)], brush()))
}

/** A cell as screen readers announce it. */
export function describeCell(cell: [number, number]): string {
  const now = doc.peek()
  const there = cellAt(cell)
  const [x, y] = onField(cell)
  if (!now || !there) return `(${x}, ${y}), nothing`
  return `(${x}, ${y}), ${wareName(there.mark ? { tile: there.tile, mark: there.mark } : { tile: there.tile })}, ${partName(now, there.part)}`
}

/* ---- columns and rows ---- */

/** The column (axis 0) or row (1) of the cursor or the pointer, else the middle one. */
function lineAtCursor(axis: 0 | 1): number | null {
  const now = doc.peek()
  const box = now && boxOf(now.cells.keys())
  if (!box) return null
  const cell = map.cursor.peek() ?? map.hovered.peek()
  const at = cell ? onField(cell)[axis] : axis === 0 ? box.x + Math.floor(box.width / 2) : box.y + Math.floor(box.height / 2)
  const [low, many] = axis === 0 ? [box.x, box.width] : [box.y, box.height]
  return Math.max(low, Math.min(low + many - 1, at))
}

/** One more column (axis 0) or row (1), a copy of the one at the cursor; or that one goes. */
export function insertLine(axis: 0 | 1): void {
  const [now, at] = [doc.peek(), lineAtCursor(axis)]
  if (now && at !== null) drawAndSettle(withLineCopied(now, axis, at))
}
export function removeLine(axis: 0 | 1): void {
  const [now, at] = [doc.peek(), lineAtCursor(axis)]
  const box = now && boxOf(now.cells.keys())
  if (now && at !== null && box && (axis === 0 ? box.width : box.height) > 1) drawAndSettle(withoutLines(now, axis, at))
}

export function pullSide(side: Side, by: number): void {
  const now = doc.peek()
  if (now) drawAndSettle(withSidePulled(now, side, by))
}
