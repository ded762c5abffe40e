import { describe, expect, test } from "vitest"
import { cellsOfRuns, groupsOf, runsOfCells } from "../../../src/views/make/map/cell_runs"
import { randomFrom } from "../../support/random"

test("runs and cells", () => {
  expect(runsOfCells([5, 3, 4, 9])).toEqual([[3, 3], [9, 1]])
  expect([...cellsOfRuns([[3, 3], [9, 1]])]).toEqual([3, 4, 5, 9])
  expect(runsOfCells([])).toEqual([])
  expect(cellsOfRuns([]).size).toBe(0)
})

test("there and back gives the same cells, in runs that do not touch", () => {
  const random = randomFrom(4)
  for (let k = 0; k < 200; k++) {
    const cells = new Set(Array.from({ length: random.below(50) }, () => random.below(80)))
    const runs = runsOfCells(cells)
    expect(cellsOfRuns(runs)).toEqual(new Set([...cells].sort((a, b) => a - b)))
    for (let at = 1; at < runs.length; at++) expect((runs[at] as [number, number])[0]).toBeGreaterThan((runs[at - 1] as [number, number])[0] + (runs[at - 1] as [number, number])[1])
  }
})

describe("groups of cells that touch", () => {
  test("have their boxes", () => {
    expect(groupsOf(new Set([0, 1, 10, 35]), 10)).toEqual([{ x: 0, y: 0, right: 2, bottom: 2, cells: 3 }, { x: 5, y: 3, right: 6, bottom: 4, cells: 1 }])
  })
  test("do not join at the ends of rows, nor over corners", () => {
    expect(groupsOf(new Set([9, 10]), 10)).toHaveLength(2)
    expect(groupsOf(new Set([0, 11]), 10)).toHaveLength(2)
  })
  test("have every cell once", () => {
    const random = randomFrom(8)
    for (let k = 0; k < 100; k++) {
      const cells = new Set(Array.from({ length: random.below(60) }, () => random.below(100)))
      expect(groupsOf(cells, 10).reduce((sum, group) => sum + group.cells, 0)).toBe(cells.size)
    }
  })
})
