import { describe, expect, test } from "vitest"
import { binCounts, binOf, edgesOf, highOf, scaleOf, shareOf, ticksOf, withoutNoise, type Scale } from "../../../src/views/explore/range/scale"
import { randomFrom } from "../../support/random"

const scale = (values: number[], whole: boolean, most: number): Scale => scaleOf(values, whole, most) as Scale

describe("a scale", () => {
  test("of few whole numbers has a bin for each", () => {
    expect(scale([2, 5, 3], true, 16)).toEqual({ low: 2, step: 1, bins: 4, whole: true })
  })
  test("has round edges", () => {
    expect(scale([0.21, 0.78], false, 8)).toMatchObject({ low: 0.2, step: 0.1, bins: 6 })
    expect(scale([3, 97], true, 16).step).toBe(10)
  })
  test("of one value alone", () => {
    expect(scale([7], true, 16)).toEqual({ low: 7, step: 1, bins: 1, whole: true })
    const one = scale([0.5], false, 16)
    expect(binOf(one, 0.5)).toBe(0)
    expect(binOf(scale([0], false, 16), 0)).toBe(0)
  })
  test("leaves out what has no value, and is none without any", () => {
    expect(scaleOf([NaN, NaN], true, 4)).toBeNull()
    expect(scaleOf([], false, 4)).toBeNull()
    expect(scale([NaN, 3], true, 4).low).toBe(3)
  })
})

test("whatever the values: every one has a bin, there are not too many, and edges follow each other", () => {
  const random = randomFrom(17)
  for (let k = 0; k < 800; k++) {
    const whole = random.below(2) === 0
    const most = 4 + random.below(30)
    const size = 10 ** (random.below(7) - 3)
    const values = Array.from({ length: 1 + random.below(30) }, () => (whole ? random.below(Math.ceil(size) + 1) : (random.below(1000) / 1000 - 0.3) * size))
    const made = scale(values, whole, most)
    expect(made.bins).toBeLessThanOrEqual(most + 1)
    expect(made.bins).toBeGreaterThanOrEqual(1)
    for (const value of values) {
      const bin = binOf(made, value)
      expect(bin).toBeGreaterThanOrEqual(0)
      const [from, to] = edgesOf(made, bin)
      expect(value).toBeGreaterThanOrEqual(from - made.step * 1e-6)
      expect(value).toBeLessThanOrEqual(to + made.step * 1e-6)
      expect(shareOf(made, value)).toBeGreaterThanOrEqual(-1e-6)
      expect(shareOf(made, value)).toBeLessThanOrEqual(1 + 1e-6)
    }
    expect(binCounts(made, values).reduce((a, b) => a + b, 0)).toBe(values.length)
  }
})

test("values beyond the scale have no bin, but the last edge of fractions has", () => {
  const fractions: Scale = { low: 0, step: 0.25, bins: 4, whole: false }
  expect([-0.01, 0, 0.25, 1, 1.3, NaN].map((value) => binOf(fractions, value))).toEqual([-1, 0, 1, 3, -1, -1])
  const whole: Scale = { low: 0, step: 5, bins: 2, whole: true }
  expect([0, 4, 5, 9, 10].map((value) => binOf(whole, value))).toEqual([0, 0, 1, 1, -1])
  expect(edgesOf(whole, 1)).toEqual([5, 9])
  expect(edgesOf(fractions, 1)).toEqual([0.25, 0.5])
  expect(highOf(whole)).toBe(10)
})

test("ticks are about as many as asked for, without noise", () => {
  expect(ticksOf({ low: 0, step: 0.1, bins: 10, whole: false }, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
  expect(ticksOf({ low: 2, step: 1, bins: 4, whole: true }, 9)).toEqual([2, 3, 4, 5])
  expect(withoutNoise(0.1 + 0.2)).toBe(0.3)
})
