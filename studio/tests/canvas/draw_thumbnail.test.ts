import { expect, test } from "vitest"
import { distances } from "../../src/canvas/draw_thumbnail"
import { STANDARD_TILES } from "../../src/canvas/standard_tiles"
import { tilesOf } from "../support/levels"

const small = (rows: string[]) => ({ width: rows[0]?.length ?? 0, height: rows.length, tiles: tilesOf(rows), palette: STANDARD_TILES, start: null, end: null })

test("distances go round rock, over water and through doors", () => {
  const far = distances(small(["..#.", "#+#.", "#~~."]), [0, 0])
  expect([...far]).toEqual([0, 1, -1, 7, -1, 2, -1, 6, -1, 3, 4, 5])
})

test("rows do not join at their ends", () => {
  expect([...distances(small([".#.", "#.#"]), [2, 0])]).toEqual([-1, -1, 0, -1, -1, -1])
})

test("nothing is reached from rock", () => expect(distances(small(["#."]), [0, 0]).every((value) => value === -1)).toBe(true))
