/** Placing, moving and changing things by hand. */
import { computed, effect, signal } from "@preact/signals"
import { LAYER_ORDER, type Tool } from "../../../canvas/map_view"
import type { PlacedThing } from "../../../server/protocol"
import { dependOn } from "../../../state/depend_on"
import { level } from "../../../state/level"
import { say } from "../../../state/navigation"
import { colour, theme } from "../../../state/theme"
import { changeAndSettle, sameSource, source, work, type Work } from "../../../state/work"
import { askAbout, chosenThing, closeInspector, inspect, inspectedCell, inspectThing, kinds } from "./inspected"
import { map } from "./map"
import { currentLevel } from "./stroke"
import { inexactNumber } from "./thing_data"
import { withThingChanged } from "./thing_edits"

type Point = [number, number]
type Thing = Required<PlacedThing>

export const placeKind = signal("chest")
/** A thing that is moved: by a drag, or from a press of "Move" to the next press on the map. */
export const movingThing = signal<{ from: Point; index: number; to: Point; dragged: boolean } | null>(null)
export const showThings = signal(false)

/** The work with a thing that was placed just now: what it is given next belongs to the placing. */
let workPlaced: Work | null = null

const isSame = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1]

/** Change one of the things on a cell, or take it away. The server is asked for what stands there now: only it knows all their data. */
export async function changeThing(at: Point, index: number, change: (thing: Thing) => Thing | null): Promise<void> {
  const [now, to] = [level.peek(), source.peek()]
  if (!now || !to || !sameSource(now.source, to)) {
    say("The level is still being made. Try again.")
    return
  }
  const things = (await askAbout(now, at, "thing"))?.things
  const thing = things?.[index]
  const held = work.peek()
  if (!things || !thing || !held || level.peek() !== now || source.peek() !== to) return
  const next = change(thing)
  const edits = withThingChanged({ placed: held.placed ?? [], removed: held.removed ?? [] }, things, index, next)
  const inexact = edits.placed.map((one) => [one, inexactNumber(one.data ?? {})] as const).find(([, key]) => key !== null)
  if (inexact) {
    say(`The ${inexact[0].kind} holds a number that browsers cannot hold exactly, "${inexact[1]}", so it stays as it is. Make that number a text.`)
    return
  }
  changeAndSettle(edits, next && isSame([next.x, next.y], at) ? workPlaced : null)
  workPlaced = null
  if (next) inspectThing(next)
  else chosenThing.value = null
}

export const removeThing = (at: Point, index: number): Promise<void> => changeThing(at, index, () => null)

/** Place a new thing, and open it in the inspector. */
export function placeThing(at: Point): void {
  const now = currentLevel()
  const held = work.peek()
  const kind = placeKind.peek().trim()
  if (!now || !held) return
  if (!kind) {
    say("Write what to place, such as chest.")
    return
  }
  const thing = { kind, x: at[0], y: at[1] }
  changeAndSettle({ placed: [...(held.placed ?? []), thing] })
  workPlaced = work.peek()
  inspectThing(thing)
}

/** Put down what is being moved. */
function putDown(): void {
  const move = movingThing.peek()
  movingThing.value = null
  if (!move || isSame(move.from, move.to)) return
  const [x, y] = move.to
  void changeThing(move.from, move.index, (thing) => ({ ...thing, x, y }))
}

export function cancelMove(): boolean {
  const was = movingThing.peek() !== null
  movingThing.value = null
  return was
}

/** Take the thing of a cell, or place one. */
function takeOrPlace(at: Point, dragged: boolean): void {
  const now = currentLevel()
  if (!now) return
  const move = movingThing.peek()
  if (move) {
    movingThing.value = { ...move, to: at }
    putDown()
    return
  }
  const there = now.head.things.filter((thing) => isSame(thing.at, at)).length
  if (!there) placeThing(at)
  else {
    inspect(at, there - 1)
    if (dragged) movingThing.value = { from: at, index: there - 1, to: at, dragged }
  }
}

export const THINGS: Tool = {
  name: "things",
  cursor: "crosshair",
  begin(at) {
    takeOrPlace(at, true)
    return true
  },
  move(at) {
    const move = movingThing.peek()
    if (at && move?.dragged) movingThing.value = { ...move, to: at }
  },
  end() {
    if (movingThing.peek()?.dragged) putDown()
  },
}
export const takeOrPlaceAtCursor = (at: Point): void => takeOrPlace(at, false)

/** Delete: what is chosen goes. */
export function removeChosen(): void {
  const [at, index] = [inspectedCell.peek(), chosenThing.peek()]
  if (at && index !== null) void removeThing(at, index)
}

export function resetThings(): void {
  changeAndSettle({ placed: [], removed: [] })
  closeInspector()
}

map.add({
  name: "things",
  order: LAYER_ORDER.marks + 1,
  draw: ({ ctx, px, seen }) => {
    const now = level.peek()
    if (!now || !showThings.peek()) return
    const move = movingThing.peek()
    const ring = (x: number, y: number, ink: string): void => {
      ctx.beginPath()
      ctx.arc(x + 0.5, y + 0.5, 0.46, 0, 7)
      ctx.lineWidth = 3 * px
      ctx.strokeStyle = "rgba(0,0,0,.3)"
      ctx.stroke()
      ctx.lineWidth = 1.5 * px
      ctx.strokeStyle = ink
      ctx.stroke()
    }
    for (const { at } of now.head.things) if (at[0] >= seen.x0 && at[0] < seen.x1 && at[1] >= seen.y0 && at[1] < seen.y1) ring(...at, colour("info"))
    if (!move) return
    const [x, y] = move.to
    ctx.beginPath()
    ctx.moveTo(move.from[0] + 0.5, move.from[1] + 0.5)
    ctx.lineTo(x + 0.5, y + 0.5)
    ctx.lineWidth = 2 * px
    ctx.strokeStyle = colour("accent-fill")
    ctx.setLineDash([4 * px, 3 * px])
    ctx.stroke()
    ctx.setLineDash([])
    ring(x, y, colour("accent-fill"))
  },
})
effect(() => {
  dependOn(level.value, showThings.value, movingThing.value, theme.value)
  map.redraw()
})
// A thing that is moved by keys follows the cell cursor.
effect(() => {
  const at = map.cursor.value
  const move = movingThing.peek()
  if (at && move && !move.dragged) movingThing.value = { ...move, to: at }
})
// The list of kinds is that of the recipe.
const recipeName = computed(() => level.value?.head.recipe)
effect(() => {
  dependOn(recipeName.value)
  const now = level.peek()
  if (showThings.value && now) void askAbout(now, null, "kinds").then((about) => about && (kinds.value = about.kinds))
})
