import { expect, test } from "vitest"
import { cellsUnderBrush, roomCells } from "../../../src/views/make/map/tool_cells"
import { levelOf } from "../../support/levels"

test("a brush is a square round its cell, cut at the border", () => {
  const map = { width: 5, height: 4 }
  expect(cellsUnderBrush([2, 1], 1, map)).toEqual([7])
  expect(cellsUnderBrush([2, 1], 2, map)).toEqual([7, 8, 12, 13])
  expect(cellsUnderBrush([2, 1], 3, map)).toEqual([1, 2, 3, 6, 7, 8, 11, 12, 13])
  expect(cellsUnderBrush([0, 0], 3, map)).toEqual([0, 1, 5, 6])
  expect(cellsUnderBrush([4, 3], 5, map)).toHaveLength(9)
})

test("a pool room is kept by a click on its water, and pillars are kept with their room", () => {
  const level = levelOf(["#####", "#.~.#", "#.~o#", "#####"], ["00000", "01010", "01000", "00000"])
  const room = [6, 7, 8, 11, 12, 13]
  expect(roomCells([1, 1], level).sort((a, b) => a - b)).toEqual(room)
  expect(roomCells([2, 2], level).sort((a, b) => a - b)).toEqual(room)
  expect(roomCells([3, 2], level).sort((a, b) => a - b)).toEqual(room)
  expect(roomCells([4, 2], level)).toEqual([])
})

test("a room is kept with its doors, and rock is no room", () => {
  const level = levelOf(["..+.", "####"], ["1102", "0000"], { doors: [{ at: [2, 0], kind: "closed", between: [1, 2] }] })
  expect(roomCells([0, 0], level)).toEqual([0, 1, 2])
  expect(roomCells([3, 0], level)).toEqual([3, 2])
  expect(roomCells([0, 1], level)).toEqual([])
})
