/** Change the seed or the size, with what that does to kept and painted cells. */
import { say } from "./navigation"
import { isMap, changeAndSettle, work, type Work } from "./work"

/** Takes a random seed: a short number, since people read and type it. */
export function shuffle(): void {
  const now = work.peek()
  if (!now) return
  if (isMap(now)) {
    say("A map from a file has no seed: choose a recipe to shuffle.")
    return
  }
  let next = now.seed
  while (next === now.seed) next = String(1 + Math.floor(Math.random() * 9999))
  useSeed(next)
}

export function useSeed(next: string): void {
  const now = work.peek()
  const trimmed = next.trim()
  if (!now || !trimmed || trimmed === now.seed) return
  // What was painted belongs to the level that was painted on, unless its cells are kept.
  if (handEdits(now)) say(`What was painted and placed stays with seed ${now.seed}. Undo brings it back.`)
  changeAndSettle({ seed: trimmed, edits: [], placed: undefined, removed: undefined })
}

export function useSize(next: [number, number] | null): void {
  const now = work.peek()
  if (!now) return
  // Cells are counted row by row: in another size they would be others.
  if (handEdits(now) || now.keep?.cells.length) say("Another size begins without kept and painted cells. Undo brings them back.")
  changeAndSettle({ size: next, edits: [], placed: undefined, removed: undefined, keep: undefined })
}

/** How much was painted, placed and taken away. */
const handEdits = (of: Work): number => (of.edits?.length ?? 0) + (of.placed?.length ?? 0) + (of.removed?.length ?? 0)
