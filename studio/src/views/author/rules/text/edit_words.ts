/** Changes to the words around a drawing: kind, name, limit, positions, weights. Only the line on which they stand changes. */
import { canonicalPositions, rulesMeantBy, outlineOf, type Header, type Kind, type Node, type Outline, type Rule } from "./anatomy"
import { phraseKey, quotedIfNeeded, type Key, type Line } from "./lines"

const joinLines = (lines: readonly string[]): string => lines.join("\n")

/** A header's line with another name and other words. */
function headerLine(line: Line, head: Header, name: string, words: readonly string[]): string {
  if (head.what === "tail") return line.text.slice(0, head.from) + words.map((word) => ", " + word).join("") + line.tail
  const said = [name, ...words].filter(Boolean).join(", ")
  return line.text.slice(0, head.from) + (said ? "  " + said : "") + line.tail
}

const wordsOf = (head: Header): string[] => head.words.map((word) => word.text)

/** What a header says about a key. */
export const wordAbout = (head: Header | null, key: Key): string | null => head?.words.find((word) => phraseKey(word.text) === key)?.text ?? null

/** A word about a key set, changed or taken out on one header. */
function withWord(outline: Outline, head: Header, key: Key, word: string | null): string {
  const lines = outline.lines.map((line) => line.text)
  const words = wordsOf(head)
  const at = head.words.findIndex((one) => phraseKey(one.text) === key)
  if (word === null) words.splice(at, at < 0 ? 0 : 1)
  else if (at < 0) words.splice(placeOf(key, words), 0, word)
  else words[at] = word
  lines[head.line] = headerLine(outline.lines[head.line] as Line, head, head.name?.text ?? "", words)
  return joinLines(lines)
}

const KEY_ORDER: Key[] = ["limit", "positions", "weight", "chance", "results"]

/** New words come in the usual order: how often, in which positions, weights; all else behind. */
function placeOf(key: Key, words: readonly string[]): number {
  const rank = KEY_ORDER.indexOf(key)
  const at = words.findIndex((word) => {
    const other = phraseKey(word)
    const place = other ? KEY_ORDER.indexOf(other) : -1
    return place < 0 || place > rank
  })
  return at < 0 ? words.length : at
}

/** Where words about a rule stand: behind it, on its own line, on that of its node; null if it has no place of its own yet. */
function headFor(rule: Rule, key: Key): Header | null {
  const own = [rule.tail, rule.head].find((head) => wordAbout(head, key) !== null)
  if (own) return own
  if (rule.head) return rule.head
  return rule.node.rules.length === 1 ? rule.node.head : rule.tail
}

/** Gives each rule of a node a line of its own, if it has none: then words and names can stand there. */
function withOwnLines(outline: Outline, node: Node): string {
  const lines = outline.lines.map((line) => line.text)
  for (const rule of [...node.rules].reverse()) {
    if (rule.head) continue
    const indent = (outline.lines[rule.first] as Line).indent
    for (let at = rule.first; at <= rule.last; at++) lines[at] = lines[at]?.trim() ? "    " + (lines[at] as string) : (lines[at] ?? "")
    lines.splice(rule.first, 0, " ".repeat(indent) + "rule")
  }
  return joinLines(lines)
}

/** The text in which a rule has a place for its words, and the rule in it. */
function withPlaceForWords(outline: Outline, rule: Rule, needs: (rule: Rule) => boolean): [Outline, Rule] {
  if (needs(rule)) return [outline, rule]
  const next = outlineOf(withOwnLines(outline, rule.node))
  return [next, next.rules[rule.index] ?? rule]
}

export function withKey(before: Outline, of: Rule, key: Key, word: string | null): string {
  const [outline, rule] = withPlaceForWords(before, of, (one) => headFor(one, key) !== null)
  const head = headFor(rule, key)
  return head ? withWord(outline, head, key, word) : outline.text
}

/** What is said about a rule: by itself, else by its node. Limits of a node are its own, and are told if it has one rule. */
export function ruleWordAbout(rule: Rule, key: Key): string | null {
  return wordAbout(rule.tail, key) ?? wordAbout(rule.head, key) ?? (key === "limit" && rule.node.rules.length > 1 ? null : wordAbout(rule.node.head, key))
}

export function limitOf(rule: Rule): number | null {
  const word = ruleWordAbout(rule, "limit")
  if (word === null) return null
  return word === "once" ? 1 : Number(/\d+/.exec(word)?.[0] ?? 0) || null
}

export const withLimit = (outline: Outline, rule: Rule, limit: number | null): string =>
  withKey(outline, rule, "limit", limit === null ? null : limit === 1 ? "once" : `up to ${limit} times`)

export const positionsOf = (rule: Rule): string => {
  const word = ruleWordAbout(rule, "positions")
  return word === null ? rule.node.positions : canonicalPositions(word)
}

/** Positions are written unless they are the ones that would hold anyway. */
export function withPositions(outline: Outline, rule: Rule, positions: string): string {
  const head = headFor(rule, "positions")
  const above = head === rule.node.head ? null : wordAbout(rule.node.head, "positions")
  const usual = above === null ? rule.node.positions : canonicalPositions(above)
  return withKey(outline, rule, "positions", positions === usual ? null : positions)
}

export function weightsOf(rule: Rule): number[] {
  const word = ruleWordAbout(rule, "results")
  const given = word?.replace(/^results */, "").split(":").map(Number) ?? []
  return (rule.drawn?.right ?? []).map((_, at) => given[at] ?? 1)
}

export function withWeights(outline: Outline, rule: Rule, weights: readonly number[]): string {
  const same = weights.every((weight) => weight === 1)
  if (same && ruleWordAbout(rule, "results") === null) return outline.text
  return withKey(outline, rule, "results", same && !(rule.node.rules.length > 1 && wordAbout(rule.node.head, "results")) ? null : `results ${weights.join(":")}`)
}

export const chanceOf = (rule: Rule): number => {
  const word = ruleWordAbout(rule, "chance")?.replace(/^chance */, "")
  if (!word) return 100
  return word.endsWith("%") ? parseFloat(word) : Math.round(parseFloat(word) * 1e6) / 1e4
}
export const withChance = (outline: Outline, rule: Rule, percent: number): string => withKey(outline, rule, "chance", percent >= 100 ? null : `chance ${percent}%`)

export const weightOf = (rule: Rule): number => Number(ruleWordAbout(rule, "weight")?.replace(/^weight */, "") ?? 1)
export const withWeight = (outline: Outline, rule: Rule, weight: number): string => withKey(outline, rule, "weight", weight === 1 ? null : `weight ${weight}`)

/** Another kind of the rule's node. */
export function withKind(outline: Outline, rule: Rule, kind: Kind): string {
  const lines = outline.lines.map((line) => line.text)
  const at = rule.node.first
  const line = lines[at] ?? ""
  lines[at] = line.slice(0, rule.node.indent) + kind + line.slice(rule.node.indent + rule.node.kind.length)
  return joinLines(lines)
}

/** A node that has its rule on its own line, with the rule below it instead. */
export function withRuleBelow(outline: Outline, node: Node, rows?: readonly string[]): string {
  const drawn = node.rules[0]?.drawn
  const line = outline.lines[node.first] as Line
  if (!node.single || !drawn) return outline.text
  const lines = outline.lines.map((one) => one.text)
  const words = wordsOf(node.head).join(", ")
  const inner = rows ?? [line.text.slice(drawn.from, drawn.to)]
  const indent = " ".repeat(node.indent + 4)
  lines.splice(node.first, 1, " ".repeat(node.indent) + node.kind + (words ? "  " + words : "") + line.tail, ...inner.map((row) => indent + row))
  return joinLines(lines)
}

/** Another name, here and in the expectations that speak of it. */
export function withName(before: Outline, of: Rule, name: string): string {
  const old = of.head ? of.name : of.node.rules.length === 1 ? of.node.name : of.name
  let outline = before
  let rule = of
  if (rule.node.single) {
    outline = outlineOf(withRuleBelow(outline, rule.node))
    rule = outline.rules[of.index] ?? rule
  }
  ;[outline, rule] = withPlaceForWords(outline, rule, (one) => one.head !== null || one.node.rules.length === 1)
  const head = rule.head ?? rule.node.head
  const lines = outline.lines.map((line) => line.text)
  lines[head.line] = headerLine(outline.lines[head.line] as Line, head, name ? quotedIfNeeded(name) : "", wordsOf(head))
  if (old && name)
    for (const expect of outline.expects) {
      const found = rulesMeantBy(expect, outline)
      if (found?.name !== old) continue
      const line = outline.lines[expect.line] as Line
      lines[expect.line] = line.text.slice(0, expect.from) + quotedIfNeeded(name) + (found.about ? (found.quoted || quotedIfNeeded(name).startsWith('"') ? ", " : " ") + found.about : "") + line.tail
    }
  return joinLines(lines)
}

/** Words that the controls do not show: guards, places, picks. */
export function otherWords(rule: Rule): { text: string; line: number; from: number }[] {
  const shown: (Key | null)[] = ["limit", "positions", "weight", "chance", "results"]
  return [rule.node.head, rule.head, rule.tail].flatMap((head) => (head ? head.words.filter((word) => !shown.includes(phraseKey(word.text))).map((word) => ({ text: word.text, line: head.line, from: word.from })) : []))
}

/** An expectation's sentence after the rule's name. */
export function withAbout(outline: Outline, line: number, about: string): string {
  const expect = outline.expects.find((one) => one.line === line)
  const found = expect && rulesMeantBy(expect, outline)
  if (!expect || !found) return outline.text
  const lines = outline.lines.map((one) => one.text)
  const name = quotedIfNeeded(found.name)
  const clean = about.replace(/[\n\r;]/g, " ").trim()
  lines[line] = (lines[line] ?? "").slice(0, expect.from) + name + (clean ? (name.startsWith('"') ? ", " : " ") + clean : "") + (outline.lines[line] as Line).tail
  return joinLines(lines)
}
