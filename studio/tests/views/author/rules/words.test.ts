import { describe, expect, test } from "vitest"
import type { RuleDrawn } from "../../../../src/server/protocol"
import { dedented, perRun, shareText } from "../../../../src/views/author/rules/rule_words"
import { outlineOf, type Rule } from "../../../../src/views/author/rules/text/anatomy"
import { rulesLanguage } from "../../../../src/views/author/rules/text/language"
import { nearestFits, reason } from "../../../../src/views/author/rules/trial/nearest_place"
import { tokensOf } from "../../../support/tokens"

describe("words about a rule", () => {
  const share = (weights: string): string => shareText(outlineOf(`one  a, results ${weights}\n    .  ->  #${"  |  ~".repeat(weights.split(":").length - 1)}`).rules[0] as Rule)
  test("how often the first result comes", () => {
    expect([share("3:1"), share("1:1"), share("1:2"), share("1"), share("7:93"), share("0:0")]).toEqual([" First result 3 times in 4.", " First result every other time.", " First result 1 time in 3.", "", " First result 7 times in 100.", ""])
  })
  test("how often it fires", () => expect([perRun(1.02), perRun(0.25), perRun(3.14159), perRun(25.6)]).toEqual(["once", "0.3 times", "3.1 times", "26 times"]))
  test("texts without the blanks that all lines have", () => expect(dedented("    a\n      b\n\n    c")).toBe("a\n  b\n\nc"))
})

describe("where a rule fits", () => {
  const rule = (...patterns: string[][]): RuleDrawn => ({ variants: patterns.map((pattern, at) => ({ label: `v${at}`, pattern, result: pattern })) }) as unknown as RuleDrawn
  const map = (...rows: string[]): string[][] => rows.map((row) => [...row])
  test("every place that fails in the fewest cells", () => {
    const found = nearestFits([rule(["#."])], map("#.#", "..#"))
    expect(found.map((fit) => [fit.x, fit.y, fit.wrong.length])).toEqual([[0, 0, 0]])
    expect(nearestFits([rule(["#."])], map("##")).map((fit) => fit.wrong)).toEqual([[{ x: 1, y: 0, wanted: ".", found: "#" }]])
    expect(nearestFits([rule(["??"])], map("#.~"))).toHaveLength(2)
    expect(nearestFits([rule(["#."], [".#"])], map(".#")).map((fit) => fit.variant)).toEqual(["v1"])
  })
  test("in a sentence", () => {
    expect(reason([])).toContain("larger")
    expect(reason(nearestFits([rule(["#"])], map("#")))).toContain("guard")
    expect(reason(nearestFits([rule(["#."])], map("##")))).toBe("Row 1, column 2 is wall, and the rule wants floor.")
    expect(reason(nearestFits([rule(["#.~"])], map(".#.")))).toMatch(/2 more cells do not fit\.$/)
  })
})

describe("the colours of rules", () => {
  const tokens = (text: string): [string, string][] => tokensOf(rulesLanguage, text)
  test("words, names, numbers and comments", () => {
    expect(tokens("one  big room, up to 20 times ; c")).toEqual([["one", "heading"], ["big room", "propertyName"], ["20", "number"], ["; c", "comment"]])
    expect(tokens("tile chest = $, pillar, colour #ffcc00").at(-1)).toEqual(["#ffcc00", "number"])
    expect(tokens('rule  "a, b"')).toEqual([["rule", "heading"], ['"a, b"', "string"]])
  })
  test("drawings are left alone but for their arrows", () => {
    expect(tokens("    #.+  ->  ..  |  ##")).toEqual([["->", "operator"], ["|", "operator"]])
    expect(tokens("    one.  ->  ..")).toEqual([["->", "operator"]])
  })
})
