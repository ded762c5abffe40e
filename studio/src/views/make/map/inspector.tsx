/** The inspector: the room of a cell as the printed key tells it, its door, its links, and its things, which can be changed. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../../../widgets/button"
import { Menu } from "../../../widgets/choices"
import { Icon } from "../../../widgets/icons"
import type { Inspected, PlacedThing } from "../../../server/protocol"
import { level } from "../../../state/level"
import { say } from "../../../state/navigation"
import { chosenThing, closeInspector, inspect, inspected, inspectedCell, kinds, refreshInspected } from "./inspected"
import { map } from "./map"
import { changeThing, movingThing, placeKind, placeThing, removeThing } from "./thing_tool"
import { dataOfRows, rowsOfData, VALUE_KINDS, type DataRow } from "./thing_data"
import { tool } from "./tools"

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Pixels from its left edge to the right edge of the map. */
const WIDTH = 300

export function Inspector() {
  const at = inspectedCell.value
  const now = level.value
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (at && now) void refreshInspected(now, at)
  }, [at?.[0], at?.[1], now])
  // Opened by a key, it is read aloud, and Tab goes on in it.
  useEffect(() => {
    if (at && document.activeElement === map.canvas && !map.canvas.classList.contains("by-pointer")) box.current?.focus()
  }, [at?.[0], at?.[1]])
  if (!at || !now) return null
  const known = inspected.value
  const about = known?.at && known.at[0] === at[0] && known.at[1] === at[1] ? known : null
  const tile = now.head.palette[now.tiles[at[1] * now.width + at[0]] ?? 0]
  // It does not lie over its cell.
  const onRight = map.at(at[0] + 1, at[1]).x > map.camera.width - WIDTH
  return (
    <aside
      ref={box}
      class={"float inspector" + (onRight ? " on-left" : "")}
      tabIndex={-1}
      aria-label={`Cell (${at[0]}, ${at[1]})`}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.preventDefault()
        closeInspector()
        map.canvas.focus()
      }}
    >
      <header>
        <RoomTitle of={about?.room ?? null} tile={tile?.name ?? "nothing"} />
        <Button small look="quiet" icon="cross" label="Close the inspector" onClick={closeInspector} />
      </header>
      {about?.room && <RoomText of={about.room} />}
      {about?.door && (
        <p>
          {capitalised(about.door.to ? `one-way door to the ${SIDES[about.door.to] ?? about.door.to}` : `${about.door.state} door`)} between {about.door.between.join(" and ") || "no rooms"}.
        </p>
      )}
      <Links of={about?.links ?? []} />
      <p class="quiet">
        {capitalised(tile?.name ?? "nothing")} at ({at[0]}, {at[1]})
      </p>
      {about?.things?.map((thing, index) =>
        chosenThing.value === index ? (
          <ThingForm key={index + JSON.stringify(thing)} thing={thing} index={index} />
        ) : (
          <button key={index} type="button" class="inspector-thing" onClick={() => inspect(at, index)}>
            <Icon name="chest" small />
            <b>{thing.kind}</b>
            <span class="second">{summary(thing)}</span>
            <Icon name="rename" small />
          </button>
        ),
      )}
      {about && (
        <Button
          small
          icon="plus"
          onClick={() => {
            tool.value = "things"
            placeThing(at)
          }}
        >
          Place {placeKind} here
        </Button>
      )}
    </aside>
  )
}

const SIDES: Record<string, string> = { N: "north", E: "east", S: "south", W: "west" }

function RoomTitle({ of, tile }: { of: Inspected["room"]; tile: string }) {
  const title = of ? of.name || capitalised(of.kind) : capitalised(tile)
  return (
    <h2>
      {of && of.number > 0 && <span class="inspector-number">{of.number}</span>}
      <span>{title}</span>
    </h2>
  )
}

function RoomText({ of }: { of: NonNullable<Inspected["room"]> }) {
  const facts = new Set([of.kind, `${of.area.toLocaleString("en")} ${of.area === 1 ? "cell" : "cells"}`, ...of.tags, of.template].filter(Boolean))
  return (
    <>
      <p class="second">{[...facts].join(", ")}</p>
      {of.key.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  )
}

/** The ways out of a room; a press on one that has a door goes to it. */
function Links({ of }: { of: NonNullable<Inspected["links"]> }) {
  if (!of.length) return null
  return (
    <ul class="inspector-links" aria-label="Links">
      {of.map(({ kind, way, to, at }, index) => {
        const words = `${capitalised(kind === "open" ? "open way" : kind === "door" ? "door" : way ? `one-way ${way}` : `${kind} door`)} ${way === "in" ? "from" : "to"} ${to}`
        return (
          <li key={index}>
            {at ? (
              <button type="button" class="inspector-link" onClick={() => inspect(at)}>
                {words}
              </button>
            ) : (
              words
            )}
          </li>
        )
      })}
    </ul>
  )
}

const summary = ({ data }: Required<PlacedThing>): string =>
  Object.entries(data)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ")

function ThingForm({ thing, index }: { thing: Required<PlacedThing>; index: number }) {
  const at: [number, number] = [thing.x, thing.y]
  const kind = useSignal(thing.kind)
  const rows = useSignal<DataRow[]>(rowsOfData(thing.data))
  const setRow = (which: number, by: Partial<DataRow>): void => void (rows.value = rows.peek().map((row, k) => (k === which ? { ...row, ...by } : row)))
  const read = dataOfRows(rows.value)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.scrollIntoView({ block: "nearest" }), [])
  const problem = !kind.value.trim() ? "Write what it is, such as chest." : "problem" in read ? read.problem : ""
  return (
    <form
      ref={form}
      class="thing-form"
      aria-label={`The ${thing.kind}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (!problem && "data" in read) void changeThing(at, index, (old) => ({ ...old, kind: kind.peek().trim(), data: read.data }))
      }}
    >
      <KindInput label="Kind" value={kind.value} onInput={(value) => (kind.value = value)} />
      {rows.value.map((row, which) => (
        <div class="thing-row" key={which} role="group" aria-label={row.key || "New value"}>
          <input class="field" aria-label="Name" placeholder="name" maxLength={400} value={row.key} onInput={(event) => setRow(which, { key: event.currentTarget.value })} />
          <Menu small label={`Type of ${row.key}`} value={row.kind} options={VALUE_KINDS} onChange={(value) => setRow(which, { kind: value })} />
          <Button small look="quiet" icon="cross" label={`Remove ${row.key || "this value"}`} onClick={() => (rows.value = rows.peek().filter((_, k) => k !== which))} />
          {row.kind !== "yes" && row.kind !== "no" && <input class="field thing-value" aria-label={`Value of ${row.key}`} maxLength={65_536} value={row.text} onInput={(event) => setRow(which, { text: event.currentTarget.value })} />}
        </div>
      ))}
      <Button small look="quiet" icon="plus" onClick={() => (rows.value = [...rows.peek(), { key: "", kind: "text", text: "" }])}>
        Add a value
      </Button>
      {problem && <p class="thing-problem">{problem}</p>}
      <div class="row">
        <button type="submit" class="button small main" disabled={problem !== ""}>
          Apply
        </button>
        <Button
          small
          onClick={() => {
            tool.value = "things"
            movingThing.value = { from: at, index, to: at, dragged: false }
            map.cursor.value = at
            map.canvas.focus()
            say("Press the new cell; or move the cell cursor there, and press Enter. Esc cancels.")
          }}
        >
          Move
        </Button>
        <span class="gap" />
        <Button small look="quiet" icon="trash" label={`Remove the ${thing.kind}`} onClick={() => void removeThing(at, index)} />
      </div>
    </form>
  )
}

/** The kind of a thing: one of a list, or any text. */
export function KindInput({ label, value, onInput }: { label: string; value: string; onInput: (value: string) => void }) {
  return (
    <label class="thing-kind">
      {label}
      <input class="field" list="thing-kinds" maxLength={400} value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      <datalist id="thing-kinds">
        {kinds.value.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  )
}
