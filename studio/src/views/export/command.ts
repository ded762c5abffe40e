/** The command that writes the same files, byte for byte. */
import type { FormatCard, Output, Source, Value } from "../../server/protocol"
import { isRecipePath } from "../../project/file_names"
import { DEFAULT_TRIES } from "../../state/work"
import { ANIMATION, needsName } from "./format_cards"

/** A word as a shell takes it. */
export const shellQuoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

function valueWord(of: Value): string {
  if (typeof of === "string") return /^[a-zA-Z][\w-]*$/.test(of) && of !== "true" && of !== "false" ? of : JSON.stringify(of)
  return Array.isArray(of) ? JSON.stringify(of) : String(of)
}

/** Options that have a word of their own on the command line. */
const OWN_OPTIONS = new Set(["style", "cell", "paper", "show", "hide"])

function optionWords(told: Record<string, Value>): string[] {
  return Object.entries(told).flatMap(([name, of]) => (OWN_OPTIONS.has(name) ? [`--${name}`, Array.isArray(of) ? of.join(",") : String(of)] : ["--option", `${name}=${valueWord(of)}`]))
}

interface FileRequest {
  card: FormatCard
  output: Output
}

/** Files that one command can write: no option of one of them would apply to another with a different value. */
function filesByCommand(wishes: readonly FileRequest[]): FileRequest[][] {
  const groups: FileRequest[][] = []
  for (const wish of wishes) {
    const fits = (other: FileRequest): boolean => {
      const [a, b] = [wish.output.options ?? {}, other.output.options ?? {}]
      return !needsName(wish.card) && !needsName(other.card) && !(wish.output.animation && other.output.animation)
        && [...Object.keys(a), ...Object.keys(b)].every((name) => !wish.card.options.includes(name) || !other.card.options.includes(name) || JSON.stringify(a[name]) === JSON.stringify(b[name]))
    }
    const group = groups.find((one) => one.every(fits))
    if (group) group.push(wish)
    else groups.push([wish])
  }
  return groups
}

function recipeWords(of: Source): string[] {
  const from = of.recipe
  const name = "name" in from ? from.name : "path" in from ? from.path : from.file
  return [
    "generate",
    name,
    "--seed",
    of.seed,
    ...(of.size ? ["--size", of.size.join("x")] : []),
    ...Object.entries(of.params).flatMap(([key, one]) => ["--set", `${key}=${valueWord(one)}`]),
    ...of.until.flatMap((one) => ["--until", one]),
    ...(of.tries !== DEFAULT_TRIES ? ["--tries", String(of.tries)] : []),
    ...(of.attempt === undefined ? [] : ["--attempt", String(of.attempt)]),
  ]
}

/** Whether the level is more than its recipe makes: then it must be saved first, and converted. */
export const isMoreThanRecipe = (of: Source): boolean => Boolean(of.edits?.length || of.placed?.length || of.removed?.length || of.keep) || "imported" in of.recipe || "map" in of.recipe || ("path" in of.recipe && !isRecipePath(of.recipe.path))

export function command(of: Source, wishes: readonly FileRequest[], stem: string): { text: string; note: string } {
  const line = (words: readonly string[]): string => ["undercroft", ...words].map(shellQuoted).join(" ")
  if (isMoreThanRecipe(of)) {
    const level = "path" in of.recipe && !of.edits?.length ? of.recipe.path : `levels/${stem}.json`
    const files = wishes.filter((wish) => !wish.output.animation && wish.output.path !== level)
    const lines = files.map(({ card, output }) => line(["convert", level, output.path, ...(needsName(card) ? ["--format", card.name] : []), ...optionWords(output.options ?? {})]))
    return { text: lines.join(" && ") || line(["convert", level, "-", "--format", "text"]), note: level.endsWith(`${stem}.json`) ? `What was kept or painted is in no recipe: save this level as ${level} first.` : "" }
  }
  const groups = filesByCommand(wishes)
  const lines = (groups.length ? groups : [[]]).map((group) => {
    const told = Object.assign({}, ...group.map((wish) => wish.output.options ?? {})) as Record<string, Value>
    const { frames, ...rest } = told
    const files = group.flatMap(({ card, output }) => (card.name === ANIMATION ? ["--animate", output.path, ...(frames === undefined ? [] : ["--frames", String(frames)])] : ["-o", output.path]))
    const named = group[0] && needsName(group[0].card) ? ["--format", group[0].card.name] : []
    return line([...recipeWords(of), ...files, ...named, ...optionWords(rest)])
  })
  return { text: lines.join(" && "), note: "text" in of.recipe ? `The recipe was changed and not saved: save it as ${of.recipe.file} first.` : "" }
}
