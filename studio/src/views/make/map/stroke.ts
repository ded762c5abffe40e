/** A stroke of a tool: the cells that it takes until the pointer is lifted, on the level it began on. */
import { level, type Level } from "../../../state/level"
import type { Source } from "../../../server/protocol"
import { say } from "../../../state/navigation"
import { busyHand } from "../../../state/picture"
import { sameSource, source } from "../../../state/work"
import { painting, stroke, strokeKind } from "./map"

/** The level that the stroke began on. */
let strokeLevel: Level | null = null

const withoutEdits = (of: Source): Source => ({ ...of, keep: undefined, edits: undefined, placed: undefined, removed: undefined })

/** The level to work on; none while the old level is still shown: its cells are not those of the new one. */
export function currentLevel(): Level | null {
  const [now, to] = [level.peek(), source.peek()]
  if (now && to && sameSource(withoutEdits(now.source), withoutEdits(to))) return now
  say("This is still the old level. The new one is not there yet.")
  return null
}

export function beginStroke(kind: "keep" | "free" | "paint", on: Level): void {
  strokeKind.value = kind
  stroke.value = new Map()
  painting.value = true
  busyHand.value = kind === "paint"
  strokeLevel = on
}

/** The level under the stroke; none if there is no stroke. If a level of another size arrived during the stroke, the stroke is dropped. */
export function levelUnderStroke(): Level | null {
  const now = level.peek()
  if (now && painting.peek() && now.width === strokeLevel?.width && now.height === strokeLevel.height) return now
  if (painting.peek()) dropStroke()
  return null
}

export function dropStroke(): void {
  painting.value = busyHand.value = false
  stroke.value = new Map()
}

export function addToStroke(cells: Iterable<number>, tile: string): void {
  const next = new Map(stroke.peek())
  for (const cell of cells) next.set(cell, tile)
  stroke.value = next
}
