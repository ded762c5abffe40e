/** Opening a rule file or beginning a new one, and the name to save under. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Button } from "../../../widgets/button"
import { Search } from "../../../widgets/choices"
import { Dialog } from "../../../widgets/dialog"
import { Trouble } from "../../../widgets/path_field"
import { lastDeleted } from "../../../project/file_acts"
import { FileList, LastDeleted } from "../../../shell/file_list"
import { nameOfKind } from "../../../project/file_names"
import { NameField } from "../../../project/name_field"
import { Icon } from "../../../widgets/icons"
import type { Problem } from "../../../server/protocol"
import { greeting } from "../../../server/connection"
import { startFile, dialog, files, listFiles, openFile, save } from "./files"
import { doc, drafts } from "./state"
import { STARTERS } from "./starters"

const close = (): void => void (dialog.value = null)

/** Keys in a dialog are the dialog's: Space shuffles nothing behind it. */
const stopKey = (event: KeyboardEvent): void => {
  if (event.key !== "Escape") event.stopPropagation()
}

export function Dialogs() {
  return dialog.value === "open" ? <OpenRules /> : dialog.value === "save" ? <SaveRules /> : null
}

function OpenRules() {
  const query = useSignal("")
  const problem = useSignal("")
  useEffect(() => void listFiles(), [])
  useEffect(() => () => void (lastDeleted.value = null), [])
  const matches = (path: string): boolean => path.toLowerCase().includes(query.value.toLowerCase())
  const saved = (files.value ?? []).filter((file) => matches(file.path))
  const unsaved = [...drafts.keys()].filter((path) => matches(path) && !(files.value ?? []).some((file) => file.path === path)).sort()
  const all = [...saved.map((file) => file.path), ...unsaved]
  const open = (path: string): void => {
    void openFile(path).then((failed) => (failed ? (problem.value = failed.problem) : close()))
  }
  return (
    <Dialog label="Rule files" title="Rule files" class="ar-open-dialog" aside={<Search small label="Find a file" value={query.value} onInput={(value) => (query.value = value)} onEnter={() => all[0] && open(all[0])} />} onClose={close}>
      <div class="dialog-body ar-open" onKeyDown={stopKey}>
        {problem.value && <p class="bad" role="alert">{problem}</p>}
        <h3>In the project</h3>
        <FileList files={saved} current={doc.value?.file} note={(file) => (drafts.has(file.path) ? "changed here" : "")} onOpen={(file) => open(file.path)} />
        <LastDeleted />
        <ul class="ar-open-list">
          {unsaved.map((path) => (
            <li key={path}>
              <button type="button" aria-current={path === doc.value?.file ? "true" : undefined} onClick={() => open(path)}>
                <Icon name="rules" />
                <span class="mono">{path}</span>
                <span class="gap" />
                <span class="quiet">not saved yet</span>
              </button>
            </li>
          ))}
          {files.value && all.length === 0 && <li class="second">{query.value ? "No file is called that." : "There are no rule files yet. Begin with one of these:"}</li>}
        </ul>
        <h3>New, from</h3>
        <ul class="ar-starters">
          {STARTERS.map((starter) => (
            <li key={starter.name}>
              <button type="button" onClick={() => void startFile(starter).then(close)}>
                <b>{starter.name}</b>
                <span class="second">{starter.about}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

function SaveRules() {
  const name = useSignal(doc.value?.file ?? "rules.rules")
  const problem = useSignal<Problem | null>(null)
  const { path, why } = nameOfKind(name.value, "rules")
  const good = name.value.trim() !== "" && !why
  /** The digest of a file that is there already. */
  const there = problem.value?.changed?.[path]
  const run = async (over?: string): Promise<void> => {
    if (!good) return
    problem.value = await save(path, over)
    if (!problem.value) close()
  }
  return (
    <Dialog label="Save the rules" title="Save the rules" class="save-dialog" onClose={close}>
      <form
        class="dialog-body save-body"
        onKeyDown={stopKey}
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <NameField
          kind="rules"
          value={name.value}
          onInput={(value) => {
            name.value = value
            problem.value = null
          }}
        />
        {problem.value && <Trouble problem={problem.value} />}
      </form>
      <footer class="dialog-foot">
        <span class="quiet">{greeting.value?.project}</span>
        <span class="gap" />
        {there && <Button onClick={() => void run(there)}>Save over it</Button>}
        <Button look="main" disabled={!good} onClick={() => void run()}>
          Save
        </Button>
      </footer>
    </Dialog>
  )
}
