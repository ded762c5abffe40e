/**
 * Numbers in the text that belong to a parameter: shown as pills, and dragged left and right like a slider.
 *
 * Places come with each good reading of the text. During typing they move with the text until the next reading.
 */
import { RangeSet, StateEffect, StateField, type EditorState, type Extension, type Range, type Text } from "@codemirror/state"
import { Decoration, EditorView, GutterMarker, gutterLineClass, type DecorationSet } from "@codemirror/view"
import type { Param } from "../../../server/protocol"
import { busyHand } from "../../../state/picture"
import { card, settle, turnParam, valueOf } from "../../../state/work"
import { held } from "../parameters/held"
import { sliderEnds, roundedToStep } from "../parameters/slider_range"

export const setPills = StateEffect.define<{ params: Param[]; held: string | null }>()

const heldLine = Decoration.line({ class: "held-line" })

function pillDecorations(params: Param[], inUse: string | null, doc: Text): DecorationSet {
  const marks: Range<Decoration>[] = []
  for (const { name, place, kind } of params) {
    if (!place || place.line > doc.lines) continue
    const row = doc.line(place.line)
    const from = row.from + place.column - 1
    const to = Math.min(row.to, from + place.length)
    if (to <= from) continue
    const mine = name === inUse
    const drag = kind === "whole" || kind === "number" || kind === "switch"
    marks.push(Decoration.mark({ class: "pill" + (mine ? " held" : "") + (drag ? " drag" : ""), attributes: { "data-pill": name } }).range(from, to))
    if (mine) marks.push(heldLine.range(row.from))
  }
  return Decoration.set(marks, true)
}

const pillField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, change) {
    for (const effect of change.effects) if (effect.is(setPills)) return pillDecorations(effect.value.params, effect.value.held, change.state.doc)
    return change.docChanged ? value.map(change.changes) : value
  },
  provide: (one) => EditorView.decorations.from(one),
})

class HeldNumber extends GutterMarker {
  override elementClass = "held-number"
}
const heldNumber = new HeldNumber()

/** The line's number is amber too. */
const numbers = gutterLineClass.compute([pillField], (state) => {
  const found: Range<GutterMarker>[] = []
  state.field(pillField).between(0, state.doc.length, (from, _, mark) => {
    if (mark === heldLine) found.push(heldNumber.range(from))
  })
  return RangeSet.of(found)
})

/** Where the pill of a parameter begins; null if it has none. */
export function pillAt(state: EditorState, name: string): number | null {
  let found: number | null = null
  state.field(pillField, false)?.between(0, state.doc.length, (from, _, mark) => {
    if ((mark.spec as { attributes?: Record<string, string> }).attributes?.["data-pill"] === name) found = from
  })
  return found
}

/** A drag on a pill turns its parameter; a click without a drag sets the cursor, or turns a switch. */
export function dragPill(event: PointerEvent, view?: EditorView): boolean {
  const pill = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-pill]") : null
  const param = card.peek()?.params.find((one) => one.name === pill?.dataset.pill)
  if (!pill || !param || event.button !== 0) return false
  held.value = param.name
  const first = valueOf(param)
  if (param.kind === "switch") {
    event.preventDefault()
    turnParam(param, first !== true)
    settle()
    return true
  }
  if (typeof first !== "number") return false
  const ends = sliderEnds(param, first)
  // The whole range is about 200 pixels: fine enough for single steps, and short enough for one movement.
  const perPixel = (ends.high - ends.low) / 200
  const from = event.clientX
  let far = false
  const move = (now: PointerEvent): void => {
    const dx = now.clientX - from
    if (!far && Math.abs(dx) < 3) return
    far = true
    busyHand.value = true
    turnParam(param, Math.max(ends.low, Math.min(ends.high, roundedToStep(first + dx * perPixel, ends.step))))
  }
  const up = (): void => {
    removeEventListener("pointermove", move)
    removeEventListener("pointerup", up)
    removeEventListener("pointercancel", up)
    busyHand.value = false
    if (far) settle()
    else if (view) {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
      if (at !== null) view.dispatch({ selection: { anchor: at } })
      view.focus()
    }
  }
  addEventListener("pointermove", move)
  addEventListener("pointerup", up)
  addEventListener("pointercancel", up)
  return true
}

export const pills: Extension = [
  pillField,
  numbers,
  EditorView.domEventHandlers({
    pointerdown: (event, view) => void dragPill(event, view),
    // Selecting text must not begin while a pill is dragged.
    mousedown: (event) => event.target instanceof Element && event.target.closest(".pill.drag") !== null && event.detail < 2,
  }),
]
