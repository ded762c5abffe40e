/** Which overlays are on, and their data from the server. All show the finished level, except distances, which are those of the turn. */
import { batch, computed, effect, signal, untracked } from "@preact/signals"
import type { OverlayHead } from "../../../server/protocol"
import { ask, connection } from "../../../server/connection"
import { oneOf, recall, remember } from "../../../state/storage"
import { finished, run, type Run } from "../state"

export const OVERLAYS = [
  { name: "regions", title: "regions", key: "R", dot: "#93a8ff", about: "Rooms and corridors in tints of their own, with their numbers" },
  { name: "doors", title: "doors", key: "D", dot: "#e39a45", about: "Doors, by kind" },
  { name: "graph", title: "graph", key: "G", dot: "#8fa0d8", about: "Which regions lead to which" },
  { name: "distance", title: "distance", key: "T", dot: "#d6547f", about: "Steps from the start or from the cell under the pointer" },
  { name: "path", title: "path", key: "P", dot: "#6fc6f0", about: "The path of interest, from start to end" },
  { name: "choke", title: "choke points", key: "C", dot: "#ff7d78", about: "Cells that everybody must pass: without them a part is cut off" },
  { name: "solution", title: "solution", key: "S", dot: "#d9b53a", about: "The shortest way past all locks, with the keys in their order" },
] as const

export type Overlay = (typeof OVERLAYS)[number]["name"]

export const on = signal<ReadonlySet<Overlay>>(new Set(recall<Overlay[]>("overlays", ["regions", "graph", "path"])))
effect(() => remember("overlays", [...on.value]))

export function toggle(name: Overlay): void {
  const next = new Set(on.peek())
  if (!next.delete(name)) next.add(name)
  on.value = next
}

export type From = "start" | "pointer"
export const from = signal<From>(recall<From>("distance from", "start", oneOf<From>("start", "pointer")))
effect(() => remember("distance from", from.value))

/** How strongly overlays of the finished level are drawn: on an earlier map they lie in the future. */
export const strength = computed(() => (finished.value ? 1 : 0.4))

/* ---- what the server knows ---- */

const known = signal<{ of: Run["source"]; head: OverlayHead } | null>(null)
const now = computed<OverlayHead | null>(() => (known.value && run.value && known.value.of === run.value.source ? known.value.head : null))
/** Choke points; null until the server has answered. */
export const chokes = computed(() => now.value?.choke ?? null)
export const solution = computed(() => now.value?.solution ?? null)

let asked: Run["source"] | null = null

effect(() => {
  const of = run.value?.source
  const wanted = on.value.has("choke") || on.value.has("solution")
  if (!of || !wanted || connection.value.kind !== "open") return
  untracked(() => {
    if (asked === of || known.peek()?.of === of) return
    asked = of
    void ask<OverlayHead>("overlay", { do: "overlay", what: ["choke", "solution"], ...of }).then((reply) => {
      if (asked === of) asked = null
      batch(() => {
        if (reply.kind === "done") known.value = { of, head: reply.head }
        else if (reply.kind === "problem") known.value = { of, head: { choke: [], solution: { refused: reply.problem.problem } } }
      })
    })
  })
})
