/**
 * Problems in a text: an underline at the place, and a box below the line with what is wrong, how to fix it, and a button that applies the fix.
 *
 *   view.dispatch({ effects: setProblems.of(problems) })
 *   nextProblem(view), applyFix(view)
 */
import { EditorState, StateEffect, StateField, type Extension, type Range, type Text } from "@codemirror/state"
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view"
import { render } from "preact"
import type { Problem } from "../server/protocol"
import { Button, Keys } from "../widgets/button"
import { sentence, rangeOf } from "./problem_text"

export const setProblems = StateEffect.define<Problem[]>()

/** The words of a problem as the lens shows them: the first sentence stands out. */
function Lens({ problem, view }: { problem: Problem; view: EditorView }) {
  return (
    <div class="lens">
      <p>
        <b>{sentence(problem.problem)}</b> {problem.fix && <span>{sentence(problem.fix)}</span>}
      </p>
      {problem.change && (
        <div class="lens-fix">
          <Button small onClick={() => fix(view, problem)}>
            {problem.change.length > 0 && problem.change.text && problem.change.text.length < 30 ? (
              <>
                Change to <code>{problem.change.text}</code>
              </>
            ) : (
              problem.change.label
            )}
          </Button>
          <Keys of={["Alt", "Enter"]} />
        </div>
      )}
    </div>
  )
}

class LensWidget extends WidgetType {
  constructor(readonly problem: Problem) {
    super()
  }
  override eq(other: LensWidget): boolean {
    return JSON.stringify(other.problem) === JSON.stringify(this.problem)
  }
  override toDOM(view: EditorView): HTMLElement {
    // The outer box has the room around the lens: CodeMirror measures boxes without their margins.
    const box = document.createElement("div")
    box.className = "lens-place"
    box.setAttribute("role", "alert")
    render(<Lens problem={this.problem} view={view} />, box)
    return box
  }
  override destroy(box: HTMLElement): void {
    render(null, box)
  }
  override get estimatedHeight(): number {
    return this.problem.change ? 72 : 40
  }
  override ignoreEvent(): boolean {
    return true
  }
}

function problemDecorations(problems: Problem[], doc: Text): DecorationSet {
  const marks: Range<Decoration>[] = []
  for (const problem of problems) {
    const range = rangeOf(problem, doc)
    const line = range ? doc.lineAt(range.from) : doc.line(1)
    if (range && range.to > range.from) marks.push(Decoration.mark({ class: "problem" }).range(range.from, range.to))
    marks.push(Decoration.widget({ widget: new LensWidget(problem), block: true, side: 1 }).range(line.to))
  }
  return Decoration.set(marks, true)
}

interface ProblemsShown {
  problems: Problem[]
  shown: DecorationSet
}

const problemField = StateField.define<ProblemsShown>({
  create: () => ({ problems: [], shown: Decoration.none }),
  update(value, change) {
    for (const effect of change.effects) if (effect.is(setProblems)) return { problems: effect.value, shown: problemDecorations(effect.value, change.state.doc) }
    return change.docChanged ? { problems: value.problems, shown: value.shown.map(change.changes) } : value
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.shown),
})

export const lens: Extension = problemField

export const problemsOf = (state: EditorState): Problem[] => state.field(problemField, false)?.problems ?? []

function fix(view: EditorView, problem: Problem): void {
  const { change } = problem
  if (!change) return
  const line = view.state.doc.line(Math.max(1, Math.min(view.state.doc.lines, change.line)))
  const from = Math.min(line.to, line.from + change.column - 1)
  view.dispatch({ changes: { from, to: Math.min(line.to, from + change.length), insert: change.text }, selection: { anchor: from + change.text.length }, userEvent: "input.fix", scrollIntoView: true })
  view.focus()
}

/** Applies the fix nearest to the cursor. */
export function applyFix(view: EditorView): boolean {
  const at = view.state.selection.main.head
  const mendable = problemsOf(view.state).filter((problem) => problem.change)
  const distanceTo = (problem: Problem): number => Math.abs((rangeOf(problem, view.state.doc)?.from ?? 0) - at)
  const nearest = mendable.sort((a, b) => distanceTo(a) - distanceTo(b))[0]
  if (nearest) fix(view, nearest)
  return nearest !== undefined
}

/** Goes to the next problem behind the cursor, and from the last to the first. */
export function nextProblem(view: EditorView): boolean {
  const places = problemsOf(view.state).map((problem) => rangeOf(problem, view.state.doc)?.from ?? 0).sort((a, b) => a - b)
  const to = places.find((place) => place > view.state.selection.main.head) ?? places[0]
  if (to === undefined) return false
  view.dispatch({ selection: { anchor: to }, effects: EditorView.scrollIntoView(to, { y: "center" }) })
  view.focus()
  return true
}
