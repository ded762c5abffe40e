import { describe, expect, test } from "vitest"
import { outlineOf, ruleName, type Outline, type Rule } from "../../../../src/views/author/rules/text/anatomy"
import { signsOf, type PatternDrawing } from "../../../../src/views/author/rules/text/blocks"
import { rowsOf, withCellsPainted, withDrawing, withSize } from "../../../../src/views/author/rules/text/edit_drawing"
import { freeName, withExpect, withNewRule, withoutExpect, withoutLine, withoutRule, withRuleCopied, withRuleMoved, withSet, withTile } from "../../../../src/views/author/rules/text/edit_nodes"
import { withRuleSize } from "../../../../src/views/author/rules/text/edit_size"
import { chanceOf, limitOf, otherWords, positionsOf, weightOf, weightsOf, withAbout, withChance, withKind, withLimit, withName, withPositions, withWeight, withWeights } from "../../../../src/views/author/rules/text/edit_words"
import { CRYPT } from "../../../support/rules"

const outline = outlineOf(CRYPT)
const all = outline.rules.map((_, index) => index)
const rule = (index: number, of: Outline = outline): Rule => of.rules[index] as Rule
const drawn = (index: number, of: Outline = outline): PatternDrawing => rule(index, of).drawn as PatternDrawing
const left = (text: string, index: number): string[] => signsOf(drawn(index, outlineOf(text)).left).map((row) => row.join(""))
/** Lines of one text that the other has not. */
const fresh = (after: string, before = CRYPT): string[] => after.split("\n").filter((line) => !before.split("\n").includes(line))

describe("cells written anew", () => {
  test("change their own signs and nothing else", () => {
    const text = withCellsPainted(outline, drawn(1), [{ block: 1, x: 2, y: 1, sign: "~" }, { block: -1, x: 0, y: 1, sign: "." }])
    expect(text).toBe(CRYPT.replace("    ?XXX?  ->  ?+.+?  |  ?#$#?", "    .XXX?  ->  ?+.+?  |  ?#~#?"))
  })
  test("also signs of several letters, on one line", () => {
    const text = withCellsPainted(outline, drawn(2), [{ block: -1, x: 0, y: 0, sign: "#" }, { block: -1, x: 1, y: 0, sign: "{wall}" }])
    expect(text).toContain("    one  #{wall} -> ?., turned, chance 50%   ; braces")
  })
  test("that are there already, or nowhere, change nothing", () => expect(withCellsPainted(outline, drawn(0), [{ block: -1, x: 0, y: 0, sign: "X" }, { block: 9, x: 0, y: 0, sign: "#" }, { block: -1, x: 99, y: 0, sign: "#" }])).toBe(CRYPT))
})

describe("a drawing redrawn", () => {
  test("as it is gives the same drawing, for every rule", () => {
    for (const index of all) {
      const text = withDrawing(outline, drawn(index), signsOf(drawn(index).left), drawn(index).right.map(signsOf))
      expect(outlineOf(text).rules.map((one) => [ruleName(one), one.drawn && signsOf(one.drawn.left), one.drawn?.right.map(signsOf)])).toEqual(outline.rules.map((one) => [ruleName(one), one.drawn && signsOf(one.drawn.left), one.drawn?.right.map(signsOf)]))
    }
  })
  test("keeps comments at their rows", () => {
    const text = withSize(outline, drawn(0), "top", 1, { left: "#", right: "?" })
    expect(text).toContain("    ###      ???\n")
    for (const comment of ["; top", "; in the middle", "; middle", "; bottom"]) expect(text).toContain(comment)
  })
  test("keeps comments of rows that are gone", () => {
    const text = withSize(outline, drawn(0), "bottom", -2, { left: "?", right: "?" })
    for (const comment of ["; top", "; middle", "; bottom"]) expect(text).toContain(comment)
    expect(left(text ?? "", 0)).toEqual(["XXX"])
  })
  test("puts blocks side by side", () => expect(rowsOf([["#"], ["."]], [[["."], ["."]], [["~"], ["~"]]])).toEqual(["#  ->  .  |  ~", ".      .     ~"]))
})

describe("a size", () => {
  test.each(["left", "right", "top", "bottom"] as const)("grows and shrinks back at the %s", (side) => {
    for (const index of all) {
      const grown = withSize(outline, drawn(index), side, 2, { left: "?", right: "?" }) ?? ""
      const next = outlineOf(grown)
      const wide = side === "left" || side === "right"
      expect([drawn(index, next).left[0]?.length, drawn(index, next).left.length]).toEqual([(drawn(index).left[0]?.length ?? 0) + (wide ? 2 : 0), drawn(index).left.length + (wide ? 0 : 2)])
      const back = withSize(next, drawn(index, next), side, -2, { left: "?", right: "?" }) ?? ""
      expect(left(back, index)).toEqual(left(CRYPT, index))
    }
  })
  test("is never less than one, nor more than 64", () => {
    expect(left(withSize(outline, drawn(0), "left", -99, { left: "?", right: "?" }) ?? "", 0)).toEqual(["X", "X", "X"])
    const one = outlineOf("one  a\n    . -> #")
    expect(withSize(one, drawn(0, one), "top", -1, { left: "?", right: "?" })).toBeNull()
    expect(left(withSize(one, drawn(0, one), "right", 200, { left: "?", right: "?" }) ?? "", 0)[0]).toHaveLength(64)
  })
  test("gives a rule on its node's line rows of its own when it grows tall", () => {
    const text = withRuleSize("all  . -> ~, once ; c\n", 0, "bottom", 1)
    expect(text).toBe("all  once ; c\n    .  ->  ~\n    ?      ?\n")
    expect(withRuleSize("all  . -> ~\n", 0, "right", 1)).toBe("all  .? -> ~?\n")
    expect(withRuleSize("all  {wall} -> ~\n", 0, "bottom", 1)).toBe("all  {wall}/? -> ~/?\n")
    expect(withRuleSize("", 0, "bottom", 1)).toBeNull()
  })
})

describe("words of a rule", () => {
  test("are read", () => {
    expect(all.map((index) => [limitOf(rule(index)), positionsOf(rule(index)), chanceOf(rule(index)), weightOf(rule(index))])).toEqual([
      [1, "as drawn", 100, 1], [20, "turned", 100, 1], [null, "turned", 50, 1], [null, "as drawn", 100, 1], [null, "as drawn", 30, 1], [null, "as drawn", 100, 3], [null, "turned", 100, 1], [1, "as drawn", 100, 1],
    ])
    expect(weightsOf(rule(1))).toEqual([3, 1])
    expect(weightsOf(rule(0))).toEqual([1])
  })
  test("are written, each for its own rule, and read again", () => {
    for (const index of all) {
      const then = (text: string): Rule => rule(index, outlineOf(text))
      expect(limitOf(then(withLimit(outline, rule(index), 5)))).toBe(5)
      expect(limitOf(then(withLimit(outline, rule(index), 1)))).toBe(1)
      expect(limitOf(then(withLimit(outline, rule(index), null)))).toBeNull()
      expect(positionsOf(then(withPositions(outline, rule(index), "turned and mirrored")))).toBe("turned and mirrored")
      expect(positionsOf(then(withPositions(outline, rule(index), "as drawn")))).toBe("as drawn")
      expect(chanceOf(then(withChance(outline, rule(index), 12.5)))).toBe(12.5)
      expect(chanceOf(then(withChance(outline, rule(index), 100)))).toBe(100)
      expect(weightOf(then(withWeight(outline, rule(index), 7)))).toBe(7)
      expect(then(withKind(outline, rule(index), "parallel")).node.kind).toBe("parallel")
      const named = then(withName(outline, rule(index), "a, new name"))
      expect(ruleName(named)).toBe("a, new name")
      expect(signsOf(named.drawn?.left ?? [])).toEqual(signsOf(drawn(index).left))
      expect(outlineOf(withName(outline, rule(index), "a, new name")).rules).toHaveLength(all.length)
    }
  })
  test("come in the usual order, before other words and the comment", () => {
    expect(fresh(withLimit(outline, rule(2), 3))).toEqual(["    one  {not # or X}s -> ?., up to 3 times, turned, chance 50%   ; braces"])
    expect(fresh(withWeights(outline, rule(1), [2, 5]))).toEqual(["one  room, up to 20 times, turned, results 2:5        ; two results"])
    expect(fresh(withWeights(outline, rule(1), [1, 1]))).toEqual(["one  room, up to 20 times, turned        ; two results"])
    expect(withWeights(outline, rule(0), [1])).toBe(CRYPT)
  })
  test("a new name goes into the expectations too", () => {
    expect(fresh(withName(outline, rule(1), "hall"))).toEqual(["one  hall, up to 20 times, turned, results 3:1        ; two results", "expect  hall grows below a door"])
    expect(withName(outline, rule(1), "once")).toContain('expect  "once", grows below a door')
  })
  test("others are listed with their places", () => {
    const text = "one  a, once, outside X, keep connected\n    . -> #"
    expect(otherWords(rule(0, outlineOf(text))).map((word) => [word.text, text.slice(word.from, word.from + word.text.length)])).toEqual([["outside X", "outside X"], ["keep connected", "keep connected"]])
  })
})

describe("rules as wholes", () => {
  const names = (text: string): string[] => outlineOf(text).rules.map(ruleName)
  test("a new one comes after another, and after what is expected of it", () => {
    const { text, name } = withNewRule(outline, rule(1))
    expect(name).toBe("new rule")
    expect(names(text)[2]).toBe("new rule")
    expect(text.indexOf("new rule")).toBeGreaterThan(text.indexOf("expect  room"))
    expect(withNewRule(outlineOf(""), null).text).toContain("one  new rule\n    ???      ???\n    ???  ->  ???")
    expect(freeName(outlineOf(text), "new rule")).toBe("new rule 2")
  })
  test("a copy has a name of its own", () => {
    for (const index of all) {
      const { text } = withRuleCopied(outline, rule(index))
      expect(outlineOf(text).rules).toHaveLength(all.length + 1)
      expect(left(text, index + 1)).toEqual(left(text, index))
    }
    expect(names(withRuleCopied(outline, rule(1)).text).slice(1, 3)).toEqual(["room", "room copy"])
  })
  test("one less takes along what was expected of it, and blocks that would be empty", () => {
    for (const index of all) expect(outlineOf(withoutRule(outline, rule(index))).rules).toHaveLength(all.length - 1)
    const text = withoutRule(outline, rule(1))
    expect(text).not.toContain("expect")
    expect(text).not.toContain("\n\n\n")
    expect(withoutRule(outlineOf("markov\n    one  a\n        . -> #\n"), rule(0, outlineOf("markov\n    one  a\n        . -> #\n")))).not.toContain("markov")
  })
  test("one place up or down, and back again in the old order", () => {
    expect(names(withRuleMoved(outline, rule(0), 1) ?? "").slice(0, 2)).toEqual(["room", "start"])
    expect(withRuleMoved(outline, rule(0), -1)).toBeNull()
    expect(withRuleMoved(outline, rule(7), 1)).toBeNull()
    const down = outlineOf(withRuleMoved(outline, rule(5), 1) ?? "")
    expect(down.rules.map(ruleName).slice(5, 7)).toEqual(["pool, deep", "pillar"])
    expect(names(withRuleMoved(down, rule(6, down), -1) ?? "")).toEqual(names(CRYPT))
  })
})

describe("sets, tiles and expectations", () => {
  test("a set is new, or has other tiles", () => {
    expect(withSet(outline, "s", ["wall", "this or that"], true)).toContain('set  s = not wall or "this or that"   ; what is solid\n')
    expect(withSet(outline, "t", ["floor"])).toContain("set  s = # or X   ; what is solid\nset  t = floor\n")
    expect(withSet(outlineOf("palette standard\n\none  a\n    . -> #\n"), "t", ["floor"])).toBe("palette standard\n\nset  t = floor\n\none  a\n    . -> #\n")
    expect(outlineOf(withSet(outlineOf("one  a\n    . -> #"), "t", ["floor"])).sets).toHaveLength(1)
    expect(withoutLine(outline, 4)).not.toContain("set  s")
  })
  test("a tile comes below the palette's other lines, with quotes for odd signs", () => {
    expect(withTile(outline, "lamp", "i", "floor", "#ffffff")).toContain("tile chest = $, pillar\ntile lamp = i, floor, colour #ffffff\n")
    expect(withTile(outline, "lamp", ",", "floor", "#ffffff")).toContain('tile lamp = ",", floor')
    expect(withTile(outlineOf("; c\none  a"), "lamp", "i", "floor", "#ffffff")).toBe("; c\ntile lamp = i, floor, colour #ffffff\n\none  a")
  })
  test("an expectation comes after those that are there", () => {
    const { text, line } = withExpect(outline, rule(1), "like this", [["#", "."]], [[[".", "."]]])
    expect(text.split("\n").slice(line, line + 2)).toEqual(["expect  room like this", "    #.  ->  .."])
    expect(line).toBeGreaterThan(18)
    expect(outlineOf(text).expects[1]?.drawn?.right).toHaveLength(1)
    expect(withExpect(outline, rule(6), "x", [["."]], []).text).toContain('expect  "pool, deep", x\n    .  ->\n')
    expect(withoutExpect(outline, 18)).not.toContain("expect")
    expect(withoutExpect(outline, 3)).toBe(CRYPT)
    expect(withAbout(outline, 18, "does; that\n")).toContain("expect  room does  that\n")
    expect(withAbout(outline, 3, "x")).toBe(CRYPT)
  })
})
