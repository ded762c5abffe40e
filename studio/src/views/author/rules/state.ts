/** The current rule file: its text, the chosen rule, the brush, and undo. Everything that is drawn is derived from the text. */
import { computed, effect, signal } from "@preact/signals"
import type { StepOf } from "../../../project/open_in_author"
import { isText, keepEach, recallHere, rememberHere, rememberSoon } from "../../../state/storage"
import { outlineOf, type Rule } from "./text/anatomy"

export interface Doc {
  /** Its name in the project folder, or the one it would get. */
  file: string
  text: string
  /** As it is on disk, as far as we know; null if it was never saved. */
  saved: string | null
  /** The server's mark of the version that was read; it is sent back when saving. */
  seen: string
  /** The step of the recipe in whose text these rules stand: they are saved into that. */
  of?: StepOf
}

/** What is in hand: any tile, a tile by its name, or a set by its name. */
export type Brush = { kind: "any" } | { kind: "tile"; name: string } | { kind: "set"; name: string }

const isDoc = (value: unknown): value is Doc => {
  const one = (value ?? {}) as Partial<Record<keyof Doc, unknown>>
  const of = (one.of ?? {}) as Partial<Record<keyof StepOf, unknown>>
  return [one.file, one.text, one.seen].every(isText) && (one.saved === null || isText(one.saved)) && (one.of === undefined || (isText(of.recipe) && isText(of.step)))
}

/** Files that were opened here and are not as on disk: nothing that was typed is lost by opening another. */
export const drafts = new Map<string, Doc>()
/** The file that was open at the last visit. */
const last = recallHere<Doc | null>("open rules", null, isDoc)
export const doc = signal<Doc | null>(null)
/** What was changed in a file stays with it when it gets another name; so do rules in the text of a recipe. */
export function renameDrafts(path: string, to: string): void {
  const rename = (one: Doc): Doc => {
    if (one.of?.recipe === path) return { ...one, file: to + one.file.slice(path.length), of: { ...one.of, recipe: to } }
    return one.file === path ? { ...one, file: to } : one
  }
  const kept = [...drafts.values()].map(rename)
  drafts.clear()
  for (const one of kept) drafts.set(one.file, one)
  if (doc.peek()) doc.value = rename(doc.peek() as Doc)
}

export const chosen = signal(0)
export const brush = signal<Brush>({ kind: "tile", name: "wall" })

export const changed = computed(() => doc.value !== null && doc.value.text !== doc.value.saved)
export const outline = computed(() => outlineOf(doc.value?.text ?? ""))
export const rule = computed<Rule | null>(() => {
  const { rules } = outline.value
  return rules[Math.min(chosen.value, rules.length - 1)] ?? null
})

/* ---- between visits ---- */

keepEach(
  "drafts/rules",
  isDoc,
  () => {
    const now = doc.value
    if (now?.text === now?.saved) drafts.delete(now?.file ?? "")
    else if (now) drafts.set(now.file, now)
    return drafts
  },
  (kept, id) => {
    for (const [file, one] of kept) if (one.text !== one.saved) drafts.set(file, one)
    if (!id) {
      doc.value = last && (drafts.get(last.file) ?? (last.saved === null ? null : { ...last, text: last.saved }))
      return
    }
    // Two tabs with the same file show the same text: a text of this one that differs is undone to.
    const theirs = kept.get(id)
    if (theirs && doc.peek()?.file === id) edit(theirs.text)
    else if (!theirs && doc.peek()?.file !== id) drafts.delete(id)
  },
)
effect(() => {
  const now = doc.value
  // A file that is not as on disk is among the drafts.
  if (now) rememberSoon("open rules", () => (now.text === now.saved ? now : { ...now, text: "" }), rememberHere)
})

/* ---- undo and redo: of all changes, typed or drawn ---- */

interface Step {
  text: string
  chosen: number
}
export const past = signal<Step[]>([])
export const future = signal<Step[]>([])
let group: string | null = null
let grouped = 0
const MAX_UNDO_STEPS = 300

/** The text is another now. Changes of one `group` that follow each other closely are undone together. */
export function edit(text: string, { choose, of = null }: { choose?: number; of?: string | null } = {}): void {
  const now = doc.peek()
  if (!now || now.text === text) return
  const together = of !== null && of === group && Date.now() - grouped < 1200
  if (!together) past.value = [...past.peek().slice(-MAX_UNDO_STEPS), { text: now.text, chosen: chosen.peek() }]
  group = of
  grouped = Date.now()
  future.value = []
  doc.value = { ...now, text }
  if (choose !== undefined) chosen.value = choose
}

/** The next change is a step of its own, whatever it belongs to. */
export function endGroup(): void {
  group = null
}

function stepHistory(from: typeof past, to: typeof future): boolean {
  const step = from.peek().at(-1)
  const now = doc.peek()
  if (!step || !now) return false
  from.value = from.peek().slice(0, -1)
  to.value = [...to.peek(), { text: now.text, chosen: chosen.peek() }]
  endGroup()
  doc.value = { ...now, text: step.text }
  chosen.value = step.chosen
  return true
}
export const undo = (): boolean => stepHistory(past, future)
export const redo = (): boolean => stepHistory(future, past)

/** Shows another file, with an empty undo stack. */
export function showFile(next: Doc): void {
  const same = doc.peek()?.file === next.file
  past.value = []
  future.value = []
  endGroup()
  doc.value = next
  if (!same) chosen.value = 0
}

/** Typed in the text. The rule that was chosen stays chosen, by its name if lines moved. */
export function typeText(text: string): void {
  const was = rule.peek()
  edit(text, { of: "typing" })
  const { rules } = outlineOf(text)
  if (!was || (rules[chosen.peek()]?.name === was.name && rules[chosen.peek()]?.node.kind === was.node.kind)) return
  const there = rules.findIndex((one) => one.name !== "" && one.name === was.name)
  if (there >= 0) chosen.value = there
}
