import { expect, test } from "vitest"
import { cellsOfPairs, describeCell, readLevel } from "../../src/state/level"
import { levelOf, roomOf } from "../support/levels"

test("pairs of columns and rows become cells", () => {
  expect([...cellsOfPairs(Int32Array.of(0, 0, 3, 2, 4, 2), 5)]).toEqual([0, 13, 14])
  expect([...cellsOfPairs(undefined, 5)]).toEqual([])
  expect([...cellsOfPairs(Int32Array.of(1), 5)]).toEqual([])
})

test("a level is read from its head and blocks, each with a number of its own", () => {
  const { head, source } = levelOf(["...", "..."])
  const one = readLevel({ ...head, attempt: 4 }, { tiles: Uint8Array.of(1, 1, 1, 2, 2, 2), path: Int32Array.of(2, 1) }, source)
  expect(one).toMatchObject({ width: 3, height: 2, source, exact: { ...source, attempt: 4 }, unmet: null })
  expect([...one.path]).toEqual([5])
  expect(one.labels).toHaveLength(6)
  expect(readLevel(head, {}, source).number).toBeGreaterThan(one.number)
  expect(readLevel(head, {}, source).tiles).toEqual(new Uint8Array(6))
})

test("a cell is told with its place, tile, room and things", () => {
  const level = levelOf([".#+"], ["102"], {
    rooms: [roomOf(1, 4, [0, 0], { name: "Crypt" }), roomOf(2, 9, [2, 0])],
    things: [{ kind: "chest", at: [0, 0], name: "" }, { kind: "key", at: [0, 0], name: "iron key" }],
  })
  expect(describeCell(level, 0)).toBe("(0, 0), floor, Crypt, room 4, chest, iron key")
  expect(describeCell(level, 1)).toBe("(1, 0), wall")
  expect(describeCell(level, 2)).toBe("(2, 0), door, room 9")
})
