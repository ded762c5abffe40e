/** Two levels side by side: what is compared, the levels, and what is shown on both maps. */
import { computed, effect, signal, untracked, type Signal } from "@preact/signals"
import type { LevelHead, OverlayHead, Problem } from "../../../server/protocol"
import { ask, cancel, connection } from "../../../server/connection"
import { readLevel, type Level } from "../../../state/level"
import { recall, remember } from "../../../state/storage"
import { roughSource } from "../../../state/thumbnails"
import { isMap, type Work } from "../../../state/work"
import { marks, type Mark } from "../state"
import { dependOn } from "../../../state/depend_on"

export const SIDES = ["a", "b"] as const

export interface Side {
  level: Signal<Level | null>
  problem: Signal<Problem | null>
  /** Choke points of the level, once the overlay is on. */
  choke: Signal<{ number: number; at: NonNullable<OverlayHead["choke"]> } | null>
}
const emptySide = (): Side => ({ level: signal(null), problem: signal(null), choke: signal(null) })
export const sides: Record<Mark, Side> = { a: emptySide(), b: emptySide() }

export function setSide(which: Mark, to: Work): void {
  marks.value = { ...marks.peek(), [which]: to }
}
export function compareWorks(a: Work, b: Work): void {
  tied.value = JSON.stringify(a.base) !== JSON.stringify(b.base)
  marks.value = { a, b }
}
export function swap(): void {
  const { a, b } = marks.peek()
  marks.value = { a: b, b: a }
}

/** Both sides have the same seed: to compare recipes, not seeds. */
export const tied = signal(false)
export function setSeed(which: Mark, seed: string): void {
  const trimmed = seed.trim()
  if (!trimmed) return
  for (const one of tied.peek() ? SIDES : [which]) {
    const now = marks.peek()[one]
    if (now && !isMap(now) && now.seed !== trimmed) setSide(one, { ...now, seed: trimmed, edits: [] })
  }
}
export function tie(on: boolean): void {
  tied.value = on
  const first = marks.peek().a
  if (on && first) setSeed("a", first.seed)
}

/* ---- levels ---- */

/** Makes both levels while the screen is shown. */
export function startComparing(): () => void {
  const stops = SIDES.flatMap((which) => {
    const from = computed(() => (marks.value[which] ? JSON.stringify(roughSource(marks.value[which])) : ""))
    const { level, choke } = sides[which]
    return [
      effect(() => {
        if (!from.value || connection.value.kind !== "open") return
        dependOn(from.value)
        untracked(() => void makeSide(which))
      }),
      effect(() => {
        const now = level.value
        if (!now || !overlays.value.choke || connection.value.kind !== "open" || choke.peek()?.number === now.number) return
        untracked(() => void findChoke(which, now))
      }),
    ]
  })
  return () => {
    stops.forEach((stop) => stop())
    for (const which of SIDES) cancel("compare " + which)
  }
}

async function makeSide(which: Mark): Promise<void> {
  const work = marks.peek()[which]
  if (!work) return
  const from = roughSource(work)
  const { level, problem } = sides[which]
  const reply = await ask<LevelHead>("compare " + which, { do: "make", measures: "all", ...from })
  if (marks.peek()[which] !== work) return
  if (reply.kind === "done") {
    problem.value = null
    level.value = readLevel(reply.head, reply.blocks, from)
  } else if (reply.kind === "problem") {
    // Short of a requirement there is still a level to compare.
    problem.value = reply.problem
    if (reply.nearest) level.value = readLevel(reply.nearest, reply.blocks, from, reply.problem)
  }
}

async function findChoke(which: Mark, now: Level): Promise<void> {
  const reply = await ask<OverlayHead>("choke " + which, { do: "overlay", what: ["choke"], ...now.exact })
  if (reply.kind === "done" && sides[which].level.peek() === now) sides[which].choke.value = { number: now.number, at: reply.head.choke ?? [] }
}

/* ---- what both maps show ---- */

export const OVERLAYS = [
  { name: "regions", title: "Regions", key: "R", dot: "#7a6fc0" },
  { name: "doors", title: "Doors", key: "D", dot: "var(--tx2)" },
  { name: "graph", title: "Graph", key: "G", dot: "var(--info)" },
  { name: "distance", title: "Distance", key: "T", dot: "#d6547f" },
  { name: "path", title: "Path", key: "P", dot: "var(--tx)" },
  { name: "choke", title: "Choke points", key: "", dot: "#ffb074" },
  { name: "differences", title: "Differences", key: "", dot: "var(--info)" },
] as const
export type Overlay = (typeof OVERLAYS)[number]["name"]

const firstOverlays: Record<Overlay, boolean> = { regions: true, doors: false, graph: false, distance: false, path: true, choke: false, differences: false }
export const overlays = signal({ ...firstOverlays, ...recall<Partial<Record<Overlay, boolean>>>("compare overlays", firstOverlays) })
effect(() => remember("compare overlays", overlays.value))
export function turnOverlay(name: Overlay): void {
  overlays.value = { ...overlays.peek(), [name]: !overlays.peek()[name] }
}

/** Cells can only be compared one by one if there are as many. */
export const sameSize = computed(() => {
  const [a, b] = [sides.a.level.value, sides.b.level.value]
  return a !== null && b !== null && a.width === b.width && a.height === b.height
})

/** Cells whose tile is not the same in both, and the share of all. */
export const differing = computed<{ cells: Uint8Array; count: number } | null>(() => {
  const [a, b] = [sides.a.level.value, sides.b.level.value]
  if (!a || !b || !sameSize.value) return null
  const names = [a, b].map((level) => level.head.palette.map((tile) => tile.name)) as [string[], string[]]
  const cells = new Uint8Array(a.tiles.length)
  let count = 0
  for (let cell = 0; cell < cells.length; cell++)
    if (names[0][a.tiles[cell] ?? 0] !== names[1][b.tiles[cell] ?? 0]) {
      cells[cell] = 1
      count++
    }
  return { cells, count }
})
