/** Drawings in a rules text: where every cell of a pattern and of its results stands. */
import { ARROW, type Line } from "./lines"

/** A cell as it is written: one sign, or words in braces. */
export interface Cell {
  line: number
  from: number
  to: number
  text: string
}

export type Block = Cell[][]

/** A pattern, an arrow and its results: of a rule, or of an expectation. */
export interface PatternDrawing {
  /** In rows below each other, or all on one line. */
  form: "rows" | "line"
  /** Lines from 0, the first and the last. */
  first: number
  last: number
  /** The lines of its rows; lines between them hold only comments. */
  rows: number[]
  left: Block
  right: Block[]
  /** In the form of one line: where the pattern begins, and where the words after the last result begin. */
  from: number
  to: number
}

export const signsOf = (block: Block): string[][] => block.map((row) => row.map((cell) => cell.text))

/** The pattern (-1) or a result, from 0. */
export const blockOf = (drawn: PatternDrawing, block: number): Block | undefined => (block < 0 ? drawn.left : drawn.right[block])

/** The runs of columns that hold anything. */
function columnRuns(rows: readonly Line[]): [number, number][] {
  const used = new Set<number>()
  for (const row of rows) for (let at = 0; at < row.body.length; at++) if (row.body[at] !== " ") used.add(at)
  const runs: [number, number][] = []
  for (const at of [...used].sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && last[1] === at) last[1] = at + 1
    else runs.push([at, at + 1])
  }
  return runs
}

const holdsOnly = (rows: readonly Line[], [from, to]: [number, number], sign: string): boolean =>
  to - from === sign.length && rows.every((row) => ["", sign].includes(row.body.slice(from, to).trim()))

function blockIn(rows: readonly Line[], [from, to]: [number, number]): Block | null {
  const block: Block = []
  for (const row of rows) {
    const cells: Cell[] = []
    for (let at = from; at < to; ) {
      const text = String.fromCodePoint(row.body.codePointAt(at) ?? 32)
      if (at >= row.body.length || text === " ") return null
      cells.push({ line: row.at, from: at, to: at + text.length, text })
      at += text.length
    }
    block.push(cells)
  }
  return block
}

/** A drawing of several rows; nothing while it is not a whole one. */
function drawingOfRows(rows: readonly Line[]): PatternDrawing | null {
  const spans = columnRuns(rows)
  const at = spans.findIndex((span) => holdsOnly(rows, span, "->"))
  if (at !== 1) return null
  const left = blockIn(rows, spans[0] as [number, number])
  const right: Block[] = []
  for (const [index, span] of spans.slice(2).entries()) {
    if (holdsOnly(rows, span, "|") !== (index % 2 === 1)) return null
    if (index % 2 === 1) continue
    const block = blockIn(rows, span)
    if (!block) return null
    right.push(block)
  }
  if (!left || right.some((block) => block[0]?.length !== left[0]?.length)) return null
  return { form: "rows", first: (rows[0] as Line).at, last: (rows.at(-1) as Line).at, rows: rows.map((row) => row.at), left, right, from: 0, to: 0 }
}

const TOKEN = /(?:\{[^{}]*\}|[^ ])+/g

/** A rule on one line, from a column on. */
export function drawingOfLine(line: Line, from: number): PatternDrawing | null {
  const found = ARROW.exec(line.body.slice(from))
  if (!found) return null
  const arrow = from + found.index
  const before = [...line.body.slice(from, arrow).matchAll(TOKEN)]
  if (before.length !== 1) return null
  const start = from + (before[0]?.index ?? 0)
  const rest = line.body.slice(arrow + 2)
  const hidden = rest.replace(/\{[^{}]*\}/g, (text) => "x".repeat(text.length))
  const words = /,(?= +[^ |,])/.exec(hidden)
  const end = arrow + 2 + (words ? words.index : rest.length)
  const left = blockOfToken(line, start, before[0]?.[0] ?? "")
  const right: Block[] = []
  let to = arrow + 2
  for (const token of line.body.slice(arrow + 2, end).matchAll(TOKEN)) {
    if (token[0] === "|") continue
    const begin = arrow + 2 + token.index
    const block = blockOfToken(line, begin, token[0])
    if (!block || block.length !== left?.length || block[0]?.length !== left[0]?.length) return null
    right.push(block)
    to = begin + token[0].length
  }
  return left ? { form: "line", first: line.at, last: line.at, rows: [line.at], left, right, from: start, to } : null
}

function blockOfToken(line: Line, start: number, text: string): Block | null {
  const rows: Block = [[]]
  for (let at = 0; at < text.length; ) {
    const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
    const end = sign === "{" ? text.indexOf("}", at) + 1 : at + sign.length
    if (!end) return null
    if (sign === "/") rows.push([])
    else rows.at(-1)?.push({ line: line.at, from: start + at, to: start + end, text: text.slice(at, end) })
    at = end
  }
  return rows.every((row) => row.length > 0 && row.length === rows[0]?.length) ? rows : null
}

/** The drawings in some lines: blank lines end one; rows that all have an arrow are rules of one line. `null` stands for one that is not whole. */
export function drawingsIn(lines: readonly Line[]): { rows: Line[]; drawn: PatternDrawing | null }[] {
  const found: { rows: Line[]; drawn: PatternDrawing | null }[] = []
  let run: Line[] = []
  const end = (): void => {
    if (run.length === 0) return
    if (run.every((row) => ARROW.test(row.body))) for (const row of run) found.push({ rows: [row], drawn: drawingOfLine(row, 0) })
    else found.push({ rows: run, drawn: drawingOfRows(run) })
    run = []
  }
  for (const line of lines) {
    if (line.speaks) run.push(line)
    else if (line.blank) end()
  }
  end()
  return found
}

/** The cell of a drawing at a place of the text. */
export function cellAt(drawn: PatternDrawing | null, line: number, column: number): { block: number; x: number; y: number } | null {
  if (!drawn || line < drawn.first || line > drawn.last) return null
  for (let block = -1; block < drawn.right.length; block++)
    for (const [y, row] of (blockOf(drawn, block) ?? []).entries()) {
      const x = row.findIndex((cell) => cell.line === line && column >= cell.from && column < cell.to)
      if (x >= 0) return { block, x, y }
    }
  return null
}
