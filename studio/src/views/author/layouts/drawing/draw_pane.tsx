/** The drawing: tools and tiles above it, its size below, and handles at its sides by which a wall is pulled. */
import { useComputed } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { MapCanvas } from "../../../../canvas/map_canvas"
import { Button } from "../../../../widgets/button"
import { Segmented, Stepper } from "../../../../widgets/choices"
import { Icon } from "../../../../widgets/icons"
import { sentence } from "../../../../editor/problem_text"
import { declared, marks, nextWare, paints, sameWare, TILES, tool, TOOLS, ware, wareName, type Ware } from "./brush"
import "./draw_field"
import { field, fitDrawing, map } from "./field"
import { withSidePulled, type Side } from "../edits"
import { MarkDialog, marking } from "./mark_dialog"
import { boxOf, partName, marksOf, type Doc } from "../model"
import { canRedo, canUndo, chosen, doc, draw, problems, redo, settle, undo } from "../state"
import { Swatch } from "./swatch"
import { pullSide, describeCell } from "./tools"

const NONE = { top: 0, right: 0, bottom: 0, left: 0 }

export function DrawPane() {
  return (
    <section class="lay-pane" aria-label="Drawing">
      <header class="lay-bar">
        <div class="lay-tools" role="radiogroup" aria-label="Tool" onKeyDown={arrows((by) => (tool.value = (TOOLS[(TOOLS.findIndex((one) => one.name === tool.peek()) + by + TOOLS.length) % TOOLS.length] as (typeof TOOLS)[0]).name))}>
          {TOOLS.map((one) => (
            <button
              key={one.name}
              type="button"
              class="tool"
              role="radio"
              aria-checked={tool.value === one.name}
              tabIndex={tool.value === one.name ? 0 : -1}
              aria-label={one.label}
              title={`${one.label} (${one.key})`}
              onClick={() => (tool.value = one.name)}
            >
              <Icon name={one.icon} />
            </button>
          ))}
        </div>
        <Segmented
          label="A stroke changes"
          value={paints.value}
          options={[
            { value: "both", title: "Both", label: "A stroke changes tile and partition" },
            { value: "tile", title: "Tile", label: "A stroke changes the tile and leaves the partition" },
            { value: "part", title: "Part", label: "A stroke changes the partition and leaves the tile" },
          ]}
          onChange={(value) => (paints.value = value)}
        />
        <span class="gap" />
        <Button icon="undo" label="Undo" keys={["Ctrl", "Z"]} look="quiet" disabled={!canUndo.value} onClick={undo} />
        <Button icon="redo" label="Redo" keys={["Ctrl", "Y"]} look="quiet" disabled={!canRedo.value} onClick={redo} />
      </header>
      <Palette />
      <div class="lay-stage">
        <MapCanvas map={map} label="Drawing of the layout. Arrow keys move the cursor, Enter uses the tool." speak={describeCell} margin={NONE} />
        <Handles />
        <Trouble />
        <div class="lay-zoom float tools">
          <Button small look="quiet" icon="minus" label="Zoom out" onClick={() => map.zoom(0.8)} />
          <Button small look="quiet" icon="fit" label="Fit the drawing" keys={["0"]} onClick={fitDrawing} />
          <Button small look="quiet" icon="plus" label="Zoom in" onClick={() => map.zoom(1.25)} />
        </div>
      </div>
      <Foot />
      {marking.value && <MarkDialog />}
    </section>
  )
}

/** Arrow keys move the choice of a group, and the focus with it. */
const arrows =
  (move: (by: number) => void) =>
  (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    move(by)
    const group = event.currentTarget as HTMLElement
    requestAnimationFrame(() => group.querySelector<HTMLElement>("[aria-checked=true]")?.focus())
  }

/** All tiles, then the slots and sockets of this layout. */
function Palette() {
  const off = paints.value === "part"
  return (
    <div class={"lay-palette" + (off ? " off" : "")} role="radiogroup" aria-label="Tile" onKeyDown={arrows(nextWare)}>
      {TILES.map((tile) => (
        <WareButton key={tile} of={{ tile }} />
      ))}
      {marks.value.length > 0 && <span class="rule" />}
      {marks.value.map((one) => (
        <WareButton key={wareName(one)} of={one} />
      ))}
      <Button small look="quiet" icon="plus" label="Add a slot or a socket" onClick={() => (marking.value = { from: null })} />
      {!off && ware.value.mark && <Button small look="quiet" icon="more" label={`Change ${wareName(ware.value)}`} onClick={() => (marking.value = { from: ware.peek() })} />}
    </div>
  )
}

function WareButton({ of }: { of: Ware }) {
  const on = sameWare(of, ware.value)
  return (
    <button
      type="button"
      role="radio"
      class="lay-ware-button"
      aria-checked={on}
      tabIndex={on ? 0 : -1}
      aria-label={wareName(of)}
      title={wareName(of) + (of.mark ? " (two clicks change it)" : "")}
      onClick={() => {
        ware.value = of
        if (tool.peek() === "erase" || tool.peek() === "pick") tool.value = "pencil"
        if (paints.peek() === "part") paints.value = "both"
      }}
      onDblClick={() => of.mark && (marking.value = { from: of })}
    >
      <Swatch of={of} size={21} />
    </button>
  )
}

const SIDES: { side: Side; label: string; cursor: string; keys: [string, string] }[] = [
  { side: "left", label: "Left wall", cursor: "ew-resize", keys: ["ArrowLeft", "ArrowRight"] },
  { side: "right", label: "Right wall", cursor: "ew-resize", keys: ["ArrowRight", "ArrowLeft"] },
  { side: "top", label: "Upper wall", cursor: "ns-resize", keys: ["ArrowUp", "ArrowDown"] },
  { side: "bottom", label: "Lower wall", cursor: "ns-resize", keys: ["ArrowDown", "ArrowUp"] },
]

/** Grips at the four sides. Pulled out, a wall moves and what lies behind it is copied; pushed in, that goes. */
function Handles() {
  const holder = useRef<HTMLDivElement>(null)
  const box = useComputed(() => (doc.value ? boxOf(doc.value.cells.keys()) : null))
  useEffect(
    () =>
      map.moved.subscribe(() => placeHandles(holder.current, box.peek())),
    [],
  )
  useEffect(() => placeHandles(holder.current, box.value))
  if (!box.value) return null
  return (
    <div ref={holder} class="lay-handles">
      {SIDES.map(({ side, label, cursor, keys }) => (
        <button
          key={side}
          type="button"
          class={"lay-handle at-" + side}
          data-side={side}
          data-arrows
          style={{ cursor }}
          aria-label={`${label}: drag it, or use the arrow keys`}
          title="Pull the wall: the drawing grows"
          onPointerDown={(event) => dragSide(event, side)}
          onKeyDown={(event) => {
            const by = event.key === keys[0] ? 1 : event.key === keys[1] ? -1 : 0
            if (!by) return
            event.preventDefault()
            pullSide(side, by)
          }}
        />
      ))}
    </div>
  )
}

function placeHandles(holder: HTMLElement | null, box: ReturnType<typeof boxOf>): void {
  if (!holder || !box) return
  const { x, y } = map.at(box.x - field.peek().x, box.y - field.peek().y)
  const [wide, high] = [box.width * map.camera.scale, box.height * map.camera.scale]
  const middle: Record<Side, [number, number]> = { left: [x - 9, y + high / 2], right: [x + wide + 9, y + high / 2], top: [x + wide / 2, y - 9], bottom: [x + wide / 2, y + high + 9] }
  for (const element of holder.querySelectorAll<HTMLElement>("[data-side]")) {
    const [left, top] = middle[element.dataset.side as Side]
    element.style.transform = `translate(${left}px, ${top}px) translate(-50%, -50%)`
  }
}

function dragSide(event: PointerEvent, side: Side): void {
  const element = event.currentTarget as HTMLElement
  const first = doc.peek()
  if (!first || event.button !== 0) return
  event.preventDefault()
  element.setPointerCapture(event.pointerId)
  const across = side === "left" || side === "right"
  const from = across ? event.clientX : event.clientY
  const out = side === "right" || side === "bottom" ? 1 : -1
  const scale = map.camera.scale
  const move = (moved: PointerEvent): void => draw(withSidePulled(first, side, Math.round((((across ? moved.clientX : moved.clientY) - from) * out) / scale)))
  const up = (): void => {
    element.removeEventListener("pointermove", move)
    settle()
  }
  element.addEventListener("pointermove", move)
  element.addEventListener("pointerup", up, { once: true })
  element.addEventListener("pointercancel", up, { once: true })
}

/** What the drawing contradicts itself in. */
function Trouble() {
  const first = problems.value[0]
  if (!first) return null
  return (
    <div class="float lay-problem" role="alert">
      <Icon name="warn" />
      <p>
        {first.place && "The text cannot be read, so this is what it said last. "}
        <b>{sentence(first.problem)}</b> {first.fix && sentence(first.fix)}
      </p>
    </div>
  )
}

function Foot() {
  const box = useComputed(() => (doc.value ? boxOf(doc.value.cells.keys()) : null))
  const cell = map.hovered.value ?? map.cursor.value
  const now = doc.value
  const place = cell ? [cell[0] + field.value.x, cell[1] + field.value.y] : null
  const at = place && now?.cells.get(place.join(","))
  const size = (axis: "width" | "height", side: Side) => (value: number) => {
    const by = value - (box.peek()?.[axis] ?? value)
    if (Number.isInteger(by)) pullSide(side, by)
  }
  return (
    <footer class="lay-foot">
      <span class="lay-drawn">
        <Stepper label="Width of the drawing" value={box.value?.width ?? 0} low={1} high={255} onChange={size("width", "right")} />
        <span aria-hidden="true">×</span>
        <Stepper label="Height of the drawing" value={box.value?.height ?? 0} low={1} high={255} onChange={size("height", "bottom")} />
      </span>
      <span class="gap" />
      <span class="quiet lay-here">
        {now && (place ? `cell (${place[0]}, ${place[1]})${at ? `, ${at.mark ? wareName(at) : at.tile}, ${partName(now, at.part)}` : ""}` : brushText(now))}
      </span>
    </footer>
  )
}

/** What the brush paints, in words. */
function brushText(now: Doc): string {
  if (tool.value === "erase") return "erase"
  if (tool.value === "pick") return "pick up what is there"
  return [paints.value !== "part" && wareName(ware.value), paints.value !== "tile" && partName(now, chosen.value)].filter(Boolean).join(", ")
}

/** Declared and drawn by now: it need not be remembered apart. */
export function tidy(): void {
  const now = doc.peek()
  if (!now) return
  const drawn: Ware[] = marksOf(now)
  const rest = declared.peek().filter((one) => !drawn.some((other) => sameWare(one, other)))
  if (rest.length !== declared.peek().length) declared.value = rest
}
