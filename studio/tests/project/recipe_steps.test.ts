import { describe, expect, test } from "vitest"
import { withStep } from "../../src/project/recipe_steps"

const TEXT = `size = [20, 12]

[[step]]
use = "fill"

# What stands in the rooms.
[[step]]
use = "rewrite"   # [[step]] in a comment
rules = '''
[[step]]
[...] -> [ooo]
'''

# No level without rooms.
[[require]]
rooms = ">= 1"
`
const BODY = 'use = "rewrite"\nid = "moss"'
const STEP = `[[step]]\n${BODY}\n`

describe("a further step", () => {
  test("stands behind the last one, before what follows and what is said about that", () => {
    expect(withStep(TEXT, BODY, null)).toBe(TEXT.replace("# No level", `${STEP}\n# No level`))
  })
  test("stands at the end if nothing follows", () => {
    const head = TEXT.slice(0, TEXT.indexOf("# No level")).trimEnd() + "\n"
    expect(withStep(head, BODY, null)).toBe(head + "\n" + STEP)
    expect(withStep(head.trimEnd(), BODY, null)).toBe(head + "\n" + STEP)
  })
  test("stands before the step of a line, and what is said about that", () => {
    expect(withStep(TEXT, BODY, 7)).toBe(TEXT.replace("# What stands", `${STEP}\n# What stands`))
    expect(withStep(TEXT, BODY, 3)).toBe(TEXT.replace('[[step]]\nuse = "fill"', `${STEP}\n[[step]]\nuse = "fill"`))
  })
  test("is the first of a text without steps", () => {
    expect(withStep('extends = "cave"\n', BODY, null)).toBe(`extends = "cave"\n\n${STEP}`)
  })
})
