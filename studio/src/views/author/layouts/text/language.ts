/** The colours of a layout's text: words, names, comments, and on the right side of the drawing each partition in its own. */
import { StreamLanguage } from "@codemirror/language"
import { RangeSetBuilder, type Extension } from "@codemirror/state"
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view"

export const layoutLanguage = StreamLanguage.define<{ words: boolean }>({
  name: "layout",
  startState: () => ({ words: false }),
  token(stream, state) {
    if (stream.sol()) {
      state.words = stream.match(/^(layout|slot|socket|scale|colour|icon)\b/, false) !== null
      if (stream.match(/^(layout|slot|socket|scale|colour|icon)\b/)) return "heading"
    }
    if (stream.match(/^;.*/)) return "comment"
    if (!state.words) {
      stream.next()
      return null
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string"
    if (stream.match(/^\S(?=\s*=)/)) return "propertyName"
    if (stream.match(/^\d+\b/)) return "number"
    if (stream.match(/^(?:left|right|up|down|and|by|doubling|ratio|locked|tagged|flips|at|on)\b/)) return "operator"
    if (stream.match(/^\w+/)) return null
    stream.next()
    return null
  },
  languageData: { commentTokens: { line: ";" } },
})

const PART_SIGNS = Array.from({ length: 60 }, (_, number) => Decoration.mark({ class: `lay-sign lay-sign-${number}` }))
const UNSCALED_SIGN = Decoration.mark({ class: "lay-sign-still" })

/** Signs of partitions, coloured by custom properties of the editor: --part-0, --part-1 ... */
export const signs: Extension = ViewPlugin.fromClass(
  class {
    shown: DecorationSet
    constructor(view: EditorView) {
      this.shown = signDecorations(view)
    }
    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.shown = signDecorations(update.view)
    }
  },
  { decorations: (plugin) => plugin.shown },
)

function signDecorations(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const order: string[] = []
  const text = view.state.doc
  for (let number = 1; number <= text.lines && number < 2000; number++) {
    const line = text.line(number)
    const said = /^scale\s+(\S)\s*=/.exec(line.text)
    if (said?.[1]) {
      order.push(said[1])
      const at = line.from + line.text.indexOf(said[1], 5)
      builder.add(at, at + 1, PART_SIGNS[(order.length - 1) % 60] as Decoration)
      continue
    }
    const bar = /^ .* \|(?= |$)/.exec(line.text)
    if (!bar) continue
    const end = line.text.indexOf(";", bar[0].length)
    for (let at = bar[0].length; at < (end < 0 ? line.length : end); at++) {
      const sign = line.text[at] as string
      if (sign === "=" || sign === "^") builder.add(line.from + at, line.from + at + 1, UNSCALED_SIGN)
      else if (order.includes(sign)) builder.add(line.from + at, line.from + at + 1, PART_SIGNS[order.indexOf(sign) % 60] as Decoration)
    }
  }
  return builder.finish()
}
