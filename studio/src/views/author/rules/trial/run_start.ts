/** The map that a run begins with, as the server is asked for it: a blank one, a drawing, the current level, or a map of the project. */
import { computed, effect, signal } from "@preact/signals"
import type { RunMap } from "../../../../server/protocol"
import { runOn, type RunOn } from "../../../../project/open_in_author"
import { say } from "../../../../state/navigation"
import { outline as recipe } from "../../../../state/recipes"
import { recall, remember } from "../../../../state/storage"
import { DEFAULT_TRIES, source } from "../../../../state/work"

/** Cells that are drawn, by "x,y": they keep their place when the map gets another size. */
export type Drawn = Record<string, string>
export const drawn = signal<Drawn>(recall<Drawn>("author drawing", {}, (value): value is Drawn => typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string")))
effect(() => remember("author drawing", drawn.value))

const MAX_DRAWN = 4096

/** The cells on the way from one to another. */
export function cellsBetween([x, y]: readonly [number, number], [toX, toY]: readonly [number, number]): [number, number][] {
  const steps = Math.max(Math.abs(toX - x), Math.abs(toY - y), 1)
  return Array.from({ length: steps + 1 }, (_, at) => [Math.round(x + ((toX - x) * at) / steps), Math.round(y + ((toY - y) * at) / steps)])
}

/** Draws a tile on cells; without one they are blank again. */
export function drawCells(cells: readonly (readonly [number, number])[], tile: string | null): void {
  const keys = new Set(cells.map((cell) => cell.join()))
  const rest = Object.entries(drawn.peek()).filter(([key]) => !keys.has(key))
  const next = Object.fromEntries(tile === null ? rest : [...rest, ...[...keys].map((key) => [key, tile] as const)])
  if (Object.keys(next).length > MAX_DRAWN) say(`A drawing has up to ${MAX_DRAWN.toLocaleString("en")} cells. Save a larger map from Make, and run the rules on that.`)
  else drawn.value = next
}

/** What is drawn, on a map of that size. */
export function editsOf(cells: Drawn, [width, height]: readonly [number, number]): [number, string][] {
  return Object.entries(cells).flatMap(([key, tile]) => {
    const [x = 0, y = 0] = key.split(",").map(Number)
    return x < width && y < height ? [[y * width + x, tile] as [number, string]] : []
  })
}

/** What can be run on now: another recipe has other steps, and without a recipe there is no level. */
export const startNow = computed<RunOn>(() => {
  const on = runOn.value
  if (on.kind !== "level") return on
  if (!source.value) return { kind: "fill", tile: "" }
  return on.step && !recipe.value.steps.some((one) => one.id === on.step) ? { kind: "level", step: "" } : on
})

/** The server's words for the map. Tiles that the rules do not know are left out. */
export function runMap(on: RunOn, size: readonly [number, number], knows: (tile: string) => boolean): RunMap {
  switch (on.kind) {
    case "fill":
      return on.tile && knows(on.tile) ? { fill: on.tile } : {}
    case "drawing":
      return { edits: editsOf(drawn.value, size) }
    case "file":
      return { level: { recipe: { path: on.path }, seed: "0", size: null, params: {}, until: [], tries: DEFAULT_TRIES } }
    case "level":
      return source.value ? { level: source.value, ...(on.step ? { step: on.step } : {}) } : {}
  }
}
