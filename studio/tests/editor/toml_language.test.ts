import { expect, test } from "vitest"
import { toml } from "../../src/editor/toml_language"
import { tokensOf } from "../support/tokens"

const tokens = (text: string): [string, string][] => tokensOf(toml, text)

test("keys, values, sections and comments", () => {
  expect(tokens('[param.fill] # c\ndefault = -0.45\non = true\n"a b" = \'x\'')).toEqual([
    ["[param.fill]", "heading"], ["# c", "comment"], ["default", "propertyName"], ["=", "operator"], ["-0.45", "number"],
    ["on", "propertyName"], ["=", "operator"], ["true", "bool"], ['"a b"', "propertyName"], ["=", "operator"], ["'x'", "string"],
  ])
})
test("a text of three quotes goes on over lines, and what is in it is no key", () => {
  const found = tokens('rules = """\n[x] = 1 # no\n"""\nafter = 2')
  expect(found.filter(([, kind]) => kind === "comment" || kind === "heading" || kind === "number")).toEqual([["2", "number"]])
  expect(found.at(-3)).toEqual(["after", "propertyName"])
})
test("text that is not closed does no harm", () => expect(tokens('a = "open\nb = 1').at(-1)).toEqual(["1", "number"]))
