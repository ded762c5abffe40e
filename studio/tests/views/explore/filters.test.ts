import { beforeEach, describe, expect, test } from "vitest"
import { greeting } from "../../../src/server/connection"
import type { Hello } from "../../../src/server/protocol"
import { compareMeasure, differenceText } from "../../../src/views/explore/compare/measure_difference"
import { filterText, isOn, nearestSeed, passes, relaxed, type Filter } from "../../../src/views/explore/filters/filters"
import { axisName, countText, isShare, isWhole, numberText, rangeText, valueWithUnit } from "../../../src/views/explore/measure_words"
import { randomFrom } from "../../support/random"

beforeEach(() => {
  const measure = (name: string, unit: string, whole: boolean) => ({ name, about: "", unit, whole })
  greeting.value = { measures: [measure("loops", "count", true), measure("density", "share", false), measure("path_length", "count", true), measure("connected", "flag", true), measure("room_area_mean", "count", false)] } as unknown as Hello
})
const filter = (measure: string, low: number | null, high: number | null): Filter => ({ measure, low, high })

describe("filters", () => {
  test("let through what lies between their ends, both with them", () => {
    const asked = [filter("loops", 2, 6), filter("density", null, 0.5)]
    expect(passes(asked, { loops: 2, density: 0.5 })).toBe(true)
    expect(passes(asked, { loops: 6, density: 0 })).toBe(true)
    expect(passes(asked, { loops: 7, density: 0 })).toBe(false)
    expect(passes(asked, { loops: 3, density: 0.51 })).toBe(false)
  })
  test("let nothing through that has no value, unless they ask nothing", () => {
    for (const value of [null, undefined, NaN]) {
      expect(passes([filter("loops", 0, null)], { loops: value })).toBe(false)
      expect(passes([filter("loops", null, null)], { loops: value })).toBe(true)
    }
    expect(isOn(filter("loops", null, null))).toBe(false)
    expect(isOn(filter("loops", 0, null))).toBe(true)
  })
  test("in words", () => {
    expect([filter("loops", 2, 6), filter("loops", 3, 3), filter("loops", 70, null), filter("density", null, 0.5), filter("loops", null, null)].map(filterText)).toEqual(["2 to 6", "= 3", "≥ 70", "≤ 50", "any"])
  })
  test("name the seed that misses least, and what it lacks", () => {
    const asked = [filter("loops", 5, null), filter("density", 0.4, 0.5)]
    const seeds: [string, Record<string, number | null>][] = [["1", { loops: 0, density: 0.45 }], ["2", { loops: 4, density: 0.45 }], ["3", { loops: null, density: 0.1 }]]
    expect(nearestSeed(asked, seeds, (name) => (name === "loops" ? 10 : 1))).toEqual({ seed: "2", lacks: "loops 4" })
    expect(nearestSeed(asked, [["3", seeds[2]?.[1] ?? {}]], () => 1)).toEqual({ seed: "3", lacks: "loops none, density 10" })
    expect(nearestSeed(asked, [], () => 1)).toBeNull()
  })
  test("opened for some values let these through, and no end closes", () => {
    const random = randomFrom(19)
    for (let k = 0; k < 300; k++) {
      const end = (): number | null => (random.below(3) ? random.below(20) : null)
      const asked = ["loops", "density", "path_length"].map((name) => filter(name, end(), end()))
      const values = { loops: random.below(20), density: random.below(4) ? random.below(20) : null, path_length: random.below(20) }
      const opened = relaxed(asked, values)
      const sane = asked.every((one) => one.low === null || one.high === null || one.low <= one.high)
      if (sane) expect(passes(opened, values)).toBe(true)
      opened.forEach((one, at) => {
        if (one.low !== null) expect(one.low).toBeLessThanOrEqual(asked[at]?.low ?? Infinity)
        if (one.high !== null) expect(one.high).toBeGreaterThanOrEqual(asked[at]?.high ?? -Infinity)
      })
    }
  })
})

describe("measures in words", () => {
  test("values with their unit", () => {
    expect(valueWithUnit("loops", 3)).toBe("3 loops")
    expect(valueWithUnit("loops", 1)).toBe("1 loop")
    expect(valueWithUnit("path_length", 1)).toBe("1 step")
    expect(valueWithUnit("path_length", 122)).toBe("122 steps")
    expect(valueWithUnit("density", 0.32)).toBe("32 %")
    expect(valueWithUnit("room_area_mean", 5)).toBe("5")
    expect(valueWithUnit("loops", null)).toBe("none")
  })
  test("numbers of a scale", () => {
    expect([numberText("density", 0.275), numberText("loops", 1234.56), numberText("loops", 2.345), numberText("connected", 1), numberText("connected", 0)]).toEqual(["27.5", "1,234.6", "2.35", "yes", "no"])
    expect(rangeText("path_length", [105, 109])).toBe("105 to 109 steps")
    expect(rangeText("density", [0.275, 0.3])).toBe("27.5 to 30 %")
    expect(rangeText("loops", [3, 3])).toBe("3")
  })
  test("axes and counts", () => {
    expect(axisName("path_length")).toBe("path length, steps")
    expect(axisName("density")).toBe("density")
    expect(countText(1, "seed")).toBe("1 seed")
    expect(countText(1200, "seed")).toBe("1,200 seeds")
    expect([isWhole("loops"), isWhole("density"), isShare("density"), isShare("unknown")]).toEqual([true, false, true, false])
  })
})

describe("the difference of two levels", () => {
  test("as a number", () => {
    expect([differenceText("loops", 1, 4), differenceText("loops", 4, 1), differenceText("loops", 2, 2), differenceText("loops", null, 2), differenceText("density", 0.5, 0.465), differenceText("density", 0.5, 0.50001), differenceText("connected", 0, 1)]).toEqual(["+3", "−3", "same", "–", "−3.5 %", "+< 0.01 %", "+1"])
  })
  test("in what the recipe reaches", () => {
    const seen = Array.from({ length: 100 }, (_, k) => k)
    expect(compareMeasure("loops", 0, 99, seen)).toMatchObject({ places: [0, 1], far: 1, ranks: ["more than 0 % of 100 seeds", "more than 99 % of 100 seeds"] })
    expect(compareMeasure("loops", 198, 0, seen).places).toEqual([1, 0])
    expect(compareMeasure("loops", 5, 5, [])).toMatchObject({ places: [1, 1], far: 0, ranks: ["", ""] })
    expect(compareMeasure("loops", null, 5, seen)).toMatchObject({ places: [null, 5 / 99], far: 1 })
    expect(compareMeasure("loops", null, null, seen).far).toBe(0)
    expect(compareMeasure("loops", 0, 0, []).places).toEqual([0.5, 0.5])
  })
})
