/** A name for a layout in the project folder. The ending says which form it has: drawn text, or the JSON of Cozy Caves. */
import { useSignal } from "@preact/signals"
import { Button } from "../../../widgets/button"
import { Dialog } from "../../../widgets/dialog"
import { nameOfKind } from "../../../project/file_names"
import { NameField } from "../../../project/name_field"
import { Trouble } from "../../../widgets/path_field"
import type { Problem } from "../../../server/protocol"
import { greeting } from "../../../server/connection"
import { naming, saveAs } from "./files"
import { file } from "./state"

export function NameDialog() {
  const path = useSignal(file.peek())
  const problem = useSignal<Problem | null>(null)
  const busy = useSignal(false)
  const close = (): void => void (naming.value = false)
  const name = nameOfKind(path.value, "layout")
  const good = path.value.trim() !== "" && !name.why
  const save = async (over = false): Promise<void> => {
    if (!good) return
    busy.value = true
    problem.value = await saveAs(name.path, over)
    busy.value = false
    if (!problem.value) close()
  }
  return (
    <Dialog label="Save the layout" title="Save the layout" class="lay-dialog" onClose={close}>
      <form
        class="dialog-body lay-form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <p class="second">Recipes take it by its name: layouts = ["{name.path.replace(/^.*\//, "")}"] beside the recipe's file.</p>
        <NameField
          kind="layout"
          value={path.value}
          onInput={(value) => {
            path.value = value
            problem.value = null
          }}
        />
        <p class="quiet">{name.path.toLowerCase().endsWith(".json") ? "As the JSON of Cozy Caves." : "As a drawn text. A name that ends in .json gives the form of Cozy Caves."}</p>
        {problem.value && <Trouble problem={problem.value} />}
      </form>
      <footer class="dialog-foot">
        <span class="quiet open-folder" title={greeting.value?.project}>
          {greeting.value?.project}
        </span>
        <span class="gap" />
        {problem.value && (
          <Button disabled={busy.value} onClick={() => void save(true)}>
            Save over it
          </Button>
        )}
        <Button look="main" disabled={busy.value || !good} onClick={() => void save()}>
          Save
        </Button>
      </footer>
    </Dialog>
  )
}
