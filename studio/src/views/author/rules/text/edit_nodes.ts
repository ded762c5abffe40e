/** Rules as wholes: a new one, a copy, one less, another order; and the sets, tiles and expectations around them. */
import { rulesMeantBy, ruleName, outlineOf, type Node, type Outline, type Rule } from "./anatomy"
import { rowsOf, type Signs } from "./edit_drawing"
import { withName } from "./edit_words"
import { tileListName, quotedIfNeeded, type Line } from "./lines"

/** The first line of what belongs to a line: the comments right above it. */
function firstLineWithComments(outline: Outline, at: number): number {
  let first = at
  while (first > 0 && !outline.lines[first - 1]?.speaks && !outline.lines[first - 1]?.blank) first--
  return first
}

/** Some lines cut out, and one of the blank lines around them. */
function cutLines(lines: string[], first: number, last: number): void {
  lines.splice(first, last - first + 1)
  while (first > 0 && first < lines.length && !lines[first]?.trim() && !lines[first - 1]?.trim()) lines.splice(first, 1)
  if (first >= lines.length) while (lines.length > 1 && !lines.at(-1)?.trim() && !lines.at(-2)?.trim()) lines.pop()
}

/** A name that no rule has yet. */
export function freeName(outline: Outline, wish: string): string {
  const taken = new Set([...outline.rules.map((rule) => rule.name), ...outline.nodes.map((node) => node.name)])
  if (!taken.has(wish)) return wish
  for (let number = 2; ; number++) if (!taken.has(`${wish} ${number}`)) return `${wish} ${number}`
}

/** Blocks of lines, with blank lines around them. */
function withBlockAfter(outline: Outline, at: number, block: readonly string[]): string {
  const lines = outline.lines.map((line) => line.text)
  const before = lines.slice(0, at + 1)
  const after = lines.slice(at + 1)
  while (before.length && !before.at(-1)?.trim()) before.pop()
  while (after.length && !after[0]?.trim()) after.shift()
  return [...before, ...(before.length ? [""] : []), ...block, "", ...after].join("\n").replace(/\n*$/, "\n")
}

/** The last line of a rule's node, and of the expectations that follow it at once. */
function endOf(outline: Outline, node: Node): number {
  let end = node.last
  for (const expect of outline.expects) {
    const between = outline.lines.slice(end + 1, expect.line)
    if (expect.line > end && between.every((line) => !line.speaks)) end = expect.last
  }
  return end
}

/** A new rule after another: three by three, of anything, to be drawn. */
export function withNewRule(outline: Outline, after: Rule | null): { text: string; name: string } {
  const name = freeName(outline, "new rule")
  const any: Signs = Array.from({ length: 3 }, () => ["?", "?", "?"])
  const indent = after ? after.node.indent : 0
  const block = [`one  ${name}`, ...rowsOf(any, [any]).map((row) => "    " + row)].map((line) => " ".repeat(indent) + line)
  const inside = indent > 0 && after
  return { text: withBlockAfter(outline, after ? (inside ? after.node.last : endOf(outline, after.node)) : outline.lines.length - 1, block), name }
}

/** A copy of a rule after it. Of a node with several, the copy is one more of them. */
export function withRuleCopied(outline: Outline, rule: Rule): { text: string; name: string } {
  const { node } = rule
  const name = freeName(outline, `${rule.name || ruleName(rule)} copy`)
  if (node.rules.length === 1) {
    const text = withBlockAfter(outline, node.indent > 0 ? node.last : endOf(outline, node), outline.lines.slice(node.first, node.last + 1).map((line) => line.text))
    const next = outlineOf(text)
    const copy = next.rules[rule.index + 1]
    return { text: copy ? withName({ ...next, expects: [] }, copy, name) : text, name }
  }
  const text = withBlockAfter(outline, rule.last, outline.lines.slice(rule.first, rule.last + 1).map((line) => line.text))
  const copy = outlineOf(text).rules[rule.index + 1]
  return { text: copy?.head ? withName({ ...outlineOf(text), expects: [] }, copy, name) : text, name }
}

/** The text without a rule, and without what was expected of it. A node or block that would be empty goes too. */
export function withoutRule(outline: Outline, rule: Rule): string {
  const lines = outline.lines.map((line) => line.text)
  const cuts: [number, number][] = []
  if (rule.node.rules.length > 1) cuts.push([firstLineWithComments(outline, rule.first), rule.last])
  else {
    let [first, last] = [rule.node.first, rule.node.last]
    for (const block of [...rule.node.within].reverse()) {
      if (outline.nodes.some((node) => node !== rule.node && node.first > block.line && node.first <= block.last)) break
      ;[first, last] = [block.line, block.last]
    }
    cuts.push([firstLineWithComments(outline, first), last])
  }
  for (const expect of outline.expects) {
    const found = rulesMeantBy(expect, outline)
    if (found?.rules.length === 1 && found.rules[0] === rule) cuts.push([firstLineWithComments(outline, expect.line), expect.last])
  }
  for (const [first, last] of cuts.sort((a, b) => b[0] - a[0])) cutLines(lines, first, last)
  return lines.join("\n")
}

/** A rule one place up or down: among the rules of its node, or its node among its neighbours. Null if it is the first or the last. */
export function withRuleMoved(outline: Outline, rule: Rule, by: -1 | 1): string | null {
  const within = rule.node.rules.length > 1
  const all: { first: number; last: number }[] = within
    ? rule.node.rules
    : outline.nodes.filter((node) => node.indent === rule.node.indent && node.within.at(-1)?.line === rule.node.within.at(-1)?.line)
  const at = within ? rule.node.rules.indexOf(rule) : (all as Node[]).indexOf(rule.node)
  const [upper, lower] = by < 0 ? [all[at - 1], all[at]] : [all[at], all[at + 1]]
  if (!upper || !lower) return null
  const lines = outline.lines.map((line) => line.text)
  const first = firstLineWithComments(outline, upper.first)
  const second = firstLineWithComments(outline, lower.first)
  // What is expected of the upper one lies between them, and stays with it.
  const between = lines.slice(upper.last + 1, second)
  const expects = between.some((line) => line.trim())
  const above = lines.slice(first, upper.last + 1)
  const below = lines.slice(second, lower.last + 1)
  const next = expects ? [...below, "", ...above, ...between] : [...below, ...between, ...above]
  while (expects && next.length && !next.at(-1)?.trim()) next.pop()
  // Drawings in rows are parted by blank lines, rules of one line need not be.
  const parted = within && rule.node.rules.some((one) => one.drawn?.form === "rows" && !one.head)
  const blank = (beside: number): string[] => (parted && lines[beside]?.trim() && beside !== rule.node.first ? [""] : [])
  lines.splice(first, lower.last - first + 1, ...blank(first - 1), ...(parted ? [...below, "", ...above] : next), ...blank(lower.last + 1))
  return lines.join("\n")
}

/* ---- sets and tiles ---- */

export function setLine(name: string, members: readonly string[], not: boolean): string {
  return `set  ${name} = ${not ? "not " : ""}${members.map(tileListName).join(" or ")}`
}

/** A set that is new, or has other tiles now. */
export function withSet(outline: Outline, name: string, members: readonly string[], not = false): string {
  const lines = outline.lines.map((line) => line.text)
  const there = outline.sets.find((set) => set.name === name)
  if (there) {
    lines[there.line] = setLine(name, members, not) + (outline.lines[there.line] as Line).tail
    return lines.join("\n")
  }
  const firstNode = Math.min(outline.nodes[0]?.first ?? Infinity, outline.nodes[0]?.within[0]?.line ?? Infinity)
  const last = outline.sets.filter((set) => set.line < firstNode).at(-1)
  if (last) {
    lines.splice(last.line + 1, 0, setLine(name, members, not))
    return lines.join("\n")
  }
  const at = Math.min(outline.body, lines.length)
  if (at >= lines.length) return withBlockAfter(outline, lines.length - 1, [setLine(name, members, not)])
  const first = Math.max(firstLineWithComments(outline, at), outline.palette + 1)
  // A comment at the top of the file is about the file, and stays there.
  const place = first === 0 && outline.palette < 0 ? at : first
  lines.splice(place, 0, setLine(name, members, not), "")
  return lines.join("\n")
}

export function withoutLine(outline: Outline, line: number): string {
  const lines = outline.lines.map((one) => one.text)
  cutLines(lines, line, line)
  return lines.join("\n")
}

/** A tile of the file's own, below the palette's other lines. */
export function withTile(outline: Outline, name: string, sign: string, role: string, colour: string): string {
  const lines = outline.lines.map((line) => line.text)
  const bare = !/[,;"{}= ?|/-]/.test(sign)
  const line = `tile ${tileListName(name)} = ${bare ? sign : `"${sign}"`}, ${role}, colour ${colour}`
  if (outline.palette >= 0) lines.splice(outline.palette + 1, 0, line)
  else {
    const first = outline.lines.findIndex((one) => one.speaks)
    const at = first < 0 ? lines.length : first
    lines.splice(at, 0, line, "")
  }
  return lines.join("\n")
}

/* ---- expectations ---- */

/** A new expectation about a rule, after those that are there. The rule has a name by then. */
export function withExpect(outline: Outline, rule: Rule, about: string, before: Signs, outcomes: readonly Signs[]): { text: string; line: number } {
  const name = quotedIfNeeded(rule.name)
  const head = `expect  ${name}${name.startsWith('"') ? "," : ""} ${about}`.trimEnd()
  const rows = rowsOf(before, outcomes)
  const block = [head, ...rows.map((row) => "    " + row)]
  const mine = outline.expects.filter((expect) => rulesMeantBy(expect, outline)?.rules.includes(rule))
  const last = mine.at(-1)
  const block0 = rule.node.within[0]
  const at = last ? last.last : block0 ? block0.last : rule.node.last
  const text = withBlockAfter(outline, at, block)
  const line = text.split("\n").findIndex((one, index) => index > at && one === head)
  return { text, line }
}

export function withoutExpect(outline: Outline, line: number): string {
  const expect = outline.expects.find((one) => one.line === line)
  if (!expect) return outline.text
  const lines = outline.lines.map((one) => one.text)
  cutLines(lines, firstLineWithComments(outline, expect.line), expect.last)
  return lines.join("\n")
}
