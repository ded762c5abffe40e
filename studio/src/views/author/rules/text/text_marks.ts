/** Marks in the text: the lines of the chosen rule, the sign of the cell that is touched, expectations that fail, lines with a warning. */
import { StateEffect, StateField, type Extension, type Range, type Text } from "@codemirror/state"
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view"

export interface Marks {
  /** Lines from 0. */
  lines: { first: number; last: number; look: string }[]
  spans: { line: number; from: number; to: number; look: string; says?: string }[]
}

export const setMarks = StateEffect.define<Marks>()

function markDecorations({ lines, spans }: Marks, doc: Text): DecorationSet {
  const found: Range<Decoration>[] = []
  for (const { first, last, look } of lines)
    for (let at = Math.max(0, first); at <= Math.min(doc.lines - 1, last); at++)
      found.push(Decoration.line({ class: look + (at === first ? " first" : "") + (at === last ? " last" : "") }).range(doc.line(at + 1).from))
  for (const { line, from, to, look, says } of spans) {
    if (line < 0 || line >= doc.lines) continue
    const row = doc.line(line + 1)
    const begin = Math.min(row.to, row.from + from)
    const end = Math.min(row.to, row.from + to)
    if (end > begin) found.push(Decoration.mark({ class: look, ...(says ? { attributes: { title: says } } : {}) }).range(begin, end))
  }
  return Decoration.set(found, true)
}

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, change) {
    for (const effect of change.effects) if (effect.is(setMarks)) return markDecorations(effect.value, change.state.doc)
    return change.docChanged ? value.map(change.changes) : value
  },
  provide: (of) => EditorView.decorations.from(of),
})

export const marks: Extension = field
