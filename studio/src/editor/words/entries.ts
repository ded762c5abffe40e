/** Entries of the catalogue: what can be written, with its help. */
import type { Choice, Hello, Param, TileInfo, Vocabulary } from "../../server/protocol"

export type Group = "step" | "field" | "measure" | "tile" | "word" | "parameter" | "value" | "table"

export interface Entry {
  label: string
  group: Group
  about: string
  /** What is written, if not the label. */
  insert?: string
  /** Type, range and default. */
  facts?: string
  /** The fields of a step. */
  rows?: readonly (readonly [string, string])[]
  choice?: Choice
  tile?: TileInfo
}

/** Where the cursor stands: what is replaced, and by what. */
export interface WordPlace {
  from: number
  to: number
  entries: Entry[]
  /** A list of choices that the server must give first. */
  wants?: string
}

export interface RecipeFacts {
  steps: Hello["steps"]
  measures: Hello["measures"]
  recipes: readonly { name: string; about: string }[]
  params: readonly Param[]
  words: Vocabulary
  choices: (of: string) => Choice[] | null
}

const UNITS: Record<string, string> = { count: "a whole number", share: "a number from 0 to 1", flag: "0 or 1" }

/** A value as the text writes it. */
export const written = (value: unknown): string => JSON.stringify(value).replaceAll(",", ", ")

export const factsOf = (param: Param): string => {
  const range = param.low === undefined ? "" : `, ${param.low.toLocaleString("en")} to ${param.high?.toLocaleString("en")}`
  const kind = { whole: "a whole number", number: "a number", switch: "true or false", choice: `one of ${(param.choices ?? []).join(", ")}`, text: "a text", list: "a list" }[param.kind]
  return `${kind}${range}; unless given ${written(param.default)}`
}

export const stepEntry = (step: Hello["steps"][number], words: Vocabulary): Entry => ({ label: step.name, group: "step", about: step.about, rows: step.params.map((param) => [param.name, words.fields[step.name]?.[param.name] || param.about]) })
export const measureEntry = (one: Hello["measures"][number]): Entry => ({ label: one.name, group: "measure", about: one.about, facts: UNITS[one.unit] ?? "a number" })
export const paramEntry = (param: Param): Entry => ({ label: "$" + param.name, group: "parameter", about: param.about, facts: factsOf(param) })
export const fieldEntry = (param: Param, about: string): Entry => ({ label: param.name, group: "field", about, facts: `${param.about}; unless given ${written(param.default)}` })
export const choiceEntry = (choice: Choice): Entry => ({ label: choice.value, group: "value", about: choice.about, choice })
export const tileEntry = (tile: TileInfo): Entry => ({
  label: tile.name,
  group: "tile",
  about: [`drawn as ${tile.glyph === " " ? "X" : tile.glyph}`, tile.name === tile.role ? "" : `role ${tile.role}`, tile.walkable ? "can be walked on" : "stops walkers", tile.opaque ? "blocks sight" : "lets sight through"].filter(Boolean).join(", "),
  tile,
})
export const wordEntry = (word: { name: string; about: string }): Entry => ({ label: word.name, group: "word", about: word.about })

/** Entries that hold what was typed: those that begin with it come first. */
export function matching(entries: readonly Entry[], typed: string): Entry[] {
  const wanted = typed.toLowerCase().replace(/^["'[$]+/, "")
  const rank = (entry: Entry): number => {
    const at = entry.label.toLowerCase().replace(/^["'[$]+/, "").indexOf(wanted)
    return at < 0 ? 2 : Math.min(1, at)
  }
  return [0, 1].flatMap((wantedRank) => entries.filter((entry) => rank(entry) === wantedRank))
}
