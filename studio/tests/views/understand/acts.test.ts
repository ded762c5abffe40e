import { describe, expect, test } from "vitest"
import { actAt, actsOf, countUpTo, lanesOf, splitName } from "../../../src/views/understand/timeline/acts"
import { BY_HAND } from "../../../src/views/understand/timeline/write_log"
import { logOf } from "../../support/logs"
import { randomFrom } from "../../support/random"

const step = (id: string, use = id) => ({ id, use, about: "" })

describe("names of the timeline", () => {
  test.each([
    ["furnish: pillars", ["furnish"], { step: "furnish", rule: "pillars" }],
    ["maze", ["maze"], { step: "maze", rule: "" }],
    ["a: b: c", ["a", "a: b"], { step: "a: b", rule: "c" }],
    ["a: b", ["a: b"], { step: "a: b", rule: "" }],
    ["other: rule", [], { step: "other", rule: "rule" }],
    ["alone", [], { step: "alone", rule: "" }],
  ])("%s", (name, steps, found) => expect(splitName(name, steps)).toEqual(found))
})

describe("acts", () => {
  const turn = (who: string) => ({ who, writes: [[0, 1]] as [number, number][] })
  test("are the steps with their turns, also those that wrote nothing", () => {
    const { log } = logOf([2, 2], [turn("fill"), turn("dig: a"), turn("dig: b"), turn("end")])
    expect(actsOf(log, [step("fill"), step("check"), step("dig"), step("end")]).map(({ id, first, last, number }) => [id, first, last, number])).toEqual([["fill", 1, 1, 1], ["check", 2, 1, 2], ["dig", 2, 3, 3], ["end", 4, 4, 4]])
  })
  test("have what no step wrote before the step that follows, and what was painted at the end", () => {
    const { log } = logOf([2, 2], [turn("strange"), turn("fill")], { tiles: Uint8Array.of(1, 0, 0, 3), size: [2, 2] })
    const acts = actsOf(log, [step("fill")])
    expect(acts.map((act) => [act.id, act.number, act.first, act.last])).toEqual([["strange", 0, 1, 1], ["fill", 1, 2, 2], [BY_HAND, 0, 3, 3]])
    expect(acts[2]?.about).toContain("Make")
  })
  test("are found by their turns", () => {
    const { log } = logOf([2, 2], [turn("a"), turn("a"), turn("b")])
    const acts = actsOf(log, [step("a"), step("silent"), step("b")])
    expect([0, 1, 2, 3, 4].map((at) => actAt(acts, at)?.id ?? null)).toEqual([null, "a", "a", "b", null])
  })
  test("have a lane for each rule", () => {
    const { log } = logOf([2, 2], [turn("fill"), turn("dig: a"), turn("dig: b"), turn("dig: a")])
    expect(lanesOf(log, [step("fill"), step("dig")]).map((lane) => [lane.rule, [...lane.turns]])).toEqual([["a", [2, 4]], ["b", [3]]])
  })
})

test("turns of a lane up to a turn are counted", () => {
  const random = randomFrom(1)
  for (let k = 0; k < 100; k++) {
    const turns = Uint32Array.from(new Set(Array.from({ length: random.below(30) }, () => random.below(60)))).sort()
    for (let turn = -1; turn < 62; turn++) expect(countUpTo(turns, turn)).toBe(turns.filter((one) => one <= turn).length)
  }
})
