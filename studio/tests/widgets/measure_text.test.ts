import { beforeEach, describe, expect, test } from "vitest"
import { greeting } from "../../src/server/connection"
import type { Hello } from "../../src/server/protocol"
import { aboutMeasure, measureName, requirementText, valueText, type Required } from "../../src/widgets/measure_text"

beforeEach(() => {
  greeting.value = { measures: [{ name: "density", about: "share of ground", unit: "share", whole: false }, { name: "connected", about: "", unit: "flag", whole: true }, { name: "dead_ends", about: "", unit: "count", whole: true }] } as unknown as Hello
})
const required = (text: string, measure = "loops"): Required => ({ text, measure, met: true, value: 1, why: "", rejected: 0 })

describe("a requirement without its measure", () => {
  test.each([["loops >= 3", "≥ 3"], ["loops <= 3", "≤ 3"], ["loops == 0", "= 0"], ["loops != 0", "≠ 0"], ["loops between 2 and 6", "2 to 6"], ["something else", "something else"]])("%s", (text, said) => expect(requirementText(required(text))).toBe(said))
})

describe("a value with its unit", () => {
  test.each([
    ["density", 0.3217, "32.2 %"], ["density", 1, "100 %"], ["connected", 1, "yes"], ["connected", 0, "no"], ["dead_ends", 12345, "12,345"], ["unknown", 1.23456, "1.23"], ["unknown", null, "none"], ["unknown", undefined, "none"],
  ] as const)("%s %s", (measure, value, text) => expect(valueText(measure, value)).toBe(text))
})

test("names and descriptions", () => {
  expect(measureName("dead_ends_max")).toBe("dead ends max")
  expect(aboutMeasure("density")).toBe("share of ground")
  expect(aboutMeasure("nothing")).toBe("")
})
