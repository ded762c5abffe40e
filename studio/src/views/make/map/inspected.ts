/** The cell that the inspector shows, and what the server knows of it. */
import { effect, signal } from "@preact/signals"
import { LAYER_ORDER } from "../../../canvas/map_view"
import { ask } from "../../../server/connection"
import type { Inspected, PlacedThing } from "../../../server/protocol"
import { canonicalJson } from "../../../state/canonical_json"
import { dependOn } from "../../../state/depend_on"
import { level, type Level } from "../../../state/level"
import { colour, theme } from "../../../state/theme"
import { map } from "./map"

export const inspectedCell = signal<[number, number] | null>(null)
/** The last answer. */
export const inspected = signal<Inspected | null>(null)
/** The kinds of things that can be placed. */
export const kinds = signal<string[]>([])
/** Which of the things on the cell is being edited. */
export const chosenThing = signal<number | null>(null)

/** A thing that was placed or changed: it is edited as soon as the level has it. */
let wanted: PlacedThing | null = null

export function inspect(at: [number, number], thing: number | null = null): void {
  inspectedCell.value = at
  chosenThing.value = thing
  wanted = null
}
export function inspectThing(thing: PlacedThing): void {
  inspect([thing.x, thing.y])
  wanted = { data: {}, ...thing }
}

export function closeInspector(): void {
  inspectedCell.value = null
  chosenThing.value = null
}

/** What is known of a cell of a level; null if the server does not answer. */
export async function askAbout(of: Level, at: [number, number] | null, lane: string): Promise<Inspected | null> {
  const reply = await ask<Inspected>(lane, { do: "inspect", ...(at ? { at } : {}), ...of.exact })
  return reply.kind === "done" ? reply.head : null
}

/** Ask again about the cell, which may lie outside of a smaller level. */
export async function refreshInspected(now: Level, at: [number, number]): Promise<void> {
  if (at[0] >= now.width || at[1] >= now.height) {
    closeInspector()
    return
  }
  const about = await askAbout(now, at, "inspect")
  if (!about || level.peek() !== now) return
  inspected.value = about
  kinds.value = about.kinds
  const which = wanted ? (about.things ?? []).map(canonicalJson).lastIndexOf(canonicalJson(wanted)) : -1
  if (which < 0) return
  chosenThing.value = which
  wanted = null
}

map.add({
  name: "inspected",
  order: LAYER_ORDER.marks + 2,
  draw: ({ ctx, px }) => {
    const at = inspectedCell.peek()
    if (!at) return
    ctx.lineWidth = 4 * px
    ctx.strokeStyle = "rgba(0,0,0,.55)"
    ctx.strokeRect(...at, 1, 1)
    ctx.lineWidth = 2 * px
    ctx.strokeStyle = colour("accent-fill")
    ctx.strokeRect(...at, 1, 1)
  },
})
effect(() => {
  dependOn(inspectedCell.value, theme.value)
  map.redraw()
})
