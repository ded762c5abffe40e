import { beforeEach, describe, expect, test } from "vitest"
import { said } from "../../src/state/navigation"
import { shuffle, useSeed, useSize } from "../../src/state/seeds"
import { restore, work } from "../../src/state/work"
import { cardOf, workOf } from "../support/works"

const keep = { of: { recipe: { name: "cave" }, seed: "7", size: null, params: {}, until: [], tries: 100 }, cells: [[0, 4]] as [number, number][] }
beforeEach(() => {
  said.value = null
  restore(workOf({ edits: [[3, "wall"]], keep }), cardOf(), cardOf())
})

describe("another seed", () => {
  test("leaves what was painted, and takes kept cells along", () => {
    useSeed("  9 ")
    expect(work.peek()).toMatchObject({ seed: "9", edits: [], keep })
    expect(said.peek()?.text).toContain("seed 7")
  })
  test("is none if it is the same, or empty", () => {
    const before = work.peek()
    useSeed("7")
    useSeed("   ")
    expect(work.peek()).toBe(before)
  })
  test("by lot is a short number, and never the old one", () => {
    for (let k = 0; k < 200; k++) {
      const before = work.peek()?.seed
      shuffle()
      expect(work.peek()?.seed).not.toBe(before)
      expect(work.peek()?.seed).toMatch(/^[1-9]\d{0,3}$/)
    }
  })
  test("does not exist for a map from a file", () => {
    restore(workOf({ base: { path: "a.json" } }), cardOf(), cardOf())
    shuffle()
    expect(work.peek()?.seed).toBe("7")
    expect(said.peek()?.text).toContain("no seed")
  })
})

test("another size begins without kept and painted cells", () => {
  useSize([10, 20])
  expect(work.peek()).toMatchObject({ size: [10, 20], edits: [], keep: undefined })
  expect(said.peek()?.text).toContain("Undo")
  said.value = null
  useSize(null)
  expect(work.peek()?.size).toBeNull()
  expect(said.peek()).toBeNull()
})
