/** Saving into the project folder: the recipe's text, or the level with what was painted on it. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../widgets/button"
import { Segmented } from "../widgets/choices"
import { Dialog } from "../widgets/dialog"
import { PathField, Trouble } from "../widgets/path_field"
import type { Problem } from "../server/protocol"
import { greeting } from "../server/connection"
import { recipes } from "../state/recipes"
import { conflict, saveLevel, saveRecipe } from "../project/save_files"
import { plainName } from "../project/file_names"
import { isMap, work } from "../state/work"

/** A free file name: shipped recipes are not overwritten, so a changed copy gets another name. */
function freeName(file: string): string {
  const mine = new Set(recipes.peek().map((recipe) => recipe.path))
  if (work.peek() && "path" in (work.peek()?.base ?? {})) return file
  const stem = file.replace(/\.toml$/, "")
  for (let number = 1; ; number++) {
    const name = `my-${stem}${number > 1 ? "-" + number : ""}.toml`
    if (!mine.has(name)) return name
  }
}

export function SaveDialog({ onClose }: { onClose: () => void }) {
  const now = work.value
  const map = now !== null && isMap(now)
  const what = useSignal<"recipe" | "level">(map ? "level" : "recipe")
  const names = useSignal({ recipe: freeName(now?.file ?? "recipe.toml"), level: `levels/${plainName(`${(now?.file ?? "level").replace(/\.\w+$/, "").replace(/^.*\//, "")}-${now?.seed ?? ""}`)}.json` })
  const problem = useSignal<Problem | null>(null)
  const busy = useSignal(false)
  const shown = useRef(true)
  useEffect(() => () => void (shown.current = false), [])
  const save = async (over = false): Promise<void> => {
    busy.value = true
    const path = names.value[what.value].trim()
    problem.value = what.value === "recipe" ? await saveRecipe(path, over) : await saveLevel(path, over)
    busy.value = false
    if (!problem.value && shown.current) onClose()
  }
  const clash = problem.value !== null && conflict.value?.path === names.value[what.value].trim()
  return (
    <Dialog label="Save" title="Save" class="save-dialog" onClose={onClose}>
      <form
        class="dialog-body save-body"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {!map && (
          <Segmented
            label="What to save"
            value={what.value}
            options={[
              { value: "recipe", title: "Recipe" },
              { value: "level", title: "This level" },
            ]}
            onChange={(value) => {
              what.value = value
              problem.value = null
            }}
          />
        )}
        <p class="second">
          {what.value === "recipe"
            ? "The text, to make levels from again and again."
            : `The level as it is, everything kept in it${now?.edits?.length ? `, with ${now.edits.length.toLocaleString("en")} painted cells` : ""}. It can be opened, exported and measured later.`}
        </p>
        <PathField
          value={names.value[what.value]}
          onInput={(value) => {
            names.value = { ...names.value, [what.value]: value }
            problem.value = null
          }}
        />
        {problem.value && <Trouble problem={problem.value} />}
      </form>
      <footer class="dialog-foot">
        <span class="quiet open-folder" title={greeting.value?.project}>
          {greeting.value?.project}
        </span>
        <span class="gap" />
        {clash && (
          <Button disabled={busy.value} onClick={() => void save(true)}>
            Save over it
          </Button>
        )}
        <Button look="main" disabled={busy.value || !names.value[what.value].trim()} onClick={() => void save()}>
          Save
        </Button>
      </footer>
    </Dialog>
  )
}
