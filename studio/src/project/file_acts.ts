/** What is done to files of the project: list, rename, delete, and bring back from the trash. */
import { signal } from "@preact/signals"
import type { DeletedFile, FileRow, FileUse, Problem } from "../server/protocol"
import { onNews, post } from "../server/connection"
import { say } from "../state/navigation"
import { freeName, nameOfKind, suffixOfKind } from "./file_names"

/** The files of the project and the deleted ones; null until they are listed. */
export const projectFiles = signal<FileRow[] | null>(null)
export const trash = signal<DeletedFile[] | null>(null)
/** The file that was deleted last, to bring it back at once. */
export const lastDeleted = signal<DeletedFile | null>(null)

export async function listProjectFiles(): Promise<FileRow[]> {
  const deleted = lastDeleted.peek()
  const got = await post<FileRow[]>("/api/files/list", {})
  if (got.ok) projectFiles.value = got.value
  // Another page has brought it back. What is deleted while this is asked is not meant.
  if (got.ok && deleted && deleted === lastDeleted.peek() && got.value.some((file) => file.path === deleted.path)) lastDeleted.value = null
  return projectFiles.peek() ?? []
}

export async function listTrash(): Promise<Problem | null> {
  const got = await post<DeletedFile[]>("/api/files/trash", {})
  if (got.ok) trash.value = got.value
  return got.ok ? null : got.problem
}

// Another page may have done it.
onNews((news) => {
  if (news.kind !== "renamed" && news.kind !== "deleted" && news.kind !== "changed") return
  if (projectFiles.peek()) void listProjectFiles()
  if (trash.peek()) void listTrash()
})

/** Gives a file another name. A suffix that is left out is added; that of another kind is refused. */
export async function renameFile(file: FileRow, typed: string): Promise<Problem | null> {
  const { path: to, why } = file.kind === "other" ? { path: typed.trim(), why: "" } : nameOfKind(typed, file.kind, suffixOfKind(file.path, file.kind).toLowerCase())
  if (why) return { problem: why, fix: `name it ${to}`, place: null }
  if (to === file.path) return null
  const got = await post<{ path: string }>("/api/files/rename", { path: file.path, to })
  if (!got.ok) return got.problem
  say(`${file.path} is ${got.value.path} now`)
  await listProjectFiles()
  return null
}

export async function findUses(path: string): Promise<FileUse[]> {
  const got = await post<FileUse[]>("/api/files/uses", { path })
  return got.ok ? got.value : []
}

export async function deleteFile(path: string): Promise<Problem | null> {
  const got = await post<DeletedFile>("/api/files/delete", { path })
  if (!got.ok) return got.problem
  lastDeleted.value = got.value
  await listProjectFiles()
  return null
}

/** Brings a file back where it was, or under another name. */
export async function restoreFile(file: DeletedFile, to?: string): Promise<Problem | null> {
  const got = await post<{ path: string }>("/api/files/restore", { id: file.id, ...(to === undefined ? {} : { to }) })
  if (!got.ok) return got.problem
  if (lastDeleted.peek()?.id === file.id) lastDeleted.value = null
  say(`${got.value.path} is back`)
  await Promise.all([listProjectFiles(), listTrash()])
  return null
}

/** A free name for a file whose own name was taken meanwhile. */
export function nameBeside({ path, kind }: DeletedFile): string {
  const suffix = suffixOfKind(path, kind)
  return freeName(path.slice(0, path.length - suffix.length), suffix, [path, ...(projectFiles.peek() ?? []).map((file) => file.path)])
}

/** Who uses a file, in a sentence: "hall.toml extends it, and lair.toml names it as file." */
export function describeUses(uses: readonly FileUse[]): string {
  const shown = uses.slice(0, 3).map((use) => (use.by === "extends" ? `${use.path} extends it` : use.by === "include" ? `${use.path} includes it` : `${use.path} names it as ${use.by === "default" ? "a default" : use.by}`))
  const more = uses.length - shown.length
  return new Intl.ListFormat("en", { type: "conjunction" }).format([...shown, ...(more > 0 ? [`${more} more use it`] : [])]) + "."
}
