import { beforeEach, describe, expect, test } from "vitest"
import type { RuleSeen, Source } from "../../../../src/server/protocol"
import { cellsBetween, drawCells, drawn, editsOf, runMap } from "../../../../src/views/author/rules/trial/run_start"
import { nearestMiss } from "../../../../src/views/author/rules/trial/nearest_place"
import { fileBeside } from "../../../../src/views/author/rules/trial/use_in_recipe"

beforeEach(() => {
  drawn.value = {}
})

describe("a drawing", () => {
  test("keeps its cells in their places when the map gets another size", () => {
    drawCells([[0, 0], [3, 1], [5, 0]], "floor")
    expect(editsOf(drawn.value, [6, 2])).toEqual([[0, "floor"], [9, "floor"], [5, "floor"]])
    expect(editsOf(drawn.value, [4, 4])).toEqual([[0, "floor"], [7, "floor"]])
    expect(editsOf(drawn.value, [4, 1])).toEqual([[0, "floor"]])
  })
  test("has the last tile of a cell, and none that was made blank", () => {
    drawCells([[0, 0], [1, 0]], "floor")
    drawCells([[1, 0]], "wall")
    drawCells([[0, 0], [7, 7]], null)
    expect(drawn.value).toEqual({ "1,0": "wall" })
  })
  test("has up to 4,096 cells", () => {
    const many = Array.from({ length: 4096 }, (_, at) => [at % 64, Math.floor(at / 64)] as [number, number])
    drawCells(many, "floor")
    drawCells([[100, 100]], "floor")
    expect(Object.keys(drawn.value)).toHaveLength(4096)
    drawCells([[5, 5]], "wall")
    expect(drawn.value["5,5"]).toBe("wall")
  })
  test("has no gaps where the pointer was quick", () => {
    expect(cellsBetween([2, 3], [2, 3])).toEqual([[2, 3], [2, 3]])
    for (const to of [[9, 4], [-3, 8], [2, -7], [5, 0]] as [number, number][]) {
      const cells = cellsBetween([2, 3], to)
      expect([cells[0], cells.at(-1)]).toEqual([[2, 3], to])
      for (const [at, [x, y]] of cells.entries()) {
        const before = cells[at - 1] ?? [x, y]
        expect(Math.max(Math.abs(x - before[0]), Math.abs(y - before[1]))).toBeLessThanOrEqual(1)
      }
    }
  })
})

describe("what the server is asked for", () => {
  const ask = (on: Parameters<typeof runMap>[0]) => runMap(on, [4, 4], (tile) => tile === "floor")
  test("has a fill that the rules know", () => {
    expect(ask({ kind: "fill", tile: "floor" })).toEqual({ fill: "floor" })
    expect(ask({ kind: "fill", tile: "moss" })).toEqual({})
    expect(ask({ kind: "fill", tile: "" })).toEqual({})
  })
  test("has the drawing, or the file", () => {
    drawCells([[1, 1]], "floor")
    expect(ask({ kind: "drawing" })).toEqual({ edits: [[5, "floor"]] })
    const level: Source = { recipe: { path: "a/hall.txt" }, seed: "0", size: null, params: {}, until: [], tries: 100 }
    expect(ask({ kind: "file", path: "a/hall.txt" })).toEqual({ level })
  })
  test("has no level while there is none", () => expect(ask({ kind: "level", step: "decor" })).toEqual({}))
})

test("the nearest miss is told only if half of its cells fit", () => {
  const miss = (pattern: string[], ...wrong: number[]): RuleSeen["nearest"][number] => ({
    at: [0, 0], variant: 0, pattern, map: [], sentence: "",
    wrong: wrong.map((x) => ({ at: [x, 0], cell: [x, 0], wanted: "#", found: "." })),
  })
  const seen = (...nearest: RuleSeen["nearest"]): RuleSeen => ({ nearest }) as unknown as RuleSeen
  expect(nearestMiss(seen(miss(["#+#"], 1)))?.pattern).toEqual(["#+#"])
  expect(nearestMiss(seen(miss(["#+#"], 0, 1)))).toBeUndefined()
  expect(nearestMiss(seen(miss(["?+?"], 1)))).toBeUndefined()
  expect(nearestMiss(seen(miss(["#+#"]), miss(["##", "##"], 0, 1)))?.pattern).toEqual(["##", "##"])
})

test("a recipe can name a file in its folder or below", () => {
  expect(fileBeside("crypt.toml", "a/b.rules")).toBe("a/b.rules")
  expect(fileBeside("a/crypt.toml", "a/b.rules")).toBe("b.rules")
  expect(fileBeside("a/crypt.toml", "b.rules")).toBeNull()
  expect(fileBeside("a/crypt.toml", "ab/c.rules")).toBeNull()
})
