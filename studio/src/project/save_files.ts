/** Saving the recipe's text, and the level with what was painted on it, into the project folder. */
import { signal } from "@preact/signals"
import type { Exported, FileRow, FileText, Problem } from "../server/protocol"
import { refreshHello, post } from "../server/connection"
import { level } from "../state/level"
import { changedElsewhere, isOpenedText, noteOpened, wasOpened } from "./opened_texts"
import { say } from "../state/navigation"
import { cardOf } from "../state/recipes"
import { base, card, change, openings, settle, work } from "../state/work"

/** The text on disk is another than the one that was opened. */
export const conflict = signal<{ path: string; problem: Problem } | null>(null)

/** Saves the text; with `over`, an existing file is replaced. Returns the problem, or null. */
export async function saveRecipe(path: string, over = false): Promise<Problem | null> {
  const now = work.peek()
  if (!now) return null
  const opening = openings
  let seen = ""
  const there = await post<FileText>("/api/files/read", { path })
  if (there.ok) {
    if (!over && !isOpenedText(path, there.value.text))
      return reportConflict(path, { problem: wasOpened(path) ? `${path} was changed elsewhere since it was opened` : `${path} is there already`, fix: "save over it, or under another name", place: null })
    seen = there.value.seen
  }
  const got = await post<FileText>("/api/files/save", { path, text: now.text, seen })
  if (!got.ok) return got.status === 409 ? reportConflict(path, got.problem) : got.problem
  noteOpened(path, now.text)
  conflict.value = null
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

function reportConflict(path: string, problem: Problem): Problem {
  conflict.value = { path, problem }
  return problem
}

/** Saves the level as it is shown, with kept and painted cells. */
export async function saveLevel(path: string, over = false): Promise<Problem | null> {
  const now = level.peek()
  if (!now) return null
  if (!over) {
    const files = await post<FileRow[]>("/api/files/list", {})
    if (files.ok && files.value.some((file) => file.path === path)) return reportConflict(path, { problem: `${path} is there already`, fix: "save over it, or under another name", place: null })
  }
  const got = await post<Exported>("/api/save", { ...now.exact, path })
  if (!got.ok) return got.problem
  conflict.value = null
  say(`Saved ${got.value.path}, ${Math.ceil(got.value.bytes / 1000)} kB`)
  return null
}
