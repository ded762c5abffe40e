/** Tables of a recipe's text: where one begins and ends, and what it is about. */
import type { EditorState, Text } from "@codemirror/state"

export const PARAM_HEAD = /^\s*\[param\./

export const TABLE_HEAD = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?/

/** A table from the end of its head to its last line that is not empty. */
export function tableAt(doc: Text, from: number): { from: number; to: number } | null {
  const first = doc.lineAt(from)
  if (!TABLE_HEAD.test(first.text)) return null
  let last = first
  for (let number = first.number + 1; number <= doc.lines; number++) {
    const line = doc.line(number)
    if (TABLE_HEAD.test(line.text)) {
      // Parameters that follow each other close up when they are folded.
      const before = doc.line(number - 1)
      if (PARAM_HEAD.test(first.text) && PARAM_HEAD.test(line.text) && !before.text.trim() && last.number === number - 2) last = before
      break
    }
    if (line.text.trim() && !line.text.trimStart().startsWith("#")) last = line
  }
  return last.number > first.number ? { from: first.to, to: last.to } : null
}

export interface Folded {
  param: string | null
  uses: string
}

export function foldSummary(state: EditorState, range: { from: number; to: number }): Folded {
  const head = TABLE_HEAD.exec(state.doc.lineAt(range.from).text)?.[1] ?? ""
  const uses = /^\s*use\s*=\s*["']([^"']*)/m.exec(state.sliceDoc(range.from, range.to))?.[1] ?? ""
  return { param: /^param\.(.+)$/.exec(head)?.[1]?.replace(/["']/g, "") ?? null, uses }
}
