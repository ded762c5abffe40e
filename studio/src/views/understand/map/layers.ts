/** What is laid over the ground: numbers of rooms, doors, the graph, the path, choke points, the solution, things, start and end. */
import { computed, effect, signal } from "@preact/signals"
import { END, START } from "../../../canvas/colours"
import { LAYER_ORDER, type Pen } from "../../../canvas/map_view"
import { colour, theme } from "../../../state/theme"
import { chainsOf, waysOf } from "./region_graph"
import { drawLine, lineOf } from "./path_lines"
import { map, whole } from "./map"
import { chokes, on, solution, strength, type Overlay } from "./overlays"
import { run, turn } from "../state"
import { dependOn } from "../../../state/depend_on"

const DOOR_INK: Record<string, string> & { closed: string } = { open: "#e3b06f", closed: "#e39a45", locked: "#ff6a5e", secret: "#b08cff" }

const ways = computed(() => (run.value && on.value.has("graph") ? waysOf(run.value.level) : null))
export const chains = computed(() => {
  const now = run.value?.level
  const found = chokes.value
  if (!now || !found) return null
  const roles = now.head.palette.map((tile) => ["door", "locked", "secret", "opening"].includes(tile.role))
  return chainsOf(found, now.width, (cell) => roles[now.tiles[cell] as number] ?? false)
})

/** A layer that is drawn while its overlay is on and the map has the size of the finished level. */
function addOverlay(name: string, when: Overlay[], order: number, draw: (pen: Pen) => void): void {
  map.add({
    name,
    order,
    draw: (pen) => {
      if (!run.peek() || !whole.peek() || (when.length && !when.some((one) => on.peek().has(one)))) return
      pen.ctx.globalAlpha = strength.peek()
      draw(pen)
      pen.ctx.globalAlpha = 1
    },
  })
}

const isLight = (): boolean => theme.peek() === "light"
const centre = (at: readonly [number, number]): [number, number] => [at[0] + 0.5, at[1] + 0.5]

/** With more visible lines than this the graph is not drawn: it would be unreadable and slow. */
const MAX_GRAPH_LINES = 4000
export const tooMany = signal(false)

addOverlay("graph", ["graph"], LAYER_ORDER.lines, ({ ctx, px, seen }) => {
  const found = ways.peek()
  const width = run.peek()?.level.width ?? 1
  if (!found) return
  const inSight = (x: number, y: number): boolean => x >= seen.x0 && x < seen.x1 && y >= seen.y0 && y < seen.y1
  const rooms = found.rooms.filter(([x0, y0, x1, y1]) => inSight(x0, y0) || inSight(x1, y1))
  const corridors = found.corridors.filter((row) => row.some((cell) => inSight(cell % width, Math.floor(cell / width))))
  const crowded = rooms.length + corridors.length > MAX_GRAPH_LINES
  if (tooMany.peek() !== crowded) queueMicrotask(() => (tooMany.value = crowded))
  if (crowded) return
  ctx.lineWidth = 1.3 * px
  ctx.lineJoin = "round"
  ctx.beginPath()
  for (const row of corridors)
    row.forEach((cell, at) => {
      const [x, y] = centre([cell % width, Math.floor(cell / width)])
      if (at) ctx.lineTo(x, y)
      else ctx.moveTo(x, y)
    })
  // Along corridors the line is fainter: their walls show the way too.
  ctx.strokeStyle = isLight() ? "rgba(61,52,88,.3)" : "rgba(223,230,255,.28)"
  ctx.stroke()
  ctx.beginPath()
  for (const [x0, y0, x1, y1] of rooms) {
    ctx.moveTo(x0 + 0.5, y0 + 0.5)
    ctx.lineTo(x1 + 0.5, y1 + 0.5)
  }
  ctx.strokeStyle = isLight() ? "rgba(61,52,88,.6)" : "rgba(223,230,255,.6)"
  ctx.stroke()
  ctx.beginPath()
  for (const [, , x, y] of rooms) {
    ctx.moveTo(x + 0.5, y + 0.5)
    ctx.arc(x + 0.5, y + 0.5, 2.2 * px, 0, 7)
  }
  ctx.fillStyle = isLight() ? "#544d63" : "#dfe6ff"
  ctx.fill()
})

function* cellPlaces(path: ArrayLike<number>, width: number): Iterable<[number, number]> {
  for (let k = 0; k < path.length; k++) yield [(path[k] as number) % width, Math.floor((path[k] as number) / width)]
}

const pathLine = computed(() => (run.value?.level.path.length ? lineOf(cellPlaces(run.value.level.path, run.value.level.width)) : null))
const solutionLine = computed(() => (solution.value && !("refused" in solution.value) ? lineOf(solution.value.cells) : null))

addOverlay("path", ["path"], LAYER_ORDER.lines + 2, (pen) => {
  const line = pathLine.peek()
  if (line) drawLine(pen, line, isLight() ? [[7, "rgba(31,111,156,.16)"], [4.5, "rgba(255,255,255,.9)"], [2.4, "#1f6f9c"]] : [[9, "rgba(127,212,255,.16)"], [5, "rgba(127,212,255,.28)"], [2, "#e6f7ff"]])
})

addOverlay("solution", ["solution"], LAYER_ORDER.lines + 4, (pen) => {
  const found = solution.peek()
  const line = solutionLine.peek()
  if (!line || !found || "refused" in found) return
  drawLine(pen, line, isLight() ? [[5, "rgba(255,255,255,.85)"], [2.6, "#8a6a00"]] : [[6, "rgba(20,14,0,.55)"], [2.4, "#f2d04a"]], [6, 4])
  found.keys.forEach((key, index) => {
    pen.plate(String(index + 1), key.at[0] + 0.5, key.at[1] + 0.5, { fill: isLight() ? "#8a6a00" : "#f2d04a", ink: isLight() ? "#fff" : "#241a00", line: isLight() ? "#fff" : "#241a00", size: 11 })
  })
})

addOverlay("doors", ["doors"], LAYER_ORDER.marks - 4, ({ ctx, px }) => {
  const now = run.peek()?.level
  for (const door of now?.head.doors ?? []) {
    const ink = DOOR_INK[door.kind] ?? DOOR_INK.closed
    const pad = Math.max(0.08, 0.5 * px)
    ctx.beginPath()
    ctx.roundRect(door.at[0] - pad, door.at[1] - pad, 1 + 2 * pad, 1 + 2 * pad, 0.22)
    ctx.fillStyle = ink
    ctx.fill()
    ctx.lineWidth = 1.2 * px
    ctx.strokeStyle = isLight() ? "rgba(255,255,255,.9)" : "rgba(10,8,4,.85)"
    ctx.stroke()
    // Kinds are told apart by a sign too, not by colour alone.
    ctx.beginPath()
    if (door.kind === "locked") {
      ctx.arc(door.at[0] + 0.5, door.at[1] + 0.42, 0.14, 0, 7)
      ctx.rect(door.at[0] + 0.44, door.at[1] + 0.45, 0.12, 0.34)
    } else if (door.kind === "secret") {
      ctx.moveTo(door.at[0] + 0.5, door.at[1] + 0.18)
      ctx.lineTo(door.at[0] + 0.82, door.at[1] + 0.5)
      ctx.lineTo(door.at[0] + 0.5, door.at[1] + 0.82)
      ctx.lineTo(door.at[0] + 0.18, door.at[1] + 0.5)
      ctx.closePath()
    } else if (door.kind === "closed") ctx.rect(door.at[0] + 0.38, door.at[1] + 0.2, 0.24, 0.6)
    ctx.fillStyle = "rgba(20,10,4,.8)"
    ctx.fill()
  }
})

addOverlay("room numbers", ["regions", "graph"], LAYER_ORDER.marks + 2, ({ ctx, px, scale, seen }) => {
  const now = run.peek()?.level
  const graph = on.peek().has("graph") && !tooMany.peek()
  const shade = isLight()
  for (const room of now?.head.rooms ?? []) {
    const [x, y] = centre(room.at)
    if (room.number === 0 || room.at[0] < seen.x0 || room.at[0] >= seen.x1 || room.at[1] < seen.y0 || room.at[1] >= seen.y1) continue
    const plate = Math.sqrt(room.area) * scale > 22
    if (!plate && !graph) continue
    ctx.beginPath()
    ctx.arc(x, y, (plate ? 8.5 : 2.6) * px, 0, 7)
    ctx.fillStyle = plate ? (shade ? "#fffdf8" : "#0c0f18") : shade ? "#544d63" : "#dfe6ff"
    ctx.fill()
    if (!plate) continue
    ctx.lineWidth = 1.3 * px
    ctx.strokeStyle = shade ? "#544d63" : "#dfe6ff"
    ctx.stroke()
    ctx.save()
    ctx.translate(x, y)
    ctx.scale(px, px)
    ctx.font = `600 ${room.number > 99 ? 8 : 10}px "Inter Variable", sans-serif`
    ctx.textAlign = "center"
    ctx.textBaseline = "middle"
    ctx.fillStyle = shade ? "#211c2e" : "#eef1fa"
    ctx.fillText(String(room.number), 0, 0.5)
    ctx.restore()
  }
})

addOverlay("choke points", ["choke"], LAYER_ORDER.marks + 4, ({ ctx, px, scale }) => {
  const found = chains.peek()
  const now = run.peek()?.level
  if (!found || !now) return
  ctx.fillStyle = isLight() ? "rgba(185,42,48,.3)" : "rgba(255,125,120,.3)"
  const dot = Math.max(0.16, 1.2 * px)
  if (scale >= 3) for (const cell of found.cells) ctx.fillRect((cell % now.width) + 0.5 - dot / 2, Math.floor(cell / now.width) + 0.5 - dot / 2, dot, dot)
  const size = (scale < 5 ? 3 : 4.6) * px
  ctx.fillStyle = colour("bad")
  ctx.strokeStyle = isLight() ? "#fff" : "#1a0a0c"
  ctx.lineWidth = 1.5 * px
  for (const mark of found.marks) {
    const [x, y] = centre(mark.at)
    ctx.beginPath()
    ctx.moveTo(x, y - size * 1.4)
    ctx.lineTo(x + size * 1.4, y)
    ctx.lineTo(x, y + size * 1.4)
    ctx.lineTo(x - size * 1.4, y)
    ctx.closePath()
    ctx.fill()
    ctx.stroke()
  }
})

addOverlay("things", [], LAYER_ORDER.marks, ({ ctx, px, scale }) => {
  const now = run.peek()?.level
  const log = run.peek()?.log
  if (!now || !log || scale < 4) return
  for (const [index, thing] of now.head.things.entries()) {
    if (turn.peek() < (log.things[index] ?? log.last)) continue
    const [x, y] = centre(thing.at)
    const size = Math.max(0.24, 2.5 * px)
    ctx.beginPath()
    ctx.roundRect(x - size, y - size, 2 * size, 2 * size, size * 0.5)
    ctx.fillStyle = isLight() ? "#7a5a9c" : "#d9c7ff"
    ctx.fill()
    ctx.lineWidth = px
    ctx.strokeStyle = isLight() ? "#fff" : "#15101f"
    ctx.stroke()
    if (size * scale < 6) continue
    ctx.save()
    ctx.translate(x, y)
    ctx.scale(px, px)
    ctx.font = `700 ${Math.round(size * scale * 1.3)}px "Inter Variable", sans-serif`
    ctx.textAlign = "center"
    ctx.textBaseline = "middle"
    ctx.fillStyle = isLight() ? "#fff" : "#1c1430"
    ctx.fillText((thing.kind[0] ?? "").toUpperCase(), 0, 0.5)
    ctx.restore()
  }
})

/** Start and end, as large as can be read: their letters tell them apart, not only their colours. */
addOverlay("start and end", [], LAYER_ORDER.marks + 6, ({ ctx, px, scale }) => {
  const head = run.peek()?.level.head
  if (!head) return
  const size = scale < 3 ? 5 : 8
  for (const [at, ink, letter] of [[head.start, isLight() ? "#0b7350" : START, "S"], [head.end, isLight() ? "#c22a3c" : END, "E"]] as const) {
    if (!at) continue
    const [x, y] = centre(at)
    ctx.beginPath()
    ctx.arc(x, y, size * px, 0, 7)
    ctx.fillStyle = isLight() ? "#fffdf8" : "#0b0e15"
    ctx.fill()
    ctx.lineWidth = 2 * px
    ctx.strokeStyle = ink
    ctx.stroke()
    if (size < 8) continue
    ctx.save()
    ctx.translate(x, y)
    ctx.scale(px, px)
    ctx.font = '700 10px "Inter Variable", sans-serif'
    ctx.textAlign = "center"
    ctx.textBaseline = "middle"
    ctx.fillStyle = ink
    ctx.fillText(letter, 0, 0.5)
    ctx.restore()
  }
})

effect(() => {
  dependOn(run.value, on.value, chains.value, solutionLine.value, pathLine.value, strength.value, ways.value, theme.value)
  map.redraw()
})
