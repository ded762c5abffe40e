/** The lines of a rules text, as the language sees them: body, comment, indentation, first word; and the phrases between commas. */

export interface Line {
  /** From 0. */
  at: number
  text: string
  /** Without its comment and the blanks before that. */
  body: string
  /** What is left out of the body: blanks and comment. */
  tail: string
  indent: number
  word: string
  /** Has content: neither blank nor only a comment. */
  speaks: boolean
  /** Blank altogether: such lines part drawings, lines with only a comment do not. */
  blank: boolean
}

export const HEAD_WORDS = ["program", "palette", "tile", "thing", "set", "outside", "positions", "include"]
export const LEAF_WORDS = ["one", "all", "parallel"] as const
export const BLOCK_WORDS = ["markov", "sequence", "repeat"]
export const WORDS: readonly string[] = [...HEAD_WORDS, ...LEAF_WORDS, ...BLOCK_WORDS, "rule", "expect"]
export const ARROW = /(?<!\S)->(?!\S)/

const QUOTED = /"(?:[^"\\]|\\.)*"/y

/** The index after the sign at `at`, or after the quotes that open there: at the beginning of a word only. */
function indexAfter(text: string, at: number): number {
  if (text[at] === '"' && (at === 0 || " ,({".includes(text[at - 1] ?? ""))) {
    QUOTED.lastIndex = at
    const found = QUOTED.exec(text)
    if (found) return at + found[0].length
  }
  return at + 1
}

function commentAt(text: string, word: string): number {
  if (!WORDS.includes(word) || !text.includes('"')) {
    const at = text.indexOf(";")
    return at < 0 ? text.length : at
  }
  let at = 0
  while (at < text.length && text[at] !== ";") at = indexAfter(text, at)
  return at
}

export function linesOf(text: string): Line[] {
  return text.split("\n").map((whole, at) => {
    const written = whole.replace(/\r$/, "")
    const word = /^ *([^\s,]+)/.exec(written)?.[1] ?? ""
    const end = commentAt(written, word)
    const body = written.slice(0, end).replace(/ +$/, "")
    return { at, text: whole, body, tail: whole.slice(body.length), indent: body.length - body.trimStart().length, word: body ? word : "", speaks: body !== "", blank: body === "" && end === written.length }
  })
}

/** A piece of a line. Columns count from 0. */
export interface Phrase {
  from: number
  to: number
  text: string
}

/** The pieces between commas that stand neither in quotes nor in parentheses. */
export function phrases(text: string, from: number): Phrase[] {
  const found: Phrase[] = []
  const cut = (start: number, end: number): void => {
    const piece = text.slice(start, end)
    const left = piece.length - piece.trimStart().length
    const trimmed = piece.trim()
    found.push({ from: from + start + left, to: from + start + left + trimmed.length, text: trimmed })
  }
  let start = 0
  let at = 0
  while (at < text.length) {
    if (text[at] === "(") {
      const closing = text.indexOf(")", at)
      if (closing > at) at = closing
    } else if (text[at] === ",") {
      cut(start, at)
      start = at + 1
    }
    at = indexAfter(text, at)
  }
  cut(start, text.length)
  return found
}

export type Key = "limit" | "positions" | "weight" | "results" | "chance" | "outside" | "pick" | "merge" | "each" | "area" | "guard"

const SAYS_POSITIONS = /^(?:as drawn|turned|mirrored(?: left-right| up-down| both ways)?|turned and mirrored(?: twice)?|mirrored and turned|in all positions)$/
const GUARD = /^(?:[\w.+-]* *[<>=]+ *)?(?:(?:connected|count|distance) *|[^\W\d][\w-]*)\(/

/** What a phrase is about; nothing if it is a name. */
export function phraseKey(phrase: string): Key | null {
  const text = phrase.split(/\s+/).join(" ")
  const [lead = "", ...rest] = text.split(" ")
  const more = rest.join(" ")
  if (SAYS_POSITIONS.test(text)) return "positions"
  if (text === "once" || text.startsWith("up to ") || /^\S+ times?$/.test(text)) return "limit"
  if (text === "keep duplicates") return "merge"
  if ((lead === "keep" && more) || GUARD.test(text)) return "guard"
  if (/^\S+ tagged(?: |$)/.test(text)) return "area"
  if (!more) return null
  if (lead === "in") return "area"
  if (lead === "each" || lead === "outside" || lead === "pick" || lead === "positions" || lead === "weight" || lead === "results" || lead === "chance") return lead
  return null
}

/** A name as it is meant: without its quotes. */
export function unquoted(text: string): string {
  if (!text.startsWith('"')) return text.split(/\s+/).join(" ").trim()
  return text.replace(/^"|"$/g, "").replace(/\\(u\{([0-9a-fA-F]{1,6})\}|.)/g, (_, sign: string, code?: string) => (code ? String.fromCodePoint(Math.min(0x10ffff, parseInt(code, 16))) : sign))
}

/** A name as it is written: in quotes if it would mean something else. */
export function quotedIfNeeded(name: string): string {
  const plain = name !== "" && name === name.split(/\s+/).join(" ").trim() && !/[,;"{}=()]/.test(name) && name !== "?" && phraseKey(name) === null && !WORDS.includes(name) && !ARROW.test(name) && !/^(?:keep|in|each|pick|weight|results|chance|outside|positions)$/.test(name)
  if (plain) return name
  return '"' + name.replace(/[\\"]/g, "\\$&").replace(/;/g, "\\u{3B}") + '"'
}

/** The name of a tile in a list of tiles. */
export function tileListName(name: string): string {
  return /^[^\s,;"{}=()]+(?: [^\s,;"{}=()]+)*$/.test(name) && !/(?:^| )(?:or|not)(?: |$)/.test(name) && name !== "none" && name !== "?" ? name : quotedIfNeeded(name).startsWith('"') ? quotedIfNeeded(name) : `"${name}"`
}
