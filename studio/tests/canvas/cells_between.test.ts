import { expect, test } from "vitest"
import { cellsBetween } from "../../src/canvas/cells_between"
import { randomFrom } from "../support/random"

test("one cell is the way to itself", () => expect(cellsBetween([3, 4], [3, 4])).toEqual([[3, 4]]))

test("straight and slanting ways", () => {
  expect(cellsBetween([0, 0], [3, 0])).toEqual([[0, 0], [1, 0], [2, 0], [3, 0]])
  expect(cellsBetween([2, 2], [0, 0])).toEqual([[2, 2], [1, 1], [0, 0]])
})

test("a way has both ends, no gap and no cell twice", () => {
  const random = randomFrom(3)
  for (let k = 0; k < 300; k++) {
    const [from, to]: [number, number][] = [[random.below(40) - 20, random.below(40) - 20], [random.below(40) - 20, random.below(40) - 20]]
    const way = cellsBetween(from as [number, number], to as [number, number])
    expect(way[0]).toEqual(from)
    expect(way.at(-1)).toEqual(to)
    expect(new Set(way.map(String)).size).toBe(way.length)
    for (let at = 1; at < way.length; at++) {
      const [a, b] = [way[at - 1] as [number, number], way[at] as [number, number]]
      expect(Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]))).toBe(1)
    }
  }
})
