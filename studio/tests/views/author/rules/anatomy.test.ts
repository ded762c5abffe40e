import { describe, expect, test } from "vitest"
import { canonicalPositions, outlineOf, ruleName, rulesMeantBy, type Expect } from "../../../../src/views/author/rules/text/anatomy"
import { blockOf, cellAt, signsOf, type PatternDrawing } from "../../../../src/views/author/rules/text/blocks"
import { STARTERS } from "../../../../src/views/author/rules/starters"
import { randomFrom } from "../../../support/random"
import { CRYPT } from "../../../support/rules"

const outline = outlineOf(CRYPT)

describe("the outline of a text", () => {
  test("has all rules in order, with their names and kinds", () => {
    expect(outline.rules.map((rule) => [ruleName(rule), rule.node.kind, rule.drawn !== null])).toEqual([
      ["start", "one", true], ["room", "one", true], ["one 3", "one", true], ["wear 1", "all", true], ["wear 2", "all", true], ["pillar", "one", true], ["pool, deep", "one", true], ["all 8", "all", true],
    ])
  })
  test("reads sets whose names have blanks or quotes", () => {
    const read = outlineOf('set wet floor = . or ~\nset "a = b" = # ; both\none  # -> .')
    expect(read.sets).toEqual([
      { line: 0, name: "wet floor", text: ". or ~" },
      { line: 1, name: "a = b", text: "#" },
    ])
  })

  test("has sets, expectations, blocks and the lines of the palette", () => {
    expect(outline.sets).toEqual([{ line: 4, name: "s", text: "# or X" }])
    expect(outline.expects.map((one) => [one.line, one.text])).toEqual([[18, "room grows below a door"]])
    expect(outline.palette).toBe(2)
    expect(outline.nodes.map((node) => node.within.map((block) => block.word))).toEqual([[], [], ["markov"], ["markov"], ["markov"], []])
  })
  test("has the words of each header", () => {
    expect(outline.nodes[1]?.head.words.map((word) => word.text)).toEqual(["up to 20 times", "turned", "results 3:1"])
    expect(outline.rules[4]?.tail?.words.map((word) => word.text)).toEqual(["chance 30%"])
    expect(outline.nodes[5]?.head.words.map((word) => word.text)).toEqual(["once"])
  })
  test("is the same for the same text, and another for another", () => {
    const one = outlineOf("one  a\n    . -> #")
    expect(outlineOf("one  a\n    . -> #")).toBe(one)
    expect(outlineOf("one  b\n    . -> #")).not.toBe(one)
  })
  test("is found for any text, whole or broken", () => {
    const random = randomFrom(41)
    const lines = CRYPT.split("\n")
    for (let k = 0; k < 300; k++) {
      const some = lines.filter(() => random.below(4) > 0).map((line) => (random.below(8) ? line : line.slice(random.below(8))))
      const found = outlineOf(some.join("\n"))
      found.rules.forEach((rule, index) => {
        expect(rule.index).toBe(index)
        expect(rule.first).toBeLessThanOrEqual(rule.last)
        for (const row of rule.drawn ? [...rule.drawn.left, ...rule.drawn.right.flat()] : []) for (const cell of row) expect(some[cell.line]?.slice(cell.from, cell.to)).toBe(cell.text)
      })
    }
  })
  test("finds a whole drawing for every rule that a new file begins with", () => {
    for (const starter of STARTERS) for (const rule of outlineOf(starter.text).rules) expect(rule.drawn, `${starter.name}: ${ruleName(rule)}`).not.toBeNull()
  })
})

describe("drawings", () => {
  const drawn = (index: number): PatternDrawing => outline.rules[index]?.drawn as PatternDrawing
  test("in rows, with comments between them", () => {
    expect(signsOf(drawn(0).left).map((row) => row.join(""))).toEqual(["XXX", "XXX", "XXX"])
    expect(drawn(0).rows).toEqual([8, 10, 11])
    expect(drawn(1).right).toHaveLength(2)
  })
  test("on one line, with braces and slashes", () => {
    expect(signsOf(drawn(2).left)).toEqual([["{not # or X}", "s"]])
    expect(signsOf(drawn(7).left)).toEqual([[".", ","], [".", "."]])
    expect(signsOf(drawn(7).right[0] ?? [])).toEqual([[",", ","], [",", ","]])
  })
  test("that are not whole are none", () => {
    for (const text of ["one  a\n    ##  ->  #", "one  a\n    # #  ->  ##", "one  a\n    ##\n    ##", "one  ## -> #"]) expect(outlineOf(text).rules[0]?.drawn).toBeNull()
  })
  test("know the cell at a place of the text", () => {
    const line = CRYPT.split("\n")[15] ?? ""
    expect(cellAt(drawn(1), 15, line.indexOf("$"))).toEqual({ block: 1, x: 2, y: 1 })
    expect(cellAt(drawn(1), 15, line.indexOf("->"))).toBeNull()
    expect(cellAt(drawn(1), 3, 0)).toBeNull()
    expect(cellAt(null, 3, 0)).toBeNull()
    expect(blockOf(drawn(1), -1)).toBe(drawn(1).left)
    expect(blockOf(drawn(1), 0)).toBe(drawn(1).right[0])
    expect(blockOf(drawn(1), 7)).toBeUndefined()
  })
})

describe("which rule an expectation means", () => {
  const meant = (text: string) => rulesMeantBy({ text } as Expect, outline)
  test("the longest name it begins with", () => {
    expect(meant("room grows")).toMatchObject({ name: "room", about: "grows", quoted: false })
    expect(meant("rooms grow")).toBeNull()
    expect(meant('"pool, deep", is wet')).toMatchObject({ name: "pool, deep", about: "is wet", quoted: true })
    expect(meant("furnish does something")?.rules).toHaveLength(2)
    expect(meant("room")).toMatchObject({ about: "" })
  })
})

test.each([["all", "turned and mirrored"], ["positions 0 1 2 3", "turned"], ["none", "as drawn"], ["mirrored left-right", "mirrored"], ["positions 0 2", "positions 0 2"], ["mirrored up-down", "mirrored up-down"]])("positions %s", (words, name) => expect(canonicalPositions(words)).toBe(name))
