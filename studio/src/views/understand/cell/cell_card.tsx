/** The card over the map: what stands in a cell, who wrote it, and what stood there before. Each line takes the playhead there. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { Keys } from "../../../widgets/button"
import { Icon } from "../../../widgets/icons"
import { glyphLook } from "../../../widgets/tile_grid"
import type { TileInfo } from "../../../server/protocol"
import { splitName } from "../timeline/acts"
import { rows } from "../rules/explanations"
import { chains } from "../map/layers"
import { BY_HAND, type Write } from "../timeline/write_log"
import { about, aboutCell, askVariant, inside, pin, pinned, unpin, variantOf } from "./inspected_cell"
import { ground, map, paletteNow, sizeNow, stepsFromStart, tilesNow, whole } from "../map/map"
import { matchCells, misses } from "../map/match_marks"
import { turnZeroName } from "../imported_map"
import { on, solution } from "../map/overlays"
import { bestPlace } from "./card_placement"
import { POSITIONS } from "../rules/variant_shapes"
import { goTo, run, turn, type Run } from "../state"
import { writesToShow, capitalised } from "./card_text"

/** Chips lie along the top of the map. */
const CHIPS_HEIGHT = 44

export function WhoCard() {
  const at = about.value
  const now = run.value
  const box = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<{ x: number; y: number } | null>(null)
  const cell = aboutCell.value
  const here = turn.value
  const writes = now && at ? now.log.history(cell, here) : []
  const current = writes.find((one) => one.turn <= here)
  // The variant can be found once the rules are known.
  const known = rows.value.every((row) => row.seen !== null)
  useEffect(() => {
    if (now && current && known) askVariant(now, current)
  }, [now, current?.turn, cell, known])
  useLayoutEffect(() => {
    if (box.current && at) setPlace(findPlace(box.current.offsetWidth, box.current.offsetHeight, at))
  }, [at?.[0], at?.[1], now, writes.length, pinned.value ? 0 : map.moved.value])
  if (!at || !now) return null
  const palette = paletteNow.value
  const tile = palette[tilesNow()?.[cell] ?? 0]
  const shown = writesToShow(writes, here)
  const first = writes[writes.length - 1]
  return (
    <div
      ref={box}
      class={"float under-who" + (pinned.value ? " pinned" : "")}
      role="dialog"
      aria-label={`Who wrote (${at[0]}, ${at[1]})`}
      style={{ left: place?.x ?? 0, top: place?.y ?? 0, visibility: place ? "visible" : "hidden" }}
      onPointerEnter={() => (inside.value = true)}
      onPointerLeave={() => (inside.value = false)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.preventDefault()
        unpin()
        map.canvas.focus()
      }}
    >
      <div class="under-who-head">
        <Swatch tile={tile} />
        <div>
          <b>
            {capitalised(tile?.name ?? "nothing")} at ({at[0]}, {at[1]})
          </b>
          <span class="second">{placeText(now, cell)}</span>
        </div>
        <button type="button" class={"tool under-pin" + (pinned.value ? " on" : "")} aria-pressed={pinned.value} aria-label={pinned.value ? "Let this card go" : "Pin this card"} title={pinned.value ? "Let go (W)" : "Pin (W)"} onClick={() => (pinned.value ? unpin() : pin(at))}>
          <Icon name="pin" />
        </button>
      </div>
      <ol class="under-writes" aria-label="What was written here, the last first">
        {shown.map((one) => (
          <Line key={one.turn} run={now} write={one} current={one === current} later={one.turn > here} palette={palette} />
        ))}
        {writes.length > shown.length && <li class="under-more">and {(writes.length - shown.length).toLocaleString("en")} more</li>}
        <li>
          <button type="button" class={"under-write" + (current ? "" : " on")} onClick={() => goTo(0, "rewrite")}>
            <Swatch tile={now.log.palette(0)[first ? first.old : (tilesNow()?.[cell] ?? 0)]} />
            <span>
              <b>{turnZeroName()}</b>
              <span class="second">{(first ? now.log.palette(0)[first.old]?.name : tile?.name) ?? "nothing"}</span>
            </span>
            <span class="under-turn">0</span>
          </button>
        </li>
      </ol>
      <p class="under-who-foot">
        Click a line to jump there.
        <span class="under-foot-key">
          <Keys of={["W"]} /> {pinned.value ? "lets go" : "pins"}
        </span>
      </p>
    </div>
  )
}

function Line({ run: now, write, current, later, palette }: { run: Run; write: Write; current: boolean; later: boolean; palette: readonly TileInfo[] }) {
  const steps = now.level.head.steps
  const { step, rule } = splitName(
    write.source,
    steps.map((one) => one.id),
  )
  const number = steps.findIndex((one) => one.id === step) + 1
  const variant = current ? variantOf(now, write.turn) : null
  const detail = write.source === BY_HAND ? "in Make, after all steps" : [number ? `step ${number}` : "", rule ? step : (steps[number - 1]?.use ?? "") !== step ? (steps[number - 1]?.use ?? "") : "", variant === null ? "" : POSITIONS[variant]].filter(Boolean).join(", ")
  const tile = now.log.palette(write.turn)[write.new] ?? palette[write.new]
  return (
    <li>
      <button type="button" class={"under-write" + (current ? " on" : "") + (later ? " later" : "")} aria-current={current ? "step" : undefined} onClick={() => goTo(write.turn, "rewrite")}>
        <Swatch tile={tile} />
        <span>
          <b>{rule || step}</b>
          <span class="second">{later ? `${detail}, later` : detail}</span>
        </span>
        <span class="under-turn">{write.turn.toLocaleString("en")}</span>
      </button>
    </li>
  )
}

export function Swatch({ tile }: { tile: TileInfo | undefined }) {
  const look = tile ? glyphLook(tile.glyph, [tile]) : null
  return (
    <span class={"under-swatch" + (look ? "" : " none")} style={look ? { background: look.fill, color: look.ink } : {}} aria-hidden="true">
      {tile && tile.glyph !== " " ? tile.glyph : ""}
    </span>
  )
}

/** "room 14, 46 steps from the start, cuts off 30 cells" */
function placeText(now: Run, cell: number): string {
  const { head, labels } = now.level
  const room = whole.value ? head.rooms.find((one) => one.id === labels[cell]) : undefined
  const steps = stepsFromStart(cell)
  const choke = on.value.has("choke") && whole.value ? chains.value?.marks.find((one) => one.at[1] * now.level.width + one.at[0] === cell) : undefined
  const [width] = sizeNow.value
  const things = head.things.filter((thing) => whole.value && thing.at[1] * width + thing.at[0] === cell).map((thing) => thing.name || thing.kind)
  const parts = [
    ...things,
    room ? (room.number ? `${room.name || room.kind || "room"} ${room.number}` : room.kind || "corridor") : "",
    steps === 0 ? "the start" : steps > 0 ? `${steps.toLocaleString("en")} ${steps === 1 ? "step" : "steps"} from start` : "",
    choke ? `cuts off ${choke.cut.toLocaleString("en")} ${choke.cut === 1 ? "cell" : "cells"}` : "",
  ]
  return parts.filter(Boolean).join(", ") || "in no region"
}

/** A cell as screen readers announce it. */
export function describeCell(at: [number, number]): string {
  const now = run.peek()
  const tiles = tilesNow()
  if (!now || !tiles) return ""
  const cell = at[1] * sizeNow.peek()[0] + at[0]
  const tile = paletteNow.peek()[tiles[cell] ?? 0]?.name ?? "nothing"
  const last = now.log.writer(cell, turn.peek())
  const { step, rule } = last ? splitName(last.source, now.level.head.steps.map((one) => one.id)) : { step: "", rule: "" }
  const by = last ? `written by ${rule || step} in turn ${last.turn.toLocaleString("en")}` : "as it began"
  return [`(${at[0]}, ${at[1]})`, tile, placeText(now, cell), by].filter(Boolean).join(", ")
}

/** Where the card hides neither the cell nor the path, matches and misses, and as little ground as can be. */
function findPlace(width: number, height: number, at: [number, number]): { x: number; y: number } {
  const { camera } = map
  const { scale } = camera
  const corner = map.at(at[0], at[1])
  const points: { x: number; y: number; weight: number }[] = []
  const put = (column: number, row: number, weight: number): void => void points.push({ x: camera.x + (column + 0.5) * scale, y: camera.y + (row + 0.5) * scale, weight })
  const columns = camera.columns
  const now = run.peek()
  if (now && whole.peek()) {
    const thin = Math.max(1, Math.floor(now.level.path.length / 600))
    if (on.peek().has("path")) for (let k = 0; k < now.level.path.length; k += thin) put((now.level.path[k] as number) % columns, Math.floor((now.level.path[k] as number) / columns), 30)
    const solved = solution.peek()
    if (on.peek().has("solution") && solved && !("refused" in solved)) for (const cell of solved.cells) put(cell[0], cell[1], 30)
    if (on.peek().has("choke")) for (const mark of chains.peek()?.marks ?? []) put(mark.at[0], mark.at[1], 20)
  }
  // The zoom buttons in the corner stay free too.
  for (const dx of [20, 90, 150]) points.push({ x: camera.width - dx, y: camera.height - 30, weight: 12 })
  let many = 0
  for (const cell of matchCells.peek()) {
    put(cell % columns, Math.floor(cell / columns), 30)
    if (++many > 800) break
  }
  for (const one of misses.peek().slice(0, 1)) for (const wrong of one.wrong) put(wrong.at[0], wrong.at[1], 200)
  return bestPlace(
    { width, height },
    { x: 0, y: CHIPS_HEIGHT, width: camera.width, height: camera.height - CHIPS_HEIGHT },
    {
      about: { x: corner.x, y: corner.y, width: scale, height: scale },
      points,
      ground: (x, y) => {
        const cell = camera.cell(x, y)
        return cell !== null && ground.isOpen(cell[1] * columns + cell[0])
      },
    },
  )
}
