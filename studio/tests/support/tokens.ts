/** The tokens that a language of the editor finds in a text. */
import type { StreamLanguage } from "@codemirror/language"
import { highlightTree, classHighlighter } from "@lezer/highlight"

export function tokensOf(language: StreamLanguage<never>, text: string): [string, string][] {
  const found: [string, string][] = []
  highlightTree(language.parser.parse(text), classHighlighter, (from, to, names) => found.push([text.slice(from, to), names.replaceAll("tok-", "")]))
  return found
}
