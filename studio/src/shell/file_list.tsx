/** The files of the project: open, rename or delete one. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { useKeys } from "./keys"
import { Button } from "../widgets/button"
import { Icon, type IconName } from "../widgets/icons"
import { Trouble } from "../widgets/path_field"
import type { FileRow, FileUse, Problem } from "../server/protocol"
import { suffixOfKind } from "../project/file_names"
import { deleteFile, describeUses, findUses, lastDeleted, renameFile, restoreFile } from "../project/file_acts"

const KIND_ICONS: Record<string, IconName> = { rules: "rules", layout: "room", level: "grid", work: "grid" }
export const iconOfKind = (kind: string): IconName => KIND_ICONS[kind] ?? "text"

interface Props {
  files: readonly FileRow[]
  onOpen: (file: FileRow) => void
  /** A word about a file; its kind if left out. */
  note?: (file: FileRow) => string
  /** The file that is open. */
  current?: string | undefined
}

export function FileList({ files, onOpen, note = (file) => file.kind, current }: Props) {
  /** The file whose name is being written. */
  const renaming = useSignal("")
  return (
    <ul class="open-list" aria-label="Files of the project">
      {files.map((file) => (
        <li key={file.path} aria-current={file.path === current ? "true" : undefined}>
          {renaming.value === file.path ? <NewName file={file} onEnd={() => (renaming.value = "")} /> : <Row file={file} note={note(file)} onOpen={() => onOpen(file)} onRename={() => (renaming.value = file.path)} />}
        </li>
      ))}
    </ul>
  )
}

function Row({ file, note, onOpen, onRename }: { file: FileRow; note: string; onOpen: () => void; onRename: () => void }) {
  const problem = useSignal<Problem | null>(null)
  /** Who uses the file: then it is asked once more before it is deleted. */
  const uses = useSignal<FileUse[] | null>(null)
  const busy = useSignal(false)
  const remove = async (sure: boolean): Promise<void> => {
    busy.value = true
    const found = sure ? [] : await findUses(file.path)
    if (found.length) uses.value = found
    else problem.value = await deleteFile(file.path)
    busy.value = false
  }
  return (
    <>
      <div class="open-row">
        <button type="button" class="open-file" onClick={onOpen}>
          <Icon name={iconOfKind(file.kind)} />
          <span class="mono">{file.path}</span>
          <span class="gap" />
          <span class="quiet">{note}</span>
        </button>
        <Button small look="quiet" icon="rename" label={`Rename ${file.path}`} disabled={busy.value} onClick={onRename} />
        <Button small look="quiet" icon="trash" label={`Delete ${file.path}`} disabled={busy.value} onClick={() => void remove(false)} />
      </div>
      {uses.value && (
        <div class="open-question" role="alert">
          <p>
            <Icon name="warn" small />
            <span>{describeUses(uses.value)} It is needed there.</span>
          </p>
          <span class="row">
            <Button small onClick={() => void remove(true)}>
              Delete it all the same
            </Button>
            <Button small look="quiet" onClick={() => (uses.value = null)}>
              Keep it
            </Button>
          </span>
        </div>
      )}
      {problem.value && <Trouble problem={problem.value} />}
    </>
  )
}

/** A row while its name is written: Enter takes it, Esc leaves it as it was. */
function NewName({ file, onEnd }: { file: FileRow; onEnd: () => void }) {
  const name = useSignal(file.path)
  const problem = useSignal<Problem | null>(null)
  const uses = useSignal<FileUse[]>([])
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    void findUses(file.path).then((found) => (uses.value = found))
    // The stem is chosen, so that typing keeps folder and suffix.
    const at = file.path.lastIndexOf("/") + 1
    const end = file.path.length - suffixOfKind(file.path, file.kind).length
    field.current?.focus()
    field.current?.setSelectionRange(at, end)
  }, [])
  const rename = async (): Promise<void> => {
    problem.value = await renameFile(file, name.value)
    if (!problem.value) onEnd()
  }
  return (
    <form
      class="open-naming"
      onSubmit={(event) => {
        event.preventDefault()
        void rename()
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.preventDefault()
        event.stopPropagation()
        onEnd()
      }}
    >
      <div class="open-row">
        <label class="field small">
          <Icon name={iconOfKind(file.kind)} />
          <input
            ref={field}
            class="mono"
            type="text"
            aria-label={`New name of ${file.path}`}
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value
              problem.value = null
            }}
          />
        </label>
        <Button small look="main" disabled={!name.value.trim()} onClick={() => void rename()}>
          Rename
        </Button>
        <Button small look="quiet" onClick={onEnd}>
          Cancel
        </Button>
      </div>
      {uses.value.length > 0 && <p class="quiet open-note">{describeUses(uses.value)} Write the new name there too.</p>}
      {problem.value && <Trouble problem={problem.value} />}
    </form>
  )
}

/** What was deleted just now, and the way back. */
export function LastDeleted() {
  const problem = useSignal<Problem | null>(null)
  const file = lastDeleted.value
  useEffect(() => void (problem.value = null), [file])
  const bringBack = (): void => {
    if (file) void restoreFile(file).then((failed) => (problem.value = failed))
  }
  useKeys(file ? { undo: bringBack } : {})
  if (!file) return null
  return (
    <div class="open-deleted" role="status">
      <Icon name="trash" small />
      <span>
        <span class="mono">{file.path}</span> is in the trash.
        {problem.value && <span class="bad"> {problem.value.problem}.</span>}
      </span>
      <span class="gap" />
      <Button small icon="undo" keys={["Ctrl", "Z"]} onClick={bringBack}>
        Bring it back
      </Button>
    </div>
  )
}
