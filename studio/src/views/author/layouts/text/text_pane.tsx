/** The layout as text. What is drawn changes the lines it concerns; what is typed is drawn. */
import { EditorView } from "@codemirror/view"
import { signal, useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { CodeEditor } from "../../../../editor/editor"
import { nextProblem } from "../../../../editor/problem_lens"
import { Button } from "../../../../widgets/button"
import { Icon } from "../../../../widgets/icons"
import { layoutLanguage, signs } from "./language"
import { colourOf } from "../part_colours"
import { canRedo, canUndo, doc, file, problems, reading, redo, text, typeText, undo } from "../state"

export const editor = signal<EditorView | null>(null)

export function TextPane() {
  const cursor = useSignal<[number, number]>([1, 1])
  const more = useMemo(
    () => [
      ...(file.peek().endsWith(".json") ? [] : [layoutLanguage, signs]),
      EditorView.updateListener.of((update) => {
        if (!update.selectionSet && !update.docChanged) return
        const head = update.state.selection.main.head
        const line = update.state.doc.lineAt(head)
        cursor.value = [line.number, head - line.from + 1]
      }),
    ],
    [file.value],
  )
  const now = doc.value
  const colours = Object.fromEntries((now?.parts ?? []).map((part, number) => [`--part-${number}`, now ? colourOf(now, part.id) : ""]))
  const count = problems.value.length
  return (
    <section class="panel lay-pane lay-text" aria-label="Text" style={colours}>
      <header class="lay-bar">
        <h2 class="caption">{file.value.endsWith(".json") ? "JSON of Cozy Caves" : "Tiles on the left, partitions on the right"}</h2>
        <span class="gap" />
        <Button icon="undo" label="Undo" look="quiet" disabled={!canUndo.value} onClick={undo} />
        <Button icon="redo" label="Redo" look="quiet" disabled={!canRedo.value} onClick={redo} />
      </header>
      <CodeEditor key={file.value} label="Layout" text={text.value} onType={typeText} problems={problems.value} more={more} onReady={(view) => (editor.value = view)} />
      <footer class="panel-foot">
        {count > 0 ? (
          <button type="button" class="text-problems" title="Next problem (F8)" onClick={() => editor.peek() && nextProblem(editor.peek() as EditorView)}>
            <Icon name="warn" />
            {count === 1 ? "1 problem" : `${count} problems`}
          </button>
        ) : (
          <span class="quiet row lay-words">
            <Icon name="check" small />
            {reading.value ? reading.value.sizes.replace(/^./, (sign) => sign.toUpperCase()) : "No problems"}
          </span>
        )}
        <span class="gap" />
        <span class="quiet">
          Ln {cursor.value[0]}, Col {cursor.value[1]}
        </span>
      </footer>
    </section>
  )
}
