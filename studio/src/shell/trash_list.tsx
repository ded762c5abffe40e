/** The deleted files of the project, each with a way back. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Button } from "../widgets/button"
import { Icon } from "../widgets/icons"
import { Trouble } from "../widgets/path_field"
import type { DeletedFile, Problem } from "../server/protocol"
import { listTrash, nameBeside, restoreFile, trash } from "../project/file_acts"
import { timeAgo } from "../views/export/file_words"
import { iconOfKind } from "./file_list"

const DAY = 86_400_000
const whenText = (time: number): string => (Date.now() - time < DAY ? timeAgo(Math.max(0, Date.now() - time)) : new Date(time).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" }))

export function TrashList({ matches }: { matches: (text: string) => boolean }) {
  const problem = useSignal<Problem | null>(null)
  useEffect(() => void listTrash().then((failed) => (problem.value = failed)), [])
  const rows = (trash.value ?? []).filter((file) => matches(file.path))
  return (
    <>
      {problem.value && <Trouble problem={problem.value} />}
      <ul class="open-list" aria-label="Deleted files">
        {rows.map((file) => (
          <Row key={file.id} file={file} />
        ))}
        {trash.value && rows.length === 0 && <li class="second open-none">{trash.value.length ? "No deleted file is called that." : "Nothing was deleted. What you delete here stays in the project's .undercroft/trash."}</li>}
      </ul>
    </>
  )
}

function Row({ file }: { file: DeletedFile }) {
  const problem = useSignal<Problem | null>(null)
  const beside = nameBeside(file)
  const bring = async (to?: string): Promise<void> => {
    problem.value = await restoreFile(file, to)
  }
  return (
    <li>
      <div class="open-row">
        <span class="open-file">
          <Icon name={iconOfKind(file.kind)} />
          <span class="mono">{file.path}</span>
          <span class="gap" />
          <span class="quiet">deleted {whenText(file.deleted)}</span>
        </span>
        <Button small icon="undo" label={`Bring back ${file.path}`} onClick={() => void bring()}>
          Bring back
        </Button>
      </div>
      {problem.value && (
        <div class="open-question" role="alert">
          <p>
            <Icon name="warn" small />
            <span>{problem.value.problem}.</span>
          </p>
          <span class="row">
            <Button small onClick={() => void bring(beside)}>
              Bring it back as {beside}
            </Button>
            <Button small look="quiet" onClick={() => (problem.value = null)}>
              Leave it
            </Button>
          </span>
        </div>
      )}
    </li>
  )
}
