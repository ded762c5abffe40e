/** Things that are placed, changed, moved and taken away by hand, as a work holds them: see `works/level_work.py` of the library. */
import type { PlacedThing, ThingRef } from "../../../server/protocol"

export interface ThingEdits {
  placed: PlacedThing[]
  removed: ThingRef[]
}
type Thing = Required<PlacedThing>

export const placedThing = ({ kind, x, y, data }: Thing): PlacedThing => ({ kind, x, y, ...(Object.keys(data).length ? { data } : {}) })
const atSameSpot = (a: ThingRef, b: ThingRef): boolean => a.kind === b.kind && a.x === b.x && a.y === b.y

/**
 * The edits after one of the things on a cell became another; null: none. `things` are all of that cell in the level as these edits make it.
 *
 * What was placed by hand is changed where it stands in the list. What the level itself has is removed and placed. A removal takes the first thing of its kind on
 * the cell, so those before it are removed too and placed again.
 */
export function withThingChanged({ placed, removed }: ThingEdits, things: readonly Thing[], index: number, to: Thing | null): ThingEdits {
  const thing = things[index]
  if (!thing) return { placed, removed }
  const alike = things.filter((one) => atSameSpot(one, thing))
  const which = things.slice(0, index).filter((one) => atSameSpot(one, thing)).length
  const byHand = placed.flatMap((one, place) => (atSameSpot(one, thing) ? [place] : []))
  // Those placed by hand come after those of the level.
  const own = alike.length - byHand.length
  const place = byHand[which - own]
  if (place !== undefined) return { placed: [...placed.slice(0, place), ...(to ? [placedThing(to)] : []), ...placed.slice(place + 1)], removed }
  const { kind, x, y } = thing
  return {
    placed: [...alike.slice(0, which).map(placedThing), ...placed, ...(to ? [placedThing(to)] : [])],
    removed: [...removed, ...alike.slice(0, which + 1).map(() => ({ kind, x, y }))],
  }
}
