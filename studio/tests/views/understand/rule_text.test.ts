import { describe, expect, test } from "vitest"
import { STANDARD_TILES } from "../../../src/canvas/standard_tiles"
import type { RuleDrawn, RulesRead } from "../../../src/server/protocol"
import { movedAbove, withTileAccepted, withWord, type Drawn } from "../../../src/views/understand/rules/rule_text"

const rule = (head: number, line: number, last: number, pattern: string[]): Drawn => ({ head_line: head, line, last_line: last, pattern }) as unknown as RuleDrawn & { head_line: number }
const read = (...sets: { name: string; of: string[] }[]): RulesRead => ({ tiles: STANDARD_TILES, sets }) as unknown as RulesRead

const TEXT = `palette standard

one  first, once   ; why
    #.  ->  ##

; about the second
one  second
    .#      ..
    ##  ->  ..
all  . -> ~
`

describe("a rule before another", () => {
  const [first, second, third] = [rule(3, 4, 4, ["#."]), rule(7, 8, 9, [".#", "##"]), rule(10, 10, 10, ["."])]
  test("moves with its lines", () => {
    expect(movedAbove(TEXT, third, second)).toBe(TEXT.replace("one  second\n    .#      ..\n    ##  ->  ..\nall  . -> ~\n", "all  . -> ~\none  second\n    .#      ..\n    ##  ->  ..\n"))
  })
  test("takes the blank line between them along", () => {
    expect(movedAbove(TEXT.replace("\n; about the second", ""), rule(6, 7, 8, []), first)).toContain("    ##  ->  ..\n\none  first")
  })
  test("stays if it is above already, or stands deeper", () => {
    expect(movedAbove(TEXT, first, second)).toBeNull()
    expect(movedAbove(TEXT, second, second)).toBeNull()
    expect(movedAbove("one  a\n    . -> #\nmarkov\n    one  b\n        . -> #", rule(4, 5, 5, []), rule(1, 2, 2, []))).toBeNull()
    expect(movedAbove(TEXT, rule(0, 4, 4, []), first)).toBeNull()
  })
})

describe("a word more on a rule's line", () => {
  test("comes before the comment", () => expect(withWord(TEXT, rule(3, 4, 4, []), "outside X")).toContain("one  first, once, outside X   ; why\n"))
  test("is not written twice", () => expect(withWord("one  a, outside #\n", rule(1, 2, 2, []), "outside X")).toBeNull())
})

describe("one tile more in a cell", () => {
  test("by a set of its own above the rule", () => {
    expect(withTileAccepted(TEXT, read(), rule(7, 8, 9, [".#", "##"]), [1, 0], "door")).toBe(TEXT.replace("one  second\n    .#", "set  a = wall or door\none  second\n    .a"))
  })
  test("by a set that is there already", () => {
    const text = "set  s = wall or door\n" + TEXT
    expect(withTileAccepted(text, read({ name: "s", of: ["door", "wall"] }), rule(8, 9, 10, [".#", "##"]), [0, 1], "door")).toBe(text.replace("    ##  ->  ..", "    s#  ->  .."))
  })
  test("in a rule of one line, also below a slash", () => {
    expect(withTileAccepted("all  #./.. -> ##/##\n", read(), rule(1, 1, 1, ["#.", ".."]), [1, 1], "pit")).toBe("set  a = floor or pit\nall  #./.a -> ##/##\n")
  })
  test("takes a letter that is free", () => {
    expect(withTileAccepted("all  # -> .\n", read({ name: "a", of: ["pit", "water"] }), rule(1, 1, 1, ["#"]), [0, 0], "pit")).toContain("set  b = wall or pit")
  })
  test("not if it is accepted already, or the cell takes anything", () => {
    expect(withTileAccepted(TEXT, read(), rule(3, 4, 4, ["#."]), [0, 0], "wall")).toBeNull()
    expect(withTileAccepted("all  ? -> .\n", read(), rule(1, 1, 1, ["?"]), [0, 0], "wall")).toBeNull()
    expect(withTileAccepted("all  {wall} -> .\n", read(), rule(1, 1, 1, ["#"]), [0, 0], "pit")).toBeNull()
  })
})
