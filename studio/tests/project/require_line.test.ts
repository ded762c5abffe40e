import { describe, expect, test } from "vitest"
import "../support/browser_globals"
import { bound, conditionOf, withRequirement } from "../../src/project/require_line"

describe("a requirement in the text", () => {
  test("changes the line that is there, and keeps its comment", () => {
    expect(withRequirement('[require]\nrooms = ">= 2"\nloops   = "== 1"  # few\n\n[[step]]\nuse = "x"\n', "loops", ">= 3")).toBe('[require]\nrooms = ">= 2"\nloops   = ">= 3"  # few\n\n[[step]]\nuse = "x"\n')
    expect(withRequirement("[require]\n\"loops\" = '>= 2'\n", "loops", "<= 9")).toBe('[require]\n"loops" = "<= 9"\n')
  })
  test("is added behind the others, or with a table of its own", () => {
    expect(withRequirement('[require]\nrooms = ">= 2"\n\n[[step]]\n', "loops", ">= 3")).toBe('[require]\nrooms = ">= 2"\nloops = ">= 3"\n\n[[step]]\n')
    expect(withRequirement("[require]\n\n[[step]]\n", "loops", ">= 3")).toBe('[require]\nloops = ">= 3"\n\n[[step]]\n')
    expect(withRequirement('[[step]]\nuse = "x"\n', "loops", ">= 3")).toBe('[[step]]\nuse = "x"\n\n[require]\nloops = ">= 3"\n')
    expect(withRequirement('[[step]]\r\nuse = "x"\r\n', "loops", ">= 3")).toBe('[[step]]\r\nuse = "x"\r\n\r\n[require]\r\nloops = ">= 3"\r\n')
  })
  test("is not found inside the text of rules, nor in other tables", () => {
    const text = "[param.loops]\ndefault = 1\n\n[[step]]\nrules = '''\n[require]\nloops = 1\n'''\n"
    expect(withRequirement(text, "loops", ">= 3")).toBe(`${text.trimEnd()}\n\n[require]\nloops = ">= 3"\n`)
  })
})

test("bounds are met by the value they come from", () => {
  for (const value of [0, 3, 12, 0.26214, 0.5, 1 / 3, 41.7777, 0.001]) {
    expect(value).toBeGreaterThanOrEqual(Number(bound(value, ">=").slice(3)))
    expect(value).toBeLessThanOrEqual(Number(bound(value, "<=").slice(3)))
  }
  expect([bound(3, "=="), bound(0.5, ">="), bound(0.26214, ">="), bound(0.26214, "<=")]).toEqual(["== 3", ">= 0.5", ">= 0.262", "<= 0.263"])
})

test("what a filter asks", () => {
  expect([conditionOf(2, 6), conditionOf(2, 2), conditionOf(2, null), conditionOf(null, 0.4), conditionOf(null, null)]).toEqual(["between 2 and 6", "== 2", ">= 2", "<= 0.4", null])
})
