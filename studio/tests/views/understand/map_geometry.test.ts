import { describe, expect, test } from "vitest"
import { STANDARD_TILES } from "../../../src/canvas/standard_tiles"
import { distances } from "../../../src/views/understand/map/distances"
import { extendLabels } from "../../../src/views/understand/map/ground"
import { cornersOf } from "../../../src/views/understand/map/path_lines"
import { chainsOf, waysOf, type Choke } from "../../../src/views/understand/map/region_graph"
import { levelOf, roomOf, tilesOf } from "../../support/levels"
import { randomFrom } from "../../support/random"

const walkable = STANDARD_TILES.map((tile) => tile.walkable)

describe("distances", () => {
  test("go over what can be walked on, not over water", () => {
    expect([...distances(tilesOf(["..~.", "#+#.", "#..."]), walkable, 4, 3, 0)]).toEqual([0, 1, -1, 7, -1, 2, -1, 6, -1, 3, 4, 5])
  })
  test("from rock there is no way", () => expect(distances(tilesOf(["#."]), walkable, 2, 1, 0)).toEqual(Int32Array.of(-1, -1)))
  test("differ by one at most between neighbours", () => {
    const random = randomFrom(21)
    for (let k = 0; k < 30; k++) {
      const rows = Array.from({ length: 12 }, () => Array.from({ length: 15 }, () => (random.below(3) ? "." : "#")).join(""))
      const tiles = tilesOf(rows)
      const from = tiles.findIndex((code) => walkable[code] ?? false)
      const far = distances(tiles, walkable, 15, 12, from)
      for (let cell = 0; cell < far.length; cell++) {
        expect((far[cell] as number) >= 0 ? walkable[tiles[cell] as number] : true).toBe(true)
        if (cell % 15 < 14 && (far[cell] as number) >= 0 && walkable[tiles[cell + 1] as number]) expect(Math.abs((far[cell] as number) - (far[cell + 1] as number))).toBe(1)
      }
    }
  })
})

test("regions reach under pillars and water, but not under walls", () => {
  const level = levelOf([".o~#.", "####."], ["10002", "00002"])
  expect([...extendLabels(level, STANDARD_TILES)]).toEqual([1, 1, 1, 0, 2, 0, 0, 0, 0, 2])
  expect([...level.labels]).toEqual([1, 0, 0, 0, 2, 0, 0, 0, 0, 2])
})

describe("the corners of a way", () => {
  test("leave out what lies straight between them", () => {
    expect(cornersOf([[0, 0], [1, 0], [2, 0], [2, 1], [2, 2], [3, 2]])).toEqual([[0, 0], [2, 0], [2, 2], [3, 2]])
    expect(cornersOf([[0, 0], [1, 1], [2, 2]])).toEqual([[0, 0], [2, 2]])
    expect(cornersOf([[4, 4]])).toEqual([[4, 4]])
    expect(cornersOf([])).toEqual([])
  })
})

describe("how regions lead to each other", () => {
  test("from the middle of a room to its doors, and along a corridor between them", () => {
    const level = levelOf(["...+,,,+..."], ["11103330222"], {
      rooms: [roomOf(1, 1, [1, 0]), roomOf(2, 2, [9, 0]), roomOf(3, 0, [5, 0])],
      doors: [{ at: [3, 0], kind: "closed", between: [1, 3] }, { at: [7, 0], kind: "closed", between: [3, 2] }],
      links: [{ a: 1, b: 3, kind: "door" }, { a: 3, b: 2, kind: "door" }],
    })
    const ways = waysOf(level)
    expect(ways.rooms).toEqual([[1, 0, 3, 0], [9, 0, 7, 0]])
    expect(ways.corridors).toEqual([[6, 5, 4]])
  })
  test("where they touch without a door, by the middle of that side", () => {
    const level = levelOf(["....", "...."], ["1122", "1122"], { rooms: [roomOf(1, 1, [0, 0]), roomOf(2, 2, [3, 0])], links: [{ a: 1, b: 2, kind: "open" }] })
    expect(waysOf(level).rooms).toEqual([[0, 0, 1.5, 1], [3, 0, 1.5, 1]])
  })
  test("in a straight line if they are linked over a distance", () => {
    const level = levelOf([".#."], ["102"], { rooms: [roomOf(1, 1, [0, 0]), roomOf(2, 2, [2, 0])], links: [{ a: 1, b: 2, kind: "stairs" }] })
    expect(waysOf(level).rooms).toEqual([[0, 0, 1, 0], [2, 0, 1, 0]])
  })
})

describe("chains of choke points", () => {
  const choke = (x: number, y: number, cut = 1): Choke => ({ at: [x, y], cut })
  test("are marked once, where they cut off most", () => {
    expect(chainsOf([choke(0, 0, 2), choke(1, 0, 9), choke(2, 0, 3)], 10, () => false).marks).toEqual([choke(1, 0, 9)])
  })
  test("are marked at their doors", () => {
    const { marks, cells } = chainsOf([choke(0, 0), choke(1, 0), choke(2, 0)], 10, (cell) => cell !== 1)
    expect(marks.map((one) => one.at[0]).sort()).toEqual([0, 2])
    expect(cells).toEqual([0, 1, 2])
  })
  test("do not go round the ends of rows, nor over corners", () => {
    expect(chainsOf([choke(9, 0), choke(0, 1)], 10, () => false).marks).toHaveLength(2)
    expect(chainsOf([choke(3, 0), choke(4, 1)], 10, () => false).marks).toHaveLength(2)
    expect(chainsOf([choke(3, 0), choke(3, 1)], 10, () => false).marks).toHaveLength(1)
    expect(chainsOf([choke(5, 0), choke(4, 0), choke(3, 0)], 10, () => false).marks).toHaveLength(1)
  })
})
