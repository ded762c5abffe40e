/** Author, layouts: partitions beside the drawing, and every size that comes of it. */
import { signal, useSignalEffect } from "@preact/signals"
import { useCommands } from "../../../shell/commands"
import { applyFix, nextProblem } from "../../../editor/problem_lens"
import { useKeys } from "../../../shell/keys"
import { Button } from "../../../widgets/button"
import { Segmented } from "../../../widgets/choices"
import { Dialog } from "../../../widgets/dialog"
import { Icon } from "../../../widgets/icons"
import { connection } from "../../../server/connection"
import { toOpen } from "../../../project/open_in_author"
import { say } from "../../../state/navigation"
import { About } from "./about"
import { Begin } from "./start_page"
import { nextWare, tool } from "./drawing/brush"
import { fitDrawing, map } from "./drawing/field"
import { conflict, keepMine, projectLayouts, naming, openLayout, save, takeTheirs } from "./files"
import { DrawPane, tidy } from "./drawing/draw_pane"
import { Partition } from "./partitions/partition"
import { choosePartition, Partitions, shiftPartition } from "./partitions/partition_list"
import { NameDialog } from "./name_dialog"
import { Sheet } from "./sizes/sheet"
import { pan } from "./sizes/sizes"
import { changed, doc, file, mode, redo, resume, saved, undo } from "./state"
import { editor, TextPane } from "./text/text_pane"
import { insertLine, removeLine } from "./drawing/tools"
import { closeWhy } from "./sizes/why_card"
import { dependOn } from "../../../state/depend_on"

/** On a narrow screen partitions and sizes share a side. */
const side = signal<"parts" | "sizes">("sizes")
const choosing = signal(false)

export function AuthorLayouts() {
  useSignalEffect(() => {
    if (connection.value.kind === "open") void resume()
  })
  useSignalEffect(() => {
    const wanted = toOpen.value
    if (wanted?.kind !== "layout" || connection.value.kind !== "open") return
    toOpen.value = null
    void openLayout(wanted.path).then((problem) => problem && say(`${problem.problem}. ${problem.fix}`))
  })
  useSignalEffect(() => {
    dependOn(doc.value)
    tidy()
  })
  useKeys(doc.value ? KEYS : {})
  useCommands(() => [
    ...projectLayouts.peek().map((row) => ({ label: `Open ${row.path}`, kind: "layout", run: () => void openLayout(row.path) })),
  ])
  if (!doc.value) return <Begin />
  return (
    <div class={"lay side-" + side.value}>
      <section class="panel lay-side" aria-label="Layout">
        <Head />
        <div class="lay-scroll">
          <Partitions />
          <Partition />
        </div>
        <About />
      </section>
      {mode.value === "draw" ? <DrawPane /> : <TextPane />}
      <Sheet />
      <div class="lay-tabs">
        <Segmented
          label="Beside the drawing"
          value={side.value}
          options={[
            { value: "parts", title: "Partitions" },
            { value: "sizes", title: "Sizes" },
          ]}
          onChange={(value) => (side.value = value)}
        />
      </div>
      {naming.value && <NameDialog />}
      {choosing.value && (
        <Dialog
          label="Open a layout"
          title="Layouts"
          class="lay-open"
          aside={
            <Button
              small
              onClick={() => {
                choosing.value = false
                naming.value = true
              }}
            >
              Save {file.value} under another name
            </Button>
          }
          onClose={() => (choosing.value = false)}
        >
          <Begin onOpened={() => (choosing.value = false)} />
        </Dialog>
      )}
    </div>
  )
}

const KEYS = {
  paint: () => void (tool.value = "pencil"),
  layoutfill: () => void (tool.value = "fill"),
  layouterase: () => void (tool.value = "erase"),
  layoutpick: () => void (tool.value = "pick"),
  tileback: () => nextWare(-1),
  tileon: () => nextWare(1),
  partback: () => choosePartition(-1),
  parton: () => choosePartition(1),
  partearlier: () => shiftPartition(-1),
  partlater: () => shiftPartition(1),
  addcolumn: () => insertLine(0),
  addrow: () => insertLine(1),
  cutcolumn: () => removeLine(0),
  cutrow: () => removeLine(1),
  drawtext: () => void (mode.value = mode.peek() === "draw" ? "text" : "draw"),
  undo,
  redo,
  save,
  saveAs: () => void (naming.value = true),
  fit: fitDrawing,
  closer: () => map.zoom(1.25),
  further: () => map.zoom(0.8),
  left: () => pan(-1, 0),
  right: () => pan(1, 0),
  up: () => pan(0, -1),
  down: () => pan(0, 1),
  fix: () => {
    const view = editor.peek()
    if (view) applyFix(view)
  },
  problem: () => {
    const view = editor.peek()
    if (view) nextProblem(view)
  },
  stop: () => {
    if (!closeWhy() && document.activeElement instanceof HTMLElement) document.activeElement.blur()
  },
}

function Head() {
  return (
    <>
      <header class="lay-head">
        <button type="button" class="lay-file" title="Open another layout, or begin one" aria-label={`${file.value}: open another layout`} onClick={() => (choosing.value = true)}>
          <span class="mono">
            {file.value.replace(/\.layout$/, "")}
            {file.value.endsWith(".layout") && <span class="lay-suffix">.layout</span>}
          </span>
          <Icon name="down" small />
        </button>
        {changed.value || !saved.value ? (
          <button type="button" class="lay-save" title="Save (Ctrl S)" onClick={save}>
            Save
          </button>
        ) : (
          <span class="lay-saved">saved</span>
        )}
        <span class="gap" />
        <Segmented
          small
          label="Edit as"
          value={mode.value}
          options={[
            { value: "draw", title: "Draw" },
            { value: "text", title: "Text" },
          ]}
          onChange={(value) => (mode.value = value)}
        />
      </header>
      {conflict.value && (
        <div class="lay-conflict" role="alert">
          <p>
            <Icon name="warn" small />
            <span>
              <b>{conflict.value.path} was changed on disk</b>, and here too.
            </span>
          </p>
          <span class="row">
            <Button small onClick={() => void takeTheirs()}>
              Take what is on disk
            </Button>
            <Button small onClick={keepMine}>
              Keep mine
            </Button>
          </span>
        </div>
      )}
    </>
  )
}
