/** The colours of rules: the words that lines begin with, names, numbers, arrows, comments. The server does the reading. */
import { StreamLanguage } from "@codemirror/language"
import { WORDS } from "./lines"

interface State {
  /** The word that the line began with. */
  word: string
  /** The name is still to come. */
  name: boolean
}

export const rulesLanguage = StreamLanguage.define<State>({
  name: "rules",
  startState: () => ({ word: "", name: false }),
  token(stream, state) {
    if (stream.sol()) {
      state.word = ""
      state.name = false
    }
    if (stream.eatSpace()) return null
    if (stream.match(/^;.*/)) return "comment"
    if (!state.word && stream.string.slice(0, stream.start).trim() === "") {
      const found = stream.match(/^[^\s,]+/, false)
      const word = Array.isArray(found) ? found[0] : ""
      if (WORDS.includes(word)) {
        stream.match(word)
        state.word = word
        state.name = true
        return "heading"
      }
      state.word = "drawing"
    }
    if (state.word === "drawing") {
      if (stream.match(/^(?:->|\|)(?=\s|$)/)) return "operator"
      if (stream.match(/^,(?=\s+[^\s|,])/)) {
        state.word = "tail"
        return null
      }
      if (!stream.match(/^\S+?(?=,\s+[^\s|,]|\s|$)/)) stream.next()
      return null
    }
    if (state.word === "expect") {
      stream.match(/^[^;]+/)
      return "string"
    }
    if (stream.match(/^->(?=\s|$)/)) {
      state.name = false
      return "operator"
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) {
      state.name = false
      return "string"
    }
    if (stream.match(/^#[0-9a-fA-F]{6}\b/)) return "number"
    if (state.name && ["one", "all", "parallel", "rule", "markov", "sequence", "repeat"].includes(state.word)) {
      state.name = false
      const rest = stream.string.slice(stream.pos)
      // A rule on the node's own line, or words without a name.
      if (/(?:^|\s)->(?:\s|$)/.test(rest) || /^(?:once|up to|turned|mirrored|as drawn|in |each |chance|weight|results|positions|pick|outside|keep|\d)/.test(rest)) return null
      stream.match(/^[^,;]+?(?=\s*(?:[,;]|$))/)
      return "propertyName"
    }
    if (stream.match(/^\d+(?:\.\d+)?%?/)) return "number"
    if (stream.match(/^,/)) return null
    if (stream.match(/^(?:once|turned|mirrored|as drawn|weight|results|chance|outside|pick|keep|each|positions|not|or)\b/)) return "propertyName"
    if (!stream.match(/^[^\s,;"]+/)) stream.next()
    return null
  },
  languageData: { commentTokens: { line: ";" } },
})
