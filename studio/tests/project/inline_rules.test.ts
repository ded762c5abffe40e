import { describe, expect, test } from "vitest"
import { rulesOfStep, withRules, type Inline } from "../../src/project/inline_rules"
import { randomFrom } from "../support/random"

const recipe = (value: string, more = ""): string => `name = "x"\n\n[[step]]\nuse = "rewrite"\n${more}rules = ${value}\n\n[[step]]\nuse = "other"\nrules = "B -> W"\n`

describe("the rules of a step are found", () => {
  test.each([
    ['"B -> W"', "B -> W"],
    ["'B -> \\W'", "B -> \\W"],
    ['"""\nB -> W\n"""', "B -> W\n"],
    ["'''\nB -> W\n'''", "B -> W\n"],
    ['"a\\tb\\n\\"c\\" \\\\ \\u00e4"', 'a\tb\n"c" \\ ä'],
    ['"""\nsay "hi" and ""\n\tx\n"""', 'say "hi" and ""\n\tx\n'],
    ['""', ""],
  ])("%s", (value, text) => {
    const found = rulesOfStep(recipe(value), 3)
    expect(found?.text).toBe(text)
    expect(found?.key).toBe("rules")
    expect(recipe(value).slice(found?.from, found?.to)).toBe(value)
  })
  test("or the file that it names", () => {
    expect(rulesOfStep('[[step]]\n  file = "a.rules" # here', 1)).toMatchObject({ key: "file", text: "a.rules", begin: 9 })
  })
  test("in their own step only", () => {
    expect(rulesOfStep('[[step]]\nuse = "x"\n[[step]]\nrules = "B"', 1)).toBeNull()
    expect(rulesOfStep(recipe('"A"'), 7)?.text).toBe("B -> W")
  })
  test("not where there is no step, no text, or a text that is not closed", () => {
    expect(rulesOfStep(recipe('"A"'), 1)).toBeNull()
    expect(rulesOfStep("[[step]]\nrules = [1]", 1)).toBeNull()
    expect(rulesOfStep('[[step]]\nrules = "open', 1)).toBeNull()
    expect(rulesOfStep('[[step]]\nrules = "bad \\x escape"', 1)).toBeNull()
    expect(rulesOfStep("", 99)).toBeNull()
  })
})

describe("other rules in their place", () => {
  const put = (text: string, rules: string): string => withRules(text, rulesOfStep(text, 3) as Inline, rules)
  test("leave all else as it was", () => {
    const next = put(recipe('"A"', "# why\n"), "B -> W")
    expect(next).toBe(recipe('"""\nB -> W\n"""', "# why\n"))
  })
  test("stay in literal quotes if they were, unless they hold some", () => {
    expect(put(recipe("'''\nA\n'''"), "\\d\n")).toContain("rules = '''\n\\d\n'''")
    expect(put(recipe("'''\nA\n'''"), "it'''s")).toContain('rules = """')
  })
  test("take the place of a file that was named", () => {
    expect(put('a\nb\n[[step]]\nfile = "a.rules"\n', "B\n")).toBe('a\nb\n[[step]]\nrules = """\nB\n"""\n')
  })
  test("are read as they were written, whatever they are", () => {
    const random = randomFrom(5)
    const signs = ['"', '""', '"""', "'", "'''", "\\", "\n", "a", " ", "->", "\t", "ä", "#"]
    for (const before of ['"A"', "'''\nA\n'''", '"""\nA\n"""', "'A'"])
      for (let k = 0; k < 150; k++) {
        const rules = Array.from({ length: random.below(14) }, () => random.pick(signs)).join("") + "\n"
        const next = put(recipe(before), rules)
        expect(rulesOfStep(next, 3)?.text).toBe(rules)
        expect(next.endsWith('\n\n[[step]]\nuse = "other"\nrules = "B -> W"\n')).toBe(true)
      }
  })
})
