/** Seeds of the whole range that the filters let through. */
import { computed } from "@preact/signals"
import { measureName } from "../../../widgets/measure_text"
import { filterText, passes, type Values } from "./filters"
import { doneSeeds, range } from "../loading"
import { RANGE_SEEDS, seedAt } from "../range/measured_range"
import { chosen, filtersOn, hung, WALL_SEEDS, SEED, sortBy } from "../state"
import { dependOn } from "../../../state/depend_on"

export const matchesInRange = computed<number[]>(() => {
  const now = range.value
  const wanted = filtersOn.value
  dependOn(doneSeeds.value)
  if (!now || wanted.length === 0) return []
  const columns = wanted.map((filter) => [filter.measure, now.values(filter.measure)] as const)
  const found: number[] = []
  for (let place = 0; place < RANGE_SEEDS; place++) {
    const values: Values = {}
    for (const [name, column] of columns) values[name] = column?.[place] ?? null
    if (passes(wanted, values)) found.push(place)
  }
  return found
})

/** Fill the wall with seeds that pass: the best of them, as the wall is sorted. */
export function hangMatches(): void {
  const found = [...matchesInRange.peek()]
  const column = sortBy.peek() === SEED ? null : range.peek()?.values(sortBy.peek())
  const sign = chosen.peek().falling ? -1 : 1
  const worth = (place: number): number => {
    const value = column?.[place] ?? NaN
    return Number.isNaN(value) ? -Infinity : -sign * value
  }
  if (column) found.sort((a, b) => Math.sign(worth(b) - worth(a)) || a - b)
  const title = filtersOn.peek().map((filter) => `${measureName(filter.measure)} ${filterText(filter)}`).join(", ")
  hung.value = { kind: "list", of: "matches", seeds: found.slice(0, WALL_SEEDS).map(seedAt), title }
}
