/** Painting tiles: with a brush, as lines and rectangles that are drawn out from a corner, and by filling. */
import { effect, signal } from "@preact/signals"
import type { Tool } from "../../../canvas/map_view"
import { level, type Level } from "../../../state/level"
import { say } from "../../../state/navigation"
import { changeAndSettle, work } from "../../../state/work"
import { map, painting, stroke } from "./map"
import { floodCells, lineCells, rectangleCells, straightenedEnd, type Shape } from "./shapes"
import { addToStroke, beginStroke, currentLevel, dropStroke, levelUnderStroke } from "./stroke"
import { cellsUnderBrush } from "./tool_cells"

export const shape = signal<Shape>("brush")
/** Only the edge of a rectangle is painted. */
export const hollow = signal(false)
/** Cells on each side of the brush, and the width of lines. */
export const brush = signal(1)
/** The tile that is painted, by its name. */
export const paintTile = signal("floor")

/** The most painted cells of a level: all of them are in each request to the server. */
const MAX_PAINTED_CELLS = 30_000

type Point = [number, number]
/** The corner that a line or rectangle is drawn from, and where a brush was last. */
let from: Point | null = null
/** The shape is drawn by keys: it ends at the cell cursor. */
let byKeys = false
/** A line or a rectangle is being drawn, and no stroke of the brush. */
let drawing = false

/** Show a line or rectangle up to a cell. */
function drawShape(to: Point, straight: boolean, now: Level): void {
  if (!from) return
  const end = straight ? straightenedEnd(shape.peek(), from, to, now) : to
  stroke.value = new Map()
  addToStroke(shape.peek() === "line" ? lineCells(from, end, brush.peek(), now) : rectangleCells(from, end, hollow.peek(), now), paintTile.peek())
}

/** Drop the line or rectangle that is being drawn. Gives back whether there was one. A stroke of the brush is ended by the hand that draws it. */
export function cancelShape(): boolean {
  if (!painting.peek() || !drawing) return false
  dropStroke()
  from = null
  byKeys = drawing = false
  return true
}

function fill(at: Point, now: Level): void {
  const there = now.head.palette[now.tiles[at[1] * now.width + at[0]] ?? 0]?.name
  if (there === paintTile.peek()) say(`This is ${there} already.`)
  else paintCells(new Map(floodCells(at, now).map((cell) => [cell, paintTile.peek()])))
}

export const PAINT: Tool = {
  name: "paint",
  cursor: "crosshair",
  begin(at, event) {
    const shown = level.peek()
    if (shown && event.altKey) {
      pickTile(at, shown)
      return true
    }
    cancelShape()
    const now = currentLevel()
    if (!now) return true
    if (shape.peek() === "fill") {
      fill(at, now)
      return true
    }
    beginStroke("paint", now)
    from = at
    drawing = shape.peek() !== "brush"
    if (shape.peek() === "brush") addToStroke(cellsUnderBrush(at, brush.peek(), now), paintTile.peek())
    else drawShape(at, false, now)
    return true
  },
  move(at, event) {
    const now = levelUnderStroke()
    if (!at || !now || !from || byKeys) return
    if (shape.peek() !== "brush") {
      drawShape(at, event.shiftKey, now)
      return
    }
    addToStroke(lineCells(from, at, brush.peek(), now), paintTile.peek())
    from = at
  },
  end() {
    if (!byKeys) commitStroke()
  },
}

function commitStroke(): void {
  if (!levelUnderStroke()) return
  if (currentLevel()) {
    const cells = stroke.peek()
    dropStroke()
    // It is shown until the level that has it is there.
    if (paintCells(cells)) stroke.value = cells
  } else dropStroke()
  from = null
  byKeys = drawing = false
}

/** Enter on the cell cursor: paint there; or begin a line or rectangle, and end it at the next Enter. */
export function paintAtCursor(at: Point, straight: boolean): void {
  const now = currentLevel()
  if (!now) return
  if (shape.peek() === "fill") fill(at, now)
  else if (shape.peek() === "brush") paintCells(new Map(cellsUnderBrush(at, brush.peek(), now).map((one) => [one, paintTile.peek()])))
  else if (byKeys && levelUnderStroke()) {
    drawShape(at, straight, now)
    commitStroke()
  } else {
    cancelShape()
    beginStroke("paint", now)
    from = at
    byKeys = drawing = true
    drawShape(at, false, now)
    say("Move the cell cursor to the other end, and press Enter. Esc cancels.")
  }
}
effect(() => {
  const at = map.cursor.value
  const now = byKeys && levelUnderStroke()
  if (at && now) drawShape(at, false, now)
})

/** Take the tile under the pointer. */
function pickTile(at: Point, now: Level): void {
  const tile = now.head.palette[now.tiles[at[1] * now.width + at[0]] ?? 0]
  if (!tile) return
  paintTile.value = tile.name
  say(`Painting ${tile.name}`)
}

/** Paint cells, as one step of undo: edits stand in the order they were made, and a later tile replaces an earlier one of the same cell. Gives back whether it was done. */
function paintCells(cells: ReadonlyMap<number, string>): boolean {
  const held = work.peek()
  if (!held || cells.size === 0) return false
  const edits = [...(held.edits ?? []).filter(([cell]) => !cells.has(cell)), ...cells]
  if (edits.length > MAX_PAINTED_CELLS) {
    say(`A level can have ${MAX_PAINTED_CELLS.toLocaleString("en")} painted cells, and this would make ${edits.length.toLocaleString("en")}. Paint fewer at a time.`)
    return false
  }
  changeAndSettle({ edits })
  return true
}
