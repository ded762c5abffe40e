/** The map of Understand: the ground as it was in a turn, distances over it, and the cell that is looked at. */
import { computed, effect, signal } from "@preact/signals"
import { MapView, LAYER_ORDER } from "../../../canvas/map_view"
import { colour, theme } from "../../../state/theme"
import { from, on } from "./overlays"
import { Ground, extendLabels } from "./ground"
import { distances } from "./distances"
import { finished, run, turn, type Run } from "../state"
import { dependOn } from "../../../state/depend_on"

export const map = new MapView()
export const ground = new Ground()

/** The tiles that are shown, with the turn and the log they belong to. */
let held: { log: Run["log"]; turn: number; tiles: Uint8Array } | null = null
let stale = true

/** The tiles of the turn that is shown. Do not write to them, and do not keep them: the next turn plays on in them. */
export function tilesNow(): Uint8Array | null {
  const now = run.peek()
  if (!now) return null
  const to = Math.min(turn.peek(), now.log.last)
  if (!held || held.log !== now.log) held = { log: now.log, turn: to, tiles: now.log.at(to) }
  else if (held.turn !== to) held = { log: now.log, turn: to, tiles: now.log.at(to, held) }
  return held.tiles
}

export const sizeNow = computed<[number, number]>(() => run.value?.log.size(turn.value) ?? [1, 1])
export const paletteNow = computed(() => run.value?.log.palette(turn.value) ?? [])
const walkable = computed(() => paletteNow.value.map((tile) => tile.walkable))

/** Whether the map has the size of the finished level: else nothing of that can be laid over it. */
export const whole = computed(() => {
  const [width, height] = sizeNow.value
  return run.value?.level.width === width && run.value.level.height === height
})

/** The cell that is looked at: under the pointer, else under the cell cursor while the map has the focus. */
export const inspected = computed<[number, number] | null>(() => map.hovered.value ?? map.cursor.value)

/* ---- distances ---- */

/** Where distances are counted from: it stays where it was while the pointer is over rock. */
export const origin = signal<number | null>(null)
effect(() => {
  const now = run.value
  if (!now || !on.value.has("distance")) return
  const [width] = sizeNow.value
  const start = now.level.head.start
  if (from.value === "start") origin.value = start && whole.value ? start[1] * width + start[0] : null
  else {
    const at = inspected.value
    dependOn(turn.value)
    const cell = at ? at[1] * width + at[0] : -1
    const tiles = tilesNow()
    if (tiles && cell >= 0 && walkable.peek()[tiles[cell] as number]) origin.value = cell
  }
})

let far: { log: Run["log"]; turn: number; from: number; steps: Int32Array } | null = null

/** Steps from a cell to each other in the turn that is shown. */
export function stepsFrom(cell: number): Int32Array | null {
  const now = run.peek()
  const tiles = tilesNow()
  if (!now || !tiles || cell < 0 || cell >= tiles.length) return null
  if (far && far.log === now.log && far.turn === turn.peek() && far.from === cell) return far.steps
  const [width, height] = sizeNow.peek()
  far = { log: now.log, turn: turn.peek(), from: cell, steps: distances(tiles, walkable.peek(), width, height, cell) }
  return far.steps
}

let reach: { log: Run["log"]; turn: number; steps: Int32Array } | null = null
/** Steps from the start to a cell in the turn that is shown; -1 if there is no way, or no start. */
export function stepsFromStart(cell: number): number {
  const now = run.peek()
  const start = now?.level.head.start
  const tiles = tilesNow()
  if (!now || !start || !tiles || !whole.peek()) return -1
  if (!reach || reach.log !== now.log || reach.turn !== turn.peek()) {
    const [width, height] = sizeNow.peek()
    reach = { log: now.log, turn: turn.peek(), steps: distances(tiles, walkable.peek(), width, height, start[1] * width + start[0]) }
  }
  return reach.steps[cell] ?? -1
}

export const distanceShown = computed(() => on.value.has("distance"))

/* ---- drawing ---- */

const spreadLabels = computed(() => (run.value ? extendLabels(run.value.level, run.value.level.head.palette) : null))

/** Corridors, by the number of their region. In a level that is nothing but corridors, each has its tint after all. */
const corridors = computed(() => {
  const rooms = run.value?.level.head.rooms ?? []
  const found: boolean[] = []
  if (rooms.some((room) => room.number > 0)) for (const room of rooms) found[room.id] = room.number === 0
  return found
})

effect(() => {
  dependOn(run.value, turn.value, on.value, theme.value, origin.value)
  const [width, height] = sizeNow.value
  stale = true
  map.resizeMap(width, height)
  map.redraw()
})

map.add({
  name: "ground",
  order: LAYER_ORDER.ground,
  draw: (pen) => {
    const now = run.peek()
    if (!now) return
    if (stale) {
      stale = false
      const tiles = tilesNow()
      if (!tiles) return
      const [width, height] = sizeNow.peek()
      const at = origin.peek()
      ground.show({
        width,
        height,
        tiles,
        palette: paletteNow.peek(),
        labels: on.peek().has("regions") && whole.peek() ? spreadLabels.peek() : null,
        corridors: corridors.peek(),
        far: distanceShown.peek() && at !== null ? stepsFrom(at) : null,
        light: theme.peek() === "light",
      })
      map.canvas.dataset.turn = String(turn.peek())
    }
    ground.draw(pen)
  },
})

/** What the rewrite at the playhead wrote. At the end there is nothing to point at. */
map.add({
  name: "written now",
  order: LAYER_ORDER.marks + 1,
  draw: ({ ctx, px }) => {
    const now = run.peek()
    if (!now || finished.peek() || turn.peek() < 1) return
    const cells = now.log.changedCells(turn.peek(), 401)
    if (cells.length > 400) return
    const [width] = sizeNow.peek()
    ctx.fillStyle = colour("accent-soft")
    ctx.strokeStyle = colour("accent-fill")
    ctx.lineWidth = 1.5 * px
    for (const cell of cells) {
      const x = cell % width
      const y = Math.floor(cell / width)
      ctx.fillRect(x, y, 1, 1)
      if (cells.length <= 60) ctx.strokeRect(x, y, 1, 1)
    }
  },
})

/** A frame around the cell, and two hairs to the edges, so that its place can be read. */
map.add({
  name: "looked at",
  order: LAYER_ORDER.cursor,
  draw: ({ ctx, px, seen }) => {
    const at = inspected.peek()
    if (!at) return
    const [x, y] = at
    ctx.strokeStyle = colour("accent-fill")
    ctx.globalAlpha = 0.4
    ctx.lineWidth = px
    ctx.beginPath()
    ctx.moveTo(x, y + 0.5)
    ctx.lineTo(seen.x0 - 4, y + 0.5)
    ctx.moveTo(x + 0.5, y)
    ctx.lineTo(x + 0.5, seen.y0 - 4)
    ctx.stroke()
    ctx.globalAlpha = 1
    ctx.lineWidth = 2 * px
    ctx.strokeRect(x - px, y - px, 1 + 2 * px, 1 + 2 * px)
  },
})
