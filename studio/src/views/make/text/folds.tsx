/** Folding of tables: a folded parameter still shows its value as a pill, a folded step what it uses. */
import { codeFolding, foldEffect, foldedRanges, foldService, unfoldAll } from "@codemirror/language"
import type { EditorState, Extension } from "@codemirror/state"
import { ViewPlugin, type EditorView } from "@codemirror/view"
import { render } from "preact"
import { card, valueOf, paramText } from "../../../state/work"
import { held } from "../parameters/held"
import { dragPill } from "./number_pills"
import { PARAM_HEAD, tableAt, type Folded, foldSummary } from "./tables"

/** Lists can be long; a folded line stays one line. */
const shortened = (text: string): string => (text.length > 22 ? text.slice(0, 20) + "…" : text)

/** The value of a folded parameter. It reads the signal itself, so that it is true while the slider moves. */
function FoldedValue({ name }: { name: string }) {
  const param = card.value?.params.find((one) => one.name === name)
  if (!param) return null
  const number = param.kind === "whole" || param.kind === "number" || param.kind === "switch"
  return (
    <span class={"pill" + (held.value === name ? " held" : "") + (number ? " drag" : "")} data-pill={name} onPointerDown={(event) => { event.stopPropagation(); dragPill(event) }} onClick={(event) => event.stopPropagation()}>
      {shortened(paramText(param, valueOf(param)))}
    </span>
  )
}

/** Placeholders with a component in them, which listens to signals until it is taken out. */
const boxes = new Set<HTMLElement>()

function emptyBoxes(gone: (box: HTMLElement) => boolean): void {
  for (const box of boxes)
    if (gone(box)) {
      render(null, box)
      boxes.delete(box)
    }
}

/** CodeMirror does not say when a placeholder is taken away: they are looked through with every change, and when the editor goes. */
const emptied = ViewPlugin.define((view) => ({
  update: () => emptyBoxes((box) => !box.isConnected),
  destroy: () => emptyBoxes((box) => !box.isConnected || view.dom.contains(box)),
}))

export const folds: Extension = [
  emptied,
  foldService.of((state, from) => tableAt(state.doc, from)),
  codeFolding({
    preparePlaceholder: foldSummary,
    placeholderDOM(_, onclick, prepared: Folded) {
      const box = document.createElement("span")
      box.className = "folded"
      render(
        <>
          <button type="button" class="cm-foldPlaceholder" aria-label="Unfold" title="Unfold" onClick={onclick}>
            ⋯
          </button>
          {prepared.param ? <FoldedValue name={prepared.param} /> : <span class="tok-string">{prepared.uses}</span>}
        </>,
        box,
      )
      boxes.add(box)
      return box
    },
  }),
]

/** Folds parameters from the third on: the text then begins with what it is about and shows its steps without scrolling. */
export function foldParams(view: EditorView): void {
  unfoldAll(view)
  const { doc } = view.state
  const effects = []
  let seen = 0
  for (let number = 1; number <= doc.lines; number++) {
    const line = doc.line(number)
    if (!PARAM_HEAD.test(line.text) || ++seen <= 2) continue
    const range = tableAt(doc, line.from)
    if (range) effects.push(foldEffect.of(range))
  }
  if (effects.length) view.dispatch({ effects })
}

/** Whether a place lies in a fold. */
export function isFolded(state: EditorState, at: number): boolean {
  let inside = false
  foldedRanges(state).between(at, at, (from, to) => {
    if (from < at && at < to) inside = true
  })
  return inside
}
