import { expect, test } from "vitest"
import { matchingCommands, type Command } from "../../src/shell/commands"

const all: Command[] = ["Shuffle seed", "Seed back", "Export", "cave", "Go to Explore"].map((label) => ({ label, ...(label === "cave" ? { kind: "recipe" } : {}), run: () => undefined }))
const found = (query: string): string[] => matchingCommands(all, query).map((one) => one.label)

test("nothing asked, nothing left out", () => expect(found("  ")).toEqual(all.map((one) => one.label)))
test("all words must be there, in any order and any case", () => {
  expect(found("SEED shu")).toEqual(["Shuffle seed"])
  expect(found("seed xyz")).toEqual([])
})
test("what begins with the word comes first, then words that begin with it", () => {
  expect(found("seed")).toEqual(["Seed back", "Shuffle seed"])
  expect(found("exp")).toEqual(["Export", "Go to Explore"])
})
test("the kind is searched too", () => expect(found("recipe")).toEqual(["cave"]))
