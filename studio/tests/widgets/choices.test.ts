import { expect, test } from "vitest"
import "../support/browser_globals"
import { afterPress } from "../../src/widgets/choice_dialog"
import { levelOfRows } from "../../src/widgets/choice_picture"

const choices = ["any", "apse", "pool"].map((value) => ({ value, title: value, about: "", mine: false, ...(value === "any" ? { alone: true } : {}) }))
const [any, apse, pool] = choices as [(typeof choices)[0], (typeof choices)[0], (typeof choices)[0]]

test("what goes with no other replaces all, and is replaced", () => {
  expect(afterPress(apse, ["any"], true, choices)).toEqual(["apse"])
  expect(afterPress(pool, ["apse", "my.layout"], true, choices)).toEqual(["apse", "my.layout", "pool"])
  expect(afterPress(any, ["apse", "pool"], true, choices)).toEqual(["any"])
  expect(afterPress(apse, ["apse", "pool"], true, choices)).toEqual(["pool"])
  expect(afterPress(pool, ["apse"], false, choices)).toEqual(["pool"])
})

test("rows of glyphs as a level, of the longest row's width", () => {
  const level = levelOfRows(["#+#", "#~"])
  expect([level.width, level.height]).toEqual([3, 2])
  expect([...Array(6).keys()].map((cell) => level.palette[level.tiles[cell] ?? 0]?.role)).toEqual(["wall", "door", "wall", "wall", "water", "void"])
})
