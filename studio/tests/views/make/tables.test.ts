import { EditorState } from "@codemirror/state"
import { expect, test } from "vitest"
import { foldSummary, tableAt } from "../../../src/views/make/text/tables"

const TEXT = `name = "x"

[param.fill]
default = 0.45

[param.steps]
default = 4
# about it

[[step]]
use = "cellular"
# end
`
const state = EditorState.create({ doc: TEXT })
const fold = (line: number): string | null => {
  const range = tableAt(state.doc, state.doc.line(line).from)
  return range && state.sliceDoc(range.from, range.to)
}

test("a table goes from its head to its last line that says something", () => {
  expect(fold(6)).toBe("\ndefault = 4")
  expect(fold(10)).toBe('\nuse = "cellular"')
})
test("parameters that follow each other close up", () => expect(fold(3)).toBe("\ndefault = 0.45\n"))
test("other lines fold nothing", () => {
  expect(fold(1)).toBeNull()
  expect(fold(4)).toBeNull()
  expect(tableAt(EditorState.create({ doc: "[a]\n[b]" }).doc, 0)).toBeNull()
})
test("a fold knows its parameter, or what its step uses", () => {
  const at = (line: number) => foldSummary(state, tableAt(state.doc, state.doc.line(line).from) ?? { from: 0, to: 0 })
  expect(at(3)).toEqual({ param: "fill", uses: "" })
  expect(at(10)).toEqual({ param: null, uses: "cellular" })
})
