import { expect, test } from "vitest"
import { clashingAbout, firstClause } from "../../../src/views/make/parameters/same_words"

test("a parameter and a measure of the same name say what they are, others do not", () => {
  const loops = { name: "loops", about: "chance of a hallway that the tree does not need" }
  const cycles = { name: "loops", about: "independent cycles, on the grid (a pillar in a room counts)" }
  expect(clashingAbout(loops, [cycles])).toBe("chance of a hallway that the tree does not need")
  expect(clashingAbout(cycles, [loops])).toBe("independent cycles")
  expect(clashingAbout({ name: "dead-ends", about: "share: what stays" }, [{ name: "dead_ends", about: "" }])).toBe("share")
  expect(clashingAbout(loops, [{ name: "doors", about: "" }])).toBe("")
  expect(firstClause("")).toBe("")
})
