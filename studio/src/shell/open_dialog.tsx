/** Opening a recipe of the project, and importing a map from a file. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../widgets/button"
import { Search } from "../widgets/choices"
import { Dialog } from "../widgets/dialog"
import { Icon } from "../widgets/icons"
import type { FileRow } from "../server/protocol"
import { greeting, post } from "../server/connection"
import { openInAuthor } from "../project/open_in_author"
import { importMap } from "../project/import_map"
import { dialog, view } from "../state/navigation"
import { openRecipe, recipes } from "../state/recipes"

export function OpenDialog({ onClose }: { onClose: () => void }) {
  const files = useSignal<FileRow[] | null>(null)
  const problem = useSignal("")
  const query = useSignal("")
  const chooser = useRef<HTMLInputElement>(null)
  const importing = dialog.value === "import"
  useEffect(() => {
    void post<FileRow[]>("/api/files/list", {}).then((got) => {
      if (got.ok) files.value = got.value
      else problem.value = got.problem.problem
    })
  }, [])
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean)
  const rows = (files.value ?? []).filter((file) => ["recipe", "rules", "layout", "level"].includes(file.kind) && words.every((word) => file.path.toLowerCase().includes(word)))
  const open = (file: FileRow): void => {
    if (file.kind === "recipe") {
      const card = recipes.peek().find((recipe) => recipe.path === file.path)
      if (card) openRecipe(card)
      view.value = "make"
    } else if (file.kind === "level") {
      void importMap({ path: file.path }).then((failed) => (failed ? (problem.value = failed) : onClose()))
      return
    } else if (file.kind === "rules" || file.kind === "layout") openInAuthor(file.kind, file.path)
    onClose()
  }
  const formats = greeting.value?.formats ?? []
  const reads = formats.filter((format) => format.reads)
  /** A kind of a format has the endings of that: a map of a pixel a cell is a .png. */
  const endings = reads.flatMap((format) => (format.suffixes.length ? format.suffixes : (formats.find((one) => one.name === format.name.split(":")[0])?.suffixes ?? [])))
  return (
    <Dialog
      label={importing ? "Import a map" : "Open"}
      title={importing ? "Import a map" : "Open"}
      class="open-dialog"
      aside={!importing && <Search small label="Find a file" value={query.value} onInput={(value) => (query.value = value)} onEnter={() => rows[0] && open(rows[0])} />}
      onClose={onClose}
    >
      <div class="dialog-body open-body">
        {problem.value && (
          <p class="open-problem" role="alert">
            <Icon name="warn" /> <span>{problem}</span>
          </p>
        )}
        {importing ? (
          <>
            <button
              type="button"
              class="drop"
              onClick={() => chooser.current?.click()}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault()
                const file = event.dataTransfer?.files[0]
                if (file) void importMap({ file }).then((failed) => (failed ? (problem.value = failed) : onClose()))
              }}
            >
              <Icon name="import" />
              <b>Choose a file, or drop one here</b>
              <span class="second">{[...new Set(reads.map((format) => format.title.split(",")[0]))].join(", ")}</span>
            </button>
            <input
              ref={chooser}
              class="unseen"
              type="file"
              tabIndex={-1}
              aria-hidden="true"
              accept={[...new Set(endings)].join(",")}
              onChange={(event) => {
                const file = event.currentTarget.files?.[0]
                if (file) void importMap({ file }).then((failed) => (failed ? (problem.value = failed) : onClose()))
              }}
            />
          </>
        ) : (
          <ul class="open-list">
            {rows.map((file) => (
              <li key={file.path}>
                <button type="button" onClick={() => open(file)}>
                  <Icon name={file.kind === "rules" ? "rules" : file.kind === "layout" ? "room" : file.kind === "level" ? "grid" : "text"} />
                  <span class="mono">{file.path}</span>
                  <span class="gap" />
                  <span class="quiet">{file.kind}</span>
                </button>
              </li>
            ))}
            {files.value && rows.length === 0 && (
              <li class="second open-none">
                {query.value ? "No file is called that." : <>The project folder <span class="mono">{greeting.value?.project}</span> has no recipes yet. Save one, and it is listed here.</>}
              </li>
            )}
          </ul>
        )}
      </div>
      {!importing && (
        <footer class="dialog-foot">
          <span class="quiet open-folder" title={greeting.value?.project}>
            {greeting.value?.project}
          </span>
          <span class="gap" />
          <Button small look="quiet" icon="import" onClick={() => (dialog.value = "import")}>
            Import a map
          </Button>
        </footer>
      )}
    </Dialog>
  )
}
