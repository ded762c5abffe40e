import { expect, test } from "vitest"
import { helpFor } from "../../../src/views/make/map/failure_help"

const problem = (fix: string, chance = false) => ({ problem: "it failed", fix, place: null, chance })

test("a size that the fix names is offered as it is", () => {
  expect(helpFor(problem("ask for 21x13, or for smaller cells"), [5, 5])).toEqual({ size: [21, 13], seed: false })
  expect(helpFor(problem("ask for at least 21x13"), [5, 5]).size).toEqual([21, 13])
})

test("smaller is never answered with larger", () => {
  expect(helpFor(problem("ask for a smaller level, or for less of it"), [80, 50])).toEqual({ size: [60, 37], seed: false })
  expect(helpFor(problem("ask for a larger map, or for more tries of the step", true), [80, 50])).toEqual({ size: [100, 63], seed: true })
})

test("what does not depend on the seed or the size offers neither", () => {
  expect(helpFor(problem("did you mean 'hall'?"), [80, 50])).toEqual({ size: null, seed: false })
})
