/**
 * The layout that is being edited: as a drawing (`doc`) and as text, one following the other.
 *
 * Drawing changes `doc` at once; at the end of a stroke the server writes it into the text, where comments and signs stay. Typing changes the text;
 * after a pause the server reads it and `doc` follows. While the text is broken the drawing stays as it was read last.
 */
import { batch, computed, effect, signal, untracked } from "@preact/signals"
import type { LayoutRead, Problem } from "../../../server/protocol"
import { ask, connection, post } from "../../../server/connection"
import { say } from "../../../state/navigation"
import { isText, recall, recallHere, rememberHere, rememberSoon } from "../../../state/storage"
import { BASE, fromData, toData, type Doc } from "./model"
import { dependOn } from "../../../state/depend_on"

export const doc = signal<Doc | null>(null)
export const text = signal("")
/** The name in the project, or the one it will have there. */
export const file = signal("")
/** The text on disk, with the server's mark of that version; null if it was never saved. */
export const saved = signal<{ text: string; seen: string } | null>(null)
/** The server's reading of the last text without problems. */
export const reading = signal<LayoutRead | null>(null)
export const problems = signal<Problem[]>([])
/** The partition at hand, or BASE or OVERLAY. */
export const chosen = signal(BASE)
export const mode = signal<"draw" | "text">("draw")

/** The text with which a layout began that is not in the project. */
const startText = signal<string | null>(null)
/** The drawing that the text describes. */
const writtenDoc = signal<Doc | null>(null)
/** There is something to save. */
export const changed = computed(() => doc.value !== null && (text.value !== (saved.value?.text ?? startText.value) || doc.value !== writtenDoc.value))
/** The last text that could be read: what is drawn goes into this. */
let good = ""

let writing = 0
let readTimer: ReturnType<typeof setTimeout> | undefined

/* ---- drawing ---- */

const before = signal<Doc[]>([])
const after = signal<Doc[]>([])
let settled: Doc | null = null
/** The text of each drawing that has one by now; and those that stand for a text that is not read yet, or cannot be read. */
const texts = new WeakMap<Doc, string>()
const unread = new WeakSet<Doc>()
export const canUndo = computed(() => before.value.length > 0)
export const canRedo = computed(() => after.value.length > 0)

/** Draw. Call `settle` at the end of the stroke. */
export function draw(next: Doc): void {
  doc.value = next
}

export function settle(): void {
  const now = doc.peek()
  if (!now || now === settled) return
  clearTimeout(readTimer)
  if (keepTyped()) say("The drawing is written into the last text that could be read. Undo brings yours back.")
  push(now)
  void write()
}

/** Puts a typed text that was never read on the undo stack, before something else replaces it. */
function keepTyped(): boolean {
  const typed = text.peek()
  if (!settled || typed === good || texts.get(settled) === typed) return false
  const now = { ...settled }
  texts.set(now, typed)
  unread.add(now)
  push(now)
  return true
}

/** Draw and settle at once, as a press of a button does. */
export function drawAndSettle(next: Doc): void {
  draw(next)
  settle()
}

function push(now: Doc): void {
  if (settled) before.value = [...before.peek().slice(-199), settled]
  after.value = []
  settled = now
}

export function undo(): void {
  keepTyped()
  const to = before.peek().at(-1)
  if (!to || !settled) return
  before.value = before.peek().slice(0, -1)
  after.value = [...after.peek(), settled]
  restore(to)
}

export function redo(): void {
  keepTyped()
  const to = after.peek().at(-1)
  if (!to || !settled) return
  after.value = after.peek().slice(0, -1)
  before.value = [...before.peek(), settled]
  restore(to)
}

function restore(to: Doc): void {
  settled = to
  writing++
  clearTimeout(readTimer)
  const known = texts.get(to)
  batch(() => {
    doc.value = to
    problems.value = []
    if (!hasPart(to, chosen.peek())) chosen.value = to.parts[0]?.id ?? BASE
    if (known === undefined) return
    if (!unread.has(to)) good = known
    text.value = known
    writtenDoc.value = to
  })
  void (known === undefined ? write() : unread.has(to) ? read(known) : readAbout(known))
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
    writtenDoc.value = now
    problems.value = []
  })
  await readAbout(good)
}

/** Waits until the drawing is written into the text. False if it cannot be written. */
export async function catchUp(): Promise<boolean> {
  for (let tries = 0; tries < 5 && doc.peek() !== writtenDoc.peek(); tries++) await write()
  return doc.peek() === writtenDoc.peek()
}

/** Fetches the reading of a text without problems: sizes in words, the next size, notes. */
async function readAbout(of: string): Promise<void> {
  const reply = await ask<LayoutRead>("layout", { do: "layout", text: of, file: file.peek() })
  if (reply.kind === "done" && text.peek() === of && reply.head.data) reading.value = reply.head
}

/* ---- from the text to the drawing ---- */

export function typeText(now: string): void {
  text.value = now
  writtenDoc.value = doc.peek() // what was drawn is on the way back, and what is typed is newer
  writing++
  clearTimeout(readTimer)
  readTimer = setTimeout(() => void read(now), 120)
}

async function read(of: string): Promise<void> {
  const mine = writing
  const reply = await ask<LayoutRead>("layout", { do: "layout", text: of, file: file.peek() })
  if (reply.kind !== "done" || text.peek() !== of || mine !== writing) return
  problems.value = reply.head.problems
  if (!reply.head.data) return
  const now = fromData(reply.head.data, doc.peek())
  good = of
  batch(() => {
    reading.value = reply.head
    doc.value = now
    writtenDoc.value = now
    if (!hasPart(now, chosen.peek())) chosen.value = now.parts[0]?.id ?? BASE
  })
  texts.set(now, of)
  if (settled && unread.has(settled) && texts.get(settled) === of) settled = now
  else push(now)
}

// What was drawn or typed while the server was away is written and read when it is back.
effect(() => {
  if (connection.value.kind !== "open") return
  untracked(() => {
    if (!doc.peek()) return
    if (doc.peek() !== writtenDoc.peek()) void write()
    else if (text.peek() !== good) void read(text.peek())
    else if (!reading.peek()) void readAbout(good)
  })
})

/* ---- another layout ---- */

/** What is kept of a layout that is not saved: its text, and the drawing if the text does not say it yet. */
export interface Draft {
  text: string
  saved: { text: string; seen: string } | null
  data?: unknown
}
export const isDraft = (value: unknown): value is Draft => {
  const one = (value ?? {}) as Partial<Record<keyof Draft, unknown>>
  const disk = (one.saved ?? {}) as { text?: unknown; seen?: unknown }
  return isText(one.text) && (one.saved === null || (isText(disk.text) && isText(disk.seen)))
}
export const draft = (): Draft => ({ text: text.peek(), saved: saved.peek(), ...(doc.peek() && doc.peek() !== writtenDoc.peek() ? { data: toData(doc.peek() as Doc) } : {}) })

export async function openDraft(name: string, of: Draft): Promise<boolean> {
  if (!(await openText(name, of.text, of.saved, true))) return false
  try {
    if (of.data) drawAndSettle(fromData(of.data, doc.peek()))
  } catch {
    // Somebody has changed the file that keeps it: the text is as it was.
  }
  return true
}

/** Take up a layout, if it is still `wanted` when the server has read it. A text that is none is there as text alone, with its problems. */
export async function openText(name: string, of: string, disk: { text: string; seen: string } | null, unsaved = false, wanted = (): boolean => true): Promise<boolean> {
  const reply = await ask<LayoutRead>("layout to open", { do: "layout", text: of, file: name })
  if (reply.kind !== "done" || !wanted()) return false
  const data = reply.head.data
  const now = data ? fromData(data) : { name: "", tags: [], flipX: false, flipY: false, parts: [], cells: new Map() }
  clearTimeout(readTimer)
  writing++
  good = data ? of : ""
  settled = now
  texts.set(now, of)
  if (!data) unread.add(now)
  batch(() => {
    file.value = name
    text.value = of
    saved.value = disk
    startText.value = disk || unsaved ? null : of
    writtenDoc.value = now
    doc.value = now
    reading.value = data ? reply.head : null
    problems.value = reply.head.problems
    before.value = []
    after.value = []
    chosen.value = now.parts[0]?.id ?? BASE
    mode.value = data ? mode.peek() : "text"
  })
  return true
}

/** Closes the layout: the start page is shown. */
export function closeLayout(): void {
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

/* ---- between visits ---- */

interface Stored extends Draft {
  file: string
  mode: "draw" | "text"
}

let resumed = false
effect(() => {
  dependOn(doc.value, file.value, text.value, saved.value, mode.value, writtenDoc.value)
  if (resumed) rememberSoon("open layout", () => (doc.peek() ? { file: file.peek(), mode: mode.peek(), ...draft() } : null), rememberHere)
})

let resuming: Promise<boolean> | null = null
/** What was open at the last visit, with what was not saved. False if the server did not answer: then the next call tries again. */
export function resume(): Promise<boolean> {
  return (resuming ??= resumeLast().then((good) => {
    resumed = good
    if (!good) resuming = null
    return good
  }))
}

async function resumeLast(): Promise<boolean> {
  const kept = recallHere<Stored | null>("open layout", null, (value): value is Stored => isDraft(value) && isText((value as Stored).file))
  if (!kept) return true
  mode.value = kept.mode === "text" ? "text" : "draw"
  return openDraft(kept.file, recall<Draft>("drafts/layouts/" + kept.file, kept, isDraft))
}
