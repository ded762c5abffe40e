/** The text editor that is shown now, and what others do with it. */
import type { EditorView } from "@codemirror/view"
import { signal } from "@preact/signals"
import { pointedCell } from "../drawing/painting"
import { chosen, outline } from "../state"

export const editor = signal<EditorView | null>(null)

/** Chooses a rule, and shows its text. */
export function choose(index: number): void {
  chosen.value = index
  pointedCell.value = null
  showLine(outline.peek().rules[index]?.node.first ?? 0)
}

/** Scrolls the text alone: on a small screen the page stays where it is. */
export function showLine(line: number): void {
  const view = editor.peek()
  if (!view) return
  const at = view.state.doc.line(Math.max(1, Math.min(view.state.doc.lines, line + 1))).from
  view.scrollDOM.scrollTop = view.lineBlockAt(at).top - 24
}
