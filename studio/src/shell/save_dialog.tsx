/** Saving into the project folder: the work with all of it, the recipe's text, or the level with what was painted on it. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../widgets/button"
import { Segmented } from "../widgets/choices"
import { Dialog } from "../widgets/dialog"
import { Trouble } from "../widgets/path_field"
import type { Problem } from "../server/protocol"
import { greeting } from "../server/connection"
import { recipes } from "../state/recipes"
import { conflict, saveLevel, saveRecipe, saveWork } from "../project/save_files"
import { freeName, nameOfKind, plainName } from "../project/file_names"
import { NameField } from "../project/name_field"
import { WORK_SUFFIX } from "../project/works"
import { changed, hasHandwork, isMap, work } from "../state/work"

/** The file of the recipe, or a free name: shipped recipes are not overwritten, so a changed copy gets another name. */
function recipeName(file: string): string {
  if (work.peek() && "path" in (work.peek()?.base ?? {})) return file
  return freeName("my-" + file.replace(/\.toml$/, ""), ".toml", recipes.peek().flatMap((recipe) => recipe.path ?? []))
}

export function SaveDialog({ onClose }: { onClose: () => void }) {
  const now = work.value
  const map = now !== null && isMap(now)
  const what = useSignal<"work" | "recipe" | "level">(now?.document ? "work" : map || (now && hasHandwork(now) && !changed.value) ? "level" : "recipe")
  const stem = plainName(`${(now?.file ?? "level").replace(/\.\w+$/, "").replace(/^.*\//, "")}-${now?.seed ?? ""}`)
  const names = useSignal({ work: now?.document ?? stem + WORK_SUFFIX, recipe: recipeName(now?.file ?? "recipe.toml"), level: `levels/${stem}.json` })
  // Ctrl S asks here if the file was changed elsewhere.
  const problem = useSignal<Problem | null>(conflict.peek()?.problem ?? null)
  const busy = useSignal(false)
  const shown = useRef(true)
  useEffect(() => () => void (shown.current = false), [])
  const save = async (over = false): Promise<void> => {
    const { path, why } = nameOfKind(names.value[what.value], what.value)
    if (why || !path) return
    busy.value = true
    problem.value = what.value === "work" ? await saveWork(path, over) : what.value === "recipe" ? await saveRecipe(path, over) : await saveLevel(path, over)
    busy.value = false
    if (!problem.value && shown.current) onClose()
  }
  const clash = problem.value !== null && conflict.value?.path === nameOfKind(names.value[what.value], what.value).path
  return (
    <Dialog label="Save" title="Save" class="save-dialog" onClose={onClose}>
      <form
        class="dialog-body save-body"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Segmented
          label="What to save"
          value={what.value}
          options={[
            ...(map ? [] : [{ value: "recipe" as const, title: "Recipe" }]),
            { value: "level", title: "This level" },
            { value: "work", title: "Everything" },
          ]}
          onChange={(value) => {
            what.value = value
            problem.value = null
          }}
        />
        <p class="second">
          {what.value === "work"
            ? "The whole work: seed, sliders, text, kept and painted cells, placed things. It opens as you leave it, and can be turned on."
            : what.value === "recipe"
            ? "The text, to make levels from again and again."
            : `The level as it is, everything kept in it${now?.edits?.length ? `, with ${now.edits.length.toLocaleString("en")} painted cells` : ""}. It can be opened, exported and measured later.`}
        </p>
        <NameField
          kind={what.value}
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
        <Button look="main" disabled={busy.value || !names.value[what.value].trim() || nameOfKind(names.value[what.value], what.value).why !== ""} onClick={() => void save()}>
          Save
        </Button>
      </footer>
    </Dialog>
  )
}
