/** Which words may stand at a place of a rules text. */
import type { TileInfo, Vocabulary } from "../../server/protocol"
import { tileEntry, wordEntry, type Entry, type WordPlace } from "./entries"

/** Words on whose lines options follow after commas. */
const TAKES_OPTIONS = /^\s*(?:one|all|parallel|markov|sequence|repeat|rule)\b/
const PLACE_OF_TILES = /(?:\(|\bany\s|\bor\s|\bnot\s|,\s*outside\s+|^outside\s+|^set\s+[^=]*=\s*|[{,]\s*)([\w -]*)$/

/** The tiles that a text declares: "tile chest = $, pillar". */
function ownTiles(text: string): Entry[] {
  return [...text.matchAll(/^\s*tile\s+("[^"]*"|[^=\n]+?)\s*=\s*("[^"]+"|\S)\s*,?\s*([\w]*)/gm)].map(([, name, glyph, role]) => ({
    label: (name ?? "").replaceAll('"', ""),
    group: "tile",
    about: `drawn as ${(glyph ?? "").replaceAll('"', "")}, role ${role ?? ""}; declared in this text`,
  }))
}

/** The name of a tile as a text writes it. */
const quotedName = (name: string): string => (/^[\w -]+$/.test(name) ? name : JSON.stringify(name))

const tilesOf = (text: string, words: Vocabulary): Entry[] => [...ownTiles(text), ...words.tiles.map(tileEntry)].map((entry) => ({ ...entry, insert: quotedName(entry.label) }))

export function rulesPlace(text: string, at: number, words: Vocabulary): WordPlace | null {
  const begin = text.lastIndexOf("\n", at - 1) + 1
  const line = text.slice(begin).split("\n", 1)[0] ?? ""
  const head = line.slice(0, at - begin)
  if (head.includes(";")) return null
  const first = /^(\s*)([a-z]*)$/.exec(head)
  if (first) {
    const rest = /^[a-z]*/.exec(line.slice(head.length))?.[0] ?? ""
    const from = begin + (first[1] ?? "").length
    // Inside a drawing there are signs, and no words.
    if (/^[a-z]*\S/.test(line.slice(head.length + rest.length)) && !(first[2] ?? "") && !rest) return null
    return { from, to: at + rest.length, entries: words.lines.map((word) => ({ ...wordEntry(word), insert: line.slice(head.length + rest.length).trim() ? word.name : `${word.name}  ` })) }
  }
  const open = head.lastIndexOf("(") > head.lastIndexOf(")") || head.lastIndexOf("{") > head.lastIndexOf("}")
  const tiles = PLACE_OF_TILES.exec(head)
  if (tiles && (open || /\boutside\s|^set\s/.test(head))) {
    const typed = (tiles[1] ?? "").trimStart()
    return { from: at - typed.length, to: at + (/^[\w-]*(?: [\w-]+)*(?=\s*[,)}]|\s*$)/.exec(line.slice(head.length))?.[0].length ?? 0), entries: tilesOf(text, words) }
  }
  if (!open && TAKES_OPTIONS.test(line) && head.includes(",")) {
    const typed = /,\s*([^,]*)$/.exec(head)?.[1] ?? ""
    const rest = /^[^,]*?(?=\s*(?:,|;|$))/.exec(line.slice(head.length))?.[0] ?? ""
    return { from: at - typed.length, to: at + rest.length, entries: words.options.map(wordEntry) }
  }
  return null
}

/** What is under a place of a drawing, or a word there. */
export function rulesHelp(text: string, at: number, words: Vocabulary): { from: number; to: number; entry: Entry } | null {
  const begin = text.lastIndexOf("\n", at - 1) + 1
  const line = text.slice(begin).split("\n", 1)[0] ?? ""
  const comment = line.indexOf(";")
  if (comment >= 0 && at - begin >= comment) return null
  const lead = /^\s*([a-z]+)/.exec(line)
  if (lead && words.lines.some((word) => word.name === lead[1])) {
    const from = begin + lead[0].length - (lead[1] ?? "").length
    if (at <= begin + lead[0].length) return { from, to: begin + lead[0].length, entry: wordEntry(words.lines.find((word) => word.name === lead[1]) ?? { name: "", about: "" }) }
    return phraseHelp(text, line, begin, at, words)
  }
  const sign = line[at - begin]
  const tile = sign && sign !== " " ? words.tiles.find((one: TileInfo) => one.glyph === sign || (sign === "X" && one.role === "void")) : undefined
  return tile ? { from: at, to: at + 1, entry: tileEntry(tile) } : null
}

/** An option, by the word it begins with; or a tile that is named. */
function phraseHelp(text: string, line: string, begin: number, at: number, words: Vocabulary): { from: number; to: number; entry: Entry } | null {
  for (const found of line.matchAll(/[A-Za-z][\w-]*(?: [a-z][\w-]*)*/g)) {
    const from = begin + found.index
    if (at < from || at > from + found[0].length) continue
    const options = words.options.filter((word) => found[0] === word.name || found[0].startsWith(word.name + " ") || word.name.split(/[ (]/)[0] === found[0].split(" ")[0])
    const option = line.slice(0, found.index).includes(",") ? (options.filter((word) => found[0].startsWith(word.name)).sort((a, b) => b.name.length - a.name.length)[0] ?? options.find((word) => word.name.startsWith(found[0])) ?? options[0]) : undefined
    const entry = tilesOf(text, words).find((one) => one.label === found[0]) ?? (option && wordEntry(option))
    if (entry) return { from, to: from + found[0].length, entry }
  }
  return null
}

export const allRulesEntries = (text: string, words: Vocabulary): Entry[] => [...words.lines.map((word) => ({ ...wordEntry(word), insert: `${word.name}  ` })), ...words.options.map(wordEntry), ...tilesOf(text, words)]
