/** Opening, saving and watching rule files of the project. */
import { effect, signal, untracked } from "@preact/signals"
import type { FileRow, FileText, Problem } from "../../../server/protocol"
import { connection, onNews, post } from "../../../server/connection"
import { freeName } from "../../../project/file_names"
import { toOpen, type StepOf } from "../../../project/open_in_author"
import { withRules } from "../../../project/inline_rules"
import { say } from "../../../state/navigation"
import { changedFile, stepRules, typeText } from "../../../state/recipes"
import { work } from "../../../state/work"
import { changed, doc, drafts, edit, renameDrafts, showFile, type Doc } from "./state"
import { STARTERS, type Starter } from "./starters"

/** Rule files of the project; null until they are listed. */
export const files = signal<FileRow[] | null>(null)
/** The file was changed elsewhere while it was changed here too; `text` is null if it is gone. */
export const conflict = signal<{ file: string; text: string | null; seen: string } | null>(null)
export const dialog = signal<"open" | "save" | null>(null)

export async function listFiles(): Promise<FileRow[]> {
  const got = await post<FileRow[]>("/api/files/list", {})
  if (got.ok) files.value = got.value.filter((file) => file.kind === "rules")
  return files.peek() ?? []
}

/** Opens a file; what was changed in it here before and not saved is still there. */
export async function openFile(path: string): Promise<Problem | null> {
  const got = await post<FileText>("/api/files/read", { path })
  const draft = drafts.get(path)
  if (!got.ok && !draft) return got.problem
  conflict.value = null
  showFile(draft ?? { file: path, text: (got as { value: FileText }).value.text, saved: (got as { value: FileText }).value.text, seen: (got as { value: FileText }).value.seen })
  if (draft && got.ok) compareWithDisk(got.value)
  return null
}

export async function startFile(starter: Starter): Promise<void> {
  const taken = [...(await listFiles()).map((row) => row.path), ...drafts.keys()]
  const file = freeName(starter.file.replace(/\.rules$/, ""), ".rules", taken)
  conflict.value = null
  showFile({ file, text: starter.text, saved: null, seen: "" })
}

/** Rules that stand in a recipe; what was changed in them here and is not in the recipe yet is still there. */
function openInline(file: string, { of, text }: { of: StepOf; text: string }): void {
  const draft = drafts.get(file)
  conflict.value = null
  showFile(draft ? { ...draft, saved: text, of } : { file, text, saved: text, seen: "", of })
}

/** What is on disk now, beside what is here. */
function compareWithDisk(disk: FileText | null): void {
  const now = doc.peek()
  if (!now || (disk && disk.path !== now.file)) return
  if (disk && disk.text === now.text) {
    conflict.value = null
    doc.value = { ...now, saved: disk.text, seen: disk.seen }
  } else if (disk && disk.text === now.saved) {
    if (disk.seen !== now.seen) doc.value = { ...now, seen: disk.seen }
  } else if (disk && !changed.peek()) {
    edit(disk.text)
    doc.value = { ...(doc.peek() as Doc), saved: disk.text, seen: disk.seen }
    say(`${now.file} was changed on disk, and is shown as it is there`)
  } else if (disk || now.saved !== null) conflict.value = { file: now.file, text: disk?.text ?? null, seen: disk?.seen ?? "" }
}

async function checkDisk(): Promise<void> {
  const now = doc.peek()
  if (!now || now.of) return
  const got = await post<FileText>("/api/files/read", { path: now.file })
  if (doc.peek()?.file !== now.file) return
  if (got.ok) compareWithDisk(got.value)
  else if (got.status === 404) compareWithDisk(null)
}

/** Takes the text on disk. Undo brings the other one back. */
export function reload(): void {
  const other = conflict.peek()
  const now = doc.peek()
  if (!other || !now || other.text === null) return
  edit(other.text)
  doc.value = { ...(doc.peek() as Doc), saved: other.text, seen: other.seen }
  conflict.value = null
  say(`${other.file} as it is on disk. Undo brings yours back.`)
}

/** Go on with what is here; saving writes over what is on disk now. */
export function keepMine(): void {
  const other = conflict.peek()
  const now = doc.peek()
  if (!other || !now) return
  doc.value = { ...now, saved: other.text, seen: other.seen }
  conflict.value = null
}

/** Saves under a name; the problem if that fails. `over` is the digest of the file that may be replaced. */
export async function save(path?: string, over?: string): Promise<Problem | null> {
  const now = doc.peek()
  if (!now) return null
  if (now.of && path === undefined) return saveIntoRecipe(now, now.of)
  const to = path ?? now.file
  const got = await post<FileText>("/api/files/save", { path: to, text: now.text, seen: over ?? (to === now.file ? now.seen : ""), kind: "rules" })
  if (!got.ok) {
    if (got.status === 409 && to === now.file && now.saved !== null) await checkDisk()
    return got.problem
  }
  const held = doc.peek()
  if (held && held.file !== now.file) {
    // Another file was opened while this one was saved: its draft is no longer needed.
    if (drafts.get(now.file)?.text === got.value.text) drafts.delete(now.file)
    doc.value = { ...held } // and is forgotten
  } else {
    if (to !== now.file) drafts.delete(now.file)
    doc.value = { file: to, text: held?.text ?? now.text, saved: got.value.text, seen: got.value.seen }
    conflict.value = null
  }
  say(`Saved ${to}`)
  void listFiles()
  return null
}

/** Rules of a recipe go into its text in Make, from where it is saved. */
function saveIntoRecipe(now: Doc, of: StepOf): Problem | null {
  const at = stepRules(of)
  if (at?.key !== "rules" || at.text !== now.saved) {
    const problem = at ? `The rules in ${of.recipe} are others by now: save these under a name of their own.` : `${of.recipe} with its step ${of.step} is not open in Make: open it there, then save again.`
    return { problem, fix: "", place: null, change: null }
  }
  typeText(withRules(work.peek()?.text ?? "", at, now.text))
  const text = now.text.endsWith("\n") ? now.text : now.text + "\n" // as it stands in the recipe
  doc.value = { ...now, text, saved: text }
  say(`The rules are in ${of.recipe} now. Save that in Make.`)
  return null
}

/** Ctrl S: saves a file, and asks for the name of a new one. */
export async function saveOrAsk(): Promise<void> {
  const now = doc.peek()
  if (!now) return
  if (now.saved === null && now.seen === "") {
    dialog.value = "save"
    return
  }
  const problem = await save()
  if (problem && !conflict.peek()) say(problem.problem)
}

/** As it is on disk; can be undone. */
export function revert(): void {
  const now = doc.peek()
  if (now?.saved !== null && now) edit(now.saved)
}

onNews((news) => {
  if (news.kind !== "renamed") return
  renameDrafts(news.path, news.to)
  if (conflict.peek()?.file === news.path) conflict.value = null
  if (files.peek()) void listFiles()
})
effect(() => {
  const news = changedFile.value
  if (!news) return
  untracked(() => {
    if (news.path === doc.peek()?.file) void checkDisk()
    if (files.peek() && news.path.endsWith(".rules")) void listFiles()
  })
})
// Files may have changed while the server was away.
effect(() => {
  if (connection.value.kind !== "open") return
  untracked(() => {
    if (doc.peek() && doc.peek()?.saved !== null) void checkDisk()
  })
})
effect(() => {
  const wish = toOpen.value
  if (wish?.kind !== "rules" || connection.value.kind !== "open") return
  untracked(() => {
    toOpen.value = null
    if (wish.inline) openInline(wish.path, wish.inline)
    else void openFile(wish.path).then((problem) => problem && say(problem.problem))
  })
})

/** The first file: the newest of the project, else one to begin with. */
export async function openFirstFile(): Promise<void> {
  if (doc.peek() || toOpen.peek()?.kind === "rules") return
  const rows = await listFiles()
  if (doc.peek()) return
  const newest = [...rows].sort((a, b) => b.changed - a.changed)[0]
  if (newest) await openFile(newest.path)
  else await startFile(STARTERS[0] as Starter)
}
