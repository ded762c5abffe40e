import { describe, expect, test } from "vitest"
import { matching, type WordPlace } from "../../src/editor/words/entries"
import { recipeHelp, recipePlace } from "../../src/editor/words/recipe_words"
import { rulesHelp, rulesPlace } from "../../src/editor/words/rules_words"
import { facts, words } from "../support/facts"

/** A text with a cursor: "us|e". */
function at(marked: string): [string, number] {
  const place = marked.indexOf("¦")
  return [marked.replace("¦", ""), place]
}
const labels = (place: WordPlace | null): string[] => place?.entries.map((entry) => entry.label) ?? []
const recipe = (marked: string): WordPlace | null => recipePlace(...at(marked), facts)
const rules = (marked: string): WordPlace | null => rulesPlace(...at(marked), words)

/** The text after the first entry of that label was taken. */
function taken(marked: string, label: string, place: WordPlace | null): string {
  const [text] = at(marked)
  const entry = place?.entries.find((one) => one.label === label)
  if (!place || !entry) throw new Error(`${label} is not offered, but ${labels(place).join()}`)
  return text.slice(0, place.from) + (entry.insert ?? entry.label) + text.slice(place.to)
}

const STEP = '[[step]]\nuse = "rooms"\n'

describe("words of a recipe", () => {
  test("above all tables stand its keys, and tables", () => {
    expect(labels(recipe("¦"))).toEqual(["about", "size", "[[step]]", "[require]"])
    expect(labels(recipe('about = "x"\ns¦'))).toEqual(["size"])
    expect(labels(recipe("[¦"))).toEqual(["[[step]]", "[require]"])
  })

  test("a step has the fields of what it uses, without those that stand there", () => {
    expect(labels(recipe(STEP + "¦"))).toEqual(["tries", "layouts", "shape", "ring", "id", "[[step]]", "[require]"])
    expect(labels(recipe(STEP + "tries = 3\n¦\nshape = \"round\"\n\n[[step]]\nuse = \"fill\""))).toEqual(["layouts", "ring", "id", "[[step]]", "[require]"])
    expect(labels(recipe("[[step]]\n¦"))).toEqual(["use", "id", "[[step]]", "[require]"])
    expect(taken(STEP + "tr¦", "tries", recipe(STEP + "tr¦"))).toBe(STEP + "tries = 7")
    expect(taken(STEP + "tr¦ = 3", "tries", recipe(STEP + "tr¦ = 3")), "the value stays").toBe(STEP + "tries = 3")
  })

  test("steps, in quotes or without", () => {
    for (const [before, after] of [['use = "¦"', 'use = "rooms"'], ['use = "ro¦x"', 'use = "rooms"'], ["use = ¦", 'use = "rooms"'], ["use = ro¦", 'use = "rooms"'], ['use = "ro¦', 'use = "rooms']] as const)
      expect(taken("[[step]]\n" + before, "rooms", recipe("[[step]]\n" + before)), before).toBe("[[step]]\n" + after)
  })

  test("values of a field, and parameters", () => {
    expect(labels(recipe(STEP + "tries = ¦"))).toEqual(["$many"])
    expect(taken(STEP + "tries = ¦", "$many", recipe(STEP + "tries = ¦"))).toBe(STEP + 'tries = "$many"')
    expect(labels(recipe(STEP + "shape = ¦"))).toEqual(["round", "square", "$many"])
    expect(labels(recipe(STEP + "ring = ¦"))).toEqual(["true", "false", "$many"])
    expect(taken(STEP + "ring = ¦", "false", recipe(STEP + "ring = ¦"))).toBe(STEP + "ring = false")
    expect(labels(recipe('extends = "¦"'))).toEqual(["cave"])
  })

  test("layouts in a list, which begins if it is missing", () => {
    const place = recipe(STEP + 'layouts = ["apse", ¦]')
    expect(place?.wants).toBe("layouts")
    expect(labels(place)).toEqual(["apse", "my/den.layout"])
    expect(taken(STEP + 'layouts = ["apse", ¦]', "my/den.layout", place)).toBe(STEP + 'layouts = ["apse", "my/den.layout"]')
    expect(taken(STEP + "layouts = ¦", "apse", recipe(STEP + "layouts = ¦"))).toBe(STEP + 'layouts = ["apse"]')
    expect(taken(STEP + "layouts = ¦", "$many", recipe(STEP + "layouts = ¦"))).toBe(STEP + 'layouts = "$many"')
  })

  test("measures and conditions", () => {
    expect(taken("[require]\nlo¦", "loops", recipe("[require]\nlo¦"))).toBe('[require]\nloops = ">= 1"')
    expect(labels(recipe('[require]\nloops = "¦"'))).toContain("between 1 and 5")
  })

  test("nothing in comments and other strings; rules inside the text of rules", () => {
    expect(recipe("# us¦")).toBeNull()
    expect(recipe("size = [1, 2] # ¦")).toBeNull()
    const inline = "[[step]]\nuse = \"rewrite\"\nrules = '''\none  pond, tu¦\n'''\n"
    expect(taken(inline, "turned", recipe(inline))).toBe(inline.replace("tu¦", "turned"))
    expect(labels(recipe("[[step]]\nuse = \"rewrite\"\nrules = '''\n[x]\n'''\n¦"))).toContain("id")
  })

  test("help for what stands there", () => {
    const help = (marked: string): string | undefined => recipeHelp(...at(marked), facts)?.entry.label
    expect(help('[[step]]\nuse = "ro¦oms"')).toBe("rooms")
    expect(help(STEP + "tr¦ies = 3")).toBe("tries")
    expect(help(STEP + 'tries = "$ma¦ny"')).toBe("$many")
    expect(help('[require]\nlo¦ops = ">= 3"')).toBe("loops")
    expect(help("[para¦m.many]")).toBe("$many")
    expect(help("[[st¦ep]]")).toBe("[[step]]")
    expect(help(STEP + "tries = 3¦3")).toBeUndefined()
    expect(recipeHelp(...at(STEP + "tr¦ies = 3"), facts)?.entry.about).toBe("How often it tries.")
  })
})

describe("words of rules", () => {
  test("lines, options after commas, tiles where they are named", () => {
    expect(labels(rules("o¦"))).toContain("one")
    expect(taken("o¦", "one", rules("o¦"))).toBe("one  ")
    expect(taken("one  pond, tu¦, weight 2", "turned", rules("one  pond, tu¦, weight 2"))).toBe("one  pond, turned, weight 2")
    expect(labels(rules("tile  moss = m, floor\none  x, keep connected(fl¦"))).toEqual(expect.arrayContaining(["moss", "floor", "locked door"]))
    expect(taken("set  s = wa¦", "water", rules("set  s = wa¦"))).toBe("set  s = water")
    expect(taken("outside wa¦", "wall", rules("outside wa¦"))).toBe("outside wall")
  })
  test("no words in drawings and comments", () => {
    expect(rules("one  x\n    #.¦#  ->  ###")).toBeNull()
    expect(rules("; on¦")).toBeNull()
  })
  test("help for a line, an option, a tile and a sign", () => {
    const help = (marked: string): string | undefined => rulesHelp(...at(marked), words)?.entry.label
    expect(help("on¦e  pond")).toBe("one")
    expect(help("one  pond, turned and mirro¦red")).toBe("turned and mirrored")
    expect(help("one  pond, wei¦ght 12")).toBe("weight 2")
    expect(help("one  pond, keep connected(wa¦ter)")).toBe("water")
    expect(help("one  pond\n    ¦~.  ->  ..")).toBe("water")
    expect(help("one  pond ; on¦ce")).toBeUndefined()
  })
})

test("what begins with the typed letters comes first", () => {
  const entries = ["room-grid", "rooms", "chambers", "mushrooms"].map((label) => ({ label, group: "step" as const, about: "" }))
  expect(matching(entries, "room").map((entry) => entry.label)).toEqual(["room-grid", "rooms", "mushrooms"])
  expect(matching(entries, "").length).toBe(4)
})
