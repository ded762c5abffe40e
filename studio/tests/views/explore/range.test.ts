import { describe, expect, test } from "vitest"
import { binAt, makeCloud, placesIn, spotOf, type Plotted } from "../../../src/views/explore/range/bins"
import { placeOf, Range, RANGE_SEEDS, seedAt } from "../../../src/views/explore/range/measured_range"
import { fitWall, MAX_THUMBNAIL_PIXELS, MIN_THUMBNAIL_PIXELS } from "../../../src/views/explore/wall/fit_wall"

const about = { recipe: { name: "cave" }, size: null, params: {}, until: [], tries: 100 }
function rangeOf(parts: [string[], Record<string, (number | null)[]>][]): Range {
  const range = new Range(about)
  for (const [seeds, values] of parts) range.addPart({ seeds, values, done: 0, of: 0 })
  return range
}

describe("a range that is measured bit by bit", () => {
  test("knows what is there, with or without a value", () => {
    const range = rangeOf([[["1", "3"], { loops: [5, null] }]])
    expect(range.values("loops")?.[0]).toBe(5)
    expect(range.values("loops")?.[2]).toBeNaN()
    expect([0, 1, 2].map((place) => range.has("loops", place))).toEqual([true, false, true])
    expect(range.values("other")).toBeNull()
    expect(range.done).toBe(2)
  })
  test("asks for what is missing, in runs", () => {
    const range = rangeOf([[["1", "2", "5"], { loops: [1, 2, 3], doors: [1, 2, 3] }], [["6"], { loops: [4] }]])
    expect(range.missingRuns(["loops"])).toEqual([[2, 2], [6, RANGE_SEEDS - 6]])
    expect(range.missingRuns(["loops", "doors"])).toEqual([[2, 2], [5, RANGE_SEEDS - 5]])
    expect(range.isComplete([])).toBe(true)
    expect(range.isComplete(["loops"])).toBe(false)
  })
  test("counts a seed that comes twice once", () => {
    const range = rangeOf([[["1", "2"], { loops: [1, 2] }], [["2", "3"], { loops: [9, 3] }]])
    expect(range.done).toBe(3)
    expect(range.values("loops")?.[1]).toBe(9)
  })
  test("is complete in the end", () => {
    const seeds = Array.from({ length: RANGE_SEEDS }, (_, place) => seedAt(place))
    expect(rangeOf([[seeds, { loops: seeds.map(() => null) }]]).isComplete(["loops"])).toBe(true)
  })
})

test("seeds and places", () => {
  expect(placeOf(seedAt(0))).toBe(0)
  expect(placeOf(seedAt(1199))).toBe(1199)
  for (const seed of ["two words", "-3", "1.5", "", "12345678"]) expect(placeOf(seed)).toBe(-1)
})

describe("bins of the plot", () => {
  const x = { low: 0, step: 10, bins: 3, whole: true }
  const y = { low: 0, step: 0.5, bins: 2, whole: false }
  const range = rangeOf([[["1", "2", "3", "4"], { length: [5, 25, 6, 7], density: [0.1, 1, 0.2, null] }]])
  const cloud = makeCloud(range, ["length", x], ["density", y])
  const plot: Plotted = { x, y, first: cloud, second: null }
  test("hold the places of their seeds, and count the sides", () => {
    expect(cloud).toMatchObject({ top: [2, 0, 1], side: [2, 1], most: 2, without: 1, count: 4 })
    expect(placesIn(cloud, { column: 0, row: 0 }, x)).toEqual([0, 2])
    expect(placesIn(cloud, { column: 2, row: 1 }, x)).toEqual([1])
    expect(placesIn(cloud, { column: 1, row: 1 }, x)).toEqual([])
    expect(placesIn(null, { column: 0, row: 0 }, x)).toEqual([])
  })
  test("are empty while a measure is missing", () => expect(makeCloud(range, ["other", x], ["density", y])).toMatchObject({ count: 0, most: 0 }))
  test("are found by a value in them, and give one", () => {
    for (let column = 0; column < 3; column++) for (let row = 0; row < 2; row++) expect(binAt(spotOf({ column, row }, plot), plot)).toEqual({ column, row })
    expect(binAt({ x: 99, y: 0 }, plot)).toBeNull()
    expect(binAt({ x: NaN, y: 0 }, plot)).toBeNull()
    expect(binAt(null, plot)).toBeNull()
  })
})

describe("the wall", () => {
  test("never has thumbnails that are wider than it, too large or too small", () => {
    for (let across = 320; across <= 2400; across += 130)
      for (let down = 300; down <= 1500; down += 170)
        for (const count of [1, 5, 48])
          for (const ratio of [0.2, 0.66, 1, 3]) {
            const fit = fitWall(across, down, count, ratio)
            expect(fit.columns * fit.width + (fit.columns - 1) * 8).toBeLessThanOrEqual(across - 32)
            expect(fit.width).toBeLessThanOrEqual(MAX_THUMBNAIL_PIXELS)
            if (across >= 400) expect(fit.width).toBeGreaterThanOrEqual(MIN_THUMBNAIL_PIXELS)
            expect(fit.height).toBeGreaterThan(20)
          }
  })
  test("shows all 48 at once on a usual screen, in full rows", () => {
    const fit = fitWall(1000, 760, 48, 0.66)
    expect(48 % fit.columns).toBe(0)
    expect((48 / fit.columns) * (fit.height + 30 + 8)).toBeLessThanOrEqual(760)
  })
})
