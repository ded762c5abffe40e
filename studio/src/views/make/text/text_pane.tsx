/** The recipe as text: in step with the sliders, with its problems under their lines. */
import { EditorView } from "@codemirror/view"
import { useComputed, useSignal, useSignalEffect } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { CodeEditor } from "../../../editor/editor"
import { nextProblem } from "../../../editor/problem_lens"
import { Catalogue } from "../../../editor/words/catalogue"
import { words } from "../../../editor/words/completion"
import { WordsButton } from "../../../editor/words/words_button"
import { sentence } from "../../../editor/problem_text"
import { toml } from "../../../editor/toml_language"
import { Button } from "../../../widgets/button"
import { Segmented } from "../../../widgets/choices"
import { Icon } from "../../../widgets/icons"
import { changedElsewhere, wasOpened } from "../../../project/opened_texts"
import { problems, takeFile, typeText } from "../../../state/recipes"
import { failure, level } from "../../../state/level"
import { saveOrAsk, saveRecipe } from "../../../project/save_files"
import { say } from "../../../state/navigation"
import { base, card, changed, detached, inDocument, isMap, work } from "../../../state/work"
import { folds, foldParams, isFolded } from "./folds"
import { held } from "../parameters/held"
import { pillAt, pills, setPills } from "./number_pills"
import { recipeCatalogue, recipeSource, writeEntry } from "./recipe_source"
import { RulesTab } from "./rules_tab"
import { editor, tab } from "./text_actions"
import { dependOn } from "../../../state/depend_on"

export function TextPane() {
  const file = work.value?.file ?? ""
  const rules = level.value?.head.steps.some((step) => step.use === "rewrite") ?? false
  // Another recipe begins with its text.
  useEffect(() => {
    tab.value = "recipe"
  }, [file])
  return (
    <>
      <header class="panel-head text-head">
        <span class="mono text-file" title={file}>
          {file}
        </span>
        {changed.value && !inDocument.value && <span class="text-dot" role="img" aria-label="changed" title="Changed and not saved" />}
        <span class="gap" />
        <Button icon="save" label="Save" keys={["Ctrl", "S"]} small look="quiet" onClick={() => void saveOrAsk()} />
        {rules && (
          <Segmented
            small
            label="Text"
            value={tab.value}
            options={[
              { value: "recipe", title: "Recipe" },
              { value: "rules", title: "Rules" },
            ]}
            onChange={(value) => (tab.value = value)}
          />
        )}
      </header>
      <Elsewhere />
      {work.value && isMap(work.value) ? <NoRecipe /> : rules && tab.value === "rules" ? <RulesTab /> : <RecipeText />}
    </>
  )
}

/** The file was changed here and on disk: which one goes on? */
function Elsewhere() {
  const origin = work.value?.base
  if (detached.value && origin && "path" in origin && wasOpened(origin.path))
    return (
      <div class="elsewhere" role="alert">
        <span>
          <b>{origin.path}</b> is no longer in the project. Your text is kept.
        </span>
        <span class="gap" />
        <Button small onClick={() => void saveRecipe(origin.path).then((problem) => problem && say(problem.problem))}>
          Save it again
        </Button>
      </div>
    )
  const found = changedElsewhere.value
  if (!found || found.path !== base.value?.path) return null
  return (
    <div class="elsewhere" role="alert">
      <span>
        <b>{found.path}</b> was changed on disk.
      </span>
      <span class="gap" />
      <Button small onClick={() => takeFile()}>
        Take it
      </Button>
      <Button small look="quiet" onClick={() => (changedElsewhere.value = null)}>
        Keep mine
      </Button>
    </div>
  )
}

/** A map from a file has no recipe: what can be done with it, and how to get one. */
function NoRecipe() {
  return (
    <div class="no-recipe">
      <p>This map was read from a file, so there is no recipe to turn.</p>
      <p class="second">It can be painted, measured, drawn in every style and exported. Rooms of it cannot be made anew.</p>
    </div>
  )
}

/** Pills where the last good reading has them. With another text the places would be wrong: then the old ones move along. */
function refreshPills(): void {
  const view = editor.peek()
  const now = card.peek()
  if (view && now && view.state.doc.toString() === now.text) view.dispatch({ effects: setPills.of({ params: now.params, held: held.peek() }) })
}

function RecipeText() {
  const cursor = useSignal<[number, number]>([1, 1])
  const catalogue = useSignal(false)
  const more = useMemo(
    () => [
      toml,
      folds,
      pills,
      words(recipeSource),
      EditorView.updateListener.of((update) => {
        if (!update.selectionSet && !update.docChanged) return
        if (update.docChanged) queueMicrotask(refreshPills)
        const head = update.state.selection.main.head
        const line = update.state.doc.lineAt(head)
        cursor.value = [line.number, head - line.from + 1]
      }),
    ],
    [],
  )
  const text = useComputed(() => work.value?.text ?? "")
  const file = useComputed(() => work.value?.file ?? "")

  // Another recipe: its parameters fold anew.
  useEffect(() => {
    const view = editor.peek()
    if (view) foldParams(view)
  }, [file.value])

  useSignalEffect(() => {
    dependOn(editor.value, card.value, held.value)
    refreshPills()
  })

  // The number in use comes into sight, so that the thread has an end.
  useSignalEffect(() => {
    const inUse = held.value
    const view = editor.peek()
    if (!inUse || !view || view.hasFocus) return
    requestAnimationFrame(() => {
      const at = pillAt(view.state, inUse)
      if (at === null) return
      const to = isFolded(view.state, at) ? view.lineBlockAt(at).from : at
      view.dispatch({ effects: EditorView.scrollIntoView(to, { y: "nearest", yMargin: 48 }) })
    })
  })

  const count = problems.value.length
  const failed = count === 0 ? failure.value : null
  return (
    <>
      <CodeEditor
        key={file.value} // another file begins with nothing to undo
        label="Recipe"
        text={text.value}
        onType={typeText}
        problems={problems.value}
        more={more}
        onReady={(view) => {
          editor.value = view
          if (view) foldParams(view)
        }}
      />
      <footer class="panel-foot">
        {count > 0 ? (
          <button type="button" class="text-problems" title="Next problem (F8)" onClick={() => { const view = editor.peek(); if (view) nextProblem(view) }}>
            <Icon name="warn" />
            {count === 1 ? "1 problem" : `${count} problems`}
          </button>
        ) : failed ? (
          <span class="text-failed" title={sentence(failed.problem.split("\n")[0] ?? "")}>
            <Icon name="warn" />
            No level came of it
          </span>
        ) : (
          <span class="quiet row">
            <Icon name="check" small />
            No problems
          </span>
        )}
        <span class="gap" />
        <WordsButton onClick={() => (catalogue.value = true)} />
        {catalogue.value && <Catalogue entries={recipeCatalogue} onTake={writeEntry} onClose={() => (catalogue.value = false)} />}
        <span class="quiet">
          Ln {cursor.value[0]}, Col {cursor.value[1]}
        </span>
      </footer>
    </>
  )
}
