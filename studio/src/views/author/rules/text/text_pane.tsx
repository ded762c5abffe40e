/** The file as text, beside the drawing: either can be edited. */
import { Prec } from "@codemirror/state"
import { EditorView, keymap } from "@codemirror/view"
import { useSignal, useSignalEffect } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { CodeEditor, fromOutside } from "../../../../editor/editor"
import { nextProblem } from "../../../../editor/problem_lens"
import { Catalogue } from "../../../../editor/words/catalogue"
import { words, type WordSource } from "../../../../editor/words/completion"
import type { Entry } from "../../../../editor/words/entries"
import { loadVocabulary, vocabulary } from "../../../../editor/words/facts"
import { allRulesEntries, rulesHelp, rulesPlace } from "../../../../editor/words/rules_words"
import { WordsButton } from "../../../../editor/words/words_button"
import type { Vocabulary } from "../../../../server/protocol"
import { Button } from "../../../../widgets/button"
import { say } from "../../../../state/navigation"
import { blockOf, cellAt } from "./blocks"

import { rulesLanguage } from "./language"
import { drawingAt, pointedCell, touchedCell, type Target } from "../drawing/painting"
import { problems, goodReading } from "../reading"
import { chosen, doc, outline, redo, rule, typeText, undo } from "../state"
import { editor } from "./text_actions"
import { marks, setMarks, type Marks } from "./text_marks"

const source: WordSource = {
  place: (text, at) => withVocabulary((known) => rulesPlace(text, at, known)),
  help: (text, at) => withVocabulary((known) => rulesHelp(text, at, known)),
  load: loadVocabulary,
  want: () => undefined,
}

function withVocabulary<T>(of: (known: Vocabulary) => T): T | null {
  const known = vocabulary.peek()
  return known && of(known)
}

const allEntries = (): Entry[] => withVocabulary((known) => allRulesEntries(doc.peek()?.text ?? "", known)) ?? []

function writeEntry(entry: Entry): void {
  const view = editor.peek()
  if (!view) return
  view.dispatch(view.state.replaceSelection(entry.insert ?? entry.label), { userEvent: "input.complete", scrollIntoView: true })
  view.focus()
}

/** The cursor moved in the text: its rule is chosen, and its cell shown in the drawing. */
function followCursor(view: EditorView): void {
  const head = view.state.selection.main.head
  const at = view.state.doc.lineAt(head)
  const line = at.number - 1
  const now = outline.peek()
  if (now.text !== view.state.doc.toString()) return
  const inside = now.rules.find((one) => line >= one.first && line <= one.last) ?? now.rules.find((one) => line >= one.node.first && line <= one.node.last)
  if (inside) chosen.value = inside.index
  const targets: Target[] = [{ kind: "rule" }, ...now.expects.filter((expect) => line >= expect.line && line <= expect.last).map((expect): Target => ({ kind: "expect", line: expect.line }))]
  for (const target of targets) {
    const cell = cellAt(drawingAt(target, now), line, head - at.from)
    if (cell) {
      pointedCell.value = { target, ...cell }
      return
    }
  }
  pointedCell.value = null
}

function marksNow(): Marks {
  const now = outline.value
  const at = rule.value
  const found: Marks = { lines: [], spans: [] }
  if (at) found.lines.push(at.node.rules.length > 1 ? { first: at.first, last: at.last, look: "ar-chosen" } : { first: at.node.first, last: at.node.last, look: "ar-chosen" })
  const head = goodReading.value?.text === now.text ? goodReading.value.head : null
  for (const expect of head?.expectations ?? []) {
    const line = now.lines[expect.line - 1]
    if (!expect.passed && line) found.spans.push({ line: expect.line - 1, from: line.indent, to: line.body.length, look: "problem", says: expect.found })
  }
  for (const drawn of head?.rules ?? [])
    for (const note of drawn.notes) {
      const line = now.lines[(note.line ?? 0) - 1]
      if (note.level !== "ok" && line && note.kind !== "expectations") found.spans.push({ line: line.at, from: line.indent, to: line.body.length, look: "ar-doubt", says: note.text })
    }
  const cell = touchedCell.value
  if (cell) {
    const drawn = drawingAt(cell.target, now)
    const place = drawn ? blockOf(drawn, cell.block)?.[cell.y]?.[cell.x] : undefined
    if (place) found.spans.push({ line: place.line, from: place.from, to: place.to, look: "ar-here" })
  }
  return found
}

export function TextPane() {
  const now = doc.value
  const catalogue = useSignal(false)
  const more = useMemo(
    () => [
      rulesLanguage,
      marks,
      words(source),
      // One way back for what is typed and what is drawn.
      Prec.highest(
        keymap.of([
          { key: "Mod-z", run: () => (undo(), true), preventDefault: true },
          { key: "Mod-y", run: () => (redo(), true), preventDefault: true },
          { key: "Mod-Shift-z", run: () => (redo(), true), preventDefault: true },
        ]),
      ),
      EditorView.updateListener.of((update) => {
        const ours = update.transactions.some((one) => one.annotation(fromOutside))
        if ((update.selectionSet || update.docChanged) && !ours && update.view.hasFocus) queueMicrotask(() => followCursor(update.view))
        if (update.focusChanged && !update.view.hasFocus) pointedCell.value = null
        if (update.docChanged) queueMicrotask(() => update.view.dispatch({ effects: setMarks.of(marksNow()) }))
      }),
    ],
    [],
  )
  useSignalEffect(() => {
    const found = marksNow()
    const view = editor.value
    if (view && view.state.doc.toString() === outline.peek().text) view.dispatch({ effects: setMarks.of(found) })
  })
  if (!now) return null
  const wrong = problems.value.length
  return (
    <section class="ar-text" aria-label="Text">
      <h3>
        Text <span class="quiet">edit either</span>
        <span class="gap" />
        {wrong > 0 && (
          <button type="button" class="chip bad" onClick={() => editor.peek() && nextProblem(editor.peek() as EditorView)}>
            {wrong === 1 ? "1 problem" : `${wrong} problems`}
          </button>
        )}
        <WordsButton onClick={() => (catalogue.value = true)} />
        {catalogue.value && <Catalogue entries={allEntries} onTake={writeEntry} onClose={() => (catalogue.value = false)} />}
        <Button small look="quiet" icon="copy" onClick={() => void navigator.clipboard.writeText(now.text).then(() => say("Copied the text"), () => say("The browser does not let us copy"))}>
          Copy
        </Button>
      </h3>
      <div class="ar-code">
        <CodeEditor key={now.file} label="Rules as text" text={now.text} onType={typeText} problems={problems.value} more={more} onReady={(view) => (editor.value = view)} />
      </div>
    </section>
  )
}
