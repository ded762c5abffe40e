/** The colours of TOML: sections, keys, strings, numbers, comments. Enough for recipes; the server does the reading. */
import { StreamLanguage } from "@codemirror/language"

interface State {
  /** Inside a string of three quotes. */
  long: string | null
  /** Left of "=" a word is a key. */
  key: boolean
}

export const toml = StreamLanguage.define<State>({
  name: "toml",
  startState: () => ({ long: null, key: true }),
  token(stream, state) {
    if (state.long) {
      if (stream.skipTo(state.long)) {
        stream.match(state.long)
        state.long = null
      } else stream.skipToEnd()
      return "string"
    }
    if (stream.sol()) state.key = true
    if (stream.eatSpace()) return null
    if (stream.match(/^#.*/)) return "comment"
    if (stream.sol() || stream.string.slice(0, stream.start).trim() === "") {
      if (stream.match(/^\[\[?[^\]]*\]?\]?/)) return "heading"
    }
    const quotes = stream.match(/^("""|''')/)
    if (Array.isArray(quotes)) {
      state.long = quotes[0]
      return "string"
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'[^']*'?/)) return state.key ? "propertyName" : "string"
    if (stream.match("=")) {
      state.key = false
      return "operator"
    }
    if (stream.match(/^[,{]/)) return null
    if (!state.key && stream.match(/^[+-]?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return "number"
    if (!state.key && stream.match(/^(?:true|false)\b/)) return "bool"
    if (stream.match(/^[\w-]+/)) return state.key ? "propertyName" : null
    stream.next()
    return null
  },
  languageData: { commentTokens: { line: "#" } },
})
