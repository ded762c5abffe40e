/** What the chosen tool can be set to: it opens above the tools while the tool is chosen. */
import { Button } from "../../../widgets/button"
import { Segmented } from "../../../widgets/choices"
import { Icon } from "../../../widgets/icons"
import { level } from "../../../state/level"
import { changeAndSettle, work } from "../../../state/work"
import { keptCells } from "./map"
import { brush, hollow, paintTile, shape } from "./paint_tool"
import { KindInput } from "./inspector"
import { placeKind, resetThings } from "./thing_tool"
import { keeping, tool } from "./tools"

const SIZES = [1, 2, 3, 5].map((size) => ({ value: String(size), title: String(size), label: size === 1 ? "One cell" : `${size} by ${size} cells` }))

function Brush() {
  return <Segmented small label="Brush" value={String(brush.value)} options={SIZES} onChange={(value) => (brush.value = Number(value))} />
}

const SHAPES = [
  { value: "brush", title: <Icon name="brush" />, label: "Brush (B)" },
  { value: "line", title: <Icon name="line" />, label: "Line (N)" },
  { value: "rectangle", title: <Icon name="rectangle" />, label: "Rectangle (R)" },
  { value: "fill", title: <Icon name="fill" />, label: "Fill connected cells (G)" },
] as const
const SHIFT_HINTS = { brush: "", line: " keeps it straight", rectangle: " makes a square", fill: "" }

export function ToolOptions() {
  if (tool.value === "keep") return <Keeping />
  if (tool.value === "paint") return <Painting />
  if (tool.value === "things") return <Placing />
  return null
}

function Keeping() {
  const kept = keptCells.value.size
  return (
    <div class="float tool-options" role="group" aria-label="Keep">
      <Segmented
        small
        label="Keep"
        value={keeping.value}
        options={[
          { value: "rooms", title: "rooms" },
          { value: "cells", title: "cells" },
        ]}
        onChange={(value) => (keeping.value = value)}
      />
      {keeping.value === "cells" && <Brush />}
      {kept > 0 ? (
        <>
          <span class="second">{kept.toLocaleString("en")} cells stay</span>
          <Button small look="quiet" onClick={() => changeAndSettle({ keep: undefined })}>
            Let all go
          </Button>
        </>
      ) : (
        <span class="quiet">{keeping.value === "rooms" ? "Click rooms to keep, then shuffle" : "Paint over cells to keep, then shuffle"}</span>
      )}
    </div>
  )
}

function Painting() {
  const tiles = level.value?.head.palette ?? []
  const painted = work.value?.edits?.length ?? 0
  return (
    <div class="float tool-options" role="group" aria-label="Paint">
      <div class="paint-tiles" role="radiogroup" aria-label="Tile">
        {tiles.map((tile) => (
          <button key={tile.name} type="button" role="radio" class="paint-tile" aria-checked={paintTile.value === tile.name} aria-label={tile.name} title={tile.name} onClick={() => (paintTile.value = tile.name)}>
            <span style={{ background: tile.colour }}>{tile.glyph === " " ? "" : tile.glyph}</span>
          </button>
        ))}
      </div>
      <div class="row">
        <b class="paint-name">{paintTile}</b>
        <Segmented small label="Shape" class="paint-shapes" value={shape.value} options={SHAPES} onChange={(value) => (shape.value = value)} />
        {(shape.value === "brush" || shape.value === "line") && <Brush />}
        {shape.value === "rectangle" && (
          <Segmented
            small
            label="Inside"
            value={hollow.value ? "edge" : "all"}
            options={[
              { value: "all", title: "filled" },
              { value: "edge", title: "edge" },
            ]}
            onChange={(value) => (hollow.value = value === "edge")}
          />
        )}
      </div>
      <div class="row">
        {SHIFT_HINTS[shape.value] && (
          <span class="quiet">
            <kbd>Shift</kbd>
            {SHIFT_HINTS[shape.value]}
          </span>
        )}
        <span class="gap" />
        {painted > 0 ? (
          <Button small look="quiet" onClick={() => changeAndSettle({ edits: [] })}>
            Wipe {painted.toLocaleString("en")} painted
          </Button>
        ) : (
          <span class="quiet">
            <kbd>Alt</kbd> picks a tile
          </span>
        )}
      </div>
    </div>
  )
}

function Placing() {
  const changes = (work.value?.placed?.length ?? 0) + (work.value?.removed?.length ?? 0)
  return (
    <div class="float tool-options" role="group" aria-label="Things">
      <KindInput label="Place" value={placeKind.value} onInput={(value) => (placeKind.value = value)} />
      {changes > 0 ? (
        <Button small look="quiet" onClick={resetThings}>
          Reset {changes.toLocaleString("en")} {changes === 1 ? "change" : "changes"}
        </Button>
      ) : (
        <span class="quiet">Click to place or edit, drag to move</span>
      )}
    </div>
  )
}
