/** What the tools do on the map, by pointer and by keyboard. */
import { say } from "../../../../state/navigation"
import { brush, pickUp, tool, wareName, ware } from "./brush"
import { busyHand, cellAt, map, onField } from "./field"
import { alike, between, copied, cut, erased, painted, pulled, type Side } from "../edits"
import { boxOf, called, key, type Cell } from "../model"
import { chosen, doc, draw, set, settle } from "../state"

let last: [number, number] | null = null
/** The eraser for this stroke: the other button, or Alt held. */
let rubbing = false

map.tool = {
  name: "layout",
  cursor: "crosshair",
  begin: (cell, event) => {
    const now = doc.peek()
    if (!now) return false
    const there = cellAt(cell)
    if (tool.peek() === "pick" || event.ctrlKey || event.metaKey) {
      if (there) take(there)
      return true
    }
    if (tool.peek() === "fill") {
      const [x, y] = onField(cell)
      set(painted(now, alike(now, x, y), brush()))
      return true
    }
    rubbing = tool.peek() === "erase" || event.altKey
    busyHand.value = true
    last = onField(cell)
    stroke(last, last)
    return true
  },
  move: (cell) => {
    if (!last || !cell) return
    const to = onField(cell)
    stroke(last, to)
    last = to
  },
  end: () => {
    if (last) settle()
    last = null
    busyHand.value = false
  },
}

function stroke(from: [number, number], to: [number, number]): void {
  const now = doc.peek()
  if (!now) return
  const cells = between(from, to)
  draw(rubbing ? erased(now, cells) : painted(now, cells, brush()))
}

function take(cell: Cell): void {
  pickUp(cell)
  tool.value = "pencil"
  const now = doc.peek()
  if (now) say(`Picked up ${wareName(ware.peek())}, ${called(now, chosen.peek())}`)
}

/** The same as a click, on the cell cursor. */
map.onEnter = (cell) => {
  const now = doc.peek()
  if (!now) return
  const [x, y] = onField(cell)
  const there = cellAt(cell)
  if (tool.peek() === "pick") {
    if (there) take(there)
  } else if (tool.peek() === "erase") set(erased(now, [key(x, y)]))
  else set(painted(now, tool.peek() === "fill" ? alike(now, x, y) : [key(x, y)], brush()))
}

/** What the reader of the drawing says of a cell. */
export function speak(cell: [number, number]): string {
  const now = doc.peek()
  const there = cellAt(cell)
  const [x, y] = onField(cell)
  if (!now || !there) return `(${x}, ${y}), nothing`
  return `(${x}, ${y}), ${wareName(there.mark ? { tile: there.tile, mark: there.mark } : { tile: there.tile })}, ${called(now, there.part)}`
}

/* ---- columns and rows ---- */

/** The column (axis 0) or row (1) of the cursor or the pointer, else the middle one. */
function line(axis: 0 | 1): number | null {
  const now = doc.peek()
  const box = now && boxOf(now.cells.keys())
  if (!box) return null
  const cell = map.cursor.peek() ?? map.hovered.peek()
  const at = cell ? onField(cell)[axis] : axis === 0 ? box.x + Math.floor(box.width / 2) : box.y + Math.floor(box.height / 2)
  const [low, many] = axis === 0 ? [box.x, box.width] : [box.y, box.height]
  return Math.max(low, Math.min(low + many - 1, at))
}

/** One more column (axis 0) or row (1), a copy of the one at the cursor; or that one goes. */
export function insert(axis: 0 | 1): void {
  const [now, at] = [doc.peek(), line(axis)]
  if (now && at !== null) set(copied(now, axis, at))
}
export function remove(axis: 0 | 1): void {
  const [now, at] = [doc.peek(), line(axis)]
  const box = now && boxOf(now.cells.keys())
  if (now && at !== null && box && (axis === 0 ? box.width : box.height) > 1) set(cut(now, axis, at))
}

export function pull(side: Side, by: number): void {
  const now = doc.peek()
  if (now) set(pulled(now, side, by))
}
