/** Layouts in files of the project: opened, begun, saved, and followed when they change elsewhere. */
import { effect, signal, untracked } from "@preact/signals"
import type { FileRow, FileText, Problem } from "../../../server/protocol"
import { onNews, post } from "../../../server/connection"
import { freeName } from "../../../project/file_names"
import { say } from "../../../state/navigation"
import { keepEach, rememberSoon } from "../../../state/storage"
import { dependOn } from "../../../state/depend_on"
import { changedFile } from "../../../state/recipes"
import { toData } from "./model"
import { forgetSizes } from "./sizes/sizes"
import { catchUp, changed, doc, draft, file, isDraft, mode, problems, resume, saved, openText, openDraft, text, typeText, type Draft } from "./state"

/** The layouts of the project, as they were listed last. */
export const projectLayouts = signal<FileRow[]>([])
/** The file on disk is another than the one that was opened, and something was changed here too. */
export const conflict = signal<FileText | null>(null)
/** Asks for a name to save under. */
export const naming = signal(false)

/** What was changed and not saved when another layout was opened, by file: it is still there when that is opened again. */
export const drafts = signal<ReadonlyMap<string, Draft>>(new Map())
/** What is changed and not saved of the layout that is open, a moment late. */
const openDraftOf = signal<[string, Draft] | null>(null)
const noteDraft = (): void => void (openDraftOf.value = doc.peek() && changed.peek() ? [file.peek(), draft()] : null)
effect(() => {
  dependOn(doc.value, file.value, text.value, saved.value, changed.value)
  rememberSoon("", noteDraft, () => undefined)
})
keepEach(
  "drafts/layouts",
  isDraft,
  () => new Map([...(openDraftOf.value ? [openDraftOf.value] : []), ...drafts.value]),
  (kept, id) => {
    if (id === undefined) drafts.value = kept
    else if (doc.peek() && file.peek() === id) {
      // Two tabs with the same layout show the same text: a text of this one that differs is undone to.
      const theirs = kept.get(id)?.text ?? text.peek()
      if (theirs !== text.peek()) typeText(theirs)
    } else {
      const next = new Map(drafts.peek())
      const theirs = kept.get(id)
      if (theirs) next.set(id, theirs)
      else next.delete(id)
      drafts.value = next
    }
  },
)

function stashDraft(): void {
  const next = new Map(drafts.peek())
  next.delete(file.peek())
  if (doc.peek() && changed.peek()) next.set(file.peek(), draft())
  drafts.value = next
}
function forgetDraft(path: string): void {
  const next = new Map(drafts.peek())
  if (next.delete(path)) drafts.value = next
}

const FIRST_LAYOUT = `; A room with walls all round. Its walls move outward, and the floor fills what they leave.
layout  room
scale   w = walls, right by 1, down by 1
scale   f = floor, right by 1, down by 1

    #######  |  wwwwwww
    #.....#  |  wfffffw
    #.....#  |  wfffffw
    #.....#  |  wfffffw
    #######  |  wwwwwww
`

export async function listLayouts(): Promise<void> {
  const got = await post<FileRow[]>("/api/files/list", {})
  if (got.ok) projectLayouts.value = got.value.filter((row) => row.kind === "layout")
}

const NO_ANSWER: Problem = { problem: "The studio does not answer", fix: "", place: null }

export async function openLayout(path: string): Promise<Problem | null> {
  if (!(await resume())) return NO_ANSWER
  stashDraft()
  const mine = drafts.peek().get(path)
  const got = await post<FileText>("/api/files/read", { path })
  if (!got.ok && !mine) return got.problem
  const taken = mine ? await openDraft(path, mine) : got.ok && (await openText(path, got.value.text, { text: got.value.text, seen: got.value.seen }))
  if (!taken) return NO_ANSWER
  conflict.value = null
  forgetSizes()
  noteDraft()
  if (mine) {
    forgetDraft(path)
    if (got.ok && mine.saved) await checkDisk(path)
  }
  return null
}

/** A name that no file of the project has. */
export const freeLayoutName = (stem: string): string => freeName(stem, ".layout", [...projectLayouts.peek().map((row) => row.path), ...drafts.peek().keys(), file.peek()])

export async function startLayout(stem = "room", from = FIRST_LAYOUT): Promise<void> {
  if (!(await resume())) {
    say(NO_ANSWER.problem)
    return
  }
  await listLayouts()
  stashDraft()
  conflict.value = null
  mode.value = "draw"
  forgetSizes()
  await openText(freeLayoutName(stem), from, null)
}

/** Saves under its name; asks for one if it has none yet. */
export function save(): void {
  if (!doc.peek()) return
  if (saved.peek()) void saveAs(file.peek()).then((problem) => problem && say(`${problem.problem}. ${problem.fix}`))
  else naming.value = true
}

export async function saveAs(path: string, over = false): Promise<Problem | null> {
  if (!(await catchUp())) return problems.peek()[0] ?? NO_ANSWER
  const from = file.peek()
  const now = text.peek()
  const known = saved.peek() && path === file.peek()
  let seen = known ? (saved.peek()?.seen ?? "") : ""
  if (over) {
    const there = await post<FileText>("/api/files/read", { path })
    if (there.ok) seen = there.value.seen
  }
  const written = path === file.peek() || path.endsWith(".json") === file.peek().endsWith(".json") ? now : await convertText(path)
  if (typeof written !== "string") return written
  const got = await post<FileText>("/api/files/save", { path, text: written, seen, kind: "layout" })
  if (!got.ok) {
    if (got.status === 409 && known) await checkDisk(path)
    return got.problem
  }
  const disk = { text: got.value.text, seen: got.value.seen }
  if (file.peek() !== from) {
    // Another layout was opened while this one was saved: its draft is no longer needed.
    if (path === from && drafts.peek().get(path)?.text === written) forgetDraft(path)
  } else {
    conflict.value = null
    forgetDraft(path)
    if (path === from) saved.value = disk
    else await openText(path, disk.text, disk)
  }
  say(`Saved ${path}`)
  void listLayouts()
  return null
}

/** The text in the other form: drawn, or the JSON of Cozy Caves. */
async function convertText(path: string): Promise<string | Problem> {
  const now = doc.peek()
  const got = await post<{ text: string }>("/api/layout", { data: now && toData(now), file: path })
  return got.ok ? got.value.text : got.problem
}

/* ---- changes made elsewhere ---- */

effect(() => {
  const news = changedFile.value
  if (!news) return
  untracked(() => {
    if (news.path.endsWith(".layout") || news.path.endsWith(".json")) void listLayouts()
    if (doc.peek() && saved.peek() && news.path === file.peek()) void checkDisk(news.path)
  })
})

onNews((news) => {
  if (news.kind !== "renamed") return
  const mine = drafts.peek().get(news.path)
  if (mine) {
    forgetDraft(news.path)
    drafts.value = new Map(drafts.peek()).set(news.to, mine)
  }
  if (file.peek() === news.path) file.value = news.to
  if (conflict.peek()?.path === news.path) conflict.value = null
  void listLayouts()
})

/** Compares with the file on disk: an unchanged layout follows it, for a changed one the user is asked. */
async function checkDisk(path: string): Promise<void> {
  const got = await post<FileText>("/api/files/read", { path })
  if (path !== file.peek()) return
  if (!got.ok) {
    if (got.status === 404) {
      saved.value = { text: "", seen: "" }
      say(`${path} is gone from the project. Save it to have it back.`)
    }
    return
  }
  if (got.value.seen === saved.peek()?.seen) return
  if (got.value.text === text.peek()) saved.value = { text: got.value.text, seen: got.value.seen }
  else if (changed.peek()) conflict.value = got.value
  else if (await openText(path, got.value.text, { text: got.value.text, seen: got.value.seen }, false, () => path === file.peek() && !changed.peek())) say(`${path} was changed elsewhere, and read again`)
  else if (path === file.peek() && changed.peek()) conflict.value = got.value
}

export async function takeTheirs(): Promise<void> {
  const theirs = conflict.peek()
  if (!theirs) return
  conflict.value = null
  await openText(theirs.path, theirs.text, { text: theirs.text, seen: theirs.seen })
}

/** The next save writes over theirs. */
export function keepMine(): void {
  const theirs = conflict.peek()
  if (!theirs) return
  conflict.value = null
  saved.value = { text: theirs.text, seen: theirs.seen }
}
