/** The field that is drawn on: as many cells as the pane has room for, with the drawing in the middle, so that all of the pane can be painted on. */
import { effect, signal, untracked } from "@preact/signals"
import { MapView } from "../../../../canvas/map_view"
import { boxOf, cellKey, type Box, type Cell, type Doc } from "../model"
import { sizeKey } from "../sizes/size_words"
import { ghosted, madeSizes } from "../sizes/sizes"
import { doc, file, reading } from "../state"
import { dependOn } from "../../../../state/depend_on"

export const map = new MapView()
/** The cell of the layout that lies in the map's corner, and the cells of the map: as many as the pane has room for. */
export const field = signal<Box>({ x: -2, y: -2, width: 12, height: 10 })
/** A stroke is under way: the field is not moved until it ends. */
export const busyHand = signal(false)

/** Cells kept free around the drawing; pixels kept free for arrows; pixels that a cell has at the most. */
const FREE_CELLS_AROUND = 1
const MARGIN_PIXELS = 44
const MAX_CELL_PIXELS = 40

export const onField = (cell: readonly [number, number]): [number, number] => [cell[0] + field.peek().x, cell[1] + field.peek().y]

const unionBox = (a: Box, b: Box): Box => {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)]
  return { x, y, width: Math.max(a.x + a.width, b.x + b.width) - x, height: Math.max(a.y + a.height, b.y + b.height) - y }
}

/** What must be in sight: the drawing with a cell around it, and what the next step adds. */
function neededBox(of: Doc): Box {
  const box = boxOf(of.cells.keys()) ?? { x: 0, y: 0, width: 7, height: 5 }
  const around = { x: box.x - FREE_CELLS_AROUND, y: box.y - FREE_CELLS_AROUND, width: box.width + 2 * FREE_CELLS_AROUND, height: box.height + 2 * FREE_CELLS_AROUND }
  const next = reading.value?.next
  const room = next && madeSizes.value.get(sizeKey(next))?.head
  if (!room?.corner || !room.made || room.made[0] > box.width * 2 + 4 || room.made[1] > box.height * 2 + 4) return around
  return unionBox(around, { x: room.corner[0], y: room.corner[1], width: room.made[0], height: room.made[1] })
}

/** The pane's size in pixels. */
const pane = signal("")
map.moved.subscribe(() => (pane.value = `${map.camera.width} ${map.camera.height}`))

/** The visible part only grows, so that nothing jumps during a stroke. */
let sight: { file: string; box: Box } | null = null

effect(() => {
  const now = doc.value
  const name = file.value
  dependOn(pane.value)
  if (!now || busyHand.value) return
  const to = neededBox(now)
  const over = ghostBox(now)
  untracked(() => {
    const anew = sight?.file !== name
    sight = { file: name, box: sight && !anew ? unionBox(sight.box, to) : to }
    setField(over ? unionBox(sight.box, over) : sight.box, anew)
  })
})

/** Where the room lies that is laid over the drawing, or would lie. */
function ghostBox(now: Doc): Box | null {
  const size = ghosted.value
  const head = size && madeSizes.value.get(sizeKey(size))?.head
  const box = boxOf(now.cells.keys())
  if (!size || !head || !box) return null
  const [width, height] = head.made ?? size
  const [x, y] = head.corner ?? [box.x, box.y]
  return { x, y, width, height }
}

/** Fills the pane with cells around what must be in sight, and keeps the view if it was panned or zoomed. */
function setField(box: Box, anew: boolean): void {
  const { camera } = map
  if (camera.width < 50) return
  const scale = Math.min((camera.width - 2 * MARGIN_PIXELS) / box.width, (camera.height - 2 * MARGIN_PIXELS) / box.height, MAX_CELL_PIXELS)
  const [width, height] = [Math.max(box.width, Math.floor(camera.width / scale)), Math.max(box.height, Math.floor(camera.height / scale))]
  const to: Box = { x: box.x - Math.floor((width - box.width) / 2), y: box.y - Math.floor((height - box.height) / 2), width, height }
  const now = field.peek()
  if (!anew && now.x === to.x && now.y === to.y && now.width === to.width && now.height === to.height) return
  const fits = camera.fits || anew
  const [x, y] = [camera.x + (to.x - now.x) * camera.scale, camera.y + (to.y - now.y) * camera.scale]
  const before = camera.scale
  const cursor = map.cursor.peek()
  field.value = to
  camera.columns = to.width
  camera.rows = to.height
  if (cursor) map.cursor.value = [cursor[0] + now.x - to.x, cursor[1] + now.y - to.y]
  camera.fit()
  if (!fits) Object.assign(camera, { scale: before, x, y })
  map.notifyMoved()
}

/** Fit the drawing, and forget what was in sight before. */
export function fitDrawing(): void {
  const now = doc.peek()
  if (!now) return
  sight = { file: file.peek(), box: untracked(() => neededBox(now)) }
  setField(sight.box, true)
}

export const cellAt = (cell: readonly [number, number]): Cell | undefined => doc.peek()?.cells.get(cellKey(...onField(cell)))
