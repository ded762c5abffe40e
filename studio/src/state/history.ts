/** The strip of levels that were made, back and forward through it, and the favourites. */
import { computed, effect, signal } from "@preact/signals"
import { recall, remember, rememberSoon } from "./storage"
import { openWork } from "./recipes"
import { card, onSettled, source, work, type Work } from "./work"
import { dependOn } from "./depend_on"

export interface Entry {
  work: Work
  id: number
  /** What makes its level: a work that differs only in comments is the same entry. */
  key: string
}

const MAX_ENTRIES = 40

interface Stored {
  entries: Entry[]
  at: number
}

const stored = recall<Stored>("history", { entries: [], at: -1 })
export const entries = signal<Entry[]>(stored.entries)
export const at = signal(stored.at)
let lastId = stored.entries.reduce((most, entry) => Math.max(most, entry.id), 0)

export const canGoBack = computed(() => at.value > 0)
export const canGoOn = computed(() => at.value < entries.value.length - 1)

/** Identifies a work. Empty lists of edits or kept cells count as none. */
const workKey = (one: Work): string =>
  JSON.stringify([one.base, one.file, one.text, one.values, one.seed, one.size, one.until, one.tries, one.keep?.cells.length ? one.keep : null, one.edits?.length ? one.edits : null])
const sameWork = (a: Work, b: Work): boolean => workKey(a) === workKey(b)

/** The entry that is being opened. */
let opening: Entry | null = null
const indexOfEntry = (one: Entry | null): number => entries.peek().findIndex((other) => other.id === one?.id)

onSettled((now) => {
  if (opening && sameWork(opening.work, now) && indexOfEntry(opening) >= 0) at.value = indexOfEntry(opening)
  const here = entries.peek()[at.peek()]
  // Of a text that is not read yet, or not well, the source is still that of the text before.
  const key = card.peek()?.text === now.text ? JSON.stringify(source.peek()) : workKey(now)
  if (here && (here.key === key || sameWork(here.work, now))) {
    entries.value = entries.peek().map((one) => (one === here ? { ...one, work: now } : one))
    return
  }
  // What lay ahead stays in the strip: going back and shuffling must not lose a level.
  const next = [...entries.peek(), { work: now, id: ++lastId, key }].slice(-MAX_ENTRIES)
  entries.value = next
  at.value = next.length - 1
})

export function openEntry(to: number): void {
  const entry = entries.peek()[to]
  if (!entry) return
  opening = entry
  void openWork(entry.work).then(() => {
    if (opening === entry) opening = null
  })
}
/** Relative to the entry that is being opened, so that quick presses add up. */
const stepBy = (by: number): void => openEntry((opening ? indexOfEntry(opening) : at.peek()) + by)
export const goBack = (): void => stepBy(-1)
export const goForward = (): void => stepBy(1)

effect(() => {
  dependOn(entries.value, at.value)
  rememberSoon("history", () => ({ entries: entries.peek(), at: at.peek() }))
})
effect(() => {
  if (work.value) rememberSoon("work", () => work.peek())
})
export const lastWork = (): Work | null => recall<Work | null>("work", null)

/* ---- favourites ---- */

export const favourites = signal<Work[]>(recall<Work[]>("favourites", []))
effect(() => remember("favourites", favourites.value))

export const isFavourite = (one: Work): boolean => favourites.value.some((other) => sameWork(other, one))
export const starred = computed(() => work.value !== null && isFavourite(work.value))

export function toggleFavourite(): void {
  const now = work.peek()
  if (!now) return
  favourites.value = isFavourite(now) ? favourites.peek().filter((one) => !sameWork(one, now)) : [...favourites.peek(), now]
}
