/** The strip of levels that were made, back and forward through it, and the favourites. */
import { computed, effect, signal } from "@preact/signals"
import { keepEach, recallEach, remember, rememberSoon, tab } from "./storage"
import { digest } from "./digest"
import { onNews } from "../server/connection"
import { openWork } from "./recipes"
import { card, isWork, onSettled, source, withFile, work, type Work } from "./work"

export interface Entry {
  work: Work
  id: number
  /** What makes its level: a work that differs only in comments is the same entry. */
  key: string
}

const MAX_ENTRIES = 40

/** Entries of several tabs have different numbers, and later ones have higher numbers. */
const nextId = (after: number): number => Math.max(after + 1, Date.now() * 1000 + Math.floor(Math.random() * 1000))

const isEntry = (value: unknown): value is Entry => {
  const one = (value ?? {}) as Partial<Record<keyof Entry, unknown>>
  return isWork(one.work) && Number.isSafeInteger(one.id) && typeof one.key === "string"
}

export const entries = signal<Entry[]>([])
export const at = signal(-1)

export const canGoBack = computed(() => at.value > 0)
export const canGoOn = computed(() => at.value < entries.value.length - 1)

/** Identifies a work. Empty lists of edits or kept cells count as none. */
const workKey = (one: Work): string =>
  JSON.stringify([one.base, one.file, one.text, one.values, one.seed, one.size, one.until, one.tries, one.keep?.cells.length ? one.keep : null, one.edits?.length ? one.edits : null, one.placed?.length ? one.placed : null, one.removed?.length ? one.removed : null])
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
  const next = [...entries.peek(), { work: now, id: nextId(entries.peek().at(-1)?.id ?? 0), key }].slice(-MAX_ENTRIES)
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

/* ---- between visits ---- */

const MAX_WORKS = 8

/** The works that the tabs had at hand at the end, the last one at the end. */
const lastWorks = recallEach("drafts/work", isWork)
const [lastOfAny] = [...lastWorks.values()].slice(-1)
/** The work of this tab, if it is loaded again; else the one that was changed last in any tab. */
export const lastWork = (): Work | null => lastWorks.get(tab) ?? lastOfAny ?? null

keepEach(
  "history",
  isEntry,
  () => new Map(entries.value.map((one) => [String(one.id), one])),
  (kept, id) => {
    if (id) return // each tab has a strip of its own
    const found = [...kept.values()].sort((a, b) => a.id - b.id)
    // What another tab had at hand is in the strip, even if it was never settled there.
    for (const one of lastWorks.values()) if (!found.some((entry) => sameWork(entry.work, one))) found.push({ work: one, id: nextId(found.at(-1)?.id ?? 0), key: workKey(one) })
    entries.value = found.slice(-MAX_ENTRIES)
    const last = lastWork()
    at.value = last ? entries.value.findLastIndex((entry) => sameWork(entry.work, last)) : entries.value.length - 1
  },
)
for (const id of [...lastWorks.keys()].slice(0, -MAX_WORKS)) remember("drafts/work/" + id, null)

effect(() => {
  if (work.value) rememberSoon("drafts/work/" + tab, () => work.peek())
})

/* ---- favourites ---- */

export const favourites = signal<Work[]>([])
keepEach(
  "favourites",
  isWork,
  () => new Map(favourites.value.map((one) => [digest(workKey(one)), one])),
  (kept) => (favourites.value = [...kept.values()]),
)

onNews((news) => {
  if (news.kind !== "renamed") return
  const rename = (one: Work): Work => withFile(one, news.path, news.to)
  entries.value = entries.peek().map((one) => (rename(one.work) === one.work ? one : { ...one, work: rename(one.work), key: workKey(rename(one.work)) }))
  favourites.value = favourites.peek().map(rename)
})

export const isFavourite = (one: Work): boolean => favourites.value.some((other) => sameWork(other, one))
export const starred = computed(() => work.value !== null && isFavourite(work.value))

export function toggleFavourite(): void {
  const now = work.peek()
  if (!now) return
  favourites.value = isFavourite(now) ? favourites.peek().filter((one) => !sameWork(one, now)) : [...favourites.peek(), now]
}
