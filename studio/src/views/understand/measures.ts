/** All measures of the current level, in a request of their own, since on a large map some take longer than the level itself. */
import { computed, effect, signal, untracked } from "@preact/signals"
import type { LevelHead } from "../../server/protocol"
import { ask, connection } from "../../server/connection"
import { view } from "../../state/navigation"
import { run, type Run } from "./state"

const known = signal<{ of: Run["source"]; measures: LevelHead["measures"] } | null>(null)
export const measuring = signal(false)
/** What is known by now: all, or those that came with the level. */
export const measures = computed<LevelHead["measures"]>(() => {
  const now = run.value
  if (!now) return {}
  return known.value?.of === now.source ? { ...now.level.head.measures, ...known.value.measures } : now.level.head.measures
})
/** All measures are there that can be had. */
export const complete = computed(() => run.value !== null && known.value?.of === run.value.source)

let asked: Run["source"] | null = null

effect(() => {
  const of = run.value?.source
  if (!of || view.value !== "understand" || connection.value.kind !== "open") return
  untracked(() => {
    if (known.peek()?.of === of || asked === of) return
    asked = of
    measuring.value = true
    void ask<LevelHead>("measures", { do: "make", measures: "all", ...of }).then((reply) => {
      if (asked !== of) return
      asked = null
      measuring.value = false
      const head = reply.kind === "done" ? reply.head : reply.kind === "problem" ? (reply.nearest ?? null) : null
      if (head) known.value = { of, measures: head.measures }
      else if (reply.kind === "problem") known.value = { of, measures: {} }
    })
  })
})
