/** The files of the project: open, rename, delete and bring back, begin new ones, copy examples; and importing a map from a file. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../widgets/button"
import { Search, Segmented } from "../widgets/choices"
import { Dialog } from "../widgets/dialog"
import { Icon } from "../widgets/icons"
import type { FileRow } from "../server/protocol"
import { greeting } from "../server/connection"
import { lastDeleted, listProjectFiles, projectFiles } from "../project/file_acts"
import { openInAuthor } from "../project/open_in_author"
import { importMap } from "../project/import_map"
import { openWorkFile } from "../project/works"
import { dialog, filesTab, view } from "../state/navigation"
import { openRecipe, recipes } from "../state/recipes"
import { ExampleList } from "./example_list"
import { FileList, LastDeleted } from "./file_list"
import { newLayout, newRecipe, newRules } from "./new_files"
import { TrashList } from "./trash_list"

const NEW_FILES = [
  { title: "New recipe", begin: newRecipe },
  { title: "New rules", begin: newRules },
  { title: "New layout", begin: newLayout },
]

interface TabProps {
  matches: (text: string) => boolean
  rows: FileRow[]
  query: string
  onOpen: (file: FileRow) => void
  onClose: () => void
}

function Tab({ matches, rows, query, onOpen, onClose }: TabProps) {
  if (filesTab.value === "examples") return <ExampleList matches={matches} onOpened={onClose} />
  if (filesTab.value === "trash") return <TrashList matches={matches} />
  return (
    <>
      <FileList files={rows} onOpen={onOpen} />
      {projectFiles.value && rows.length === 0 && (
        <p class="second open-none">
          {query ? "No file is called that." : <>The project folder <span class="mono">{greeting.value?.project}</span> has no recipes yet. Begin a new one, or copy one of the examples.</>}
        </p>
      )}
    </>
  )
}

export function OpenDialog({ onClose }: { onClose: () => void }) {
  const problem = useSignal("")
  const query = useSignal("")
  const chooser = useRef<HTMLInputElement>(null)
  const importing = dialog.value === "import"
  useEffect(() => {
    lastDeleted.value = null
    void listProjectFiles()
    return () => void (filesTab.value = "files")
  }, [])
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  const rows = (projectFiles.value ?? []).filter((file) => file.kind !== "other" && matches(file.path))
  const open = (file: FileRow): void => {
    if (file.kind === "recipe") {
      const card = recipes.peek().find((recipe) => recipe.path === file.path)
      if (card) openRecipe(card)
      view.value = "make"
    } else if (file.kind === "work") {
      void openWorkFile(file.path).then((failed) => (failed ? (problem.value = failed) : onClose()))
      return
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
      aside={!importing && <Search small label="Find a file" value={query.value} onInput={(value) => (query.value = value)} onEnter={() => filesTab.peek() === "files" && rows[0] && open(rows[0])} />}
      onClose={onClose}
    >
      {!importing && (
        <div class="open-bar">
          <Segmented
            small
            label="Show"
            value={filesTab.value}
            options={[
              { value: "files", title: "Files" },
              { value: "examples", title: "Examples" },
              { value: "trash", title: "Trash" },
            ]}
            onChange={(value) => {
              filesTab.value = value
              problem.value = ""
            }}
          />
          <span class="gap" />
          {NEW_FILES.map(({ title, begin }) => (
            <Button key={title} small icon="plus" onClick={() => void begin().then(onClose)}>
              {title}
            </Button>
          ))}
        </div>
      )}
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
          <Tab matches={matches} rows={rows} query={query.value} onOpen={open} onClose={onClose} />
        )}
      </div>
      {!importing && filesTab.value === "files" && <LastDeleted />}
      {!importing && (
        <footer class="dialog-foot">
          <span class="quiet open-folder" title={greeting.value?.project}>
            {greeting.value?.project}
          </span>
          <span class="gap" />
          <Button small look="quiet" icon="link" onClick={() => (dialog.value = "link")}>
            Open a link
          </Button>
          <Button small look="quiet" icon="import" onClick={() => (dialog.value = "import")}>
            Import a map
          </Button>
        </footer>
      )}
    </Dialog>
  )
}
