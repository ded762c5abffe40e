/**
 * The layout that is being edited: as a drawing (`doc`) and as text, one following the other.
 *
 * Drawing changes `doc` at once; when the hand lets go, the server writes that into the text, where comments and signs stay. Typing changes the text;
 * when the fingers rest, the server reads it and `doc` follows. While the text is broken the drawing stays as it was read last.
 */
import { batch, computed, effect, signal, untracked } from "@preact/signals"
import type { LayoutRead, Problem } from "../../protocol"
import { ask, connection, post } from "../../server"
import { recall, remember } from "../../state/remember"
import { BASE, fromData, toData, type Doc } from "./model"

export const doc = signal<Doc | null>(null)
export const text = signal("")
/** The name in the project, or the one it will have there. */
export const file = signal("")
/** The text on disk, and by what the server knows it; null if it was never saved. */
export const saved = signal<{ text: string; seen: string } | null>(null)
/** What the server says about the last good text. */
export const reading = signal<LayoutRead | null>(null)
export const problems = signal<Problem[]>([])
/** The partition at hand, or BASE or OVERLAY. */
export const chosen = signal(BASE)
export const mode = signal<"draw" | "text">("draw")

/** The text with which a layout began that is not in the project. */
const begun = signal<string | null>(null)
/** The drawing that the text says. */
const written = signal<Doc | null>(null)
/** There is something to save. */
export const changed = computed(() => doc.value !== null && (text.value !== (saved.value?.text ?? begun.value) || doc.value !== written.value))
/** The last text that could be read: what is drawn goes into this. */
let good = ""

let writing = 0
let resting: ReturnType<typeof setTimeout> | undefined

/* ---- drawing ---- */

const before = signal<Doc[]>([])
const after = signal<Doc[]>([])
let settled: Doc | null = null
/** The text of each drawing that has one by now. */
const texts = new WeakMap<Doc, string>()
export const canUndo = computed(() => before.value.length > 0)
export const canRedo = computed(() => after.value.length > 0)

/** Draw. Call `settle` when the hand lets go. */
export function draw(next: Doc): void {
  doc.value = next
}

export function settle(): void {
  const now = doc.peek()
  if (!now || now === settled) return
  push(now)
  void write()
}

/** Draw and settle at once, as a press of a button does. */
export function set(next: Doc): void {
  draw(next)
  settle()
}

function push(now: Doc): void {
  if (settled) before.value = [...before.peek().slice(-199), settled]
  after.value = []
  settled = now
}

export function undo(): void {
  const to = before.peek().at(-1)
  if (!to || !settled) return
  before.value = before.peek().slice(0, -1)
  after.value = [...after.peek(), settled]
  restore(to)
}

export function redo(): void {
  const to = after.peek().at(-1)
  if (!to || !settled) return
  after.value = after.peek().slice(0, -1)
  before.value = [...before.peek(), settled]
  restore(to)
}

function restore(to: Doc): void {
  settled = to
  writing++
  clearTimeout(resting)
  const known = texts.get(to)
  batch(() => {
    doc.value = to
    problems.value = []
    if (!hasPart(to, chosen.peek())) chosen.value = to.parts[0]?.id ?? BASE
    if (known === undefined) return
    good = known
    text.value = known
    written.value = to
  })
  void (known === undefined ? write() : look(known))
}

const hasPart = (of: Doc, id: number): boolean => id < 0 || of.parts.some((part) => part.id === id)

/* ---- from the drawing to the text ---- */

async function write(): Promise<void> {
  const now = doc.peek()
  if (!now) return
  const mine = ++writing
  const got = await post<{ text: string }>("/api/layout", { data: toData(now), file: file.peek(), text: good })
  if (got.ok) texts.set(now, got.value.text)
  if (mine !== writing || doc.peek() !== now) return
  if (!got.ok) {
    // Without the server the drawing goes on; the text follows when it is back.
    if (got.status !== 0) problems.value = [{ ...got.problem, place: null }]
    return
  }
  good = got.value.text
  batch(() => {
    text.value = good
    written.value = now
    problems.value = []
  })
  await look(good)
}

/** Waits until the text says what is drawn. */
export async function caughtUp(): Promise<void> {
  if (doc.peek() !== written.peek()) await write()
}

/** What the server says about a text that is known to be good: sizes in words, the next size, notes. */
async function look(of: string): Promise<void> {
  const reply = await ask<LayoutRead>("layout", { do: "layout", text: of, file: file.peek() })
  if (reply.kind === "done" && text.peek() === of && reply.head.data) reading.value = reply.head
}

/* ---- from the text to the drawing ---- */

export function typed(now: string): void {
  text.value = now
  writing++
  clearTimeout(resting)
  resting = setTimeout(() => void read(now), 120)
}

async function read(of: string): Promise<void> {
  const reply = await ask<LayoutRead>("layout", { do: "layout", text: of, file: file.peek() })
  if (reply.kind !== "done" || text.peek() !== of) return
  problems.value = reply.head.problems
  if (!reply.head.data) return
  const now = fromData(reply.head.data, doc.peek())
  good = of
  batch(() => {
    reading.value = reply.head
    doc.value = now
    written.value = now
    if (!hasPart(now, chosen.peek())) chosen.value = now.parts[0]?.id ?? BASE
  })
  texts.set(now, of)
  push(now)
}

// What was drawn or typed while the server was away is written and read when it is back.
effect(() => {
  if (connection.value.kind !== "open") return
  untracked(() => {
    if (!doc.peek()) return
    if (doc.peek() !== written.peek()) void write()
    else if (text.peek() !== good) void read(text.peek())
    else if (!reading.peek()) void look(good)
  })
})

/* ---- another layout ---- */

/** Take up a layout. False if its text is none: then only the text is there, with its problems. */
export async function take(name: string, of: string, disk: { text: string; seen: string } | null, unsaved = false): Promise<boolean> {
  const reply = await ask<LayoutRead>("layout to open", { do: "layout", text: of, file: name })
  if (reply.kind !== "done") return false
  const data = reply.head.data
  const now = data ? fromData(data) : null
  clearTimeout(resting)
  writing++
  good = of
  settled = now
  if (now) texts.set(now, of)
  batch(() => {
    file.value = name
    text.value = of
    saved.value = disk
    begun.value = disk || unsaved ? null : of
    written.value = now
    doc.value = now ?? { name: "", tags: [], flipX: false, flipY: false, parts: [], cells: new Map() }
    reading.value = now ? reply.head : null
    problems.value = reply.head.problems
    before.value = []
    after.value = []
    chosen.value = now?.parts[0]?.id ?? BASE
    mode.value = now ? mode.peek() : "text"
  })
  return true
}

/** Put it away: back to where one chooses what to draw. */
export function leave(): void {
  batch(() => {
    doc.value = null
    file.value = ""
    text.value = ""
    saved.value = null
    reading.value = null
    problems.value = []
  })
  settled = null
}

/* ---- the memory of the browser ---- */

interface Kept {
  file: string
  text: string
  saved: { text: string; seen: string } | null
  mode: "draw" | "text"
}

let resumed = false
effect(() => {
  const kept: Kept | null = doc.value ? { file: file.value, text: text.value, saved: saved.value, mode: mode.value } : null
  if (resumed) remember("layout", kept)
})

/** What was open at the last visit, with what was not saved. */
export async function resume(): Promise<void> {
  if (resumed || doc.peek()) return
  const kept = recall<Kept | null>("layout", null)
  resumed = true
  if (!kept) return
  mode.value = kept.mode
  await take(kept.file, kept.text, kept.saved, true)
}
