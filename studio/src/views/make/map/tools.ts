/** The tools of the map: the hand, keeping cells or rooms, painting tiles, placing things. */
import { computed, effect, signal } from "@preact/signals"
import { cellsBetween } from "../../../canvas/cells_between"
import type { Tool } from "../../../canvas/map_view"
import { level, type Level } from "../../../state/level"
import { say } from "../../../state/navigation"
import { dependOn } from "../../../state/depend_on"
import { isMap, changeAndSettle, work } from "../../../state/work"
import { keptCells, map, stroke, strokeKind } from "./map"
import { cellsOfRuns, runsOfCells } from "./cell_runs"
import { inspect } from "./inspected"
import { brush, cancelShape, PAINT, paintAtCursor, shape } from "./paint_tool"
import type { Shape } from "./shapes"
import { addToStroke, beginStroke, currentLevel, dropStroke, levelUnderStroke } from "./stroke"
import { cancelMove, showThings, takeOrPlaceAtCursor, THINGS } from "./thing_tool"
import { cellsUnderBrush, roomCells } from "./tool_cells"

export type ToolName = "hand" | "keep" | "paint" | "things"
export const tool = signal<ToolName>("hand")
/** A map from a file is not made anew: there is nothing to keep parts of it for. */
export const canKeep = computed(() => work.value === null || !isMap(work.value))
effect(() => {
  if (!canKeep.value && tool.peek() === "keep") tool.value = "hand"
})
/** A key takes a tool, and puts it away. */
export function takeTool(name: ToolName): void {
  if (name === "keep" && !canKeep.peek()) say("A map from a file is not made anew, so nothing of it needs to be kept.")
  else tool.value = tool.peek() === name ? "hand" : name
}
/** A key takes a shape to paint with, and puts it away. */
export function takeShape(name: Shape): void {
  tool.value = tool.peek() === "paint" && shape.peek() === name ? "hand" : "paint"
  shape.value = name
}
/** Drop what a tool is doing. Gives back whether it was doing something. */
export const cancelTool = (): boolean => cancelShape() || cancelMove()

/** Keeping takes whole rooms, or the cells under the brush. */
export const keeping = signal<"rooms" | "cells">("rooms")

/** What the tool that keeps takes at a cell. */
const cellsToKeep = (at: [number, number], now: Level): number[] => (keeping.peek() === "rooms" ? roomCells(at, now) : cellsUnderBrush(at, brush.peek(), now))
/** Cells that the pointer came over since its last event. */
const cellsSince = (from: [number, number], to: [number, number]): [number, number][] => cellsBetween(from, to).slice(1)

let last: [number, number] | null = null
const KEEP: Tool = {
  name: "keep",
  cursor: "crosshair",
  begin(at) {
    const now = currentLevel()
    if (!now) return true
    beginStroke(keptCells.peek().has(at[1] * now.width + at[0]) ? "free" : "keep", now)
    addToStroke(cellsToKeep(at, now), "")
    last = at
    return true
  },
  move(at) {
    const now = levelUnderStroke()
    if (!at || !now || !last) return
    for (const step of cellsSince(last, at)) addToStroke(cellsToKeep(step, now), "")
    last = at
  },
  end() {
    if (!levelUnderStroke()) return
    if (!stroke.peek().size) say("There is no room. Cells of rock are kept with the brush.")
    else if (currentLevel()) keepCells([...stroke.peek().keys()], strokeKind.peek() === "keep")
    dropStroke()
  },
}

/** Keep cells as they are in the level that is shown, or let them go. */
export function keepCells(cells: Iterable<number>, on: boolean): void {
  const now = level.peek()
  const held = work.peek()
  if (!now || !held) return
  const all = new Set(keptCells.peek())
  for (const cell of cells) {
    if (on) all.add(cell)
    else all.delete(cell)
  }
  if (all.size === 0) changeAndSettle({ keep: undefined })
  else if (on) {
    // What could not stay in this level is not kept of it.
    for (const cell of cellsOfRuns(now.head.moved)) all.delete(cell)
    changeAndSettle({ keep: { of: now.source, cells: runsOfCells(all) } })
  } else changeAndSettle({ keep: { ...(held.keep ?? { of: now.source }), cells: runsOfCells(all) } })
}

const TOOLS: Record<ToolName, Tool | null> = { hand: null, keep: KEEP, paint: PAINT, things: THINGS }
effect(() => {
  map.tool = TOOLS[tool.value]
  map.canvas.style.cursor = map.tool?.cursor ?? "grab"
  showThings.value = tool.value === "things"
})
// What was begun with another tool or shape is dropped.
effect(() => {
  dependOn(tool.value, shape.value)
  cancelTool()
})

map.onClick = (at) => inspect(at)

/** Enter on the cell cursor does what a click would. */
map.onEnter = (at, event) => {
  if (tool.peek() === "hand") inspect(at)
  else if (tool.peek() === "paint") paintAtCursor(at, event.shiftKey)
  else if (tool.peek() === "things") takeOrPlaceAtCursor(at)
  else {
    const now = currentLevel()
    if (now) keepCells(cellsToKeep(at, now), !keptCells.peek().has(at[1] * now.width + at[0]))
  }
}
