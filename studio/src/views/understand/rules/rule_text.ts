/** Small changes to a rule's text, line by line: everything else stays as it was written. */
import type { RuleDrawn, RulesRead } from "../../../server/protocol"

export type Drawn = RuleDrawn & { head_line: number }

const indent = (line: string): number => line.length - line.trimStart().length
const isBlank = (line: string | undefined): boolean => line === undefined || /^\s*(;.*)?$/.test(line)

/** The lines of a node, from its head to before what follows: counted from 0. */
function nodeLines(lines: readonly string[], head: number): [number, number] {
  const deep = indent(lines[head] as string)
  let end = head + 1
  while (end < lines.length && (isBlank(lines[end]) || indent(lines[end] as string) > deep)) end++
  while (end > head + 1 && isBlank(lines[end - 1])) end--
  return [head, end]
}

/** The node of one rule before that of another, which comes first now. */
export function movedAbove(text: string, rule: Drawn, other: Drawn): string | null {
  const lines = text.split("\n")
  if (!rule.head_line || !other.head_line || rule.head_line <= other.head_line) return null
  const [from, end] = nodeLines(lines, rule.head_line - 1)
  const to = other.head_line - 1
  if (indent(lines[from] as string) !== indent(lines[to] as string)) return null
  const moved = lines.slice(from, end)
  const rest = [...lines.slice(0, from), ...lines.slice(end)]
  // A blank line between the two moves too.
  const between = isBlank(lines[from - 1]) && lines[from - 1] !== undefined ? [""] : []
  return [...rest.slice(0, to), ...moved, ...between, ...rest.slice(to)].join("\n")
}

/** A word more on the head line of a rule's node. */
export function withWord(text: string, rule: Drawn, word: string): string | null {
  const lines = text.split("\n")
  const line = lines[rule.head_line - 1]
  if (line === undefined || line.includes(word.split(" ")[0] ?? word)) return null
  const comment = line.search(/\s*;/)
  const body = comment < 0 ? line.trimEnd() : line.slice(0, comment)
  lines[rule.head_line - 1] = body + ", " + word + (comment < 0 ? "" : line.slice(comment))
  return lines.join("\n")
}

/** The pattern cell at (x, y) as drawn, replaced by another sign. */
function withSign(lines: string[], rule: Drawn, [x, y]: [number, number], sign: string): boolean {
  const single = rule.line === rule.last_line
  const at = rule.line - 1 + (single ? 0 : y)
  const line = lines[at]
  if (line === undefined) return false
  let start: number
  if (single) {
    const arrow = line.indexOf("->")
    const before = line.slice(0, arrow).trimEnd()
    start = before.search(/\S+$/)
    if (arrow < 0 || start < 0 || /[{}]/.test(before.slice(start))) return false
    const rows = before.slice(start).split("/")
    for (let row = 0; row < y; row++) start += (rows[row]?.length ?? 0) + 1
  } else start = indent(line)
  const signs = [...line]
  if (start + x >= signs.length || /\s/.test(signs[start + x] ?? " ")) return false
  signs[start + x] = sign
  lines[at] = signs.join("")
  return true
}

/** The same rule, but a cell of its pattern takes another tile too: by a set that is there already, or by a new one above the rule. */
export function withTileAccepted(text: string, read: RulesRead, rule: Drawn, cell: [number, number], tile: string): string | null {
  const lines = text.split("\n")
  const wanted = [...(rule.pattern[cell[1]] ?? "")][cell[0]]
  if (wanted === undefined || wanted === "?") return null
  const set = read.sets.find((one) => one.name === wanted)
  const name = set ? null : read.tiles.find((one) => one.glyph === wanted || (one.glyph === " " && wanted === "X"))?.name
  const members = set ? set.of : name ? [name] : []
  if (!members.length || members.includes(tile)) return null
  const all = new Set([...members, tile])
  const there = read.sets.find((one) => [...one.name].length === 1 && one.of.length === all.size && one.of.every((member) => all.has(member)) && new RegExp(`^\\s*set\\s+${regexEscaped(one.name)}\\s*=`, "m").test(text))
  if (there) return withSign(lines, rule, cell, there.name) ? lines.join("\n") : null
  const taken = new Set([...read.sets.map((one) => one.name), ...read.tiles.map((one) => one.glyph), "X", "?"])
  const letter = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ").find((one) => !taken.has(one))
  if (!letter || !withSign(lines, rule, cell, letter)) return null
  let top = (rule.head_line || rule.line) - 1
  while (top > 0 && (indent(lines[top] as string) > 0 || isBlank(lines[top]))) top--
  const quoted = [...all].map((one) => (/^[\w ]+$/.test(one) && !/\b(or|not)\b/.test(one) ? one : JSON.stringify(one)))
  lines.splice(top, 0, `set  ${letter} = ${quoted.join(" or ")}`)
  return lines.join("\n")
}

const regexEscaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
