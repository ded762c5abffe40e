/** What other parts of Make do with the text: show a place, apply a change, find the editor. */
import { EditorView } from "@codemirror/view"
import { signal } from "@preact/signals"
import type { Place, Problem } from "../../../server/protocol"

export const editor = signal<EditorView | null>(null)
/** Which half of the side is shown when there is room for one. */
export const side = signal<"turn" | "text">("turn")
export const tab = signal<"recipe" | "rules">("recipe")

function positionOf(view: EditorView, line: number, column: number): number {
  const found = view.state.doc.line(Math.max(1, Math.min(view.state.doc.lines, line)))
  return Math.min(found.to, found.from + column - 1)
}

/** Runs with the editor, as soon as it is there. */
function withEditor(act: (view: EditorView) => void): void {
  side.value = "text"
  tab.value = "recipe"
  setTimeout(() => {
    const view = editor.peek()
    if (view) act(view)
  })
}

export function showPlace(place: Place): void {
  withEditor((view) => {
    const at = positionOf(view, place.line, place.column)
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) })
    view.focus()
  })
}

export function applyChange(change: NonNullable<Problem["change"]>): void {
  withEditor((view) => {
    const from = positionOf(view, change.line, change.column)
    view.dispatch({ changes: { from, to: from + change.length, insert: change.text }, selection: { anchor: from + change.text.length }, scrollIntoView: true, userEvent: "input.fix" })
  })
}
