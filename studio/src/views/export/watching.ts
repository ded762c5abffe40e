/** Files that are kept up to date: the server writes them again whenever the level changes, so that Tiled or Godot load them anew. */
import { effect, signal, untracked } from "@preact/signals"
import type { Exported, Output, Problem, Source } from "../../protocol"
import { connection, onNews, post } from "../../server"
import { say } from "../../state/place"

export const watched = signal<ReadonlyMap<string, Output>>(new Map())
/** When each file was written last, and how long it is. */
export const written = signal<ReadonlyMap<string, { at: number; bytes: number }>>(new Map())
export const trouble = signal<Problem | null>(null)

function note(rows: readonly { path: string; bytes: number }[]): void {
  written.value = new Map([...written.peek(), ...rows.map((row): [string, { at: number; bytes: number }] => [row.path, { at: Date.now(), bytes: row.bytes }])])
}

onNews((news) => {
  const told = news as { kind: string; path?: string; bytes?: number } & Partial<Problem>
  if (told.kind === "written" && told.path) {
    trouble.value = null
    note([{ path: told.path, bytes: told.bytes ?? 0 }])
  } else if (told.kind === "problem" && watched.peek().size) trouble.value = { problem: told.problem ?? "", fix: told.fix ?? "", place: null }
})

/** Watch these files and no others. */
export async function watch(of: Source, next: ReadonlyMap<string, Output>): Promise<Problem | null> {
  const outputs = [...next.values()]
  const got = await post<Exported[]>("/api/watch", outputs.length ? { ...of, outputs } : { stop: true })
  if (!got.ok) {
    trouble.value = got.problem
    return got.problem
  }
  trouble.value = null
  watched.value = next
  latest = of
  note(got.value)
  return null
}

/** Write no file again by itself. */
export const stopWatching = (): void => void watch(latest as Source, new Map()).then((problem) => say(problem ? problem.problem : "Files are written no more when the level changes"))

/** A server that was started anew knows nothing of it. */
let latest: Source | null = null
let gone = false
effect(() => {
  const { kind } = connection.value
  untracked(() => {
    if (kind === "gone") gone = true
    else if (kind === "open" && gone) {
      gone = false
      if (latest && watched.peek().size) void watch(latest, watched.peek()).then((problem) => problem && say(`Files are no longer kept up to date: ${problem.problem}`))
    }
  })
})
