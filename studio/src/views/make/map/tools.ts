/** The tools of the map: the hand, keeping cells or rooms, painting tiles. */
import { computed, effect, signal } from "@preact/signals"
import { cellsBetween } from "../../../canvas/cells_between"
import type { Tool } from "../../../canvas/map_view"
import type { Source } from "../../../server/protocol"
import { level, type Level } from "../../../state/level"
import { busyHand } from "../../../state/picture"
import { say } from "../../../state/navigation"
import { isMap, sameSource, changeAndSettle, source, work } from "../../../state/work"
import { keptCells, map, painting, stroke, strokeKind } from "./map"
import { cellsOfRuns, runsOfCells } from "./cell_runs"
import { cellsUnderBrush, roomCells } from "./tool_cells"

export type ToolName = "hand" | "keep" | "paint"
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
/** Keeping takes whole rooms, or the cells under the brush. */
export const keeping = signal<"rooms" | "cells">("rooms")
/** The brush of both: cells on each side. */
export const brush = signal(1)
/** The tile that is painted, by its name. */
export const paintTile = signal("floor")

/** What the tool that keeps takes at a cell. */
const cellsToKeep = (at: [number, number], now: Level): number[] => (keeping.peek() === "rooms" ? roomCells(at, now) : cellsUnderBrush(at, brush.peek(), now))
/** Cells that the pointer came over since its last event. */
const cellsSince = (from: [number, number], to: [number, number]): [number, number][] => cellsBetween(from, to).slice(1)

let last: [number, number] | null = null
/** The level that the stroke began on. */
let strokeLevel: Level | null = null

const withoutEdits = (of: Source): Source => ({ ...of, keep: undefined, edits: undefined })

/** The level to work on; none while the old level is still shown: its cells are not those of the new one. */
function currentLevel(): Level | null {
  const [now, to] = [level.peek(), source.peek()]
  if (now && to && sameSource(withoutEdits(now.source), withoutEdits(to))) return now
  say("This is still the old level. The new one is not there yet.")
  return null
}

/** The level under the stroke; none if there is no stroke. If a level of another size arrived during the stroke, the stroke is dropped. */
function levelUnderStroke(): Level | null {
  const now = level.peek()
  if (now && painting.peek() && now.width === strokeLevel?.width && now.height === strokeLevel.height) return now
  if (painting.peek()) dropStroke()
  return null
}

function dropStroke(): void {
  painting.value = busyHand.value = false
  stroke.value = new Map()
}

function addToStroke(cells: Iterable<number>, tile: string): void {
  const next = new Map(stroke.peek())
  for (const cell of cells) next.set(cell, tile)
  stroke.value = next
}

const KEEP: Tool = {
  name: "keep",
  cursor: "crosshair",
  begin(at) {
    const now = currentLevel()
    if (!now) return true
    const cell = at[1] * now.width + at[0]
    strokeKind.value = keptCells.peek().has(cell) ? "free" : "keep"
    stroke.value = new Map()
    painting.value = true
    strokeLevel = now
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
  } else changeAndSettle({ keep: { of: held.keep?.of ?? now.source, cells: runsOfCells(all) } })
}

const PAINT: Tool = {
  name: "paint",
  cursor: "crosshair",
  begin(at, event) {
    const shown = level.peek()
    if (shown && event.altKey) {
      pickTile(at, shown)
      return true
    }
    const now = currentLevel()
    if (!now) return true
    strokeKind.value = "paint"
    stroke.value = new Map()
    painting.value = true
    busyHand.value = true
    strokeLevel = now
    addToStroke(cellsUnderBrush(at, brush.peek(), now), paintTile.peek())
    last = at
    return true
  },
  move(at) {
    const now = levelUnderStroke()
    if (!at || !now || !last) return
    for (const step of cellsSince(last, at)) addToStroke(cellsUnderBrush(step, brush.peek(), now), paintTile.peek())
    last = at
  },
  end() {
    if (!levelUnderStroke()) return
    if (!currentLevel()) {
      dropStroke()
      return
    }
    painting.value = busyHand.value = false
    paintCells(stroke.peek())
  },
}

/** Take the tile under the pointer. */
function pickTile(at: [number, number], now: Level): void {
  const tile = now.head.palette[now.tiles[at[1] * now.width + at[0]] ?? 0]
  if (!tile) return
  paintTile.value = tile.name
  say(`Painting ${tile.name}`)
}

/** Edits in the order they were made; a later tile replaces an earlier one of the same cell. */
export function paintCells(cells: Map<number, string>): void {
  const held = work.peek()
  if (!held || cells.size === 0) return
  changeAndSettle({ edits: [...(held.edits ?? []).filter(([cell]) => !cells.has(cell)), ...cells] })
}

const TOOLS: Record<ToolName, Tool | null> = { hand: null, keep: KEEP, paint: PAINT }
effect(() => {
  map.tool = TOOLS[tool.value]
  map.canvas.style.cursor = map.tool?.cursor ?? "grab"
})

/** Enter on the cell cursor does what a click would. */
map.onEnter = (at) => {
  if (tool.peek() === "hand") return
  const now = currentLevel()
  if (!now) return
  const cell = at[1] * now.width + at[0]
  if (tool.peek() === "keep") keepCells(cellsToKeep(at, now), !keptCells.peek().has(cell))
  else paintCells(new Map(cellsUnderBrush(at, brush.peek(), now).map((one) => [one, paintTile.peek()])))
}
