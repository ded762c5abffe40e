/** Which words may stand at a place of a recipe's text: found in the lines around it, also while the text is broken. */
import { choiceEntry, fieldEntry, measureEntry, paramEntry, stepEntry, wordEntry, written, type Entry, type RecipeFacts, type WordPlace } from "./entries"
import { rulesHelp, rulesPlace } from "./rules_words"

const HEAD = /^\s*\[\[?\s*([^\]]*?)\s*\]?\]?\s*(?:#.*)?$/

interface Around {
  /** "", "step", "param.x", "require" ... */
  table: string
  /** The keys of the table, with their values as written. */
  keys: Map<string, string>
  /** Of a step. */
  use: string
}

/** The table around a line. Lines inside long strings are left out. */
function tableAround(lines: readonly string[], at: number): Around {
  let table = ""
  let keys = new Map<string, string>()
  let long = ""
  for (const [number, line] of lines.entries()) {
    if (long) {
      if (line.includes(long)) long = ""
      continue
    }
    const head = /^\s*\[/.test(line) ? HEAD.exec(line)?.[1] : undefined
    if (head !== undefined && number !== at) {
      if (number > at) break
      table = head
      keys = new Map()
    }
    const pair = /^\s*([\w-]+)\s*=\s*(.*)$/.exec(line)
    if (pair && number !== at) keys.set(pair[1] ?? "", pair[2] ?? "")
    const opened = /("""|''')/.exec(line)
    if (opened && !line.slice(opened.index + 3).includes(opened[0])) long = opened[0]
  }
  return { table, keys, use: /^["']([^"']*)/.exec(keys.get("use") ?? "")?.[1] ?? "" }
}

/** The long string that holds a place: where it begins, and its key. */
function longStringAt(text: string, at: number): { key: string; from: number; to: number } | null {
  const pattern = /([\w-]+)\s*=\s*("""|''')/g
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const from = pattern.lastIndex
    const end = text.indexOf(found[2] ?? "", from)
    const to = end < 0 ? text.length : end
    if (at >= from && at <= to) return { key: found[1] ?? "", from, to }
    pattern.lastIndex = Math.max(from, to + 3)
  }
  return null
}

/** `known`: entries that stand there already are offered too, as help needs them. */
export function recipePlace(text: string, at: number, facts: RecipeFacts, known = false): WordPlace | null {
  const long = longStringAt(text, at)
  if (long) {
    if (long.key !== "rules") return null
    const inside = rulesPlace(text.slice(long.from, long.to), at - long.from, facts.words)
    return inside && { ...inside, from: inside.from + long.from, to: inside.to + long.from }
  }
  const begin = text.lastIndexOf("\n", at - 1) + 1
  const line = (text.slice(begin).split("\n", 1)[0] ?? "").replace(/\r$/, "")
  const head = line.slice(0, at - begin)
  if (/^[^"']*#/.test(head)) return null
  const lines = text.split("\n")
  const around = tableAround(lines, text.slice(0, begin).split("\n").length - 1)
  if (head.trimStart().startsWith("[")) {
    const from = begin + head.length - head.trimStart().length
    return { from, to: begin + line.trimEnd().length, entries: tableEntries(facts) }
  }
  const pair = /^(\s*)([\w-]+)(\s*=\s*)(.*)$/.exec(line)
  const value = pair ? begin + (pair[1] ?? "").length + (pair[2] ?? "").length + (pair[3] ?? "").length : Infinity
  if (!pair || at < begin + head.length - (/[\w-]*$/.exec(head)?.[0].length ?? 0) || at <= begin + (pair[1] ?? "").length + (pair[2] ?? "").length) {
    const from = at - (/[\w-]*$/.exec(head)?.[0].length ?? 0)
    const to = at + (/^[\w-]*/.exec(line.slice(head.length))?.[0].length ?? 0)
    if (line.slice(0, from - begin).trim()) return null
    const entries = keyEntries(around, facts).filter((entry) => known || !around.keys.has(entry.label))
    const blank = line.trim() === ""
    const plain = entries.map((entry) => (pair ? { ...entry, insert: entry.label } : entry))
    return { from, to, entries: blank ? [...plain, ...tableEntries(facts)] : plain }
  }
  if (at < value) return null
  return valuePlace(around, pair[2] ?? "", line.slice(value - begin), value, at, facts)
}

const tableEntries = (facts: RecipeFacts): Entry[] => facts.words.tables.map((word) => ({ ...wordEntry(word), group: "table", insert: word.name.startsWith("[[") ? `${word.name}\nuse = ""` : word.name }))

function keyEntries({ table, use }: Around, facts: RecipeFacts): Entry[] {
  if (table === "require") return facts.measures.map((one) => ({ ...measureEntry(one), insert: `${one.name} = ">= 1"` }))
  const kind = table.replace(/\..*/, "")
  const keys: Entry[] = facts.words.keys.filter((key) => key.table === kind).map((key) => ({ ...wordEntry(key), insert: `${key.name} = ` }))
  if (kind !== "step") return keys
  const step = facts.steps.find((one) => one.name === use)
  const fields = (step?.params ?? []).map((param) => ({ ...fieldEntry(param, facts.words.fields[use]?.[param.name] ?? ""), insert: `${param.name} = ${written(param.default)}` }))
  return use ? [...fields, ...keys] : keys
}

function valuePlace({ table, use }: Around, key: string, value: string, from: number, at: number, facts: RecipeFacts): WordPlace | null {
  const kind = table.replace(/\..*/, "")
  const field = kind === "step" ? facts.steps.find((one) => one.name === use)?.params.find((param) => param.name === key) : undefined
  const params = kind === "step" && key !== "use" && key !== "id" && key !== "before" ? facts.params.map(paramEntry) : []
  const word = wordAt(value, at - from)
  const place = { from: from + word.from, to: from + word.to }
  const quoted = (entries: Entry[]): WordPlace => ({ ...place, entries: entries.map((entry) => ({ ...entry, insert: word.quoted ? entry.label : written(entry.label) })) })
  if (kind === "step" && key === "use") return quoted(facts.steps.map((step) => stepEntry(step, facts.words)))
  if (!kind && key === "extends") return quoted(facts.recipes.map((recipe) => ({ label: recipe.name, group: "value", about: recipe.about })))
  if (kind === "require") return quoted([">= 1", "<= 1", "== 1", "between 1 and 5"].map((label) => ({ label, group: "value", about: facts.measures.find((one) => one.name === key)?.about ?? "" })))
  if (!field) return params.length ? quoted(params) : null
  const values: Entry[] = (field.choices ?? []).map((one) => ({ label: String(one), group: "value", about: facts.words.fields[use]?.[key] ?? "" }))
  if (field.kind === "switch" && !word.quoted) return { ...place, entries: [...["true", "false"].map((label): Entry => ({ label, group: "value", about: facts.words.fields[use]?.[key] ?? "" })), ...params.map((entry) => ({ ...entry, insert: written(entry.label) }))] }
  if (field.picks) values.push(...(facts.choices(field.picks) ?? []).map(choiceEntry))
  const all = [...values, ...(word.listed ? [] : params)]
  const found = quoted(all)
  // A list that is not begun is begun.
  if (field.kind === "list" && !word.listed && !word.quoted) found.entries = found.entries.map((entry) => (entry.group === "parameter" ? entry : { ...entry, insert: `[${entry.insert ?? ""}]` }))
  return { ...found, ...(field.picks ? { wants: field.picks } : {}) }
}

/** The word of a value at a place: what is in the quotes there, or a bare word. */
function wordAt(value: string, at: number): { from: number; to: number; quoted: boolean; listed: boolean } {
  const listed = value.trimStart().startsWith("[")
  const pattern = /"[^"]*"?|'[^']*'?/g
  for (let found = pattern.exec(value); found; found = pattern.exec(value)) {
    const closed = found[0].length > 1 && /["']$/.test(found[0])
    const to = pattern.lastIndex - (closed ? 1 : 0)
    if (at > found.index && at <= to) return { from: found.index + 1, to, quoted: true, listed }
  }
  const from = at - (/[\w.$-]*$/.exec(value.slice(0, at))?.[0].length ?? 0)
  const to = at + (/^[\w.$-]*/.exec(value.slice(at))?.[0].length ?? 0)
  return { from, to, quoted: false, listed }
}

/** All that a recipe can say, for the catalogue. */
export const allRecipeEntries = (facts: RecipeFacts): Entry[] => [
  ...facts.steps.map((step) => stepEntry(step, facts.words)),
  ...facts.measures.map(measureEntry),
  ...facts.params.map(paramEntry),
  ...facts.words.tiles.map(tileOfRole),
  ...tableEntries(facts),
  ...facts.words.keys.filter((key) => key.table !== "step").map(wordEntry),
]
const tileOfRole = (tile: RecipeFacts["words"]["tiles"][number]): Entry => ({ label: tile.role, group: "tile", about: `the role of ${tile.name}`, tile })

/** The entry of the word at a place. */
export function recipeHelp(text: string, at: number, facts: RecipeFacts): { from: number; to: number; entry: Entry } | null {
  const long = longStringAt(text, at)
  if (long) {
    const inside = long.key === "rules" ? rulesHelp(text.slice(long.from, long.to), at - long.from, facts.words) : null
    return inside && { ...inside, from: inside.from + long.from, to: inside.to + long.from }
  }
  const place = recipePlace(text, at, facts, true)
  if (!place || at < place.from || at > place.to) return null
  const word = text.slice(place.from, place.to)
  const named = /^\[param\.["']?([\w-]+)/.exec(word)?.[1]
  const param = named === undefined ? undefined : facts.params.find((one) => one.name === named)
  const entry = param ? paramEntry(param) : place.entries.find((one) => one.label === word)
  return entry ? { from: place.from, to: place.to, entry } : null
}
