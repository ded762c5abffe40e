/** Which cell the card is about: the one under the pointer once it rests there, or the one that was pinned. */
import { batch, computed, effect, signal } from "@preact/signals"
import type { RulesSeen } from "../../../server/protocol"
import { ask } from "../../../server/connection"
import type { Write } from "../timeline/write_log"
import { splitName } from "../timeline/acts"
import { colour } from "../../../state/theme"
import { inspected, map, sizeNow } from "../map/map"
import { rows } from "../rules/explanations"
import { writtenCells } from "../rules/variant_shapes"
import { run, type Run } from "../state"
import { dependOn } from "../../../state/depend_on"

const REST_MILLISECONDS = 120
const LINGER_MILLISECONDS = 260

/** The cell the card is about. */
export const about = signal<[number, number] | null>(null)
export const pinned = signal(false)
/** The pointer is over the card: it stays. */
export const inside = signal(false)

let waiting: ReturnType<typeof setTimeout> | undefined

effect(() => {
  const at = inspected.value
  const stay = pinned.value || inside.value
  clearTimeout(waiting)
  if (stay) return
  const now = about.peek()
  if (at && now && at[0] === now[0] && at[1] === now[1]) return
  waiting = setTimeout(() => (about.value = at), at ? REST_MILLISECONDS : LINGER_MILLISECONDS)
})
// Another map: cells are others.
effect(() => {
  dependOn(sizeNow.value, run.value?.log)
  batch(() => {
    about.value = null
    pinned.value = false
  })
})

export function pin(at: [number, number] | null = inspected.peek() ?? about.peek()): void {
  if (!at) return
  const now = about.peek()
  const same = now !== null && now[0] === at[0] && now[1] === at[1]
  batch(() => {
    pinned.value = !(pinned.peek() && same)
    about.value = at
  })
  map.redraw()
}

export function unpin(): void {
  if (!pinned.peek()) return
  batch(() => {
    pinned.value = false
    about.value = null
  })
  map.redraw()
}

map.onClick = (at) => pin(at)
map.onEnter = (at) => pin(at)

/* ---- the variant in which a rule wrote: found by looking for its match on the map of the turn before ---- */

const variants = signal<ReadonlyMap<string, number | null>>(new Map())
const keyOf = (now: Run, turn: number): string => `${now.level.number} ${turn}`

export function variantOf(now: Run, turn: number): number | null {
  return variants.value.get(keyOf(now, turn)) ?? null
}

/** Asks for the variant of a rewrite, once. */
export function askVariant(now: Run, write: Write): void {
  const key = keyOf(now, write.turn)
  if (variants.peek().has(key)) return
  const { step, rule } = splitName(
    write.source,
    now.level.head.steps.map((one) => one.id),
  )
  const cells = now.log.changedCells(write.turn)
  const first = cells[0]
  const seen = rows.peek().find((row) => row.step === step && row.rule === rule)?.seen
  if (!rule || !seen || first === undefined) return
  const [width] = now.log.size(write.turn)
  const at: [number, number] = [first % width, Math.floor(first / width)]
  const put = (variant: number | null): void => {
    variants.value = new Map([...[...variants.peek()].slice(-200), [key, variant]])
  }
  put(null)
  void ask<RulesSeen>("variant", { do: "explain", step, rule, turn: now.log.serverTurn(write.turn - 1), at, ...now.source }).then((reply) => {
    if (reply.kind !== "done") {
      // Cancelled by another cell, or the server went away: it may be requested again.
      variants.value = new Map([...variants.peek()].filter(([one]) => one !== key))
      return
    }
    const changed = new Set(cells)
    const fits = (reply.head.rules.find((one) => one.name === rule)?.nearest ?? []).filter((one) => {
      if (one.wrong.length) return false
      const could = new Set(writtenCells(seen.pattern, seen.results, one.variant).map(([x, y]) => (one.at[1] + y) * width + one.at[0] + x))
      return [...changed].every((cell) => could.has(cell)) && (seen.results.length > 1 || could.size === changed.size)
    })
    const found = new Set(fits.map((one) => one.variant))
    put(found.size === 1 ? ([...found][0] as number) : null)
  })
}

/** The cell as a number. */
export const aboutCell = computed(() => (about.value ? about.value[1] * sizeNow.value[0] + about.value[0] : -1))

map.add({
  name: "pinned",
  order: 51,
  draw: ({ ctx, px }) => {
    const at = pinned.peek() ? about.peek() : null
    if (!at) return
    ctx.lineWidth = 2.4 * px
    ctx.strokeStyle = colour("accent-fill")
    ctx.strokeRect(at[0] - 2 * px, at[1] - 2 * px, 1 + 4 * px, 1 + 4 * px)
  },
})
