import { expect, test } from "vitest"
import { relaxedBound } from "../../../src/views/make/parameters/relaxed_bound"

const relaxed = (text: string, value: number | null): string | null => relaxedBound({ text, measure: "loops", met: false, value, why: "", rejected: 0 })

test.each([
  ["loops >= 5", 3, "loops >= 3"],
  ["loops <= 2", 4, "loops <= 4"],
  ["loops == 2", 4, "loops <= 4"],
  ["loops == 2", 1, "loops >= 1"],
  ["loops>=0.5", 0.25, "loops >= 0.25"],
  ["loops between 2 and 6", 1, "loops between 1 and 6"],
  ["loops between 2 and 6", 9, "loops between 2 and 9"],
  ["loops between -3 and -1", -7, "loops between -7 and -1"],
])("%s with %s", (text, value, to) => expect(relaxed(text, value)).toBe(to))

test("what has no value, or is no plain comparison, is left alone", () => {
  expect(relaxed("loops >= 5", null)).toBeNull()
  expect(relaxed("loops != 5", 5)).toBeNull()
  expect(relaxed("connected", 0)).toBeNull()
})
