/** The map with what floats over it: title, tools, seed strip, zoom, and the states of making. */
import { MapCanvas } from "../../../canvas/map_canvas"
import { Chip } from "../../../widgets/button"
import { Icon, type IconName } from "../../../widgets/icons"
import { Thumb } from "../../../widgets/thumbnail"
import { Zoom } from "../../../widgets/zoom_buttons"
import { canGoBack, at, entries, openEntry, isFavourite } from "../../../state/history"
import { describeCell, level } from "../../../state/level"
import { STYLE_BACKGROUNDS } from "../../../canvas/sketch"
import { drawing, style } from "../../../state/picture"
import { problems } from "../../../state/recipes"
import { roughSource, thumbnailOf, thumbnailFailed } from "../../../state/thumbnails"
import { canRedo, canUndo, redo, undo } from "../../../state/work"
import { map } from "./map"
import { Inspector } from "./inspector"
import { Plates, States } from "./making_states"
import { ToolOptions } from "./tool_options"
import { canKeep, tool, type ToolName } from "./tools"

const MARGIN = { top: 56, right: 20, bottom: 72, left: 20 }

export function Stage() {
  const now = level.value
  const broken = problems.value.length
  const behind = STYLE_BACKGROUNDS[style.value]
  return (
    <div class={"stage style-" + style.value} style={behind ? { background: behind } : { background: "" }}>
      <MapCanvas map={map} label={mapLabel()} speak={speak} margin={MARGIN} />
      <Title />
      <div class="stage-right">
        {broken > 0 && now && (
          <Chip tone="bad" icon="warn">
            Last good level. The recipe has {broken === 1 ? "1 problem" : `${broken} problems`}
          </Chip>
        )}
        {drawing.value && (
          <span class="drawing float" role="status">
            Drawing in {drawing.value}. Until then this is a sketch
          </span>
        )}
      </div>
      <Plates />
      <Inspector />
      <div class="stage-foot">
        <Tools />
        <Strip />
        <Zoom map={map} class="zoom" />
      </div>
      <States />
    </div>
  )
}

function mapLabel(): string {
  const now = level.value
  if (!now) return "Map"
  const { head } = now
  return `Map of ${titleOf()}, ${now.width} by ${now.height} cells, ${head.rooms.filter((room) => room.number > 0).length} rooms. Arrow keys move the cell cursor.`
}

const speak = (cell: [number, number]): string => {
  const now = level.peek()
  return now ? describeCell(now, cell[1] * now.width + cell[0]) : ""
}

/** The level's own title, or the recipe's name with a capital. */
export function titleOf(): string {
  const title = level.value?.head.title
  if (title) return title
  const name = level.value?.head.recipe ?? ""
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ")
}

const timeText = (time: number): string => (time <= 0 ? "" : time < 1000 ? `made in ${time < 10 ? time : Math.round(time)} ms` : `made in ${Math.round(time / 100) / 10} s`)

function Title() {
  const now = level.value
  if (!now) return null
  const parts = [now.head.title ? now.head.recipe : "", `seed ${now.head.seed}`, timeText(now.head.milliseconds)]
  return (
    <div class="stage-title">
      <h1>{titleOf()}</h1>
      <p>{parts.filter(Boolean).join(", ")}</p>
      {now.head.notes.length > 0 && now.head.moved.length === 0 && <p class="stage-note" title={now.head.notes.join("\n")}>{now.head.notes[0]}{now.head.notes.length > 1 ? ` and ${now.head.notes.length - 1} more` : ""}</p>}
    </div>
  )
}

const TOOLS: { name: ToolName; icon: IconName; label: string; key: string }[] = [
  { name: "hand", icon: "hand", label: "Hand: drag to pan", key: "H" },
  { name: "keep", icon: "lock", label: "Keep: choose rooms or cells that stay", key: "L" },
  { name: "paint", icon: "brush", label: "Paint tiles", key: "B" },
  { name: "things", icon: "chest", label: "Place and edit things", key: "T" },
]

function Tools() {
  return (
    <div class="stage-tools">
      <ToolOptions />
      <div class="float tools" role="toolbar" aria-label="Tools">
        {TOOLS.map((one) => (
          <button key={one.name} type="button" class="tool" aria-pressed={tool.value === one.name} aria-label={one.label} title={`${one.label} (${one.key})`} disabled={one.name === "keep" && !canKeep.value} onClick={() => (tool.value = one.name)}>
            <Icon name={one.icon} />
          </button>
        ))}
        <span class="rule" />
        <button type="button" class="tool" aria-label="Undo" title="Undo (Ctrl Z)" disabled={!canUndo.value} onClick={undo}>
          <Icon name="undo" />
        </button>
        <button type="button" class="tool" aria-label="Redo" title="Redo (Ctrl Y)" disabled={!canRedo.value} onClick={redo}>
          <Icon name="redo" />
        </button>
      </div>
    </div>
  )
}

const MAX_STRIP_ENTRIES = 5

/** The last levels: a press brings one back. */
function Strip() {
  if (entries.value.length < 2 && !canGoBack.value) return <span />
  const last = Math.min(entries.value.length, Math.max(MAX_STRIP_ENTRIES, at.value + 2))
  const first = Math.max(0, last - MAX_STRIP_ENTRIES)
  return (
    <div class="float strip" role="group" aria-label="Levels made so far">
      {entries.value.slice(first, last).map((entry, k) => {
        const which = first + k
        const starred = isFavourite(entry.work)
        const from = roughSource(entry.work)
        const name = `${entry.work.file.replace(/\.toml$/, "")}, seed ${entry.work.seed}${starred ? ", a favourite" : ""}`
        return (
          <button key={entry.id} type="button" class={"strip-entry" + (which === at.value ? " on" : "")} aria-current={which === at.value} aria-label={name} title={name} onClick={() => openEntry(which)}>
            {thumbnailFailed(from) ? (
              <span class="strip-failed">
                <Icon name="warn" small />
              </span>
            ) : (
              <Thumb of={thumbnailOf(from)} width={46} height={32} pad={3} outline={false} />
            )}
            {starred && (
              <span class="strip-star">
                <Icon name="star" filled />
              </span>
            )}
          </button>
        )
      })}
    </div>
  )
}
