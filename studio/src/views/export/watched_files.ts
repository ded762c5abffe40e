/** Files that are kept up to date: the server writes them again whenever the level changes, so that Tiled or Godot load them anew. */
import { effect, signal, untracked } from "@preact/signals"
import type { Digests, Exported, Output, Problem, Source } from "../../server/protocol"
import { connection, onNews, post } from "../../server/connection"
import { say } from "../../state/navigation"
import { source } from "./choices"

export const watched = signal<ReadonlyMap<string, Output>>(new Map())
/** When each file was written last, and how long it is. */
export const writtenFiles = signal<ReadonlyMap<string, { at: number; bytes: number }>>(new Map())
/** Why files were not written; if another program has changed some, `again` writes over them. */
export const trouble = signal<(Problem & { again?: () => Promise<Problem | null> }) | null>(null)

function noteWritten(rows: readonly { path: string; bytes: number }[]): void {
  writtenFiles.value = new Map([...writtenFiles.peek(), ...rows.map((row): [string, { at: number; bytes: number }] => [row.path, { at: Date.now(), bytes: row.bytes }])])
}

onNews((news) => {
  const told = news as { kind: string; path?: string; bytes?: number } & Partial<Problem>
  if (told.kind === "written" && told.path) {
    trouble.value = null
    noteWritten([{ path: told.path, bytes: told.bytes ?? 0 }])
  } else if (told.kind === "problem" && watched.peek().size) trouble.value = withAgain({ problem: told.problem ?? "", fix: told.fix ?? "", place: null, ...(told.changed ? { changed: told.changed } : {}) }, () => {})
})

type Change = (all: Map<string, Output>) => void

const withAgain = (problem: Problem, change: Change): typeof trouble.value => (problem.changed ? { ...problem, again: () => watch(change, problem.changed) } : problem)

/** Changes which files are watched: one change after the other, each of what the one before left. `over` are files that the user gives up. */
export function watch(change: Change, over?: Digests): Promise<Problem | null> {
  const mine = turning.then(() => applyWatch(change, over))
  turning = mine
  return mine
}
let turning: Promise<unknown> = Promise.resolve()

async function applyWatch(change: Change, over?: Digests): Promise<Problem | null> {
  const next = new Map(watched.peek())
  change(next)
  const outputs = [...next.values()]
  let of
  do {
    of = source.peek() ?? latest
    const got = await post<Exported[]>("/api/watch", outputs.length ? { ...of, outputs, ...(over ? { over } : {}) } : { stop: true })
    trouble.value = got.ok ? null : withAgain(got.problem, change)
    if (!got.ok) return got.problem
    watched.value = next
    latest = of
    noteWritten(got.value)
  } while (outputs.length && of !== (source.peek() ?? of)) // another level is shown by now
  return null
}

const watchNothing: Change = (all) => all.clear()

/** Write no file again by itself. */
export const stopWatching = (): void => void watch(watchNothing).then((problem) => say(problem ? problem.problem : "Files are written no more when the level changes"))

let latest: Source | null = null
let gone = false
/** A restarted server has no watched files: they are sent again. */
async function watchAgain(): Promise<void> {
  const problem = await watch(() => {})
  if (problem && !(await watch(watchNothing))) say(`Files are no longer kept up to date: ${problem.problem}`)
}
effect(() => {
  const { kind } = connection.value
  untracked(() => {
    if (kind === "gone") gone = true
    else if (kind === "open" && gone) {
      gone = false
      if (watched.peek().size) void watchAgain()
    }
  })
})
