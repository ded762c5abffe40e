import { describe, expect, test } from "vitest"
import { Camera } from "../../src/canvas/camera"
import { randomFrom } from "../support/random"

const camera = (width = 800, height = 600, columns = 40, rows = 30): Camera => {
  const made = new Camera(width, height, columns, rows)
  made.fit()
  return made
}

describe("a map that fits", () => {
  test("lies in the middle of what the margins leave", () => {
    const made = camera()
    expect(made.scale).toBeCloseTo((600 - 48) / 30)
    expect(made.x - 24).toBeCloseTo(800 - 24 - (made.x + made.scale * 40))
    expect(made.y).toBeCloseTo(24)
    expect(made.fits).toBe(true)
  })
  test("has cells of 48 pixels at most", () => expect(camera(4000, 4000, 3, 3).scale).toBe(48))
  test("takes a pane that is smaller than its margins", () => {
    const made = camera(10, 10, 4, 4)
    expect(made.scale).toBe(10)
    expect(Number.isFinite(made.x)).toBe(true)
  })
})

describe("zoom", () => {
  test("keeps the point under the pointer where it is", () => {
    const made = camera()
    const at = { x: 300, y: 200 }
    const before = [(at.x - made.x) / made.scale, (at.y - made.y) / made.scale]
    made.zoom(2, at)
    expect((at.x - made.x) / made.scale).toBeCloseTo(before[0] as number)
    expect((at.y - made.y) / made.scale).toBeCloseTo(before[1] as number)
    expect(made.fits).toBe(false)
  })
  test("ends at 96 pixels a cell, and at a quarter of what fits or one pixel", () => {
    const made = camera()
    made.zoom(1e6, { x: 0, y: 0 })
    expect(made.scale).toBe(96)
    made.zoom(1e-6, { x: 0, y: 0 })
    expect(made.scale).toBe(1)
    const tiny = camera(100, 100, 1000, 1000)
    tiny.zoom(1e-6, { x: 0, y: 0 })
    expect(tiny.scale).toBeCloseTo(tiny.fitting / 4)
  })
})

test("however it is moved, some of the map stays in sight", () => {
  const random = randomFrom(7)
  const made = camera()
  for (let k = 0; k < 500; k++) {
    if (random.below(2)) made.pan(random.below(4000) - 2000, random.below(4000) - 2000)
    else made.zoom(0.3 + random.below(30) / 10, { x: random.below(800), y: random.below(600) })
    expect(made.x).toBeLessThanOrEqual(800 - 64)
    expect(made.y).toBeLessThanOrEqual(600 - 64)
    expect(made.x + made.scale * 40).toBeGreaterThanOrEqual(64 - 1e-6)
    expect(made.y + made.scale * 30).toBeGreaterThanOrEqual(64 - 1e-6)
  }
})

test("a cell is found under each of its points, and none outside", () => {
  const made = camera()
  expect(made.cell(made.x + 3.5 * made.scale, made.y + 7.01 * made.scale)).toEqual([3, 7])
  expect(made.cell(made.x, made.y)).toEqual([0, 0])
  expect(made.cell(made.x - 0.01, made.y)).toBeNull()
  expect(made.cell(made.x + 40 * made.scale, made.y)).toBeNull()
  expect(made.cell(made.x, made.y + 30 * made.scale + 0.01)).toBeNull()
})

test("a cell that is out of sight is brought into it", () => {
  const made = camera()
  made.zoom(4, { x: 0, y: 0 })
  for (const [column, row] of [[0, 0], [39, 29], [0, 29], [20, 15]] as const) {
    made.showCell(column, row)
    const [x, y] = [made.x + (column + 0.5) * made.scale, made.y + (row + 0.5) * made.scale]
    expect(x).toBeGreaterThanOrEqual(59.9)
    expect(x).toBeLessThanOrEqual(740.1)
    expect(y).toBeGreaterThanOrEqual(59.9)
    expect(y).toBeLessThanOrEqual(540.1)
  }
})

test("cells in sight never leave the map, and all of them are seen when it fits", () => {
  const made = camera()
  expect(made.seen).toEqual({ x0: 0, y0: 0, x1: 40, y1: 30 })
  made.zoom(8, { x: 400, y: 300 })
  const { x0, y0, x1, y1 } = made.seen
  expect(x1 - x0).toBeLessThan(12)
  expect(y1 - y0).toBeLessThan(10)
  made.pan(-1e6, -1e6)
  expect(made.seen.x1).toBe(40)
  expect(made.seen.x0).toBeLessThan(40)
})
