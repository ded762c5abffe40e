/**
 * What is kept between visits: named values, which the server writes into the project's `.undercroft` folder. It tells other tabs of them.
 *
 * A value is put into the browser's storage at once, and taken out of it as soon as the server has it. So nothing is lost while the server is away, and
 * what it cannot keep, as in a folder that is read-only, stays in the browser. A collection has a name for each member, as "favourites/1":
 * two tabs can add to it, and neither replaces what the other has.
 */
import { effect, signal } from "@preact/signals"
import { connection, greeting, onNews, post } from "../server/connection"
import type { KeptValue, KeptValues } from "../server/protocol"
import { takeToken, token } from "../server/token"
import { oldValues } from "./old_storage"

interface Loaded {
  project: string
  values: KeptValues
  notes: string[]
}

/** At most about so many bytes are sent at a time: the server refuses more than a megabyte, and a page that is being closed may send 64 kB. */
const MAX_SENT = 800_000
const MAX_SENT_CLOSING = 60_000
const SEND_AFTER = 250

/** Tells the tabs of a project apart, and stays when a tab is reloaded. */
export const tab = tabName()
function tabName(): string {
  try {
    const found = sessionStorage.getItem("undercroft tab") ?? Math.random().toString(36).slice(2)
    sessionStorage.setItem("undercroft tab", found)
    return found
  } catch {
    return "tab"
  }
}

/** What the user should know about what is kept. */
export const storageNote = signal("")

const held = new Map<string, KeptValue>()
/** What the server does not have yet, as it is in the browser's storage. */
const unsent = new Map<string, string>()
/** Names that the server could not keep: they are sent again when they change. */
const refused = new Set<string>()
/** The values without which nothing needs to be kept: those of a first visit. */
const firstValues = new Map<string, string>()
const listeners = new Set<(name: string, value: unknown) => void>()

takeToken()
const loaded = token() ? await post<Loaded>("/api/state/load", {}) : null
const loadedProject = loaded?.ok ? loaded.value.project : ""
const prefix = `undercroft:${loadedProject}\n`

function note(sentences: readonly string[]): void {
  const text = sentences.join(" ")
  if (text && text !== storageNote.peek()) storageNote.value = text
}

/** What an earlier visit could not send, if the server has nothing newer. */
function takeUnsent(): void {
  for (const [key, text] of browserValues()) {
    if (!key.startsWith(prefix)) continue
    const name = key.slice(prefix.length)
    const one = JSON.parse(text) as KeptValue
    if (one.at > (held.get(name)?.at ?? -1)) {
      held.set(name, one)
      unsent.set(name, text)
    } else localStorage.removeItem(key)
  }
  if (unsent.size) setTimeout(() => void send(), SEND_AFTER)
}

function browserValues(): [string, string][] {
  try {
    return Object.keys(localStorage).map((key) => [key, localStorage.getItem(key) ?? "null"])
  } catch {
    return [] // it is forbidden
  }
}

type Check<T> = (value: unknown) => value is T

/** Whether a value is of the same kind as another one, so that a file that somebody has changed by hand does no harm. */
function isLike<T>(value: unknown, other: T): value is T {
  if (other === null) return true
  if (Array.isArray(other)) return Array.isArray(value) && (typeof other[0] !== "number" || value.length === other.length) && value.every((one) => !other.length || isLike(one, other[0] as unknown))
  return typeof value === typeof other && value !== null && !Array.isArray(value)
}

/** One of some words. */
export const oneOf = <T>(...words: readonly T[]): Check<T> => (value): value is T => words.includes(value as T)
export const isText = (value: unknown): value is string => typeof value === "string"

/** A kept value; the other one if there is none, or none that passes the check. */
export function recall<T>(name: string, otherwise: T, check: Check<T> = (value): value is T => isLike(value, otherwise), found = held.get(name)?.value): T {
  firstValues.set(name, JSON.stringify(otherwise))
  return found !== undefined && found !== null && check(found) ? found : otherwise
}

/** The members of a collection that pass the check, by what their names say behind the group; the oldest first. */
export function recallEach<T>(group: string, check: Check<T>): Map<string, T> {
  const found = [...held].filter(([name, one]) => name.startsWith(group + "/") && one.value !== null && check(one.value))
  return new Map(found.sort(([, a], [, b]) => a.at - b.at).map(([name, one]) => [name.slice(group.length + 1), one.value as T]))
}

/** Keep a value; null removes it. `when` it was changed decides between two tabs. */
export function remember(name: string, value: unknown, when = Date.now()): void {
  pendingWrites.delete(name)
  const before = held.get(name)
  const text = JSON.stringify(value ?? null)
  if (text === (before ? JSON.stringify(before.value) : (firstValues.get(name) ?? "null"))) return
  const one = { at: Math.max(when, (before?.at ?? 0) + 1), value: value ?? null }
  held.set(name, one)
  put(name, JSON.stringify(one))
  sendSoon()
}

/**
 * Keeps a collection, member by member: only what was changed or removed here is written. `take` gets the members that are kept, and again when another
 * tab changes one; `now` gives those of this tab.
 */
export function keepEach<T>(group: string, check: Check<T>, now: () => ReadonlyMap<string, T>, take: (members: ReadonlyMap<string, T>, id?: string) => void): void {
  let before: ReadonlyMap<string, T> = recallEach(group, check)
  take(before)
  effect(() => {
    const next = now()
    for (const [id, value] of next) if (before.get(id) !== value) rememberSoon(`${group}/${id}`, () => value)
    for (const id of before.keys()) if (!next.has(id)) rememberSoon(`${group}/${id}`, () => null)
    before = new Map(next)
  })
  listeners.add((name, value) => {
    if (!name.startsWith(group + "/")) return
    const [id, next] = [name.slice(group.length + 1), new Map(before)]
    if (value !== null && check(value)) next.set(id, value)
    else next.delete(id)
    before = next
    take(next, id)
  })
}

/** A value of this tab: two tabs may show two things. A new tab begins with that of the last one. */
export function recallHere<T>(name: string, otherwise: T, check?: Check<T>): T {
  try {
    const own = JSON.parse(sessionStorage.getItem("undercroft here " + name) ?? "null") as unknown
    if (own !== null && held.has(name)) return recall(name, otherwise, check, own)
  } catch {
    // There is none.
  }
  return recall(name, otherwise, check)
}

export function rememberHere(name: string, value: unknown, when?: number): void {
  remember(name, value, when)
  try {
    sessionStorage.setItem("undercroft here " + name, JSON.stringify(value ?? null))
  } catch {
    // The next visit begins with the value of the last tab.
  }
}

const pendingWrites = new Map<string, () => void>()

/** The same a moment later, for what changes with every key press: writing it each time would cost more than drawing a level. */
export function rememberSoon(name: string, value: () => unknown, write: (name: string, value: unknown, when: number) => void = remember): void {
  if (pendingWrites.size === 0) setTimeout(writePending, 400)
  const when = Date.now()
  pendingWrites.set(name, () => write(name, value(), when))
}

function writePending(): void {
  for (const write of pendingWrites.values()) write() // also those that are added meanwhile
  pendingWrites.clear()
}

/** Calls back when another tab has changed a value. */
export const onOtherTab = (name: string, hear: (value: unknown) => void): void => void listeners.add((changed, value) => changed === name && hear(value))

onNews((news) => {
  if (news.kind !== "state" || news.tab === tab) return
  writePending() // what was changed here meanwhile may be newer
  for (const [name, one] of Object.entries(news.changes)) {
    if (one.at <= (held.get(name)?.at ?? -1)) continue
    held.set(name, one)
    for (const hear of listeners) hear(name, one.value)
  }
})

/* ---- to the server ---- */

function put(name: string, text: string): void {
  unsent.set(name, text)
  refused.delete(name)
  try {
    localStorage.setItem(prefix + name, text)
  } catch {
    // It is full or forbidden: the server keeps the value, as soon as it answers.
  }
}

let timer: ReturnType<typeof setTimeout> | undefined
let oneByOne = false
function sendSoon(): void {
  timer ??= setTimeout(() => void send(), SEND_AFTER)
}

/** Sends what the server does not have. It is in the browser's storage until the server has it. */
async function send(closing = false): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  if (!loadedProject || (!closing && connection.peek().kind !== "open")) return
  const most = closing ? MAX_SENT_CLOSING : MAX_SENT
  const batch = new Map<string, string>()
  let length = 0
  for (const [name, text] of unsent) {
    if (refused.has(name) || length + name.length + 3 * text.length > most || (oneByOne && batch.size)) continue
    batch.set(name, text)
    length += name.length + 3 * text.length // of some signs, UTF-8 has three bytes
  }
  if (!batch.size) return
  const changes = Object.fromEntries([...batch].map(([name, text]) => [name, JSON.parse(text) as KeptValue]))
  const got = await post<{ refused: string[]; notes: string[] }>("/api/state/store", { changes, tab }, { keepalive: closing })
  if (!got.ok) {
    if (got.status < 400 || got.status === 401 || got.status >= 500) return // it is sent again with the next change, or when the server is back
    if (batch.size === 1) for (const name of batch.keys()) refused.add(name)
    oneByOne = batch.size > 1 // one of them is not accepted: the others are
    note([got.problem.problem])
  } else {
    note(got.value.notes.length && got.value.refused.length ? [...got.value.notes, "Until then, this browser keeps it."] : got.value.notes)
    for (const name of got.value.refused) refused.add(name)
    for (const [name, text] of batch) if (!refused.has(name)) drop(name, text)
  }
  if ([...unsent.keys()].some((name) => !refused.has(name))) sendSoon()
}

/** The server has a value: unless there is a newer one by now, it leaves the browser's storage. */
function drop(name: string, text: string): void {
  if (unsent.get(name) !== text) return
  unsent.delete(name)
  try {
    if (localStorage.getItem(prefix + name) === text) localStorage.removeItem(prefix + name)
  } catch {
    // It is not there.
  }
}

addEventListener("pagehide", () => {
  writePending()
  void send(true)
})
addEventListener("visibilitychange", () => {
  writePending()
  void send(document.visibilityState === "hidden")
})

/* ---- the first values: behind everything that they need ---- */

if (loaded?.ok) {
  for (const [name, one] of Object.entries(loaded.value.values)) held.set(name, one)
  note(loaded.value.notes)
  takeUnsent()
  for (const [name, value] of oldValues(loaded.value.project)) if (!held.has(name)) remember(name, value)
}

// A token came, or the server has another project by now: only a page that is loaded again knows what is kept there.
effect(() => {
  if (connection.value.kind !== "open") return
  if (greeting.peek()?.project !== loadedProject) location.reload()
  else sendSoon()
})
