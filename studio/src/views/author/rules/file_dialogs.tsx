/** Opening a rule file or beginning a new one, and the name to save under. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Button } from "../../../widgets/button"
import { Search } from "../../../widgets/choices"
import { Dialog } from "../../../widgets/dialog"
import { PathField, Trouble } from "../../../widgets/path_field"
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
  const saved = (files.value ?? []).map((file) => file.path)
  const all = [...new Set([...saved, ...drafts.keys()])].sort().filter((path) => path.toLowerCase().includes(query.value.toLowerCase()))
  const open = (path: string): void => {
    void openFile(path).then((failed) => (failed ? (problem.value = failed.problem) : close()))
  }
  return (
    <Dialog label="Rule files" title="Rule files" class="ar-open-dialog" aside={<Search small label="Find a file" value={query.value} onInput={(value) => (query.value = value)} onEnter={() => all[0] && open(all[0])} />} onClose={close}>
      <div class="dialog-body ar-open" onKeyDown={stopKey}>
        {problem.value && <p class="bad" role="alert">{problem}</p>}
        <h3>In the project</h3>
        <ul class="ar-open-list">
          {all.map((path) => (
            <li key={path}>
              <button type="button" aria-current={path === doc.value?.file ? "true" : undefined} onClick={() => open(path)}>
                <Icon name="rules" />
                <span class="mono">{path}</span>
                <span class="gap" />
                {drafts.has(path) && <span class="quiet">{saved.includes(path) ? "changed here" : "not saved yet"}</span>}
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
  const run = async (): Promise<void> => {
    const path = name.value.trim()
    problem.value = await save(/\.rules$/.test(path) ? path : path + ".rules")
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
        <PathField value={name.value} onInput={(value) => (name.value = value)} />
        {problem.value && <Trouble problem={problem.value} />}
      </form>
      <footer class="dialog-foot">
        <span class="quiet">{greeting.value?.project}</span>
        <span class="gap" />
        <Button look="main" disabled={!name.value.trim()} onClick={() => void run()}>
          Save
        </Button>
      </footer>
    </Dialog>
  )
}
