/** The current tool, and what it paints. */
import { computed, signal } from "@preact/signals"
import { oneOf, recall, remember } from "../../../../state/storage"
import type { Brush } from "../edits"
import { marksOf, type Cell, type Mark } from "../model"
import { chosen, doc } from "../state"

export type ToolName = "pencil" | "fill" | "erase" | "pick"
export const TOOLS: { name: ToolName; label: string; icon: "brush" | "fill" | "eraser" | "pick"; key: string }[] = [
  { name: "pencil", label: "Pencil", icon: "brush", key: "B" },
  { name: "fill", label: "Fill", icon: "fill", key: "G" },
  { name: "erase", label: "Erase", icon: "eraser", key: "X" },
  { name: "pick", label: "Pick up what is there", icon: "pick", key: "I" },
]

export const tool = signal<ToolName>("pencil")
/** What a stroke changes: the tile, the partition, or both. */
export const paints = signal<"both" | "tile" | "part">(recall<"both" | "tile" | "part">("layout paints", "both", oneOf("both", "tile", "part")))
paints.subscribe((now) => remember("layout paints", now))

export interface Ware {
  tile: string
  mark?: Mark
}
export const ware = signal<Ware>({ tile: "wall" })
/** Slots and sockets that were declared and are drawn nowhere yet. */
export const declared = signal<Ware[]>([])

/** All tiles that a layout is drawn with, in the order of their use. Void is what is not drawn. */
export const TILES = ["wall", "floor", "corridor", "pillar", "water", "pit", "door", "opening", "locked door", "secret door", "stairs up", "stairs down"]

export const sameWare = (a: Ware, b: Ware): boolean => JSON.stringify(a.mark) === JSON.stringify(b.mark) && (a.mark?.what === "socket" || a.tile === b.tile)

/** Slots and sockets of the layout, and those that wait to be drawn. */
export const marks = computed<Ware[]>(() => {
  const drawn: Ware[] = doc.value ? marksOf(doc.value) : []
  return [...drawn, ...declared.value.filter((one) => !drawn.some((other) => sameWare(one, other)))]
})
export const wares = computed<Ware[]>(() => [...TILES.map((tile) => ({ tile })), ...marks.value])

/** One tile on or back in the palette. */
export function nextWare(by: number): void {
  const all = wares.peek()
  const now = all.findIndex((one) => sameWare(one, ware.peek()))
  ware.value = all[(now + by + all.length) % all.length] as Ware
  if (tool.peek() === "erase" || tool.peek() === "pick") tool.value = "pencil"
}

export const brush = (): Brush => ({ tile: paints.peek() === "part" ? null : ware.peek(), part: paints.peek() === "tile" ? null : chosen.peek() })

/** Take what a cell has. */
export function pickUp(cell: Cell): void {
  ware.value = cell.mark ? { tile: cell.tile, mark: cell.mark } : { tile: cell.tile }
  chosen.value = cell.part
}

/** A tile as people call it. */
export function wareName(of: Ware): string {
  if (!of.mark) return of.tile
  if (of.mark.what === "slot") return `slot ${of.mark.kind}${of.tile === "floor" ? "" : ` on ${of.tile}`}`
  return `socket ${of.mark.kind}${of.mark.becomes === "door" ? "" : `, ${of.mark.becomes}`}`
}
