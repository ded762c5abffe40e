import { describe, expect, test } from "vitest"
import { linesOf, phraseKey, phrases, quotedIfNeeded, tileListName, unquoted, type Line } from "../../../../src/views/author/rules/text/lines"
import { randomFrom } from "../../../support/random"

describe("lines", () => {
  const line = (text: string): Line => linesOf(text)[0] as Line
  test("have a body, a comment, an indentation and a first word", () => {
    expect(line("    one  a, once   ; why")).toMatchObject({ body: "    one  a, once", tail: "   ; why", indent: 4, word: "one", speaks: true, blank: false })
    expect(line("; only a comment")).toMatchObject({ body: "", speaks: false, blank: false })
    expect(line("   ")).toMatchObject({ body: "", speaks: false, blank: true })
  })
  test("have no comment in quotes of a name, but in a drawing", () => {
    expect(line('one  "a;b", once ; c').body).toBe('one  "a;b", once')
    expect(line('    "# ; c').body).toBe('    "#')
  })
  test("keep the end of their line", () => expect(line("one  a\r").tail).toBe("\r"))
  test("are the whole text again", () => {
    const text = 'palette standard\r\n\n  one  "x;y" ; z\n\t.. -> ..;'
    expect(linesOf(text).map((one) => one.body + one.tail).join("\n")).toBe(text)
  })
})

describe("phrases", () => {
  const cut = (text: string): string[] => phrases(text, 0).map((one) => one.text)
  test("stand between commas, not in quotes or parentheses", () => {
    expect(cut(' a, "b, c" , count(x, y) > 2, d')).toEqual(["a", '"b, c"', "count(x, y) > 2", "d"])
    expect(cut("")).toEqual([""])
    expect(cut("a,,b")).toEqual(["a", "", "b"])
  })
  test("know where they stand", () => {
    const text = "one  big room , once,turned"
    for (const phrase of phrases(text.slice(3), 3)) expect(text.slice(phrase.from, phrase.to)).toBe(phrase.text)
  })
  test.each([
    ["once", "limit"], ["up to 20 times", "limit"], ["3 times", "limit"], ["turned", "positions"], ["turned  and mirrored", "positions"], ["positions 0 1", "positions"], ["weight 3", "weight"], ["results 3:1", "results"],
    ["chance 50%", "chance"], ["outside X", "outside"], ["pick first", "pick"], ["keep duplicates", "merge"], ["keep connected", "guard"], ["count(floor) > 3", "guard"], ["each room", "each"], ["in rooms", "area"], ["rooms tagged x", "area"], ["a name", null], ["weight", null], ["oncology", null],
  ])("%s is about %s", (phrase, key) => expect(phraseKey(phrase)).toBe(key))
})

describe("names", () => {
  test("are quoted if they would mean something else", () => {
    for (const name of ["once", "turned", "a, b", 'say "x"', "a;b", "one", "", " a", "a  b", "keep", "x -> y", "?", "f(x)", "up to 3 times"]) expect(quotedIfNeeded(name)).toMatch(/^".*"$/)
    for (const name of ["room", "big room", "room 2", "Höhle"]) expect(quotedIfNeeded(name)).toBe(name)
  })
  test("are read as they were written, whatever they are", () => {
    const random = randomFrom(31)
    for (let k = 0; k < 2000; k++) {
      const name = Array.from({ length: 1 + random.below(7) }, () => random.pick(["a", "b", " ", ",", ";", '"', "\\", "once", "{", "->", "(", "ü"])).join("")
      const written = quotedIfNeeded(name)
      expect(unquoted(written)).toBe(name)
      expect(phrases(written, 0)).toHaveLength(1)
      expect(linesOf(`one  ${written}`)[0]?.body).toBe(`one  ${written}`.trimEnd())
    }
  })
  test("of tiles in a list are quoted if they hold or and not", () => {
    expect(tileListName("locked door")).toBe("locked door")
    for (const name of ["this or that", "not me", "none", "?", "a,b", "one"]) expect(unquoted(tileListName(name))).toBe(name)
    expect(tileListName("this or that")).toBe('"this or that"')
  })
})
