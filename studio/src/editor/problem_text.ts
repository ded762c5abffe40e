/** The words of a problem, and the place in the text that they are about. */
import type { Text } from "@codemirror/state"
import type { Problem } from "../server/protocol"

/** With a capital and a full stop. Names with underscores and code stay as they are. */
export function sentence(text: string): string {
  const trimmed = text.trim()
  const word = /^[a-z]+(?=[\s,:;.?!']|$)/.test(trimmed)
  return (word ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1) : trimmed) + (/[.?!]$/.test(trimmed) ? "" : ".")
}

/** Where a problem's words are: from its column to the end of the word there. */
export function rangeOf(problem: Problem, doc: Text): { from: number; to: number } | null {
  const { place, change } = problem
  if (!place) return null
  const line = doc.line(Math.max(1, Math.min(doc.lines, change?.line ?? place.line)))
  const from = Math.min(line.to, line.from + (change?.column ?? place.column) - 1)
  const word = /^[\w$.-]+|^"[^"]*"|^\S/.exec(line.text.slice(from - line.from))?.[0] ?? ""
  return { from, to: Math.min(line.to, from + (change?.length || word.length)) }
}
