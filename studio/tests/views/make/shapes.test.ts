import { expect, test } from "vitest"
import { floodCells, lineCells, rectangleCells, straightenedEnd } from "../../../src/views/make/map/shapes"
import { randomFrom } from "../../support/random"

type Point = [number, number]
const drawn = (cells: Iterable<number>, width: number, height: number): string[] => {
  const all = new Set(cells)
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => (all.has(y * width + x) ? "#" : ".")).join(""))
}

test("a line goes from end to end without a gap", () => {
  expect(drawn(lineCells([0, 0], [5, 2], 1, { width: 7, height: 4 }), 7, 4)).toEqual(["##.....", "..##...", "....##.", "......."])
  expect(drawn(lineCells([1, 1], [4, 1], 3, { width: 7, height: 4 }), 7, 4)).toEqual(["######.", "######.", "######.", "......."])
})

test("lines are what their naive twin draws", () => {
  const { below: next } = randomFrom(5)
  const size = { width: 23, height: 17 }
  for (let round = 0; round < 200; round++) {
    const point = (): Point => [next(size.width), next(size.height)]
    const [from, to] = [point(), point()]
    const cells = lineCells(from, to, 1, size)
    const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]))
    expect(cells).toHaveLength(steps + 1)
    for (const cell of cells) {
      // No cell lies further than half a cell from the line.
      const [x, y] = [cell % size.width, Math.floor(cell / size.width)]
      const off = Math.abs((to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]))
      expect(off).toBeLessThanOrEqual(steps / 2)
    }
    cells.slice(1).forEach((cell, at) => {
      const before = cells[at] as number
      expect(Math.max(Math.abs((cell % size.width) - (before % size.width)), Math.abs(Math.floor(cell / size.width) - Math.floor(before / size.width)))).toBe(1)
    })
  }
})

test("rectangles are what their naive twin draws, from any two corners", () => {
  const { below: next } = randomFrom(7)
  const [width, height] = [13, 9]
  for (let round = 0; round < 200; round++) {
    const [a, b]: [Point, Point] = [[next(width), next(height)], [next(width), next(height)]]
    const within = (at: number, one: number, other: number): boolean => (at >= one && at <= other) || (at <= one && at >= other)
    for (const hollow of [false, true]) {
      const expected: number[] = []
      for (let cell = 0; cell < width * height; cell++) {
        const [x, y] = [cell % width, Math.floor(cell / width)]
        const edge = x === a[0] || x === b[0] || y === a[1] || y === b[1]
        if (within(x, a[0], b[0]) && within(y, a[1], b[1]) && (edge || !hollow)) expected.push(cell)
      }
      expect(rectangleCells(a, b, hollow, { width, height })).toEqual(expected)
    }
  }
})

test("a fill is what its naive twin finds", () => {
  const { below: next } = randomFrom(11)
  for (let round = 0; round < 120; round++) {
    const [width, height] = [1 + next(14), 1 + next(10)]
    const tiles = Uint8Array.from({ length: width * height }, () => next(2))
    const at: Point = [next(width), next(height)]
    // The twin spreads over the whole map until nothing changes.
    const found = new Set([at[1] * width + at[0]])
    for (let before = 0; before !== found.size; ) {
      before = found.size
      for (let cell = 0; cell < tiles.length; cell++) {
        const [x, y] = [cell % width, Math.floor(cell / width)]
        const touches = [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]].some(([column = 0, row = 0]) => column >= 0 && column < width && row >= 0 && row < height && found.has(row * width + column))
        if (touches && tiles[cell] === tiles[at[1] * width + at[0]]) found.add(cell)
      }
    }
    expect(floodCells(at, { width, height, tiles })).toEqual([...found].sort((a, b) => a - b))
  }
})

test("shift makes lines straight and rectangles square, and stays on the map", () => {
  const size = { width: 20, height: 10 }
  expect(straightenedEnd("line", [2, 2], [12, 4], size)).toEqual([12, 2])
  expect(straightenedEnd("line", [2, 2], [3, 9], size)).toEqual([2, 9])
  expect(straightenedEnd("line", [2, 2], [7, 6], size)).toEqual([7, 7])
  expect(straightenedEnd("rectangle", [2, 2], [12, 4], size)).toEqual([9, 9])
  expect(straightenedEnd("rectangle", [5, 5], [0, 4], size)).toEqual([0, 0])
  const { below: next } = randomFrom(13)
  for (let round = 0; round < 300; round++) {
    const [from, to]: [Point, Point] = [[next(20), next(10)], [next(20), next(10)]]
    for (const shape of ["line", "rectangle"] as const) {
      const [x, y] = straightenedEnd(shape, from, to, size)
      expect(x >= 0 && y >= 0 && x < 20 && y < 10).toBe(true)
      const [across, down] = [Math.abs(x - from[0]), Math.abs(y - from[1])]
      expect(across === down || (shape === "line" && (across === 0 || down === 0))).toBe(true)
    }
  }
})
