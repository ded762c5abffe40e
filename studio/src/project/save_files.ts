/** Saving the recipe's text, and the level with what was painted on it, into the project folder. */
import { signal } from "@preact/signals"
import type { Digests, Exported, FileKind, FileText, Problem } from "../server/protocol"
import { refreshHello, post } from "../server/connection"
import { level } from "../state/level"
import { changedElsewhere, isOpenedText, noteOpened, wasOpened } from "./opened_texts"
import { currentDocument, isProblem } from "./works"
import { MAX_WORK_BYTES } from "../state/link"
import { dialog, say } from "../state/navigation"
import { cardOf } from "../state/recipes"
import { base, card, change, detached, documentText, hasHandwork, isMap, openings, settle, work, type Work } from "../state/work"
import { workText } from "../state/work_document"

/** A file that is not overwritten unless the user says so: it is another than the one that was opened. */
export const conflict = signal<{ path: string; problem: Problem } | null>(null)
/** What the user has agreed to overwrite. */
const agreed = (path: string, over: boolean): Digests => (over && conflict.peek()?.path === path ? (conflict.peek()?.problem.changed ?? {}) : {})

/** Ctrl S: a whole work or a recipe of the project is written back. For anything else, the dialog asks what to save, and under which name. */
export async function saveOrAsk(): Promise<void> {
  conflict.value = null
  const now = work.peek()
  const save = now && saveBack(now)
  if (!save) {
    dialog.value = "save"
    return
  }
  const problem = await save()
  if (problem && conflict.peek()) dialog.value = "save"
  else if (problem) say([problem.problem, problem.fix].filter(Boolean).join(": "))
}

/** How a work is written back to the file that it came from; null if that file cannot hold it. */
function saveBack(now: Work): (() => Promise<Problem | null>) | null {
  const { base, document } = now
  if (document) return () => saveWork(document)
  // What was painted, placed or kept is in no recipe.
  return "path" in base && !isMap(now) && !detached.peek() && !hasHandwork(now) ? () => saveRecipe(base.path) : null
}

/** Asks for another name. */
export function saveAs(): void {
  conflict.value = null
  dialog.value = "save"
}

/** Saves the text; with `over`, the file of the last conflict is replaced. Returns the problem, or null. */
export async function saveRecipe(path: string, over = false): Promise<Problem | null> {
  const now = work.peek()
  if (!now) return null
  const opening = openings
  const problem = await saveText(path, now.text, { kind: "recipe", over, fresh: detached.peek() })
  if (problem) return problem
  await refreshHello()
  say(`Saved ${path}`)
  // Another work was opened while this one was saved.
  if (opening !== openings) return null
  changedElsewhere.value = null
  const fresh = cardOf({ path })
  if (fresh) {
    base.value = fresh
    const reading = card.peek()
    if (reading && reading.text === fresh.text) card.value = { ...fresh }
  }
  change({ base: { path }, file: path })
  settle()
  return null
}

/** Saves the whole work with all of it. */
export async function saveWork(path: string, over = false): Promise<Problem | null> {
  const opening = openings
  const now = work.peek()
  const data = await currentDocument()
  if (!now || !data || isProblem(data)) return data && isProblem(data) ? data : null
  const text = workText(data)
  const length = new TextEncoder().encode(text).length
  if (length > MAX_WORK_BYTES) return { problem: `the work has ${length.toLocaleString("en")} bytes, and at most ${MAX_WORK_BYTES.toLocaleString("en")} can be read`, fix: "save the level itself, and go on from that map", place: null }
  const problem = await saveText(path, text, { kind: "work", over })
  if (problem) return problem
  say(`Saved ${path}`)
  // Another work was opened while this one was saved.
  if (opening !== openings) return null
  documentText.value = { document: path, text: now.text }
  change({ document: path })
  settle()
  return null
}

/** Saves a text over the one that was opened, or as a new file (`fresh`: even if one was opened); else asks, unless `over` says that the user agreed. */
async function saveText(path: string, text: string, { kind, over, fresh = false }: { kind: FileKind; over: boolean; fresh?: boolean }): Promise<Problem | null> {
  let seen = agreed(path, over)[path] ?? ""
  const there = !seen && wasOpened(path) && !fresh ? await post<FileText>("/api/files/read", { path }) : null
  if (there?.ok) {
    seen = there.value.seen
    if (!isOpenedText(path, there.value.text) && there.value.text !== text) return reportConflict(path, { problem: `${path} was changed elsewhere since it was opened`, fix: "", place: null, changed: { [path]: seen } })
  }
  const got = await post<FileText>("/api/files/save", { path, text, seen, kind })
  if (!got.ok) return got.status === 409 ? reportConflict(path, got.problem) : got.problem
  noteOpened(path, text)
  conflict.value = null
  return null
}

function reportConflict(path: string, problem: Problem): Problem {
  const asked = { ...problem, fix: "save over it, or under another name" }
  conflict.value = { path, problem: asked }
  return asked
}

/** Saves the level as it is shown, with kept and painted cells. */
export async function saveLevel(path: string, over = false): Promise<Problem | null> {
  const now = level.peek()
  if (!now) return { problem: "There is no level yet", fix: "wait until it is made", place: null }
  const got = await post<Exported>("/api/save", { ...now.exact, path, over: agreed(path, over) })
  if (!got.ok) return got.status === 409 ? reportConflict(path, got.problem) : got.problem
  conflict.value = null
  say(`Saved ${got.value.path}, ${Math.ceil(got.value.bytes / 1000)} kB`)
  return null
}
