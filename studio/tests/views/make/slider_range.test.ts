import { describe, expect, test } from "vitest"
import type { Param } from "../../../src/server/protocol"
import { numberText, roundedToStep, sliderEnds, spokenName } from "../../../src/views/make/parameters/slider_range"
import { randomFrom } from "../../support/random"

const param = (kind: "whole" | "number", first: number, low?: number, high?: number): Param => ({ name: "x", about: "", default: first, kind, ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) })

describe("the ends of a slider", () => {
  test("are those of the parameter if they are near", () => {
    expect(sliderEnds(param("whole", 4, 1, 20), 4)).toEqual({ low: 1, high: 20, step: 1, cut: false })
    expect(sliderEnds(param("number", 0.5, 0, 1), 0.5)).toEqual({ low: 0, high: 1, step: 0.01, cut: false })
    expect(sliderEnds(param("number", 5, 0, 10), 5).step).toBe(0.1)
  })
  test("are a round number above the default if they are far", () => {
    expect(sliderEnds(param("whole", 12, 0, 1e6), 12)).toEqual({ low: 0, high: 50, step: 1, cut: true })
    expect(sliderEnds(param("whole", 4), 4)).toEqual({ low: 0, high: 20, step: 1, cut: true })
    expect(sliderEnds(param("number", 0), 0)).toMatchObject({ low: 0, high: 2, step: 0.01, cut: true })
  })
  test("reach as far as what was typed, and no further than the parameter", () => {
    expect(sliderEnds(param("whole", 4, 0, 1e6), 777).high).toBe(1000)
    expect(sliderEnds(param("whole", 4, 0, 900), 777)).toMatchObject({ high: 900, cut: false })
  })
  test("always hold the value", () => {
    const random = randomFrom(6)
    for (let k = 0; k < 500; k++) {
      const high = 1 + random.below(2 ** random.below(20))
      const value = random.below(high + 1)
      const ends = sliderEnds(param("whole", random.below(high + 1), 0, high), value)
      expect(ends.high).toBeGreaterThanOrEqual(value)
      expect(ends.high).toBeLessThanOrEqual(high)
      expect(ends.cut).toBe(ends.high < high)
    }
  })
})

test("numbers are written without the noise of binary fractions", () => {
  expect(numberText(0.1 + 0.2)).toBe("0.3")
  expect(numberText(5)).toBe("5")
  expect(numberText(-0.12345678)).toBe("-0.1235")
  expect(roundedToStep(0.30000000000000004, 0.1)).toBe(0.3)
  expect(roundedToStep(7.6, 5)).toBe(10)
  for (let k = 0; k <= 100; k++) expect(String(roundedToStep(k / 100 + 1e-12, 0.01)).length).toBeLessThanOrEqual(4)
})

test("names as people say them", () => expect(spokenName("room_size-max")).toBe("room size max"))
