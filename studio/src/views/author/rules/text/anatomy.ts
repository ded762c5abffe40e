/**
 * The parts of a rules text and where they stand, so that a drawing can change its own lines and nothing else.
 *
 * The server reads the text properly; this only finds the pieces, and goes on finding them while some line is broken. Lines count from 0 here.
 */
import { drawingsIn, drawingOfLine, type PatternDrawing } from "./blocks"
import { ARROW, BLOCK_WORDS, phraseKey, LEAF_WORDS, linesOf, phrases, unquoted, type Line, type Phrase } from "./lines"

export type Kind = (typeof LEAF_WORDS)[number]

/** A name and the words after it, on the line of a node or of a rule, or behind a rule of one line. */
export interface Header {
  line: number
  /** "node" and "rule" lines begin with a word and may have a name; a "tail" follows after a comma. */
  what: "node" | "rule" | "tail"
  name: Phrase | null
  words: Phrase[]
  /** Where it begins: after the word, or at the comma. */
  from: number
}

export interface Rule {
  /** Among all rules of the text. */
  index: number
  node: Node
  name: string
  /** Its own line "rule", and the words behind it if it stands on one line. */
  head: Header | null
  tail: Header | null
  drawn: PatternDrawing | null
  /** From its line "rule" or its first row to its last. */
  first: number
  last: number
}

export interface Node {
  kind: Kind
  name: string
  head: Header
  indent: number
  /** From its line to its last. */
  first: number
  last: number
  rules: Rule[]
  /** It has its rule on its own line. */
  single: boolean
  /** The blocks around it, the outermost first. */
  within: Surround[]
  /** What "positions" at the left margin says for it. */
  positions: string
}

export interface Surround {
  line: number
  word: string
  name: string
  indent: number
  last: number
}

export interface Expect {
  line: number
  last: number
  /** All after the word: the name of a rule, and what is said about it. */
  text: string
  from: number
  drawn: PatternDrawing | null
}

export interface SetLine {
  line: number
  name: string
  text: string
}

export interface Outline {
  text: string
  lines: Line[]
  nodes: Node[]
  rules: Rule[]
  expects: Expect[]
  sets: SetLine[]
  /** The last line of the palette's lines, -1 if there are none; and the first line that is no more head. */
  palette: number
  body: number
}

export function headerAt(line: Line, from: number, what: Header["what"]): Header {
  const text = line.body.slice(from)
  if (what === "tail") return { line: line.at, what, name: null, words: text ? phrases(text.slice(1), from + 1) : [], from }
  if (!text.trim()) return { line: line.at, what, name: null, words: [], from }
  const pieces = phrases(text, from)
  const first = pieces[0] as Phrase
  if (!first.text) return { line: line.at, what, name: null, words: pieces.slice(1), from }
  if (phraseKey(first.text)) return { line: line.at, what, name: null, words: pieces, from }
  return { line: line.at, what, name: first, words: pieces.slice(1), from }
}

let known: Outline | null = null

/** The parts of a text. The last one is remembered. */
export function outlineOf(text: string): Outline {
  if (known?.text !== text) known = parseOutline(text)
  return known
}

function parseOutline(text: string): Outline {
  const lines = linesOf(text)
  const found: Outline = { text, lines, nodes: [], rules: [], expects: [], sets: [], palette: -1, body: -1 }
  let within: Surround[] = []
  let positions = "as drawn"
  const lastLineBelow = (line: Line): number => {
    let last = line.at
    for (let at = line.at + 1; at < lines.length; at++) {
      const next = lines[at] as Line
      if (!next.speaks) continue
      if (next.indent <= line.indent) break
      last = at
    }
    return last
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as Line
    if (!line.speaks) continue
    within = within.filter((block) => line.indent > block.indent)
    const { word } = line
    const from = line.indent + word.length
    const rest = line.body.slice(from).trim()
    if (found.body < 0 && !["program", "palette", "tile", "thing", "set"].includes(word)) found.body = at
    if (word === "palette" || word === "tile" || word === "thing" || (word === "program" && found.palette < 0)) found.palette = at
    else if (word === "positions" && line.indent === 0) positions = canonicalPositions("positions " + rest)
    else if (word === "set") {
      const equals = /^("(?:[^"\\]|\\.)*"|.*?\S) +=(?: (.*)|$)/.exec(rest)
      if (equals) found.sets.push({ line: at, name: unquoted(equals[1] as string), text: (equals[2] ?? "").trim() })
    } else if (BLOCK_WORDS.includes(word)) {
      const head = headerAt(line, from, "node")
      within = [...within, { line: at, word, name: unquoted(head.name?.text ?? ""), indent: line.indent, last: lastLineBelow(line) }]
    } else if ((LEAF_WORDS as readonly string[]).includes(word)) {
      const node = nodeAt(lines, line, lastLineBelow(line), within, positions)
      for (const rule of node.rules) rule.index = found.rules.push(rule) - 1
      found.nodes.push(node)
      at = node.last
    } else if (word === "expect") {
      const last = lastLineBelow(line)
      const drawn = drawingsIn(lines.slice(at + 1, last + 1))[0]?.drawn ?? null
      found.expects.push({ line: at, last, text: rest, from: line.body.length - rest.length, drawn })
      at = last
    }
  }
  if (found.body < 0) found.body = lines.length
  return found
}

function nodeAt(lines: readonly Line[], line: Line, last: number, within: Surround[], positions: string): Node {
  const from = line.indent + line.word.length
  const kind = line.word as Kind
  const single = ARROW.test(line.body.slice(from))
  if (single) {
    const drawn = drawingOfLine(line, from)
    const head: Header = drawn ? headerAt(line, drawn.to, "tail") : { line: line.at, what: "node", name: null, words: [], from }
    const node: Node = { kind, name: "", head, indent: line.indent, first: line.at, last, rules: [], single, within, positions }
    node.rules = [{ index: 0, node, name: "", head: null, tail: null, drawn, first: line.at, last: line.at }]
    return node
  }
  const head = headerAt(line, from, "node")
  const node: Node = { kind, name: unquoted(head.name?.text ?? ""), head, indent: line.indent, first: line.at, last, rules: [], single, within, positions }
  // Rows before the first line "rule", then each such line with its rows.
  const groups: { head: Line | null; rows: Line[] }[] = [{ head: null, rows: [] }]
  for (const row of lines.slice(line.at + 1, last + 1)) {
    if (row.word === "rule") groups.push({ head: row, rows: [] })
    else groups.at(-1)?.rows.push(row)
  }
  for (const group of groups) {
    const drawings = drawingsIn(group.rows)
    if (group.head) {
      const own = headerAt(group.head, group.head.indent + "rule".length, "rule")
      const one = drawings[0]
      const end = one?.rows.at(-1)?.at ?? group.head.at
      node.rules.push({ index: 0, node, name: own.name ? unquoted(own.name.text) : "", head: own, tail: tailOf(one?.drawn ?? null, lines), drawn: one?.drawn ?? null, first: group.head.at, last: end })
    } else
      for (const one of drawings)
        node.rules.push({ index: 0, node, name: "", head: null, tail: tailOf(one.drawn, lines), drawn: one.drawn, first: (one.rows[0] as Line).at, last: (one.rows.at(-1) as Line).at })
  }
  if (node.rules.length === 0) node.rules.push({ index: 0, node, name: node.name, head: null, tail: null, drawn: null, first: line.at, last })
  node.rules.forEach((rule, index) => {
    if (!rule.head?.name) rule.name = node.rules.length > 1 && node.name ? `${node.name} ${index + 1}` : node.name
  })
  return node
}

const tailOf = (drawn: PatternDrawing | null, lines: readonly Line[]): Header | null => (drawn?.form === "line" ? headerAt(lines[drawn.first] as Line, drawn.to, "tail") : null)

/** Positions under one name each: the language has several for some. */
export function canonicalPositions(words: string): string {
  const text = words.replace(/^positions +/, "").split(/\s+/).join(" ")
  if (["all", "turned and mirrored", "mirrored and turned", "in all positions", "0 1 2 3 4 5 6 7"].includes(text)) return "turned and mirrored"
  if (["none", "as drawn", "0"].includes(text)) return "as drawn"
  if (["mirrored", "mirrored left-right", "0 4"].includes(text)) return "mirrored"
  if (text === "0 1 2 3") return "turned"
  return /^\d/.test(text) ? "positions " + text : text
}

/** The name that a rule goes by, if need be from its place. */
export const ruleName = (rule: Rule): string => rule.name || `${rule.node.kind} ${rule.index + 1}`

/** The rules that an expectation may speak of by name: the longest name that its text begins with. */
export function rulesMeantBy(expect: Expect, outline: Outline): { name: string; about: string; rules: Rule[]; quoted: boolean } | null {
  const named = new Map<string, Rule[]>()
  for (const rule of outline.rules) if (rule.name) named.set(rule.name, [rule])
  for (const node of outline.nodes) if (node.name) named.set(node.name, node.rules)
  const quotes = /^"(?:[^"\\]|\\.)*"/.exec(expect.text)
  const text = expect.text.split(/\s+/).join(" ")
  const name = quotes ? unquoted(quotes[0]) : [...named.keys()].filter((one) => `${text} `.startsWith(one + " ") || text.startsWith(one + ",")).sort((a, b) => b.length - a.length)[0]
  const rules = name === undefined ? undefined : named.get(name)
  if (name === undefined || !rules) return null
  const about = (quotes ? expect.text.slice(quotes[0].length) : text.slice(name.length)).replace(/^[ ,]+/, "")
  return { name, about, rules, quoted: quotes !== null }
}
