import { beforeEach, describe, expect, test } from "vitest"
import { at, canGoBack, canGoOn, entries, favourites, isFavourite, starred, toggleFavourite } from "../../src/state/history"
import { changeAndSettle, restore } from "../../src/state/work"
import { cardOf, TEXT, workOf } from "../support/works"

beforeEach(() => {
  entries.value = []
  at.value = -1
  favourites.value = []
  restore(workOf({ seed: "0" }), cardOf(), cardOf())
})
const seeds = (): string[] => entries.peek().map((entry) => entry.work.seed)

describe("the strip of levels", () => {
  test("gets each settled work once, the newest at its end", () => {
    changeAndSettle({ seed: "1" })
    changeAndSettle({ seed: "2" })
    changeAndSettle({ seed: "2" })
    expect(seeds()).toEqual(["0", "1", "2"])
    expect(at.peek()).toBe(2)
    expect(canGoBack.peek()).toBe(true)
    expect(canGoOn.peek()).toBe(false)
  })
  test("keeps what lay ahead when somebody goes back and shuffles", () => {
    changeAndSettle({ seed: "1" })
    at.value = 0
    changeAndSettle({ seed: "2" })
    expect(seeds()).toEqual(["0", "1", "2"])
    expect(at.peek()).toBe(2)
  })
  test("takes no painting for another way to write none", () => {
    changeAndSettle({ edits: [] })
    expect(seeds()).toEqual(["0"])
    changeAndSettle({ edits: [[0, "wall"]] })
    expect(seeds()).toEqual(["0", "0"])
  })
  test("has 40 entries at most, the newest of all", () => {
    for (let k = 1; k <= 60; k++) changeAndSettle({ seed: String(k) })
    expect(seeds()).toHaveLength(40)
    expect(seeds().at(-1)).toBe("60")
    expect(at.peek()).toBe(39)
    expect(new Set(entries.peek().map((entry) => entry.id)).size).toBe(40)
  })
  test("takes a text that is still being read for a level of its own", () => {
    changeAndSettle({ text: TEXT + "# typed\n" })
    expect(entries.peek()).toHaveLength(2)
  })
})

describe("favourites", () => {
  test("are marked and unmarked", () => {
    expect(starred.peek()).toBe(false)
    toggleFavourite()
    expect(starred.peek()).toBe(true)
    expect(isFavourite(workOf({ seed: "0" }))).toBe(true)
    changeAndSettle({ seed: "1" })
    expect(starred.peek()).toBe(false)
    changeAndSettle({ seed: "0" })
    toggleFavourite()
    expect(favourites.peek()).toEqual([])
  })
})
