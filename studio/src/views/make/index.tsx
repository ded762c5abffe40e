/** Make: the level is the page. Recipes below it, what can be turned and the text beside it. */
import type { EditorView } from "@codemirror/view"
import { effect, signal } from "@preact/signals"
import { useCommands } from "../../shell/commands"
import { applyFix, nextProblem } from "../../editor/problem_lens"
import { useKeys } from "../../shell/keys"
import { Button } from "../../widgets/button"
import { Segmented } from "../../widgets/choices"
import { runOnLevel } from "../../project/open_in_author"
import { goBack, goForward, toggleFavourite } from "../../state/history"
import { level, stopMaking } from "../../state/level"
import { chosenStyle, styles } from "../../state/picture"
import { saveAs, saveOrAsk } from "../../project/save_files"
import { openRecipe, recipes } from "../../state/recipes"
import { recall, remember } from "../../state/storage"
import { shuffle } from "../../state/seeds"
import { rememberThumbnail, roughSource } from "../../state/thumbnails"
import { redo, undo, work } from "../../state/work"
import { Bar } from "./seed_bar"
import { copyLink } from "../../project/works"
import { FirstStart } from "./first_start"
import { Gallery, gallerySeed } from "./gallery"
import { closeInspector, inspectedCell } from "./map/inspected"
import { map } from "./map/map"
import { Measures } from "./parameters/measures"
import { Splitter } from "./splitter"
import { Stage } from "./map/stage"
import { TextPane } from "./text/text_pane"
import { editor, side } from "./text/text_actions"
import { Thread } from "./text/thread"
import { cancelTool, takeShape, takeTool, tool } from "./map/tools"
import { removeChosen } from "./map/thing_tool"
import { Turn } from "./parameters/sliders"

const turnWidth = signal(recall("turn width", 0))
const textWidth = signal(recall("text width", 0))
effect(() => {
  remember("turn width", turnWidth.value)
  remember("text width", textWidth.value)
})

/** On a tablet gallery, sliders and text are drawers: one at a time. */
const drawer = signal<"gallery" | "side" | null>(null)

// The current level becomes a thumbnail of the strip without another request.
effect(() => {
  const now = level.value
  const held = work.peek()
  if (now && held && now.source.seed === held.seed) rememberThumbnail(roughSource(held), now)
})

export function Make() {
  useKeys(
    work.value
      ? {
          shuffle,
          back: goBack,
          on: goForward,
          favourite: toggleFavourite,
          fit: () => map.fit(),
          closer: () => map.zoom(1.25),
          further: () => map.zoom(0.8),
          left: () => map.pan(48, 0),
          right: () => map.pan(-48, 0),
          up: () => map.pan(0, 48),
          down: () => map.pan(0, -48),
          link: () => void copyLink(),
          hand: () => (tool.value = "hand"),
          keep: () => takeTool("keep"),
          paint: () => takeShape("brush"),
          line: () => takeShape("line"),
          rectangle: () => takeShape("rectangle"),
          fill: () => takeShape("fill"),
          things: () => takeTool("things"),
          removeThing: removeChosen,
          undo,
          redo,
          save: () => void saveOrAsk(),
          saveAs,
          fix: () => inEditor(applyFix),
          problem: () => inEditor(nextProblem),
          stop: escape,
        }
      : {},
  )
  useCommands(() => [
    ...(work.peek() ? [{ label: "Run rules on this level", kind: "rule", run: () => runOnLevel() }] : []),
    ...recipes.peek().map((recipe) => ({ label: `Open ${recipe.name}`, kind: "recipe", run: () => openRecipe(recipe, gallerySeed.peek()) })),
    ...styles.peek().map((name) => ({ label: `Draw in ${name}`, kind: "style", run: () => void (chosenStyle.value = name) })),
  ])
  if (!work.value) return <FirstStart />
  return (
    <div
      class={"make side-" + side.value + (drawer.value ? " drawer-" + drawer.value : "")}
      style={{ "--turn-width": turnWidth.value ? turnWidth.value + "px" : "", "--text-width": textWidth.value ? textWidth.value + "px" : "" }}
    >
      <section class="make-stage" aria-label="Level">
        <Bar />
        <Stage />
        <Gallery />
        <div class="drawer-buttons">
          <Button pressed={drawer.value === "gallery"} icon="grid" onClick={() => (drawer.value = drawer.value === "gallery" ? null : "gallery")}>
            Recipes
          </Button>
          <Button pressed={drawer.value === "side" && side.value === "turn"} icon="layers" onClick={() => openSide("turn")}>
            Turn
          </Button>
          <Button pressed={drawer.value === "side" && side.value === "text"} icon="text" onClick={() => openSide("text")}>
            Text
          </Button>
        </div>
      </section>
      <Splitter label="Resize the sliders" of=".turn-pane" low={200} high={420} onWidth={(width) => (turnWidth.value = width)} />
      <div class="side-tabs">
        <Segmented
          label="Side"
          value={side.value}
          options={[
            { value: "turn", title: "Turn" },
            { value: "text", title: "Recipe" },
          ]}
          onChange={(value) => (side.value = value)}
        />
      </div>
      <section class="panel turn-pane" aria-label="Parameters and measures">
        <div class="turn-scroll">
          <Turn />
        </div>
        <Measures />
      </section>
      <Splitter label="Resize the text" of=".text-pane" low={260} high={760} onWidth={(width) => (textWidth.value = width)} />
      <section class="panel text-pane" aria-label="Text">
        <TextPane />
      </section>
      <Thread />
    </div>
  )
}

function openSide(which: "turn" | "text"): void {
  if (drawer.peek() === "side" && side.peek() === which) drawer.value = null
  else {
    side.value = which
    drawer.value = "side"
  }
}

function inEditor(act: (view: EditorView) => boolean): void {
  const view = editor.peek()
  if (view) act(view)
}

/** Esc: drop what is being drawn or moved, else stop making and close what is open, else back to the hand. */
function escape(): void {
  if (cancelTool()) return
  if (document.activeElement instanceof HTMLElement && document.activeElement !== document.body && !document.activeElement.closest(".map-holder")) document.activeElement.blur()
  if (drawer.peek()) drawer.value = null
  else if (inspectedCell.peek()) closeInspector()
  else if (tool.peek() !== "hand") tool.value = "hand"
  stopMaking()
}
