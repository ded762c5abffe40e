import { describe, expect, test } from "vitest"
import { completeName, freeName, isRecipePath, plainName, suffixOf } from "../../src/project/file_names"

test.each([
  ["Cave 7", "cave-7"],
  ["../../etc/passwd", "etc-passwd"],
  ["a:b*c?d|e", "a-b-c-d-e"],
  ["Höhle_1.2", "höhle_1.2"],
  ["--..--", "level"],
  ["", "level"],
  ["🦇", "level"],
  ["x".repeat(99), "x".repeat(60)],
])("%s", (name, plain) => expect(plainName(name)).toBe(plain))

describe("names get the suffix of their kind", () => {
  const KNOWN = [".json", ".layout", ".png", ".rules", ".toml", ".txt", ".work.json"]
  const complete = (typed: string, suffixes: string[]) => completeName(typed, suffixes, KNOWN, "a recipe")
  test.each([
    ["crypt", "crypt.toml"],
    [" crypt ", "crypt.toml"],
    ["deep/er/crypt", "deep/er/crypt.toml"],
    ["v1.rules/crypt", "v1.rules/crypt.toml"],
    ["crypt.toml", "crypt.toml"],
    ["Crypt.TOML", "Crypt.TOML"],
    ["crypt.", "crypt.toml"],
    ["crypt.v2", "crypt.v2.toml"],
    [".toml", ".toml.toml"],
    ["", ""],
  ])("%s", (typed, path) => expect(complete(typed, [".toml"])).toEqual({ path, why: "" }))
  test.each([
    ["crypt.rules", "crypt.toml"],
    ["a/crypt.PNG", "a/crypt.toml"],
    ["a/crypt.work.json", "a/crypt.toml"],
  ])("%s is asked about", (typed, path) => expect(complete(typed, [".toml"])).toEqual({ path, why: `${typed} is the name of another kind of file, and this is a recipe` }))
  test("any suffix of the kind will do, and the first one is added", () => {
    expect(complete("hall.json", [".layout", ".json"])).toEqual({ path: "hall.json", why: "" })
    expect(complete("hall", [".layout", ".json"]).path).toBe("hall.layout")
  })
  test("what was completed is complete", () => {
    for (const typed of ["crypt", "crypt.rules", "a.b.c", "x.toml", "Ä", "crypt.png.txt"]) {
      const once = complete(typed, [".toml"])
      expect(complete(once.path, [".toml"])).toEqual({ path: once.path, why: "" })
      expect(isRecipePath(once.path)).toBe(true)
    }
  })
})

test("a free name is one that no system takes for another", () => {
  expect(freeName("crypt", ".toml", [])).toBe("crypt.toml")
  expect(freeName("crypt", ".toml", ["Crypt.toml", "crypt-2.TOML", "crypt.rules"])).toBe("crypt-3.toml")
  expect(freeName("Grüfte", ".toml", ["gru\u0308fte.toml"])).toBe("Grüfte-2.toml")
})

test.each([["a/b.toml", ".toml"], ["a.b/c", ""], [".toml", ""], ["a/.toml", ""], ["x.tar.gz", ".gz"]])("the suffix of %s", (path, suffix) => expect(suffixOf(path)).toBe(suffix))
